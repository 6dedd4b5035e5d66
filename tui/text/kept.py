"""Describes an unfinished match that is kept, for the menu and for lists."""

from net.storage.kept_matches import KeptMatch
from tui.i18n import _
from tui.text.names import game_name


def kept_words(match: KeptMatch) -> str:
    """Which match it is, and how it stands: the game, the round, and the player's own score."""
    return f"{game_name(match.game)}, {standing(match)}"


def standing(match: KeptMatch) -> str:
    """The round, and the player's own score."""
    return _("round {round}, you {score}", round=match.round, score=match.score)


def opponents(match: KeptMatch) -> str:
    """Who else plays."""
    return ", ".join(name for name in match.names if name)
