"""A list to choose from; typing filters it by the beginnings of words."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Generic, NamedTuple, TypeVar

from textual import events

from core.lookup import normalise
from tui.board.canvas import Canvas, ClickTarget, Picture, Style, blank, columns, stack
from tui.draw.panels import Row, draw_list, draw_page
from tui.draw.typed_text import put_text_input
from tui.i18n import _, pgettext
from tui.model.keys import MOVES, Key
from tui.model.look import Look
from tui.model.text_input import TextInput
from tui.screens.base import ListScreen

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
MAX_FILTER_LENGTH = 260
"""Maximum length of the filter: the longest name in the DNS, with a port."""
MIN_SIMILARITY = 0.8
"""Similarity from which a misspelt word matches, if nothing else does."""
SEARCH_KEY = "/"
LETTERS = (*(name for key in MOVES for name in key.names if len(name) == 1), SEARCH_KEY)
"""Letters that move the cursor while nothing is typed, and the one that starts a search."""
MAX_UNSEARCHED_ROWS = 5
"""Maximum number of rows without a search on a touch screen."""
MIN_WIDTH_FOR_ALL_CELLS, USUAL_CELLS = 100, 3
"""Columns of a window in which rows may have more than `USUAL_CELLS` cells, and this number."""


class Item(NamedTuple, Generic[T_co]):
    """A row of the list."""

    cells: tuple[str, ...]
    value: T_co
    other_names: str = ""
    """Other names of the row that the filter matches, separated by ` · `."""
    note: str = ""
    """Sentence under the list while the row is chosen."""
    problem: str = ""
    """Reason why the row cannot be chosen; empty if it can."""


class PickScreen(ListScreen[T | None], Generic[T]):
    """Dismissed with the value of the chosen row, or None to go back."""

    def __init__(
        self,
        look: Look,
        title: str,
        items: Sequence[Item[T]],
        enter_words: str,
        first_row: int = 0,
        *,
        note: str = "",
        initial_text: str = "",
        searches: bool = False,
    ) -> None:
        """`enter_words` say what Enter does; the cursor starts at `first_row`; `note` describes all rows.

        `initial_text` is the filter to begin with. `searches` types every letter into the filter; without it, and
        without a touch screen, the letters of `MOVES` move the cursor until something is typed.
        """
        super().__init__(look)
        self._title = title
        self._items = items
        self._enter_words = enter_words
        self._note = note
        self._text_input = TextInput(initial_text, MAX_FILTER_LENGTH)
        self._matching_items = self.find_items(initial_text) if initial_text else list(items)
        self._chosen = max(0, first_row)
        self._searches = searches or (look.touched and len(items) > MAX_UNSEARCHED_ROWS)
        self._is_search_hidden = look.touched and not self._searches
        self._warning = ""

    @property
    def count(self) -> int:
        return len(self._matching_items)

    @property
    def row(self) -> int:
        return self._chosen

    @property
    def chosen_item(self) -> Item[T] | None:
        """The row under the cursor, if there is one."""
        return self._matching_items[self._chosen] if self._matching_items else None

    @property
    def text_input(self) -> TextInput | None:
        return None if self._is_search_hidden else self._text_input

    def draw(self, width: int, height: int) -> Picture:
        return self.draw_with_filter(self.draw_rows(width, height - 4), width)

    def draw_rows(self, width: int, height: int) -> Picture:
        """Draw the rows that fit, the chosen one among them."""
        cells = USUAL_CELLS if width < MIN_WIDTH_FOR_ALL_CELLS else None
        rows = [Row(item.cells[:cells], quiet=bool(item.problem)) for item in self._matching_items]
        table = zip(*(item.cells[:cells] for item in [*self._items, *self._matching_items]), strict=True)
        widths = [max(map(columns, column)) for column in table]
        return draw_list(rows, self._chosen, widths, width, height, self.look, empty=self.empty_text)

    def draw_with_filter(self, body: Picture, width: int) -> Picture:
        """Draw the filter above `body`, which has the rows, and the note below it."""
        matching, total = sum(item in self._items for item in self._matching_items), len(self._items)
        count = _("{found} of {all}", found=matching, all=total) if total else ""
        hints = [(self.look.enter, self._enter_words), ("Esc", pgettext("a screen", "back"))]
        filter_row = blank(width, 1, Style(self.look.theme.text, self.look.theme.felt))
        filter_row = filter_row if self._is_search_hidden else self._line(width)
        body, note = stack(filter_row, body), self._warning or self.note
        return draw_page(self._title, body, note, hints, count, width, self.look, warning=bool(self._warning))

    @property
    def note(self) -> str:
        """Sentence under the list."""
        return (self.chosen_item.note if self.chosen_item else "") or self._note

    @property
    def _placeholder(self) -> str:
        """Text of the filter while it is empty."""
        return _("type a part of a name") if self._searches else _("press / and type a part of a name")

    @property
    def empty_text(self) -> str:
        """Text in place of rows, if none matches."""
        return _("Nothing has that name.")

    def _line(self, width: int) -> Picture:
        theme = self.look.theme
        canvas = Canvas(width, 1, Style(theme.text, theme.band))
        put_text_input(canvas, 3, 0, width - 4, self._text_input, self.look, theme.band, empty=self._placeholder)
        canvas.put(2, 0, ">" if self.look.ascii else "›", Style(theme.accent, theme.band, True))
        return Picture(canvas.rows())

    def on_text_changed(self) -> None:
        """Show the matching rows, the best first."""
        self._matching_items = self.find_items(self._text_input.text)
        self.go(0)

    def find_items(self, text: str) -> list[Item[T]]:
        """Return the rows in which every word of `text` begins a word, the best first, or else similar ones."""
        wanted_words = normalise(text).split()
        searchable_items = [
            (f" {normalise(item.cells[0])} ", f" {normalise(' '.join([*item.cells[1:], item.other_names]))} ", item)
            for item in self._items
        ]
        beginning = f" {' '.join(wanted_words)}"
        ranked = [
            (
                beginning[1:] not in map(normalise, (item.cells[0], *item.other_names.split(" · "))),
                f"{beginning} " not in f" {other_words}" and not words.startswith(f"{beginning} "),
                not words.startswith(beginning),
                beginning not in f"{words}{other_words}",
                not all(f" {word}" in words for word in wanted_words),
                item,
            )
            for words, other_words, item in searchable_items
            if all(f" {word}" in words or f" {word}" in other_words for word in wanted_words)
        ]
        return [item for *_rank, item in sorted(ranked, key=lambda rank_and_item: rank_and_item[:-1])] or [
            item
            for words, other_words, item in searchable_items
            if all(
                get_close_matches(word, f"{words}{other_words}".split(), 1, MIN_SIMILARITY) for word in wanted_words
            )
        ]

    def go(self, row: int) -> None:
        self._chosen, self._warning = row, ""
        self.redraw()

    def receive_key(self, key: events.Key) -> None:
        """Move by letters and start the search by "/" while nothing is typed; other letters search at once."""
        if self._searches or self._text_input.text or key.character not in LETTERS:
            super().receive_key(key)
        elif key.character == SEARCH_KEY:
            self._searches = True
            self.redraw()
        else:
            self.act(self._keys[key.key])

    def action_choose(self) -> None:
        """Dismiss the screen with the chosen row; or say why it cannot be chosen."""
        if self.chosen_item is None:
            return
        if self.chosen_item.problem:
            self._warning = self.chosen_item.problem
            self.redraw()
        else:
            self.dismiss(self.chosen_item.value)

    def action_leave(self) -> None:
        self.dismiss(None)

    def handle_click(self, hit: ClickTarget) -> None:
        """Move the cursor by a click; a second click chooses the row."""
        if hit.at == self._chosen:
            self.action_choose()
        else:
            self.go(hit.at)

    KEYS = (
        *MOVES,
        Key(action_choose, "enter"),
        Key(action_leave, "escape", leaves_screen=True),
    )
