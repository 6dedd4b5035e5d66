"""A tiny proxy that names the origin of its connections, and headers of the PROXY protocol."""

import asyncio
import ipaddress
import struct
from contextlib import asynccontextmanager, suppress

MARK = b"\r\n\r\n\0\r\nQUIT\n"


def line(address, to="192.0.2.254", ports=(50000, 2222)):
    """Return a header of version 1."""
    protocol = f"TCP{ipaddress.ip_address(address).version}"
    to = to if protocol == "TCP4" else "2001:db8::254"
    return f"PROXY {protocol} {address} {to} {ports[0]} {ports[1]}\r\n".encode()


def block(address, extra=b"", command=0x21):
    """Return a header of version 2, with `extra` bytes behind the addresses."""
    packed = ipaddress.ip_address(address).packed
    body = packed + packed + struct.pack("!HH", 50000, 2222) + extra
    return MARK + bytes((command, 0x11 if len(packed) == 4 else 0x21)) + struct.pack("!H", len(body)) + body


LOCAL = MARK + b"\x20\x00\x00\x00"


@asynccontextmanager
async def proxy(port, header):
    """Yield the port of a proxy before a port of this machine; its header may be sent in pieces."""
    pieces = [header] if isinstance(header, bytes) else header
    tasks = set()

    async def forward_both_ways(reader, writer):
        tasks.add(asyncio.current_task())
        target_reader, target_writer = await asyncio.open_connection("127.0.0.1", port)
        for piece in pieces:
            target_writer.write(piece)
            await asyncio.sleep(0.01)
        try:
            await asyncio.gather(forward(reader, target_writer), forward(target_reader, writer))
        finally:
            target_writer.close()
            writer.close()

    server = await asyncio.start_server(forward_both_ways, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def forward(reader, writer):
    """Forward bytes and a half-close: a client that still sends to a closed socket loses unread data."""
    with suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    with suppress(OSError):
        writer.write_eof()
