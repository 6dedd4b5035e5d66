"""Whose key is next."""

import asyncio

from tui.turns import MUCH, Turns


class Typist:
    """Somebody with so many keys typed, who notes whose turn it was."""

    def __init__(self, name, keys, log, asked=0.0):
        self.name, self.keys, self.asked = name, keys, asked
        self._log = log
        self.done = asyncio.Event()

    def attend(self):
        self._log.append(self.name)
        self.keys -= 1
        if not self.keys:
            self.done.set()
        return self.keys > 0


async def test_who_asked_least_is_next_and_each_does_one_thing_in_a_turn():
    log, turns = [], Turns()
    flood, polite = Typist("flood", 4, log, asked=10), Typist("polite", 2, log)
    turns.ask(flood)
    turns.ask(polite)
    await asyncio.wait_for(flood.done.wait(), 5)
    assert log == ["flood", "polite", "polite", "flood", "flood", "flood"]


async def test_nobody_waits_for_the_rest_between_the_keys_of_who_types_without_a_pause():
    log, turns = [], Turns()
    flood, polite = Typist("flood", 3, log, asked=MUCH + 1), Typist("polite", 1, log)
    turns.ask(flood)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    turns.ask(polite)
    assert log == ["flood", "polite"]
    await asyncio.wait_for(flood.done.wait(), 5)
    assert log == ["flood", "polite", "flood", "flood"]


async def test_who_is_gone_has_no_turn_any_more():
    log, turns = [], Turns()
    first, gone = Typist("first", 1, log), Typist("gone", 1, log)
    turns.ask(first)
    turns.ask(gone)
    turns.forget(gone)
    turns.forget(gone)
    await asyncio.sleep(0)
    assert log == ["first"]
