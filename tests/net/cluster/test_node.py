"""A node of a cluster: when it closes, and what a table host does before."""

import asyncio

import pytest

from net.cluster.database import ClusterError
from net.hosting.cluster import Node
from net.hosting.parts import run
from net.options import HostOptions
from net.table.table import INSTANT


class StubKeeper:
    """A keeper of which only draining is observed."""

    def __init__(self):
        self.has_drained = False

    async def drain(self):
        self.has_drained = True


@pytest.fixture
async def node(tmp_path):
    node = Node(HostOptions(data=tmp_path, software="test", pace=INSTANT), lambda _line: None, None, lambda _host: [])
    node.stop, node.keeper = asyncio.Event(), StubKeeper()
    node.alive = asyncio.get_running_loop().create_future()
    return node


async def test_a_table_host_that_is_stopped_hands_its_tables_over(node):
    node.stop.set()
    await run(node, [])

    assert node.keeper.has_drained


async def test_a_node_that_cannot_be_a_member_any_more_closes_with_the_reason(node):
    node.alive.set_exception(ClusterError("Another node has this name."))

    with pytest.raises(ClusterError, match="Another node"):
        await run(node, [])
