"""The menu, where the program begins: every game with an example, all other commands; and the first start's
questions.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from textual import events

from core.bots.levels import BOTS
from core.fair import deal_order
from core.games import GAMES
from core.layout.state import LayoutView
from core.match import new_match
from core.presets import PRESETS, Preset
from core.variant import Variant
from net.limits import NAME_LENGTH
from net.players.text import clean_name
from net.storage.solo_matches import KeptMatch, last_update
from net.wire.messages import MakeTable, SeatInfo, TableInfo, Update
from tui.board.canvas import Canvas, ClickTarget, Picture, Style, columns, fit, plain
from tui.draw.menu import LIST_WIDTH, SETTING, CardSetting, Entry, GameCard, MenuContent, draw_home, draw_narrow_home
from tui.draw.panels import draw_page, wrap
from tui.draw.typed_text import put_text_input
from tui.i18n import LANGUAGES, _, choose, day_and_time, pgettext, several, spoken_language, with_sign
from tui.lessons import LESSONS, Lesson
from tui.model.keys import HOME, MOVES, Key, MenuKeys, key_hints
from tui.model.look import Look, is_narrow
from tui.model.new_table import DEFAULT_RULES, YES, NewTable, against_bots
from tui.model.presenter import Moment, presenter_of
from tui.model.text_input import TextInput
from tui.records.history import PastMatch, counting_matches, total
from tui.records.matches import last_played_words
from tui.rulebook import rules_in_short
from tui.screens.base import ListScreen
from tui.screens.global_keys import Do, GlobalKeysScreen
from tui.screens.help import HelpScreen
from tui.screens.lists import kept_matches_screen, lessons_screen, presets_screen
from tui.screens.new_table import NewTableScreen
from tui.screens.pick_list import Item, PickScreen
from tui.text.at_table import opponents, saved_match_words, standing
from tui.text.headlines import side_name
from tui.text.names import game_name, rules_name, search_names
from tui.text.notices import Place

if TYPE_CHECKING:
    from tui.screens.review import ReviewWorker

EXAMPLE_TILES = 7
"""Tiles on the table of an example: enough to show a shape, few enough for large tiles."""
EXAMPLE_TILES_PER_TRAIN = 3
"""The same for each player's train."""
_EXAMPLE_SEED = b"example"


def example(name: str, players: int) -> Update:
    """Return the view of seat 0, on turn, of an example round with `players` players; always the same one."""
    return _example(name, players, _("you"))


@lru_cache(maxsize=64)
def _example(name: str, players: int, player_name: str) -> Update:
    variant = GAMES[name]
    match, rng = new_match(variant, players, {}), Random(_EXAMPLE_SEED)
    match, _events = match.deal(*deal_order(match.rules.tiles, players, _EXAMPLE_SEED, 1))
    example_match = match
    while match.turn >= 0 and not _is_good_example(example_match.view(0).play, players):
        match, _events = match.apply(BOTS["greedy"](match.view(match.turn), rng))
        if match.turn == 0:
            example_match = match
    names = [player_name, *(str(number) for number in range(1, players))]
    table = TableInfo(0, "", name, match.options, tuple(SeatInfo(seat_name) for seat_name in names), 0, "playing")
    return Update(0, table, 0, example_match.view(0))


def _is_good_example(view: object, players: int) -> bool:
    """Return True if a view makes a good example: tiles on the table, or most of a trick."""
    if isinstance(view, LayoutView):
        return len(view.layout) >= (EXAMPLE_TILES_PER_TRAIN * players if view.shape == "lanes" else EXAMPLE_TILES)
    return len(getattr(view, "trick", ())) >= players - 1


MenuChoice = MakeTable | Path | Lesson | str
"""The user's choice: a table for a solo match, the directory of a saved match, a lesson, or the name of a command."""


