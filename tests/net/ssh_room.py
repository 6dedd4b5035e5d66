"""A host for the tests of net/ssh, and its clients."""

import asyncio
import os
import socket
from contextlib import asynccontextmanager, suppress
from copy import copy
from functools import partial

import asyncssh

from net.doors.terminal import visitor
from net.host.access import Access
from net.host.lobby import Lobby
from net.host.metrics import Metrics
from net.host.server import Server
from net.limits import Limits
from net.options import AccessOptions, DoorOptions
from net.players.accounts import Accounts
from net.ssh.client.connect import connect
from net.ssh.gateways.gateway import serve_gateway
from net.ssh.gateways.messages import GatewayConfig
from net.ssh.gateways.supervisor import serve_through_gateways
from net.ssh.server.listen import serve
from net.table.table import INSTANT
from net.web.door import accept_browsers

TIMEOUT = 30
"""Seconds after which a test that waits fails."""


class Room:
    """A host for tests: terminals and links echo, and both are kept for inspection."""

    def __init__(self, gateways=0):
        self.gateways = gateways
        """Number of gateways that serve its guests, within this process; 0 for none."""
        self.server = None
        """The host behind the gateways; None for a standalone host."""
        self.plays = False
        """True if links go to the tables of the host behind the gateways."""
        self.pages = None
        """The host's deep links for browsers."""
        self.running = []
        """The gateways that were started."""
        self.guests = asyncio.Queue()
        self.players = asyncio.Queue()
        self.gone = asyncio.Queue()

    async def on_terminal(self, identity, terminal):
        echo = Echo(terminal)
        self.guests.put_nowait((identity, terminal))
        terminal.write(f"hello {identity.user}\r\n")
        terminal.attach(echo)
        try:
            await echo.over
            if echo.crash:
                raise RuntimeError("the tile fell off the table")
        finally:
            terminal.write("bye\r\n")
            self.gone.put_nowait(identity)

    async def on_link(self, identity, link):
        self.players.put_nowait((identity, link))
        try:
            while (payload := await link.receive()) is not None:
                link.send(payload[::-1])
        finally:
            self.gone.put_nowait(identity)


class Echo:
    """A listener that writes back its input, ends at "q", and crashes at "!"."""

    def __init__(self, terminal):
        self.terminal = terminal
        self.over = asyncio.get_running_loop().create_future()
        self.crash = False

    def on_data(self, data):
        self.terminal.write(data)
        self.crash = b"!" in data
        if (self.crash or b"q" in data) and not self.over.done():
            self.over.set_result(None)

    def on_resize(self, columns, rows):
        self.terminal.write(f"<{columns}x{rows}>")

    def on_pause(self):
        pass

    def on_resume(self):
        pass

    def on_end(self):
        if not self.over.done():
            self.over.set_result(None)


class Pipe:
    """A channel that records the messages and sends them nowhere."""

    def __init__(self):
        self.sent = b""
        self.reading = True
        self.state = "open"

    def write(self, data):
        self.sent += data

    def pause_reading(self):
        self.reading = False

    def resume_reading(self):
        self.reading = True

    def finish(self):
        self.state = "finished"

    def hang_up(self):
        self.state = "cut"


@asynccontextmanager
async def serve_room(room, tmp_path, **more):
    """Open a host, and check that nothing of it is left afterwards."""
    tasks_before = asyncio.all_tasks()
    key = tmp_path / "data/host_key"
    if room.gateways:
        host = through_gateways(room, key, **more)
    else:
        host = serve("127.0.0.1", 0, key, room.on_terminal, room.on_link, **more)
    async with host as server:
        yield server
    remaining_tasks = asyncio.all_tasks() - tasks_before - {asyncio.current_task()}  # a fixture ends in another task
    assert not remaining_tasks, f"still running: {remaining_tasks}"


def through_gateways(
    room,
    key,
    access=None,
    limits=None,
    metrics=None,
    has_reserved_seat=None,
    scheduler=None,
    quotas=None,
    proxied_by=(),
    web=None,
):
    """Serve a room through gateways, whose home is `room.server`."""
    limits = limits or Limits()
    access = access or Access(limits=limits)
    options = AccessOptions(limits=limits, proxied_by=tuple(proxied_by))
    door = DoorOptions("127.0.0.1", access=options, theme="dark", workers=room.gateways, web=web)
    config = GatewayConfig(0, "test", {}, str(key), "", "", door)
    room.server = room.server or Server(
        Lobby(Accounts(), new_secret=lambda: b"seed", software="test", pace=INSTANT), scheduler=scheduler
    )

    async def start(line, taking):
        room.running.append(InProcessGateway(line, taking, access, room))
        return room.running[-1]

    return serve_through_gateways(
        config,
        start,
        room.server,
        access,
        metrics or Metrics(),
        has_reserved_seat,
        quotas,
        second_door=partial(accept_browsers, door) if web else None,
    )


class InProcessGateway:
    """A gateway within this process, in place of another process."""

    def __init__(self, line, taking, access, room):
        self.access, self.room, self.pages = copy(access), room, room.pages
        own_sockets = [socket.socket(fileno=os.dup(number)) for number in (line, taking)]
        self.task = asyncio.create_task(self.run(*own_sockets))

    async def run(self, line, taking):
        with taking:
            await serve_gateway(line, taking, self.prepare)

    def prepare(self, server, config, scheduler):
        self.server, self.begin, self.home, self.scheduler = server, config, server._directory, scheduler
        return self.access, self

    async def on_terminal(self, identity, terminal):
        await self.room.on_terminal(identity, terminal)

    async def on_link(self, identity, link):
        if self.room.plays:
            await self.server.serve(link, visitor(identity))
        else:
            await self.room.on_link(identity, link)

    async def wait(self):
        with suppress(asyncio.CancelledError):
            await asyncio.shield(self.task)
        return 0

    def kill(self):
        self.task.cancel()


def connect_link(server, tmp_path, user="bob", **more):
    """Connect a client of Boneyard; `server` is the host or its port, `more` are options of `connect`."""
    options = {
        "known_hosts": tmp_path / "mine/known_hosts",
        "own_key": tmp_path / "mine/key",
        "on_new_host": lambda *_: True,
        **more,
    }
    return connect("127.0.0.1", getattr(server, "port", server), user, **options)


def connect_stranger(server, key=None, **more):
    """Connect with asyncssh's own client, which may send any request."""
    key = key or asyncssh.generate_private_key("ssh-ed25519")
    options = {"known_hosts": None, "client_keys": [key], "config": None, "agent_path": None, **more}
    return asyncssh.connect("127.0.0.1", server.port, **options)


class SessionOutput(asyncssh.SSHClientSession):
    """The output of a stranger's session; `over` is set at its end."""

    def __init__(self):
        self.out = b""
        self.err = b""
        self.news = asyncio.Event()
        self.over = asyncio.Event()

    def data_received(self, data, datatype):
        if datatype:
            self.err += data
        else:
            self.out += data
        self.news.set()

    def connection_lost(self, exc):
        self.over.set()

    async def wait_for(self, wanted):
        async with asyncio.timeout(TIMEOUT):
            while wanted not in self.out:
                self.news.clear()
                await self.news.wait()


async def open_terminal(connection, **more):
    """Open a terminal on a stranger's connection."""
    options = {"term_type": "xterm", "encoding": None, **more}
    channel, session = await with_timeout(connection.create_session(SessionOutput, **options))
    return channel, session


async def with_timeout(awaitable):
    """Await for at most TIMEOUT seconds."""
    async with asyncio.timeout(TIMEOUT):
        return await awaitable
