"""The terminal at this machine, by the same rules as a guest's over ssh: whether it can show a screen, and how."""

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from net.ssh.server.terminal import speaks_utf8

if TYPE_CHECKING:
    from textual.app import App

A = TypeVar("A", bound="App[Any]")
_COERCED = ("C.UTF-8", "C.utf8", "UTF-8")


def knows_utf8(env: Mapping[str, str] = os.environ, *, coerced: bool = bool(sys.flags.utf8_mode)) -> bool:
    """Whether the terminal here shows UTF-8.

    Where the locale is C, Python sets LC_CTYPE by itself (PEP 538, `coerced`), and that says nothing of the terminal.
    """
    if coerced and env.get("LC_CTYPE") in _COERCED:
        env = {name: value for name, value in env.items() if name != "LC_CTYPE"}
    return speaks_utf8(env.get("TERM", ""), env)


def at_home(app: A) -> A:
    """Fit an app's colours to the terminal here, and return it; where colours are not wanted Textual sees to that."""
    from rich.color import ColorSystem  # noqa: PLC0415

    from tui.serve.colours import colours_of  # noqa: PLC0415
    from tui.serve.served import fit_colours  # noqa: PLC0415

    colours = colours_of(os.environ.get("TERM", ""), os.environ)
    if not colours.grey and colours.system is not ColorSystem.TRUECOLOR:
        fit_colours(app, colours)
    return app
