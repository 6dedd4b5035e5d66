"""The settings of a new table, and the rows of its form."""

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from core.bots.profiles import DEFAULT, TABLE_LEVELS
from core.games import GAMES
from core.presets import PRESETS, Preset, presets_of
from core.variant import Option, Options, Value, Variant, resolve
from core.words import BadOption
from net.wire.messages import MakeTable, TableInfo
from tui.i18n import _, translate
from tui.wording import COMMON_OPTIONS, choice_words, explanations, label_of

TURN_TIMES = (0, 15, 30, 60, 120, 300)
MATCH_TIMES = (0, 5, 10, 20, 30, 60)
NO, YES = "no", "yes"
DEFAULT_GAME = "draw"
PRESET, DEFAULT_RULES = "preset", "usual"


class FormRow(NamedTuple):
    """A row of the form."""

    key: str
    label: str
    choices: tuple[Value, ...]
    value: Value
    rare: bool = False
    """True if few people change it."""
    changed: bool = False
    """True if the value is unusual."""
    part: str = ""
    """The choice that this row switches on and off, if several choices of its option may be combined."""

    @property
    def can_fold(self) -> bool:
        """True if the row may be hidden."""
        return self.rare and not self.changed

    @property
    def row_id(self) -> tuple[str, str]:
        """Identity of the row, independent of its value."""
        return self.key, self.part

    def value_words(self, game: str) -> str:
        """Return the value in words."""
        if self.part:
            return _("yes") if self.value == YES else _("no")
        label = label_of(game, self.key, self.value)
        return _("{preset}, changed", preset=label) if self.key == PRESET and self.changed else label

    def explanations(self, game: str) -> list[str]:
        """Return an explanation of each choice."""
        return explanations(game, self.key, (self.part,) if self.part else self.choices)

    def sentence(self, game: str) -> str:
        """Return an explanation of the value."""
        return choice_words(game, self.key, self.part or self.value)


