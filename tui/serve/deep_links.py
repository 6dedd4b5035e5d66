"""Targets of deep links, on a screen, in words and as a picture: a table, a game, a match or a lesson."""

import asyncio
import re
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from itertools import islice
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from msgspec import Struct
from textual.app import App

from core.bots.levels import play_match
from core.games import GAMES
from core.match import new_match
from core.records import PLAYED
from core.words import BadOption, Words
from net.doors.terminal import LinkPreview, LinkRow
from net.host.guest_server import GuestServer
from net.host.reviewing import Coach
from net.host.thinkers import Thinkers
from net.limits import MAX_CLAIMED
from net.wire.messages import MOST_TABLES, Browse, MakeTable, SeatInfo, Sit, TableInfo, Watch
from themes import DEFAULT_THEME
from tui import solo
from tui.app import BoneyardApp
from tui.draw.replay import draw_replay, place_words
from tui.draw.svg import svg_of
from tui.i18n import ENGLISH, LANGUAGES, _, begin_session, find_language, pgettext, several, translate
from tui.lessons import LESSONS, Tutor
from tui.model.look import Look, look_for_terminal
from tui.model.new_table import DEFAULT_GAME, against_bots, quick_game
from tui.model.playback import MAX_STEPS, Playback, Recording, read_recording
from tui.screens.base import SingleScreenApp
from tui.screens.replay import ReplayScreen
from tui.solo import ClientSession
from tui.solo import Show as ShowClient
from tui.text.names import find_rules, game_name
from tui.version import SOFTWARE

_LINK = re.compile(r"/([twrg])/([^/]+)")
Show = Callable[[Callable[[], App[Any]]], Coroutine[Any, Any, Any]]
"""Show an app to the guest until it ends."""


class MatchLink(Struct, frozen=True):
    """A finished match, named by the `chain` hash that seals its record."""

    chain: str


class LessonLink(Struct, frozen=True):
    """A lesson."""


Target = MakeTable | Sit | Watch | MatchLink | LessonLink


MAX_TABLES_SHOWN = 5
"""Maximum number of tables on the entrance."""
FIRST_GAMES = ("draw", "all-fives", "mexican-train", "chickenfoot", "forty-two", "block", "wildstar", "patience")
"""Games on the entrance, the best known first."""


def target_of(path: str) -> Target | None:
    """Return the target of a deep link; None for the lobby or an unknown path."""
    try:
        parts = urlsplit(path)
    except ValueError:  # "//[" begins an address that never ends
        return None
    if parts.path == "/learn":
        return LessonLink()
    address = _LINK.fullmatch(parts.path)
    if address is None:
        return None
    kind, name = address[1], unquote(address[2])[:MAX_CLAIMED]
    code = parse_qs(parts.query).get("code", [""])[0][:MAX_CLAIMED]
    match kind:
        case "g":
            return table_against_bots(name)
        case "r":
            return MatchLink(name)
        case _ if name.isdecimal() and int(name) <= MOST_TABLES:
            return (Sit if kind == "t" else Watch)(int(name), code)
    return None


def table_against_bots(name: str) -> MakeTable | None:
    """Return a table with bots only, for the game or preset with this name; None if there is none."""
    with suppress(BadOption):
        game, preset = find_rules(name)
        return against_bots(game.id, preset)
    return None


async def recording_of(link: MatchLink, server: GuestServer) -> Recording | None:
    """Return the match of a link; None if it is not saved here or cannot be shown."""
    lines: list[str] = []
    with suppress(OSError):
        while len(lines) < MAX_STEPS and (part := await server.registry.record(link.chain, len(lines))):
            lines += part
    recording = await asyncio.to_thread(read_recording, lines)
    return recording if recording.frames else None


async def replay(link: MatchLink, server: GuestServer, show: Show, look: Look, coach: Coach | None) -> str:
    """Show a finished match; return an empty text, or a sentence for the guest if the match is not saved here."""
    recording = await recording_of(link, server)
    if recording is None:
        return _("That match is not kept here, or no longer.")
    await show(lambda: SingleScreenApp(ReplayScreen(recording, look, coach.judge if coach else None)))
    return ""


