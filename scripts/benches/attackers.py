"""Attackers of a host: they stop reading, send junk, open and drop connections, press random keys, and more.

Started as a program of its own by `attack.py`: `attackers.py SSH-PORT,WEB-PORT KIND=COUNT … SECONDS`, where a kind is
one of `KINDS`. Each has an address of its own, 127.0.1.x and so on, and reconnects at once when it is disconnected;
only twenty idle ones share an address. Prints a line of JSON.
"""

import asyncio
import json
import os
import random
import socket
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import asyncssh
from guests import log_in

from core.actions import Draw
from net.wire.link import frame, pack
from net.wire.messages import PROTOCOL, Act, Enter, Hello, Leave, MakeTable, Watch

COUNTS: Counter[str] = Counter()
"""Events of all attackers of this process, by their name in the report."""


class RawConnection(asyncssh.SSHClientSession[bytes]):
    """A channel of a terminal or a link that counts its bytes and signals its end."""

    def __init__(self, on_data: Callable[[bytes], None] = lambda _: None) -> None:
        self.ended = asyncio.Event()
        self.can_write = asyncio.Event()
        self.can_write.set()
        self._on_data = on_data

    def connection_made(self, chan: Any) -> None:
        """Store the channel."""
        self.chan = chan

    def data_received(self, data: bytes, _datatype: int | None) -> None:
        """Count the data, and pass them on."""
        COUNTS["bytes read"] += len(data)
        self._on_data(data)

    def connection_lost(self, _exc: Exception | None) -> None:
        """Signal the end."""
        self.ended.set()
        self.can_write.set()

    def pause_writing(self) -> None:
        """Signal that there is no room."""
        self.can_write.clear()

    def resume_writing(self) -> None:
        """Signal that there is room again."""
        self.can_write.set()


@asynccontextmanager
async def open_page(port: int, address: str) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    """Open the WebSocket of a page."""
    connector = aiohttp.TCPConnector(local_addr=(address, 0))
    headers = {"Origin": f"http://127.0.0.1:{port}"}
    async with (
        aiohttp.ClientSession(connector=connector) as session,
        session.ws_connect(f"http://127.0.0.1:{port}/ws", headers=headers, compress=15, max_msg_size=0) as socket,
    ):
        yield socket


async def dial(port: int, address: str, narrow: bool = False) -> socket.socket:
    """Open a TCP connection from one of this machine's addresses; a `narrow` one has a small receive buffer."""
    sock = socket.socket()
    try:
        sock.setblocking(False)
        if narrow:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.bind((address, 0))
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port))
    except BaseException:
        sock.close()
        raise
    return sock


async def login(port: int, address: str, name: str, narrow: bool = False) -> asyncssh.SSHClientConnection:
    """Log in without a key."""
    return await log_in(name, sock=await dial(port, address, narrow), login_timeout=20)


async def open_terminal(connection: asyncssh.SSHClientConnection) -> RawConnection:
    """Open a terminal."""
    channel = RawConnection()
    await connection.create_session(lambda: channel, term_type="xterm-256color", term_size=(80, 24), encoding=None)
    return channel


async def open_link(connection: asyncssh.SSHClientConnection, name: str) -> RawConnection:
    """Open a link and enter."""
    channel = RawConnection()
    await connection.create_session(lambda: channel, subsystem="boneyard", encoding=None)
    channel.chan.write(frame(pack(Hello(PROTOCOL, "attack"))) + frame(pack(Enter(name))))
    return channel


def stop_reading(connection: asyncssh.SSHClientConnection) -> None:
    """Stop reading from the socket, for good."""
    connection._transport.pause_reading()  # type: ignore[union-attr]


RNG = random.Random(9)
JUNK_SIZE = 4096
"""Bytes of junk in one write."""
STALE = frame(pack(Act(0, Draw())))
"""A message that is answered with a refusal and a whole update."""

# Attackers that stop reading


async def silent_terminal(port: int, address: str, number: int) -> None:
    """Watch a busy table, stop reading, and keep pressing keys that are answered."""
    async with await login(port, address, f"mute{number}", narrow=True) as connection:
        channel = await open_terminal(connection)
        await asyncio.sleep(0.5)
        for key in (b"\r", *[b"\x1b[B"] * (number % 3), b"w"):
            channel.chan.write(key)
            await asyncio.sleep(0.3)
        stop_reading(connection)
        COUNTS["silent terminals"] += 1
        while not channel.ended.is_set():
            await channel.can_write.wait()
            channel.chan.write(RNG.choice((b"?", b"\x1b", b"v", b"\x1b[A", b"\x1b[C")))
            await asyncio.sleep(0.05)
    COUNTS["silent terminals cut"] += 1


