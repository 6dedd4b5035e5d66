"""The list to choose from: what is left of it has the typed letters at the beginning of its words."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Generic, NamedTuple, TypeVar

from core.lookup import plain
from tui.board.canvas import Canvas, ClickTarget, Picture, Style, columns, stack
from tui.draw.panels import Row, draw_list, draw_page, put_typed
from tui.i18n import _, pgettext
from tui.model.keys import Key
from tui.model.look import Look
from tui.model.typed import TextInput
from tui.screens.base import DrawnScreen

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
TYPED = 260
"""Characters that are typed at most: the longest name in the DNS, with a port."""
NEAR = 0.8
"""How like a typed word another one must be to be found in its place."""
WIDE, USUAL_CELLS = 100, 3
"""Columns of a window from which on a row has more cells than usual."""


class Item(NamedTuple, Generic[T_co]):
    """One row of the list."""

    cells: tuple[str, ...]
    value: T_co
    also: str = ""
    """Other names that find it, with ` · ` between them."""
    note: str = ""
    """What is said under the list while it is chosen."""
    problem: str = ""
    """Why it cannot be taken."""


class PickScreen(DrawnScreen[T | None], Generic[T]):
    """Dismissed with the value of the row that was chosen, or None to go back."""

    def __init__(
        self,
        look: Look,
        title: str,
        items: Sequence[Item[T]],
        does: str,
        at: int = 0,
        *,
        note: str = "",
        typed: str = "",
    ) -> None:
        """`does` is what Enter does, in a word or two; the row `at` is chosen at first; `note` describes all rows.

        Something may have been `typed` already.
        """
        super().__init__(look)
        self._title = title
        self._items = items
        self._does = does
        self._note = note
        self._typed = TextInput(typed, TYPED)
        self._found = self.found(typed) if typed else list(items)
        self._chosen = max(0, at)
        self._warning = ""

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self._found)

    @property
    def chosen(self) -> Item[T] | None:
        """The row under the cursor, if there is one."""
        return self._found[self._chosen] if self._found else None

    @property
    def typed(self) -> TextInput:
        return self._typed

    def draw(self, width: int, height: int) -> Picture:
        return self.framed(self.draw_rows(width, height - 4), width)

    def draw_rows(self, width: int, height: int) -> Picture:
        """The rows that fit, the chosen one among them."""
        cells = USUAL_CELLS if width < WIDE else None
        rows = [Row(item.cells[:cells], quiet=bool(item.problem)) for item in self._found]
        table = zip(*(item.cells[:cells] for item in [*self._items, *self._found]), strict=True)
        widths = [max(map(columns, column)) for column in table]
        return draw_list(rows, self._chosen, widths, width, height, self.look, empty=self.empty)

    def framed(self, body: Picture, width: int) -> Picture:
        """What was typed, a body with the rows, and what is told of them."""
        found, every = sum(item in self._items for item in self._found), len(self._items)
        count = _("{found} of {all}", found=found, all=every) if every else ""
        hints = [(self.look.enter, self._does), ("Esc", pgettext("a screen", "back"))]
        body, told = stack(self._line(width), body), self._warning or self.note
        return draw_page(self._title, body, told, hints, count, width, self.look, warning=bool(self._warning))

    @property
    def note(self) -> str:
        """A sentence under the list."""
        return (self.chosen.note if self.chosen else "") or self._note

    @property
    def empty(self) -> str:
        """What stands in place of rows."""
        return _("Nothing has that name.")

    def _line(self, width: int) -> Picture:
        theme = self.look.theme
        canvas = Canvas(width, 1, Style(theme.text, theme.band))
        put_typed(canvas, 3, 0, width - 4, self._typed, self.look, theme.band, empty=_("type a part of a name"))
        canvas.put(2, 0, ">" if self.look.ascii else "›", Style(theme.accent, theme.band, True))
        return Picture(canvas.rows())

    def on_text_changed(self) -> None:
        """Show the rows that are found, the best first."""
        self._found = self.found(self._typed.text)
        self.go(0)

    def found(self, typed: str) -> list[Item[T]]:
        """Return the rows in which every typed word begins one, the best first; if there are none, what is near."""
        wanted = plain(typed).split()
        known = [
            (f" {plain(item.cells[0])} ", f" {plain(' '.join([*item.cells[1:], item.also]))} ", item)
            for item in self._items
        ]
        begin = f" {' '.join(wanted)}"
        found = [
            (
                begin[1:] not in map(plain, (item.cells[0], *item.also.split(" · "))),
                f"{begin} " not in f" {about}" and not words.startswith(f"{begin} "),
                not words.startswith(begin),
                begin not in f"{words}{about}",
                not all(f" {each}" in words for each in wanted),
                item,
            )
            for words, about, item in known
            if all(f" {each}" in words or f" {each}" in about for each in wanted)
        ]
        return [item for *_rank, item in sorted(found, key=lambda each: each[:-1])] or [
            item
            for words, about, item in known
            if all(get_close_matches(each, f"{words}{about}".split(), 1, NEAR) for each in wanted)
        ]

    def go(self, to: int) -> None:
        """Choose a row."""
        self._chosen, self._warning = to, ""
        self.redraw()

    def action_move(self, step: int) -> None:
        if count := self.count:
            to = self._chosen + step
            self.go(to % count if abs(step) == 1 else max(0, min(count - 1, to)))

    def action_choose(self) -> None:
        """Take the chosen row; or say why it cannot be taken."""
        if self.chosen is None:
            return
        if self.chosen.problem:
            self._warning = self.chosen.problem
            self.redraw()
        else:
            self.dismiss(self.chosen.value)

    def action_leave(self) -> None:
        self.dismiss(None)

    def clicked(self, hit: ClickTarget) -> None:
        """Choose a row by a click; once more to take it."""
        if hit.at == self._chosen:
            self.action_choose()
        else:
            self.go(hit.at)

    KEYS = (
        Key(action_move, "up", args=(-1,)),
        Key(action_move, "down,tab", args=(1,)),
        Key(action_move, "pageup", args=(-10,)),
        Key(action_move, "pagedown", args=(10,)),
        Key(action_choose, "enter"),
        Key(action_leave, "escape", leaves=True),
    )
