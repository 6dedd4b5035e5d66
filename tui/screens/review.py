"""The coach's review of a match that is over: its record, how far the coach has come, what they say."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Protocol

from core.coach.review import (
    Decision,
    Found,
    Judgement,
    NoMatchError,
    Part,
    Recorded,
    Review,
    by_round,
    parts_of,
    people_of,
    read_match,
    review_of,
)
from core.layout.state import NOBODY
from core.records import RecordError
from net.client.client import Client, ClientEvent
from net.client.verify_match import ReceivedRecord
from net.host.workers import WorkerLostError
from net.wire.messages import Record, Refused
from tui.draw.reviewed import review_text, rounds_text
from tui.i18n import _, minutes, translated
from tui.model.keys import Key
from tui.model.look import Look
from tui.records.history import PastMatch, id_of, keep_review, keep_seat
from tui.records.lines import Unreadable, lines_of
from tui.screens.base import Page, PageScreen

BEGINNING = '{"type":"match"'
"""How a record begins; its lines may come while others that were asked for earlier still come."""
Find = Callable[[Part], Awaitable[Found]]
"""Finds out about a part of a review, without the event loop waiting. Raises WorkerLostError if that failed."""


class NoRecordError(Exception):
    """A record does not come; the sentence says why."""


class Source(Protocol):
    """Where the record of a match is had from."""

    @property
    def seat(self) -> int:
        """The seat whose decisions are reviewed; NOBODY's for those of all people."""
        ...

    number: int
    """Which match of the record it is, from one; 0 for its only one."""

    async def lines(self) -> Sequence[str]:
        """Return the record. Raises NoRecordError."""
        ...

    def keep(self, review: Review) -> None:
        """Keep what the review says of luck and play, where statistics are made of it."""
        ...


class HostRecord:
    """The record of the match that was just played, from the host."""

    number = 0

    def __init__(self, client: Client, records: Path | None = None) -> None:
        """`records` is the folder for the player's own records, if this is their own machine."""
        self._client = client
        self._records = records
        self._received = ReceivedRecord()
        self._come: asyncio.Future[str] | None = None

    @property
    def seat(self) -> int:
        """One's own."""
        return self._client.update.seat if self._client.update else NOBODY

    async def lines(self) -> Sequence[str]:
        """Ask the host; keep which seat is one's own."""
        self._come = asyncio.get_running_loop().create_future()
        end = self._client.subscribe(self._take)
        try:
            self._client.recall()
            if problem := await self._come:
                raise NoRecordError(problem)
        finally:
            end()
        if self._records and self.seat != NOBODY:
            await asyncio.to_thread(keep_seat, self._records, id_of(self._received.lines), self.seat)
        return self._received.lines

    def keep(self, review: Review) -> None:
        """Keep it beside the record, which may not be written yet."""
        if self._records:
            keep_review(self._records, id_of(self._received.lines), self.seat, review)

    def _take(self, message: ClientEvent) -> None:
        """Take what comes of the record."""
        if self._come is None or self._come.done():
            return
        match message:
            case Refused(reason=reason):
                self._come.set_result(translated(reason))
            case Record(lines=lines, last=last):
                if lines and lines[0].startswith(BEGINNING):
                    self._received = ReceivedRecord()
                self._received.add(lines)
                if last and self._received.lines and self._received.lines[0].startswith(BEGINNING):
                    self._come.set_result("")


class FileRecord:
    """The record of a match in a file."""

    def __init__(self, match: PastMatch) -> None:
        self.seat, self.number = match.seat, match.matches
        self._match, self._path = match, Path(match.file)

    async def lines(self) -> Sequence[str]:
        """Read the file."""
        try:
            return await asyncio.to_thread(lambda: list(lines_of(self._path)))
        except Unreadable as error:
            raise NoRecordError(str(error)) from error

    def keep(self, review: Review) -> None:
        """Keep it beside the file."""
        keep_review(self._path.parent, self._match.id, self.seat, review)


