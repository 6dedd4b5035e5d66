"""What gateways of a real cluster decide together: whose a name is, and who is banned."""

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager

import asyncpg
import asyncssh
import pytest

from net.client.client import Client
from net.wire.messages import Bye, Entered, Greeting, Refused
from scripts.people import Person
from tests.real.proofs import LONG, boneyard, now, often, proving

pytestmark = pytest.mark.real
SECOND = 1.0


class Guest:
    """Somebody with a key of their own, and what they heard last."""

    def __init__(self, link, name):
        self.client = Client(link, "test")
        self.name = name
        self.answer = asyncio.get_running_loop().create_future()
        self.greeted = asyncio.Event()
        self.client.subscribe(self._hear)
        self.running = asyncio.ensure_future(self.client.run())

    def _hear(self, message):
        if isinstance(message, Greeting):
            self.greeted.set()
        if isinstance(message, Entered | Refused) and not self.answer.done():
            self.answer.set_result(message)


@asynccontextmanager
async def guests(proof, *names):
    """One at each gateway, who have been greeted."""
    ports = [node.port for node in proof.cluster.gateways.values()]
    async with AsyncExitStack() as stack:
        here = []
        for name, port in zip(names, ports, strict=True):
            link = await stack.enter_async_context(Person(name, [port], proof.folder).way_in())
            here.append(Guest(link, name))
            await asyncio.wait_for(here[-1].greeted.wait(), 30)
        yield here
        for guest in here:
            guest.running.cancel()


async def test_of_two_who_ask_two_gateways_for_one_name_at_once_one_gets_it(tmp_path):
    async with proving(tmp_path) as proof:
        for number in range(often(5, 50)):
            async with guests(proof, f"one {number}", f"other {number}") as both:
                for guest in both:
                    guest.client.enter(f"Ada {'abcdefghij'[number % 10] * (1 + number // 10)}")
                answers = await asyncio.wait_for(asyncio.gather(*(guest.answer for guest in both)), 30)
                assert sorted(type(answer).__name__ for answer in answers) == ["Entered", "Refused"], answers
                refused = next(answer for answer in answers if isinstance(answer, Refused))
                assert "Ada" in str(refused.reason)
        assert "Traceback" not in proof.log


async def _out(guest):
    """The host's last word to a guest, and when it came."""
    return await guest.running, now()


async def test_a_ban_reaches_the_guests_of_every_gateway_within_a_second(tmp_path):
    waits, told = [], []
    async with proving(tmp_path) as proof:
        db = await asyncpg.connect(proof.cluster.url)
        await db.add_listener("boneyard", lambda *said: said[-1] == "bans" and told.append(now()))
        for number in range(often(2, 20)):
            async with guests(proof, f"one {number}", f"other {number}") as both:
                for guest in both:
                    guest.client.enter(guest.name)
                    await asyncio.wait_for(guest.answer, 30)
                for guest in both:
                    node = next(iter(proof.cluster.tables.values()))
                    key = asyncssh.read_private_key(proof.folder / f"{guest.name} key").get_fingerprint()
                    out = asyncio.ensure_future(_out(guest))
                    told.clear()
                    await boneyard("admin", "--data", node.data, "ban", "--key", key)
                    bye, at = await asyncio.wait_for(out, 30)
                    waits.append(at - told[0])  # since the database has it
                    assert isinstance(bye, Bye)
                    assert "banned" in str(bye.reason)
        await db.close()
    print(f"\n{len(waits)} bans, the longest until its guest was out {max(waits):.2f} s")
    assert max(waits) < SECOND or not LONG  # a busy machine proves nothing about time