async def learn(show: Show, look: Look, thinkers: Thinkers | None) -> MakeTable | None:
    """Give lessons until the learner leaves; return the match that they chose to play next, or None."""

    def make_show(tutor: Tutor) -> ShowClient:
        async def show_client(client_session: ClientSession) -> str:
            await show(
                lambda: BoneyardApp(
                    client_session.client,
                    look,
                    table_request=client_session.table_request,
                    name=client_session.name,
                    converse=client_session.converse,
                    thinkers=client_session.thinkers,
                    tutor=tutor,
                )
            )
            client_session.client.goodbye()
            await client_session.saver.close()
            return ""

        return show_client

    return (await solo.learn(LESSONS[0], make_show, name=_("You"), thinkers=thinkers)).table


PREVIEW_WINDOW = (100, 26)
"""Columns and rows of a preview: nearly as wide as messengers show one."""
PREVIEW_PIXELS = 1200
"""Width of a preview."""
PREVIEW_ACTIONS = 14
"""Actions in a preview of a game: enough to see what it looks like."""
_MAX_ACCEPTED_LENGTH = 200
"""Number of characters that are read of a browser's Accept-Language."""
_MAX_PREVIEWS = 100
"""Maximum number of cached previews."""
_MAX_WAITING = 4
"""Maximum number of requests that wait for a preview; further ones get none."""


class WebPages:
    """`net.web.door.Pages` of a host."""

    def __init__(self, server: GuestServer) -> None:
        self._server = server
        self._pictures: dict[str, bytes] = {}
        self._drawing = asyncio.Lock()
        self._waiting_count = 0

    def card(self, path: str, language: str) -> LinkPreview:
        """Return the title and text of a link's preview, in a language of the game."""
        begin_session(language)
        match target_of(path):
            case MakeTable(game=game):
                return LinkPreview(
                    _("{game}, against bots", game=game_name(game)), _("Play at once in your browser.")
                )
            case Sit(table=number) | Watch(table=number):
                table_entry = self._server.listing.get(number)
                return _preview_of_table(table_entry[0]) if table_entry else _preview_of_lost_table()
            case MatchLink():
                return LinkPreview(_("A match of dominoes"), _("Look at every move of it again in your browser."))
            case None if path.startswith("/g/"):
                return LinkPreview("Boneyard", _("This server has no game of that name."))
            case LessonLink():
                return LinkPreview(_("Learn dominoes"), _("A round against bots, explained as it goes."))
        return self._preview_of_lobby()

    def _preview_of_lobby(self) -> LinkPreview:
        """Describe the tables, those with a free seat first, and games to play against bots."""
        tables = self._server.listing.page(Browse()).tables
        main_row = LinkRow(f"/g/{DEFAULT_GAME}", _("Against bots"))
        match quick_game(tables, DEFAULT_GAME):
            case TableInfo() as waiting:
                names = _people_at(waiting)
                note = _("Sits you down with {names}.", names=names) if names else ""
                main_row = LinkRow(f"/t/{waiting.id}", _("Quick game"), note)
        games = tuple(LinkRow(f"/g/{game}", game_name(game)) for game in FIRST_GAMES)
        text = _("Every domino game people play, at one table: alone or with friends.")
        return LinkPreview(
            "Boneyard", text, main=main_row, tables=tuple(map(_table_row, tables[:MAX_TABLES_SHOWN])), games=games
        )

    @property
    def languages(self) -> Mapping[str, str]:
        """The languages of the game, each by its own name."""
        return LANGUAGES

    async def picture(self, path: str) -> bytes:
        """Return the preview of a path as a PNG; empty without a target, and while too many previews wait.

        A thread draws one preview at a time.
        """
        subject = self._subject_of(path)
        if (cached_picture := self._pictures.get(subject)) is not None:
            return cached_picture
        if self._waiting_count >= _MAX_WAITING:
            return b""
        self._waiting_count += 1
        try:
            async with self._drawing:
                png = self._pictures.get(subject, b"") or await self._draw_preview(subject)
        finally:
            self._waiting_count -= 1
        if png:  # links that lead nowhere are not cached: there is no end of them
            self._pictures[subject] = png
            if len(self._pictures) > _MAX_PREVIEWS:
                del self._pictures[next(iter(self._pictures))]
        return png

    def language(self, accepted: str) -> str:
        """Return the first language that a browser accepts and the game has."""
        tags = (tag.partition(";")[0] for tag in accepted[:_MAX_ACCEPTED_LENGTH].split(","))
        return next(filter(None, map(find_language, tags)), ENGLISH)

    def translate(self, sentence: Words, language: str) -> str:
        """Translate a sentence."""
        begin_session(language)
        return translate(sentence)

    def _subject_of(self, path: str) -> str:
        """Return the subject of a preview: a game, or "/" and the chain of a match. A private table shows only its
        game.
        """
        match target_of(path):
            case MakeTable(game=game):
                return game
            case Sit(table=number) | Watch(table=number):
                table_entry = self._server.listing.get(number)
                return table_entry[0].game if table_entry and table_entry[0].game in GAMES else "draw"
            case MatchLink(chain=chain):
                return f"/{chain}"
        return "draw"

    async def _draw_preview(self, subject: str) -> bytes:
        if not subject.startswith("/"):
            return await asyncio.to_thread(lambda: _picture_of(sample_of(subject)))
        recording = await recording_of(MatchLink(subject[1:]), self._server)
        return await asyncio.to_thread(_picture_of, recording) if recording else b""


