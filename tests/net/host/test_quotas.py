"""Sessions of a key and wrong codes from a network: counted at a standalone host, and across gateways."""

import asyncio

from net.doors.connections import Admissions
from net.host.access import Access, DenialReason, Quotas
from net.host.metrics import Metrics
from net.limits import Limits
from tests.net.host.test_access import ADDRESS, OTHER_ADDRESS, Clock


class SharedQuotas(Quotas):
    """Quotas of all gateways, which permit `tries_left` further codes."""

    def __init__(self, tries_left):
        super().__init__(Limits())
        self.tries_left = tries_left
        self.forgiven = []

    async def try_code(self, network):
        self.tries_left -= 1
        await asyncio.sleep(0)
        if self.tries_left < 0:
            self.lock_out(network)
        return self.tries_left >= 0

    def forgive_code(self, network):
        self.forgiven.append(network)


def make_admissions(quotas=None):
    return Admissions(Access(invite="double six"), Limits(wrong_invitations=3), Metrics(), quotas=quotas)


async def test_a_standalone_host_counts_sessions_by_key():
    quotas = Quotas(Limits(sessions_per_key=2))
    assert [await quotas.claim_session("key") for _ in range(3)] == [True, True, False]
    quotas.release_session("key")
    assert await quotas.claim_session("key")
    assert await quotas.claim_session("other")


async def test_a_standalone_host_counts_wrong_codes_by_address():
    admissions = make_admissions()
    judgements = [await admissions.judge_code("192.0.2.1", text) for text in ("guess",) * 4]
    assert judgements == [False, False, False, DenialReason.GUESSING]


async def test_codes_tried_at_other_gateways_count_and_lock_this_door_too():
    admissions = make_admissions(shared := SharedQuotas(2))
    assert await admissions.judge_code("192.0.2.1", "guess") is False
    assert await admissions.judge_code("192.0.2.1", "double six") is True
    assert shared.forgiven == ["192.0.2.1"]
    assert await admissions.judge_code("192.0.2.1", "double six") is DenialReason.GUESSING
    tries_before = shared.tries_left
    assert admissions.admit_socket("192.0.2.1") is DenialReason.GUESSING
    assert await admissions.judge_code("192.0.2.1", "double six") is DenialReason.GUESSING
    assert shared.tries_left == tries_before, "a code from a locked-out address is not tried at other gateways"
    assert admissions.admit_socket("192.0.2.2") is None


async def test_codes_are_refused_until_time_has_passed():
    clock = Clock()
    quotas = Quotas(Limits(wrong_invitations=3, wrong_invitation_forgiven=120), clock)
    assert [await quotas.try_code(ADDRESS) for _ in range(4)] == [True, True, True, False]
    assert quotas.is_locked_out(ADDRESS)
    assert not quotas.is_locked_out(OTHER_ADDRESS)
    clock.now += 119
    assert quotas.is_locked_out(ADDRESS)
    clock.now += 1
    assert await quotas.try_code(ADDRESS)


async def test_a_right_code_does_not_count_as_a_guess():
    quotas = Quotas(Limits(wrong_invitations=1))
    for _ in range(10):
        assert await quotas.try_code(ADDRESS)
        quotas.forgive_code(ADDRESS)
