"""Beliefs in layout games: the true deal is never ruled out, and all possible deals are equally likely."""

from collections import Counter
from itertools import islice, permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core.actions import Shed
from core.bots.beliefs import NEVER, LayoutBelief, World, arrangements
from core.fair import deal_order
from core.games import GAMES
from core.layout.rules import LayoutRules
from core.layout.state import NOBODY, RoundContext
from core.match import new_match
from core.tiles import full_set, hand
from core.words import BadOption, Illegal

LAYOUTS = [name for name, variant in GAMES.items() if isinstance(variant.rules(variant.seats[1], {})[1], LayoutRules)]


def dealt(match, rng):
    """Return the match after a deal, and the order of the tiles in it."""
    order, lot = deal_order(match.rules.tiles, match.rules.seats, rng.randbytes(32), 1)
    return match.deal(order, lot)[0], list(order)


def without_the_centre(order, layout):
    """Return the order of the tiles that were dealt, without the tile that lay on the table from the start."""
    if layout and layout[0].seat == NOBODY:
        order.remove(layout[0].tile)
    return order


def moments(game, seed):
    """Yield moments of a random match of a few rounds with random options, and the tiles of each deal in order."""
    rng = Random(seed)
    variant = GAMES[game]
    chosen = {o.key: rng.choice(o.choices) for o in variant.options if rng.random() < 0.4}
    try:
        match = new_match(variant, rng.randint(*variant.seats), chosen)
    except BadOption:
        return
    order = []
    for _ in range(60):
        if match.over:
            return
        if match.is_deal_due:
            match, order = dealt(match, rng)
            order = without_the_centre(order, match.state.layout)
        else:
            match, _ = match.apply(rng.choice(match.legal))
        if not match.state.result and not match.state.pending:
            yield match, order


def believed(match):
    view = match.view(match.turn)
    return LayoutBelief(match.rules, view, view.play)


def face_down_in_place(belief, state, order):
    """Return the deal with each tile face down at the place where the belief assumes it was in its holder's hand."""
    order, done = list(order), set()
    for seat, down in enumerate(state.shed):
        own = [place for place, owner in enumerate(belief.owner) if owner == seat]
        places = sorted((p for p in own if belief.put_down_at[p] < NEVER), key=belief.put_down_at.__getitem__)
        for place, tile in zip(places, down, strict=True):
            other = next(p for p in own if order[p] == tile and p not in done)
            order[place], order[other] = order[other], order[place]
            done.add(place)
    return order


@pytest.mark.parametrize("game", LAYOUTS)
@settings(max_examples=1)
@given(st.integers(0, 2**32))
def test_the_true_deal_is_never_ruled_out_and_a_seat_is_certain_only_of_the_truth(game, seed):
    for number, (match, order) in enumerate(moments(game, seed)):
        belief = believed(match)
        for place, tile in enumerate(face_down_in_place(belief, match.state, order)):
            assert any(other == tile and belief.candidates[place] >> n & 1 for n, other in enumerate(belief.tiles)), (
                tile
            )
        if belief.is_certain:
            for position in islice(belief.positions(Random(seed)), 5):
                assert position.hands == match.state.hands
        if number % 8 == 0:
            for position in islice(belief.positions(Random(seed)), 2):
                view = match.rules.view(position, match.turn)
                assert view == match.view(match.turn).play, "a position shows the seat what it sees"


@settings(max_examples=5)
@given(st.integers(0, 2**32))
def test_with_the_true_deal_the_moments_of_a_round_of_stakes_are_the_true_ones(seed):
    for match, order in moments("stakes", seed):
        if match.state.past:
            belief = believed(match)
            numbers = [belief.tiles.index(tile) for tile in order]
            past = belief.past(numbers, RoundContext(NOBODY, match.leader))
            assert [action for _, action in past] == [action for _, action in match.state.past]
            for (state, _), (true, _) in zip(past, match.state.past, strict=True):
                assert (state.hands, state.boneyard, state.turn) == (true.hands, true.boneyard, true.turn)
                assert state.layout == true.layout
                assert not true.layout or state.legal == true.legal


def small(game):
    """Return a match that is small enough to enumerate all deals: 6 tiles, two for each of two players."""
    match = new_match(GAMES[game], 2, {"draw.reserve": 0} if game == "draw" else {})
    rules = replace(match.rules, tiles=full_set(2), start=replace(match.rules.start, hand=2))
    return replace(match, rules=rules)