def _picture_of(recording: Recording) -> bytes:
    """Draw the last position of a recording as a PNG."""
    from resvg_py import svg_to_bytes  # noqa: PLC0415 - few hosts have it installed

    look: Look = look_for_terminal("xterm", {"COLORTERM": "truecolor"}, DEFAULT_THEME)
    playback = Playback(recording, len(recording.frames) - 1)
    title = f"{game_name(playback.frame.match.variant.id)}: {place_words(playback)}"
    return svg_to_bytes(svg_string=svg_of(draw_replay(playback, *PREVIEW_WINDOW, look), title), width=PREVIEW_PIXELS)


def sample_of(game: str) -> Recording:
    """Return the first moves of a match of a game, the same each time. Raises ValueError if nobody can play it."""
    min_players, max_players = GAMES[game].seats
    for players in (min(max(3, min_players), max_players), min_players, max_players):
        try:
            match = new_match(GAMES[game], players, {})
        except BadOption:
            continue
        steps = play_match(match, ("greedy",) * players, b"7", SOFTWARE)
        action_count, steps_shown = 0, []
        for step in islice(steps, 10 * PREVIEW_ACTIONS):
            steps_shown.append(step)
            action_count += isinstance(step.line, PLAYED)
            if action_count > PREVIEW_ACTIONS:
                break
        return Recording(steps_shown)
    raise ValueError(f"nobody can play {game}")


def _preview_of_lost_table() -> LinkPreview:
    return LinkPreview("Boneyard", _("That table is no longer open."), main=LinkRow("/", _("See the open tables")))


def _table_row(table: TableInfo) -> LinkRow:
    """Describe a table in a row of the entrance, without names if it is private."""
    people = _("private") if table.private else _people_at(table)
    state = _("a seat is free") if table.waits else _("to watch")
    path = f"/{'t' if table.waits else 'w'}/{table.id}"
    about = " · ".join(filter(None, (people, state)))
    return LinkRow(path, game_name(table.game), about, _("Sit down") if table.waits else _("Watch"), table.waits)


def _people_at(table: TableInfo) -> str:
    """Return the names of the people at a table."""
    return ", ".join(seat.name for seat in table.seats if seat.name and not seat.bot)


def _preview_of_table(table: TableInfo) -> LinkPreview:
    """Describe a table, without names if it is private."""
    game = game_name(table.game)
    if table.private:
        title, text = _("A private table: {game}", game=game), _("You need its code, unless the link has it.")
        return LinkPreview(title, text, asks_code=True)
    free = sum(seat.free for seat in table.seats)
    seats_text = several("{count} seat is free.", "{count} seats are free.", free) if free else _("You can watch.")
    watch = None if free else LinkRow(f"/w/{table.id}", _("Watch"), _("All seats are taken."))
    seats = tuple((seat.name or _("free seat"), _seat_note(seat), seat.free) for seat in table.seats)
    return LinkPreview(_("{name}'s table: {game}", name=table.name, game=game), seats_text, seats, main=watch)


def _seat_note(seat: SeatInfo) -> str:
    """Return “bot”, or “away” for an absent player; empty for a free seat and for a player who is present."""
    return _("bot") if seat.bot else pgettext("a player", "away") if seat.away and not seat.free else ""
