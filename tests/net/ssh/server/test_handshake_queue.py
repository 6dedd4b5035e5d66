"""The handshake queue: newcomers wait for each other, and players do not wait for them."""

import asyncio

from net.ssh.server.handshake_queue import AT_ONCE, CPU_AT_ONCE, HandshakeQueue


class Comers:
    """Newcomers by address, and the order in which they were let in."""

    def __init__(self, rate, share=1.0):
        self.order = []
        self.queue = HandshakeQueue(rate, share)

    def come(self, home, *, stays=True, is_new=True):
        done = asyncio.get_running_loop().create_future()

        def come_in():
            if stays:
                self.order.append(home)
            done.set_result(None)
            return stays

        self.queue.wait(home, come_in, is_new=is_new)
        return done


async def test_a_few_friends_come_in_at_once():
    comers = Comers(rate=1e-3)
    for number in range(AT_ONCE + 1):
        comers.come(str(number))
    assert comers.order == [str(number) for number in range(AT_ONCE)]
    comers.queue.close()


async def test_when_strangers_have_had_their_share_of_the_core_all_of_them_wait():
    comers = Comers(rate=100, share=0.2)
    assert not comers.queue.exhausted
    comers.queue.charge("costly", CPU_AT_ONCE + 0.1)
    assert comers.queue.exhausted
    asked_at = asyncio.get_running_loop().time()
    turns = [comers.come("costly", is_new=False), comers.come("newcomer"), comers.come("friend", is_new=False)]
    assert comers.order == []
    await asyncio.wait_for(asyncio.gather(*turns), 30)
    assert asyncio.get_running_loop().time() - asked_at > 0.1 / 0.2
    assert comers.order[-1] == "costly"
    comers.queue.close()


async def test_who_came_least_often_is_next():
    comers = Comers(rate=10)
    for _ in range(AT_ONCE + 3):
        comers.come("again and again")
    friend = comers.come("friend")
    await asyncio.wait_for(friend, 30)
    assert comers.order.index("friend") == AT_ONCE
    comers.queue.close()


async def test_a_connection_that_closed_meanwhile_costs_nobody_a_turn():
    comers = Comers(rate=1e-3)
    for _ in range(AT_ONCE * 3):
        comers.come("gone", stays=False)
    comers.come("friend")
    assert comers.order == ["friend"]
    comers.queue.close()
