"""A game that can be chosen by name: its description, its seats, its house rules, and how they become rules."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from core.family import Rules
from core.options import VERSION, Option, Options, completed, resolve, version_of
from core.words import BadOption, words


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
        chosen = completed(self.options, chosen, version=1)
        try:
            return self.rules(players, chosen)[0]
        except BadOption:
            if VERSION in chosen or self.changed == 1:
                raise
            return self.rules(players, {**chosen, VERSION: self.changed - 1})[0]

    def rules(self, players: int, chosen: Mapping[str, object]) -> tuple[Options, Rules]:
        """Check the players and the chosen house rules; return all options, resolved, and the rules.

        Among what is chosen may be an earlier version of the rules (`core.options.VERSION`).

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
