"""Keys pressed again before the host has answered: each request is sent once, and no host is accused."""

import asyncio
import secrets
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace

from net.client.client import Client
from net.host.presence import Visitor
from net.table.table import INSTANT
from net.wire.messages import Browse, MakeTable, Say, Sit, ToHost
from tests.net.links import RecordingLink
from tests.tui.guests import Guest, app_host
from tests.tui.served_pilot import BYTES, served
from tests.tui.tables import DARK
from tui.app import BoneyardApp
from tui.model.keys import LOBBY, TABLE

WAITS_FOR_SHARES = replace(INSTANT, shuffle=1e9)
"""The clock of these hosts is a thousand times too fast, and the answers to a share are held back here."""
AGAIN = (Browse, Say)
"""Requests that may be repeated, because the last of them counts or each does."""


class SlowLink(RecordingLink):
    """A client's end of a link that can hold back the host's answers, like a slow connection."""

    def __init__(self, link):
        super().__init__(ToHost)
        self._link = link
        self._may_come = asyncio.Event()
        self._may_come.set()

    def hold(self):
        self._may_come.clear()
        self.sent.clear()

    def let_go(self):
        self._may_come.set()

    def send(self, payload):
        super().send(payload)
        self._link.send(payload)

    async def receive(self):
        payload = await self._link.receive()
        await self._may_come.wait()
        return payload

    def close(self):
        super().close()
        self._may_come.set()
        self._link.close()


@asynccontextmanager
async def slow_guest(host, name="ada"):
    """Yield a guest over ssh on a link that may be slow."""
    ours, serving = host.link(Visitor(name, name))
    link = SlowLink(ours)
    client = Client(link, "test", entropy=secrets.token_bytes)
    app = BoneyardApp(client, DARK, name=name)
    try:
        async with served(app, (80, 24)) as pilot:
            yield Guest(app, pilot), link, client
    finally:
        link.close()
        await serving


@asynccontextmanager
async def beside_a_table():
    """Yield a guest on a slow link in the lobby, who sees bela's table there."""
    async with (
        app_host(pace=WAITS_FOR_SHARES) as host,
        host.guest("bela", name="bela") as bela,
        slow_guest(host) as slow,
    ):
        await bela.until(lambda: bela.app._client.name)
        bela.app._client.make_table(MakeTable("draw", 2, {}))
        await slow[0].wait_for("bela's table")
        yield slow


async def pressed(guest, link, key, times):
    """Press a key `times` times before any answer comes; return the requests that were sent."""
    link.hold()
    for _ in range(times):
        await guest.press(key)
    sent = [request for request in link.sent if not isinstance(request, AGAIN)]
    link.let_go()
    await guest.pilot.pause()
    return sent


def names(keys):
    """Return the keys of a screen that can be typed."""
    return [key.names[0] for key in keys if key.names[0] in BYTES or len(key.names[0]) == 1]


@pytest.mark.parametrize("times", [2, 3])
@pytest.mark.parametrize("key", dict.fromkeys([*names(LOBBY), "enter"]))
async def test_a_key_of_the_lobby_is_one_request_however_often_it_is_pressed(key, times):
    async with beside_a_table() as (ada, link, client):
        sent = await pressed(ada, link, key, times)
        assert sent == [request for at, request in enumerate(sent) if request not in sent[:at]]
        if any(isinstance(request, Sit) for request in sent):
            await ada.wait_for("round 1")
            assert client.shares.witness.share
        assert not client.shares.problem


@pytest.mark.parametrize("key", dict.fromkeys([*names(TABLE), "enter", "1", "a"]))
async def test_a_key_of_the_table_is_one_request_however_often_it_is_pressed(key):
    async with app_host(pace=WAITS_FOR_SHARES) as host, slow_guest(host) as (ada, link, client):
        await ada.until(lambda: client.name)
        client.make_table(MakeTable("draw", 2, {}, bots=1))
        await ada.until(lambda: client.update and client.update.play and client.update.play.legal)
        sent = await pressed(ada, link, key, 3)
        assert sent == [request for at, request in enumerate(sent) if request not in sent[:at]]
        assert not client.shares.problem


async def test_a_table_is_opened_once():
    async with app_host(pace=WAITS_FOR_SHARES) as host, slow_guest(host) as (ada, link, client):
        await ada.until(lambda: client.name)
        table = MakeTable("draw", 2, {})
        link.hold()
        for _ in range(3):
            client.make_table(table)
        assert [type(request) for request in link.sent] == [MakeTable]
        link.let_go()
        await ada.until(lambda: client.update)
        assert len(host.server.listing) == 1


async def test_two_tables_requested_at_once_leave_the_host_unaccused():
    async with beside_a_table() as (ada, link, client):
        (table,) = client.tables.tables
        link.hold()
        client.sit(table.id)
        client.sit(table.id + 1)  # which does not exist
        link.let_go()
        await ada.wait_for("round 1")
        assert client.shares.witness.share
        assert not client.shares.problem
