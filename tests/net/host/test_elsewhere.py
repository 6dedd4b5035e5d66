"""A host that is alone asks nobody else; in a cluster, others are asked about sessions and codes."""

import asyncio

from net.doors.connections import Admissions
from net.host.access import Access, DenialReason, Elsewhere
from net.host.metrics import Metrics
from net.limits import Limits


class Others(Elsewhere):
    """Other gateways; `left` is how many tries they leave."""

    def __init__(self, left):
        self.left = left
        self.forgiven = []

    async def try_code(self, network):
        self.left -= 1
        await asyncio.sleep(0)
        return self.left >= 0

    def forgive_code(self, network):
        self.forgiven.append(network)


def admissions(elsewhere=None):
    limits = Limits(wrong_invitations=3)
    return Admissions(Access(invite="double six", limits=limits), limits, Metrics(), elsewhere=elsewhere)


async def test_a_host_that_is_alone_allows_what_its_own_counts_allow():
    alone = Elsewhere(2)
    assert [await alone.claim_session("key") for _ in range(3)] == [True, True, False]
    alone.release_session("key")
    assert await alone.claim_session("key")
    assert await alone.claim_session("other")
    assert await alone.try_code("net")
    alone.forgive_code("net")
    ours = admissions()
    tried = [await ours.judge_code("192.0.2.1", text) for text in ("guess",) * 4]
    assert tried == [False, False, False, DenialReason.GUESSING]


async def test_codes_that_were_tried_elsewhere_count_here_and_then_the_door_is_shut_here_too():
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
