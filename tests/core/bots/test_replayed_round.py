"""A round replayed from its events: the table is as it was before each event."""

from random import Random

import pytest

from core.actions import Dealt, Drew, Led, Passed, Play, Played, PutDown, Tucked
from core.bots.observations import observed_events, playable_tiles
from core.fair import deal_order
from core.games import GAMES
from core.layout.rules import LayoutRules
from core.layout.state import NOBODY, Opening, PlacedTile, RoundContext, State
from core.match import new_match
from core.tiles import tile

LAYOUTS = [name for name, v in GAMES.items() if isinstance(v.rules(v.seats[1], {})[1], LayoutRules)]


def _by_itself(event):
    """True if a turn ended because nothing fitted; guests are not sent this event."""
    return isinstance(event, Passed) and event.reason == "no_drawing"


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("seed", range(2))
def test_the_table_is_as_it_was_before_each_event(name, seed):
    rng = Random(seed)
    match = new_match(GAMES[name], rng.randint(*GAMES[name].seats), {})
    order, lot = deal_order(match.rules.tiles, match.rules.seats, b"%d" % seed, 1)
    match, _ = match.deal(order, lot)
    before = {}
    while not match.state.result:
        after, events = match.apply(rng.choice(match.legal))
        before |= {len(match.history) + number: match.state for number, event in enumerate(events[:1])}
        match = after
    view = match.view(NOBODY)
    tables = observed_events(match.rules, view.play, match.history, RoundContext(NOBODY, match.leader))
    events = [
        (n, e) for n, e in enumerate(match.history) if isinstance(e, Led | Played | Drew | Passed | PutDown | Tucked)
    ]
    sent = [seen for seen in tables if not (seen.table.going in ("may", "fits") and _by_itself(seen.event))]

    for (number, event), (same, table) in zip(events, sent, strict=True):
        true = before.get(number)
        assert event == same
        if true:
            assert (table.layout, table.ends, table.turn) == (true.layout, true.ends, true.turn)
            assert (len(table.boneyard), table.drawn, table.owed) == (len(true.boneyard), true.drawn, true.owed)
            fits = {action.tile for action in true.legal if isinstance(action, Play)}
            if true.layout and not true.pending:
                may_lay = true.hands[true.turn][: 1 if match.rules.turns.blind else None]
                assert fits == {t for t in may_lay if t in playable_tiles(match.rules, table)}


def test_the_last_player_with_tiles_begins_a_new_turn_when_nothing_fits_any_more():
    rules = GAMES["hungarian"].rules(2, {})[1]
    layout = (
        PlacedTile(tile("6|4"), -1, 0, 6, 1),
        PlacedTile(tile("4|2"), 0, 0, 2, 0),
        PlacedTile(tile("6|1"), 0, 1, 1, 0),
    )
    history = (Dealt(1), Led(1, tile("6|4"), "lot"), Played(0, tile("4|2"), 4, 2), Played(0, tile("6|1"), 6, 1))
    view = rules.view(State(((), ()), (), layout, (), 0, Opening(1, (), "lot"), RoundContext(0)), 0)
    events = [
        observed_event.event for observed_event in observed_events(rules, view, history, RoundContext(NOBODY, 1))
    ]

    assert events == [*history[1:2], Passed(1, "no_drawing"), history[2], Passed(0, "no_drawing"), history[3]]
