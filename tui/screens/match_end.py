"""The end of a match: the standing, the scores round by round, what decided it, and what can be done now."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import ClassVar

from core.coach.judging import Judgement
from core.coach.recorded import Recorded
from core.coach.review import Review
from core.layout.state import NOBODY
from core.records import RecordError, referee
from net.client.client import Client, ClientEvent
from net.wire.messages import SeatInfo, TableInfo, Update
from tui.board.canvas import Hit, Picture
from tui.draw.lists import draw_page, draw_text
from tui.draw.look import Look
from tui.draw.match_end import Line, MatchEnd, Offer, draw_match_end
from tui.draw.results import headline
from tui.draw.reviewed import best_words, moment_words, names_of
from tui.i18n import _, day_and_time, several
from tui.model.keys import MOVES, Key
from tui.model.playback import ALL, ON_TURN, Playback, Recording
from tui.model.scores import courses_of
from tui.records.exported import Export, Kind, write_export
from tui.records.history import PastMatch
from tui.screens.base import SCROLLING, DrawnScreen, Page, PageScreen
from tui.screens.picking import Item, PickScreen
from tui.screens.replay import ReplayScreen
from tui.screens.review import FileRecord, Find, Reviewing, ReviewScreen
from tui.text.headlines import side_name
from tui.text.names import game_name

EXPORTED = (80, 24)
"""Columns and rows of pictures and films."""


class EndScreen(DrawnScreen[None]):
    """Subclasses know the match, and what else can be done than to look at it once more."""

    LETTERS: ClassVar[dict[str, str]] = {
        "again": "a",
        "review": "r",
        "replay": "p",
        "best": "b",
        "dearest": "d",
        "export": "x",
        "share": "s",
        "leave": "q",
    }
    KEYS: ClassVar[tuple[Key, ...]] = (
        *MOVES,
        Key("choose", "enter,space"),
        Key("do('review')", "r"),
        Key("do('replay')", "p"),
        Key("do('best')", "b"),
        Key("do('dearest')", "d"),
        Key("leave", "q,escape", leaves=True),
    )

    def __init__(self, look: Look, reviewing: Reviewing, leads_to: str) -> None:
        """Leaving leads to what `leads_to` says."""
        super().__init__(look)
        self._reviewing = reviewing
        self._leads_to = leads_to
        self._chosen = "replay"
        self.until_closed(reviewing.watch(self.redraw))

    @property
    def update(self) -> Update | None:
        """The table at the end of the match."""
        raise NotImplementedError

    def heading(self, game: str) -> str:
        """Say which match it was."""
        raise NotImplementedError

    def hints(self) -> tuple[tuple[str, str], ...]:
        """Return the keys that the last line names."""
        raise NotImplementedError

    def also(self) -> tuple[list[str], list[str]]:
        """Return what else can be done, before and after what can always be."""
        raise NotImplementedError

    @property
    def _players(self) -> int:
        return self.update.match.players if self.update and self.update.match else 0

    def _judged(self, which: Callable[[Review, int], Judgement | None]) -> Judgement | None:
        """The best or the dearest decision of those whose decisions were reviewed."""
        review = self._reviewing.result
        found = [judged for seat in review.reviewed if (judged := which(review, seat))] if review else []
        return max(found, key=lambda each: max(each.loss, each.margin), default=None)

    @property
    def _offers(self) -> list[str]:
        """What can be done now."""
        reviews = self._reviewing.finds and self._players > 1
        offers = ["review"] * reviews + ["replay"]
        offers += ["best"] * bool(self._judged(Review.best)) + ["dearest"] * bool(self._judged(Review.dearest))
        first, last = self.also()
        return [*first, *offers, *last, "leave"]

    def paint(self, width: int, height: int) -> Picture:
        """Show the standing, and what can be done."""
        update = self.update
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
            self.heading(game),
            headline(match, match.play.result, names, update.seat),
            standing,
            self._moments(recorded),
            tuple(Offer(self.LETTERS[each], self._words(each), self.note(each, update)) for each in offers),
            offers.index(self._chosen) if self._chosen in offers else 0,
            _("Enter: {what}", what=self._words(self._chosen)),
            self.hints(),
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
            case "export":
                return _("export it as a text, a picture or a film")
            case "share":
                return _("share it: where its record is")
        return self._leads_to

    def note(self, _offer: str, _update: Update) -> str:
        """Say something beside an offer."""
        return ""

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
        if offer not in self._offers or self.update is None:
            return
        self._chosen = offer
        match offer:
            case "review":
                self.app.push_screen(ReviewScreen(self.look, self._reviewing))
            case "replay" | "best" | "dearest":
                which = {"best": Review.best, "dearest": Review.dearest}.get(offer)
                judged = self._judged(which) if which else None
                self.run_worker(self._replay(judged.number if judged else 1))
            case "leave":
                self.action_leave()
            case _:
                self.do(offer)
        self.redraw()

    def do(self, offer: str) -> None:
        """Do one of the offers of this screen alone."""
        raise NotImplementedError

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

    def action_leave(self) -> None:
        """Leave."""
        raise NotImplementedError


class MatchEndScreen(EndScreen):
    """Shows how the match went; dismissed when it is left for the table, or when another match begins."""

    KEYS: ClassVar[tuple[Key, ...]] = (*EndScreen.KEYS, Key("do('again')", "a"), Key("back", "v"))

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
        super().__init__(look, reviewing, leads_to)
        self._client = client
        self._leave = leave
        self._thinks = thinks
        if self._plays:
            self._chosen = "again"
        self.until_closed(client.subscribe(self.handle))

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
    def update(self) -> Update | None:
        """What the client has."""
        return self._client.update

    def heading(self, game: str) -> str:
        """Name the game."""
        return f"{game} · {_('the match is over')}"

    def hints(self) -> tuple[tuple[str, str], ...]:
        """Name the way back to the table."""
        return ("v", _("the table")), ("q", _("leave"))

    def also(self) -> tuple[list[str], list[str]]:
        """Players may play another match."""
        return ["again"] * self._plays, []

    def note(self, offer: str, update: Update) -> str:
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

    def do(self, _offer: str) -> None:
        """Want another match."""
        self._client.ready()

    def action_back(self) -> None:
        """Go back to the table and its last result."""
        self.dismiss()

    def action_leave(self) -> None:
        """Leave the table."""
        self._leave()


class PastMatchScreen(EndScreen):
    """Shows how a recorded match went; dismissed when it is left."""

    KEYS: ClassVar[tuple[Key, ...]] = (*EndScreen.KEYS, Key("do('export')", "x"), Key("do('share')", "s"))

    def __init__(self, look: Look, match: PastMatch, find: Find | None) -> None:
        super().__init__(look, Reviewing(FileRecord(match), find), _("back to the list"))
        self._past = match

    def on_mount(self) -> None:
        """Have the record."""
        self.run_worker(self._reviewing.fetch())

    def paint(self, width: int, height: int) -> Picture:
        """Show the standing; as long as there is none, why."""
        if self.update is not None:
            return super().paint(width, height)
        body, _most = draw_text(self._reviewing.problem, 0, width, height - 3, self.look)
        return draw_page(self.heading(self._past.title), body, "", self.hints(), "", width, self.look)

    @property
    def update(self) -> Update | None:
        """The table as it would be on view, if the match had just ended."""
        recorded = self._reviewing.match
        if recorded is None:
            return None
        view = recorded.match.view(self._past.seat)
        names = names_of(recorded)
        seats = tuple(SeatInfo(name, seat.bot) for name, seat in zip(names, recorded.seats, strict=True))
        return Update(0, TableInfo(0, "", view.game, view.options, seats, 0, "playing"), self._past.seat, view)

    def heading(self, game: str) -> str:
        """Name the game, and say when it was played."""
        return f"{game} · {day_and_time(self._past.began_at)}"

    def hints(self) -> tuple[tuple[str, str], ...]:
        """Name the way back to the list."""
        return (("q", _("back")),)

    def also(self) -> tuple[list[str], list[str]]:
        """A file can be given to others."""
        return [], ["export", "share"]

    def do(self, offer: str) -> None:
        """Export the record, or say where it is."""
        if offer == "share":
            self.app.push_screen(ToldScreen(self.look, _("Share"), _share_words(self._past)))
        else:
            kinds: tuple[tuple[Kind, str, str], ...] = (
                ("txt", _("text"), _("the whole match in sentences")),
                ("svg", _("picture"), _("the table at the end, as SVG")),
                ("cast", _("film"), _("for asciinema, in a terminal or on a web page")),
            )
            items = [Item((name, about), partial(self._write, kind), kind) for kind, name, about in kinds]
            asked = PickScreen(self.look, _("export"), items, _("write it"))
            self.ask(asked, lambda write: self.run_worker(write()))

    async def _write(self, kind: Kind) -> None:
        """Write a file here, under a name that is free."""
        try:
            out = await asyncio.to_thread(
                _exported, self._reviewing.lines, kind, Path(self._past.file).stem, self.look
            )
            told = _("It is in the file:") + f"\n\n{out}"
            if kind == "cast":
                told += "\n\n" + _("`asciinema play FILE` shows it in a terminal.")
        except (OSError, RecordError) as error:
            reason = (error.strerror if isinstance(error, OSError) else "") or str(error)
            told = _("It cannot be written: {reason}.", reason=reason)
        self.app.push_screen(ToldScreen(self.look, _("Export"), told))

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss()


class ToldScreen(PageScreen):
    """Tells what came of something, or how to do it."""

    KEYS = (*SCROLLING, Key("close", "escape,q,enter", leaves=True))

    def __init__(self, look: Look, title: str, text: str) -> None:
        super().__init__(look)
        self._page = Page(title, text, "")

    def page(self, _width: int) -> Page:
        """Return what was told."""
        return self._page


def _share_words(match: PastMatch) -> str:
    file = Path(match.file).name
    commands = "\n".join(f"  boneyard {command} {file}" for command in ("verify", "replay", "review"))
    return "\n\n".join(
        [
            _("The record of this match is the file:"),
            match.file,
            _("Whoever has it and Boneyard can check it, see it played and have it reviewed:"),
            commands,
        ]
    )


def _exported(lines: Sequence[str], kind: Kind, stem: str, look: Look) -> Path:
    """Write an export here and return its file. Raises OSError, RecordError."""
    recording = _recording_of(lines)
    at = len(recording.frames) - 1 if kind == "svg" else 0
    playback = Playback(recording, at, whose=ALL if kind == "txt" else ON_TURN)
    export = Export(kind, playback, Look(look.theme, look.ascii, look.name), *EXPORTED)
    for number in count(1):
        out = Path(f"{stem}-{number}.{kind}" if number > 1 else f"{stem}.{kind}").absolute()
        with suppress(FileExistsError):
            write_export(export, out, overwrite=False)
            break
    return out


def _recording_of(lines: Sequence[str]) -> Recording:
    return Recording(referee(lines))