class MenuScreen(GlobalKeysScreen[MenuChoice | None], ListScreen[MenuChoice | None]):
    """Asks what to do; dismissed with the choice, or None to leave."""

    KEYS = HOME

    def __init__(
        self,
        look: Look,
        on_look_changed: Callable[[Look], None] | None = None,
        kept_matches: Sequence[KeptMatch] = (),
        sentence: str = "",
        last_tables: Mapping[str, MakeTable] | None = None,
        hosts: Sequence[Place] = (),
        history: Callable[[], Sequence[PastMatch]] = tuple,
        review_worker: "ReviewWorker | None" = None,
    ) -> None:
        """`on_look_changed` is called with newly chosen colours; `sentence` is shown first.

        `kept_matches` are the saved matches, the latest first; `last_tables` are, by game, the tables opened
        last. `hosts` were joined before. `history` reads the recorded matches, the newest first, after the screen has
        opened; `review_worker` judges decisions for their reviews.
        """
        super().__init__(look, on_look_changed)
        self._kept_matches = kept_matches
        self._sentence = sentence
        self._last_tables = last_tables or {}
        self._hosts = hosts
        self._read_history, self._review_worker = history, review_worker
        self._recorded_matches: Sequence[PastMatch] | None = None
        """The recorded matches, once they are read."""
        self._saved_tables: dict[Path, Update | None] = {}
        """The tables of saved matches as they were left, once they are read."""
        self._latest_match = next((match for match in kept_matches if not match.problem), None)
        self._new_tables: dict[str, NewTable] = {}
        """The player's choices in this menu, by game."""
        self._game = next(iter(GAMES))
        """The game that the card shows."""
        self._chosen_index = 0
        self._asks_whether_to_leave = False
        """True if the last key was Escape, which asked whether to leave."""

    def on_mount(self) -> None:
        """Read saved and recorded matches, which may take a moment."""
        self.run_worker(self._read_matches())

    async def _read_matches(self) -> None:
        if self._latest_match:
            self._saved_tables[self._latest_match.path] = await asyncio.to_thread(
                last_update, self._latest_match.path
            )
            self.redraw()
        self._recorded_matches = await asyncio.to_thread(self._read_history)
        self.redraw()

    # The content

    @property
    def _entries_above(self) -> list[tuple[str, Entry]]:
        if not self._latest_match:
            return []
        title, about = _("Go on: {match}", match=saved_match_words(self._latest_match)), opponents(self._latest_match)
        if columns(title) > LIST_WIDTH - 4:
            title, about = (
                _("Go on: {match}", match=rules_name(self._latest_match.game, self._latest_match.options)),
                standing(self._latest_match),
            )
        return [("go_on", Entry(title, about, "c"))]

    @property
    def _entries_below(self) -> list[tuple[str, Entry]]:
        other_count = len(self._kept_matches) - len(self._entries_above)
        kept_entries = [("kept", Entry(_("Kept matches"), str(len(self._kept_matches)), "m"))] if other_count else []
        return [
            *kept_entries,
            ("presets", Entry(_("As played in …"), several("{count} preset", "{count} presets", len(PRESETS)), "a")),
            ("history", Entry(_("Your matches"), str(len(self._recorded_matches or ())), "h")),
            ("learn", Entry(_("Learn"), _("in two minutes"), "l")),
            ("join", Entry(_("Join friends"), _("on the network"), "f")),
            ("host", Entry(_("Open a server"), _("by ssh or browser"), "s")),
        ]

    @property
    def _entry_ids(self) -> list[str]:
        """The value of each entry: a game's id, or the name of a command."""
        return [name for name, _entry in self._entries_above] + [*GAMES, *self._command_ids]

    @property
    def _command_ids(self) -> list[str]:
        return [name for name, _entry in self._entries_below]

    @property
    def count(self) -> int:
        return len(self._entry_ids)

    @property
    def _chosen_table(self) -> NewTable:
        """The choices for the game on the card; at first those of the last table."""
        if self._game not in self._new_tables:
            default_table = NewTable(hints=YES, take_back=YES).set("game", self._game)
            self._new_tables[self._game] = (
                default_table.like(self._last_tables[self._game])
                if self._game in self._last_tables
                else default_table
            )
        return self._new_tables[self._game]

    def draw(self, width: int, height: int) -> Picture:
        name = self._entry_ids[self._chosen_index]
        if name in GAMES:
            self._game = name
        sentence, warning = self._sentence, bool(self._sentence)
        if self._asks_whether_to_leave:
            sentence, warning = _("Leave Boneyard? Press Esc again to leave, any other key to stay."), True
        hints = [(self.look.enter, self._enter_words(name))]
        hints += key_hints(HOME, ("search", "read_rules", "theme", "help", "quit"), self.look.ascii)
        home = MenuContent(
            tuple(entry for _name, entry in self._entries_above),
            tuple(Entry(game_name(game.id), _(game.brief)) for game in GAMES.values()),
            tuple(entry for _name, entry in self._entries_below),
            self._chosen_index,
            self._saved_match_card(self._latest_match)
            if name == "go_on" and self._latest_match
            else self._game_card(GAMES[self._game]),
            sentence,
            tuple(hints),
            several("{count} game", "{count} games", len(GAMES)),
            warning=warning,
        )
        return (draw_narrow_home if is_narrow(width) else draw_home)(home, width, height, self.look)

    def _enter_words(self, name: str) -> str:
        """Return what Enter does at an entry, in words."""
        return _("play {game}", game=game_name(name)) if name in GAMES else _("choose")

    def _saved_match_card(self, match: KeptMatch) -> GameCard:
        """Return the card of a saved match: its table as it was left; until that is read, an example of its game."""
        game, update = GAMES[match.game], self._saved_tables.get(match.path)
        table = update or example(game.id, len(match.names))
        view = table.play
        choice = presenter_of(view).choose(view, None) if view and update else None
        scores = ""
        if update and update.match:
            names, sides = tuple(seat.name for seat in update.table.seats), update.match.sides
            scores = ", ".join(
                f"{side_name(side, names, sides)} {with_sign(score)}"
                for side, score in enumerate(update.match.scores)
            )
        left_at = _("Left {time} in round {round}.", time=day_and_time(match.played_at), round=match.round)
        return GameCard(rules_name(game.id, match.options), scores, Moment(table, choice), left_at, (), ())

    def _game_card(self, game: Variant) -> GameCard:
        new_table, max_players = self._chosen_table, game.seats[1]
        update = example(game.id, new_table.players)
        view = update.play
        choice = presenter_of(view).choose(view, None) if view else None
        changed_count = len(new_table.changed_options)
        rules = several("{count} changed", "{count} changed", changed_count) if changed_count else _("as usual")
        if new_table.preset != DEFAULT_RULES:
            rules = new_table.rules
        return GameCard(
            game_name(game.id),
            _seats_words(game),
            Moment(update, choice),
            _(game.pitch),
            rules_in_short(game),
            (
                CardSetting(
                    "←→" if not self.look.ascii else "<>",
                    _("players"),
                    str(new_table.players),
                    is_cycled=max_players > 1,
                ),
                CardSetting(
                    "b", _("bots"), new_table.label("level") if max_players > 1 else "–", is_cycled=max_players > 1
                ),
                CardSetting("o", _("house rules"), rules, is_cycled=False),
            ),
            self._last_played_words(game.id),
        )

    def _last_played_words(self, game: str) -> str:
        """Return when the game was played last, and the share of matches won."""
        matches = [match for match in self._recorded_matches or () if match.game == game]
        tally = total(matches)
        return last_played_words(tally, counting_matches(matches)[0].began_at) if tally.played else ""

    # The actions

    def handle_unbound_key(self, key: events.Key) -> bool:
        """Start the search with a typed digit: some names begin with one, as in 42."""
        digit = key.character if key.character and key.character.isdecimal() else ""
        if digit:
            self.action_search(digit)
        return bool(digit)

    def is_key_active(self, key: Key) -> bool:
        self._asks_whether_to_leave = self._asks_whether_to_leave and key.name == "escape"
        return super().is_key_active(key)

    @property
    def row(self) -> int:
        return self._chosen_index

    def go(self, row: int) -> None:
        self._chosen_index = row
        self.redraw()

    def action_choose(self) -> None:
        name = self._entry_ids[self._chosen_index]
        if name in GAMES:
            self.dismiss(self._chosen_table.table(free_seats=False))
        else:
            self.action_open(name)

    def action_open(self, name: str) -> None:
        match name:
            case "go_on" if self._latest_match:
                self.dismiss(self._latest_match.path)
            case "kept" if self._kept_matches:
                self.ask(kept_matches_screen(self.look, self._kept_matches), self.dismiss)
            case "presets":
                self.ask(presets_screen(self.look, self._game), self._show_on_card)
            case "learn":
                self.ask(lessons_screen(self.look, self._game), self.dismiss)
            case "history":
                self._open_history()
            case "join" | "host":
                self.dismiss(name)

    def _open_history(self, first_row: int = 1) -> None:
        """List the recorded matches; closing the result of one leads back to the list."""
        from tui.screens.match_end import MatchesScreen, PastMatchScreen  # noqa: PLC0415 - not needed at the start

        if not self._recorded_matches:
            self._sentence = _("No match is recorded yet.")
            self.redraw()
            return
        match_list = MatchesScreen(self.look, self._recorded_matches, first_row)

        def show(match: PastMatch) -> None:
            row_number = match_list.chosen_row  # read before the list closes
            result = PastMatchScreen(self.look, match, self._review_worker)
            self.app.push_screen(result, lambda _none: reopen_list(row_number))

        def reopen_list(row_number: int) -> None:
            self._recorded_matches = self._read_history()
            self._open_history(row_number)

        self.ask(match_list, show)

    def action_set(self, key: str, step: int) -> None:
        if self._entry_ids[self._chosen_index] == "go_on":
            return
        row = next((row for row in self._chosen_table.settings(free_seats=False) if row.key == key), None)
        if row and row.value in row.choices:
            index = (row.choices.index(row.value) + step) % len(row.choices)
            self._new_tables[self._game] = self._chosen_table.set(key, row.choices[index])
        self.redraw()

    def action_rules(self) -> None:
        form = NewTableScreen(
            self.look,
            free_seats=False,
            last_tables=self._last_tables,
            new_table=self._chosen_table,
            on_new_table=self._use_new_table,
        )
        self.ask(form, self.dismiss)

    def _use_new_table(self, new_table: NewTable) -> None:
        """Use the house rules chosen in the form when the game is played."""
        self._game = new_table.game
        self._new_tables[self._game] = new_table
        self.go(self._entry_ids.index(self._game))

    def _game_items(self, do: Callable[[Variant | Preset], None]) -> list[Item[Do]]:
        """Return all games and presets, under all their names, each with the action `do`."""
        games = [
            Item((game_name(game.id), _(game.brief)), partial(do, game), search_names(game.id))
            for game in GAMES.values()
        ]
        presets = [
            Item(
                (_(preset.name), f"{_(preset.place)} · {game_name(preset.game)}"),
                partial(do, preset),
                f"{preset.name} · {preset.local}",
            )
            for preset in PRESETS.values()
        ]
        return [*games, *presets]

    def findable_items(self) -> list[Item[Do]]:
        """Also return all games, presets, lessons, saved matches and hosts joined before."""
        lessons = [
            Item((_("Learn: {game}", game=game_name(lesson.game)), _(lesson.about)), partial(self.dismiss, lesson))
            for lesson in LESSONS
        ]
        saved_matches = [
            Item(
                (_("Go on: {match}", match=saved_match_words(match)), opponents(match)),
                partial(self.dismiss, match.path),
            )
            for match in self._kept_matches
            if not match.problem
        ]
        hosts = [
            Item((_("Join {host}", host=f"{address}:{port}"), ""), partial(self.dismiss, f"join {address}:{port}"))
            for address, port in self._hosts
        ]
        return [*self._game_items(self._play_listed), *saved_matches, *lessons, *hosts, *super().findable_items()]

    def _play_listed(self, game_or_preset: Variant | Preset) -> None:
        """Play a game with its current settings, or as a preset has them."""
        self._show_on_card(game_or_preset)
        self.dismiss(self._chosen_table.table(free_seats=False))

    def _show_on_card(self, game_or_preset: Variant | Preset) -> None:
        """Show a game on the card with its current settings, or as a preset has them."""
        if isinstance(game_or_preset, Preset):
            self._game = game_or_preset.game
            self._new_tables[self._game] = self._chosen_table.with_preset(game_or_preset)
        else:
            self._game = game_or_preset.id
        self.go(self._entry_ids.index(self._game))

    def action_search(self, text: str = "") -> None:
        items = self._game_items(self._show_on_card)
        picker = PickScreen(self.look, _("search"), items, _("choose"), initial_text=text, searches=True)
        self.ask(picker, lambda do: do())

    def action_help(self) -> None:
        self.app.push_screen(HelpScreen(self.look, HOME))

    def action_read_rules(self) -> None:
        self.app.push_screen(HelpScreen(self.look, (), self._game))

    def tell(self, sentence: str) -> None:
        self._sentence = sentence
        self.redraw()

    def action_quit(self) -> None:
        self.dismiss(None)

    def action_escape(self) -> None:
        """Ask once whether to leave: Escape is also pressed to go back."""
        if self._asks_whether_to_leave:
            self.dismiss(None)
        else:
            self._asks_whether_to_leave = True
            self.redraw()

    def handle_click(self, hit: ClickTarget) -> None:
        """Move the cursor by a click, a second click runs the entry; or change a setting."""
        if hit.at == SETTING:
            self.action_rules() if hit.side == 2 else self.action_set(("players", "level")[hit.side], 1)
        elif hit.at == self._chosen_index:
            self.action_choose()
        else:
            self.go(hit.at)


