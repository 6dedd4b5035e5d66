"""Describes an unfinished match that is kept, for the menu and for lists."""

import time

from core.games import GAMES
from net.storage.kept_matches import KeptMatch
from tui.i18n import _


def kept_words(match: KeptMatch) -> str:
    """Which match it is, and how it stands: the game, the round, and the player's own score."""
    return _("{game}, round {round}, you {score}", game=GAMES[match.game].name, round=match.round, score=match.score)


def opponents(match: KeptMatch) -> str:
    """Who else plays."""
    return ", ".join(name for name in match.names if name)


def day_and_time(moment: float) -> str:
    """A time in seconds since 1970, as clocks here show it."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment))
