"""A match: rounds, scores, targets, and the view of a seat."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core.actions import Drew, Hid, PutDown, RoundOver, Scored, cut
from core.bots.levels import play_match
from core.combos.state import ComboState, ComboTrick, face_down_tiles
from core.fair import deal_order
from core.games import GAMES
from core.layout.rules import LayoutRules
from core.layout.state import NOBODY, Ending, State
from core.match import MOST_ACTIONS, MOST_ROUNDS, new_match
from core.patience.state import PatienceState
from core.tiles import STAR, full_set
from core.words import BadOption, Illegal
from tests.core.positions import on_table


@st.composite
def matches(draw):
    """Draw a new match of any game, with any number of players and house rules."""
    variant = GAMES[draw(st.sampled_from(sorted(GAMES)))]
    players = draw(st.integers(*variant.seats))
    chosen = {o.key: draw(st.sampled_from(o.choices)) for o in variant.options if draw(st.booleans())}
    if players != 4 or chosen.get("partners") == "no":
        chosen.pop("sl.match", None)  # six in a row against two others or more may take a thousand rounds
    chosen.pop("af.bonus", None)  # a match between weak players may then never end (`docs/rules` §2.3)
    while True:
        try:
            return new_match(variant, players, chosen)
        except BadOption:  # rules that exclude each other, or that this number of players cannot have
            del chosen[draw(st.sampled_from(sorted(chosen)))]


def owned(state):
    """Return the tiles that the seats hold, and those that they have laid face down."""
    if isinstance(state, ComboState):
        return tuple(tuple(sorted((*held, *down))) for held, down in zip(state.hands, state.down, strict=True))
    return state.all_tiles if isinstance(state, State) else state.hands


def view_down(view):
    """Return the tiles face down in a view, by seat."""
    return face_down_tiles((*view.tricks, ComboTrick(view.trick, NOBODY)), len(view.counts))


def steps_of(match, seed):
    rng_level = ("greedy", "random")[seed % 2]
    return play_match(match, (rng_level,) * match.rules.seats, seed.to_bytes(4, "big"), "test")


@settings(max_examples=20)
@given(matches(), st.integers(0, 2**32 - 1))
def test_in_any_random_match_the_invariants_hold(match, seed):
    tiles = match.rules.tiles
    for step in steps_of(match, seed):
        state = step.match.state
        if state is None:
            continue
        aside = ("boneyard", "widow", "buried")
        everywhere = [tile for place in aside for tile in getattr(state, place, ())]
        everywhere += [*on_table(state), *(tile for hand in owned(state) for tile in hand)]
        if isinstance(state, PatienceState):  # tiles that were removed are in no place; see the tests of patience
            everywhere += state.laid.boneyard
            assert set(everywhere) <= set(tiles)
            assert len(set(everywhere)) == len(everywhere)
        else:
            assert sorted(everywhere) == list(tiles), "no tile is lost or doubled"
        assert bool(state.legal) == (state.result is None), "legal is empty after the end and only then"
        assert len(set(state.legal)) == len(state.legal)
        assert step.match.round <= 1000
    assert step.match.over
    if step.match.unfinished:  # an unfinished match has no goal to reach (`docs/rules` §9)
        assert step.match.round >= MOST_ROUNDS or step.match.actions >= MOST_ACTIONS
        return
    goal = match.rules.goal
    assert step.match.round == goal.rounds if goal.rounds else max(step.match.scores) >= goal.target


@settings(max_examples=12)
@given(matches(), st.integers(0, 2**32 - 1))
def test_a_view_never_holds_a_tile_that_its_seat_may_not_know(match, seed):
    for step in steps_of(match, seed):
        state = step.match.state
        if state is None:
            continue
        open_tiles = set(on_table(state))
        for seat in (NOBODY, *range(match.rules.seats)):
            blind = isinstance(state, State) and match.rules.turns.blind
            own = set(state.hands[seat]) if seat != NOBODY else set()
            if blind:  # in a blind game a view has only the tile that was turned over in the current turn
                own = {state.hands[seat][0]} if seat == state.turn and not state.result else set()
            view = step.match.view(seat).play
            shed = set(state.shed[seat]) if isinstance(state, State) and state.shed and seat != NOBODY else set()
            if isinstance(state, ComboState) and seat != NOBODY:
                shed = set(state.down[seat])
                assert shed == set(view_down(view)[seat])
                assert not any(down for other, down in enumerate(view_down(view)) if other != seat) or state.result
            known = open_tiles | own | shed
            assert set(getattr(view, "own_shed", shed)) == shed
            if state.result is not None:
                legal_tiles = set(owned(state)[0]) <= set(view.result.hands[0]) <= set(match.rules.tiles)
                alone = isinstance(state, PatienceState)
                assert legal_tiles if alone else view.result.hands == owned(state), (
                    "all hands are shown at the end of a round"
                )
                continue
            assert set(view.hand) == own
            up = {state.hands[state.turn][0], *state.up} if blind else set()
            assert {tile for row in getattr(view, "rows", ()) for tile in row} <= up | {STAR}
            assert [*map(len, getattr(view, "rows", ()))] == ([*map(len, state.hands)] if blind else [])
            assert set(on_table(view)) <= known
            assert {action.tile for action in view.legal if hasattr(action, "tile")} <= (own or known)
            assert {t for action in view.legal for t in getattr(action, "tiles", ())} <= (own or known)
            assert not view.legal or view.turn == seat
            for event in step.events:
                event_seen = cut(event, seat)
                if isinstance(event_seen, Hid):
                    assert set(event_seen.tiles) <= (shed if event_seen.seat == seat else set())
                if isinstance(event_seen, Drew):
                    assert set(event_seen.tiles) <= (known if event_seen.seat == seat else set())
                if isinstance(event_seen, PutDown):
                    assert {event_seen.tile} <= (shed if event_seen.seat == seat else {None})


@settings(max_examples=12)
@given(matches(), st.integers(0, 2**32 - 1))
def test_the_sums_shown_lead_to_the_scores_which_a_round_knows_at_every_moment(match, seed):
    scores, exact = match.scores, match.rules.goal.exact
    for step in steps_of(match, seed):
        for event in step.events:
            if isinstance(event, RoundOver):
                scores = tuple(a + b for a, b in zip(scores, event.points, strict=True))
            if isinstance(event, Scored) and event.counted:
                side = event.seat % len(scores)
                scores = tuple(score + event.points * (n == side) for n, score in enumerate(scores))
        assert step.match.scores == scores
        state = step.match.state
        if isinstance(state, State) and not state.result:
            now = tuple(state.score(side) for side in range(match.rules.sides))
            assert now == step.match.scores or (exact and max(now) > match.rules.goal.target)


def played(game="draw", players=2, seed=b"7", **options):
    match = new_match(GAMES[game], players, options)
    return list(play_match(match, ("greedy",) * players, seed, "test"))


def test_a_deal_that_is_not_the_set_is_refused():
    match = new_match(GAMES["draw"], 2, {})

    for order in (full_set(6)[1:], full_set(6)[:-1] + full_set(6)[:1], full_set(5)):
        with pytest.raises(Illegal):
            match.deal(order, 0)
    with pytest.raises(Illegal):
        match.deal(full_set(6), 2)


def test_deals_happen_between_rounds_and_plays_within_them():
    match = new_match(GAMES["draw"], 2, {})
    with pytest.raises(Illegal):
        match.apply(None)
    match, _ = match.deal(*deal_order(match.rules.tiles, 2, b"s", 1))
    with pytest.raises(Illegal):
        match.deal(full_set(6), 0)


@pytest.mark.parametrize("players", [1, 5, 0, -2])
def test_too_few_or_too_many_players_are_refused_with_the_numbers_that_are_possible(players):
    with pytest.raises(BadOption, match="2 to 4 players"):
        new_match(GAMES["draw"], players, {})


@pytest.mark.parametrize("game", sorted(GAMES))
def test_no_hands_ever_need_more_tiles_than_the_set_has(game):
    variant = GAMES[game]
    for players in range(variant.seats[0], variant.seats[1] + 1):
        for option in variant.options:
            for choice in option.choices:
                try:
                    rules = variant.rules(players, {option.key: choice})[1]
                except BadOption:
                    continue
                hand = rules.start.hand if isinstance(rules, LayoutRules) else 7
                assert players * hand <= len(rules.tiles), (players, option.key, choice)


def test_carried_values_of_a_round_reach_the_next_one_and_are_public():
    match = new_match(GAMES["block"], 2, {"target": 500})
    pays = match.rules.ending.settle
    ending = Ending(lambda state: replace(pays(state), carry=(*state.before.carry, state.before.round)))
    match = replace(match, rules=replace(match.rules, ending=ending))
    begun = {}
    for step in steps_of(match, 4):
        if step.match.state:
            begun[step.match.round] = step.match.state.before.carry
            if not step.match.state.result:
                assert all(step.match.view(seat).carry == begun[step.match.round] for seat in (NOBODY, 0, 1))

    assert len(begun) > 3
    assert all(carry == tuple(range(1, number)) for number, carry in begun.items())


def test_the_history_has_the_events_since_the_last_deal():
    match, rng, history = new_match(GAMES["draw"], 2, {}), Random(5), ()
    while match.round < 3:
        if match.is_deal_due:
            order, lot = deal_order(match.rules.tiles, 2, rng.randbytes(32), 1)
            match, history = match.deal(order, lot)
        else:
            match, events = match.apply(rng.choice(match.legal))
            history += events
        assert match.history == history
        for seat in (-1, 0, 1):
            assert match.view(seat).history == tuple(cut(event, seat) for event in history)
