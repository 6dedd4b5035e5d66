"""The greedy bot at a table of tricks: reasonable play, not brilliant."""

import pytest

from core.actions import Bid, Laid, Lay, Name, Pass
from core.bots.greedy import greedy_in_tricks
from core.bots.levels import play_match
from core.games import GAMES
from core.match import new_match
from core.tiles import full_set, hand, in_order, tile
from core.tricks.state import Call, Trick, TrickState, TrickView, suit_of

FIVES = Name("number", 5)
RULES = GAMES["forty-two"].rules(4, {})[1]


def seen(text, calls=(), **fields) -> TrickView:
    """Return the view of seat 0 with a hand."""
    held = hand(text)
    others = tuple(t for t in full_set(6) if t not in held)
    hands = (held, others[:7], others[7:14], others[14:21])
    state = RULES.complete(TrickState(hands, (3 - len(calls)) % 4, 0, tuple(calls), **fields))
    return RULES.view(state, 0)


def laid(*tiles, first, trump=FIVES):
    """Return a trick in play: `tiles` of the seats in turn, from `first` on."""
    laid = [Laid((first + n) % 4, tile(text)) for n, text in enumerate(tiles)]
    return {"trick": tuple(laid), "suit": suit_of(laid[0].tile, trump)}


def answers(text, *, bidder=0, trump=FIVES, **fields):
    return greedy_in_tricks(seen(text, bidder=bidder, bid=Bid(30, 1), trump=trump, **fields))


def test_the_greedy_bot_opens_with_the_lowest_bid_or_passes_a_bad_hand():
    assert greedy_in_tricks(seen("5|5 6|5 5|4 5|3 6|6 4|4 1|0")) == Bid(30, 1)
    assert greedy_in_tricks(seen("6|4 5|3 5|0 4|2 3|1 2|0 6|1")) == Pass()


def test_the_greedy_bot_outbids_opponents_with_a_weaker_hand_than_its_partner():
    fair = "5|5 5|4 5|3 6|5 6|3 4|2 2|2"

    assert isinstance(greedy_in_tricks(seen(fair)), Bid)
    assert greedy_in_tricks(seen(fair, (Call(3, Bid(34, 1)),))) == Bid(35, 1)
    assert greedy_in_tricks(seen(fair, (Call(2, Bid(34, 1)), Call(3, None)))) == Pass()
    assert greedy_in_tricks(seen(fair, (Call(3, Bid(42, 2)),))) == Pass()


def test_the_greedy_bot_bids_two_marks_with_a_hand_that_loses_no_trick():
    assert greedy_in_tricks(seen("5|5 6|5 5|4 5|3 5|2 6|6 4|4")) == Bid(42, 2)
    assert greedy_in_tricks(seen("5|5 6|5 5|4 5|3 5|2 6|6 4|4", (Call(3, Bid(42, 2)),))) == Pass()


@pytest.mark.parametrize(
    ("text", "trump"),
    [
        ("5|5 6|5 5|4 5|3 6|6 4|4 1|0", FIVES),
        ("6|6 5|5 4|4 3|3 2|2 1|0 6|1", Name("doubles")),
        ("2|2 6|2 5|2 4|2 1|1 6|3 5|4", Name("number", 2)),
    ],
)
def test_the_greedy_bot_names_its_best_suit_as_trumps(text, trump):
    assert greedy_in_tricks(seen(text, bidder=0, bid=Bid(30, 1))) == trump


def test_the_bidder_draws_trumps_from_the_top():
    assert answers("5|5 6|5 5|4 1|0 6|6 4|4 3|0") == Lay(tile("5|5"))


def test_when_no_trumps_are_out_it_leads_winning_tiles():
    gone = tuple(
        Trick(tuple(Laid(0, laid) for laid in in_order(tiles)), 0, 1)
        for tiles in ("5|5 5|1 5|0 5|2", "6|5 5|3 2|0 1|1", "5|4 2|1 2|2 3|1")
    )

    assert answers("6|6 6|1 4|0 3|0", tricks=gone) == Lay(tile("6|6"))


def test_the_greedy_bot_adds_counts_to_a_trick_that_its_partner_wins():
    assert answers("6|4 6|1 2|2", **laid("6|2", "6|6", "6|3", first=1)) == Lay(tile("6|4"))


def test_the_greedy_bot_adds_no_counts_to_a_trick_that_opponents_win():
    assert answers("6|4 6|1 2|2", **laid("6|6", "6|2", "6|3", first=1)) == Lay(tile("6|1"))


def test_the_last_to_play_wins_as_cheaply_as_it_can():
    assert answers("5|5 5|2 5|1 4|4", **laid("3|3", "3|1", "3|0", first=1)) == Lay(tile("5|1"))


def test_the_greedy_bot_does_not_trump_a_certain_trick_of_its_partner():
    assert answers("5|1 4|4 2|1", **laid("3|1", "3|3", "3|0", first=1)).tile != tile("5|1")


def test_in_nello_the_bidder_stays_under_the_trick_and_sheds_the_highest():
    nello = Name("nello", doubles="suit")
    fields = laid("6|4", "6|3", first=1, trump=nello)
    state = {"bidder": 0, "out": 2}

    assert answers("6|2 6|0 6|5", trump=nello, **fields, **state) == Lay(tile("6|2"))


def fought(level, seed, **options):
    """Return every settled hand of a match."""
    match = new_match(GAMES["forty-two"], 4, {f"42.{key}": value for key, value in options.items()})
    for step in play_match(match, (level,) * 4, seed, "test"):
        if step.events and step.match.state and step.match.state.result:
            yield step.match.state


def test_greedy_beats_random_clearly():
    wins = 0
    for number_ in range(12):
        match = new_match(GAMES["forty-two"], 4, {})
        last = list(play_match(match, ("greedy", "random") * 2, str(number_).encode(), "test"))[-1].match
        wins += last.winners == (0,)

    assert wins >= 10


def test_greedy_makes_most_of_the_bids_it_plays():
    made = [state.result.how for n in range(8) for state in fought("greedy", bytes([n]))]

    assert made.count("made") > 1.5 * made.count("set")
    assert made.count("passed") < len(made) / 3
