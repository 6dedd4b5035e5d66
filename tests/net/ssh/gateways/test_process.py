"""A gateway process as its host sees it."""

import asyncio

import pytest

from net.host.access import Access, DenialReason
from net.host.metrics import Metrics
from net.limits import Limits
from net.ssh.gateways import supervisor
from net.ssh.gateways.messages import DenyConnection
from net.ssh.gateways.supervisor import SharedAdmissions, WorkerConnection
from tests.net.ssh_room import Room, connect_link, serve_room, with_timeout
from tests.waiting import until


@pytest.fixture
def room():
    return Room(gateways=1)


def is_serving(gateway):
    """Return True once a gateway has started and accepts connections."""
    return hasattr(gateway, "home") and gateway.home.connections is not None


async def test_a_gateway_that_stands_still_is_ended(room, tmp_path, monkeypatch):
    async with serve_room(room, tmp_path) as server:
        gateway = room.running[0]
        monkeypatch.setattr(supervisor, "GATEWAY_SILENT", 1.5)
        monkeypatch.setattr(supervisor, "RESTART_DELAY", 0.01)
        monkeypatch.setattr(gateway.home.trunk, "_transport", None)
        await until(lambda: len(room.running) > 1 and is_serving(room.running[1]))
        assert gateway.task.done()
        async with connect_link(server, tmp_path) as link:
            link.send(b"ab")
            assert await with_timeout(link.receive()) == b"ba"


async def test_a_gateway_that_falls_far_behind_is_ended(room, tmp_path, monkeypatch):
    async with serve_room(room, tmp_path):
        gateway = room.running[0]
        monkeypatch.setattr(supervisor, "RESTART_DELAY", 0.01)
        monkeypatch.setattr(supervisor, "GATEWAY_BEHIND", -1)
        await with_timeout(asyncio.wait([gateway.task]))
        monkeypatch.undo()
        assert gateway.task.cancelled()


async def test_a_gateway_whose_trunk_has_ended_is_ended_with_it(room, tmp_path, monkeypatch):
    async with serve_room(room, tmp_path):
        gateway = room.running[0]
        monkeypatch.setattr(supervisor, "RESTART_DELAY", 0.01)
        gateway.home.trunk._on_end = lambda: None  # it does not notice
        gateway.home.trunk.abort()
        await with_timeout(asyncio.wait([gateway.task]))
        assert gateway.task.cancelled()


def test_a_distant_connection_is_cut_or_denied_by_its_number():
    messages = []
    connection = WorkerConnection(3, "2001:db8::1:2", messages.append)
    connection.hang_up()
    connection.deny(DenialReason.FULL)

    assert messages == [DenyConnection(3), DenyConnection(3, DenialReason.FULL)]
    assert connection.network == "2001:db8::/64"
    assert (connection.open_sessions, connection.exchanged, connection.identity) == (0, False, None)


async def test_a_code_counts_as_wrong_until_it_is_forgiven():
    limits = Limits(wrong_invitations=2, wrong_invitation_forgiven=1e6)
    shared = SharedAdmissions(Access(invite="double six", limits=limits), limits, Metrics())
    quotas = shared.quotas
    for _ in range(5):
        assert await quotas.try_code("2001:db8::/64")
        quotas.forgive_code("2001:db8::/64")
    assert [await quotas.try_code("2001:db8::/64") for _ in range(3)] == [True, True, False]
    assert shared.admit_socket("2001:db8::7") is DenialReason.GUESSING
    assert shared.admit_socket("2001:db8:0:1::7") is None
