"""A whole match of four over real SSH, with two spectators; nobody is told a tile that they may not know."""

import random
import re
from contextlib import AsyncExitStack

import pytest
from msgspec.structs import replace

from core.actions import Draw, Drew
from core.records import ActionLine, DealLine, referee
from core.tiles import tile
from net.wire.messages import MakeTable, Update
from tests.net.party import tiles_in
from tests.real.joined import joined
from tests.real.programs import asked, comes_in, restored
from tests.real.recorded import right
from tests.tui.test_cells import in_dots_above
from tui.draw.rows import rows_of

pytestmark = pytest.mark.real

JOINED = {"ada": 0, "cid": 2, "eve": -1}
SERVED = {"bob": 1, "dan": 3, "fay": -1}
ACROSS = re.compile(r"(?<!\d)(\d)\|(\d)(?!\d)")
HAND = slice(-2 - rows_of(24).hand, -2)
"""The rows of an 80x24 screen in which a player's hand stands."""


def written(text):
    """The tiles that a text names."""
    return {tile("|".join(pair)) for pair in ACROSS.findall(text)}


def drawn(rows):
    """The tiles that stand in the band of the hand, drawn in dots."""
    return {tile(f"{upper}|{lower}") for y in range(len(rows)) for upper, lower in in_dots_above(rows, y)}


class Witness:
    """Notes at which moment of the match each tile was on a served player's screen or sent to their terminal."""

    def __init__(self, player, clock):
        self.player = player
        self.named, self.held = set(), set()
        self._clock = clock
        self._checked = 0
        player.seen.append(self._look)

    def _look(self, player):
        now = self._clock()
        self.held |= {(now, each) for each in drawn(player.rows[HAND])}
        raw = player.raw[self._checked :].decode("utf-8", "replace")
        self.named |= {(now, each) for each in written(player.text) | written(raw)}
        self._checked = len(player.raw)


def moments(record):
    """The match after each deal and each action, and the tiles that each seat (-1: spectator) may know by then."""
    states, known = [], []
    with record.open() as lines:
        for step in referee(line.rstrip("\n") for line in lines):
            if isinstance(step.line, DealLine):
                states.append(step.match)
                known.append(
                    {seat: set(step.match.state.hands[seat]) if seat >= 0 else set() for seat in range(-1, 4)}
                )
            elif isinstance(step.line, ActionLine):
                now = {seat: tiles | tiles_in(step.match.state.layout) for seat, tiles in known[-1].items()}
                for event in step.events:
                    if isinstance(event, Drew):
                        now[event.seat] |= set(event.tiles)
                if step.match.state.result:
                    now = {seat: tiles | tiles_in(step.match.state.result) for seat, tiles in now.items()}
                states.append(step.match)
                known.append(now)
    return states, known


class Evening:
    """Four players and two spectators, the moment of the match, and how much each had received by then."""

    def __init__(self, guests, screens):
        self.guests = guests
        self.screens = screens
        self.moment = 0
        """Deals and actions so far; whatever is received or seen from the first deal on belongs to one of them."""
        self.marks = {name: [] for name in JOINED}
        self.witnesses = {name: Witness(screen, lambda: self.moment) for name, screen in screens.items()}
        self._rng = random.Random(1)
        self._answered = {}

    @property
    def update(self):
        return self.guests["ada"].update

    async def passes(self, number):
        """Wait until all joined clients have received a change, and note how much they have received."""
        for name, guest in self.guests.items():
            await guest.until(lambda now: now.update.number >= number)
            self.marks[name].append(len(guest.payloads))

    async def shows(self, text):
        for screen in self.screens.values():
            await screen.sees(text)

    async def acts(self):
        """Let whose turn it is do something."""
        number, turn = self.update.number, self.update.match.play.turn
        self.moment += 1
        (name,) = [name for name, seat in (JOINED | SERVED).items() if seat == turn]
        if name in JOINED:
            self.guests[name].act(self._rng.choice(self.guests[name].update.match.play.legal))
        else:
            screen, last = self.screens[name], self._answered.get(name)
            await screen.sees(lambda now: asked(now.rows) == "play" and now.text != last)
            self._answered[name] = screen.text
            screen.types("\r")
        await self.passes(number + 1)

    async def goes_on(self):
        """Let everybody look at the result and ask for the next round."""
        await self.shows(lambda now: "the round is over" in now.rows[-1])
        after = self.update.match.round
        self.moment += 1
        for name, seat in (JOINED | SERVED).items():
            if seat >= 0:
                self.guests[name].ready() if name in JOINED else self.screens[name].types("\r")
        await self.guests["ada"].until(lambda now: now.update.match.round > after)
        await self.shows(f"round {after + 1}")
        await self.passes(self.update.number)


