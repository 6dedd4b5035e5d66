"""A cluster's database with its tables made, and nodes that are alive in it."""

import pytest

from net.cluster.database import Database
from net.cluster.membership import Membership
from tests.databases import emptied_database


@pytest.fixture
def url(template):
    """The URL of a database with the cluster's tables, empty."""
    yield from emptied_database(template)


@pytest.fixture
async def database(url):
    async with Database(url) as database:
        yield database


@pytest.fixture
async def joins(database):
    """Let a node of this name join; it beats only if the test lets it."""
    members = []

    async def join(node, *, role="tables", address="127.0.0.1:1", tables=lambda: 0):
        member = Membership(database, node, role=role, address=address, software="test", tables=tables)
        await member.join()
        members.append(member)
        return member

    yield join
    for member in members:
        await member.leave()
