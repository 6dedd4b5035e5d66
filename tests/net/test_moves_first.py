"""A move passes before whatever can wait."""

import asyncio

import pytest

from net.limits import MOVE_AHEAD, MOVE_SHARE
from net.moves_first import MovesFirst
from net.ssh.server.handshake_queue import HandshakeQueue


@pytest.fixture
def clock(monkeypatch):
    """The loop's clock, put forward by hand."""
    loop = asyncio.new_event_loop()
    now = [1000.0]
    monkeypatch.setattr(loop, "time", lambda: now[0])
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: loop)
    yield now
    loop.close()


def test_after_a_move_what_can_wait_does_for_a_moment(clock):
    moves = MovesFirst()
    assert moves.left == 0
    moves.move()
    assert moves.left == pytest.approx(MOVE_AHEAD)
    clock[0] += MOVE_AHEAD
    assert moves.left == 0


def test_however_many_moves_there_are_what_can_wait_has_most_of_the_time(clock):
    moves, waited, step = MovesFirst(), 0.0, MOVE_AHEAD / 8
    for _ in range(8000):
        moves.move()
        waited += min(step, moves.left)
        clock[0] += step
    assert waited <= 8000 * step * MOVE_SHARE * 1.1


async def test_no_newcomer_is_let_on_while_a_move_is_on_its_way():
    moves, came = MovesFirst(), asyncio.Event()
    queue = HandshakeQueue(100, 1.0, moves=moves)
    moves.move()
    queue.wait("newcomer", lambda: came.set() or True)
    assert not came.is_set()
    await asyncio.wait_for(came.wait(), 30)
    assert moves.left == 0
    queue.close()
