"""Plain bots in a trick game without partners: each of their decisions."""

from core.actions import Bid, Bury, Laid, Lay, Name, Pass
from core.bots.greedy import alone_in_tricks, expected_best_tricks, expected_tricks
from core.tiles import hand, tile
from core.tricks.state import Call, Trick, TrickState
from tests.core.positions import rules

GAME = rules("moon", 3)
STRONG, WEAK = "6|6 6|5 6|4 6|3 5|5 4|4 1|1", "6|1 5|2 4|3 3|1 4|1 2|1 3|2"


def bid_with(text, *calls):
    """Return the bid of seat 2 with a hand."""
    state = TrickState(((), (), hand(text)), 2, 2, tuple(Call(seat, bid) for seat, bid in enumerate(calls)))
    return alone_in_tricks(GAME.view(GAME.complete(state), 2), GAME.tiles)


def asked(text, trump, *, bidder=0, trick=(), taken=(), others=("", "")):
    """Return the tile that seat 0 lays from a hand after `trick`."""
    suit = trick[0].asks if trick else -1
    calls = (Call(bidder, Bid(4, 0)),)
    hands = (hand(text), *map(hand, others))
    state = TrickState(hands, 2, 0, calls, bidder, Bid(4, 0), trump, suit, trick, taken)
    return alone_in_tricks(GAME.view(GAME.complete(state), 0), GAME.tiles)


SIXES = Name("number", 6)


def test_a_strong_hand_bids_low_as_all_its_tricks_count():
    assert bid_with(STRONG, None, None) == Bid(4, 0)
    assert bid_with(STRONG, None, Bid(4, 0)) == Bid(5, 0)


def test_a_weak_hand_passes():
    assert bid_with(WEAK, None, None) == Pass()
    assert bid_with(STRONG, None, Bid(7, 0)) == Pass()


def test_a_hand_is_worth_most_with_its_long_suit_as_trumps():
    assert expected_tricks(hand(STRONG), SIXES, GAME.tiles) > expected_tricks(
        hand(STRONG), Name("number", 1), GAME.tiles
    )
    assert expected_best_tricks(hand(STRONG), GAME.tiles) > 4 > expected_best_tricks(hand(WEAK), GAME.tiles)


def test_the_least_useful_tile_is_put_away_then_the_best_trump_is_named():
    state = TrickState((hand(f"{STRONG} 2|1"), (), ()), 2, 0, (Call(0, Bid(4, 0)),), 0, Bid(4, 0))
    state = GAME.complete(state)
    away = alone_in_tricks(GAME.view(state, 0), GAME.tiles)
    assert away == Bury(tile("2|1"))

    state, _ = GAME.apply(state, away)
    assert alone_in_tricks(GAME.view(state, 0), GAME.tiles) == SIXES


def test_the_bidder_draws_trumps_first():
    assert asked("6|6 6|5 6|1 5|5", SIXES, others=("4|4 4|3 4|2 4|1", "3|3 3|2 3|1 2|2")) == Lay(tile("6|6"))


def test_a_trick_is_won_with_the_cheapest_tile_that_cannot_be_beaten():
    trick = (Laid(1, tile("5|2"), 5), Laid(2, tile("5|1")))

    assert asked("5|3 5|4 1|1", SIXES, bidder=1, trick=trick, others=("4|4 4|3", "3|3 3|2")) == Lay(tile("5|3"))


def test_a_trick_that_cannot_be_won_gets_the_poorest_tile():
    trick = (Laid(1, tile("5|5"), 5), Laid(2, tile("5|1")))

    assert asked(
        "6|6 3|3 2|1 4|3", Name("number", 1), bidder=1, trick=trick, others=("4|4 4|2 6|5", "6|4 3|2 6|3")
    ) in (
        Lay(tile("2|1")),
        Lay(tile("4|3")),
    )


def test_a_tile_that_only_a_trump_could_beat_is_led():
    taken = (Trick((Laid(0, tile("6|6"), 6), Laid(1, tile("6|2")), Laid(2, tile("6|1"))), 0, 1),)

    assert asked("5|5 2|1", Name("none"), taken=taken, others=("4|4 4|3", "3|3 3|2")) == Lay(tile("5|5"))
