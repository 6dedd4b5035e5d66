"""A game that can be chosen by name: its pitch, its seats, its house rules, and how they become rules."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from core.options import Option, Options, resolve
from core.rules import LayoutRules
from core.words import BadOption, words


class Variant(Struct, frozen=True):
    """One entry in the list of games."""

    id: str
    name: str
    pitch: str
    """One line that makes somebody want to play it."""
    seats: tuple[int, int]
    """Fewest and most players."""
    options: tuple[Option, ...]
    build: Callable[[int, Options], LayoutRules]
    """Make the rules for a number of players under resolved options. Raises BadOption when they exclude
    each other."""

    def rules(self, players: int, chosen: Mapping[str, object]) -> tuple[Options, LayoutRules]:
        """Check the players and the chosen house rules; return all options, resolved, and the rules.

        Raises BadOption with a sentence that says what is possible.
        """
        fewest, most = self.seats
        if not fewest <= players <= most:
            raise BadOption(
                words(
                    "{game} is for {fewest} to {most} players, not {players}.",
                    game=self.name,
                    fewest=fewest,
                    most=most,
                    players=players,
                )
            )
        options = resolve(self.options, chosen)
        return options, self.build(players, options)
