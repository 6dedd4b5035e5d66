"""Fuzzes the doors of a real host while two guests play there: `python -m tests.fuzz.door`, or with `--web`.

Each input is one connection of a client that sends random bytes, damages its stream, replaces one of its packets,
offers keys and certificates of all kinds, or makes unusual requests once it is in. `tests.fuzz.web_door` has the
inputs of browsers. The fate of a connection does not matter.
"""

import argparse
import asyncio
import contextlib
import re
import struct
import time
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import asyncssh
from asyncssh.packet import Byte, MPInt, NameList, String, UInt32

from net.limits import CLEANUP_TIMEOUT
from net.wire.messages import MakeTable
from scripts.benches.host_process import run_host
from scripts.people import Person
from tests.fuzz import web_door
from tests.waiting import until

AT_ONCE = 24
"""Connections at a time."""
LIMITS = (
    "connections",
    "per_address",
    "handshakes_per_second",
    "handshakes_at_once",
    "handshakes_in_all",
    "wrong_invitations",
    "login_attempts",
    "unauthenticated",
    "unauthenticated_per_address",
    "strangers_share",
    "sessions_per_key",
)
"""Limits of the host, raised so that the fuzzer does not wait."""
GROWTH = 40.0
"""MiB by which the host may have grown at the end; each open session is half of one."""
WITHIN = 2.0
"""Seconds after which a client gives up: some inputs leave the host waiting for more, as a slow client would."""
_VERSION = b"SSH-2.0-OpenSSH_9.6\r\n"
_NAMES = (
    b"",
    b"none",
    b"\xff\xfe",
    b"a" * 300,
    b"ssh-rsa",
    b"zlib",
    b"ext-info-c",
    b"kex-strict-c-v00@openssh.com",
    b"\0",
)
_NUMBERS = (0, 1, 2, 127, 255, 256, 2**15, 2**16, 2**31 - 1, 2**31, 2**32 - 1)
_TEXTS = (b"", b"\0", b"\xff\xfe\xfd", b"x" * 5000, b"\x1b[2J", "ж漢\u202e".encode(), b"../../etc", b"%s%n", b"a+b")
_KEY = asyncssh.generate_private_key("ssh-ed25519")
_CURVES = ("nistp256", "nistp384", "nistp521")
_CERTIFICATES = (
    "ssh-rsa-cert-v01@openssh.com",
    "ssh-ed25519-cert-v01@openssh.com",
    "ecdsa-sha2-nistp256-cert-v01@openssh.com",
)

# Layouts of packets: s a string, n a list of names, u a number, b a boolean, c the cookie, r all the rest.
_LAYOUTS = {
    20: "c" + "n" * 10 + "bu",
    30: "s",
    5: "s",
    50: "sss" + "r",
    80: "sbr",
    90: "suuu",
    93: "uu",
    94: "us",
    95: "uus",
    96: "u",
    97: "u",
    98: "usbr",
}


async def attack(port: int, number: int, seed: int, done: Counter[str], kinds) -> None:
    """Make connection `number` of a seed to a host on this machine; count the kind of its input."""
    rng = Random(f"{seed} {number}")
    kind = rng.choices(list(kinds), [weight for weight, _ in kinds.values()])[0]
    done[kind] += 1
    with contextlib.suppress(Exception):  # any error of a client that speaks nonsense
        async with asyncio.timeout(WITHIN):
            await kinds[kind][1](port, rng)


def _rest(rng: Random, share: float = 1.0) -> bytes:
    return (
        rng.choice((b"", rng.randbytes(rng.randrange(80)), String(rng.choice(_TEXTS)), UInt32(rng.choice(_NUMBERS))))
        if rng.random() < share
        else b""
    )


# Bytes of no client.


async def _raw(port: int, rng: Random) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        first = rng.choice(
            (b"", _VERSION, b"SSH-2.0-\xff\r\n", b"SSH-1.99-\xc3\x28\n", b"GET / HTTP/1.1\r\n\r\n", b"\r\n" * 30)
        )
        writer.write(_mutated(rng, first) if rng.random() < 0.5 else first)
        for _ in range(rng.randrange(4)):
            writer.write(_packet(rng, rng.choice((20, 30, 31, 34, 21, 1, 2, 3, 4, 5, 50, 90, rng.randrange(256)))))
        if rng.random() < 0.3:
            writer.write(rng.randbytes(rng.randrange(3000)))
        await writer.drain()
        if rng.random() < 0.5:
            writer.write_eof()
        await asyncio.wait_for(reader.read(8192), 0.2 + rng.random() / 5)
    finally:
        writer.transport.abort()


