"""Lets hatchling compile the translations and fetch the page in the browser before it makes a distribution."""

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

UNPUBLISHED = "Private :: Do Not Upload"
"""A classifier that makes a package index refuse a distribution."""


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatchling's build hook, which it looks up by this name."""

    def initialize(self, _version: str, _build_data: dict[str, Any]) -> None:
        """Compile the translations and fetch the page.

        Without npm the distribution lacks the page, so that everything but `--web` can be installed anywhere.
        It says so, and cannot be published.
        """
        scripts = Path(self.root) / "scripts"
        runpy.run_path(str(scripts / "catalogues.py"), run_name="__main__")
        page = runpy.run_path(str(scripts / "page" / "page.py"))
        try:
            page["fetch"]()
        except page["FetchError"] as missing:
            self.metadata.core.classifiers.append(UNPUBLISHED)
            self.app.display_warning(
                f"boneyard: {missing}. This {self.target_name} has no page for browsers, so `boneyard host --web` "
                "will not work, and no package index will take it."
            )
