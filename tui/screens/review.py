"""The coach's review of a finished match: fetching its record, progress, and the review itself."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Protocol

from core.coach.review import (
    Decision,
    Judgement,
    NoMatchError,
    Part,
    PartResult,
    ReplayedMatch,
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
from tui.draw.review import review_text, rounds_text
from tui.i18n import _, clock_text, translate
from tui.model.keys import Key
from tui.model.look import Look
from tui.records.history import PastMatch, id_of, keep_review, keep_seat
from tui.records.reader import Unreadable, lines_of
from tui.screens.base import Page, PageScreen

RECORD_BEGINNING = '{"type":"match"'
"""Beginning of a record. Lines of records requested earlier may still arrive before it."""
ReviewWorker = Callable[[Part], Awaitable[PartResult]]
"""Computes a part of a review without blocking the event loop. Raises WorkerLostError."""


class NoRecordError(Exception):
    """A record is not available; the message gives the reason."""


class Source(Protocol):
    """The origin of a match record: a host or a file."""

    @property
    def seat(self) -> int:
        """The seat whose decisions are reviewed; NOBODY to review all people."""
        ...

    number: int
    """Number of the match in the record, from 1; 0 if it is the only one."""

    async def lines(self) -> Sequence[str]:
        """Return the record. Raises NoRecordError."""
        ...

    def save(self, review: Review) -> None:
        """Save the luck and play of a review for the statistics."""
        ...


class HostRecord:
    """The record of the match that was just played, requested from the host."""

    number = 0

    def __init__(self, client: Client, records: Path | None = None) -> None:
        """`records` is the folder of the player's own records, if this is their own machine."""
        self._client = client
        self._records = records
        self._received = ReceivedRecord()
        self._completion: asyncio.Future[str] | None = None

    @property
    def seat(self) -> int:
        """The player's own seat."""
        return self._client.update.seat if self._client.update else NOBODY

    async def lines(self) -> Sequence[str]:
        """Request the record from the host; save which seat is the player's own."""
        self._completion = asyncio.get_running_loop().create_future()
        unsubscribe = self._client.subscribe(self._collect_part)
        try:
            self._client.recall()
            if problem := await self._completion:
                raise NoRecordError(problem)
        finally:
            unsubscribe()
        if self._records and self.seat != NOBODY:
            await asyncio.to_thread(keep_seat, self._records, id_of(self._received.lines), self.seat)
        return self._received.lines

    def save(self, review: Review) -> None:
        """Save the review beside the record, which may not be written yet."""
        if self._records:
            keep_review(self._records, id_of(self._received.lines), self.seat, review)

    def _collect_part(self, message: ClientEvent) -> None:
        """Collect the parts of the record."""
        if self._completion is None or self._completion.done():
            return
        match message:
            case Refused(reason=reason):
                self._completion.set_result(translate(reason))
            case Record(lines=lines, last=last):
                if lines and lines[0].startswith(RECORD_BEGINNING):
                    self._received = ReceivedRecord()
                self._received.add(lines)
                if last and self._received.lines and self._received.lines[0].startswith(RECORD_BEGINNING):
                    self._completion.set_result("")


class FileRecord:
    """The record of a match, read from a file."""

    def __init__(self, match: PastMatch) -> None:
        self.seat, self.number = match.seat, match.matches
        self._match, self._path = match, Path(match.file)

    async def lines(self) -> Sequence[str]:
        """Read the file."""
        try:
            return await asyncio.to_thread(lambda: list(lines_of(self._path)))
        except Unreadable as error:
            raise NoRecordError(str(error)) from error

    def save(self, review: Review) -> None:
        """Save the review beside the file."""
        keep_review(self._path.parent, self._match.id, self.seat, review)


