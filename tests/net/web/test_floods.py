"""Floods by a browser: every byte and frame is counted and charged to the connection that sent it."""

import asyncio
import struct
from types import SimpleNamespace

import aiohttp
import pytest

from net.limits import WEB_BITE, WEB_CONTROL_COST, WEB_FRAMES_AT_ONCE, WEB_UNFINISHED
from net.loop import LoopScheduler
from net.scheduler import Work
from net.web.connection import SharedTransport, WebConnection, WebMeter
from tests.net.ssh_room import with_timeout
from tests.net.web_room import browsing, type_without_end, web_room

PING, FRAGMENT = 0x89, 0x00


def frame(head_byte: int, payload: bytes = b"") -> bytes:
    """Return a short frame of a client, masked with zeros."""
    return struct.pack("!BB4x", head_byte, 0x80 | len(payload)) + payload


async def next_session(room):
    """Return the session of the next guest who enters."""
    _, terminal = await with_timeout(room.guests.get())
    return terminal._transport


def upgrade_request(url):
    """Return the request for a WebSocket."""
    port = int(url.rpartition(":")[2])
    return (
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: {url}\r\nConnection: Upgrade\r\n"
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        "Sec-WebSocket-Protocol: boneyard.1\r\n\r\n"
    ).encode()


async def open_websocket(url):
    """Open a WebSocket by hand; return its streams once it is open."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
    writer.write(upgrade_request(url))
    head = await with_timeout(reader.readuntil(b"\r\n\r\n"))
    assert b" 101 " in head
    return reader, writer


async def test_a_ping_is_answered_and_counts_as_many_frames(tmp_path, monkeypatch):
    monkeypatch.setattr("net.web.session.WEB_FRAMES_PER_SECOND", 0.001)
    async with web_room(tmp_path) as (room, url, _), browsing(url, autoping=False) as page:
        await page.enter()
        await page.wait_for_message("in")
        session = await next_session(room)
        used_before = session._frame_budget.used_tokens(asyncio.get_running_loop().time())
        await page.socket.ping(b"still there")
        while (answer := await with_timeout(page.socket.receive())).type is not aiohttp.WSMsgType.PONG:
            pass
        assert answer.data == b"still there"
        used_after = session._frame_budget.used_tokens(asyncio.get_running_loop().time())
        assert round(used_after - used_before) == WEB_CONTROL_COST


async def test_pings_beyond_the_budget_are_not_answered_in_the_same_second(tmp_path, monkeypatch):
    monkeypatch.setattr("net.web.session.WEB_FRAMES_PER_SECOND", 0.001)
    async with web_room(tmp_path) as (room, url, _), browsing(url, autoping=False) as page:
        await page.enter()
        await page.wait_for_message("in")
        for _ in range(WEB_FRAMES_AT_ONCE):
            await page.socket.ping()
        await page.send(t="alive")  # which waits behind them
        pongs = 0
        while pongs < (WEB_FRAMES_AT_ONCE - 1) // WEB_CONTROL_COST:
            pongs += (await with_timeout(page.socket.receive())).type is aiohttp.WSMsgType.PONG
        session = await next_session(room)
        async with browsing(url) as other_page:  # who is served meanwhile
            await other_page.enter()
            await other_page.wait_for_message("in")
        assert session._frame_budget.is_empty(asyncio.get_running_loop().time())
        page.cut()


async def test_pings_before_the_login_have_the_limit_of_messages(tmp_path):
    async with web_room(tmp_path) as (_, url, _), browsing(url) as page:
        await page.wait_for_message("ask")
        for _ in range(40):
            await page.socket.ping()
        assert (await page.wait_for_message("no"))["why"].startswith("That was not")
        await page.wait_for_end()


async def test_a_message_without_end_closes_its_connection(tmp_path):
    async with web_room(tmp_path) as (_, url, _):
        reader, writer = await open_websocket(url)
        writer.write(frame(0x02))
        fragments = frame(FRAGMENT) * (WEB_BITE // 6)
        for _ in range(2 + WEB_UNFINISHED // WEB_BITE):
            writer.write(fragments)
        try:
            while await with_timeout(reader.read(4096)):
                pass
        except ConnectionError:
            pass
        writer.close()


async def test_a_large_message_in_fragments_is_read(tmp_path):
    async with web_room(tmp_path) as (room, url, _):
        _reader, writer = await open_websocket(url)
        enter_message = b'\1{"t":"enter","columns":80,"rows":24,"user":"ann"}'
        writer.write(frame(0x02) + b"".join(frame(FRAGMENT, bytes([byte])) for byte in enter_message) + frame(0x80))
        identity, _ = await with_timeout(room.guests.get())
        assert identity.user == "ann"
        writer.close()


async def test_input_of_browsers_is_charged_to_their_network(tmp_path, monkeypatch):
    charges = []
    monkeypatch.setattr(LoopScheduler, "charge", lambda _self, work, _owner, seconds: charges.append((work, seconds)))
    monkeypatch.setattr("net.doors.connections.BUSY_AT_ONCE", 0.0)
    async with web_room(tmp_path) as (_, url, _), browsing(url) as page:
        await page.wait_for_message("ask")
        assert {work for work, _ in charges} == {Work.STRANGER}
        await page.enter_again({})
        await page.wait_for_message("in")
        charges.clear()
        await page.type(b"domino")
        await page.wait_for(b"domino")
    assert {work for work, _ in charges} == {Work.INPUT}
    assert all(seconds >= 0 for _, seconds in charges)


class Wire:
    """A transport that records whether reading is paused."""

    is_reading, closing = True, False

    def is_closing(self):
        return self.closing

    def pause_reading(self):
        self.is_reading = False

    def resume_reading(self):
        self.is_reading = True


def metered_wire():
    """Return a wire, the meter that may pause it, and the transport that its parser may pause."""
    meter, wire = WebMeter(LoopScheduler()), Wire()
    meter.transport = wire
    return wire, meter, SharedTransport(wire, meter)


async def test_a_connection_is_not_read_while_its_meter_pauses_it():
    wire, meter, shared = metered_wire()
    assert meter.pause_reading()
    shared.pause_reading()
    shared.resume_reading()
    assert not wire.is_reading


async def test_a_connection_is_not_read_while_its_parser_pauses_it():
    wire, meter, shared = metered_wire()
    assert meter.pause_reading()
    shared.pause_reading()
    assert meter.resume_reading()
    assert not wire.is_reading


async def test_a_connection_is_read_again_once_both_its_meter_and_its_parser_take_more():
    wire, meter, shared = metered_wire()
    assert meter.pause_reading()
    shared.pause_reading()
    assert meter.resume_reading()
    shared.resume_reading()
    assert wire.is_reading


async def test_a_meter_does_not_pause_a_connection_that_is_closing():
    wire, meter, _shared = metered_wire()
    wire.closing = True
    assert not meter.pause_reading()


async def test_reading_ends_with_the_connection(tmp_path, monkeypatch):
    monkeypatch.setattr("net.web.session.WEB_FRAMES_AT_ONCE", 5)
    monkeypatch.setattr("net.web.session.WEB_FRAMES_PER_SECOND", 0.001)
    async with web_room(tmp_path) as (room, url, _), browsing(url) as page:
        inputs = await type_without_end(page, room, monkeypatch)
        page.cut()
        await with_timeout(room.gone.get())
        assert len(inputs) <= 5


async def test_a_page_that_leaves_while_it_waits_for_its_turn_is_forgotten_at_once(tmp_path, monkeypatch):
    waiting, ended = asyncio.Event(), asyncio.Event()

    async def wait_forever(_self, work, _owner):
        assert work is Work.STRANGER
        waiting.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    monkeypatch.setattr(LoopScheduler, "wait_for_turn", wait_forever)
    async with web_room(tmp_path) as (_, url, _):
        _reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
        writer.write(upgrade_request(url))
        await with_timeout(waiting.wait())
        writer.transport.abort()
        await with_timeout(ended.wait())


async def test_a_connection_may_be_lost_at_the_moment_of_its_timeout():
    connection = WebConnection("192.0.2.1", SimpleNamespace(scheduler=None, forget=lambda _gone: None), proxied=False)

    async def wait():
        async with connection.limit_wait(0):
            await asyncio.Event().wait()

    waiting = asyncio.create_task(wait())
    while connection._wait_timeout is None or not connection._wait_timeout.expired():  # noqa: ASYNC110 - `until` may be too late
        await asyncio.sleep(0)
    connection.close_lost()
    with pytest.raises(TimeoutError):
        await waiting