def possible_worlds(match, actions, seat, lot):
    """Count each world over all deals that look the same to a seat, by brute force."""
    counts = Counter()
    fresh = small(match.variant.id)
    view = match.view(seat)
    for order in permutations(fresh.rules.tiles):
        other, _ = fresh.deal(order, lot)
        try:
            for action in actions:
                other, _ = other.apply(action)
        except Illegal:
            continue
        if other.view(seat) == view:
            counts[World(other.state.hands, other.state.boneyard)] += 1
    return counts


@pytest.mark.parametrize("game", ["block", "draw"])
@pytest.mark.parametrize("seed", range(4))
def test_worlds_are_sampled_as_often_as_deals_with_the_same_view(game, seed):
    rng = Random(f"{game} {seed}")
    match, actions = small(game), []
    match, _ = dealt(match, rng)
    lot = match.state.before.lot
    while not match.state.result:
        seat = match.turn
        expected = possible_worlds(match, actions, seat, lot)
        belief = LayoutBelief(match.rules, match.view(seat), match.view(seat).play)
        count = 3000
        got = Counter(belief.world(order) for order in islice(arrangements(belief.candidates, Random(seed)), count))
        assert set(got) <= set(expected)
        for world, often in expected.items():
            share = often / expected.total()
            assert abs(got[world] / count - share) < 4 * (share * (1 - share) / count) ** 0.5 + 0.01
        action = rng.choice(match.legal)
        match, _ = match.apply(action)
        actions.append(action)


@pytest.mark.parametrize("seed", range(5))
def test_worlds_are_as_likely_as_deals_with_equal_tiles_and_tiles_face_down(seed):
    rng = Random(seed)
    rules = GAMES["jie-long"].rules(2, {})[1]
    rules = replace(rules, tiles=hand("2|1 2|1 3|1 3|3 3|3 3|2"), start=replace(rules.start, hand=3))
    fresh = replace(new_match(GAMES["jie-long"], 2, {}), rules=rules)
    match, _ = dealt(fresh, rng)
    lot, looks = match.state.before.lot, []
    while not match.state.result:
        if match.state.layout:
            looks.append(match)
        match, _ = match.apply(rng.choice(match.legal))
    for look in looks:
        expected = worlds_of(fresh, look, lot)
        belief, count = believed(look), 3000
        got = Counter(
            as_set(belief.world(order)) for order in islice(arrangements(belief.candidates, Random(seed)), count)
        )
        assert set(got) <= set(expected)
        for world, often in expected.items():
            share = often / expected.total()
            assert abs(got[world] / count - share) < 4 * (share * (1 - share) / count) ** 0.5 + 0.01


def as_set(world):
    """Return a world without the order in which tiles were laid face down."""
    return world.hands, tuple(tuple(sorted(down)) for down in world.shed)


def worlds_of(fresh, look, lot):
    """Count each world over all deals, for every choice of tiles that the others may have laid face down."""
    view, counts = look.view(look.turn), Counter()
    done = [action for _, action in look.past]
    for order in permutations(fresh.rules.tiles):
        reached = [(fresh.deal(order, lot)[0], 1)]
        for action in done:
            after = []
            for match, times in reached:
                hidden = isinstance(action, Shed) and match.turn != look.turn
                for possible in match.legal if hidden else [action]:
                    if possible in match.legal and isinstance(possible, Shed) == isinstance(action, Shed):
                        alike = match.state.hands[match.turn].count(possible.tile) if hidden else 1
                        after.append((match.apply(possible)[0], times * alike))
            reached = after
        for match, times in reached:
            if match.view(look.turn) == view:
                counts[as_set(World(match.state.hands, (), match.state.shed))] += times
    return counts


def test_no_world_has_a_hand_that_would_have_been_dealt_again():
    match = new_match(GAMES["brazilian"], 4, {"br.redeal": 4})
    number = 0
    while match.state is None or match.state.result:
        number += 1
        match, _ = match.deal(*deal_order(match.rules.tiles, 4, b"worlds", number))
    for position in islice(believed(match).positions(Random(3)), 200):
        assert max(sum(tile.is_double for tile in hand) for hand in position.hands) < 4
