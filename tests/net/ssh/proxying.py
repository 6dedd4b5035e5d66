"""A tiny proxy that names the origin of its connections, and headers of the PROXY protocol."""

import asyncio
import ipaddress
import struct
from contextlib import asynccontextmanager, suppress

MARK = b"\r\n\r\n\0\r\nQUIT\n"


def line(address, to="192.0.2.254", ports=(50000, 2222)):
    """Return a header of version 1."""
    kind = f"TCP{ipaddress.ip_address(address).version}"
    to = to if kind == "TCP4" else "2001:db8::254"
    return f"PROXY {kind} {address} {to} {ports[0]} {ports[1]}\r\n".encode()


def block(address, more=b"", command=0x21):
    """Return a header of version 2, with `more` bytes behind the addresses."""
    packed = ipaddress.ip_address(address).packed
    said = packed + packed + struct.pack("!HH", 50000, 2222) + more
    return MARK + bytes((command, 0x11 if len(packed) == 4 else 0x21)) + struct.pack("!H", len(said)) + said


LOCAL = MARK + b"\x20\x00\x00\x00"


@asynccontextmanager
async def proxy(port, header):
    """Yield the port of a proxy before a port of this machine; its header may be sent in pieces."""
    pieces = [header] if isinstance(header, bytes) else header
    passing = set()

    async def passes(reader, writer):
        passing.add(asyncio.current_task())
        there, here = await asyncio.open_connection("127.0.0.1", port)
        for piece in pieces:
            here.write(piece)
            await asyncio.sleep(0.01)
        try:
            await asyncio.gather(forward(reader, here), forward(there, writer))
        finally:
            here.close()
            writer.close()

    server = await asyncio.start_server(passes, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()
    for task in passing:
        task.cancel()
    await asyncio.gather(*passing, return_exceptions=True)


async def forward(reader, writer):
    """Forward bytes and a half-close: a client that still sends to a closed socket loses unread data."""
    with suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    with suppress(OSError):
        writer.write_eof()