async def silent_link(port: int, address: str, number: int) -> None:
    """Sit at a table of bots, stop reading, and keep sending requests that are answered with a whole update."""
    async with await login(port, address, f"deaf{number}", narrow=True) as connection:
        channel = await open_link(connection, f"deaf{number}")
        table_request = MakeTable("mexican-train", 4, {}, bots=3)
        channel.chan.write(frame(pack(table_request)))
        await asyncio.sleep(1)
        stop_reading(connection)
        COUNTS["silent links"] += 1
        while not channel.ended.is_set():
            await channel.can_write.wait()
            channel.chan.write(STALE)
            await asyncio.sleep(0.055)
    COUNTS["silent links cut"] += 1


# Attackers that send junk


async def junk_before_banner(port: int, address: str, _number: int) -> None:
    """Send bytes that are not SSH."""
    sock = await dial(port, address)
    with sock:
        loop = asyncio.get_running_loop()
        while True:
            await loop.sock_sendall(sock, RNG.randbytes(JUNK_SIZE))
            COUNTS["junk bytes"] += JUNK_SIZE


async def junk_frames(port: int, address: str, number: int) -> None:
    """Send frames that are not messages."""
    async with await login(port, address, f"junk{number}") as connection:
        channel = await open_link(connection, f"junk{number}")
        COUNTS["junk links"] += 1
        while not channel.ended.is_set():
            await channel.can_write.wait()
            channel.chan.write(frame(RNG.randbytes(200)))
            COUNTS["junk frames"] += 1
            await asyncio.sleep(0)


async def flood_frames(port: int, address: str, number: int) -> None:
    """Send valid messages that cause work, without a pause."""
    async with await login(port, address, f"flood{number}") as connection:
        channel = await open_link(connection, f"flood{number}")
        COUNTS["flooding links"] += 1
        channel.chan.write(frame(pack(MakeTable("draw", 4, {}, bots=3))))
        while not channel.ended.is_set():
            await channel.can_write.wait()
            channel.chan.write(STALE * 20)
            COUNTS["flooding frames"] += 20
            await asyncio.sleep(0)


async def type_junk(port: int, address: str, number: int) -> None:
    """Type and paste without a pause."""
    async with await login(port, address, f"typist{number}") as connection:
        channel = await open_terminal(connection)
        COUNTS["typing terminals"] += 1
        await asyncio.sleep(0.3)
        channel.chan.write(b"\r")
        keys = (b"\x1b[A", b"\x1b[B", b"?", b"\x1b", b"n", b"x", b"7", b"\x1b[200~" + b"paste " * 200 + b"\x1b[201~")
        while not channel.ended.is_set():
            await channel.can_write.wait()
            channel.chan.write(b"".join(RNG.choices(keys, weights=(9, 9, 1, 1, 1, 9, 9, 1), k=40)))
            COUNTS["typed keys"] += 40
            await asyncio.sleep(0)


# Attackers that open and drop connections


async def drop_after_connect(port: int, address: str, _number: int) -> None:
    """Hang up before sending anything."""
    (await dial(port, address)).close()
    COUNTS["dropped after the connect"] += 1


async def drop_after_banner(port: int, address: str, _number: int) -> None:
    """Hang up after both ends have sent their version."""
    loop = asyncio.get_running_loop()
    with await dial(port, address) as sock:
        await loop.sock_sendall(sock, b"SSH-2.0-nobody\r\n")
        if await loop.sock_recv(sock, 100):
            COUNTS["dropped after the banner"] += 1


async def drop_after_exchange(port: int, address: str, _number: int) -> None:
    """Hang up after the key exchange."""
    try:
        await asyncssh.connect(
            sock=await dial(port, address),
            username="nobody",
            known_hosts=None,
            config=None,
            client_keys=None,
            agent_path=None,
            preferred_auth=["publickey"],  # no key is offered, so nothing follows the exchange
            login_timeout=20,
        )
    except asyncssh.PermissionDenied:
        COUNTS["dropped after the key exchange"] += 1


async def drop_after_login(port: int, address: str, number: int) -> None:
    """Hang up after the login."""
    connection = await login(port, address, f"passer{number}")
    connection.abort()
    COUNTS["dropped after the login"] += 1


# Attackers that mash keys


async def masher(port: int, address: str, number: int) -> None:
    """Press random keys in a window whose size keeps changing, for some seconds; then hang up."""
    async with await login(port, address, f"masher{number}") as connection:
        channel = await open_terminal(connection)
        COUNTS["mashing terminals"] += 1
        channel.chan.write(b"\r")
        end_time = asyncio.get_running_loop().time() + RNG.uniform(3, 15)
        while not channel.ended.is_set() and asyncio.get_running_loop().time() < end_time:
            await channel.can_write.wait()
            channel.chan.write(b"".join(RNG.choices(MASHED, k=RNG.randrange(1, 6))))
            COUNTS["mashed keys"] += 3
            if RNG.random() < 0.15:
                channel.chan.change_terminal_size(RNG.randrange(20, 500), RNG.randrange(10, 200))
            await asyncio.sleep(RNG.uniform(0, 0.2))


