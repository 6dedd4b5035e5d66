"""A host, or a gateway of it, is killed again and again in mid-match: nothing told is lost, or done twice.

The short form kills five times; `BONEYARD_KILLS=100 ./scripts/test tests/real/test_killed.py` is the long one.
"""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from contextlib import AsyncExitStack

import pytest

from core.actions import Laid, MatchOver, Played
from net.client.client import Client
from net.client.reconnect import run_reconnecting
from net.ssh.client.connect import connect
from net.wire.messages import Greeting, Left, MakeTable, Refused, Tables, Update
from tests.real.programs import ROOT

KILLS = int(os.environ.get("BONEYARD_KILLS", "5"))
TABLES = ("draw", "block", "all-fives", "forty-two")
GAME_OPTIONS = {"draw": {"target": 50}, "block": {"target": 50}, "all-fives": {}, "forty-two": {}}


class Player:
    """A joined client that plays at random, comes back by itself, and notes all that it is told has happened."""

    def __init__(self, name, folder, seed):
        self.name = name
        self.refusals = []
        self.told = []
        """(commitment, round, seat, tile) of every play that an update told."""
        self.returns = 0
        self.matches = 0
        self.last_match = False
        self.news = asyncio.Event()
        self._folder = folder
        self._rng = random.Random(seed)
        self._wish = None
        self._number = -1
        self._commitment = ""

    def __str__(self):
        update = self.client.update
        where = update and (update.number, update.table.phase, update.seat, update.ready, update.table.seats)
        play = update and update.match and update.match.play
        return f"{self.name}: {self.client.lost=} {self.refusals} {where} {play and (play.turn, play.legal)}"

    def way_in(self):
        return connect(
            "127.0.0.1",
            self.port,
            self.name,
            known_hosts=self._folder / f"{self.name} known",
            own_key=self._folder / f"{self.name} key",
            on_new_host=lambda *_: True,
        )

    async def plays(self, port, wish=None, at=""):
        """Play at a table of one's own, or at the one of somebody, until the end."""
        self.port, self._wish, self._at = port, wish, at
        async with AsyncExitStack() as stack:
            link = await stack.enter_async_context(self.way_in())
            self.client = Client(link, "test", entropy=os.urandom)
            self.client.subscribe(self.handle)
            insists = asyncio.ensure_future(self._insists())
            bye = await run_reconnecting(self.client, link, self.way_in, sleep=self._rest)
            insists.cancel()
            assert bye.reason is None, bye
        self.returns = self.client.reconnects

    async def _rest(self, seconds):
        await asyncio.sleep(min(seconds, 0.5))  # nobody in this test can wait for 15 seconds

    def handle(self, message):
        match message:
            case Greeting():
                self.client.enter(self.name)
            case Tables(tables=tables, yours=-1):
                if self._wish:
                    self.client.make_table(self._wish)
                    self._wish = None
                for table in tables:
                    if table.name == self._at and table.phase == "waiting":
                        self.client.sit(table.id)
            case Update():
                self._play(message)
                self.news.set()
            case Left() if self.last_match:  # the others said goodbye first, and the table was closed
                self.client.goodbye()
            case Refused(reason=reason):  # by a host that finds us too fast, or has moved on
                self.refusals = [*self.refusals[-3:], str(reason)]

    async def _insists(self):
        """Press the key again where nothing came of it, as people do."""
        while True:
            before = self.client.update
            await asyncio.sleep(0.5)
            if before is not None and self.client.update is before and not self.client.lost:
                self._act(before)

    def _play(self, update):
        assert update.number >= self._number, "numbers never go back, whatever happens"
        if update.number == self._number:
            return  # shown again beside a refusal
        self._number = update.number
        if update.match is None:
            return
        if not update.match.over:  # then the host has committed to another one already
            self._commitment = self.client.fair.commitment
        for event in update.events:
            if isinstance(event, Played | Laid):
                self.told.append((self._commitment, update.match.round, event.seat, tuple(event.tile)))
            self.matches += isinstance(event, MatchOver)
        self._act(update)

    def _act(self, update):
        match = update.match
        if match is None:
            return
        if match.over and self.last_match:
            self.client.goodbye()
        elif match.play.legal:
            self.client.act(self._rng.choice(match.play.legal))
        elif match.play.result and update.seat not in update.ready:
            self.client.ready()


@pytest.mark.parametrize("workers", [0, 2], ids=["the host", "a gateway"])
async def test_what_was_told_survives_every_death_of(programs, tmp_path, workers):
    rng = random.Random(20)
    words = ("--grace", "20", "--limit", "handshakes_per_second=1000", "--workers", workers)
    house = await programs.hosts(*words)
    port = house.port
    players = []
    async with asyncio.TaskGroup() as group:
        for number, game in enumerate(TABLES):
            seats = 4 if game == "forty-two" else 2
            names = [f"{game[:8]} {n}" for n in range(seats)]
            for seat, name in enumerate(names):
                player = Player(name, tmp_path, 10 * number + seat)
                players.append(player)
                wish = MakeTable(game, seats, GAME_OPTIONS[game]) if seat == 0 else None
                group.create_task(player.plays(port, wish, names[0]))
        for _ in range(KILLS):
            before = [len(player.told) for player in players]
            try:
                async with asyncio.timeout(60):
                    # A random moment, but only once everybody is back and at play.
                    for player, told in zip(players, before, strict=True):
                        while len(player.told) <= told:
                            player.news.clear()
                            await player.news.wait()
            except TimeoutError:
                raise AssertionError("\n".join(str(p) for p in players) + house.log) from None
            await asyncio.sleep(rng.uniform(0, 0.3))
            if workers:
                os.kill(rng.choice(house.gateways), signal.SIGKILL)
                continue
            house.kills()
            await house.ends()
            house = await programs.hosts(*words, port=port)
        for player in players:
            player.last_match = True
    await house.closes()

    records = {}
    for path in house.records:
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        records[lines[0]["fair"]["commitment"]] = lines
        verify = [sys.executable, "-m", "tui", "verify", path]
        run = await asyncio.to_thread(subprocess.run, verify, cwd=ROOT, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
    assert len(records) >= len(TABLES)
    assert sum(player.returns for player in players) >= KILLS
    lost = twice = told = 0
    for player in players:
        for commitment, round_number, seat, tile in player.told:
            if commitment not in records:
                continue  # of a match that goes on; its host is closed
            done = list(plays(records[commitment]))
            told += 1
            lost += (round_number, seat, tile) not in done
            twice += done.count((round_number, seat, tile)) > 1
    print(f"{KILLS} deaths, {len(records)} matches, {told} plays told, {lost} lost, {twice} done twice")
    assert told
    assert (lost, twice) == (0, 0)


def plays(lines):
    """(round, seat, tile) of every play in a record."""
    number = 0
    for line in lines:
        if line["type"] == "deal":
            number = line["round"]
        elif line["type"] == "action" and line["action"][0] in ("play", "lay"):
            yield number, line["seat"], tuple(line["action"][1])
