"""A full host that is asked to stop: everybody is informed, whatever they are doing, and nothing is lost."""

import asyncio
import time
from contextlib import AsyncExitStack

import asyncssh
import pytest

from net.wire.messages import MakeTable
from tests.ptys import TIMEOUT
from tests.real.joined import joined

SERVED = JOINED = 50
TABLES = 20
DEAF = 5
"""Number of each kind of client that do not read any more."""
LOGGING_IN = 5
FAREWELL = "The server has closed."


class Terminal(asyncssh.SSHClientSession):
    """A guest with a plain ssh, and the whole output to their terminal."""

    def __init__(self):
        self.sent = b""
        self._news = asyncio.Event()
        self.ended = asyncio.Event()

    def data_received(self, data, _datatype):
        self.sent += data
        self._news.set()

    def connection_lost(self, _exc):
        self.ended.set()

    async def wait_for(self, word):
        async with asyncio.timeout(TIMEOUT):
            while word not in self.sent:
                self._news.clear()
                await self._news.wait()

    async def enter_lobby(self, host, name):
        connection = await asyncssh.connect(
            "127.0.0.1",
            host.port,
            username=name,
            known_hosts=None,
            config=None,
            agent_path=None,
            client_keys=[asyncssh.generate_private_key("ssh-ed25519")],
        )
        self.channel, _ = await connection.create_session(
            lambda: self, term_type="xterm-256color", term_size=(80, 24), encoding=None
        )
        await self.wait_for(b"What name will you play under?")
        self.channel.write(b"\r")
        await self.wait_for(b"in the lobby")
        return connection


def deafen(connection):
    connection._transport.pause_reading()


async def connect_and_stay(host):
    """Read the host's version, and stay."""
    reader, writer = await asyncio.open_connection("127.0.0.1", host.port)
    assert (await reader.readline()).startswith(b"SSH-2.0-")
    return writer


async def test_a_full_host_closes_in_seconds_and_everybody_is_informed(programs, tmp_path):
    many = ("per_address=200", "handshakes_at_once=200", "handshakes_in_all=1000", "unauthenticated_per_address=90")
    host = await programs.start_host(*(f"--limit={limit}" for limit in many))
    async with AsyncExitStack() as stack:
        links = []
        for number in range(JOINED):
            links.append(await stack.enter_async_context(joined(host, tmp_path, f"link {number}")))
        for link in links[:TABLES]:
            link.make_table(MakeTable("block", 2, {}))
        for link in links[:TABLES]:
            await link.until(lambda client: client.update)
        terminals = [Terminal() for _ in range(SERVED)]
        connections = await asyncio.gather(*(t.enter_lobby(host, f"ssh{n}") for n, t in enumerate(terminals)))
        for terminal in terminals[:TABLES]:
            terminal.channel.write(b"w")
        for terminal in terminals[:TABLES]:
            await terminal.wait_for(b"'s table")
        for connection in connections:
            stack.callback(connection.abort)
        for writer in [await connect_and_stay(host) for _ in range(LOGGING_IN)]:
            stack.callback(writer.close)
        for connection in [*connections[:DEAF], *connections[-DEAF:]]:
            deafen(connection)
        for link in (*links[:DEAF], *links[-DEAF:]):
            deafen(link.link.session._chan.get_connection())

        begun = time.monotonic()
        host.kill(15)

        for link in links[DEAF:-DEAF]:
            bye = await link.wait_for_end()
            assert str(bye.reason) == FAREWELL
            assert bye.again
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", host.port)
        assert await host.wait_for_exit() == 0
        took = time.monotonic() - begun
        print(f"closed within {took:.1f} s")
        for terminal in terminals[DEAF:-DEAF]:
            await asyncio.wait_for(terminal.ended.wait(), TIMEOUT)
            assert FAREWELL.encode() in terminal.sent
            assert terminal.sent.rfind(b"\x1b[?1049h") < terminal.sent.rfind(b"\x1b[?1049l")
    assert "Traceback" not in host.log
    assert host.said.endswith("Shutting down.\n")

    again = await programs.start_host(data=host.data)
    async with joined(again, tmp_path, f"link {DEAF}") as back:
        await back.until(lambda client: len(client.tables.tables) == TABLES)
        assert back.tables.yours >= 0
    await again.close_cleanly()