# Attackers that ask for new keys


async def rekeyer(port: int, address: str, number: int) -> None:
    """Request new keys as fast as possible, with the costliest exchange that the host offers."""
    async with await login(port, address, f"rekeyer{number}") as connection:
        channel = await open_terminal(connection)
        COUNTS["lines that ask for new keys"] += 1
        conn: Any = connection
        while not channel.ended.is_set():
            if conn._kex_complete and conn._kex is None:
                conn._rekey_bytes_sent = conn._rekey_bytes
                conn.send_debug("new keys")
                COUNTS["new keys asked for"] += 1
            await asyncio.sleep(0.001)
    COUNTS["lines that asked for new keys, cut"] += 1


# Attackers that watch and leave


async def watcher(port: int, address: str, number: int) -> None:
    """Watch the first table and leave it, as often as the host allows."""
    async with await login(port, address, f"watcher{number}") as connection:
        channel = await open_link(connection, f"watcher{number}")
        COUNTS["watching links"] += 1
        while not channel.ended.is_set():
            await channel.can_write.wait()
            channel.chan.write(frame(pack(Watch(1))) + frame(pack(Leave())))
            COUNTS["watched and left"] += 1
            await asyncio.sleep(0.11)


# Attackers that only hold connections


async def idler(port: int, address: str, _number: int) -> None:
    """Hold a silent connection open, and open another when it is closed."""
    loop = asyncio.get_running_loop()
    with await dial(port, address) as sock:
        while await loop.sock_recv(sock, 100):
            COUNTS["idle sockets"] += 1
    COUNTS["idle sockets closed by the host"] += 1


# Attackers of the web door; their port is that of browsers


