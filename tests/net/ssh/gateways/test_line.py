"""The channel between a host and a gateway: sockets arrive with their numbers."""

import asyncio
import socket

from net.ssh.gateways.messages import give, line_pair, receive_sockets
from tests.net.ssh_room import soon


async def test_a_connection_is_handed_over_with_its_number():
    (here, giving), (there, taking) = line_pair()
    taken = asyncio.Queue()
    receive_sockets(taking, lambda number, connection, address, web: taken.put_nowait((number, connection, web)))
    client, server = socket.socketpair()
    with server:
        assert give(giving, 2**40, server, "192.168.1.20", web=True)
    number, connection, web = await soon(taken.get())
    client.sendall(b"hello")

    assert (number, web) == (2**40, True)
    assert await asyncio.get_running_loop().sock_recv(connection, 99) == b"hello"
    asyncio.get_running_loop().remove_reader(taking)
    for end in (here, there, giving, taking, client, connection):
        end.close()


async def test_a_connection_that_no_gateway_accepts_is_reported_in_the_end():
    (here, giving), (there, taking) = line_pair()
    client, server = socket.socketpair()
    given = 0
    while give(giving, given, server, "", web=False):
        given += 1
        assert given < 100_000

    assert given > 1
    for end in (here, there, giving, taking, client, server):
        end.close()