class NewTable(Struct, frozen=True):
    """The settings chosen so far."""

    game: str = DEFAULT_GAME
    players: int = 2
    bots: int = 0
    level: str = DEFAULT
    turn_time: int = 0
    match_time: int = 0
    private: str = NO
    hints: str = NO
    take_back: str = NO
    options: dict[str, Value] = {}
    preset: str = DEFAULT_RULES
    """Id of the preset from which the rules come; some may have been changed since."""
    house_rules: dict[str, dict[str, Value]] = {}
    """The host's house rules by game, for options that are not set."""

    @property
    def variant(self) -> Variant:
        """The game."""
        return GAMES[self.game]

    @property
    def all_options(self) -> Options:
        """All options with their values, whether chosen or implied."""
        return resolve(self.variant.options, {**self.house_rules.get(self.game, {}), **self.options})

    @property
    def changed_options(self) -> list[str]:
        """Keys of the options with unusual values."""
        defaults = resolve(self.variant.options, {})
        return [key for key, value in self.all_options.items() if defaults[key] != value]

    def _preset_row(self) -> FormRow:
        """Return the row of this game's presets."""
        ids = tuple(preset.id for preset in presets_of(self.game))
        chosen = self._matching_preset() if self.preset == DEFAULT_RULES else self.preset
        default_options = resolve(self.variant.options, self.house_rules.get(self.game, {}))
        is_changed = self.all_options != (
            default_options if chosen == DEFAULT_RULES else self._options_of(PRESETS[chosen])
        )
        return FormRow(PRESET, _("as played in"), (DEFAULT_RULES, *ids), chosen, changed=is_changed)

    @property
    def rules(self) -> str:
        """The rules in words: those of a preset or the usual ones, and whether they are changed."""
        return self._preset_row().value_words(self.game)

    def with_preset(self, preset: Preset) -> "NewTable":
        """Choose a preset and its game."""
        new_table = self if self.game == preset.game else self.set("game", preset.game)
        new_table = new_table.set("players", preset.players) if preset.players else new_table
        options = preset.options_for(new_table.players)
        if preset.game in self.house_rules:  # set every option: none of the host's own may remain
            default_options = resolve(new_table.variant.options, self.house_rules[preset.game])
            options = {
                key: value for key, value in new_table._options_of(preset).items() if value != default_options[key]
            }
        return replace(new_table, options=options, preset=preset.id)

    def with_rules(self, game: Variant, preset: Preset | None) -> "NewTable":
        """Choose a game, or a preset and its game."""
        return self.with_preset(preset) if preset else self.set("game", game.id)

    def label(self, key: str) -> str:
        """Return the value of a setting that every table has, in words."""
        return label_of(self.game, key, getattr(self, key))

    def settings(self, free_seats: bool) -> list[FormRow]:
        """Return the rows: first the settings of every table, then the usual house rules, then the rare ones."""
        min_players, max_players = self.variant.seats
        rows = [
            FormRow("game", _("game"), tuple(GAMES), self.game),
            FormRow("players", _("players"), tuple(range(min_players, max_players + 1)), self.players),
        ]
        if free_seats and max_players > 1:
            rows.append(FormRow("bots", _("how many are bots"), tuple(range(self.players)), self.bots))
        if max_players > 1:
            rows.append(FormRow("level", _("level of the bots"), TABLE_LEVELS, self.level))
            rows.append(FormRow("hints", _("hints"), (NO, YES), self.hints))
            rows.append(FormRow("take_back", _("taking back"), (NO, YES), self.take_back))
        if free_seats:
            rows.append(FormRow("private", _("private"), (NO, YES), self.private))
            rows.append(FormRow("turn_time", _("time for each turn"), TURN_TIMES, self.turn_time))
            rows.append(FormRow("match_time", _("time for each player"), MATCH_TIMES, self.match_time))
        if presets_of(self.game):
            rows.append(self._preset_row())
        values, defaults = self.all_options, resolve(self.variant.options, {})
        rules = [
            row
            for option in self.variant.options
            for row in _rows_of_option(option, values[option.key], values[option.key] != defaults[option.key])
        ]
        return rows + sorted(rules, key=lambda row: row.rare)

    def set(self, key: str, value: Value, part: str = "") -> "NewTable":
        """Set a value, or switch `part` of a combined value on or off; settings that depend on it are adjusted."""
        match key:
            case "game":
                min_players, max_players = GAMES[str(value)].seats
                players = min(max(self.players, min_players), max_players)
                bots = self._bots_for(players)
                return replace(self, game=str(value), players=players, bots=bots, options={}, preset=DEFAULT_RULES)
            case "preset":
                with_defaults = replace(self, options={}, preset=DEFAULT_RULES)
                return with_defaults if value == DEFAULT_RULES else with_defaults.with_preset(PRESETS[str(value)])
            case "players":
                players = int(value)
                return replace(self, players=players, bots=self._bots_for(players))
            case "bots":
                return replace(self, bots=int(value))
            case "level" | "private" | "hints" | "take_back":
                return replace(self, **{key: str(value)})
            case "turn_time" | "match_time":
                return replace(self, **{key: int(value)})
        dependent_keys = {option.key for option in self.variant.options if option.unless and option.unless[0] == key}
        kept_options = {other: old for other, old in self.options.items() if other not in dependent_keys}
        return replace(
            self,
            options=kept_options | {key: self._value_with_part(key, part, is_on=value == YES) if part else value},
        )

    def like(self, table: MakeTable) -> "NewTable":
        """Copy the settings of another table, except time limits, seats for people and a code."""
        new_table = replace(
            self, game=table.game, players=table.players, options=dict(table.options), level=table.level
        )
        new_table = replace(new_table, preset=new_table._matching_preset())
        hints, take_back = (YES if is_on else NO for is_on in (table.hints, table.take_back))
        return replace(new_table, hints=hints, take_back=take_back, bots=new_table._bots_for(table.players))

    def _matching_preset(self) -> str:
        """Return the id of the preset with exactly these rules; `DEFAULT_RULES` if there is none or the rules are the
        defaults.
        """
        matching_ids = (preset.id for preset in presets_of(self.game) if self._options_of(preset) == self.all_options)
        return next(matching_ids, DEFAULT_RULES) if self.changed_options else DEFAULT_RULES

    def _options_of(self, preset: Preset) -> Options:
        """Return all options with their values in a preset."""
        return resolve(self.variant.options, preset.options_for(self.players))

    def _value_with_part(self, key: str, part: str, *, is_on: bool) -> Value:
        """Return the choice with `part` added or removed."""
        choices: tuple[Value, ...] = next(option.choices for option in self.variant.options if option.key == key)
        empty_parts = _choice_parts(choices[0])
        old_parts = _choice_parts(self.all_options[key]) - empty_parts
        new_parts = old_parts | {part} if is_on else old_parts - {part}
        return next(choice for choice in choices if _choice_parts(choice) == (new_parts or empty_parts))

    def _bots_for(self, players: int) -> int:
        """Return the number of bots at a table of `players`: as many as before, but at least one seat is left for a
        person.
        """
        return min(self.bots, players - 1)

    def problem(self) -> str:
        """Return the reason why this table cannot be opened; empty if it can."""
        try:
            self.variant.rules(self.players, {**self.house_rules.get(self.game, {}), **self.options})
        except BadOption as bad:
            return translate(bad.reason)
        return ""

    def table(self, free_seats: bool) -> MakeTable:
        """Return the request to the host; without `free_seats`, bots take all seats but one.

        In a game for one player, hints and taking back are always allowed.
        """
        is_solo = self.variant.seats[1] == 1
        return MakeTable(
            self.game,
            self.players,
            dict(self.options),
            self.bots if free_seats else self.players - 1,
            self.level,
            turn_time=self.turn_time,
            match_time=self.match_time * 60,
            private=self.private == YES,
            hints=is_solo or self.hints == YES,
            take_back=is_solo or self.take_back == YES,
        )


def against_bots(game: str, preset: Preset | None = None) -> MakeTable:
    """Return a table at which bots have all seats but one, and a player may ask for hints and take back."""
    return NewTable(hints=YES, take_back=YES).with_rules(GAMES[game], preset).table(free_seats=False)


def quick_game(tables: Iterable[TableInfo], game: str) -> TableInfo | MakeTable:
    """Return the first table that waits for any player; if none does, a new table that waits."""
    waiting = (table for table in tables if table.waits and not table.private)
    return next(waiting, None) or NewTable().set("game", game).table(free_seats=True)


def _choice_parts(choice: Value) -> set[str]:
    return set(str(choice).split("+"))


def _rows_of_option(option: Option[Value], value: Value, changed: bool) -> list[FormRow]:
    """Return the row of an option; if several of its choices may be combined, a switch for each choice."""
    name, rare = _(option.words), option.key not in COMMON_OPTIONS
    if not any("+" in str(choice) for choice in option.choices):
        return [FormRow(option.key, name, option.choices, value, rare, changed)]
    rows = []
    for part in (str(choice) for choice in option.choices[1:] if "+" not in str(choice)):
        switch = YES if part in _choice_parts(value) else NO
        label = f"{name}: {label_of('', option.key, part)}"
        rows.append(FormRow(option.key, label, (NO, YES), switch, rare, changed, part))
    return rows
