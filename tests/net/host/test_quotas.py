"""Sessions of a key and wrong codes from a network: counted at a standalone host, and with others."""

import asyncio

from net.doors.connections import Admissions
from net.host.access import Access, DenialReason, Quotas
from net.host.metrics import Metrics
from net.limits import Limits
from tests.net.host.test_access import HERE, THERE, Clock


class Others(Quotas):
    """Other gateways; `left` is the number of tries that they leave."""

    def __init__(self, left):
        super().__init__(Limits())
        self.left = left
        self.forgiven = []

    async def try_code(self, network):
        self.left -= 1
        await asyncio.sleep(0)
        if self.left < 0:
            self.lock_out(network)
        return self.left >= 0

    def forgive_code(self, network):
        self.forgiven.append(network)


def admissions(quotas=None):
    return Admissions(Access(invite="double six"), Limits(wrong_invitations=3), Metrics(), quotas=quotas)


async def test_a_standalone_host_counts_sessions_by_key():
    alone = Quotas(Limits(sessions_per_key=2))
    assert [await alone.claim_session("key") for _ in range(3)] == [True, True, False]
    alone.release_session("key")
    assert await alone.claim_session("key")
    assert await alone.claim_session("other")


async def test_a_standalone_host_counts_wrong_codes_by_address():
    ours = admissions()
    tried = [await ours.judge_code("192.0.2.1", text) for text in ("guess",) * 4]
    assert tried == [False, False, False, DenialReason.GUESSING]


async def test_codes_tried_at_other_gateways_count_and_lock_this_door_too():
    ours = admissions(others := Others(2))
    assert await ours.judge_code("192.0.2.1", "guess") is False
    assert await ours.judge_code("192.0.2.1", "double six") is True
    assert others.forgiven == ["192.0.2.1"]
    assert await ours.judge_code("192.0.2.1", "double six") is DenialReason.GUESSING
    asked = others.left
    assert ours.admit_socket("192.0.2.1") is DenialReason.GUESSING
    assert await ours.judge_code("192.0.2.1", "double six") is DenialReason.GUESSING
    assert others.left == asked, "those who are locked out here cost the others nothing"
    assert ours.admit_socket("192.0.2.2") is None


async def test_codes_are_refused_until_time_has_passed():
    clock = Clock()
    quotas = Quotas(Limits(wrong_invitations=3, wrong_invitation_forgiven=120), clock)
    assert [await quotas.try_code(HERE) for _ in range(4)] == [True, True, True, False]
    assert quotas.is_locked_out(HERE)
    assert not quotas.is_locked_out(THERE)
    clock.now += 119
    assert quotas.is_locked_out(HERE)
    clock.now += 1
    assert await quotas.try_code(HERE)


async def test_a_right_code_does_not_count_as_a_guess():
    quotas = Quotas(Limits(wrong_invitations=1))
    for _ in range(10):
        assert await quotas.try_code(HERE)
        quotas.forgive_code(HERE)
