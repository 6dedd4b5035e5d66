"""Why a move is a good one in a game for one."""

from core.actions import Action
from core.bots.patience import seen_solution
from core.bots.reasons.parts import Reasons
from core.match import MatchView
from core.patience.state import PatienceView
from core.words import several_words


def reasons_in_patience(match: MatchView, view: PatienceView, action: Action) -> Reasons:
    """Return what speaks for an action: that it is the first of a solution."""
    way = seen_solution(match, view)
    if not way or way[0] != action:
        return Reasons([])
    deed = several_words("solves the game", "is the first of {count} moves that solve the game", len(way))
    return Reasons([deed])
