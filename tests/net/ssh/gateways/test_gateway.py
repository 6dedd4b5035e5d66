"""A gateway's own end: it asks the host what all gateways share, and is nothing without it."""

import asyncio

import pytest

from net.host.presence import Visitor
from net.ssh.gateways.gateway import GatewayServer
from net.ssh.gateways.messages import (
    CheckCode,
    Close,
    EndGuest,
    FromGuest,
    GuestGone,
    Judged,
    OpenGuest,
    ToGuest,
)
from net.wire.link import memory_pair
from tests.net.ssh_room import soon


class Host:
    """The host as a gateway sees it."""

    def __init__(self):
        self.begun, self.ended = [], []
        self.server = GatewayServer(self.begun.append, lambda: self.ended.append(True))
        self.said = []
        self.server.line.say = self.said.append

    def says(self, *said):
        for each in said:
            self.server._hear(each)


@pytest.fixture
async def host():
    return Host()


async def test_a_question_gets_its_own_answer(host):
    one = asyncio.create_task(host.server.ask(lambda number: CheckCode(number, 5, "double five")))
    other = asyncio.create_task(host.server.ask(lambda number: CheckCode(number, 6, "double six")))
    await asyncio.sleep(0)
    first, second = (each.question for each in host.said)
    host.says(Judged(second, True), Judged(999, True), Judged(first, False))

    assert (await one).allowed is False
    assert (await other).allowed is True


async def test_a_guest_hears_what_the_host_answers_to_their_last_words(host):
    ours, theirs = memory_pair()
    serving = asyncio.create_task(host.server.serve(theirs, Visitor("ada")))
    ours.send(b"6|4")
    ours.send(b"pass")
    theirs._inbox.put_nowait(None)  # they say no more, and still listen
    async with asyncio.timeout(30):
        while len(host.said) < 4:  # noqa: ASYNC110
            await asyncio.sleep(0)
    assert host.said == [OpenGuest(1, Visitor("ada")), FromGuest(1, b"6|4"), FromGuest(1, b"pass"), GuestGone(1)]
    host.says(ToGuest(1, b"goodbye"), EndGuest(1))
    await soon(serving)

    assert [await ours.receive(), await ours.receive()] == [b"goodbye", None]
    host.says(ToGuest(1, b"too late"), EndGuest(1))  # of a guest who is gone: nothing happens


async def test_at_the_end_of_the_line_all_links_close_and_no_question_waits(host):
    ours, theirs = memory_pair()
    serving = asyncio.create_task(host.server.serve(theirs, Visitor("ada")))
    asking = asyncio.create_task(host.server.ask(lambda number: CheckCode(number, 5, "double six")))
    await asyncio.sleep(0)
    host.server.line.connection_lost(None)
    await soon(serving)

    assert await ours.receive() is None
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert host.ended


async def test_a_host_that_closes_has_said_goodbye(host):
    assert not host.server.closed
    host.says(Close())

    assert host.server.closed
    assert host.ended
