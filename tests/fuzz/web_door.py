"""Inputs of strangers at the port of browsers, for `tests.fuzz.door`: requests, frames, messages and forms."""

import asyncio
import base64
import json
import struct
from random import Random

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_METHODS = (b"GET",) * 8 + (b"HEAD", b"POST", b"PUT", b"OPTIONS", b"CONNECT", b"PRI", b"", b"\xff")
_PATHS = (
    b"/",
    b"/learn",
    b"/t/1",
    b"/w/1",
    b"/t/99999999999999999999",
    b"/t/\xc2\xb2",
    b"/g/draw",
    b"/g/%00",
    b"/g/mexican-train",
    b"/r/0123",
    b"/r/" + b"a" * 64,
    b"/picture/t/1.png",
    b"/picture/g/draw.png",
    b"/plain",
    b"/plain/g/draw",
    b"/plain/0/say",
    b"/static/0/page.js",
    b"/page.js",
    b"/icon.svg",
    b"/ws",
    b"/no-websocket",
    b"//[",
    b"/../etc/passwd",
    b"/%2e%2e/%ff",
    b"*",
    b"http://[",
    b"/t/1?code=" + b"x" * 300,
    b"/\xff\xfe",
)
_HOSTS = (
    b"127.0.0.1",
    b"localhost",
    b"[::1]",
    b"[::1].evil.example",
    b"evil.example@127.0.0.1",
    b"evil.example",
    b"127.0.0.1:80:80",
    b"[::1",
    b"\xff",
    b"",
    b"127.0.0.1/a",
)
_HEADERS = (
    b"Accept-Language: de",
    b"Accept-Language: " + b"x" * 500,
    b"Accept-Language: \xff\xfe,;q=",
    b"Accept-Encoding: gzip",
    b"Accept-Encoding: \xff",
    b'If-None-Match: "x"',
    b"Content-Length: -1",
    b"Content-Length: 99999999999999999999",
    b"Content-Length: 5",
    b"Transfer-Encoding: chunked",
    b"Transfer-Encoding: \xff",
    b"Content-Encoding: gzip",
    b"Content-Type: application/x-www-form-urlencoded",
    b"Content-Type: application/x-www-form-urlencoded; charset=utf-7",
    b"Content-Type: multipart/form-data; boundary=x",
    b"Expect: 100-continue",
    b"Expect: something else",
    b"X-Forwarded-For: 203.0.113.9",
    b"Forwarded: for=\xff",
    b"Connection: keep-alive",
    b"Connection: close",
    b"Upgrade: h2c",
    b"Range: bytes=0-1",
    b"Cookie: " + b"a" * 4000,
    b": nothing",
    b"Folded: a\r\n b",
)
_VALUES = (
    None,
    True,
    0,
    1,
    -1,
    80,
    24,
    1000,
    2**31,
    2**63,
    10**40,
    1.5,
    1e308,
    "",
    "ann",
    "ann+ab3d9",
    "//[",
    "/t/1",
    "/g/draw",
    "/t/1?code=ab",
    "a" * 5000,
    "\0",
    "\u202e\ud800",
    "de-DE",
    "x@y",
    [],
    [0, 0],
    [9, 18],
    [-1, -1],
    [1, 2, 3],
    {},
    {"kind": "ed25519", "public": "", "signature": ""},
)
_FIELDS = ("columns", "rows", "cell", "lang", "dark", "path", "user", "invite", "key")
_UPGRADE = (
    b"Connection: Upgrade",
    b"Upgrade: websocket",
    b"Sec-WebSocket-Version: 13",
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    b"Sec-WebSocket-Protocol: boneyard.1",
)
_TYPED = (
    b"\r",
    b"hello\r",
    b"\x1b[200~never ends",
    b"\x1b[99999999999;5u",
    b"\x1b[<0;9999;9999M",
    b"\xff\xfe\x80",
    b"\x1b",
    b"?",
    b"q",
    b"n\r",
    b"\0" * 100,
    b"\x1b[48;0;0;0;0t",
)


def _mutated(rng: Random, data: bytes, share: float) -> bytes:
    """Return `data` with some bytes changed, cut or repeated, with a probability of `share`."""
    while rng.random() < share:
        at = rng.randrange(len(data) + 1)
        end = at + rng.choice((1, 2, 8))
        data = rng.choice(
            (data[:at] + rng.randbytes(end - at) + data[end:], data[:at] + data[end:], data[:at] + data)
        )
        share /= 2
    return data


