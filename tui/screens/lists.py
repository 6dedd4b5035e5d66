"""The lists of saved matches, lessons, presets, languages and themes."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from core.games import GAMES
from core.layout.state import NOBODY, PlacedTile
from core.presets import PRESETS, Preset
from core.tiles import Tile, hand
from net.client.client import Client
from net.wire.messages import MakeTable, Sit, Watch
from themes import BadTheme, all_names, theme_names
from tui.board import Canvas, Mark, Picture, Style, draw_board
from tui.board.canvas import beside, fit, plain, stack
from tui.draw.hands import draw_hand
from tui.draw.panels import wrap
from tui.draw.window_layout import divide_rows
from tui.i18n import LANGUAGES, _, choose, day_and_time, pgettext, spoken_language, switch
from tui.lessons import LESSONS, Lesson, Tutor
from tui.model.look import Look
from tui.model.new_table import against_bots
from tui.screens.pick_list import Item, PickScreen
from tui.text.at_table import alternatives_in_words, opponents, saved_match_words
from tui.text.names import game_name, sort_by_place, theme_name
from tui.wording import label_of

if TYPE_CHECKING:
    from net.storage.solo_matches import KeptMatch

LIST_WIDTH = 24
"""Columns of the list of names."""
SAMPLE = (
    PlacedTile(Tile(4, 4), -1, 0, 4, NOBODY),
    PlacedTile(Tile(4, 6), 0, 1, 6, NOBODY),
    PlacedTile(Tile(6, 9), 1, 1, 9, NOBODY),
    PlacedTile(Tile(7, 9), 2, 1, 7, NOBODY),
    PlacedTile(Tile(4, 8), 0, 0, 8, NOBODY),
    PlacedTile(Tile(8, 8), 4, 1, 8, NOBODY),
    PlacedTile(Tile(2, 8), 5, 1, 2, NOBODY),
)
HAND = hand("0|1 1|5 2|3 2|7 3|6 5|7")
PLAYABLE = (2, 3, 5)
"""Tiles small enough to leave room for words beside them."""


class ThemesScreen(PickScreen[str]):
    """Lists the themes with a preview; dismissed with the name of a valid one."""

    def __init__(self, look: Look, *, includes_own: bool = True) -> None:
        """`includes_own`: include the themes of this machine's user; guests have no access to these files."""
        names = all_names() if includes_own else theme_names()
        if look.name not in names:
            names = (*names, look.name)
        items = [Item((theme_name(name),), name, name) for name in names]
        super().__init__(look, _("colours"), items, _("choose"), names.index(look.name))
        self._problem = ""
        """Error in the theme under the cursor."""

    def draw(self, width: int, height: int) -> Picture:
        rows = divide_rows(height).hand
        board_height, board_width = height - 4 - rows, width - LIST_WIDTH
        board = (
            self._complaint(board_width, board_height) if self._problem else self._board(board_width, board_height)
        )
        hand_picture = draw_hand(
            HAND, width, rows, self.look.theme, playable=PLAYABLE, chosen=3, ascii=self.look.ascii, highest=9
        )
        names = self.draw_rows(LIST_WIDTH, board_height)
        return self.draw_with_filter(stack(beside(names, Picture(board.rows)), Picture(hand_picture.rows)), width)

    def _board(self, width: int, height: int) -> Picture:
        marks = (
            Mark(6, 1, 2, key="a", note=_("scores {points}", points=10), chosen=True),
            Mark(3, 1, 7, key="b", owed=True),
        )
        return draw_board(
            SAMPLE, marks, width, height, self.look.theme, largest="medium", ascii=self.look.ascii, highest=9
        )

    def _complaint(self, width: int, height: int) -> Picture:
        theme = self.look.theme
        canvas = Canvas(width, height, Style(theme.warning, theme.felt))
        for y, line in enumerate(wrap(self._problem, width - 4), 2):
            canvas.put(2, y, plain(fit(line, width - 4), self.look.ascii), canvas.background)
        return Picture(canvas.rows())

    def go(self, row: int) -> None:
        super().go(row)
        if self.chosen_item is None:
            return
        try:
            self.look, self._problem = self.look.with_theme(self.chosen_item.value), ""
        except BadTheme as error:
            self._problem = str(error)
        self.redraw()

    def action_choose(self) -> None:
        if not self._problem:
            super().action_choose()


R = TypeVar("R")


def kept_matches_screen(look: Look, matches: "Sequence[KeptMatch]") -> PickScreen[Path]:
    """Return a screen that asks which saved match to resume."""
    items = [
        Item(
            (day_and_time(match.played_at), _("cannot be read"), match.path.name),
            match.path,
            problem=_("This match cannot be read: {reason}.", reason=match.problem),
        )
        if match.problem
        else Item((day_and_time(match.played_at), saved_match_words(match), opponents(match)), match.path)
        for match in matches
    ]
    return PickScreen(look, _("kept matches"), items, _("go on"))


