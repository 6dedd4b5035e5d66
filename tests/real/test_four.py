"""A whole match of four over real SSH, with two who look on; and nobody hears of a tile that he may not know."""

import random
import re
from contextlib import AsyncExitStack

import pytest

from core.actions import Draw, Drew
from core.records import ActionLine, DealLine, referee
from core.tiles import tile
from net.messages import MakeTable, Update
from tests.net.party import tiles_in
from tests.real.joined import joined
from tests.real.programs import asked, restored

pytestmark = pytest.mark.real

JOINED = {"ada": 0, "cid": 2, "eve": -1}
SERVED = {"bob": 1, "dan": 3, "fay": -1}
ACROSS = re.compile(r"(?<!\d)(\d)\|(\d)(?!\d)")
HAND = slice(17, 22)
"""The rows of an 80x24 screen in which a player's hand stands."""


def written(text):
    """The tiles that a text names."""
    return {tile("|".join(pair)) for pair in ACROSS.findall(text)}


def drawn(rows):
    """The tiles that stand in the band of the hand, drawn as a digit above a digit."""
    found = set()
    for y in range(len(rows) - 2):
        for match in re.finditer(r"▐(\d)▌", rows[y]):
            under = re.match(r"▐(\d)▌", rows[y + 2][match.start() :])
            if under and rows[y + 1][match.start()] == "▐":
                found.add(tile(f"{match[1]}|{under[1]}"))
    return found


class Witness:
    """Notes at which moment of the match each tile stood on a served player's screen or went over his line."""

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
    """The match after each deal and each action, and the tiles that each seat (-1 looks on) may know by then."""
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


async def test_a_match_of_four_over_ssh_tells_nobody_of_a_tile_that_he_may_not_know(programs, client, tmp_path):
    house = await programs.hosts()
    moment = 0  # deals and actions so far
    marks = {name: [] for name in JOINED}
    rng = random.Random(1)
    async with AsyncExitStack() as stack:
        guests = {name: await stack.enter_async_context(joined(house, tmp_path, name)) for name in JOINED}
        ada = guests["ada"]
        ada.make_table(MakeTable("draw", 4, {"target": 50}))
        await ada.until(lambda now: now.update)
        guests["eve"].watch(1)

        screens = {}
        for name in SERVED:
            screens[name] = client.plays(house.port, user=name, key=client.key(name)[0])
        for name, screen in screens.items():
            await screen.sees("What shall the table call you?")
            screen.types("\r")
            await screen.sees(f"{name}, in the lobby")
        witnesses = {name: Witness(screen, lambda: moment) for name, screen in screens.items()}
        screens["fay"].types("w")
        await screens["fay"].sees("looking on")
        for name, seat in [("bob", 1), ("cid", 2), ("dan", 3)]:
            guests[name].sit(1) if name in JOINED else screens[name].types("\r")
            await ada.until(lambda now, seat=seat: not now.update.table.seats[seat].free)
        for screen in screens.values():
            await screen.sees("round 1")

        async def passes(number):
            """Wait until all who joined have heard of a change, and note up to where they have."""
            for name, guest in guests.items():
                await guest.until(lambda now: now.update.number >= number)
                marks[name].append(len(guest.payloads))

        await passes(ada.update.number)
        answered = {}
        while not ada.update.match.winners:
            number, view = ada.update.number, ada.update.match.play
            if view.result:
                for name, screen in screens.items():
                    await screen.sees(lambda now, name=name: "the round is over" in now.rows[-1])
                moment += 1
                for name, seat in (JOINED | SERVED).items():
                    if seat >= 0:
                        guests[name].ready() if name in JOINED else screens[name].types("\r")
                await ada.until(lambda now, after=ada.update.match.round: now.update.match.round > after)
                for screen in screens.values():
                    await screen.sees(f"round {ada.update.match.round}")
                await passes(ada.update.number)
                continue
            moment += 1
            (name,) = [name for name, seat in (JOINED | SERVED).items() if seat == view.turn]
            if name in JOINED:
                legal = guests[name].update.match.play.legal
                guests[name].act(rng.choice(legal))
            else:
                screen = screens[name]
                await screen.sees(lambda now, name=name: asked(now.rows) == "play" and now.text != answered.get(name))
                answered[name] = screen.text
                screen.types("\r")
            await passes(number + 1)
        for screen in screens.values():
            await screen.sees(lambda now: "the match is over" in now.rows[-1])

        (record,) = house.records
        states, known = moments(record)
        assert len(states) == moment + 1
        assert states[-1].over

        for name, seat in JOINED.items():
            heard, since = guests[name].heard, 0
            assert any(isinstance(message, Update) for message in heard)
            for now, (match, upto) in enumerate(zip(states, marks[name], strict=True)):
                for message in heard[since:upto]:
                    may = known[now][seat] | known[max(0, now - 1)][seat]
                    assert tiles_in(message) <= may, f"{name} heard {tiles_in(message) - may} at {now}"
                newest = [message for message in heard[:upto] if isinstance(message, Update)][-1]
                assert newest.match == match.view(seat), f"{name} at {now}"
                since = upto
            assert not guests[name].refusals

        for name, seat in SERVED.items():
            witness = witnesses[name]
            for now, each in witness.named | witness.held:
                may = known[now][seat] | known[max(0, now - 1)][seat]
                assert each in may, f"{name} saw {each} at {now}"
            dealt = {each for match in states if seat >= 0 for each in match.state.hands[seat]}
            assert {each for _, each in witness.held} == dealt, "the hands were not read off the screens"
            assert witness.named
        drew = [now for now, match in enumerate(states) if Draw() in match.legal]
        assert drew, "nobody ever drew, so nothing was there to be hidden"

        for screen in screens.values():
            screen.types("q")
            await screen.sees("in the lobby")
            screen.types("q")
            assert await screen.leaves() == 0
            assert restored(screen)
    await house.closes()
    status, out, err = await programs.runs("verify", record)
    assert (status, err) == (0, "")
    assert "1 match," in out