class ReviewedMatch:
    """The record of a match that is over and the coach's review of it, for every screen that shows some of it.

    `fetch` and `review` end early, with why in `problem`, if the record does not come or does not hold.
    """

    def __init__(self, source: Source, find: Find | None) -> None:
        self._source = source
        self._find = find
        self._fetching = asyncio.Lock()
        self._thinking = asyncio.Lock()
        self._watchers: list[Callable[[], None]] = []
        self._found: list[Found] = []
        self.lines: Sequence[str] = ()
        """The record."""
        self.match: Recorded | None = None
        self.result: Review | None = None
        self.problem = ""
        self.status = ""
        """How far it has come, in a sentence."""

    @property
    def finds(self) -> bool:
        """Whether matches are reviewed here."""
        return self._find is not None

    def watch(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Have something called with every change; return what ends that."""
        self._watchers.append(changed)
        return lambda: self._watchers.remove(changed)

    def _say(self, status: str, *, wrong: bool = False) -> None:
        self.status = status
        if wrong:
            self.problem = status
        for changed in self._watchers[:]:
            changed()

    async def fetch(self) -> Recorded | None:
        """Have the record, and take it apart."""
        async with self._fetching:
            if self.match is None:
                self.problem = ""
                self._say(_("Getting the record from the server …") if self._source.number == 0 else "")
                try:
                    self.lines = await self._source.lines()
                    self.match = await asyncio.to_thread(read_match, self.lines, self._source.number)
                    self._say("")
                except NoRecordError as error:
                    self._say(str(error), wrong=True)
                except (RecordError, NoMatchError):
                    self._say(
                        _("The record of this match is not valid, so the match cannot be reviewed."), wrong=True
                    )
        return self.match

    async def review(self) -> None:
        """Find out about one part after the other; then the `result` is there."""
        async with self._thinking:
            match = await self.fetch()
            if match is None or self._find is None or self.result:
                return
            if match.match.unfinished:
                self._say(_("The match ended without a winner."), wrong=True)
                return
            parts = by_round(parts_of(match, self.seats))
            found, began, first = self._found, monotonic(), len(self._found)
            for part in parts[first:]:
                self._say(_progress(len(found), len(parts), monotonic() - began, len(found) - first))
                try:
                    found.append(await self._find(part))
                except WorkerLostError:
                    self._say(_("The coach was interrupted; open the review again."), wrong=True)
                    return
            self.result = await asyncio.to_thread(review_of, match, self.seats, found)
            await asyncio.to_thread(self._source.keep, self.result)
            self._say("")

    def so_far(self) -> tuple[Review, int] | None:
        """What the review says of the rounds that were thought through, and how many these are."""
        if self.match is None:
            return None
        parts = by_round(parts_of(self.match, self.seats))
        rest = parts[len(self._found) :]
        done = rest[0].round - 1 if rest else self.match.match.round
        found = [each for part, each in zip(parts, self._found, strict=False) if part.round <= done]
        return (review_of(self.match, self.seats, found), done) if done else None

    async def judge(self, decision: Decision) -> Judgement | None:
        """Judge one decision; None where nothing can be said of it."""
        if self._find is None:
            return None
        try:
            found = await self._find(decision)
        except WorkerLostError:
            return None
        return found if isinstance(found, Judgement) else None

    @property
    def seat(self) -> int:
        """That of whoever looks at it; NOBODY's where that is unknown."""
        return self._source.seat

    @property
    def seats(self) -> tuple[int, ...]:
        """Those whose decisions are reviewed."""
        if self.match is None:
            return ()
        seat = self._source.seat
        return (seat,) if 0 <= seat < len(self.match.seats) else people_of(self.match)


def _progress(done: int, parts: int, spent: float, by_then: int) -> str:
    """How far the coach has come, and how long the rest will take if `by_then` parts took the time spent."""
    percent = 100 * done // parts
    seconds = round(spent / by_then * (parts - done)) if by_then else 0
    if by_then < 3 or not seconds:
        return _("The coach is thinking: {percent} %", percent=percent)
    left = minutes(seconds)
    return _("The coach is thinking: {percent} %, {time} left", percent=percent, time=left)


class ReviewScreen(PageScreen):
    """Shows what the coach says of a match, round by round as they come to it."""

    def __init__(self, look: Look, reviewing: ReviewedMatch) -> None:
        super().__init__(look)
        self._reviewing = reviewing
        self._text = ""
        self._rounds = 0
        """How many rounds the text is about."""
        self.on_close(reviewing.watch(self._changed))

    def on_mount(self) -> None:
        """Have the match reviewed, if it is not."""
        self.run_worker(self._review())

    async def _review(self) -> None:
        reviewing = self._reviewing
        await reviewing.review()
        if reviewing.match and reviewing.result:
            self._text = await asyncio.to_thread(
                review_text, reviewing.match, reviewing.result, self.look, reviewing.seat
            )
        self.redraw()

    def _changed(self) -> None:
        """Write down what is known, when a round more is."""
        reviewing = self._reviewing
        found = reviewing.so_far() if reviewing.match and not reviewing.result else None
        if reviewing.match and found and found[1] > self._rounds:
            self._rounds = found[1]
            self._text = rounds_text(reviewing.match, *found, self.look)
        self.redraw()

    def page(self, _width: int) -> Page:
        reviewing = self._reviewing
        now = reviewing.status or reviewing.problem
        text = f"{now}\n\n{self._text}" if now and self._text and not reviewing.result else self._text or now
        return Page(_("Review"), text, _("review"))

    KEYS = (*PageScreen.SCROLLING, Key(PageScreen.action_close, "escape,q,enter,r", leaves=True))
