"""The blocker of a round, and the player who assisted (`docs/rules` §2.9); their payments are tested with Stakes."""

from core.actions import Play
from core.layout.blocking import Blame, blame
from core.layout.state import NOBODY
from core.tiles import tile
from tests.core.positions import position, rules

STAKES = rules("stakes", 4, sm__debts="on")


def played(state, *steps):
    """Apply `steps`, each `pass` or a tile and the end it is laid on; return the moments and the last state."""
    past = []
    for step in steps:
        name, _, end = step.partition("@")
        pips_by_end = {(open_end.at, open_end.side): open_end.pips for open_end in state.ends}
        action = next(
            play
            for play in state.legal
            if (name == "pass" and not isinstance(play, Play))
            or (isinstance(play, Play) and play.tile == tile(name) and pips_by_end[play.at, play.side] == int(end))
        )
        past.append((state, action))
        state, _ = STAKES.apply(state, action)
    assert state.result.how == "blocked"
    return past, state


def blamed(past, last, window="lap", assistant="before"):
    return blame(past, last, window=window, assistant=assistant)


def fed(own="1|5 5|5"):
    """Return a round in which P1 lays 5|5, and P2 shuts the line by laying 0|5 on the five."""
    return played(position(STAKES, (0, 5), "6|6", own, "0|5 5|6", "1|6", turn=1), "5|5@5", "5|0@5")


def test_a_player_who_shuts_the_line_with_a_tile_that_fits_both_ends_is_the_blocker():
    state = position(STAKES, (5, 6), "0|0 5|6", "6|6", "4|4", "1|1", turn=3)

    assert blamed(*played(state, "pass", "6|5@6")) == Blame(0, NOBODY)


def test_a_block_that_could_not_be_avoided_has_no_blocker():
    state = position(STAKES, (5, 5), "3|3 5|0", "4|4", "1|1", "6|6")

    assert blamed(*played(state, "5|0@5"), "unlimited") == Blame()


def test_the_neighbour_before_the_blocker_assisted_if_two_tiles_fitted():
    assert blamed(*fed()) == Blame(2, 1)


def test_one_tile_that_fits_is_no_choice_and_so_no_assistance():
    assert blamed(*fed("1|3 5|5")) == Blame(2, NOBODY)
