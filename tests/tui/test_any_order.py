"""A served table under all that a guest, a terminal and a host can do to it, in any order and at any moment."""

import asyncio
import os
from contextlib import AsyncExitStack

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from net.client.client import Client
from net.host.presence import Visitor
from net.wire.link import memory_pair
from net.wire.messages import MakeTable
from tests.tui.far import PATIENCE, TABLE_KEYS, Far, paint_now
from tests.tui.guests import local_host
from tests.tui.tables import DARK
from tui.app import BoneyardApp
from tui.serve.fast import FAST, PLAIN
from tui.serve.served import run_served

EXAMPLES = int(os.environ.get("BONEYARD_ORDERS", "40"))
KEYS = TABLE_KEYS | {
    "escape": b"\x1b",
    "who": b"w",
    "stop": b"s",
    "leave": b"q",
    "new table": b"n",
    "space": b" ",
    "click": b"\x1b[<0;20;12M\x1b[<0;20;12m",
    "click low": b"\x1b[<0;40;23M\x1b[<0;40;23m",
    "wheel": b"\x1b[<65;20;12M",
    "focus away": b"\x1b[O",
    "focus": b"\x1b[I",
    "frames offered": b"\x1b[?2026;2$y",
    "paste": b"\x1b[200~well\nplayed\x1b[201~",
}
SIZES = st.sampled_from([(80, 24), (79, 24), (80, 23), (81, 25), (140, 45), (200, 60), (20, 5), (1, 1), (100, 30)])
TERMINALS = ["xterm-256color", "xterm-kitty", "linux", "vt220"]


class ServedTable(RuleBasedStateMachine):
    """One guest at a served table, another who plays there from elsewhere, and some bots."""

    @initialize(
        name=st.sampled_from(TERMINALS),
        size=SIZES,
        game=st.sampled_from(["draw", "chickenfoot", "mexican-train", "forty-two"]),
        time=st.sampled_from([0, 60]),
        hurried=st.booleans(),
        fast=st.sampled_from([FAST, PLAIN]),
    )
    def opens(self, name, size, game, time, hurried, fast):
        self.hurried = False
        self.loop = asyncio.new_event_loop()
        self.errors = []
        self.loop.set_exception_handler(lambda _, context: self.errors.append(context))
        self.stack = AsyncExitStack()
        self.run(self.open(name, size, game, time, fast))
        self.hurried = hurried

    async def open(self, name, size, game, time, fast):
        house = await self.stack.enter_async_context(local_host())
        self.lobby = house.lobby
        self.server = house.server
        self.far = Far(name, size)
        self.links = []
        self.client = self.guest(house, "ada")
        self.app = BoneyardApp(self.client, DARK, name="ada")
        self.task = asyncio.create_task(run_served(lambda: self.app, self.far.terminal, fast=fast))
        await self.until(lambda: self.client.name)
        self.other = self.guest(house, "bela")
        self.listening = asyncio.create_task(self.other.run())
        await asyncio.sleep(0)
        self.other.enter("bela")
        await self.until(lambda: self.other.name)
        self.client.make_table(MakeTable(game, 4, {}, bots=2, turn_time=time))
        await self.until(lambda: self.other.tables.tables)
        self.other.sit(self.other.tables.tables[0].id)
        await self.until(lambda: self.client.update and self.client.update.match)

    def guest(self, house, name):
        ours, theirs = memory_pair()
        self.links.append(ours)
        house._group.create_task(house.server.serve(theirs, Visitor(name, name)))
        return Client(ours, "test")

    async def until(self, holds):
        async with asyncio.timeout(PATIENCE):
            while not holds():  # noqa: ASYNC110 - what is awaited has no event of its own
                await asyncio.sleep(0)

    def run(self, coroutine):
        return self.loop.run_until_complete(coroutine)

    async def turns(self, count):
        """Let turns of the loop go by. Hurried, all is painted anew in each: Textual's timer may fire in any."""
        for _ in range(count):
            if self.hurried and self.app._driver:
                self.app._driver._session.run(paint_now, self.app)
            await asyncio.sleep(0)

    @rule(keys=st.lists(st.sampled_from(sorted(KEYS)), min_size=1, max_size=4))
    def types(self, keys):
        for key in keys:
            self.loop.call_soon(self.far.terminal.feed, KEYS[key])
        self.run(self.turns(1))

    @rule(over=st.sampled_from(["go", "escape", "leave", "paste"]), turns=st.integers(1, 20))
    def begins_to_talk_and_ends(self, over, turns):
        self.types(["talk"])
        self.run(self.turns(turns))
        self.rests()
        self.types([over])
        self.run(self.turns(turns))

    @rule(size=SIZES)
    def resizes(self, size):
        self.loop.call_soon(self.far.terminal.resize, *size)
        self.run(self.turns(1))

    @rule(count=st.integers(1, 30))
    def goes_on(self, count):
        self.run(self.turns(count))

    @rule()
    def rests(self):
        self.run(asyncio.sleep(0.02))  # longer than Textual waits between two frames

    @rule()
    def line_stalls_and_recovers(self):
        self.loop.call_soon(self.far.terminal.pause)
        self.loop.call_soon(self.far.terminal.resume)
        self.run(self.turns(2))

    @rule(paused=st.booleans())
    def line_stalls(self, paused):
        self.loop.call_soon(self.far.terminal.pause if paused else self.far.terminal.resume)
        self.run(self.turns(1))

    @rule(text=st.sampled_from(["hello", "[b]bold[/b]", "\x1b[2J", "x" * 200]))
    def other_talks(self, text):
        self.other.say(text)
        self.run(self.turns(1))

    @rule()
    def other_plays(self):
        update = self.other.update
        view = update.match.play if update and update.match else None
        if view and view.legal:
            self.other.act(view.legal[0])
        elif view and view.result:
            self.other.ready()
        self.run(self.turns(1))

    @rule(on=st.booleans())
    def other_stops_the_table(self, on):
        self.other.pause(on)
        self.run(self.turns(1))

    @rule()
    def other_goes_and_comes(self):
        if self.other.update:
            self.other.leave()
        elif self.other.tables.tables:
            self.other.sit(self.other.tables.tables[0].id)
        self.run(self.turns(1))

    @invariant()
    def no_app_has_broken(self):
        if hasattr(self, "task"):
            assert not self.errors, self.errors[0]
            if self.task.done():
                self.task.result()

    def teardown(self):
        if not hasattr(self, "loop"):
            return
        try:
            self.run(self.close())
        finally:
            for task in asyncio.all_tasks(self.loop):
                task.cancel()
            self.run(self.turns(20))
            self.loop.close()

    async def close(self):
        self.far.terminal.end()
        try:
            async with asyncio.timeout(PATIENCE):
                await self.task
        finally:
            self.listening.cancel()
            for link in self.links:
                link.close()
            await self.stack.aclose()
        assert not self.errors, self.errors[0]


TestServedTable = ServedTable.TestCase
TestServedTable.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=30,
    phases=set(Phase) - {Phase.shrink, Phase.explain},  # these take minutes; the seed is printed
    print_blob=True,
    suppress_health_check=list(HealthCheck),
)
