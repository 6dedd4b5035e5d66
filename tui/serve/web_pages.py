"""What a host shows browsers besides its screens: what a link leads to, in words and as a picture."""

import asyncio
from itertools import islice

from core.bots.levels import play_match
from core.games import GAMES
from core.match import new_match
from core.records import PLAYED
from core.words import BadOption, Words
from net.doors.terminal import Card
from net.host.guest_server import GuestServer
from net.wire.messages import MakeTable, Sit, TableInfo, Watch
from themes import DEFAULT_THEME
from tui.draw.look import Look, look_on
from tui.draw.replay import draw_replay, place_words
from tui.draw.svg import svg_of
from tui.i18n import ENGLISH, _, known_as, several, speak, spoken
from tui.model.playback import Playback, Recording
from tui.serve.links import Learn, Replay, recording_of, target_of
from tui.text.names import game_name
from tui.version import SOFTWARE

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

    def card(self, path: str, language: str) -> Card:
        """What a link leads to, in a language of the game."""
        speak(language)
        match target_of(path):
            case MakeTable(game=game):
                return Card(_("{game}, against bots", game=game_name(game)), _("Play at once, in your browser."))
            case Sit(table=number) | Watch(table=number):
                listed = self._server.listing.get(number)
                return _card_of(listed[0]) if listed else Card("Boneyard", _("That table is not open any more."))
            case Replay():
                return Card(_("A match of dominoes"), _("Look at every move of it again, in your browser."))
            case Learn():
                return Card(_("Learn dominoes"), _("A round against bots, explained as it goes."))
        return Card("Boneyard", _("Every domino game people play, at one table: alone or with friends."))

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
        return next(filter(None, map(known_as, asked)), ENGLISH)

    def spoken(self, sentence: Words, language: str) -> str:
        """A sentence in a language of the game."""
        speak(language)
        return spoken(sentence)

    def _about(self, path: str) -> str:
        """What a picture shows: a game, or a match by its chain. A private table shows no more than a game, too."""
        match target_of(path):
            case MakeTable(game=game):
                return game
            case Sit(table=number) | Watch(table=number):
                listed = self._server.listing.get(number)
                return listed[0].game if listed and listed[0].game in GAMES else "draw"
            case Replay(chain=chain):
                return f"/{chain}"
        return "draw"

    async def _drawn(self, about: str) -> bytes:
        if not about.startswith("/"):
            return await asyncio.to_thread(lambda: _picture_of(sample_of(about)))
        recording = await recording_of(Replay(about[1:]), self._server)
        return await asyncio.to_thread(_picture_of, recording) if recording else b""


def _picture_of(recording: Recording) -> bytes:
    """Its last position, as PNG."""
    from resvg_py import svg_to_bytes  # noqa: PLC0415 - few hosts have it installed

    look: Look = look_on("xterm", {"COLORTERM": "truecolor"}, DEFAULT_THEME)
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


def _card_of(table: TableInfo) -> Card:
    """A table, without names where it is private."""
    game = game_name(table.game)
    if table.private:
        return Card(_("A private table: {game}", game=game), _("You need its code, unless the link has it."))
    free = sum(seat.free for seat in table.seats)
    about = several("{count} seat is free.", "{count} seats are free.", free) if free else _("You can watch.")
    return Card(_("{name}'s table: {game}", name=table.name, game=game), about)
