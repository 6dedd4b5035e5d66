"""What the links of a host lead to: a table, a game against bots, a match to look at again, a lesson."""

import asyncio
import re
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from msgspec import Struct
from textual.app import App

from core.presets import PRESETS
from core.words import BadOption
from net.host.guest_server import GuestServer
from net.host.thinkers import Thinkers
from net.limits import MAX_CLAIMED
from net.wire.messages import MOST_TABLES, MakeTable, Sit, Watch
from tui.app import BoneyardApp
from tui.draw.look import Look
from tui.i18n import _
from tui.lessons import LESSONS, Lesson, Tutor
from tui.model.new_table import YES, NewTable
from tui.model.playback import Recording
from tui.run.alone import play_alone
from tui.run.replayed import MAX_STEPS, recorded
from tui.run.reviewing import Coach
from tui.run.shown import Visit
from tui.screens.base import OneScreen
from tui.screens.replay import ReplayScreen
from tui.text.names import game_meant, preset_meant

_LINK = re.compile(r"/([twrg])/([^/]+)")
Show = Callable[[Callable[[], App[Any]]], Coroutine[Any, Any, Any]]
"""Shows an app to the guest until it is over."""


class Replay(Struct, frozen=True):
    """A finished match, by what seals its record."""

    chain: str


class Learn(Struct, frozen=True):
    """A lesson."""


Target = MakeTable | Sit | Watch | Replay | Learn


def target_of(path: str) -> Target | None:
    """What a link leads to; None where it is the lobby, or nothing that is known."""
    parts = urlsplit(path)
    if parts.path == "/learn":
        return Learn()
    found = _LINK.fullmatch(parts.path)
    if found is None:
        return None
    kind, what = found[1], unquote(found[2])[:MAX_CLAIMED]
    code = parse_qs(parts.query).get("code", [""])[0][:MAX_CLAIMED]
    match kind:
        case "g":
            return against_bots(what)
        case "r":
            return Replay(what)
        case _ if what.isdecimal() and int(what) <= MOST_TABLES:
            return (Sit if kind == "t" else Watch)(int(what), code)
    return None


def against_bots(name: str) -> MakeTable | None:
    """A table with nobody but bots, for a game or a preset of that name; None for no such name."""
    new_table = NewTable(hints=YES, take_back=YES)
    with suppress(BadOption):
        if name not in PRESETS:
            return new_table.set("game", game_meant(name).id).table(free_seats=False)
    with suppress(BadOption):
        return new_table.played_as(preset_meant(name)).table(free_seats=False)
    return None


async def recording_of(link: Replay, server: GuestServer) -> Recording | None:
    """The match that a link leads to; None where it is not kept, or cannot be shown."""
    lines: list[str] = []
    with suppress(OSError):
        while len(lines) < MAX_STEPS and (part := await server.register.record(link.chain, len(lines))):
            lines += part
    recording = await asyncio.to_thread(recorded, lines)
    return recording if recording.frames else None


async def replay(link: Replay, server: GuestServer, show: Show, look: Look, coach: Coach | None) -> str:
    """Show a finished match; return what to tell who comes from there, such as that it is not here."""
    recording = await recording_of(link, server)
    if recording is None:
        return _("That match is not kept here, or not any more.")
    await show(lambda: OneScreen(ReplayScreen(recording, look, coach.judge if coach else None)))
    return ""


async def learn(show: Show, look: Look, software: str, thinkers: Thinkers | None) -> MakeTable | None:
    """Give lessons until the learner has enough; return the match that they would like to play then, if any."""
    following: Lesson | MakeTable | None = LESSONS[0]
    while isinstance(following, Lesson):
        tutor = Tutor(following)

        async def at_table(visit: Visit, tutor: Tutor = tutor) -> str:
            await show(
                lambda: BoneyardApp(
                    visit.client,
                    look,
                    wish=visit.wish,
                    name=visit.name,
                    converse=visit.converse,
                    thinkers=visit.thinkers,
                    tutor=tutor,
                )
            )
            visit.client.goodbye()
            await visit.keeping.close()
            return ""

        with TemporaryDirectory() as data:
            await play_alone(
                following.table, at_table, data=Path(data), software=software, seed=following.seed, thinkers=thinkers
            )
        following = tutor.following
    return following
