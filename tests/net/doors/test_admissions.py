"""Admissions: limits count connections, whichever process serves them."""

from types import SimpleNamespace

import pytest

from net.doors.connections import Admissions
from net.doors.terminal import Identity
from net.host.access import Access, DenialReason
from net.host.metrics import Metrics
from net.limits import MAX_CLAIMED, Limits

ADA = Identity("ada", "SHA256:ada", "192.0.2.1")


class FakeConnection(SimpleNamespace):
    """A connection of any client."""

    __hash__ = object.__hash__

    def hang_up(self):
        self.is_cut = True


def connect(admissions, address="192.0.2.1", identity=None, open_sessions=0):
    connection = FakeConnection(
        address=address,
        network=address,
        identity=identity,
        read_since=0.0,
        exchanged=True,
        idle_since=None,
        open_sessions=open_sessions,
        is_cut=False,
    )
    admissions.connected[connection] = None
    return connection


def make_admissions(has_reserved_seat=None, bans=frozenset, **limits):
    return Admissions(Access(bans=bans, invite="double six"), Limits(**limits), Metrics(), has_reserved_seat)


async def test_authenticated_connections_count_and_reserved_seats_always_enter():
    async def has_reserved_seat(identity):
        return identity is ADA

    admissions = make_admissions(has_reserved_seat=has_reserved_seat, connections=1)
    connect(admissions, identity=Identity("bob", None, "192.0.2.2"))

    assert admissions.admit_socket("192.0.2.3") is None, "the login shows later whether a seat is reserved"
    assert await admissions.has_room_for(ADA)
    assert not await admissions.has_room_for(Identity("cid", None, "192.0.2.3"))


async def test_a_network_that_holds_most_places_loses_one_to_another():
    admissions = make_admissions(unauthenticated=3)
    oldest, *_ = [connect(admissions) for _ in range(3)]

    assert admissions.admit_socket("192.0.2.7") is None
    assert oldest.is_cut
    assert oldest not in admissions.connected


@pytest.mark.parametrize("who", ["SHA256:ada", "192.0.2.1"])
async def test_an_expelled_guest_loses_every_connection_and_others_keep_theirs(who):
    admissions = make_admissions()
    expelled = [connect(admissions, identity=ADA), connect(admissions, identity=ADA)]
    other_connection = connect(admissions, "192.0.2.2")

    assert admissions.disconnect(who) == 2
    assert [connection.is_cut for connection in expelled] == [True, True]
    assert not other_connection.is_cut


async def test_after_too_many_wrong_codes_an_address_is_refused_even_with_the_right_one():
    admissions = make_admissions(wrong_invitations=2)

    assert await admissions.judge_code("192.0.2.1", "double six") is True
    assert [await admissions.judge_code("192.0.2.1", "guess") for _ in range(2)] == [False, False]
    assert await admissions.judge_code("192.0.2.1", "double six") is DenialReason.GUESSING
    assert await admissions.judge_code("192.0.2.2", "double six") is True


async def test_only_a_banned_address_is_denied_as_banned():
    admissions = make_admissions(bans=lambda: {"192.0.2.1"})
    assert admissions.admit_socket("192.0.2.1") is DenialReason.BANNED
    assert admissions.admit_socket("192.0.2.2") is None


async def test_a_closing_host_denies_every_address():
    admissions = make_admissions()
    admissions.closing = True
    assert admissions.admit_socket("192.0.2.2") is DenialReason.CLOSING


async def test_the_name_that_a_stranger_claims_is_cut_in_the_log(caplog):
    caplog.set_level("INFO")
    admissions = make_admissions()
    admissions.count_denied(DenialReason.BANNED, "192.0.2.1", "x" * 16_000)
    await admissions.judge_code("192.0.2.1", "wrong", "x" * 16_000)
    assert [record.fields["user"] for record in caplog.records] == ["x" * MAX_CLAIMED] * 2
