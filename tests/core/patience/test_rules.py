"""The engine of patience: events and refusals (`docs/rules` §C.8)."""

import pytest

from core.actions import Draw, Drew, Fill, Moved, Pass, Play, Played, Removed, Take, Turned
from core.tiles import in_order, tile
from core.words import Illegal
from tests.core.patience.tables import laid, rules


def happened(game, table, action):
    """Return the events of an action, without the end of the game."""
    _, events = game.apply(game.complete(table), action)
    return [event for event in events if not hasattr(event, "how")]


def test_an_event_names_the_tiles_taken_and_their_replacements():
    grid = "0|0 1|0 4|3 6|5 8|7 9|2 9|9 11|10 12|12 11|0 6|6 1|1"
    pair = in_order("0|0 1|0")

    assert happened(rules("good-neighbors"), laid(grid, boneyard="5|5 6|1 6|2"), Take(pair)) == [
        Removed(0, pair),
        Turned(0, in_order("5|5 6|1")),
    ]


def test_a_move_a_draw_and_a_play_are_events():
    luzon = laid("/6|1 2|0/4|4/1|0 6|6/5|4/3|1/0|0/1|1")
    assert happened(rules("luzon"), luzon, Fill(tile("2|0"))) == [Moved(0, tile("2|0"))]

    row = laid("5|2 4|1 6|0", boneyard="3|3 2|2")
    assert happened(rules("castle-rock"), row, Draw()) == [Turned(0, in_order("3|3"))]

    line = laid("6|3", "6|6 6|0 1|1 2|2 4|4", "5|0 5|1")
    assert happened(rules("draw-five"), line, Play(tile("6|6"), 0, 0, 6)) == [
        Played(0, tile("6|6"), 6, 6),
        Drew(0, 1, in_order("5|0")),
    ]


@pytest.mark.parametrize("action", [Pass(), Draw(), Take(in_order("6|6 0|0")), Fill(tile("6|1"))])
def test_an_action_that_is_not_listed_is_refused(action):
    game = rules("luzon")
    state = game.complete(laid("6|1/3|2/4|4/2|0/5|5/3|1/6|6/0|0"))

    with pytest.raises(Illegal):
        game.apply(state, action)
