"""What a seat can conclude of hidden tiles: the truth is never ruled out, and nothing possible is preferred."""

from collections import Counter
from itertools import islice, permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core.bots.belief import Places, World, places_of, worlds
from core.chance import deal_order
from core.games import GAMES
from core.layout.placed import NOBODY
from core.layout.rules import LayoutRules
from core.match import new_match
from core.tiles import full_set
from core.words import BadOption, Illegal

LAYOUTS = [name for name, variant in GAMES.items() if isinstance(variant.rules(variant.seats[1], {})[1], LayoutRules)]


def dealt(match, rng):
    """The match after a deal, and the order of the tiles in it."""
    order, lot = deal_order(match.rules.tiles, match.rules.seats, rng.randbytes(32), 1)
    return match.deal(order, lot)[0], list(order)


def without_the_centre(order, layout):
    """The order of the tiles that were dealt: not the one that lay on the table from the start."""
    if layout and layout[0].seat == NOBODY:
        order.remove(layout[0].tile)
    return order


@pytest.mark.parametrize("game", LAYOUTS)
@settings(max_examples=4, deadline=None)
@given(st.integers(0, 2**32))
def test_the_true_deal_is_never_ruled_out(game, seed):
    rng = Random(seed)
    variant = GAMES[game]
    chosen = {o.key: rng.choice(o.choices) for o in variant.options if rng.random() < 0.4}
    try:
        match = new_match(variant, rng.randint(*variant.seats), chosen)
    except BadOption:
        return
    for _ in range(60):
        if match.over:
            return
        if match.awaits_deal:
            match, order = dealt(match, rng)
            order = without_the_centre(order, match.state.layout)
        else:
            match, _ = match.apply(rng.choice(match.legal))
        if match.state.result or match.state.pending:
            continue
        places = places_of(match.view(match.turn))
        for place, tile in enumerate(order):
            assert any(other == tile and places.may[place] >> n & 1 for n, other in enumerate(places.tiles)), tile


def small(game):
    """A match with so few tiles that all deals can be gone through: 6 tiles, two for each of two players."""
    match = new_match(GAMES[game], 2, {"draw.reserve": 0} if game == "draw" else {})
    rules = replace(match.rules, tiles=full_set(2), start=replace(match.rules.start, hand=2))
    if hasattr(rules, "fits"):
        rules = replace(rules, fits=type(rules.fits).of(lambda *_: (), full_set(2)))
    return replace(match, rules=rules)


def possible_worlds(match, actions, seat, lot):
    """How often each world comes up when every deal is played that shows a seat the same: the brute force."""
    found = Counter()
    fresh = small(match.variant.id)
    shown = match.view(seat)
    for order in permutations(fresh.rules.tiles):
        other, _ = fresh.deal(order, lot)
        try:
            for action in actions:
                other, _ = other.apply(action)
        except Illegal:
            continue
        if other.view(seat) == shown:
            found[World(other.state.hands, other.state.boneyard)] += 1
    return found


@pytest.mark.parametrize("game", ["block", "draw"])
@pytest.mark.parametrize("seed", range(6))
def test_worlds_come_as_often_as_the_deals_that_show_the_same(game, seed):
    rng = Random(f"{game} {seed}")
    match, actions = small(game), []
    match, _ = dealt(match, rng)
    lot = match.state.before.lot
    while not match.state.result:
        seat = match.turn
        expected = possible_worlds(match, actions, seat, lot)
        places = Places(match.rules, match.view(seat), match.view(seat).play)
        count = 3000
        got = Counter(islice(worlds(places, Random(seed)), count))
        assert set(got) <= set(expected)
        for world, often in expected.items():
            share = often / expected.total()
            assert abs(got[world] / count - share) < 4 * (share * (1 - share) / count) ** 0.5 + 0.01
        action = rng.choice(match.legal)
        match, _ = match.apply(action)
        actions.append(action)
