"""Handing sockets over from a host to a gateway: they arrive with their numbers."""

import asyncio
import socket

from net.ssh.gateways.messages import receive_sockets, send_socket, socket_pairs
from tests.net.ssh_room import with_timeout


async def test_a_connection_is_handed_over_with_its_number():
    (host_stream, sender), (gateway_stream, receiver) = socket_pairs()
    received = asyncio.Queue()
    receive_sockets(receiver, lambda number, connection, address, web: received.put_nowait((number, connection, web)))
    client, server = socket.socketpair()
    with server:
        assert send_socket(sender, 2**40, server, "192.168.1.20", web=True)
    number, connection, web = await with_timeout(received.get())
    client.sendall(b"hello")

    assert (number, web) == (2**40, True)
    assert await asyncio.get_running_loop().sock_recv(connection, 99) == b"hello"
    asyncio.get_running_loop().remove_reader(receiver)
    for sock in (host_stream, gateway_stream, sender, receiver, client, connection):
        sock.close()


async def test_a_connection_that_no_gateway_accepts_is_refused_once_the_buffer_is_full():
    (host_stream, sender), (gateway_stream, receiver) = socket_pairs()
    client, server = socket.socketpair()
    sent_sockets = 0
    while send_socket(sender, sent_sockets, server, "", web=False):
        sent_sockets += 1
        assert sent_sockets < 100_000

    assert sent_sockets > 1
    for sock in (host_stream, gateway_stream, sender, receiver, client, server):
        sock.close()
