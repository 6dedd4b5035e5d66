"""A line: messages arrive whole and in order, and nonsense ends it."""

import asyncio

from net.lines.line import Line, opened
from net.lines.messages import FromGuest, GuestGone, ToGuest
from net.ssh.gateways.line import line_pair
from net.ssh.gateways.messages import DECODERS, FromGateway, Moved, ToGateway
from net.wire.codec import frame
from tests.net.ssh_room import soon


class End:
    """One end, and what it has heard."""

    def __init__(self, hears):
        self.heard, self.over = asyncio.Queue(), asyncio.Event()
        self.line = Line(DECODERS[hears].decode, self.heard.put_nowait, self.over.set)


async def ends():
    (here, giving), (there, taking) = line_pair()
    host, gateway = End(FromGateway), End(ToGateway)
    await opened(host.line, here)
    await opened(gateway.line, there)
    return host, gateway, giving, taking


async def test_what_one_end_says_the_other_hears_in_order():
    host, gateway, *sockets = await ends()
    said = [ToGuest(1, b"6|4"), Moved(), ToGuest(2, b"x" * 200_000)]
    for each in said:
        host.line.say(each)
    gateway.line.say(FromGuest(1, b"pass"))

    assert [await soon(gateway.heard.get()) for _ in said] == said
    assert await soon(host.heard.get()) == FromGuest(1, b"pass")
    host.line.close()
    await soon(gateway.over.wait())
    await soon(host.over.wait())
    gateway.line.say(GuestGone(1))  # nobody hears it, and nothing happens
    for each in sockets:
        each.close()


async def test_what_makes_no_sense_ends_the_line():
    deep, no_text = b"\x94\xa9GuestGone\x01\xa0" + b"\x91" * 5000 + b"\xc0", b"\x93\xa9GuestGone\x01\xa2\xc3\x28"
    for nonsense in (
        b"\xff\xff\xff\xff",
        *map(frame, (b"\xc1", b"\x91\xa5Ready\x01", deep, no_text)),
    ):
        (here, giving), (there, taking) = line_pair()
        host = End(FromGateway)
        await opened(host.line, here)
        there.sendall(nonsense)
        await soon(host.over.wait())
        assert host.heard.empty()
        for each in (giving, there, taking):
            each.close()
