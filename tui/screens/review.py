"""The coach's review of the match that was just played: its record, how far the coach has come, what they say."""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic

from core.coach.judging import Judgement
from core.coach.recorded import Decision, NoMatchError, Recorded, read_match
from core.coach.review import Found, Part, Review, parts_of, people_of, review_of
from core.layout.state import NOBODY
from core.records import RecordError
from net.client.client import Client, ClientEvent
from net.client.verify_match import ReceivedRecord
from net.host.workers import WorkerLostError
from net.wire.messages import Record, Refused
from tui.draw.look import Look
from tui.draw.reviewed import review_text
from tui.i18n import _, minutes, spoken
from tui.model.keys import Key
from tui.screens.base import SCROLLING, Page, PageScreen

BEGINNING = '{"type":"match"'
"""How a record begins; its lines may come while others that were asked for earlier still come."""
Find = Callable[[Part], Awaitable[Found]]
"""Finds out about a part of a review, without the event loop waiting. Raises WorkerLostError if that failed."""


class Reviewing:
    """The record of the match that is over and the coach's review of it, for every screen that shows some of it.

    `fetch` and `review` end early, with why in `problem`, if the record does not come or does not hold.
    """

    def __init__(self, client: Client, find: Find | None) -> None:
        self._client = client
        self._find = find
        self._received = ReceivedRecord()
        self._come: asyncio.Future[None] | None = None
        self._fetching = asyncio.Lock()
        self._thinking = asyncio.Lock()
        self._watchers: list[Callable[[], None]] = []
        self._found: list[Found] = []
        self.match: Recorded | None = None
        self.result: Review | None = None
        self.problem = ""
        self.status = ""
        """How far it has come, in a sentence."""

    @property
    def lines(self) -> list[str]:
        """The record."""
        return self._received.lines

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
        """Have the record from the host, and take it apart."""
        async with self._fetching:
            if self.match is None:
                self.problem = ""
                self._say(_("The host is asked for the record …"))
                self._come = asyncio.get_running_loop().create_future()
                end = self._client.subscribe(self._take)
                try:
                    self._client.recall()
                    await self._come
                    if not self.problem:
                        self.match = await asyncio.to_thread(read_match, self.lines)
                        self._say("")
                except (RecordError, NoMatchError):
                    self._say(_("The record of this match does not hold, so it cannot be reviewed."), wrong=True)
                finally:
                    end()
        return self.match

    def _take(self, message: ClientEvent) -> None:
        """Take what comes of the record."""
        if self._come is None or self._come.done():
            return
        match message:
            case Refused(reason=reason):
                self._say(spoken(reason), wrong=True)
                self._come.set_result(None)
            case Record(lines=lines, last=last):
                if lines and lines[0].startswith(BEGINNING):
                    self._received = ReceivedRecord()
                self._received.add(lines)
                if last and self.lines and self.lines[0].startswith(BEGINNING):
                    self._come.set_result(None)

    async def review(self) -> None:
        """Find out about one part after the other; then the `result` is there."""
        async with self._thinking:
            match = await self.fetch()
            if match is None or self._find is None or self.result:
                return
            if match.match.unfinished:
                self._say(_("The match ended without a winner."), wrong=True)
                return
            seats = self._seats(match)
            parts = parts_of(match, seats)
            found, began, first = self._found, monotonic(), len(self._found)
            for part in parts[first:]:
                self._say(_progress(len(found), len(parts), monotonic() - began, len(found) - first))
                try:
                    found.append(await self._find(part))
                except WorkerLostError:
                    self._say(_("The coach was interrupted; open the review once more."), wrong=True)
                    return
            self.result = await asyncio.to_thread(review_of, match, seats, found)
            self._say("")

    async def judge(self, decision: Decision) -> Judgement | None:
        """Judge one decision; None where nothing can be said of it."""
        if self._find is None:
            return None
        try:
            found = await self._find(decision)
        except WorkerLostError:
            return None
        return found if isinstance(found, Judgement) else None

    def _seats(self, match: Recorded) -> tuple[int, ...]:
        seat = self._client.update.seat if self._client.update else NOBODY
        return (seat,) if 0 <= seat < len(match.seats) else people_of(match)


def _progress(done: int, parts: int, spent: float, by_then: int) -> str:
    """How far the coach has come, and how long the rest will take if `by_then` parts took the time spent."""
    percent = 100 * done // parts
    seconds = round(spent / by_then * (parts - done)) if by_then else 0
    if by_then < 3 or not seconds:
        return _("The coach is thinking: {percent} %", percent=percent)
    left = minutes(seconds)
    return _("The coach is thinking: {percent} %, {time} left", percent=percent, time=left)


class ReviewScreen(PageScreen):
    """Shows what the coach says for one seat, once they have thought."""

    KEYS = (*SCROLLING, Key("close", "escape,q,enter,r", leaves=True))

    def __init__(self, look: Look, reviewing: Reviewing) -> None:
        super().__init__(look)
        self._reviewing = reviewing
        self._text = ""
        self.until_closed(reviewing.watch(self.redraw))

    def on_mount(self) -> None:
        """Have the match reviewed, if it is not."""
        self.run_worker(self._review())

    async def _review(self) -> None:
        reviewing = self._reviewing
        await reviewing.review()
        if reviewing.match and reviewing.result:
            self._text = await asyncio.to_thread(review_text, reviewing.match, reviewing.result, self.look)
        self.redraw()

    def page(self, _width: int) -> Page:
        """Return what the coach says, or how far they are."""
        return Page(_("Review"), self._text or self._reviewing.status or self._reviewing.problem, _("review"))
