"""Lets hatchling compile the translations and fetch the page in the browser before it makes a wheel."""

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """What hatchling looks for."""

    def initialize(self, _version: str, _build_data: dict[str, Any]) -> None:
        """Compile the translations; fetch the page, without which `--web` alone does not work."""
        scripts = Path(self.root) / "scripts"
        runpy.run_path(str(scripts / "catalogues.py"), run_name="__main__")
        page = runpy.run_path(str(scripts / "page" / "page.py"))
        try:
            page["fetch"]()
        except page["FetchError"] as missing:
            self.app.display_warning(f"boneyard: {missing}. Without it, this wheel has no page for browsers.")
