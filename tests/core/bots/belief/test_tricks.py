"""Beliefs about hands in Forty-Two: the true deal is never ruled out, and all possible deals are equally likely."""

from collections import Counter
from itertools import islice, permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core.actions import Bid, Bury, Lay
from core.bots.beliefs import TrickBelief
from core.fair import deal_order
from core.games import GAMES
from core.layout.state import RoundContext
from core.match import new_match
from core.tiles import hand, tile
from core.tricks.state import TrickState
from core.words import BadOption, Illegal
from tests.core.positions import rules
from tests.core.tricks.hands import ALL, DOUBLES, FOLLOW, SEVENS, game, lay, number, playing


def believed(table, state, seat):
    return TrickBelief(table, table.view(state, seat))


def held_by(belief, seat):
    """Return the tiles that a seat may still hold, as text."""
    place = belief.owner.index(seat)
    return {str(t) for n, t in enumerate(belief.tiles) if belief.candidates[place] >> n & 1}


def test_a_player_who_does_not_follow_suit_has_none_of_it():
    table, state = playing(number(6), "6|6 6|5", "5|4 5|3", "6|0 6|1", "3|0 2|2")
    state, _ = lay(table, state, "6|6 5|4 6|0 3|0")

    belief = believed(table, state, 0)

    assert "6|1" in held_by(belief, 2)
    assert not {"6|1", "6|2", "6|3", "6|4"} & held_by(belief, 1)
    assert not {"6|1", "6|2", "6|3", "6|4"} & held_by(belief, 3)


def test_a_player_who_does_not_follow_doubles_has_none():
    table, state = playing(DOUBLES, "6|6 6|5", "5|4 5|3", "1|1 6|1", "3|0 4|2")
    state, _ = lay(table, state, "6|6 5|4 1|1 3|0")

    assert not any(tile(t).is_double for t in held_by(believed(table, state, 0), 3))


def test_in_sevens_everybody_has_laid_the_tile_nearest_to_seven():
    table, state = playing(SEVENS, "6|1 6|6", "5|4 5|5", "4|2 0|0", "3|1 1|1", bid=Bid(42, 1), contracts=ALL)
    state, _ = lay(table, state, "6|1 5|4 4|2 3|1")

    belief = believed(table, state, 0)

    assert "5|2" not in held_by(belief, 1)
    assert "6|3" in held_by(belief, 1)
    assert "6|3" not in held_by(belief, 3)
    assert "6|4" in held_by(belief, 3)


def test_a_player_who_bids_plunge_holds_four_doubles():
    table = game(contracts=ALL)
    hands = ("6|5 6|4 6|3 6|2 6|1 6|0 5|4", "5|5 4|4 3|3 2|2 4|3 4|2 4|1")
    rest = [t for t in table.tiles if t not in hand(" ".join(hands))]
    state = table.deal((*hand(hands[0]), *hand(hands[1]), *rest), RoundContext(lot=0))
    state, _ = table.apply(state, Bid(42, 4, "plunge"))
    belief = believed(table, state, 2)

    for position in islice(belief.positions(Random(1)), 50):
        assert sum(t.is_double for t in position.hands[1]) >= 4


def played(seed, choose):
    """Return a match of random bids and tiles with random options, stopped at a random moment of its first hand."""
    rng = Random(seed)
    chosen = {o.key: rng.choice(o.choices) for o in GAMES["forty-two"].options if rng.random() < 0.5}
    match = new_match(GAMES["forty-two"], 4, chosen)
    order, lot = deal_order(match.rules.tiles, 4, rng.randbytes(32), 1)
    match, _ = match.deal(order, lot)
    while not match.state.result:
        choose(match)
        match, _ = match.apply(rng.choice(match.legal))


@settings(max_examples=30)
@given(st.integers(0, 2**32))
def test_the_true_hands_are_never_ruled_out(seed):
    def check(match):
        view = match.view(match.turn).play
        belief = TrickBelief(match.rules, view)
        for place, owner in enumerate(belief.owner):
            for held in match.state.hands[owner]:
                assert belief.candidates[place] >> belief.tiles.index(held) & 1
        for constraint in belief.constraints:
            seat = belief.owner[min(constraint.places)] if constraint.places else None
            held = match.state.hands[seat] if seat is not None else ()
            assert sum(t.is_double for t in held) >= constraint.number

    try:
        played(seed, check)
    except BadOption:
        return


