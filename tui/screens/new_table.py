"""The form for a new table: game, seats, bots and house rules."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from core.games import GAMES
from core.variant import Value
from net.wire.messages import MakeTable
from tui.board.canvas import Canvas, ClickTarget, Picture, Style, columns, plain, stack
from tui.draw.panels import Row, draw_list, draw_page, list_height, wrap
from tui.i18n import _, pgettext, several
from tui.model.keys import MOVES, Key
from tui.model.look import Look, is_narrow
from tui.model.new_table import YES, FormRow, NewTable
from tui.screens.base import ListScreen, MessageScreen
from tui.screens.pick_list import Item, PickScreen
from tui.text.names import game_name

_FOLD_ROW_ID = ("more", "")
"""Place of the row that unfolds the rare rules."""
MAX_UNLISTED_CHOICES = 2
"""Number of choices up to which a list of them would add nothing to the row."""
_COLUMN_WIDTHS = (44, 30)
"""Columns of a label and of its value."""
_EXPLANATION_ROWS = 3
"""Rows under the list: an empty one, and two for the sentence of the chosen row."""


class NewTableScreen(ListScreen[MakeTable | None]):
    """A form of settings with their choices; dismissed with the table to make, or None."""

    def __init__(
        self,
        look: Look,
        *,
        free_seats: bool,
        house_rules: dict[str, dict[str, Value]] | None = None,
        last_tables: Mapping[str, MakeTable] | None = None,
        new_table: NewTable | None = None,
        on_new_table: Callable[[NewTable], object] = str,
    ) -> None:
        """`free_seats` allows seats that wait for people; without it, bots take all seats but one.

        `last_tables` are, by game, the tables opened last; `new_table` holds the choices at first. `on_new_table` is
        called with the choices when the form is left without a table.
        """
        super().__init__(look)
        self._free_seats = free_seats
        default_permission = "no" if free_seats else YES
        self._new_table = new_table or NewTable(
            hints=default_permission, take_back=default_permission, house_rules=house_rules or {}
        )
        self._last_tables = last_tables or {}
        self._on_new_table = on_new_table
        self._chosen_id = ("game", "")
        self._is_unfolded = False

    def _rows(self) -> list[FormRow]:
        """Return the rows in view. Rare rules are hidden unless unfolded, changed, or under the cursor."""
        settings = self._new_table.settings(self._free_seats)
        rows = [row for row in settings if self._is_unfolded or not row.can_fold or row.row_id == self._chosen_id]
        hidden = sum(row.can_fold for row in settings)
        if hidden:
            label = several("{count} rule that few people change", "{count} rules that few people change", hidden)
            place = next((number for number, row in enumerate(rows) if row.rare), len(rows))
            rows.insert(place, FormRow("more", label, ("no", YES), YES if self._is_unfolded else "no"))
        return rows

    def _chosen_index(self, rows: list[FormRow]) -> int:
        """Return the index of the chosen row; of the last one if the row is gone."""
        return next((number for number, row in enumerate(rows) if row.row_id == self._chosen_id), len(rows) - 1)

    def _chosen_row(self) -> FormRow:
        rows = self._rows()
        return rows[self._chosen_index(rows)]

    @property
    def count(self) -> int:
        return len(self._rows())

    @property
    def row(self) -> int:
        return self._chosen_index(self._rows())

    def go(self, row: int) -> None:
        self._chosen_id = self._rows()[row].row_id
        self.redraw()

    def draw(self, width: int, height: int) -> Picture:
        rows = self._rows()
        number = self._chosen_index(rows)
        cells = [Row((row.label, self._value(row, is_chosen=row is rows[number]))) for row in rows]
        explanation_height = _EXPLANATION_ROWS * (1 + is_narrow(width))
        form_height = min(list_height(len(rows), self.look), height - 3 - explanation_height)
        body = draw_list(cells, number, _COLUMN_WIDTHS, width, form_height, self.look)
        variant = self._new_table.variant
        problem, is_unfolding_row = self._new_table.problem(), rows[number].row_id == _FOLD_ROW_ID
        enter = self.look.enter
        arrows = "Left" if self.look.ascii else "←→"
        enter_words = (
            pgettext("further rules", "hide")
            if is_unfolding_row and self._is_unfolded
            else pgettext("further rules", "show")
            if is_unfolding_row
            else _("open the table")
            if self._free_seats
            else pgettext("the game", "play")
        )
        last = [("a", _("as last time"))] if self._new_table.game in self._last_tables else []
        hints = [
            (enter, enter_words),
            (arrows, _("change")),
            ("/", _("search")),
            *last,
            ("?", _("explain")),
            ("q", pgettext("a screen", "back")),
        ]
        return draw_page(
            self._title,
            stack(body, self._explanation(rows[number], width, height - 3 - form_height)),
            problem,
            hints,
            next((about for about in map(_, (variant.pitch, variant.brief)) if columns(about) <= width - 4), ""),
            width,
            self.look,
            warning=bool(problem),
        )

    @property
    def _title(self) -> str:
        return (
            _("a new table") if self._free_seats else _("house rules of {game}", game=game_name(self._new_table.game))
        )

    def _value(self, row: FormRow, *, is_chosen: bool) -> str:
        """Return the text on the right of a row."""
        left, right = "<>" if self.look.ascii else "◀▶"
        unfolded = pgettext("further rules", "shown") if self._is_unfolded else pgettext("further rules", "hidden")
        value = unfolded if row.row_id == _FOLD_ROW_ID else row.value_words(self._new_table.game)
        return f"{left} {value} {right}" if is_chosen and len(row.choices) > 1 else f"  {value}"

    def _explanation(self, row: FormRow, width: int, height: int) -> Picture:
        """Draw the sentence of the chosen row, under the list."""
        theme = self.look.theme
        canvas = Canvas(width, height, Style(theme.text, theme.felt))
        sentence = (
            _("Rules that few people change.") if row.row_id == _FOLD_ROW_ID else row.sentence(self._new_table.game)
        )
        if len(row.choices) > MAX_UNLISTED_CHOICES and row.value in row.choices:
            place = _("{number} of {count}", number=row.choices.index(row.value) + 1, count=len(row.choices))
            sentence = f"({place}) {sentence}"
        measure = min(sum(_COLUMN_WIDTHS) + 2, width - 4)
        left = max(2, (width - measure - 2) // 2)
        for y, line in enumerate(wrap(sentence, measure), 1):
            canvas.put(left, y, plain(line, self.look.ascii), Style(theme.quiet, theme.felt))
        return Picture(canvas.rows())

    def action_turn(self, step: int) -> None:
        row = self._chosen_row()
        if row.row_id == _FOLD_ROW_ID:
            self._is_unfolded = not self._is_unfolded
        elif row.choices:
            place = row.choices.index(row.value) if row.value in row.choices else 0
            self._new_table = self._new_table.set(row.key, row.choices[(place + step) % len(row.choices)], row.part)
        self.redraw()

    def action_as_last(self) -> None:
        """Copy the choices of the last table of this game."""
        if self._new_table.game in self._last_tables:
            self._new_table = self._new_table.like(self._last_tables[self._new_table.game])
            self.redraw()

    def action_make(self) -> None:
        """Open the table; on the row of the rare rules, unfold them."""
        if self._chosen_row().row_id == _FOLD_ROW_ID:
            self.action_turn(1)
        elif not self._new_table.problem():
            self.dismiss(self._new_table.table(self._free_seats))

    def action_explain(self) -> None:
        """Explain all choices of the chosen row; on the row of the rare rules, of all folded rows."""
        row = self._chosen_row()
        rows = [row]
        if row.row_id == _FOLD_ROW_ID:
            rows = [setting for setting in self._new_table.settings(self._free_seats) if setting.can_fold]
        explanation = _explanation_text(rows, self._new_table.game)
        self.app.push_screen(MessageScreen(self.look, _("a new table"), explanation, _("what the choices do")))

    def action_search(self) -> None:
        """Search among the choices of the chosen row, if it has many, and all rows, also folded ones."""
        row, game = self._chosen_row(), self._new_table.game
        choices = row.choices if len(row.choices) > MAX_UNLISTED_CHOICES else ()
        sentences = row.explanations(game) if choices and row.key not in ("game", "preset") else []
        items: list[Item[Callable[[], object]]] = [
            Item(
                (
                    row._replace(value=value).value_words(game),
                    self._choice_description(row, number, sentences),
                ),
                partial(self._use_choice, number),
                str(value),
            )
            for number, value in enumerate(choices)
        ]
        items += [
            Item((setting.label, setting.value_words(game)), partial(self._go_to, setting))
            for setting in self._new_table.settings(self._free_seats)
        ]
        first_row = choices.index(row.value) if row.value in choices else 0
        picker = PickScreen(self.look, _("search"), items, _("choose"), first_row, searches=True)
        self.ask(picker, lambda do: do())

    def _go_to(self, row: FormRow) -> None:
        """Move the cursor to a row, which may be folded now."""
        self._chosen_id = row.row_id
        self.redraw()

    def _choice_description(self, row: FormRow, number: int, sentences: Sequence[str]) -> str:
        """Return the meaning of a choice, to stand beside its name."""
        if row.key == "game":
            return _(GAMES[str(row.choices[number])].brief)
        return sentences[number].partition(": ")[2] if number < len(sentences) else ""

    def _use_choice(self, number: int) -> None:
        row = self._chosen_row()
        self._new_table = self._new_table.set(row.key, row.choices[number], row.part)
        self.redraw()

    def action_cancel(self) -> None:
        """Go back without a table; pass the choices to `on_new_table`."""
        self._on_new_table(self._new_table)
        self.dismiss(None)

    def handle_click(self, hit: ClickTarget) -> None:
        """Move the cursor by a click; a second click changes the setting."""
        if hit.at == self.row:
            self.action_turn(1)
        else:
            self.go(hit.at)

    KEYS = (
        *MOVES,
        Key(action_turn, "left,h", args=(-1,)),
        Key(action_turn, "right,l,space", args=(1,)),
        Key(action_make, "enter"),
        Key(action_as_last, "a"),
        Key(action_search, "slash"),
        Key(action_explain, "question_mark,f1"),
        Key(action_cancel, "escape,q", leaves_screen=True),
    )


def _explanation_text(settings: Sequence[FormRow], game: str) -> str:
    """Return an explanation of all choices of some settings."""
    return "\n".join(
        line
        for setting in settings
        for line in ("# " + setting.label, *("- " + sentence for sentence in setting.explanations(game)), "")
    )