def _packet(rng: Random, kind: int) -> bytes:
    """Return a packet as before encryption begins, with a length and a padding that may be wrong."""
    body = Byte(kind) + _body(rng, kind)
    padding = (
        rng.choice((8 - (5 + len(body)) % 8 + 8, 0, 1, 4, 255)) if rng.random() < 0.3 else 8 - (5 + len(body)) % 8 + 8
    )
    length = rng.choice(_NUMBERS) if rng.random() < 0.1 else 1 + len(body) + padding
    return UInt32(length) + Byte(padding) + body + bytes(padding)


# A client whose stream is damaged.


class _Proxy:
    """Accepts one connection, and forwards it with the client's bytes damaged somewhere."""

    def __init__(self, port: int, rng: Random) -> None:
        self._port = port
        self._rng = rng
        self._at = rng.choice((rng.randrange(2500), rng.randrange(200), rng.randrange(6000)))
        self._passed = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ahead, back = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._pass(reader, back, damages=True))
                group.create_task(self._pass(ahead, writer))
        except* Exception:
            pass
        finally:
            back.transport.abort()
            writer.transport.abort()

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, damages: bool = False
    ) -> None:
        while data := await reader.read(65536):
            if damages:
                before, self._passed = self._passed, self._passed + len(data)
                if before <= self._at < self._passed:
                    at = self._at - before
                    data = data[:at] + _mutated(self._rng, data[at:])
            writer.write(data)
            await writer.drain()
        writer.close()


def _mutated(rng: Random, data: bytes) -> bytes:
    """Return a copy of some bytes in which a few are changed, cut, inserted, repeated or exchanged."""
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data) + 1) if data else 0
        end = min(len(data), at + rng.choice((1, 2, 4, 16, 64)))
        match rng.randrange(6):
            case 0:
                data = data[:at] + rng.randbytes(end - at) + data[end:]
            case 1:
                data = data[:at] + data[end:]
            case 2:
                data = data[:at] + rng.randbytes(rng.choice((1, 4, 40))) + data[at:]
            case 3:
                data = data[:end] + data[at:end] + data[end:]
            case 4:
                data = data[:at]
            case 5:
                data = data[end:] + data[at:end] + data[:at]
    return data


async def _damaged(port: int, rng: Random) -> None:
    proxy = _Proxy(port, rng)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    async with server, saying(server.sockets[0].getsockname()[1]) as connection:
        await _window(connection, rng, rng.randrange(4))


# A client that replaces one of its packets, correctly encrypted.


class _PacketForger(asyncssh.SSHClient):
    """Sends in place of each packet those that `lie` returns for the packet's type and body."""

    def __init__(self, lie) -> None:
        self._lie = lie

    def connection_made(self, conn: asyncssh.SSHClientConnection) -> None:
        send = conn.send_packet

        def send_packet(kind, *parts, handler=None):
            for false_kind, body in self._lie(kind, b"".join(parts)):
                send(false_kind, body, handler=handler)

        conn.send_packet = send_packet


async def _bent_packet(port: int, rng: Random) -> None:
    which, count = rng.randrange(12), 0

    def lie(kind, body):
        nonlocal count
        count += 1
        if count - 1 != which:
            return [(kind, body)]
        match rng.randrange(5):
            case 0:
                return [(kind, _mutated(rng, body))]
            case 1:
                return [(kind, body), (kind, body)]
            case 2:
                return [(rng.randrange(256), body)]
            case 3:
                return [(other := rng.choice(list(_LAYOUTS)), _body(rng, other)), (kind, body)]
            case _:
                return [(kind, _rebuilt(rng, kind, body))]

    async with saying(port, lie) as connection:
        await _window(connection, rng, rng.randrange(3))


