"""Reconnects a client after its connection breaks, with growing pauses, and returns it to where it was."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager

from core.words import words
from net.client.client import Client, Disconnected
from net.limits import DESERTED_FOR
from net.ssh.client.connect import Unreachable
from net.wire.link import Link
from net.wire.messages import Bye

PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
"""Seconds before each try, the last again and again: most breaks are over at once, and a host that comes back
is not to be overrun, so that a fifth more or less is thrown in."""
GIVE_UP = DESERTED_FOR
"""Seconds after which nothing is tried any more: the table is not kept for longer."""

Open = Callable[[], AbstractAsyncContextManager[Link]]


async def run_reconnecting(
    client: Client, link: Link, reconnect: Open, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> Bye:
    """Run a client on a link, and on new ones that `reconnect` opens, until the host says a final goodbye.

    The client's listeners receive `Disconnected` before each pause, and `Reconnected` when everything is as it was.
    Raises `net.ssh.client.connect.JoinError` if reconnecting is impossible, and `net.wire.link.WireError` if the
    host sends something invalid.
    """
    bye = await client.run(link)
    loop = asyncio.get_running_loop()
    lost_at, tries = loop.time(), 0
    while bye is None or bye.again:
        if loop.time() - lost_at > GIVE_UP:
            raise Unreachable(words("The host did not come back."))
        pause = PAUSES[min(tries, len(PAUSES) - 1)] * random.uniform(0.8, 1.2)
        tries += 1
        client.publish(Disconnected())
        await sleep(pause)
        try:
            async with reconnect() as new_link:
                returned = client.reconnects
                bye = await client.run(new_link)
        except Unreachable:
            continue
        if client.reconnects != returned:
            lost_at, tries = loop.time(), 0
    return bye
