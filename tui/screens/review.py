"""The coach's review of the match that was just played: how far it has come, then what it says, to scroll through."""

import asyncio
from collections.abc import Awaitable, Callable

from core.coach.recorded import NoMatchError, Recorded, read_match
from core.coach.review import Found, Part, parts_of, people_of, review_of
from core.layout.state import NOBODY
from core.records import RecordError
from net.client.client import Client, ClientEvent
from net.client.verify_match import ReceivedRecord
from net.host.workers import WorkerLostError
from net.wire.messages import Record, Refused
from tui.draw.look import Look
from tui.draw.reviewed import review_text
from tui.i18n import _, spoken
from tui.model.keys import Key
from tui.screens.base import SCROLLING, Page, PageScreen

BEGINNING = '{"type":"match"'
"""How a record begins; its lines may come while others that were asked for earlier still come."""
Find = Callable[[Part], Awaitable[Found]]
"""Finds out about a part of a review, without the event loop waiting. Raises WorkerLostError if that failed."""


class ReviewScreen(PageScreen):
    """Asks the host for the record of the match that is over, and reviews it for one seat."""

    KEYS = (*SCROLLING, Key("close", "escape,q,enter,r", leaves=True))

    def __init__(self, look: Look, client: Client, find: Find) -> None:
        super().__init__(look)
        self._client = client
        self._find = find
        self._received = ReceivedRecord()
        self._complete = False
        self._text = ""
        self._status = _("The host is asked for the record …")
        self.until_closed(client.subscribe(self.handle))

    def on_mount(self) -> None:
        """Ask for the record."""
        self._client.recall()

    def handle(self, message: ClientEvent) -> None:
        """Take what comes of the record."""
        if self._complete:
            return
        match message:
            case Refused(reason=reason):
                self._say(spoken(reason))
            case Record(lines=lines, last=last):
                if lines and lines[0].startswith(BEGINNING):
                    self._received = ReceivedRecord()
                self._received.add(lines)
                begun = self._received.lines[:1]
                if last and begun and begun[0].startswith(BEGINNING):
                    self._complete = True
                    self.run_worker(self._review())

    async def _review(self) -> None:
        """Find out about one part after the other."""
        try:
            match = await asyncio.to_thread(read_match, self._received.lines)
        except (RecordError, NoMatchError):
            self._say(_("The record of this match does not hold, so it cannot be reviewed."))
            return
        if match.match.unfinished:
            self._say(_("The match ended without a winner."))
            return
        seats = self._seats(match)
        parts = parts_of(match, seats)
        found: list[Found] = []
        for part in parts:
            self._say(_("The coach is thinking: {percent} %", percent=100 * len(found) // len(parts)))
            try:
                found.append(await self._find(part))
            except WorkerLostError:
                self._say(_("The coach was interrupted; open the review once more."))
                return
        review = await asyncio.to_thread(review_of, match, seats, found)
        self._text = await asyncio.to_thread(review_text, match, review, self.look)
        self._say("")

    def _seats(self, match: Recorded) -> tuple[int, ...]:
        seat = self._client.update.seat if self._client.update else NOBODY
        return (seat,) if 0 <= seat < len(match.seats) else people_of(match)

    def _say(self, status: str) -> None:
        self._status = status
        self.redraw()

    def page(self, _width: int) -> Page:
        """Return what the coach says, or how far they are."""
        return Page(_("Review"), self._text or self._status, _("review"))