async def slow_request(port: int, address: str, _number: int) -> None:
    """Send a request that never ends, byte by byte."""
    loop = asyncio.get_running_loop()
    with await dial(port, address) as sock:
        await loop.sock_sendall(sock, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
        COUNTS["slow requests"] += 1
        while True:
            await loop.sock_sendall(sock, b"x")
            await asyncio.sleep(0.5)


async def page_flood(port: int, address: str, _number: int) -> None:
    """Request the page, again and again on one connection."""
    loop = asyncio.get_running_loop()
    with await dial(port, address) as sock:
        while True:
            await loop.sock_sendall(sock, b"GET /t/1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            if not await loop.sock_recv(sock, 100_000):
                return
            COUNTS["pages"] += 1


async def false_proofs(port: int, address: str, _number: int) -> None:
    """Open a socket and send a false proof of a key."""
    async with open_page(port, address) as socket:
        proof = {"kind": "ed25519", "public": "A" * 44, "signature": "B" * 88}
        enter = {"t": "enter", "columns": 80, "rows": 24, "key": proof}
        await socket.send_bytes(b"\1" + json.dumps(enter).encode())
        while (await socket.receive()).type is aiohttp.WSMsgType.BINARY:
            pass
        COUNTS["false proofs"] += 1


async def send_bomb(port: int, address: str, _number: int) -> None:
    """Send a frame that unpacks to megabytes."""
    async with open_page(port, address) as socket:
        await socket.send_bytes(bytes(4_000_000))
        while (await socket.receive()).type is aiohttp.WSMsgType.BINARY:
            pass
        COUNTS["bombs"] += 1


async def browser_masher(port: int, address: str, number: int) -> None:
    """Enter in a browser, and press keys as fast as they are taken."""
    async with open_page(port, address) as socket:
        enter = {"t": "enter", "columns": 300, "rows": 100, "user": f"web{number}", "path": "/g/mexican-train"}
        await socket.send_bytes(b"\1" + json.dumps(enter).encode())
        reader_task = asyncio.ensure_future(drain(socket))
        COUNTS["mashing browsers"] += 1
        while not reader_task.done():
            await socket.send_bytes(b"\0" + RNG.choice(MASHED))
            await asyncio.sleep(0.005)


@asynccontextmanager
async def enter_in_browser(
    port: int, address: str, name: str, path: str = ""
) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    """Enter in a browser under a name, at the target of a deep link."""
    async with open_page(port, address) as page:
        enter = {"t": "enter", "columns": 120, "rows": 40, "user": name, "path": path}
        await page.send_bytes(b"\1" + json.dumps(enter).encode())
        yield page


async def silent_page(port: int, address: str, number: int) -> None:
    """Watch a table in a browser, stop reading, and keep pressing keys to each of which the host sends an answer."""
    async with enter_in_browser(port, address, f"still{number}", "/w/1") as page:
        await asyncio.sleep(1)
        page._conn.transport.pause_reading()  # type: ignore[union-attr]
        COUNTS["silent pages"] += 1
        while not page.closed:
            await page.send_bytes(b"\0" + RNG.choice((b"?", b"\x1b", b"v", b"\x1b[A", b"\x1b[C")))
            await asyncio.sleep(0.05)


async def typing_page(port: int, address: str, number: int) -> None:
    """Type and paste in a browser without a pause."""
    async with enter_in_browser(port, address, f"page{number}") as page:
        reader_task = asyncio.ensure_future(drain(page))
        COUNTS["typing pages"] += 1
        while not reader_task.done():
            await page.send_bytes(b"\0" + b"".join(RNG.choices((*MASHED, PASTE + b"paste " * 200), k=40)))


async def passing_page(port: int, address: str, number: int) -> None:
    """Enter in a browser, and leave at once or after the first picture."""
    async with enter_in_browser(port, address, f"passes{number}") as page:
        if number % 2:
            while (await page.receive()).data[:1] == b"\1":
                pass
        COUNTS["passing pages"] += 1


async def drain(socket: aiohttp.ClientWebSocketResponse) -> None:
    """Read and drop all frames."""
    async for _frame in socket:
        pass


PASTE = b"\x1b[200~"
MASHED = [*(key.encode() for key in "\r\rxpvy?twnq3a \x1b"), b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D"]
KINDS: dict[str, dict[Callable[[int, str, int], Awaitable[None]], str]] = {
    "silent": {silent_terminal: "silent terminals", silent_link: "silent links"},
    "junk": {
        junk_before_banner: "junk bytes",
        junk_frames: "junk links",
        flood_frames: "flooding links",
        type_junk: "typing terminals",
    },
    "droppers": {
        drop_after_connect: "dropped after the connect",
        drop_after_banner: "dropped after the banner",
        drop_after_exchange: "dropped after the key exchange",
        drop_after_login: "dropped after the login",
    },
    "mashers": {masher: "mashing terminals"},
    "rekeyers": {rekeyer: "lines that asked for new keys, cut"},
    "watchers": {watcher: "watched and left"},
    "idle": {idler: "idle sockets"},
    "web": {
        slow_request: "slow requests",
        page_flood: "pages",
        false_proofs: "false proofs",
        send_bomb: "bombs",
        browser_masher: "mashing browsers",
        silent_page: "silent pages",
        typing_page: "typing pages",
        passing_page: "passing pages",
    },
    "sockets": {idler: "idle sockets"},
}
"""By kind: the attacks, and the counter of each attack's last step."""
CONNECTIONS_PER_ADDRESS = 20
"""Idle sockets from one address."""
WEB = ("web", "sockets")
"""The kinds that attack the port of browsers."""
START_TIMEOUT = 60
"""Maximum seconds until each attack has reached its last step."""


async def repeat_forever(
    attack: Callable[[int, str, int], Awaitable[None]], port: int, address: str, number: int
) -> None:
    """Repeat an attack forever; count the reasons of its failures."""
    while True:
        try:
            await attack(port, address, number)
        except (OSError, asyncssh.Error, aiohttp.ClientError, TimeoutError) as error:
            COUNTS[f"{attack.__name__}: {type(error).__name__}"] += 1
            await asyncio.sleep(0.005)  # no busy loop of our own: the four players' generator shares this core
        await asyncio.sleep(0)


async def main(ports: tuple[int, int], counts: dict[str, int], seconds: float) -> None:
    """Run all attackers for a while; `ports` are those of SSH and of browsers."""
    tasks, expected = [], []
    for subnet, (kind, count) in enumerate(counts.items(), 1):
        attacks = list(KINDS[kind].items())
        expected += [counter_name for _, counter_name in attacks[:count]]
        for number in range(count):
            index = number // CONNECTIONS_PER_ADDRESS if kind in ("idle", "sockets") else number
            port, address = ports[kind in WEB], f"127.0.{subnet + index // 250 * len(counts)}.{index % 250 + 1}"
            attack = repeat_forever(attacks[number % len(attacks)][0], port, address, number)
            tasks.append(asyncio.create_task(attack))
    await asyncio.sleep(seconds)
    for _ in range(START_TIMEOUT):  # a busy machine needs longer before each attack has reached its last step
        if not all(COUNTS[counter_name] for counter_name in expected):
            await asyncio.sleep(1)
    for task in tasks:
        task.cancel()
    print(json.dumps(COUNTS), flush=True)
    os._exit(0)  # hundreds of connections would close one by one


if __name__ == "__main__":
    _, port_list, *kind_counts, duration = sys.argv
    asyncio.run(
        main(
            (int(port_list.partition(",")[0]), int(port_list.partition(",")[2])),
            {kind: int(count) for kind, count in (kind_count.split("=") for kind_count in kind_counts)},
            float(duration),
        )
    )