class ReviewedMatch:
    """A finished match's record and the coach's review of it, shared by all screens that show them.

    `fetch` and `review` end early, with the reason in `problem`, if the record does not arrive or is not valid.
    """

    def __init__(self, source: Source, review_worker: ReviewWorker | None) -> None:
        self._record_source = source
        self._review_worker = review_worker
        self._fetching = asyncio.Lock()
        self._thinking = asyncio.Lock()
        self._watchers: list[Callable[[], None]] = []
        self._part_results: list[PartResult] = []
        self.lines: Sequence[str] = ()
        """The record."""
        self.match: ReplayedMatch | None = None
        self.result: Review | None = None
        self.problem = ""
        self.status = ""
        """Progress, in a sentence."""

    @property
    def can_review(self) -> bool:
        """True if matches can be reviewed here."""
        return self._review_worker is not None

    def watch(self, on_change: Callable[[], None]) -> Callable[[], None]:
        """Call `on_change` at every change; return a function that stops it."""
        self._watchers.append(on_change)
        return lambda: self._watchers.remove(on_change)

    def _set_status(self, status: str, *, is_problem: bool = False) -> None:
        self.status = status
        if is_problem:
            self.problem = status
        for on_change in self._watchers[:]:
            on_change()

    async def fetch(self) -> ReplayedMatch | None:
        """Fetch and parse the record, once."""
        async with self._fetching:
            if self.match is None:
                self.problem = ""
                self._set_status(_("Getting the record from the server …") if self._record_source.number == 0 else "")
                try:
                    self.lines = await self._record_source.lines()
                    self.match = await asyncio.to_thread(read_match, self.lines, self._record_source.number)
                    self._set_status("")
                except NoRecordError as error:
                    self._set_status(str(error), is_problem=True)
                except (RecordError, NoMatchError):
                    self._set_status(
                        _("The record of this match is not valid, so the match cannot be reviewed."), is_problem=True
                    )
        return self.match

    async def review(self) -> None:
        """Compute the review part by part, then set `result`."""
        async with self._thinking:
            match = await self.fetch()
            if match is None or self._review_worker is None or self.result:
                return
            if match.match.unfinished:
                resigned_words = _("The match was resigned, so it cannot be reviewed.")
                problem = resigned_words if match.match.winners else _("The match ended without a winner.")
                self._set_status(problem, is_problem=True)
                return
            parts = by_round(parts_of(match, self.seats))
            results, started_at, done_before = self._part_results, monotonic(), len(self._part_results)
            for part in parts[done_before:]:
                self._set_status(
                    _progress(len(results), len(parts), monotonic() - started_at, len(results) - done_before)
                )
                try:
                    results.append(await self._review_worker(part))
                except WorkerLostError:
                    self._set_status(_("The coach was interrupted; open the review again."), is_problem=True)
                    return
            self.result = await asyncio.to_thread(review_of, match, self.seats, results)
            await asyncio.to_thread(self._record_source.save, self.result)
            self._set_status("")

    def partial_review(self) -> tuple[Review, int] | None:
        """Return the review of the completed rounds, and their number; None before the first one."""
        if self.match is None:
            return None
        parts = by_round(parts_of(self.match, self.seats))
        remaining_parts = parts[len(self._part_results) :]
        done_rounds = remaining_parts[0].round - 1 if remaining_parts else self.match.match.round
        results = [
            result for part, result in zip(parts, self._part_results, strict=False) if part.round <= done_rounds
        ]
        return (review_of(self.match, self.seats, results), done_rounds) if done_rounds else None

    async def judge(self, decision: Decision) -> Judgement | None:
        """Judge one decision; return None if that is not possible."""
        if self._review_worker is None:
            return None
        try:
            result = await self._review_worker(decision)
        except WorkerLostError:
            return None
        return result if isinstance(result, Judgement) else None

    @property
    def seat(self) -> int:
        """The seat of the player who looks; NOBODY if it is unknown."""
        return self._record_source.seat

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats whose decisions are reviewed."""
        if self.match is None:
            return ()
        seat = self._record_source.seat
        return (seat,) if 0 <= seat < len(self.match.seats) else people_of(self.match)


def _progress(done_parts: int, all_parts: int, elapsed: float, done_here: int) -> str:
    """Return the progress in words; the time left follows from `done_here` parts in `elapsed` seconds."""
    percent = 100 * done_parts // all_parts
    seconds = round(elapsed / done_here * (all_parts - done_parts)) if done_here else 0
    if done_here < 3 or not seconds:
        return _("The coach is thinking: {percent} %", percent=percent)
    time_left = clock_text(seconds)
    return _("The coach is thinking: {percent} %, {time} left", percent=percent, time=time_left)


class ReviewScreen(PageScreen):
    """Shows the coach's review, which grows round by round."""

    def __init__(self, look: Look, reviewed_match: ReviewedMatch) -> None:
        super().__init__(look)
        self._reviewed_match = reviewed_match
        self._text = ""
        self._rounds = 0
        """Number of rounds in the text."""
        self.on_close(reviewed_match.watch(self._on_change))

    def on_mount(self) -> None:
        """Start the review, unless it is finished."""
        self.run_worker(self._review())

    async def _review(self) -> None:
        reviewed_match = self._reviewed_match
        await reviewed_match.review()
        if reviewed_match.match and reviewed_match.result:
            self._text = await asyncio.to_thread(
                review_text, reviewed_match.match, reviewed_match.result, self.look, reviewed_match.seat
            )
        self.redraw()

    def _on_change(self) -> None:
        """Update the text after each completed round."""
        reviewed_match = self._reviewed_match
        partial_review = (
            reviewed_match.partial_review() if reviewed_match.match and not reviewed_match.result else None
        )
        if reviewed_match.match and partial_review and partial_review[1] > self._rounds:
            self._rounds = partial_review[1]
            self._text = rounds_text(reviewed_match.match, *partial_review, self.look, reviewed_match.seat)
        self.redraw()

    def page(self, _width: int) -> Page:
        reviewed_match = self._reviewed_match
        notice = reviewed_match.status or reviewed_match.problem
        text = (
            f"{notice}\n\n{self._text}"
            if notice and self._text and not reviewed_match.result
            else self._text or notice
        )
        return Page(_("Review"), text, _("review"))

    KEYS = (*PageScreen.SCROLLING, Key(PageScreen.action_close, "escape,q,enter,r", leaves_screen=True))