async def _keys(port: int, rng: Random) -> None:
    """Offer keys and certificates of all kinds, with and without a signature."""

    def lie(kind, body):
        if kind != 50:
            return [(kind, body)]
        sent = []
        for _ in range(rng.randint(1, 4)):
            algorithm, blob = _public_key(rng)
            method = rng.choice(
                (b"publickey",) * 8 + (b"keyboard-interactive", b"password", b"hostbased", b"none", b"\xff")
            )
            signed = rng.random() < 0.4
            more = Byte(signed) + String(algorithm) + String(blob)
            if signed:
                more += String(String(algorithm) + String(rng.randbytes(rng.choice((0, 1, 64, 300)))))
            if method != b"publickey":
                more = _rest(rng)
            user = rng.choice(_TEXTS) if rng.random() < 0.2 else b"ann"
            sent.append((50, String(user) + String(b"ssh-connection") + String(method) + more))
        return [*sent, (kind, body)] if rng.random() < 0.3 else sent

    async with saying(port, lie):
        pass


def _public_key(rng: Random) -> tuple[bytes, bytes]:
    numbers = (0, 1, 2, 3, 4, 65537, -1, 2**64, 2**2047 + 1, 2**9000 + 1, rng.getrandbits(2048))
    match rng.randrange(9):
        case 0 | 1:
            algorithm = rng.choice((b"ssh-rsa", b"rsa-sha2-256", b"rsa-sha2-512"))
            return algorithm, String(b"ssh-rsa") + MPInt(rng.choice(numbers)) + MPInt(rng.choice(numbers))
        case 2 | 3:
            curve = rng.choice(_CURVES).encode()
            point = rng.choice(
                (
                    b"",
                    b"\0",
                    b"\x04" + rng.randbytes(64),
                    b"\x02" + rng.randbytes(32),
                    b"\x04" + bytes(64),
                    rng.randbytes(133),
                )
            )
            name = b"ecdsa-sha2-" + curve
            return name, String(name) + String(rng.choice((curve, b"nistp256", b"\xff"))) + String(point)
        case 4:
            name = rng.choice((b"ssh-ed25519", b"ssh-ed448"))
            return name, String(name) + String(rng.randbytes(rng.choice((0, 1, 31, 32, 33, 57, 100))))
        case 5:
            return b"ssh-dss", String(b"ssh-dss") + b"".join(MPInt(rng.choice(numbers)) for _ in range(4))
        case 6:
            name = rng.choice(
                (b"sk-ssh-ed25519@openssh.com", b"sk-ecdsa-sha2-nistp256@openssh.com", b"x509v3-ssh-rsa", b"\xff\xff")
            )
            return name, String(name) + String(rng.randbytes(32)) + String(rng.choice(_TEXTS))
        case 7:
            name = rng.choice(_CERTIFICATES).encode()
            ours = rng.choice((_KEY.public_data, rng.randbytes(60), b""))
            fields = [
                String(rng.randbytes(32)),
                String(rng.randbytes(32)),
                UInt32(0) + UInt32(rng.choice(_NUMBERS)),
                UInt32(rng.choice(_NUMBERS)),
                String(rng.choice(_TEXTS)),
                String(rng.choice((b"", String(b"ann"), rng.randbytes(9)))),
                bytes(8),
                b"\xff" * 8,
                String(rng.choice(_TEXTS)),
                String(rng.choice(_TEXTS)),
                String(b""),
                String(ours),
                String(rng.randbytes(83)),
            ]
            return name, String(name) + b"".join(fields[: rng.randint(3, 13)])
        case _:
            return _KEY.get_algorithm().encode(), _mutated(rng, _KEY.public_data)


async def _requests(port: int, rng: Random) -> None:
    """Log in, and make requests that no client makes."""
    async with saying(port, user=rng.choice(("ann", "ж+кот", "a" * 80))) as connection:
        for _ in range(rng.randrange(4)):
            connection.send_packet(
                rng.choice((80, 90, 98, 93, 94, 95, 97, 99, 100, 192)), _body(rng, rng.choice(list(_LAYOUTS)))
            )
        if rng.random() < 0.5:
            connection.send_packet(
                80,
                String(
                    rng.choice(
                        (
                            b"tcpip-forward",
                            b"keepalive@openssh.com",
                            b"no-more-sessions@openssh.com",
                            b"hostkeys-prove-00@openssh.com",
                            b"\xff",
                        )
                    )
                )
                + Byte(1)
                + _rest(rng),
            )
        await _window(connection, rng, rng.randint(1, 8))


