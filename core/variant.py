"""A game that can be chosen by name: its family's rules, seats and house rules, and the way from options to rules.

A match asks the rules of every family through `Rules`. `LazyMapping` loads its values on first use.
"""

from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Generic, Protocol, TypeVar, cast

from msgspec import Struct

from core.actions import Action, Event
from core.combos.state import ComboState, ComboView
from core.layout.state import Goal, LayoutView, RoundContext, State
from core.patience.state import PatienceState, PatienceView
from core.tiles import Number, Tile
from core.tricks.state import TrickState, TrickView
from core.words import BadOption, words

T = TypeVar("T")


class LazyMapping(Mapping[str, T]):
    """A mapping that imports a value on first use, in the order of its keys. Counting or listing keys imports
    nothing.
    """

    def __init__(self, places: dict[str, str]) -> None:
        """`places`: for each key the location of its value, `package.module:NAME`."""
        self._places = places
        self._loaded: dict[str, T] = {}

    def __getitem__(self, key: str) -> T:
        if key not in self._loaded:
            module, _, name = self._places[key].partition(":")
            self._loaded[key] = getattr(import_module(module), name)
        return self._loaded[key]

    def __contains__(self, key: object) -> bool:
        return key in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


AnyState = State | TrickState | ComboState | PatienceState
AnyView = LayoutView | TrickView | ComboView | PatienceView


class Rules(Protocol):
    """A game as a value: the deal of a round, the legal actions, and the view of each seat.

    The methods accept only states that the same rules returned.
    """

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The set, ascending."""

    @property
    def seats(self) -> int:
        """Number of players."""

    @property
    def sides(self) -> int:
        """Scores kept; the side of a seat is seat modulo sides."""

    @property
    def goal(self) -> Goal:
        """The conditions that end a match."""

    def deal(self, order: tuple[Tile, ...], context: RoundContext) -> AnyState:
        """Start a round from the shuffled set."""

    def legal(self, state: Any) -> tuple[Action, ...]:
        """List the actions of the seat on turn; empty once the round is over."""

    def apply(self, state: Any, action: Action) -> tuple[AnyState, tuple[Event, ...]]:
        """Return the next state and the events. Raises Illegal for an action that `legal` does not list."""

    def view(self, state: Any, seat: int) -> AnyView:
        """Return the part that `seat` may know; -1 is a spectator."""


def tag_of(view: AnyView) -> str:
    """Return the tag of a view's family on the wire."""
    return str(view.__struct_config__.tag)


Value = str | Number
V = TypeVar("V", bound=Value)
Options = dict[str, Value]

RULES = 3
"""Version of the rules of new matches. It grows by 1 when a rule changes or a game gets another option."""
VERSION = "rules"
"""Key of that version among a match's options; only matches that began before their game changed have it."""

_ALIASES = {"unlimited": "∞", "inf": "∞", "infinite": "∞", "true": "yes", "false": "no"}


class Option(Struct, Generic[V], frozen=True):
    """A house rule: its key, its choices with the default first, and its meaning in a few words."""

    key: str
    choices: tuple[V, ...]
    words: str
    unless: tuple[str, Value, Value] | None = None
    """(key, value, default): while option `key` has this value, the default is `default`."""
    largest: int = 0
    """The largest number, if any whole number from 1 may be chosen; the choices are then suggestions. 0: only
    choices.
    """
    since: int = 1
    """Version of the rules with which the game got this option."""
    before: V | None = None
    """The value by which the game was played before it had this option; None for options without a predecessor."""

    def of(self, options: Options) -> V:
        """Return the chosen value from resolved options."""
        return cast("V", options[self.key])


def version_of(options: Mapping[str, object]) -> int:
    """Return the version of the rules that these options belong to. Raises BadOption if it does not exist."""
    version = options.get(VERSION, RULES)
    if not isinstance(version, int) or not 1 <= version <= RULES:
        raise BadOption(
            words(
                "There is no version {version} of the rules; the newest is {newest}.",
                version=str(version)[:40],
                newest=RULES,
            )
        )
    return version


def with_former_defaults(options: tuple[Option[Any], ...], recorded: Options, version: int) -> Options:
    """Return recorded options, with the former behaviour for options that came after `version` of the rules."""
    newer_options = (option for option in options if option.since > 1 and version <= option.since)
    return {option.key: option.before for option in newer_options if option.before is not None} | recorded