async def all_come_in(house, client):
    """Bring the guests over ssh into the lobby; return their screens."""
    screens = {}
    for name in SERVED:
        screens[name] = client.plays(house.port, user=name, key=client.key(name)[0])
    for screen in screens.values():
        await comes_in(screen)
    return screens


async def sits_down(guests, screens):
    """Seat the players at a table that the spectators are at already."""
    ada = guests["ada"]
    ada.make_table(MakeTable("draw", 4, {"target": 50}))
    await ada.until(lambda now: now.update)
    guests["eve"].watch(1)
    await screens["fay"].sees("ada's table")
    screens["fay"].types("w")
    await screens["fay"].sees("watching")
    for name, seat in [("bob", 1), ("cid", 2), ("dan", 3)]:
        if name in SERVED:
            await screens[name].sees("ada's table")
        guests[name].sit(1) if name in JOINED else screens[name].types("\r")
        await ada.until(lambda now, seat=seat: not now.update.table.seats[seat].free)


def check_joined(name, seat, guest, marks, states, known):
    """Check that a joined player was told nothing too early, and at every moment everything that they may know."""
    heard, since = guest.heard, 0
    for now, (match, upto) in enumerate(zip(states, marks, strict=True)):
        may = known[now][seat] | known[max(0, now - 1)][seat]
        for message in heard[since:upto]:
            assert tiles_in(message) <= may, f"{name} heard {tiles_in(message) - may} at {now}"
        newest = [message for message in heard[:upto] if isinstance(message, Update)][-1]
        assert replace(newest.match, history=()) == replace(match.view(seat), history=()), f"{name} at {now}"
        since = upto
    assert not guest.refusals


def check_served(name, seat, witness, states, known):
    """See that a served screen named and drew nothing too early, but did draw the whole hand."""
    for now, each in witness.named | witness.held:
        assert each in known[now][seat] | known[max(0, now - 1)][seat], f"{name} saw {each} at {now}"
    states = [match.state for match in states if seat >= 0 and not match.state.result]  # a result covers the hand
    hands = {each for state in states for each in state.hands[seat]}
    assert {each for _, each in witness.held} == hands
    assert witness.named


async def test_a_match_of_four_over_ssh_tells_nobody_a_tile_that_they_may_not_know(programs, client, tmp_path):
    house = await programs.hosts()
    async with AsyncExitStack() as stack:
        guests = {name: await stack.enter_async_context(joined(house, tmp_path, name)) for name in JOINED}
        screens = await all_come_in(house, client)
        evening = Evening(guests, screens)
        await sits_down(guests, screens)
        await evening.shows("round 1")
        await evening.passes(evening.update.number)
        while not evening.update.match.winners:
            await (evening.goes_on() if evening.update.match.play.result else evening.acts())
        await evening.shows(lambda now: "the match is over" in now.rows[-1])

        (record,) = house.records
        states, known = moments(record)
        assert len(states) == evening.moment + 1
        assert states[-1].over
        assert any(Draw() in match.legal for match in states), "nobody ever drew: nothing was there to be hidden"
        for name, seat in JOINED.items():
            check_joined(name, seat, guests[name], evening.marks[name], states, known)
        for name, seat in SERVED.items():
            check_served(name, seat, evening.witnesses[name], states, known)

        for screen in screens.values():
            screen.types("q")
            await screen.sees("in the lobby")
            screen.types("q")
            assert await screen.leaves() == 0
            assert restored(screen)
    await house.closes()
    assert right(record).matches == 1
