"""The level `easy`: it makes the slips of a person, each with a reason, and always plays legally."""

from itertools import islice
from random import Random

import pytest
from msgspec.structs import replace

from core.actions import Bid, Claim, Lay, Pass, Play, Silent
from core.bots import levels
from core.bots.levels import SLIPS, easy_bot, play_match
from core.games import GAMES
from core.layout.state import RoundContext
from core.match import new_match
from core.tiles import CHINESE_SET, tile
from tests.core.bots.test_patience import dealt
from tests.core.bots.test_tricks import FIVES, laid, seen
from tests.core.positions import position, rules

RNG = Random(1)


def held(hand, ends=(6, 1), game="draw"):
    return rules(game, 2).view(position(rules(game, 2), ends, hand, "0|0"), 0)


def tiles(view):
    return [str(action.tile) for action in view.legal]


def test_the_easy_bot_may_overlook_one_of_several_ends():
    view = levels.overlook_end(held("6|5 4|1"), RNG)

    assert len(view.legal) == 1
    assert levels.overlook_end(held("6|5 6|4"), RNG).legal == held("6|5 6|4").legal


def test_in_a_long_hand_the_easy_bot_takes_the_first_tile_that_fits():
    assert tiles(levels.take_the_first(held("6|5 6|4 5|4 3|3 2|2"), RNG)) == ["6|4"]
    assert tiles(levels.take_the_first(held("6|5 6|4"), RNG)) == ["6|4", "6|5"]


def test_the_easy_bot_prefers_its_heaviest_double_and_then_its_heaviest_tile():
    assert tiles(levels.prefer_doubles(held("6|5 1|1"), RNG)) == ["1|1"]
    assert tiles(levels.prefer_doubles(held("6|5 6|2"), RNG)) == ["6|5"]


def test_the_easy_bot_may_miss_points_in_play():
    view = held("5|5 5|0", (5, 0), "all-fives")
    missed = levels.forget_points(view, RNG)

    assert any(view.worth)
    assert (missed.worth, missed.legal) == ((), view.legal)
    claim = replace(view, legal=(Claim(), Silent()), pending=5)
    assert levels.forget_points(claim, RNG).legal == (Silent(),)


def test_the_easy_bot_keeps_no_tile_for_later():
    assert levels.ignore_unplayable(held("6|5 5|4"), RNG).hand == (tile("6|5"),)


def test_the_easy_bot_forgets_which_tiles_were_played():
    view = held("6|5 5|4")
    long = replace(view, layout=view.layout * 10)

    assert len(levels.forget_tiles(long, RNG).layout) == levels.REMEMBERED


def test_the_easy_bot_bids_too_low_or_too_high():
    view = seen("6|4 5|3 5|0 4|2 3|1 2|0 6|1")

    assert levels.underbid(view, RNG).legal == (Pass(),)
    assert all(isinstance(action, Bid) for action in levels.overbid(view, RNG).legal)


def test_in_tricks_the_easy_bot_forgets_played_tiles_and_lays_high():
    view = seen("6|4 6|1 2|2", bidder=0, bid=Bid(30, 1), trump=FIVES, **laid("6|6", "6|2", "6|3", first=1))

    assert levels.play_high(view, RNG).legal == (Lay(tile("6|4")),)
    assert levels.forget_tricks(replace(view, tricks=("gone",)), RNG).tricks == ()


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_easy_bot_takes_legal_actions_only(game):
    seats = GAMES[game].seats[0]
    steps = play_match(new_match(GAMES[game], seats, {}), ("easy",) * seats, b"1", "test")

    assert len(list(islice(steps, 300))) > (50 if seats > 1 else 5)


def dealt_of_combos():
    """Return a round of Tien Gow in which the first seat leads."""
    return GAMES["tien-gow"].rules(4, {})[1].deal(CHINESE_SET, RoundContext(lot=0))


@pytest.mark.parametrize("family", sorted(SLIPS))
def test_every_slip_leaves_a_legal_action(family):
    view = {
        "layout": lambda: held("6|5 4|1 3|3 2|2 1|1"),
        "tricks": lambda: seen("6|4 5|3 5|0 4|2 3|1 2|0 6|1"),
        "combos": lambda: GAMES["tien-gow"].rules(4, {})[1].view(dealt_of_combos(), 0),
        "patience": lambda: dealt("luzon", b"a").view(0).play,
    }[family]()

    assert all(slip(view, RNG).legal for slip in SLIPS[family])
    assert all(set(slip(view, RNG).legal) <= set(view.legal) for slip in SLIPS[family])


def test_the_same_random_numbers_give_the_same_slips():
    state = position(rules("draw", 2), (6, 1), "6|5 6|4 4|1 3|1 6|6", "0|0")
    view = replace(new_match(GAMES["draw"], 2, {}), state=state).view(0)
    choices = [easy_bot(view, Random(number)) for number in range(50)]

    assert choices == [easy_bot(view, Random(number)) for number in range(50)]
    assert len(set(choices)) > 1
    assert all(isinstance(choice, Play) for choice in choices)


def test_greedy_beats_the_easy_bot_in_more_than_half_but_not_most_matches():
    wins = 0
    for number in range(100):
        levels = ("greedy", "easy") if number % 2 else ("easy", "greedy")
        last = list(play_match(new_match(GAMES["block"], 2, {}), levels, str(number // 2).encode(), "test"))[-1].match
        wins += any(levels[side] == "greedy" for side in last.winners)

    assert 50 < wins < 75
