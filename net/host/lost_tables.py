"""Tables of a host's earlier run that could not be taken up again, and who is to be told so. No input or output."""

from collections.abc import Iterable

from core.words import Illegal, Words, words
from net.table.seats import Guest
from net.wire.messages import Left


class LostTables:
    """By number, the tokens of those who had a seat at each of these tables."""

    def __init__(self) -> None:
        self.tables: dict[int, frozenset[str]] = {}
        self._told: set[tuple[int, str]] = set()

    def add(self, number: int, tokens: Iterable[str]) -> None:
        """Take note of a table."""
        self.tables[number] = frozenset(tokens)

    def check(self, number: int) -> None:
        """Raise Illegal for who wants to go to such a table, as a client does that comes back by itself."""
        if number in self.tables:
            raise Illegal(_sentence(number))

    def messages_for(self, guest: Guest) -> list[tuple[int, Left]]:
        """Tell a guest who comes in of the last such table of his; once."""
        mine = {(number, guest.token) for number, tokens in self.tables.items() if guest.token in tokens} - self._told
        self._told |= mine
        return [(guest.id, Left(_sentence(max(mine)[0])))] if mine else []


def _sentence(number: int) -> Words:
    return words(
        "Table {number} could not be restored when the host restarted; the operator has its record.",
        number=number,
    )