async def _window(connection: asyncssh.SSHClientConnection, rng: Random, most: int) -> None:
    """Open a channel, make `most` unusual requests there at most, type something, and leave."""
    channel = rng.choice((0, 1, 2, 2**31, 2**32 - 1))
    kind = rng.choice(
        (b"session",) * 6
        + (b"direct-tcpip", b"x11", b"auth-agent@openssh.com", b"\xff", b"direct-streamlocal@openssh.com")
    )
    connection.send_packet(
        90,
        String(kind)
        + UInt32(channel)
        + UInt32(rng.choice((2**21, *_NUMBERS)))
        + UInt32(rng.choice((2**15, *_NUMBERS)))
        + _rest(rng, 0.2),
    )
    await asyncio.sleep(0.01)
    for name in [b"pty-req", *rng.choices(tuple(_ASKED), k=most), rng.choice((b"shell", b"subsystem", b"exec"))]:
        connection.send_packet(98, UInt32(0) + String(name) + Byte(rng.randrange(2)) + _ASKED[name](rng))
    await asyncio.sleep(rng.choice((0, 0, 0.05, 0.2)))
    for _ in range(rng.randrange(4)):
        connection.send_packet(
            94,
            UInt32(0)
            + String(
                _mutated(
                    rng,
                    rng.choice(
                        (b"\x1b[99999999999u", b"\xff\r", b"hello\r", b"\0\0\0\4\x91\xc1", b"\x1b[<0;9999;9999M")
                    ),
                )
            ),
        )
    await asyncio.sleep(0)


_ASKED = {
    b"pty-req": lambda rng: (
        String(rng.choice((b"xterm", b"xterm", *_TEXTS)))
        + b"".join(UInt32(rng.choice((80, 24, *_NUMBERS))) for _ in range(4))
        + String(rng.choice((b"", b"\0", rng.randbytes(11), b"\x35\0\0\0\1" * 50)))
    ),
    b"env": lambda rng: (
        String(rng.choice((b"LANG", b"COLORTERM", b"LC_ALL", b"BONEYARD_ANSWERS_WITHIN", *_TEXTS)))
        + String(rng.choice(_TEXTS))
    ),
    b"shell": lambda rng: _rest(rng, 0.2),
    b"exec": lambda rng: String(rng.choice((b"plain", b"no-pictures", b"scp -t /", *_TEXTS))),
    b"subsystem": lambda rng: String(rng.choice((b"boneyard", b"sftp", *_TEXTS))),
    b"window-change": lambda rng: b"".join(UInt32(rng.choice((80, 24, *_NUMBERS))) for _ in range(4)),
    b"signal": lambda rng: String(rng.choice((b"INT", b"KILL", *_TEXTS))),
    b"break": lambda rng: UInt32(rng.choice(_NUMBERS)),
    b"xon-xoff": lambda rng: Byte(rng.randrange(256)),
    b"x11-req": _rest,
    b"auth-agent-req@openssh.com": _rest,
    b"eow@openssh.com": lambda rng: b"",
    b"exit-status": lambda rng: UInt32(rng.choice(_NUMBERS)),
    b"\xff\xfe": _rest,
}


def saying(port: int, lie=None, user: str = "ann"):
    """Connect a client that sends, for each packet, those that `lie(type, body)` returns; without it, the packet."""
    factory = None if lie is None else lambda: _PacketForger(lie)
    return asyncssh.connect(
        "127.0.0.1",
        port,
        username=user,
        client_keys=[_KEY],
        known_hosts=None,
        config=None,
        agent_path=None,
        client_factory=factory,
        connect_timeout=WITHIN,
        compression_algs=None,
    )


# Bodies of packets.


def _body(rng: Random, kind: int) -> bytes:
    """Return a body that a packet of this type may have, with unexpected values."""
    layout = _LAYOUTS.get(kind, "r")
    return b"".join(
        _value(rng, part) for part in layout[: rng.choice((len(layout), len(layout), rng.randint(0, len(layout))))]
    )


def _value(rng: Random, kind: str) -> bytes:
    match kind:
        case "c":
            return rng.randbytes(16)
        case "n":
            return NameList([rng.choice(_NAMES) for _ in range(rng.choice((0, 1, 3, 50)))])
        case "u":
            return UInt32(rng.choice(_NUMBERS))
        case "b":
            return Byte(rng.choice((0, 1, 2, 255)))
        case "s":
            return String(rng.choice(_TEXTS))
    return _rest(rng)


