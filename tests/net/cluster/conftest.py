"""A cluster's database with its tables, and live nodes in it."""

import pytest

from net.cluster.database import Database
from net.cluster.membership import Membership
from tests.databases import reusable_database


@pytest.fixture
def url(template):
    """Return the URL of an empty database with the cluster's tables."""
    yield from reusable_database(template)


@pytest.fixture
async def database(url):
    async with Database(url) as database:
        yield database


@pytest.fixture
async def join_node(database):
    """Register a node with a name; it sends heartbeats only if the test lets it."""
    members = []

    async def join(node, *, role="tables", address="127.0.0.1:1", tables=lambda: 0):
        member = Membership(database, node, role=role, address=address, software="test", tables=tables)
        await member.join()
        members.append(member)
        return member

    yield join
    for member in members:
        await member.leave()
