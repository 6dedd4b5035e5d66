"""Lets hatchling compile the translations before it makes a wheel."""

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """What hatchling looks for."""

    def initialize(self, _version: str, _build_data: dict[str, Any]) -> None:
        """Compile the translations."""
        runpy.run_path(str(Path(self.root) / "scripts" / "catalogues.py"), run_name="__main__")
