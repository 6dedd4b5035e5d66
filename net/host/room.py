"""Whether there is room for one more table: limits of a host, of each player and of each address."""

from core.words import Illegal, several_words
from net.limits import MAX_TABLES, TABLES_PER_ADDRESS, TABLES_PER_PLAYER


def check_room(tables: int, own: int, near: int) -> None:
    """Raise Illegal when as many tables are open as there may be: in all, by one player (`own`), from one address."""
    if tables >= MAX_TABLES:
        raise Illegal(
            several_words(
                "The host is full: it has {count} table.", "The host is full: it has {count} tables.", MAX_TABLES
            )
        )
    if own >= TABLES_PER_PLAYER:
        raise Illegal(
            several_words(
                "You already have {count} table open; leave it first.",
                "You already have {count} tables open; leave one of them first.",
                TABLES_PER_PLAYER,
            )
        )
    if near >= TABLES_PER_ADDRESS:
        raise Illegal(
            several_words(
                "There is already {count} table from your address.",
                "There are already {count} tables from your address.",
                TABLES_PER_ADDRESS,
            )
        )
