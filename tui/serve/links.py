"""What the links of a host lead to, on a screen, in words and as a picture: a table, a game, a match, a lesson."""

import asyncio
import re
from collections.abc import Callable, Coroutine
from contextlib import suppress
from itertools import islice
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from msgspec import Struct
from textual.app import App

from core.bots.levels import play_match
from core.games import GAMES
from core.match import new_match
from core.presets import PRESETS
from core.records import PLAYED
from core.words import BadOption, Words
from net.doors.terminal import LinkPreview
from net.host.guest_server import GuestServer
from net.host.reviewing import Coach
from net.host.thinkers import Thinkers
from net.limits import MAX_CLAIMED
from net.wire.messages import MOST_TABLES, MakeTable, Sit, TableInfo, Watch
from themes import DEFAULT_THEME
from tui import solo
from tui.app import BoneyardApp
from tui.draw.replay import draw_replay, place_words
from tui.draw.svg import svg_of
from tui.i18n import ENGLISH, _, begin_session, find_language, several, translated
from tui.lessons import LESSONS, Tutor
from tui.model.look import Look, look_for_terminal
from tui.model.new_table import YES, NewTable
from tui.model.playback import MAX_STEPS, Playback, Recording, recorded
from tui.screens.base import SingleScreenApp
from tui.screens.replay import ReplayScreen
from tui.solo import ClientSession
from tui.solo import Show as ShowClient
from tui.text.names import game_meant, game_name, preset_meant
from tui.version import SOFTWARE

_LINK = re.compile(r"/([twrg])/([^/]+)")
Show = Callable[[Callable[[], App[Any]]], Coroutine[Any, Any, Any]]
"""Shows an app to the guest until it is over."""


class MatchLink(Struct, frozen=True):
    """A finished match, by what seals its record."""

    chain: str


class LessonLink(Struct, frozen=True):
    """A lesson."""


Target = MakeTable | Sit | Watch | MatchLink | LessonLink


def target_of(path: str) -> Target | None:
    """What a link leads to; None where it is the lobby, or nothing that is known."""
    try:
        parts = urlsplit(path)
    except ValueError:  # "//[" begins an address that never ends
        return None
    if parts.path == "/learn":
        return LessonLink()
    found = _LINK.fullmatch(parts.path)
    if found is None:
        return None
    kind, what = found[1], unquote(found[2])[:MAX_CLAIMED]
    code = parse_qs(parts.query).get("code", [""])[0][:MAX_CLAIMED]
    match kind:
        case "g":
            return against_bots(what)
        case "r":
            return MatchLink(what)
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


async def recording_of(link: MatchLink, server: GuestServer) -> Recording | None:
    """The match that a link leads to; None where it is not kept, or cannot be shown."""
    lines: list[str] = []
    with suppress(OSError):
        while len(lines) < MAX_STEPS and (part := await server.register.record(link.chain, len(lines))):
            lines += part
    recording = await asyncio.to_thread(recorded, lines)
    return recording if recording.frames else None


async def replay(link: MatchLink, server: GuestServer, show: Show, look: Look, coach: Coach | None) -> str:
    """Show a finished match; return what to tell who comes from there, such as that it is not here."""
    recording = await recording_of(link, server)
    if recording is None:
        return _("That match is not kept here, or no longer.")
    await show(lambda: SingleScreenApp(ReplayScreen(recording, look, coach.judge if coach else None)))
    return ""


async def learn(show: Show, look: Look, thinkers: Thinkers | None) -> MakeTable | None:
    """Give lessons until the learner has enough; return the match that they would like to play then, if any."""

    def at_table(tutor: Tutor) -> ShowClient:
        async def show_client(visit: ClientSession) -> str:
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

        return show_client

    return (await solo.learn(LESSONS[0], at_table, name=_("You"), thinkers=thinkers)).table


WINDOW = (100, 26)
"""Columns and rows of a picture: nearly as wide as messengers show one."""
PIXELS = 1200
"""Its width."""
MOVES = 14
"""Actions after which a game is shown: enough to see what it looks like."""
_TAGS = 200
"""Characters of the languages that a browser asks for; more of them are not looked at."""
_MOST = 100
"""Pictures that are kept."""
_WAITING = 4
"""Requests that wait for a picture to be drawn; more get none."""


