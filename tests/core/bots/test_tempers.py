"""A temper chooses among equally good moves only."""

import pytest
from msgspec.structs import replace

from core.actions import Bid, Play
from core.bots.profiles import CHARACTERS, ActionValue, Thought
from core.bots.tempers import PREFERENCES, with_temper
from core.games import GAMES
from core.match import new_match
from core.tiles import tile
from tests.core.positions import position, rules
from tests.tui.hands import BID_BY_ADA, FIVES, PASS, hand_of

WHO = {character.temper: name for name, character in CHARACTERS.items()}


def view_of(state, game="draw"):
    return replace(new_match(GAMES[game], 2, {}), state=state).view(0)


def thought_of(actions, gains, error=1.0):
    judged = [
        ActionValue(action, gain, gain - gains[0], error, 9) for action, gain in zip(actions, gains, strict=True)
    ]
    return Thought(actions[0], sorted(judged, key=lambda action: action.gain, reverse=True))


def chosen(temper, view, gains=(), error=1.0):
    """Return the choice of a bot with a temper, given the gain of each legal action."""
    legal = view.play.legal
    return with_temper(thought_of(legal, gains or (0.0,) * len(legal), error), view, WHO[temper])


@pytest.mark.parametrize("temper", PREFERENCES)
def test_every_temper_takes_a_clearly_better_action(temper):
    view = view_of(position(rules("draw", 2), (6, 1), "6|5 6|6 1|1 1|0", "5|5", boneyard="2|2"))
    for at in range(len(view.play.legal)):
        gains = tuple(9.0 * (number == at) for number in range(len(view.play.legal)))
        assert chosen(temper, view, gains) == view.play.legal[at]


def test_among_equal_plays_each_temper_follows_its_own_preference():
    view = view_of(position(rules("draw", 2), (6, 1), "6|5 5|4 5|3 1|1 1|0", "5|5", boneyard="2|2"))

    assert chosen("careful", view).tile == tile("6|5")
    assert chosen("spends doubles", view).tile == tile("1|1")
    assert chosen("saves doubles", view).tile != tile("1|1")
    assert chosen("keeps suits", view).tile == tile("6|5")
    scoring = view_of(position(rules("all-fives", 2), (6, 1), "6|4 1|0 1|1", "5|5", boneyard="2|2"), "all-fives")
    assert chosen("bold", scoring).tile == tile("6|4")
    assert chosen("careful", scoring).tile == tile("1|0")
    assert chosen("bold", view).tile in (tile("6|5"), tile("1|1"))


def test_no_temper_gives_up_points():
    view = view_of(position(rules("all-fives", 2), (6, 1), "6|4 1|0 1|1", "5|5", boneyard="2|2"), "all-fives")
    best = next(action for action in view.play.legal if isinstance(action, Play) and action.tile == tile("6|4"))
    gains = [ActionValue(action, 0.0, 0.0, 1.0, 9) for action in view.play.legal]

    assert {with_temper(Thought(best, gains), view, name) for name in CHARACTERS} == {best}


def test_in_games_of_tricks_each_temper_follows_its_own_preference():
    bidding, leading = (match.view(match.turn) for match in (hand_of(), hand_of(*BID_BY_ADA, FIVES)))

    assert chosen("bold", bidding) == max(
        (bid for bid in bidding.play.legal if isinstance(bid, Bid)), key=lambda bid: (bid.marks, bid.points)
    )
    assert chosen("careful", bidding) == PASS
    assert chosen("bold", leading).tile in (tile("5|5"), tile("6|4"))
    assert chosen("careful", leading).tile not in (tile("5|5"), tile("6|4"))
    assert chosen("spends doubles", leading).tile.is_double
    assert chosen("keeps suits", leading).tile in (tile("5|5"), tile("5|4"), tile("5|1"))


def test_the_choice_of_the_thought_stands_without_a_search_or_a_temper():
    view = view_of(position(rules("draw", 2), (6, 1), "6|5 1|1", "5|5", boneyard="2|2"))
    default = next(action for action in view.play.legal if isinstance(action, Play))

    assert with_temper(Thought(default, []), view, "Blanche") == default
    assert with_temper(thought_of(view.play.legal, (0.0, 0.0)), view, "ada") == view.play.legal[0]
