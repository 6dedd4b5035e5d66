"""A game that can be chosen by name: the rules of its family, its seats, its house rules, and how they become rules.

A match asks of every family's rules what `Rules` says. What is loaded late is a value of `LazyMapping`.
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
    """Values by their keys, in order. To count or list the keys loads nothing."""

    def __init__(self, places: dict[str, str]) -> None:
        """By key where the value is: `package.module:NAME`."""
        self._places = places
        self._found: dict[str, T] = {}

    def __getitem__(self, key: str) -> T:
        if key not in self._found:
            module, _, name = self._places[key].partition(":")
            self._found[key] = getattr(import_module(module), name)
        return self._found[key]

    def __contains__(self, key: object) -> bool:
        return key in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


AnyState = State | TrickState | ComboState | PatienceState
AnyView = LayoutView | TrickView | ComboView | PatienceView


class Rules(Protocol):
    """A game as a value: how a round is dealt, what may be done in it, and what a seat may know of it.

    A family gets only states that it dealt itself.
    """

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The set, ascending."""

    @property
    def seats(self) -> int:
        """How many play."""

    @property
    def sides(self) -> int:
        """Scores kept; the side of a seat is seat modulo sides."""

    @property
    def goal(self) -> Goal:
        """When a match is over."""

    def deal(self, order: tuple[Tile, ...], before: RoundContext) -> AnyState:
        """Start a round from the shuffled set."""

    def legal(self, state: Any) -> tuple[Action, ...]:
        """List what the seat on turn may do; empty once the round is over."""

    def apply(self, state: Any, action: Action) -> tuple[AnyState, tuple[Event, ...]]:
        """Return the next state and what happened. Raises Illegal for what `legal` does not list."""

    def view(self, state: Any, seat: int) -> AnyView:
        """Return what `seat` may know; -1 is a spectator."""


def tag_of(view: AnyView) -> str:
    """Return the word for the family that a view has on the wire."""
    return str(view.__struct_config__.tag)


Value = str | Number
V = TypeVar("V", bound=Value)
Options = dict[str, Value]

RULES = 3
"""The version of the rules of new matches. It grows by one when a rule changes, or a game gets a further option."""
VERSION = "rules"
"""The key of that version among the options of a match; only matches have it that began before their game changed."""

_ALIASES = {"unlimited": "∞", "inf": "∞", "infinite": "∞", "true": "yes", "false": "no"}


class Option(Struct, Generic[V], frozen=True):
    """One house rule: its key, its choices with the default first, and what it means in a few words."""

    key: str
    choices: tuple[V, ...]
    words: str
    unless: tuple[str, Value, Value] | None = None
    """(key, value, default): while that other option has that value, this is the default instead."""
    most: int = 0
    """The largest number, if any whole number from 1 may be chosen; the choices are then suggestions."""
    since: int = 1
    """The version of the rules with which the game got this option."""
    before: V | None = None
    """What the game was played by before it had this option; only options that came later have it."""

    def of(self, options: Options) -> V:
        """Return what was chosen, from resolved options."""
        return cast("V", options[self.key])


def version_of(options: Mapping[str, object]) -> int:
    """Return the version of the rules that these options belong to. Raises BadOption if there is none."""
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
    """Return what was recorded under a version of the rules, with what was played before later options existed."""
    later = (option for option in options if option.since > 1 and version <= option.since)
    return {option.key: option.before for option in later if option.before is not None} | recorded


def resolve(options: tuple[Option[Any], ...], chosen: Mapping[str, object]) -> Options:
    """Return a value for every option: what was chosen, else the default.

    Raises BadOption, naming the keys or the choices, for a key or a value that does not exist.
    """
    known = {option.key: option for option in options}
    for key in chosen:
        if key not in known:
            near = get_close_matches(key, known, 1)
            keys = ", ".join(known)
            if near:
                raise BadOption(
                    words(
                        "There is no house rule “{key}” here. Did you mean {near}? There are: {keys}.",
                        key=key[:40],
                        near=near[0],
                        keys=keys,
                    )
                )
            raise BadOption(words("There is no house rule “{key}” here. There are: {keys}.", key=key[:40], keys=keys))
    values = {key: _checked(known[key], value) for key, value in chosen.items()}
    for option in options:
        if option.key not in values and option.unless is None:
            values[option.key] = option.choices[0]
    for option in options:
        if option.key not in values and option.unless is not None:
            other, value, default = option.unless
            values[option.key] = default if values[other] == value else option.choices[0]
    return {option.key: values[option.key] for option in options}


def _checked(option: Option[Value], value: object) -> Value:
    text = str(value).strip().lower()
    for wanted in (text, _ALIASES.get(text)):
        for choice in option.choices:
            if wanted == str(choice).lower():
                return choice
    if option.most and text.isdecimal() and text.isascii() and 0 < int(text[:9]) <= option.most:
        return int(text)
    choices = ", ".join(map(str, option.choices))
    if option.most:
        choices += f" … {option.most}"
    raise BadOption(
        words(
            "{key} cannot be “{value}”; choose one of: {choices}.",
            key=option.key,
            value=str(value)[:40],
            choices=choices,
        )
    )


class Variant(Struct, frozen=True):
    """One entry in the list of games."""

    id: str
    name: str
    pitch: str
    """A description in one line."""
    brief: str
    """What is special about it, in two or three words for a list of games."""
    seats: tuple[int, int]
    """Fewest and most players."""
    options: tuple[Option[Any], ...]
    build: Callable[[int, Options], Rules]
    """Make the rules for a number of players under resolved options. Raises BadOption when they exclude
    each other."""
    changed: int = 1
    """The version of the rules in which a rule of the game last changed: earlier matches go on by their own."""
    counter_clockwise: bool = False
    """Whether the turn goes round to the right. Only screens ask: seats are in the order of play in any case."""

    @property
    def version(self) -> int:
        """The version of the rules of a new match: the last that changed something in this game."""
        return max(self.changed, *(option.since for option in self.options), 1)

    def stored(self, players: int, chosen: Options) -> Options:
        """Return all house rules of a table that was stored, maybe by an earlier program.

        If they are refused today, the last version of the rules is among them that allowed them. Raises BadOption
        where there is none.
        """
        chosen = with_former_defaults(self.options, chosen, version=1)
        try:
            return self.rules(players, chosen)[0]
        except BadOption:
            if VERSION in chosen or self.changed == 1:
                raise
            return self.rules(players, {**chosen, VERSION: self.changed - 1})[0]

    def rules(self, players: int, chosen: Mapping[str, object]) -> tuple[Options, Rules]:
        """Check the players and the chosen house rules; return all options, resolved, and the rules.

        `chosen` may name an earlier version of the rules under `VERSION`.

        Raises BadOption with a sentence that says what is possible.
        """
        fewest, most = self.seats
        if most == 1 != players:
            raise BadOption(words("{game} is for one player.", game=words(self.name)))
        if fewest == most != players:
            raise BadOption(
                words(
                    "{game} is for {most} players, not {players}.", game=words(self.name), most=most, players=players
                )
            )
        if not fewest <= players <= most:
            raise BadOption(
                words(
                    "{game} is for {fewest} to {most} players, not {players}.",
                    game=words(self.name),
                    fewest=fewest,
                    most=most,
                    players=players,
                )
            )
        version = version_of(chosen)
        options = resolve(self.options, {key: value for key, value in chosen.items() if key != VERSION})
        if version < self.changed:
            options[VERSION] = version
        return options, self.build(players, options)
