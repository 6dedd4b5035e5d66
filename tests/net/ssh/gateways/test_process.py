"""One gateway process as its host sees it."""

import asyncio

import pytest

from net.ssh.gateways import gateways, process
from tests.net.ssh_room import PATIENCE, Room, joining, opened, soon


@pytest.fixture
def room():
    return Room(gateways=1)


async def test_a_gateway_that_stands_still_is_ended(room, tmp_path, monkeypatch):
    async with opened(room, tmp_path) as server:
        first = room.running[0]
        monkeypatch.setattr(process, "GATEWAY_SILENT", 1.5)
        monkeypatch.setattr(gateways, "AGAIN", 0.01)
        monkeypatch.setattr(first.server.counts, "_say", lambda _counted: None)
        async with asyncio.timeout(PATIENCE):
            while len(room.running) < 2:  # noqa: ASYNC110 - nothing else tells that another was started
                await asyncio.sleep(0.01)
        assert first.task.done()
        async with joining(server, tmp_path) as link:
            link.send(b"ab")
            assert await soon(link.receive()) == b"ba"


async def test_a_gateway_that_falls_far_behind_is_ended(room, tmp_path, monkeypatch):
    async with opened(room, tmp_path):
        first = room.running[0]
        monkeypatch.setattr(gateways, "AGAIN", 0.01)
        monkeypatch.setattr(process, "GATEWAY_BEHIND", -1)
        await soon(asyncio.wait([first.task]))
        monkeypatch.undo()
        assert first.task.cancelled()


async def test_a_gateway_whose_line_has_ended_is_ended_with_it(room, tmp_path, monkeypatch):
    async with opened(room, tmp_path):
        first = room.running[0]
        monkeypatch.setattr(gateways, "AGAIN", 0.01)
        first.server.line._ended = lambda: None  # it does not notice
        first.server.line.abort()
        await soon(asyncio.wait([first.task]))
        assert first.task.cancelled()
