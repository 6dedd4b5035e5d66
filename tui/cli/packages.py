"""Packages that only some commands need, and how to add them to this installation of Boneyard."""

import re
import shlex
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import net.web
from core.words import phrase
from tui.failures import Failed

PICTURES: Mapping[str, str] = {"PIL": "pillow"}
"""Modules of the extra `pictures`, and the distributions that have them."""
WEB: Mapping[str, str] = {"aiohttp": "aiohttp", "resvg_py": "resvg-py", **PICTURES}
"""Modules of the extra `web`, and the distributions that have them; cryptography comes with asyncssh."""
CLUSTER: Mapping[str, str] = {"asyncpg": "asyncpg"}
"""Modules of the extra `cluster`, and the distributions that have them."""
BROWSERS_NEED = phrase("Browsers need {packages}, which is missing here. Add it with: {command}")
CLUSTER_NEEDS = "A cluster needs {packages}, which this Boneyard does not have. Add it with: {command}"
_PACKAGE = "boneyard_dominoes"
"""The package around ours in an installation (docs/decisions/024-one-name.md)."""
_UVX = re.compile(r"(archive|environments)-v\d+")
"""Folders of uv's cache that hold the environments of `uvx`."""
_VENDOR = Path(net.web.__file__).with_name("vendor")


def missing_packages(modules: Mapping[str, str]) -> list[str]:
    """Return the distributions of modules that are not installed."""
    return [name for module, name in modules.items() if find_spec(module) is None]


def require_packages(modules: Mapping[str, str], sentence: str, words: str) -> None:
    """Raise Failed if a module is missing; in a clone, `./scripts/play` with `words` installs it."""
    if missing := missing_packages(modules):
        raise Failed(sentence, packages=", ".join(missing), command=install_command(missing, words))


def require_page() -> None:
    """Raise Failed if the files of the web page are missing, as in a wheel that was built without npm."""
    if (_VENDOR / "xterm.mjs").exists():
        return
    if is_clone():
        raise Failed(
            "The web page is not fetched yet. Fetch it with: {command}", command=_play_command("host --web 8080")
        )
    raise Failed(
        "This Boneyard was installed without the web page, as npm was missing. Install npm, "
        "then install Boneyard again from its clone."
    )


def browser_problem() -> str:
    """Return the reason why this installation cannot serve browsers, with the remedy; empty if it can serve them."""
    try:
        require_packages(WEB, BROWSERS_NEED, "host --web 8080")
        require_page()
    except Failed as error:
        return error.message
    return ""


def install_command(packages: list[str], words: str) -> str:
    """Return the command that adds packages to this installation; in a clone, `./scripts/play` with `words`.

    It names packages, not an extra of ours: until there is a release, our name on an index may be a stranger's.
    """
    if is_clone():
        return _play_command(words)
    prefix, names = Path(sys.prefix), shlex.join(packages)
    if (prefix / "pipx_metadata.json").exists():
        return f"pipx inject {shlex.quote(prefix.name)} {names}"
    if _UVX.fullmatch(prefix.parent.name):  # uv shares the files of its cache with other environments
        return f"uvx {' '.join(f'--with {name}' for name in packages)} …"
    if find_spec("pip") is None:  # uv makes environments without it
        return f"uv pip install --python {shlex.quote(sys.prefix)} {names}"
    return f"{shlex.quote(sys.executable)} -m pip install {names}"


def is_clone() -> bool:
    """Return True if this program runs from its repository instead of an installation."""
    return Path(__file__).parents[2].name != _PACKAGE


def _play_command(words: str) -> str:
    return f"{shlex.quote(str(Path(__file__).parents[2] / 'scripts' / 'play'))} {words}"
