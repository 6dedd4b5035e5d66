"""Moon, rule by rule (`docs/rules` §C.11)."""

import pytest
from msgspec.structs import replace

from core.actions import Bid, Buried, Bury, Drew, Laid, Lay, Name, Pass, Passed, Took, cut
from core.fair import deal_order
from core.games import GAMES, game_called
from core.layout.state import RoundContext
from core.match import new_match, take_back
from core.tiles import hand, tile
from core.tricks.state import Call, Trick, TrickState, winning_tile
from core.words import BadOption, Illegal
from tests.core.positions import result, rules
from tests.core.tricks.hands import do, lay, layable

GAME = rules("moon", 3)
PASS, NONE = Pass(), Name("none")


def bid(points):
    return Bid(points, 0)


def number(pips):
    return Name("number", pips)


def dealt(lot=2, **before):
    return GAME.deal(GAME.tiles, RoundContext(lot, **before))


def trick(winner):
    """Return a trick that a seat took."""
    return Trick((Laid(winner, tile("1|1"), 1),), winner, 1)


def after(points, *winners, bidder=0):
    """Return the result of a hand with a bid by seat 0 and tricks of `winners`."""
    calls = (Call(bidder, bid(points)),)
    hands = ((), (), ())
    tricks = tuple(map(trick, winners))
    return result(GAME.complete(TrickState(hands, 2, 0, calls, bidder, bid(points), number(6), tricks=tricks)))


def playing(trump, *hands, turn=0):
    """Return a hand after the bidding, with seat 0 as the bidder."""
    calls = tuple(Call(seat, bid(4) if seat == 0 else None) for seat in range(3))
    return GAME.complete(TrickState(tuple(map(hand, hands)), 2, turn, calls, 0, bid(4), trump))


@pytest.mark.parametrize(
    ("points", "winners", "how", "scores"),
    [
        (5, (0, 0, 0, 0, 0, 0, 1), "made", (6, 1, 0)),
        (5, (0, 0, 0, 0, 1, 1, 2), "set", (-5, 2, 1)),
        (21, (0, 0, 0, 0, 0, 0, 1), "set", (-21, 1, 0)),
        (21, (0,) * 7, "made", (21, 0, 0)),
        (7, (0,) * 7, "made", (7, 0, 0)),
    ],
)
def test_mn_1_a_bid_made_scores_the_tricks_and_one_missed_is_taken_off(points, winners, how, scores):
    over = after(points, *winners)

    assert (over.how, over.points) == (how, scores)
    assert over.winner == (0 if how == "made" else -1)


def said(state):
    """Return the legal bids in points; 0 stands for a pass."""
    return [action.points if isinstance(action, Bid) else 0 for action in state.legal]


def test_mn_2_each_bid_is_higher_and_21_ends_the_bidding():
    state = dealt()
    assert said(state) == [0, 4, 5, 6, 7, 21]
    assert said(do(GAME, state, bid(5))[0]) == [0, 6, 7, 21]
    assert said(do(GAME, state, bid(7))[0]) == [0, 21]

    moon, _ = do(GAME, state, bid(21))
    assert (moon.bidder, moon.bid, len(moon.calls)) == (0, bid(21), 1)
    assert isinstance(moon.legal[0], Bury)


def test_mn_3_a_trump_belongs_to_trumps_only():
    state = playing(number(2), "6|4", "6|2 4|1 5|5", "6|6", turn=0)
    state, _ = lay(GAME, state, "6|4")
    assert layable(state) == "4|1 6|2 5|5"

    state, _ = lay(GAME, state, "6|2")
    state, events = lay(GAME, state, "6|6")
    assert events[1] == Took(1, 1, ())
    laid = (Laid(0, tile("6|4"), 6), Laid(1, tile("6|2")), Laid(2, tile("6|6")))
    assert winning_tile(laid, 6, number(2)).tile == tile("6|2")


def test_mn_4_a_bidder_at_the_target_wins_before_a_higher_score():
    match = new_match(GAMES["moon"], 3, {})
    match, _ = match.deal(*deal_order(match.rules.tiles, 3, b"a", 1))
    tricks = tuple(map(trick, (0, 0, 0, 1, 1, 2)))
    state = GAME.complete(replace(playing(number(6), "6|6", "1|1", "2|2"), tricks=tricks))
    match = replace(match, state=state, scores=(17, 20, 0))
    for text in ("6|6", "1|1", "2|2"):
        match, _ = match.apply(Lay(tile(text)))

    assert match.scores == (21, 22, 1)
    assert (match.over, match.winners) == (True, (0,))


def test_22_tiles_are_dealt_seven_each_and_one_is_the_widow():
    state = dealt()

    assert len(GAME.tiles) == 22
    assert [str(t) for t in GAME.tiles if not t.low] == ["0|0"]
    assert [len(held) for held in state.hands] == [7, 7, 7]
    assert state.widow == (tile("6|6"),)
    assert GAME.view(state, 0).widow == 1


def test_the_bidder_takes_the_widow_puts_a_tile_away_names_trumps_and_leads():
    state, events = do(GAME, dealt(), PASS, bid(4), PASS)
    assert events == (Passed(2, "bidding"), Drew(1, 1, (tile("6|6"),)))
    assert (state.turn, len(state.hands[1]), state.widow) == (1, 8, ())
    assert state.legal == tuple(map(Bury, state.hands[1]))

    state, events = do(GAME, state, Bury(tile("6|6")))
    assert events == (Buried(1, (tile("6|6"),)),)
    assert (len(state.hands[1]), state.buried) == (7, (tile("6|6"),))
    assert state.legal == (*(number(pips) for pips in range(6, -1, -1)), NONE)
    state, _ = do(GAME, state, NONE)
    assert (state.turn, len(state.legal)) == (1, 7)


def test_only_the_bidder_sees_the_widow_and_the_tiles_put_away():
    state, events = do(GAME, dealt(), bid(5), PASS, PASS)
    after_it, burials = do(GAME, state, Bury(tile("1|1")))

    assert cut(events[1], 1) == Drew(0, 1)
    assert (cut(burials[0], 1), cut(burials[0], -1), cut(burials[0], 0)) == (Buried(0), Buried(0), burials[0])
    assert [GAME.view(after_it, seat).buried for seat in (-1, 0, 1)] == [(), (tile("1|1"),), ()]


def test_a_tile_that_was_put_away_stays_away():
    match = new_match(GAMES["moon"], 3, {})
    match, _ = match.deal(*deal_order(match.rules.tiles, 3, b"a", 1))
    bidder = match.turn
    match, _ = match.apply(bid(21))
    match, _ = match.apply(match.legal[0])

    with pytest.raises(Illegal, match="put a tile away"):
        take_back(match, bidder, {bidder})


def test_a_bid_cannot_be_taken_back_once_the_widow_was_seen():
    match = new_match(GAMES["moon"], 3, {})
    match, _ = match.deal(*deal_order(match.rules.tiles, 3, b"a", 1))
    bidder = match.turn
    match, _ = match.apply(bid(21))

    with pytest.raises(Illegal, match="drawn a tile"):
        take_back(match, bidder, {bidder})


def test_moon_is_for_three_players():
    with pytest.raises(BadOption):
        rules("moon", 4)


def test_shoot_the_moon_is_another_name_of_moon():
    assert game_called("shoot the moon").id == "moon"
