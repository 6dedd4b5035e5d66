"""A round gone through again from its events: the table is as it was before each of them."""

from random import Random

import pytest

from core.actions import Drew, Led, Passed, Play, Played, PutDown
from core.chance import deal_order
from core.games import GAMES
from core.layout.placed import NOBODY
from core.layout.replay import playable, seen
from core.layout.rules import LayoutRules
from core.layout.state import Before
from core.match import new_match

LAYOUTS = [name for name, v in GAMES.items() if isinstance(v.rules(v.seats[1], {})[1], LayoutRules)]


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("seed", range(3))
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
    tables = seen(match.rules, view.play, match.history, Before(NOBODY, match.leader))
    events = [(n, e) for n, e in enumerate(match.history) if isinstance(e, Led | Played | Drew | Passed | PutDown)]
    happened = set(map(id, match.history))  # besides, there are turns that ended by themselves
    told = [each for each in tables if id(each.event) in happened]

    for (number, event), (same, table) in zip(events, told, strict=True):
        true = before.get(number)
        assert event == same
        if true:
            assert (table.layout, table.ends, table.turn) == (true.layout, true.ends, true.turn)
            assert (len(table.boneyard), table.drawn, table.owed) == (len(true.boneyard), true.drawn, true.owed)
            fits = {action.tile for action in true.legal if isinstance(action, Play)}
            if true.layout and not true.pending:
                assert fits == {t for t in true.hands[true.turn] if t in playable(match.rules, table)}