def resolve(options: tuple[Option[Any], ...], chosen: Mapping[str, object]) -> Options:
    """Return a value for every option: the chosen one, else the default.

    Raises BadOption, naming the keys or the choices, for an unknown key or value.
    """
    options_by_key = {option.key: option for option in options}
    for key in chosen:
        if key not in options_by_key:
            nearest = get_close_matches(key, options_by_key, 1)
            keys = ", ".join(options_by_key)
            if nearest:
                raise BadOption(
                    words(
                        "There is no house rule “{key}” here. Did you mean {near}? There are: {keys}.",
                        key=key[:40],
                        near=nearest[0],
                        keys=keys,
                    )
                )
            raise BadOption(words("There is no house rule “{key}” here. There are: {keys}.", key=key[:40], keys=keys))
    values = {key: _parse_choice(options_by_key[key], value) for key, value in chosen.items()}
    for option in options:
        if option.key not in values and option.unless is None:
            values[option.key] = option.choices[0]
    for option in options:
        if option.key not in values and option.unless is not None:
            other, value, default = option.unless
            values[option.key] = default if values[other] == value else option.choices[0]
    return {option.key: values[option.key] for option in options}


def _parse_choice(option: Option[Value], value: object) -> Value:
    text = str(value).strip().lower()
    for candidate in (text, _ALIASES.get(text)):
        for choice in option.choices:
            if candidate == str(choice).lower():
                return choice
    if option.largest and text.isdecimal() and text.isascii() and 0 < int(text[:9]) <= option.largest:
        return int(text)
    choices = ", ".join(map(str, option.choices))
    if option.largest:
        choices += f" … {option.largest}"
    raise BadOption(
        words(
            "{key} cannot be “{value}”; choose one of: {choices}.",
            key=option.key,
            value=str(value)[:40],
            choices=choices,
        )
    )


class Variant(Struct, frozen=True):
    """A game that can be chosen."""

    id: str
    name: str
    pitch: str
    """A description in one line."""
    brief: str
    """Its special feature, in two or three words for a list of games."""
    seats: tuple[int, int]
    """Minimum and maximum number of players."""
    options: tuple[Option[Any], ...]
    build: Callable[[int, Options], Rules]
    """Return the rules for a number of players under resolved options. Raises BadOption if options exclude each
    other.
    """
    changed: int = 1
    """Version of the rules in which a rule of the game last changed: earlier matches keep their own."""
    counter_clockwise: bool = False
    """True if the turn goes round to the right. Only screens use it: seats are in the order of play in any case."""

    @property
    def version(self) -> int:
        """Version of the rules of a new match: the last that changed something in this game."""
        return max(self.changed, *(option.since for option in self.options), 1)

    def resolve_stored(self, players: int, chosen: Options) -> Options:
        """Return all house rules of a table that may have been stored by an earlier version of the program.

        Options that are refused today get the last version of the rules that allowed them. Raises BadOption if there
        is none.
        """
        chosen = with_former_defaults(self.options, chosen, version=1)
        try:
            return self.rules(players, chosen)[0]
        except BadOption:
            if VERSION in chosen or self.changed == 1:
                raise
            return self.rules(players, {**chosen, VERSION: self.changed - 1})[0]

    def rules(self, players: int, chosen: Mapping[str, object]) -> tuple[Options, Rules]:
        """Check players and house rules; return all options, resolved, and the rules.

        `chosen` may name an earlier version of the rules under `VERSION`. Raises BadOption with a sentence that says
        what is possible.
        """
        fewest_players, most_players = self.seats
        if most_players == 1 != players:
            raise BadOption(words("{game} is for one player.", game=words(self.name)))
        if fewest_players == most_players != players:
            raise BadOption(
                words(
                    "{game} is for {most} players, not {players}.",
                    game=words(self.name),
                    most=most_players,
                    players=players,
                )
            )
        if not fewest_players <= players <= most_players:
            raise BadOption(
                words(
                    "{game} is for {fewest} to {most} players, not {players}.",
                    game=words(self.name),
                    fewest=fewest_players,
                    most=most_players,
                    players=players,
                )
            )
        version = version_of(chosen)
        options = resolve(self.options, {key: value for key, value in chosen.items() if key != VERSION})
        if version < self.changed:
            options[VERSION] = version
        return options, self.build(players, options)
