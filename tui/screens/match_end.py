"""The end of a match: the standing, the scores round by round, what decided it, and what can be done now."""

import asyncio
from collections.abc import Callable, Sequence
from typing import ClassVar

from core.coach.judging import Judgement
from core.coach.recorded import Recorded
from core.coach.review import Review
from core.layout.state import NOBODY
from core.records import RecordError, referee
from net.client.client import Client, ClientEvent
from net.wire.messages import Update
from tui.board.canvas import Hit, Picture
from tui.draw.look import Look
from tui.draw.match_end import Line, MatchEnd, Offer, draw_match_end
from tui.draw.results import headline
from tui.draw.reviewed import best_words, moment_words, names_of
from tui.i18n import _, several
from tui.model.keys import MOVES, Key
from tui.model.playback import Recording
from tui.model.scores import courses_of
from tui.screens.base import DrawnScreen
from tui.screens.replay import ReplayScreen
from tui.screens.review import Reviewing, ReviewScreen
from tui.text.headlines import side_name
from tui.text.names import game_name


class MatchEndScreen(DrawnScreen[None]):
    """Shows how the match went; dismissed when it is left for the table, or when another match begins."""

    KEYS = (
        *MOVES,
        Key("choose", "enter,space"),
        Key("do('again')", "a"),
        Key("do('review')", "r"),
        Key("do('replay')", "p"),
        Key("do('best')", "b"),
        Key("do('dearest')", "d"),
        Key("back", "v"),
        Key("leave", "q,escape", leaves=True),
    )
    LETTERS: ClassVar[dict[str, str]] = {
        "again": "a",
        "review": "r",
        "replay": "p",
        "best": "b",
        "dearest": "d",
        "leave": "q",
    }

    def __init__(
        self,
        look: Look,
        client: Client,
        reviewing: Reviewing,
        leave: Callable[[], None],
        leads_to: str,
        *,
        thinks: bool,
    ) -> None:
        """`leave` leads to what `leads_to` says; with `thinks` the review begins by itself."""
        super().__init__(look)
        self._client = client
        self._reviewing = reviewing
        self._leave = leave
        self._leads_to = leads_to
        self._thinks = thinks
        self._chosen = "again" if self._plays else "replay"
        self.until_closed(client.subscribe(self.handle))
        self.until_closed(reviewing.watch(self.redraw))

    def on_mount(self) -> None:
        """Have the record, and perhaps the review; keys that were meant for the result are dropped."""
        self.settle()
        thinks = self._thinks and self._reviewing.finds and self._players > 1
        self.run_worker(self._reviewing.review() if thinks else self._reviewing.fetch())

    def handle(self, message: ClientEvent) -> None:
        """Close when another match begins."""
        if isinstance(message, Update):
            if message.match is None or not message.match.over:
                self.dismiss()
            else:
                self.redraw()

    @property
    def _plays(self) -> bool:
        return self._client.update is not None and self._client.update.seat != NOBODY

    @property
    def _players(self) -> int:
        update = self._client.update
        return update.match.players if update and update.match else 0

    def _judged(self, which: Callable[[Review, int], Judgement | None]) -> Judgement | None:
        """The best or the dearest decision of those whose decisions were reviewed."""
        review = self._reviewing.result
        found = [judged for seat in review.reviewed if (judged := which(review, seat))] if review else []
        return max(found, key=lambda each: max(each.loss, each.margin), default=None)

    @property
    def _offers(self) -> list[str]:
        """What can be done now."""
        reviews = self._reviewing.finds and self._players > 1
        offers = ["again"] * self._plays + ["review"] * reviews + ["replay"]
        offers += ["best"] * bool(self._judged(Review.best)) + ["dearest"] * bool(self._judged(Review.dearest))
        return [*offers, "leave"]

    def paint(self, width: int, height: int) -> Picture:
        """Show the standing, and what can be done."""
        update = self._client.update
        match = update.match if update else None
        if update is None or match is None or match.play is None or match.play.result is None:
            return Picture(())
        names, offers = tuple(seat.name for seat in update.table.seats), self._offers
        recorded = self._reviewing.match
        courses = courses_of(recorded) if recorded else [None] * match.sides
        order = sorted(
            range(match.sides),
            key=lambda side: (side not in match.winners, -match.scores[side] * (1 - 2 * match.goal.lowest)),
        )
        standing = tuple(
            Line(side_name(side, names, match.sides), match.scores[side], side in match.winners, courses[side])
            for side in order
        )
        game = game_name(update.table.game)
        end = MatchEnd(
            f"{game} · {_('the match is over')}",
            headline(match, match.play.result, names, update.seat),
            standing,
            self._moments(recorded),
            tuple(Offer(self.LETTERS[each], self._words(each), self._note(each, update)) for each in offers),
            offers.index(self._chosen) if self._chosen in offers else 0,
            _("Enter: {what}", what=self._words(self._chosen)),
            (("v", _("the table")), ("q", _("leave"))),
            self._reviewing.status or self._reviewing.problem,
        )
        return draw_match_end(end, width, height, self.look)

    def _moments(self, match: Recorded | None) -> tuple[str, ...]:
        """The best and the dearest decision, a sentence each."""
        if match is None:
            return ()
        at, names = {decision.number: decision.view for decision in match.decisions}, names_of(match)
        best, dearest = self._judged(Review.best), self._judged(Review.dearest)
        told = []
        if best:
            told.append(best_words(best, at[best.number], names))
        if dearest:
            told.append(moment_words(dearest, at[dearest.number], names))
        elif self._reviewing.result and self._reviewing.result.decisions:
            told.append(_("Nobody did anything that can be called a mistake."))
        return tuple(told)

    def _words(self, offer: str) -> str:
        """What choosing an offer does."""
        match offer:
            case "again":
                return _("play another match")
            case "review":
                return _("the coach's review of the match")
            case "replay":
                return _("replay the match")
            case "best":
                return _("replay your best decision")
            case "dearest":
                return _("replay what cost most")
        return self._leads_to

    def _note(self, offer: str, update: Update) -> str:
        """Who wants another match, or who is waited for."""
        if offer != "again":
            return ""
        seats = update.table.seats
        ready = [_("you") if seat == update.seat else seats[seat].name for seat in update.ready]
        if not ready:
            return ""
        waited = [
            seat.name
            for number, seat in enumerate(seats)
            if number not in update.ready and not seat.bot and not seat.away
        ]
        wanted = _("wanted by {names}", names=", ".join(ready))
        if update.seat not in update.ready or not waited:
            return wanted
        names = ", ".join(waited)
        return f"{wanted}; " + several("waiting for {names}", "waiting for {names}", len(waited), names=names)

    def action_move(self, step: int) -> None:
        """Choose the next offer."""
        offers = self._offers
        at = offers.index(self._chosen) if self._chosen in offers else 0
        self._chosen = offers[(at + step) % len(offers)]
        self.redraw()

    def clicked(self, hit: Hit) -> None:
        """Do what is clicked."""
        if 0 <= hit.at < len(self._offers):
            self.action_do(self._offers[hit.at])

    def action_choose(self) -> None:
        """Do what is chosen."""
        self.action_do(self._chosen)

    def action_do(self, offer: str) -> None:
        """Do one of the offers, if there is such a one now."""
        if offer not in self._offers:
            return
        self._chosen = offer
        match offer:
            case "again":
                self._client.ready()
            case "review":
                self.app.push_screen(ReviewScreen(self.look, self._reviewing))
            case "replay" | "best" | "dearest":
                which = {"best": Review.best, "dearest": Review.dearest}.get(offer)
                judged = self._judged(which) if which else None
                self.run_worker(self._replay(judged.number if judged else 1))
            case "leave":
                self._leave()
        self.redraw()

    async def _replay(self, number: int) -> None:
        """Play the record back, from one of its steps on."""
        await self._reviewing.fetch()
        try:
            recording = await asyncio.to_thread(_recording_of, self._reviewing.lines)
        except RecordError:
            return  # the status says so
        if recording.frames and self.is_attached:
            judge = self._reviewing.judge if self._reviewing.finds else None
            self.app.push_screen(ReplayScreen(recording, self.look, judge, at=number - 1))

    def action_back(self) -> None:
        """Go back to the table and its last result."""
        self.dismiss()

    def action_leave(self) -> None:
        """Leave the table."""
        self._leave()


def _recording_of(lines: Sequence[str]) -> Recording:
    return Recording(referee(lines))
