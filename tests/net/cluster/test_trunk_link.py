"""A guest at the end of a trunk."""

import asyncio

import pytest

from net.cluster.table_host_end import TrunkLink
from net.limits import CREDIT_EVERY
from net.trunk import CloseGuest, Credit, ToGuest
from net.wire.link import LineLost, WireError


async def test_a_link_forwards_messages_and_ends_once():
    messages = []
    link = TrunkLink(7, messages.append)
    link.send(b"6|4")
    link.close()
    link.close()
    link.send(b"too late")

    assert messages == [ToGuest(7, b"6|4"), CloseGuest(7)]
    assert await link.receive() is None


async def test_the_gateway_gets_credit_for_each_full_batch_of_messages():
    messages = []
    link = TrunkLink(7, messages.append)
    for number in range(2 * CREDIT_EVERY):
        link.feed(b"%d" % number)

    assert [await link.receive() for _ in range(CREDIT_EVERY - 1)] == [
        b"%d" % number for number in range(CREDIT_EVERY - 1)
    ]
    assert messages == []
    await link.receive()
    assert messages == [Credit(7, CREDIT_EVERY)]


async def test_messages_before_the_end_are_received_first_and_a_failure_is_raised_always():
    link = TrunkLink(7, lambda _message: None)
    link.feed(b"6|4")
    link.end("That was no frame.")

    assert await link.receive() == b"6|4"
    for _ in range(2):
        with pytest.raises(WireError, match="no frame"):
            await link.receive()


async def test_a_receiver_is_woken_when_the_guest_has_gone():
    link = TrunkLink(7, lambda _message: None)
    waiting = asyncio.create_task(link.receive())
    await asyncio.sleep(0)
    link.end()

    assert await waiting is None


async def test_messages_before_a_broken_trunk_are_received_and_then_the_loss_is_raised():
    link = TrunkLink(7, lambda _message: None)
    link.feed(b"6|4")
    link.lose()
    assert await link.receive() == b"6|4"
    for _ in range(2):
        with pytest.raises(LineLost):
            await link.receive()


async def test_a_broken_trunk_is_no_failure_of_a_guest_who_was_removed_before():
    link = TrunkLink(7, lambda _message: None)
    link.close()
    link.lose()
    assert await link.receive() is None
