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
from net.storage.solo_matches import KeptMatch, left_table
from net.wire.messages import MakeTable, SeatInfo, TableInfo, Update
from tui.board.canvas import Canvas, ClickTarget, Picture, Style, columns, fit, plain
from tui.draw.menu import LIST, SETTING, CardSetting, Entry, GameCard, MenuContent, draw_home, draw_narrow_home
from tui.draw.panels import draw_page, put_typed, wrap
from tui.i18n import LANGUAGES, _, choose, day_and_time, pgettext, several, signed, spoken_language
from tui.lessons import LESSONS, Lesson
from tui.model.keys import HOME, Key, MenuKeys
from tui.model.keys import hints as hints_of
from tui.model.look import Look, narrow
from tui.model.new_table import AS_USUAL, YES, NewTable
from tui.model.presenter import Moment, presenter_of
from tui.model.text_input import TextInput
from tui.records.history import PastMatch, counted, total
from tui.records.matches import last_words
from tui.rulebook import rules_in_short
from tui.screens.base import DrawnScreen
from tui.screens.global_keys import Do, GlobalKeysScreen
from tui.screens.help import HelpScreen
from tui.screens.lists import kept_list, lessons_list, presets_list
from tui.screens.new_table import NewTableScreen
from tui.screens.pick_list import Item, PickScreen
from tui.text.at_table import kept_words, opponents, standing
from tui.text.headlines import side_name
from tui.text.names import also_called, game_name
from tui.text.notices import Place

if TYPE_CHECKING:
    from tui.screens.review import Find

LAID = 7
"""Tiles on the table of an example: enough to show a shape, few enough for large tiles."""
LAID_EACH = 3
"""The same for each player's train."""
_SEED = b"example"


def example(name: str, players: int) -> Update:
    """Return the view of seat 0, on turn, of an example round with `players` players; always the same one."""
    return _example(name, players, _("you"))


@lru_cache(maxsize=64)
def _example(name: str, players: int, you: str) -> Update:
    variant = GAMES[name]
    match, rng = new_match(variant, players, {}), Random(_SEED)
    match, _events = match.deal(*deal_order(match.rules.tiles, players, _SEED, 1))
    chosen = match
    while match.turn >= 0 and not _enough(chosen.view(0).play, players):
        match, _events = match.apply(BOTS["greedy"](match.view(match.turn), rng))
        if match.turn == 0:
            chosen = match
    names = [you, *(str(number) for number in range(1, players))]
    table = TableInfo(0, "", name, match.options, tuple(SeatInfo(seat_name) for seat_name in names), 0, "playing")
    return Update(0, table, 0, chosen.view(0))


def _enough(view: object, players: int) -> bool:
    """Return True if the example shows enough: tiles on the table, or most of a trick."""
    if isinstance(view, LayoutView):
        return len(view.layout) >= (LAID_EACH * players if view.shape == "lanes" else LAID)
    return len(getattr(view, "trick", ())) >= players - 1


Chosen = MakeTable | Path | Lesson | str
"""The user's choice: a table for a solo match, the directory of a saved match, a lesson, or the name of a command."""