@settings(max_examples=15)
@given(st.integers(0, 2**32))
def test_a_position_shows_the_seat_what_it_sees(seed):
    def check(match):
        view = match.view(match.turn).play
        for position in islice(TrickBelief(match.rules, view).positions(Random(seed)), 3):
            assert match.rules.view(position, match.turn) == view

    try:
        played(seed, check)
    except BadOption:
        return


def enumerated(rules, start, actions, state, seat):
    """Count the deals of the hidden tiles in which all actions so far were legal, by brute force."""
    others = [s for s in range(4) if s != seat]
    hidden = [t for s in others for t in state.hands[s]]
    deals = set()
    for order in permutations(hidden):
        rest, hands = list(order), []
        for s in range(4):
            now = state.hands[s] if s == seat else tuple(rest.pop(0) for _ in state.hands[s])
            gone = tuple(t for t in start.hands[s] if t not in state.hands[s])
            hands.append((tuple(sorted(now)), tuple(sorted((*now, *gone)))))
        if tuple(now for now, _ in hands) in deals:
            continue
        other = rules.complete(replace(start, hands=tuple(dealt for _, dealt in hands), legal=()))
        try:
            for action in actions:
                other, _ = rules.apply(other, action)
        except Illegal:
            continue
        deals.add(tuple(now for now, _ in hands))
    return deals


@pytest.mark.parametrize("seed", range(4))
def test_hands_are_sampled_as_often_as_deals_with_the_same_view(seed):
    rng = Random(seed)
    drawn = list(map(str, rng.sample(game().tiles, 12)))
    hands = [" ".join(drawn[at : at + 3]) for at in range(0, 12, 3)]
    rules, start = playing(FOLLOW if seed % 2 else number(seed), *hands, bid=Bid(42, 1))
    state, actions = start, []
    while len(actions) < 5 and not state.result:
        action = rng.choice([a for a in state.legal if isinstance(a, Lay)])
        state, _ = rules.apply(state, action)
        actions.append(action)
    seat, count = state.turn, 4000
    tiles = tuple(sorted(t for held in start.hands for t in held))
    belief = TrickBelief(replace(rules, tiles=tiles), rules.view(state, seat))
    expected = enumerated(rules, start, actions, state, seat)

    got = Counter(position.hands for position in islice(belief.positions(Random(seed)), count))

    share = 1 / len(expected)
    assert set(got) == expected
    assert all(abs(often / count - share) < 5 * (share / count) ** 0.5 + 0.002 for often in got.values())


MOON = rules("moon", 3)
WIDOWED = TrickState(
    tuple(map(hand, ("6|6 6|5 6|4 6|3 5|5 4|4 1|1", "6|2 6|1 5|4 5|3 5|2 5|1 4|3", "4|2 4|1 3|3 3|2 3|1 2|2 2|1"))),
    2,
    0,
    widow=(tile("0|0"),),
)


def test_a_widow_may_be_any_tile_that_is_not_seen():
    belief = believed(MOON, MOON.complete(WIDOWED), 1)
    widows = {position.widow[0] for position in islice(belief.positions(Random(1)), 200)}

    assert len(belief.tiles) == 15
    assert widows == set(belief.tiles)


def test_tiles_put_away_by_the_bidder_are_in_no_hand_and_known_to_the_bidder_alone():
    state = MOON.complete(WIDOWED)
    for action in (Bid(21, 0), Bury(tile("1|1"))):
        state, _ = MOON.apply(state, action)
    own = next(believed(MOON, state, 0).positions(Random(1)))
    others = list(islice(believed(MOON, state, 1).positions(Random(1)), 50))

    assert (own.buried, own.widow, [len(hand) for hand in own.hands]) == ((tile("1|1"),), (), [7, 7, 7])
    assert tile("1|1") not in {t for hand in own.hands for t in hand}
    assert len({position.buried for position in others}) > 5
    assert all([len(hand) for hand in position.hands] == [7, 7, 7] for position in others)
