"""Tables of a host's earlier run that could not be restored, and who must be told. No input or output."""

from collections.abc import Iterable

from core.words import Illegal, Words, words
from net.table.seats import Guest
from net.wire.messages import Left


class LostTables:
    """By number of the table, the tokens of the players who had a seat there."""

    def __init__(self) -> None:
        self.tables: dict[int, frozenset[str]] = {}
        self._told: set[tuple[int, str]] = set()

    def add(self, number: int, tokens: Iterable[str]) -> None:
        """Note a table."""
        self.tables[number] = frozenset(tokens)

    def check(self, number: int) -> None:
        """Raise Illegal if a guest wants to go to such a table, as a client that reconnects does."""
        if number in self.tables:
            raise Illegal(_sentence(number))

    def messages_for(self, guest: Guest) -> list[tuple[int, Left]]:
        """Tell a guest who enters, once, about the last such table at which they had a seat."""
        mine = {(number, guest.token) for number, tokens in self.tables.items() if guest.token in tokens} - self._told
        self._told |= mine
        return [(guest.id, Left(_sentence(max(mine)[0])))] if mine else []


def _sentence(number: int) -> Words:
    return words(
        "Table {number} could not be restored when the host restarted; the operator has its record.",
        number=number,
    )