async def _exchange(port: int, rng: Random, data: bytes) -> None:
    """Send `data` in one piece or two, and read some of the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        cut = rng.randrange(len(data) + 1) if rng.random() < 0.3 else len(data)
        for part in (data[:cut], data[cut:]):
            writer.write(part)
            await writer.drain()
        if rng.random() < 0.5:
            await asyncio.wait_for(reader.read(4096), 0.3)
    finally:
        writer.transport.abort()


async def requests(port: int, rng: Random) -> None:
    """Send malformed and unusual requests for pages."""
    data = b""
    for _ in range(rng.choice((1, 1, 1, 2, 20))):
        host = rng.choice(_HOSTS) if rng.random() < 0.3 else b"127.0.0.1:%d" % port
        body = rng.choice(
            (b"", b"", b"name=ann&invite=x", b"5\r\nhello\r\n0\r\n\r\n", rng.randbytes(30), b"=&=&;%ff")
        )
        length = [b"Content-Length: %d" % len(body)] * (rng.random() < 0.7)
        headers = [b"Host: " + host, b"Origin: http://" + host, *length, *rng.sample(_HEADERS, k=rng.randrange(4))]
        line = b" ".join((rng.choice(_METHODS), rng.choice(_PATHS), rng.choice((b"HTTP/1.1",) * 9 + (b"HTTP/9.9",))))
        data += _mutated(rng, b"\r\n".join((line, *headers, b"", body)), 0.2)
    await _exchange(port, rng, data)


async def forms(port: int, rng: Random) -> None:
    """Send forms of the page in plain text."""
    fields = {
        "name": rng.choice(("ann", "", "\0", "ж" * 80, "a+b")),
        "visit": rng.choice(("", "x", "a" * 22)),
        "line": "\xff",
        "after": rng.choice(("0", "-1", "9" * 30, "²")),
        "invite": "x",
    }
    chosen = rng.sample(list(fields.items()), k=rng.randrange(5))
    body = _mutated(rng, "&".join(f"{name}={value}" for name, value in chosen).encode(), 0.3)
    path = rng.choice((b"/plain", b"/plain/0/say", b"/plain/0/news", b"/plain/7/say", b"/plain/t/1"))
    headers = [
        b"POST %s HTTP/1.1" % path,
        b"Host: 127.0.0.1:%d" % port,
        b"Origin: http://127.0.0.1:%d" % port,
        b"Content-Type: application/x-www-form-urlencoded",
        b"Content-Length: %d" % len(body),
    ]
    await _exchange(port, rng, b"\r\n".join((*headers, b"", body)))


def _frame(rng: Random, payload: bytes, first: int = 0x82) -> bytes:
    """Return a client's frame, whose head may be wrong."""
    if rng.random() < 0.1:
        first = rng.randrange(256)
    size = len(payload) if rng.random() < 0.95 else rng.choice((0, 2**16, 2**31, 2**63))
    mask = 0x80 if rng.random() < 0.97 else 0
    if size < 126:
        head = struct.pack("!BB", first, mask | size)
    elif size < 2**16:
        head = struct.pack("!BBH", first, mask | 126, size)
    else:
        head = struct.pack("!BBQ", first, mask | 127, size)
    return head + (bytes(4) if mask else b"") + payload


async def sockets(port: int, rng: Random) -> None:
    """Open a WebSocket, send messages that may let it in, and go on with malformed frames."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        origin = b"127.0.0.1:%d" % port
        headers = [b"GET /ws HTTP/1.1", b"Host: " + origin, b"Origin: http://" + origin, *_UPGRADE]
        if rng.random() < 0.2:
            headers.pop(rng.randrange(1, len(headers)))
        writer.write(_mutated(rng, b"\r\n".join((*headers, b"", b"")), 0.05))
        asked = await asyncio.wait_for(reader.read(4096), 1)
        for _ in range(rng.choice((1, 1, 2, 3))):
            writer.write(_frame(rng, b"\1" + _message(rng, asked)))
            await asyncio.sleep(rng.choice((0, 0, 0.02)))
        for _ in range(rng.randrange(6)):
            match rng.randrange(6):
                case 0 | 1:
                    writer.write(_frame(rng, b"\0" + _mutated(rng, rng.choice(_TYPED), 0.3)))
                case 2:
                    writer.write(_frame(rng, b"\1" + _message(rng, asked)))
                case 3:
                    writer.write(_frame(rng, rng.randbytes(rng.randrange(100)), rng.choice((0x89, 0x8A, 0x88, 0x81))))
                case 4:
                    writer.write(_frame(rng, b"\0ab", 0x02) + _frame(rng, b"c", 0x00) * rng.randrange(50))
                case 5:
                    writer.write(_frame(rng, rng.randbytes(50), 0xC2))
            await writer.drain()
        if rng.random() < 0.5:
            await asyncio.wait_for(reader.read(4096), 0.2)
    finally:
        writer.transport.abort()


def _message(rng: Random, asked: bytes) -> bytes:
    """Return a message of a page with unexpected values."""
    kind = rng.choice(("enter",) * 6 + ("size", "alive", "nothing", ""))
    entering = {"t": kind, "columns": rng.choice((80, 40)), "rows": 24}
    for field in rng.sample(_FIELDS, k=rng.randrange(5)):
        entering[field] = rng.choice(_VALUES)
    if rng.random() < 0.3:
        key = Ed25519PrivateKey.generate()
        public = rng.choice((key.public_key().public_bytes_raw(), rng.randbytes(32), bytes(32), rng.randbytes(65)))
        signature = rng.choice((key.sign(asked[-200:]), bytes(64), b""))
        entering["key"] = {
            "kind": rng.choice(("ed25519", "p256", "rsa")),
            "public": base64.b64encode(public).decode(),
            "signature": base64.b64encode(signature).decode(),
        }
    return _mutated(rng, json.dumps(entering).encode(), 0.15)


KINDS = {"requests": (5, requests), "forms": (2, forms), "sockets": (6, sockets)}
"""By kind of input: its weight, and the coroutine that sends one."""
