"""A link within one process: whole frames, both ways, in order, until one end closes it."""

import asyncio

from net.wire.link import memory_pair


async def receive_all(link):
    """Return everything received until the end of a link."""
    frames = []
    async with asyncio.timeout(30):
        while (frame := await link.receive()) is not None:
            frames.append(frame)
    return frames


async def test_messages_of_one_end_arrive_at_the_other_in_order():
    ours, theirs = memory_pair()
    for frame in (b"one", b"", b"three"):
        ours.send(frame)
    theirs.send(b"back")
    ours.close()

    assert await receive_all(theirs) == [b"one", b"", b"three"]


async def test_messages_sent_before_the_close_arrive_and_the_end_is_final():
    ours, theirs = memory_pair()
    ours.send(b"last")
    ours.close()

    assert await receive_all(theirs) == [b"last"]
    assert await receive_all(theirs) == []


async def test_closing_one_end_ends_both_directions():
    ours, theirs = memory_pair()
    waiting = asyncio.create_task(receive_all(ours))
    theirs.send(b"one")
    ours.close()

    assert await waiting == [b"one"]
    assert await receive_all(theirs) == []


async def test_on_a_closed_link_sending_and_closing_do_nothing():
    ours, theirs = memory_pair()
    ours.close()
    ours.close()
    ours.send(b"too late")

    assert await receive_all(theirs) == []