class MenuScreen(GlobalKeysScreen[Chosen | None]):
    """Asks what to do; dismissed with the choice, or None to leave."""

    KEYS = HOME

    def __init__(
        self,
        look: Look,
        on_look_changed: Callable[[Look], None] | None = None,
        kept: Sequence[KeptMatch] = (),
        said: str = "",
        last: Mapping[str, MakeTable] | None = None,
        hosts: Sequence[Place] = (),
        history: Callable[[], Sequence[PastMatch]] = tuple,
        review_worker: "Find | None" = None,
    ) -> None:
        """`on_look_changed` is called with newly chosen colours; `said` is shown first.

        `kept` are the saved matches, the latest first; `last` are, by game, the tables opened last. `hosts` were
        joined before. `history` reads the recorded matches, the newest first, after the screen has opened;
        `review_worker` judges decisions for their reviews.
        """
        super().__init__(look, on_look_changed)
        self._kept = kept
        self._said = said
        self._last = last or {}
        self._hosts = hosts
        self._history, self._find_out = history, review_worker
        self._matches: Sequence[PastMatch] | None = None
        """The recorded matches, once they are read."""
        self._left: dict[Path, Update | None] = {}
        """The tables of saved matches as they were left, once they are read."""
        self._latest = next((match for match in kept if not match.problem), None)
        self._new_tables: dict[str, NewTable] = {}
        """The player's choices in this menu, by game."""
        self._game = next(iter(GAMES))
        """The game that the card shows."""
        self._chosen = 0
        self._asked = False
        """True if the last key was Escape, which asked whether to leave."""

    def on_mount(self) -> None:
        """Read saved and recorded matches, which may take a moment."""
        self.run_worker(self._read())

    async def _read(self) -> None:
        if self._latest:
            self._left[self._latest.path] = await asyncio.to_thread(left_table, self._latest.path)
            self.redraw()
        self._matches = await asyncio.to_thread(self._history)
        self.redraw()

    # The content

    @property
    def _before(self) -> list[tuple[str, Entry]]:
        if not self._latest:
            return []
        title, about = _("Go on: {match}", match=kept_words(self._latest)), opponents(self._latest)
        if columns(title) > LIST - 4:
            title, about = _("Go on: {match}", match=game_name(self._latest.game)), standing(self._latest)
        return [("go_on", Entry(title, about, "c"))]

    @property
    def _after(self) -> list[tuple[str, Entry]]:
        others = len(self._kept) - len(self._before)
        kept = [("kept", Entry(_("Kept matches"), str(len(self._kept)), "m"))] if others else []
        return [
            *kept,
            ("presets", Entry(_("As played in …"), several("{count} preset", "{count} presets", len(PRESETS)), "a")),
            ("history", Entry(_("Your matches"), str(len(self._matches or ())), "h")),
            ("learn", Entry(_("Learn"), _("in two minutes"), "l")),
            ("join", Entry(_("Join friends"), _("on the network"), "j")),
            ("host", Entry(_("Open a server"), _("over ssh"), "g")),
        ]

    @property
    def _names(self) -> list[str]:
        """The value of each entry: a game's id, or the name of a command."""
        return [name for name, _entry in self._before] + [*GAMES, *self._others]

    @property
    def _others(self) -> list[str]:
        return [name for name, _entry in self._after]

    @property
    def count(self) -> int:
        """Number of entries."""
        return len(self._names)

    @property
    def _new_table(self) -> NewTable:
        """The choices for the game on the card; at first those of the last table."""
        if self._game not in self._new_tables:
            usual = NewTable(hints=YES, take_back=YES).set("game", self._game)
            self._new_tables[self._game] = usual.like(self._last[self._game]) if self._game in self._last else usual
        return self._new_tables[self._game]

    def draw(self, width: int, height: int) -> Picture:
        name = self._names[self._chosen]
        if name in GAMES:
            self._game = name
        sentence, warning = self._said, bool(self._said)
        if self._asked:
            sentence, warning = _("Leave Boneyard? Press Esc again to leave, any other key to stay."), True
        hints = [(self.look.enter, self._does(name))]
        hints += hints_of(HOME, ("search", "read_rules", "theme", "help", "quit"), self.look.ascii)
        home = MenuContent(
            tuple(entry for _name, entry in self._before),
            tuple(Entry(game_name(game.id), _(game.brief)) for game in GAMES.values()),
            tuple(entry for _name, entry in self._after),
            self._chosen,
            self._left_card(self._latest) if name == "go_on" and self._latest else self._card(GAMES[self._game]),
            sentence,
            tuple(hints),
            several("{count} game", "{count} games", len(GAMES)),
            warning=warning,
        )
        return (draw_narrow_home if narrow(width) else draw_home)(home, width, height, self.look)

    def _does(self, name: str) -> str:
        """Return what Enter does at an entry, in words."""
        return _("play {game}", game=game_name(name)) if name in GAMES else _("choose")

    def _left_card(self, match: KeptMatch) -> GameCard:
        """Return the card of a saved match: its table as it was left; until that is read, an example of its game."""
        game, update = GAMES[match.game], self._left.get(match.path)
        table = update or example(game.id, len(match.names))
        view = table.play
        choice = presenter_of(view).choose(view, None) if view and update else None
        scores = ""
        if update and update.match:
            names, sides = tuple(seat.name for seat in update.table.seats), update.match.sides
            scores = ", ".join(
                f"{side_name(side, names, sides)} {signed(score)}" for side, score in enumerate(update.match.scores)
            )
        left_at = _("Left {time} in round {round}.", time=day_and_time(match.played_at), round=match.round)
        return GameCard(game_name(game.id), scores, Moment(table, choice), left_at, (), ())

    def _card(self, game: Variant) -> GameCard:
        new_table, most = self._new_table, game.seats[1]
        update = example(game.id, new_table.players)
        view = update.play
        choice = presenter_of(view).choose(view, None) if view else None
        changed = len(new_table.changed)
        rules = several("{count} changed", "{count} changed", changed) if changed else _("as usual")
        if new_table.preset != AS_USUAL:
            rules = new_table.rules
        return GameCard(
            game_name(game.id),
            _seats(game),
            Moment(update, choice),
            _(game.pitch),
            rules_in_short(game),
            (
                CardSetting(
                    "←→" if not self.look.ascii else "<>", _("players"), str(new_table.players), turns=most > 1
                ),
                CardSetting("b", _("bots"), new_table.label("level") if most > 1 else "–", turns=most > 1),
                CardSetting("o", _("house rules"), rules, turns=False),
            ),
            self._played(game.id),
        )

    def _played(self, game: str) -> str:
        """Return when the game was played last, and the share of matches won."""
        matches = [match for match in self._matches or () if match.game == game]
        tally = total(matches)
        return last_words(tally, counted(matches)[0].began_at) if tally.played else ""

    # The actions

    def handle_unbound_key(self, key: events.Key) -> bool:
        """Open the search at the first digit of a name, as in 42."""
        digit = key.character if key.character and key.character.isdecimal() else ""
        if digit:
            self.action_search(digit)
        return bool(digit)

    def allows(self, key: Key) -> bool:
        self._asked = self._asked and key.name == "escape"
        return super().allows(key)

    def go(self, to: int) -> None:
        """Move the cursor to the entry `to`."""
        self._chosen = to
        self.redraw()

    def action_move(self, step: int) -> None:
        self.go((self._chosen + step) % self.count)

    def action_choose(self) -> None:
        name = self._names[self._chosen]
        if name in GAMES:
            self.dismiss(self._new_table.table(free_seats=False))
        else:
            self.action_open(name)

    def action_open(self, name: str) -> None:
        match name:
            case "go_on" if self._latest:
                self.dismiss(self._latest.path)
            case "kept" if self._kept:
                self.ask(kept_list(self.look, self._kept), self.dismiss)
            case "presets":
                self.ask(presets_list(self.look, self._game), self._take)
            case "learn":
                self.ask(lessons_list(self.look, self._game), self.dismiss)
            case "history":
                self._open_history()
            case "join" | "host":
                self.dismiss(name)

    def _open_history(self, at: int = 1) -> None:
        """List the recorded matches; closing the result of one leads back to the list."""
        from tui.screens.match_end import MatchesScreen, PastMatchScreen  # noqa: PLC0415 - not needed at the start

        if not self._matches:
            self._said = _("No match is recorded yet.")
            self.redraw()
            return
        listed = MatchesScreen(self.look, self._matches, at)

        def show(match: PastMatch) -> None:
            place = listed.place  # read before the list closes
            result = PastMatchScreen(self.look, match, self._find_out)
            self.app.push_screen(result, lambda _none: back(place))

        def back(place: int) -> None:
            self._matches = self._history()
            self._open_history(place)

        self.ask(listed, show)

    def action_set(self, key: str, step: int) -> None:
        if self._names[self._chosen] == "go_on":
            return
        row = next((row for row in self._new_table.settings(free_seats=False) if row.key == key), None)
        if row and row.value in row.choices:
            place = (row.choices.index(row.value) + step) % len(row.choices)
            self._new_tables[self._game] = self._new_table.set(key, row.choices[place])
        self.redraw()

    def action_rules(self) -> None:
        form = NewTableScreen(
            self.look, free_seats=False, last=self._last, new_table=self._new_table, keep=self._set_up
        )
        self.ask(form, self.dismiss)

    def _set_up(self, new_table: NewTable) -> None:
        """Use the house rules chosen in the form when the game is played."""
        self._game = new_table.game
        self._new_tables[self._game] = new_table
        self.go(self._names.index(self._game))

    def _named(self, do: Callable[[Variant | Preset], None]) -> list[Item[Do]]:
        """Return all games and presets, under all their names, each with the action `do`."""
        games = [
            Item((game_name(game.id), _(game.brief)), partial(do, game), also_called(game.id))
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

    def offers(self) -> list[Item[Do]]:
        """List all games, presets, lessons, saved matches and hosts joined before as well."""
        lessons = [
            Item((_("Learn: {game}", game=game_name(lesson.game)), _(lesson.about)), partial(self.dismiss, lesson))
            for lesson in LESSONS
        ]
        kept = [
            Item((_("Go on: {match}", match=kept_words(match)), opponents(match)), partial(self.dismiss, match.path))
            for match in self._kept
            if not match.problem
        ]
        hosts = [
            Item((_("Join {host}", host=f"{address}:{port}"), ""), partial(self.dismiss, f"join {address}:{port}"))
            for address, port in self._hosts
        ]
        return [*self._named(self._play), *kept, *lessons, *hosts, *super().offers()]

    def _play(self, listed: Variant | Preset) -> None:
        """Play a game with its current settings, or as a preset has them."""
        self._take(listed)
        self.dismiss(self._new_table.table(free_seats=False))

    def _take(self, listed: Variant | Preset) -> None:
        """Show a game on the card with its current settings, or as a preset has them."""
        if isinstance(listed, Preset):
            self._game = listed.game
            self._new_tables[self._game] = self._new_table.played_as(listed)
        else:
            self._game = listed.id
        self.go(self._names.index(self._game))

    def action_search(self, typed: str = "") -> None:
        picker = PickScreen(self.look, _("search"), self._named(self._take), _("choose"), typed=typed)
        self.ask(picker, lambda do: do())

    def action_help(self) -> None:
        self.app.push_screen(HelpScreen(self.look, HOME))

    def action_read_rules(self) -> None:
        self.app.push_screen(HelpScreen(self.look, (), self._game))

    def tell(self, sentence: str) -> None:
        self._said = sentence
        self.redraw()

    def action_quit(self) -> None:
        self.dismiss(None)

    def action_escape(self) -> None:
        """Ask once whether to leave: Escape is also pressed to go back."""
        if self._asked:
            self.dismiss(None)
        else:
            self._asked = True
            self.redraw()

    def clicked(self, hit: ClickTarget) -> None:
        """Move the cursor by a click, a second click runs the entry; or change a setting."""
        if hit.at == SETTING:
            self.action_rules() if hit.side == 2 else self.action_set(("players", "level")[hit.side], 1)
        elif hit.at == self._chosen:
            self.action_choose()
        else:
            self.go(hit.at)


def _seats(game: Variant) -> str:
    """Return the number of players, or the kind of a game for one; and the direction of play if it is unusual."""
    fewest, most = game.seats
    if most == 1:
        return _(game.brief)
    players = _("{seats} players", seats=f"{fewest}–{most}" if fewest < most else str(most))
    return " · ".join([players, _("counter-clockwise")] if game.counter_clockwise else [players])


NAME, LANGUAGE, PLAYED = range(3)
"""The rows of the questions."""


class Welcome(NamedTuple):
    """A player's answers at their first start."""

    name: str
    """Empty for none: in solo matches they are called “You”."""
    first: Lesson | MakeTable | None
    """The first thing to do; None for the menu."""


class WelcomeScreen(DrawnScreen[Welcome | None]):
    """Asks three questions; dismissed with the answers, or None to change nothing."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._typed = TextInput("", NAME_LENGTH)
        self._at = 0
        self._played = 0

    @property
    def typed(self) -> TextInput | None:
        return self._typed if self._at == NAME else None

    @property
    def _first(self) -> tuple[tuple[str, Lesson | MakeTable | None], ...]:
        table = NewTable(hints=YES, take_back=YES).set("game", "draw").table(free_seats=False)
        return (
            (_("no: a lesson of two minutes first"), LESSONS[0]),
            (_("yes: to a table of the game Draw"), table),
            (_("yes: show me all games"), None),
        )

    def draw(self, width: int, height: int) -> Picture:
        """Draw the questions in the middle of the window."""
        theme, ascii = self.look.theme, self.look.ascii
        canvas = Canvas(width, height - 3, Style(theme.text, theme.felt))
        title = _("Welcome to Boneyard: every domino game people play.")
        left, right = "<>" if ascii else "◀▶"
        values = (
            self._typed.text,
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
            hits.append(ClickTarget(0, y + 1, width, 1 + stacked, row, -1))
            place = (x + 2, y + 1) if stacked else (x + room, y)
            if row == NAME:
                put_typed(
                    canvas,
                    *place,
                    NAME_LENGTH + 2,
                    self._typed,
                    self.look,
                    theme.bar,
                    empty=_("or none"),
                    here=here,
                )
            else:
                canvas.put(*place, plain(fit(value, width - place[0] - 1), ascii), style)
            y += 2 + stacked
        arrows = "Up/Down" if ascii else "↑ ↓"
        turns = [("Left/Right" if ascii else "← →", _("change"))] if self._at != NAME else []
        does = _("begin") if self._at == PLAYED else pgettext("question", "next")
        hints = [(self.look.enter, does), *turns, (arrows, _("choose")), ("Esc", _("to the menu"))]
        note = _("All of it can be changed later.")
        page = draw_page("", Picture(canvas.rows()), "", hints, note, width, self.look)
        return Picture(page.rows, hits=tuple(hits))

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

    def clicked(self, hit: ClickTarget) -> None:
        """Go to a row by a click; a second click changes its value."""
        if hit.at == self._at:
            self.action_turn(1)
        else:
            self.action_move(hit.at - self._at)

    def action_begin(self) -> None:
        """Go to the next question; after the last one, begin."""
        if self._at < PLAYED:
            self.action_move(1)
        else:
            self.dismiss(Welcome(clean_name(self._typed.text), self._first[self._played][1]))

    def action_leave(self) -> None:
        self.dismiss(Welcome(clean_name(self._typed.text), None))

    KEYS = (
        Key(action_move, "up", args=(-1,)),
        Key(action_move, "down,tab", args=(1,)),
        Key(action_turn, "left", args=(-1,)),
        Key(action_turn, "right", args=(1,)),
        Key(action_begin, "enter"),
        Key(action_leave, "escape", leaves=True),
    )


if TYPE_CHECKING:
    _has_what_its_keys_do: type[MenuKeys] = MenuScreen