class NextStep(NamedTuple):
    """A choice at the end of a lesson: this lesson again, another one, a match, or None to leave."""

    next_activity: Lesson | MakeTable | None


def next_steps_screen(look: Look, tutor: Tutor) -> PickScreen[NextStep]:
    """Return a screen that asks what follows a lesson."""
    lesson = tutor.lesson
    other_lessons = [other for other in LESSONS if other is not lesson]
    items = [
        *([] if tutor.is_over else [Item((_("Go on with the lesson"), ""), NextStep(lesson))]),
        Item(
            (_("Now play: {game}", game=game_name(lesson.game)), _("against bots")),
            NextStep(against_bots(lesson.game)),
        ),
        *(
            Item((_("Learn: {game}", game=game_name(other.game)), _(other.about)), NextStep(other))
            for other in other_lessons
        ),
        Item((pgettext("the table", "Leave"), ""), NextStep(None)),
    ]
    return PickScreen(look, _("what comes next?"), items, _("choose"))


def alternatives_screen(look: Look, client: Client) -> PickScreen[MakeTable | Sit | Watch]:
    """Return a screen that asks a player with a reserved seat whether to follow a link that leads away from it."""
    items = [Item((words, note), table) for table, words, note in alternatives_in_words(client)]
    note = _("A seat that you do not go back to stays yours for now; a bot plays there for you.")
    return PickScreen(look, _("you have a seat already"), items, _("choose"), note=note)


def lessons_screen(look: Look, game: str = "") -> PickScreen[Lesson]:
    """Return a screen that asks for a lesson; the cursor starts at the first lesson of `game`, if it has any."""
    items = [Item((game_name(lesson.game), _(lesson.about)), lesson) for lesson in LESSONS]
    first_row = next((number for number, lesson in enumerate(LESSONS) if lesson.game == game), 0)
    note = _("A round against bots, explained as it goes.")
    return PickScreen(look, _("learn in two minutes"), items, _("begin"), first_row, note=note)


def doors_screen(look: Look, browser_problem: str) -> PickScreen[str]:
    """Return a screen that asks how friends reach a server; its values are for `--web`.

    `browser_problem` says why browsers cannot; empty if they can.
    """
    about = browser_problem or _("Friends open a link, on a phone too, and install nothing.")
    items = [
        Item((_("for ssh and Boneyard"), _("friends type a line")), ""),
        Item((_("for browsers as well"), _("friends open a link")), "8080", note=about, problem=browser_problem),
    ]
    note = _("Friends need only ssh, which most computers have.")
    return PickScreen(look, _("open a server"), items, pgettext("a server", "open"), note=note)


def presets_screen(look: Look, game: str = "") -> PickScreen[Preset]:
    """Return a screen that asks for a preset; the cursor starts at the first preset of `game`, if it has any."""
    presets = sort_by_place(PRESETS.values())
    items = [
        Item(
            (_(preset.place), _(preset.name), preset.local, game_name(preset.game)),
            preset,
            preset.name,
            note=_rules_sentence(preset),
        )
        for preset in presets
    ]
    first_row = next((number for number, preset in enumerate(presets) if preset.game == game), 0)
    return PickScreen(look, _("as played in …"), items, _("choose"), first_row)


def _rules_sentence(preset: Preset) -> str:
    """Return the preset's game and its unusual rules, in words."""
    rules = [
        f"{_(option.words)}: {label_of(preset.game, option.key, preset.options[option.key])}"
        for option in GAMES[preset.game].options
        if option.key in preset.options
    ]
    return f"{game_name(preset.game)}: " + ("; ".join(rules) or _("as usual"))


class LanguagesScreen(PickScreen[str]):
    """Lists the languages, each by its own name; the session switches to the chosen row at once, as a preview."""

    def __init__(self, look: Look) -> None:
        self._language_before = spoken_language()
        items = [Item((name,), code) for code, name in LANGUAGES.items()]
        super().__init__(look, "", items, "", list(LANGUAGES).index(self._language_before))
        self._update_words()

    def _update_words(self) -> None:
        self._title, self._enter_words, self._note = (
            _("language"),
            _("choose"),
            _("Show everything in this language."),
        )

    def go(self, row: int) -> None:
        super().go(row)
        if self.chosen_item:
            switch(self.chosen_item.value)
            self._update_words()
        self.redraw()

    def action_choose(self) -> None:
        if self.chosen_item:
            choose(self.chosen_item.value)
        super().action_choose()

    def withdraw(self) -> None:
        switch(self._language_before)

    def action_leave(self) -> None:
        self.withdraw()
        super().action_leave()