def _rebuilt(rng: Random, kind: int, body: bytes) -> bytes:
    """Return a body with one of its values replaced by an unexpected one, or by a wrong length."""
    parts, at = [], 0
    for entry in _LAYOUTS.get(kind, "r"):
        size = {"c": 16, "u": 4, "b": 1, "r": len(body)}.get(entry)
        if size is None:
            size = 4 + struct.unpack(">I", body[at : at + 4].ljust(4, b"\0"))[0]
        parts.append((entry, body[at : at + size]))
        at += size
    which = rng.randrange(len(parts))
    letter, was = parts[which]
    new = UInt32(rng.choice(_NUMBERS)) + was[4:] if letter in "sn" and rng.random() < 0.4 else _value(rng, letter)
    return b"".join(new if number == which else part for number, (_, part) in enumerate(parts)) + body[at:]


_KINDS = {
    "raw": (5, _raw),
    "damaged": (3, _damaged),
    "packets": (4, _bent_packet),
    "keys": (4, _keys),
    "requests": (3, _requests),
}


class Harm(AssertionError):  # noqa: N818 - it is one
    """The host, or one of the two guests, was affected by the strangers' input."""


async def fuzz(inputs: int, seed: int, *words: str, every: int = 5000, web: bool = False) -> str:
    """Fuzz one door with some `inputs`, and return a report; `words` are more options of the host. Raises Harm."""
    kinds = web_door.KINDS if web else _KINDS
    words = (*words, "--web", "127.0.0.1:0") if web else words
    raised = [word for name in LIMITS for word in ("--limit", f"{name}={1 if 'share' in name else 100000}")]
    done: Counter[str] = Counter()
    with TemporaryDirectory() as folder:
        async with run_host(None, *raised, *words) as host:
            two = [
                Person("ada", [host.port], Path(folder), table_request=MakeTable("draw", 2, {}), think_seconds=0.2),
                Person("bela", [host.port], Path(folder), opener="ada", think_seconds=0.2),
            ]
            async with playing(two):
                await wait_for_actions(two)
                memory, began, numbers = [host.mib], time.monotonic(), iter(range(1, inputs + 1))

                async def attack_in_turn() -> None:
                    for number in numbers:
                        await attack(host.web if web else host.port, number, seed, done, kinds)
                        if host.process.returncode is not None:
                            raise Harm(f"The host ended at input {number} of seed {seed}: {host.logged_errors[-1:]}")
                        if number % every == 0:
                            memory.append(host.mib)
                            print(f"{number:,} inputs, {time.monotonic() - began:.0f} s, {memory[-1]:.0f} MiB")

                await asyncio.gather(*(attack_in_turn() for _ in range(AT_ONCE)))
                await wait_for_actions(two)
            await asyncio.sleep(CLEANUP_TIMEOUT + 1)  # for the data that the host keeps of departed guests
            grown = host.mib - memory[min(1, len(memory) - 1)]
            events = Counter(re.findall(r" (?:WARNING|ERROR) \S+ ([\w-]+)", "\n".join(host.logged_errors)))
            report = f"{done.total():,} inputs {dict(done)}; {grown:+.0f} MiB; logged {dict(events)}"
            failures = [line for line in host.logged_errors if " net.contained " in line]
    if any(person.outages for person in two) or failures or grown > GROWTH:
        raise Harm("\n".join((report, *(str(person) for person in two), *failures)))
    return report


@contextlib.asynccontextmanager
async def playing(people):
    """Let people play for the length of the block."""
    tasks = [asyncio.ensure_future(person.play()) for person in people]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def wait_for_actions(people) -> None:
    """Wait until each guest has acted once more."""
    before = [person.acts for person in people]
    await until(lambda: all(person.acts > acts for person, acts in zip(people, before, strict=True)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser("python -m tests.fuzz.door", description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--web", action="store_true", help="the door of browsers")
    parser.add_argument("words", nargs="*", help="more options of the host, after --")
    options = parser.parse_args()
    print(asyncio.run(fuzz(options.inputs, options.seed, *options.words, web=options.web)))
