"""The line between a host and a gateway: messages arrive whole and in order, and sockets with their numbers."""

import asyncio
import socket

from net.ssh.gateways.line import Line, give, line_pair, opened, take_all
from net.ssh.gateways.messages import FromGateway, FromGuest, GuestGone, Moved, ToGateway, ToGuest
from net.wire.codec import frame
from tests.net.ssh_room import soon


class End:
    """One end, and what it has heard."""

    def __init__(self, hears):
        self.heard, self.over = asyncio.Queue(), asyncio.Event()
        self.line = Line(hears, self.heard.put_nowait, self.over.set)


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
    for nonsense in (b"\xff\xff\xff\xff", frame(b"\xc1"), frame(b"\x91\xa5Ready\x01")):
        (here, giving), (there, taking) = line_pair()
        host = End(FromGateway)
        await opened(host.line, here)
        there.sendall(nonsense)
        await soon(host.over.wait())
        assert host.heard.empty()
        for each in (giving, there, taking):
            each.close()


async def test_a_connection_is_handed_over_with_its_number():
    (here, giving), (there, taking) = line_pair()
    taken = asyncio.Queue()
    take_all(taking, lambda number, connection: taken.put_nowait((number, connection)))
    client, server = socket.socketpair()
    with server:
        assert give(giving, 2**40, server)
    number, connection = await soon(taken.get())
    client.sendall(b"hello")

    assert number == 2**40
    assert await asyncio.get_running_loop().sock_recv(connection, 99) == b"hello"
    asyncio.get_running_loop().remove_reader(taking)
    for each in (here, there, giving, taking, client, connection):
        each.close()


async def test_where_nobody_takes_connections_giving_says_so_in_the_end():
    (here, giving), (there, taking) = line_pair()
    client, server = socket.socketpair()
    given = 0
    while give(giving, given, server):
        given += 1
        assert given < 100_000

    assert given > 1
    for each in (here, there, giving, taking, client, server):
        each.close()
