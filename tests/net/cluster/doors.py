"""Doors of real gateways: SSH on a free port, with a database behind it."""

from contextlib import asynccontextmanager

from net.host.metrics import Metrics
from net.host.thinkers import Thinkers
from net.hosting.cluster import Node, disconnect_banned, guests, membership
from net.hosting.parts import open_parts, ssh_door
from net.options import AccessOptions, DoorOptions, HostOptions, NodeOptions
from net.table.table import INSTANT
from themes import DEFAULT_THEME
from tui.run.gateway import Terminals


@asynccontextmanager
async def gateway(database, secret, name, folder, access=None):
    """Yield a gateway's port, while the block runs."""
    folder.mkdir(mode=0o700)
    door = DoorOptions("127.0.0.1", access=access or AccessOptions(), announce=False, theme=DEFAULT_THEME)
    options = HostOptions(data=folder, software="test", pace=INSTANT, door=door, node=NodeOptions("", name))

    @asynccontextmanager
    async def stand_in(node):
        """Stand in for a separate process and database."""
        node.database, node.secret, node.open_trunk = database, secret, secret.open_trunk
        node.metrics, node.thinkers = Metrics(), Thinkers()
        yield
        await node.thinkers.aclose()

    node = Node(options, lambda _line: None, Terminals(), lambda _node: [])
    async with open_parts(node, (stand_in, membership, guests, ssh_door, disconnect_banned)):
        yield node.port.port
