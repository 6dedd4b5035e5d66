"""How many colours a terminal shows, as its name and environment tell."""

from collections.abc import Mapping
from enum import Enum

_DIRECT = ("xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour", "iterm2")
"""Terminals that always have 16 million colours, though ssh seldom sends their COLORTERM."""
_MONO = ("vt", "dumb", "unknown")


class Depth(Enum):
    """How many colours a terminal shows."""

    ALL = "16 million"
    MANY = "256"
    FEW = "16"
    NONE = "none"


def depth_of(name: str, env: Mapping[str, str]) -> Depth:
    """Tell from TERM and the variables of a terminal how many colours it shows."""
    if name.startswith(_MONO) or name.endswith(("-m", "-mono")):
        return Depth.NONE
    if (
        env.get("COLORTERM", "").lower() in ("truecolor", "24bit")
        or name.startswith(_DIRECT)
        or name.endswith("-direct")
    ):
        return Depth.ALL
    return Depth.MANY if "256color" in name + env.get("COLORTERM", "") else Depth.FEW


def wants_grey(env: Mapping[str, str]) -> bool:
    """Whether NO_COLOR is set and not empty, as no-color.org has it: then colours become greys."""
    return bool(env.get("NO_COLOR"))
