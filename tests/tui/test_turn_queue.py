"""Whose key is next."""

import asyncio

from net.moves_first import MovesFirst
from net.wire.link import memory_pair
from tui.serve.turn_queue import MUCH, REST, Demand, QueuedLink, TurnQueue


class Typist:
    """A session with a number of typed keys, which notes whose turn it was."""

    def __init__(self, name, keys, log, asked=0.0):
        self.name, self.keys, self.asked = name, keys, asked
        self._log = log
        self.done = asyncio.Event()

    weight = 1.0

    def take_turn(self):
        self._log.append(self.name)
        self.keys -= 1
        if not self.keys:
            self.done.set()
        return self.keys > 0


async def test_who_asked_least_is_next_and_each_does_one_thing_in_a_turn():
    log, turns = [], TurnQueue()
    flood, polite = Typist("flood", 4, log, asked=10), Typist("polite", 2, log)
    turns.ask(flood)
    turns.ask(polite)
    await asyncio.wait_for(flood.done.wait(), 30)
    assert log == ["flood", "polite", "polite", "flood", "flood", "flood"]


async def test_nobody_waits_for_the_rest_between_the_keys_of_who_types_without_a_pause():
    log, turns = [], TurnQueue()
    flood, polite = Typist("flood", 3, log, asked=MUCH + 1), Typist("polite", 1, log)
    turns.ask(flood)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    turns.ask(polite)
    assert log == ["flood", "polite"]
    await asyncio.wait_for(flood.done.wait(), 30)
    assert log == ["flood", "polite", "flood", "flood"]


async def test_after_what_takes_much_those_who_are_busy_rest_longer():
    log, turns = [], TurnQueue()
    flood = Typist("flood", 3, log, asked=MUCH + 1)
    flood.weight = 5
    begun = asyncio.get_running_loop().time()
    turns.ask(flood)
    await asyncio.wait_for(flood.done.wait(), 30)
    assert asyncio.get_running_loop().time() - begun >= 2 * 5 * REST


async def test_who_is_busy_waits_while_a_move_is_on_its_way_and_nobody_else_does():
    moves, log = MovesFirst(), []
    turns = TurnQueue(moves=moves)
    flood, polite = Typist("flood", 1, log, asked=MUCH + 1), Typist("polite", 1, log)
    moves.move()
    turns.ask(flood)
    turns.ask(polite)
    assert log == ["polite"]
    await asyncio.wait_for(flood.done.wait(), 30)
    assert moves.left == 0


async def test_who_has_waited_long_goes_on_beside_others():
    log, turns = [], TurnQueue(patience=-1.0)
    names = ("first", "ann", "ben", "cid")
    for name in names:
        turns.ask(Typist(name, 1, log))
    assert log == ["first"]
    await asyncio.sleep(0)
    assert log == list(names)


async def test_who_is_gone_has_no_turn_any_more():
    log, turns = [], TurnQueue()
    first, gone = Typist("first", 1, log), Typist("gone", 1, log)
    turns.ask(first)
    turns.ask(gone)
    turns.forget(gone)
    turns.forget(gone)
    await asyncio.sleep(0)
    assert log == ["first"]


async def test_of_those_who_hear_at_once_each_takes_note_in_a_turn_of_their_own():
    turns, log = TurnQueue(), []

    async def hears(name):
        ours, theirs = memory_pair()
        theirs.send(b"move")
        assert await QueuedLink(ours, turns, Demand()).receive() == b"move"
        log.append(name)

    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        gone = [group.create_task(hears(name)) for name in ("ann", "ben", "gone", "cid")][2]
        most = 0
        while len(log) < 3:
            before = len(log)
            await asyncio.sleep(0)
            gone.cancel()
            most = max(most, len(log) - before)
    assert log == ["ann", "ben", "cid"]
    assert most == 1


async def test_who_asked_least_hears_first_and_does_not_wait_for_those_who_are_busy():
    turns, log = TurnQueue(), []

    async def hears(name, asked):
        ours, theirs = memory_pair()
        demand = Demand()
        demand.add(asked)
        for _ in range(3):
            theirs.send(b"move")
        link = QueuedLink(ours, turns, demand)
        for _ in range(3):
            await link.receive()
            log.append(name)

    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        for name, asked in (("flood", MUCH + 100), ("busy", MUCH / 2), ("calm", 0)):
            group.create_task(hears(name, asked))
    assert log[-2:] == ["flood", "flood"]
    assert log.index("calm") < log.index("busy")
