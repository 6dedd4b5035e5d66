"""The first start: under what name, in which language, and whether a lesson or a table comes first."""

from typing import NamedTuple

from textual import events

from net.limits import NAME_LENGTH
from net.players.text import clean_name
from net.wire.messages import MakeTable
from tui.board.canvas import Canvas, Hit, Picture, Style, columns, plain
from tui.draw.lists import draw_page, wrap
from tui.draw.look import Look
from tui.draw.panels import fit
from tui.i18n import LANGUAGES, _, choose, spoken_language
from tui.lessons import LESSONS, Lesson
from tui.model.keys import Key
from tui.model.new_table import YES, NewTable
from tui.screens.base import DrawnScreen

NAME, LANGUAGE, PLAYED = range(3)
"""The rows."""


class Welcome(NamedTuple):
    """What a player said at their first start."""

    name: str
    """Empty for none: alone they are called “You”."""
    first: Lesson | MakeTable | None
    """What they do first; None for the menu."""


class WelcomeScreen(DrawnScreen[Welcome | None]):
    """Three rows to fill in; dismissed with what was said, or None to leave it all as it is."""

    KEYS = (
        Key("move(-1)", "up"),
        Key("move(1)", "down,tab"),
        Key("turn(-1)", "left"),
        Key("turn(1)", "right"),
        Key("begin", "enter"),
        Key("leave", "escape", leaves=True),
    )

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._typed = ""
        self._at = 0
        self._played = 0

    @property
    def takes_text(self) -> bool:
        return self._at == NAME

    @property
    def _first(self) -> tuple[tuple[str, Lesson | MakeTable | None], ...]:
        table = NewTable(hints=YES, take_back=YES).set("game", "draw").table(free_seats=False)
        return (
            (_("no: a lesson of two minutes first"), LESSONS[0]),
            (_("yes: to a table of Draw"), table),
            (_("yes: show me all games"), None),
        )

    def paint(self, width: int, height: int) -> Picture:
        """Ask, in the middle of the felt."""
        theme, ascii = self.look.theme, self.look.ascii
        canvas = Canvas(width, height - 3, Style(theme.text, theme.felt))
        title = _("Welcome to Boneyard: every domino game people play.")
        left, right = "<>" if ascii else "◀▶"
        values = (
            self._typed,
            f"{left} {LANGUAGES[spoken_language()]} {right}",
            f"{left} {self._first[self._played][0]} {right}",
        )
        labels = (_("your name"), _("language"), _("have you played dominoes before?"))
        room = max(map(columns, labels)) + 3
        stacked = room + max(map(columns, values)) + 4 > width
        x = 4 if stacked else max(2, (width - room - 40) // 2)
        top = max(1, (height - 12) // 2)
        titles = wrap(title, width - x - 1)
        for above, line in enumerate(titles, top + 1 - len(titles)):
            canvas.put(x, above, plain(line, ascii), Style(theme.accent, theme.felt, True))
        hits = []
        y = top + 2
        for row, (label, value) in enumerate(zip(labels, values, strict=True)):
            here = row == self._at
            style = Style(theme.accent if here else theme.text, theme.felt, here)
            if here:
                canvas.put(x - 2, y, ">" if ascii else "▶", style)
            canvas.put(x, y, plain(fit(label, width - x - 1), ascii), style)
            hits.append(Hit(0, y + 1, width, 1 + stacked, row, -1))
            place = (x + 2, y + 1) if stacked else (x + room, y)
            if row == NAME:
                canvas.put(*place, " " * (NAME_LENGTH + 2), Style(theme.text, theme.bar))
                shown = value + ("_" if ascii else "▏") * here
                canvas.put(place[0] + 1, place[1], plain(shown, ascii), Style(theme.accent, theme.bar, True))
                if not value:
                    example = _("or none")
                    canvas.put(
                        place[0] + 2, place[1], plain(fit(example, NAME_LENGTH), ascii), Style(theme.quiet, theme.bar)
                    )
            else:
                canvas.put(*place, plain(fit(value, width - place[0] - 1), ascii), style)
            y += 2 + stacked
        arrows = "Up/Down" if ascii else "↑ ↓"
        turns = [("Left/Right" if ascii else "← →", _("change"))] if self._at != NAME else []
        does = _("begin") if self._at == PLAYED else _("next")
        hints = [(self.look.enter, does), *turns, (arrows, _("choose")), ("Esc", _("to the menu"))]
        told = _("All of it can be changed later.")
        page = draw_page("", Picture(canvas.rows()), "", hints, told, width, self.look)
        return Picture(page.rows, hits=tuple(hits))

    def on_key(self, event: events.Key) -> None:
        if self._at != NAME:
            return
        if event.key == "backspace":
            self._typed = self._typed[:-1]
        elif event.is_printable and event.character and len(self._typed) < NAME_LENGTH:
            self._typed += event.character
        else:
            return
        event.stop()
        event.prevent_default()
        self.redraw()

    def action_move(self, step: int) -> None:
        self._at = (self._at + step) % (PLAYED + 1)
        self.redraw()

    def action_turn(self, step: int) -> None:
        if self._at == LANGUAGE:
            languages = list(LANGUAGES)
            choose(languages[(languages.index(spoken_language()) + step) % len(languages)])
        elif self._at == PLAYED:
            self._played = (self._played + step) % len(self._first)
        self.redraw()

    def clicked(self, hit: Hit) -> None:
        """Go to a row by a click; once more for its next value."""
        if hit.at == self._at:
            self.action_turn(1)
        else:
            self.action_move(hit.at - self._at)

    def action_begin(self) -> None:
        """Go on to the next question; after the last one, begin."""
        if self._at < PLAYED:
            self.action_move(1)
        else:
            self.dismiss(Welcome(clean_name(self._typed), self._first[self._played][1]))

    def action_leave(self) -> None:
        self.dismiss(Welcome(clean_name(self._typed), None))