def _seats_words(game: Variant) -> str:
    """Return the number of players, or the kind of a game for one; and the direction of play if it is unusual."""
    min_players, max_players = game.seats
    if max_players == 1:
        return _(game.brief)
    players = _(
        "{seats} players", seats=f"{min_players}–{max_players}" if min_players < max_players else str(max_players)
    )
    return " · ".join([players, _("counter-clockwise")] if game.counter_clockwise else [players])


NAME, LANGUAGE, EXPERIENCE = range(3)
"""The rows of the questions."""


class Welcome(NamedTuple):
    """A player's answers at their first start."""

    name: str
    """Empty for none: in solo matches they are called “You”."""
    first: Lesson | MakeTable | None
    """The first thing to do; None for the menu."""


class WelcomeScreen(ListScreen[Welcome | None]):
    """Asks three questions; dismissed with the answers, or None to change nothing."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._name_input = TextInput("", NAME_LENGTH)
        self._row = 0
        self._experience = 0

    @property
    def text_input(self) -> TextInput | None:
        return self._name_input if self._row == NAME else None

    @property
    def _first_steps(self) -> tuple[tuple[str, Lesson | MakeTable | None], ...]:
        return (
            (_("no: a lesson of two minutes first"), LESSONS[0]),
            (_("yes: to a table of the game Draw"), against_bots("draw")),
            (_("yes: show me all games"), None),
        )

    def draw(self, width: int, height: int) -> Picture:
        """Draw the questions in the middle of the window."""
        theme, ascii = self.look.theme, self.look.ascii
        canvas = Canvas(width, height - 3, Style(theme.text, theme.felt))
        title = _("Welcome to Boneyard: every domino game people play.")
        left, right = "<>" if ascii else "◀▶"
        values = (
            self._name_input.text,
            f"{left} {LANGUAGES[spoken_language()]} {right}",
            f"{left} {self._first_steps[self._experience][0]} {right}",
        )
        labels = (_("your name"), _("language"), _("have you played dominoes before?"))
        label_width = max(map(columns, labels)) + 3
        is_stacked = label_width + max(map(columns, values)) + 4 > width
        x = 4 if is_stacked else max(2, (width - label_width - 40) // 2)
        top = max(1, (height - 12) // 2)
        titles = wrap(title, width - x - 1)
        for y_of_title, line in enumerate(titles, top + 1 - len(titles)):
            canvas.put(x, y_of_title, plain(line, ascii), Style(theme.accent, theme.felt, True))
        hits = []
        y = top + 2
        for row, (label, value) in enumerate(zip(labels, values, strict=True)):
            is_current = row == self._row
            style = Style(theme.accent if is_current else theme.text, theme.felt, is_current)
            if is_current:
                canvas.put(x - 2, y, ">" if ascii else "▶", style)
            canvas.put(x, y, plain(fit(label, width - x - 1), ascii), style)
            hits.append(ClickTarget(0, y + 1, width, 1 + is_stacked, row, -1))
            place = (x + 2, y + 1) if is_stacked else (x + label_width, y)
            if row == NAME:
                put_text_input(
                    canvas,
                    *place,
                    NAME_LENGTH + 2,
                    self._name_input,
                    self.look,
                    theme.bar,
                    empty=_("or none"),
                    shows_cursor=is_current,
                )
            else:
                canvas.put(*place, plain(fit(value, width - place[0] - 1), ascii), style)
            y += 2 + is_stacked
        arrows = "Up/Down" if ascii else "↑ ↓"
        turn_hints = [("Left/Right" if ascii else "← →", _("change"))] if self._row != NAME else []
        enter_words = _("begin") if self._row == EXPERIENCE else pgettext("question", "next")
        hints = [(self.look.enter, enter_words), *turn_hints, (arrows, _("choose")), ("Esc", _("to the menu"))]
        note = _("All of it can be changed later.")
        page = draw_page("", Picture(canvas.rows()), "", hints, note, width, self.look)
        return Picture(page.rows, hits=(*hits, *page.hits))

    @property
    def count(self) -> int:
        return EXPERIENCE + 1

    @property
    def row(self) -> int:
        return self._row

    def go(self, row: int) -> None:
        self._row = row
        self.redraw()

    def action_turn(self, step: int) -> None:
        if self._row == LANGUAGE:
            languages = list(LANGUAGES)
            choose(languages[(languages.index(spoken_language()) + step) % len(languages)])
        elif self._row == EXPERIENCE:
            self._experience = (self._experience + step) % len(self._first_steps)
        self.redraw()

    def handle_click(self, hit: ClickTarget) -> None:
        """Go to a row by a click; a second click changes its value."""
        if hit.at == self._row:
            self.action_turn(1)
        else:
            self.go(hit.at)

    def action_begin(self) -> None:
        """Go to the next question; after the last one, begin."""
        if self._row < EXPERIENCE:
            self.action_move(1)
        else:
            self.dismiss(Welcome(clean_name(self._name_input.text), self._first_steps[self._experience][1]))

    def action_leave(self) -> None:
        self.dismiss(Welcome(clean_name(self._name_input.text), None))

    KEYS = (
        *MOVES,
        Key(action_turn, "left,h", args=(-1,)),
        Key(action_turn, "right,l,space", args=(1,)),
        Key(action_begin, "enter"),
        Key(action_leave, "escape", leaves_screen=True),
    )


if TYPE_CHECKING:
    _has_what_its_keys_do: type[MenuKeys] = MenuScreen
