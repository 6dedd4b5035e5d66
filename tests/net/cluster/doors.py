"""Doors of real gateways: SSH on a free port, a database behind it."""

import asyncio
from contextlib import asynccontextmanager

from net.cluster.membership import Membership
from net.host.metrics import Metrics
from net.host.thinkers import Thinkers
from themes import DEFAULT_THEME
from tui.run.access import AccessOptions
from tui.run.cluster_gateway import Door, open_door


@asynccontextmanager
async def gateway(database, secret, name, folder, access=None):
    """A gateway's port, while the block runs."""
    folder.mkdir(mode=0o700)
    member = Membership(database, name, role="gateway", address="", software="test", tables=lambda: 0)
    await member.join()
    living = asyncio.ensure_future(member.keep())
    said, thinkers = [], Thinkers()
    door = Door(
        bind="127.0.0.1",
        port=0,
        access=access or AccessOptions(),
        name=None,
        announce=False,
        theme=DEFAULT_THEME,
        pictures=False,
        workers=0,
        log_file=None,
        data=folder,
        house_rules={},
        software="test",
    )
    try:
        async with open_door(door, database, member, secret.open_line, Metrics(), thinkers, said.append):
            yield next(int(line.split()[2]) for line in said if "ssh -p" in line)
    finally:
        living.cancel()
        await asyncio.gather(living, return_exceptions=True)
        await member.leave()
        await thinkers.aclose()
