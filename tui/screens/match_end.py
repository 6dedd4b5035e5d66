"""A finished match, just played or recorded: standing, scores by round, decisive moments, and what to do next."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import ClassVar

from textual import events

from core.coach.review import Judgement, ReplayedMatch, Review
from core.layout.state import NOBODY
from core.records import RecordError, referee
from net.client.client import Client, ClientEvent
from net.wire.messages import Update
from tui.board.canvas import ClickTarget, Picture
from tui.draw.panels import draw_page, draw_text
from tui.draw.results import MatchEnd, MenuAction, StandingRow, courses_of, draw_match_end, headline
from tui.draw.review import decision_words, names_of, table_of
from tui.i18n import _, day_and_time, pgettext, several
from tui.model.keys import MOVES, Key
from tui.model.look import Look
from tui.model.playback import ALL, ON_TURN, Playback, Recording
from tui.records.export import Export, Kind, write_export
from tui.records.history import PastMatch, level_of, statistics, total
from tui.records.matches import levels_words, statistics_table, totals_words
from tui.screens.base import ListScreen, MessageScreen
from tui.screens.pick_list import Item, PickScreen
from tui.screens.replay import ReplayScreen
from tui.screens.review import FileRecord, ReviewedMatch, ReviewScreen, ReviewWorker
from tui.text.at_table import in_company
from tui.text.headlines import side_name
from tui.text.names import game_name

EXPORT_SIZE = (80, 24)
"""Columns and rows of exported pictures and films."""


class EndScreen(ListScreen[None]):
    """The end of a match. Subclasses provide the match, and actions besides the replay."""

    HINTS: ClassVar[tuple[tuple[str, Callable[[], str]], ...]] = ()
    """Keys for the last line, each with its words."""

    def __init__(self, look: Look, reviewed_match: ReviewedMatch, chosen: str = "p") -> None:
        """`chosen` is the key of the action under the cursor at first."""
        super().__init__(look)
        self._reviewed_match = reviewed_match
        self._chosen = chosen
        self.on_close(reviewed_match.watch(self.redraw))

    @property
    def update(self) -> Update | None:
        """The table at the end of the match."""
        raise NotImplementedError

    def heading(self, game: str) -> str:
        """Return the title, which identifies the match."""
        raise NotImplementedError

    @property
    def _players(self) -> int:
        return self.update.match.players if self.update and self.update.match else 0

    def _find_judgement(self, select: Callable[[Review, int], Judgement | None]) -> Judgement | None:
        """Return the most important of the decisions that `select` returns for the reviewed seats; None if there are
        none.
        """
        review = self._reviewed_match.result
        judgements = [judgement for seat in review.reviewed if (judgement := select(review, seat))] if review else []
        return max(judgements, key=lambda judgement: max(judgement.loss, judgement.margin), default=None)

    def menu_actions(self) -> list[MenuAction]:
        """Return the actions of the menu."""
        actions = [MenuAction("p", _("replay the match"), partial(self._replay, 1))]
        if self._reviewed_match.can_review and self._players > 1:
            actions.insert(0, MenuAction("r", _("the coach's review of the match"), self._review))
        if best := self._find_judgement(Review.best):
            actions.append(MenuAction("b", _("replay your best decision"), partial(self._replay, best.number)))
        if costliest := self._find_judgement(Review.costliest):
            actions.append(MenuAction("d", _("replay what cost most"), partial(self._replay, costliest.number)))
        return actions

    @property
    def count(self) -> int:
        return len(self.menu_actions())

    @property
    def row(self) -> int:
        return next((number for number, action in enumerate(self.menu_actions()) if action.key == self._chosen), 0)

    def go(self, row: int) -> None:
        self._chosen = self.menu_actions()[row].key
        self.redraw()

    def draw(self, width: int, height: int) -> Picture:
        update = self.update
        match = update.match if update else None
        if update is None or match is None or match.play is None or match.play.result is None:
            return Picture(())
        recorded, actions, row = self._reviewed_match.match, tuple(self.menu_actions()), self.row
        # Others may have taken the seats since.
        names = names_of(recorded) if recorded else tuple(seat.name for seat in update.table.seats)
        courses = courses_of(recorded) if recorded else [None] * match.sides
        sides_by_rank = sorted(
            range(match.sides),
            key=lambda side: (side not in match.winners, -match.scores[side] * (1 - 2 * match.goal.lowest)),
        )
        standing = tuple(
            StandingRow(side_name(side, names, match.sides), match.scores[side], side in match.winners, courses[side])
            for side in sides_by_rank
            if match.players > 1  # of a solo match, the headline says everything
        )
        end = MatchEnd(
            self.heading(game_name(update.table.game)),
            headline(match, match.play.result, names, update.seat),
            standing,
            self._moment_sentences(recorded),
            actions,
            row,
            _("Enter: {what}", what=actions[row].words),
            tuple((key, words()) for key, words in self.HINTS),
            self._reviewed_match.status or self._reviewed_match.problem,
        )
        return draw_match_end(end, width, height, self.look)

    def _moment_sentences(self, match: ReplayedMatch | None) -> tuple[str, ...]:
        """Return a sentence each about the best and the costliest decision."""
        if match is None:
            return ()
        best, costliest = self._find_judgement(Review.best), self._find_judgement(Review.costliest)
        sentences = [decision_words(match, best, self._reviewed_match.seat)] if best else []
        if costliest:
            sentences.append(decision_words(match, costliest, self._reviewed_match.seat))
        elif self._reviewed_match.result and self._reviewed_match.result.decisions:
            sentences.append(_("Nobody did anything that can be called a mistake."))
        return tuple(sentences)

    def handle_click(self, hit: ClickTarget) -> None:
        actions = self.menu_actions()
        if 0 <= hit.at < len(actions):
            self._do(actions[hit.at])

    def action_choose(self) -> None:
        self._do(self.menu_actions()[self.row])

    def handle_unbound_key(self, key: events.Key) -> bool:
        action = next((action for action in self.menu_actions() if action.key == key.key), None)
        if action is None or self.update is None or self.is_too_small:
            return False
        self._do(action)
        return True

    def _do(self, action: MenuAction) -> None:
        self._chosen = action.key
        action.do()
        self.redraw()

    def _review(self) -> None:
        self.app.push_screen(ReviewScreen(self.look, self._reviewed_match))

    def _replay(self, number: int) -> None:
        self.run_worker(self._play_back(number))

    async def _play_back(self, number: int) -> None:
        """Play the record back, from step `number` on."""
        await self._reviewed_match.fetch()
        try:
            recording = await asyncio.to_thread(_recording_of, self._reviewed_match.lines)
        except RecordError:
            return  # the status says why
        if recording.frames and self.is_attached:
            judge = self._reviewed_match.judge if self._reviewed_match.can_review else None
            self.app.push_screen(ReplayScreen(recording, self.look, judge, step_number=number - 1))

    def action_leave(self) -> None:
        self.dismiss()

    def action_escape(self) -> None:
        self.action_leave()

    KEYS: ClassVar[tuple[Key, ...]] = (
        *MOVES,
        Key(action_choose, "enter,space"),
        Key(action_leave, "q", leaves_screen=True),
        Key(action_escape, "escape", leaves_screen=True),
    )


class MatchEndScreen(EndScreen):
    """Shows the result; dismissed when the player returns to the table, or when another match begins."""

    HINTS = (("v", lambda: _("the table")), ("q", lambda: pgettext("the result", "leave")))

    def __init__(
        self,
        look: Look,
        client: Client,
        reviewed_match: ReviewedMatch,
        leave: Callable[[], None],
        leave_text: str,
        *,
        reviews_unasked: bool,
    ) -> None:
        """`leave` leads to what `leave_text` says; `reviews_unasked` starts the review without being asked."""
        self._client = client
        self._leave = leave
        self._leave_text = leave_text
        self._reviews_unasked = reviews_unasked
        super().__init__(look, reviewed_match, "a" if self._has_seat else "p")
        self.on_close(client.subscribe(self.handle))

    def on_mount(self) -> None:
        """Fetch the record, and perhaps start the review; drop keys that were meant for the result."""
        self.settle()
        reviews_unasked = self._reviews_unasked and self._reviewed_match.can_review and self._players > 1
        self.run_worker(self._reviewed_match.review() if reviews_unasked else self._reviewed_match.fetch())

    def handle(self, message: ClientEvent) -> None:
        """Close when another match begins."""
        if isinstance(message, Update):
            if message.match is None or not message.match.over:
                self.dismiss()
            else:
                self.redraw()

    @property
    def _has_seat(self) -> bool:
        return self._client.update is not None and self._client.update.seat != NOBODY

    @property
    def update(self) -> Update | None:
        return self._client.update

    def heading(self, game: str) -> str:
        return f"{game} · {_('the match is over')}"

    def menu_actions(self) -> list[MenuAction]:
        """Return the actions; players may also play another match, and solo the same deal again."""
        if self._has_seat and self._players == 1:
            return self._solo_actions()
        another = MenuAction("a", _("play another match"), self._client.ready, self._rematch_words())
        fill = MenuAction("z", _("fill the free seats with bots"), self._client.fill)
        return [
            *[another] * self._has_seat,
            *[fill] * (self._has_seat and self._free_seats > 0),
            *super().menu_actions(),
            MenuAction("q", self._leave_text, self.action_leave),
        ]

    def _solo_actions(self) -> list[MenuAction]:
        """Return the actions after a game for one player."""
        take_back = MenuAction("u", _("take back your last choice"), self._client.take_back)
        return [
            MenuAction("a", _("a new deal"), self._client.ready),
            MenuAction("s", _("the same deal again"), partial(self._client.play_again, "deal")),
            *[take_back] * (self.update is not None and self.update.table.take_back),
            *super().menu_actions(),
            MenuAction("q", self._leave_text, self.action_leave),
        ]

    @property
    def _free_seats(self) -> int:
        """Number of seats whose players have left."""
        return sum(seat.free for seat in self.update.table.seats) if self.update else 0

    def _rematch_words(self) -> str:
        """Return who wants another match, and who has not agreed yet."""
        if (update := self.update) is None:
            return ""
        seats = update.table.seats
        ready = [_("you") if seat == update.seat else seats[seat].name for seat in update.ready]
        if not ready:
            return ""
        missing = [
            seat.name
            for number, seat in enumerate(seats)
            if number not in update.ready and not seat.bot and not seat.away
        ]
        wanted_words = _("wanted by {names}", names=", ".join(ready))
        if update.seat not in update.ready:
            return wanted_words
        if free := self._free_seats:
            return f"{wanted_words}; " + several(
                "waiting for {count} more player", "waiting for {count} more players", free
            )
        if not missing:
            return wanted_words
        names = ", ".join(missing)
        return f"{wanted_words}; " + several("waiting for {names}", "waiting for {names}", len(missing), names=names)

    def action_back(self) -> None:
        self.dismiss()

    def action_leave(self) -> None:
        self._leave()

    def action_escape(self) -> None:
        """Go back to the table if other people are there; else leave."""
        self.action_back() if self.update and in_company(self.update) else self.action_leave()

    KEYS: ClassVar[tuple[Key, ...]] = (*EndScreen.KEYS, Key(action_back, "v"))


class PastMatchScreen(EndScreen):
    """Shows the end of a recorded match."""

    HINTS = (("q", lambda: pgettext("a screen", "back")),)

    def __init__(self, look: Look, match: PastMatch, review_worker: ReviewWorker | None) -> None:
        super().__init__(look, ReviewedMatch(FileRecord(match), review_worker))
        self._match = match

    def on_mount(self) -> None:
        self.run_worker(self._reviewed_match.fetch())

    def draw(self, width: int, height: int) -> Picture:
        """Draw the final standing, or why the match has no record."""
        if self.update is not None:
            return super().draw(width, height)
        body, _most = draw_text(self._reviewed_match.problem, 0, width, height - 3, self.look)
        return draw_page(
            self.heading(self._match.title),
            body,
            "",
            [("q", pgettext("a screen", "back"))],
            "",
            width,
            self.look,
        )

    @property
    def update(self) -> Update | None:
        """The table as its player would see it, if the match had just ended."""
        recorded = self._reviewed_match.match
        return table_of(recorded, recorded.match.view(self._match.seat), self._match.seat) if recorded else None

    def heading(self, game: str) -> str:
        return f"{game} · {day_and_time(self._match.began_at)}"

    def menu_actions(self) -> list[MenuAction]:
        """Return the actions; a file can also be exported and shared."""
        return [
            *super().menu_actions(),
            MenuAction("x", _("export it as a text, a picture or a film"), self._export),
            MenuAction("s", _("share it: where its record is"), self._share),
            MenuAction("q", _("back to the list"), self.action_leave),
        ]

    def _share(self) -> None:
        self.app.push_screen(MessageScreen(self.look, _("Share"), _share_words(self._match)))

    def _export(self) -> None:
        kinds: tuple[tuple[Kind, str, str], ...] = (
            ("txt", _("text"), _("the whole match in sentences")),
            ("svg", _("picture"), _("the table at the end, as SVG")),
            ("cast", _("film"), _("for asciinema, in a terminal or on a web page")),
        )
        items = [Item((name, about), partial(self._write_file, kind), kind) for kind, name, about in kinds]
        picker = PickScreen(self.look, _("export"), items, _("write it"))
        self.ask(picker, lambda write: self.run_worker(write()))

    async def _write_file(self, kind: Kind) -> None:
        try:
            file = await asyncio.to_thread(
                _write_new_export, self._reviewed_match.lines, kind, Path(self._match.file).stem, self.look
            )
            message = _("It is in the file:") + f"\n\n{file}"
            if kind == "cast":
                message += "\n\n" + _("`asciinema play FILE` shows it in a terminal.")
        except (OSError, RecordError) as error:
            reason = (error.strerror if isinstance(error, OSError) else "") or str(error)
            message = _("It cannot be written: {reason}.", reason=reason)
        self.app.push_screen(MessageScreen(self.look, _("Export"), message))


def _share_words(match: PastMatch) -> str:
    file = Path(match.file).name
    commands = "\n".join(f"  boneyard {command} {file}" for command in ("verify", "replay", "review"))
    return "\n\n".join(
        [
            _("The record of this match is the file:"),
            match.file,
            _("Anybody who has it and Boneyard can check it, play it back and have it reviewed:"),
            commands,
        ]
    )


def _write_new_export(lines: Sequence[str], kind: Kind, stem: str, look: Look) -> Path:
    """Export to the current directory and return the file. Raises OSError, RecordError."""
    recording = _recording_of(lines)
    step = len(recording.frames) - 1 if kind == "svg" else 0
    playback = Playback(recording, step, open_hand=ALL if kind == "txt" else ON_TURN)
    export = Export(kind, playback, Look(look.theme, look.ascii, look.name), *EXPORT_SIZE)
    for number in count(1):
        file = Path(f"{stem}-{number}.{kind}" if number > 1 else f"{stem}.{kind}").absolute()
        with suppress(FileExistsError):
            write_export(export, file, overwrite=False)
            break
    return file


def _recording_of(lines: Sequence[str]) -> Recording:
    return Recording(referee(lines))


class MatchesScreen(PickScreen[PastMatch | None]):
    """Lists the recorded matches; dismissed with one. The statistics open as a page."""

    def __init__(self, look: Look, matches: Sequence[PastMatch], first_row: int = 0) -> None:
        items: list[Item[PastMatch | None]] = [Item((_("Statistics"), _("by game and level")), None)]
        items += [
            Item(
                (f"{match.title} · {day_and_time(match.began_at)}", match.result),
                match,
                " · ".join([levels_words(level_of(match)), *match.players]),
            )
            for match in matches
        ]
        super().__init__(look, _("your matches"), items, pgettext("a match", "open"), first_row)
        self._matches = matches

    @property
    def note(self) -> str:
        matches = [item.value for item in self._matching_items if item.value]
        tally = total(matches)
        return totals_words(tally) if tally.played else ""

    def action_choose(self) -> None:
        if self.chosen_item and self.chosen_item.value is None:
            tally = statistics(self._matches)
            table = MessageScreen(self.look, _("statistics"), lambda width: "\n".join(statistics_table(tally, width)))
            self.app.push_screen(table)
        else:
            super().action_choose()

    @property
    def chosen_row(self) -> int:
        """Row of the chosen match in the whole list."""
        return self._items.index(self.chosen_item) if self.chosen_item else 0
