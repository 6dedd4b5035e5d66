"""What tests of screens wait for: turns of the event loop, not a processor that is idle."""

import asyncio

import pytest

TURNS = 40
"""Turns of the loop in which a key reaches its screen, what it does its host, and the answer the screen."""


async def _some_turns(*_):
    for _turn in range(TURNS):
        await asyncio.sleep(0)


@pytest.fixture(autouse=True)
def _turns_of_the_loop(monkeypatch):
    """Let Textual's pilot wait for turns of the loop: its own way, after each key, takes three times 20 ms."""
    monkeypatch.setattr("textual.app.wait_for_idle", _some_turns)
    monkeypatch.setattr("textual.pilot.wait_for_idle", _some_turns)