class WebPages:
    """The `net.web.door.Pages` of a host."""

    def __init__(self, server: GuestServer) -> None:
        self._server = server
        self._pictures: dict[str, bytes] = {}
        self._drawing = asyncio.Lock()
        self._waiting = 0

    def card(self, path: str, language: str) -> LinkPreview:
        """What a link leads to, in a language of the game."""
        begin_session(language)
        match target_of(path):
            case MakeTable(game=game):
                return LinkPreview(
                    _("{game}, against bots", game=game_name(game)), _("Play at once in your browser.")
                )
            case Sit(table=number) | Watch(table=number):
                listed = self._server.listing.get(number)
                return _card_of(listed[0]) if listed else LinkPreview("Boneyard", _("That table is no longer open."))
            case MatchLink():
                return LinkPreview(_("A match of dominoes"), _("Look at every move of it again in your browser."))
            case LessonLink():
                return LinkPreview(_("Learn dominoes"), _("A round against bots, explained as it goes."))
        return LinkPreview("Boneyard", _("Every domino game people play, at one table: alone or with friends."))

    async def picture(self, path: str) -> bytes:
        """A picture of that, as PNG; empty where there is none. One at a time is drawn, in a thread."""
        about = self._about(path)
        if (known := self._pictures.get(about)) is not None:
            return known
        if self._waiting >= _WAITING:
            return b""
        self._waiting += 1
        try:
            async with self._drawing:
                drawn = self._pictures.get(about, b"") or await self._drawn(about)
        finally:
            self._waiting -= 1
        if drawn:  # nothing is remembered of links that lead nowhere: there is no end of them
            self._pictures[about] = drawn
            if len(self._pictures) > _MOST:
                del self._pictures[next(iter(self._pictures))]
        return drawn

    def language(self, accepted: str) -> str:
        """Which language of the game a browser gets that accepts some: the first of them that there is."""
        asked = (tag.partition(";")[0] for tag in accepted[:_TAGS].split(","))
        return next(filter(None, map(find_language, asked)), ENGLISH)

    def spoken(self, sentence: Words, language: str) -> str:
        """A sentence in a language of the game."""
        begin_session(language)
        return translated(sentence)

    def _about(self, path: str) -> str:
        """What a picture shows: a game, or a match by its chain. A private table shows no more than a game, too."""
        match target_of(path):
            case MakeTable(game=game):
                return game
            case Sit(table=number) | Watch(table=number):
                listed = self._server.listing.get(number)
                return listed[0].game if listed and listed[0].game in GAMES else "draw"
            case MatchLink(chain=chain):
                return f"/{chain}"
        return "draw"

    async def _drawn(self, about: str) -> bytes:
        if not about.startswith("/"):
            return await asyncio.to_thread(lambda: _picture_of(sample_of(about)))
        recording = await recording_of(MatchLink(about[1:]), self._server)
        return await asyncio.to_thread(_picture_of, recording) if recording else b""


def _picture_of(recording: Recording) -> bytes:
    """Its last position, as PNG."""
    from resvg_py import svg_to_bytes  # noqa: PLC0415 - few hosts have it installed

    look: Look = look_for_terminal("xterm", {"COLORTERM": "truecolor"}, DEFAULT_THEME)
    playback = Playback(recording, len(recording.frames) - 1)
    title = f"{game_name(playback.frame.match.variant.id)}: {place_words(playback)}"
    return svg_to_bytes(svg_string=svg_of(draw_replay(playback, *WINDOW, look), title), width=PIXELS)


def sample_of(game: str) -> Recording:
    """The first moves of a game, always the same."""
    fewest, most = GAMES[game].seats
    for players in (min(max(3, fewest), most), fewest, most):
        try:
            match = new_match(GAMES[game], players, {})
        except BadOption:
            continue
        steps = play_match(match, ("greedy",) * players, b"7", SOFTWARE)
        played, first = 0, []
        for step in islice(steps, 10 * MOVES):
            first.append(step)
            played += isinstance(step.line, PLAYED)
            if played > MOVES:
                break
        return Recording(first)
    raise ValueError(f"nobody can play {game}")


def _card_of(table: TableInfo) -> LinkPreview:
    """A table, without names where it is private."""
    game = game_name(table.game)
    if table.private:
        return LinkPreview(_("A private table: {game}", game=game), _("You need its code, unless the link has it."))
    free = sum(seat.free for seat in table.seats)
    about = several("{count} seat is free.", "{count} seats are free.", free) if free else _("You can watch.")
    return LinkPreview(_("{name}'s table: {game}", name=table.name, game=game), about)
