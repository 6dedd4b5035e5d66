"""What follows from one call of the lobby, as a value: what to save, and what to send once that is saved."""

from collections.abc import Sequence

from msgspec import Struct

from net.players.accounts import Entry
from net.table.snapshot import Change
from net.table.table import Outbox


class Effects(Struct, frozen=True):
    """What a call of the lobby asks its caller to do."""

    messages: Outbox = []
    """What to send, as (connection, message) pairs, once the changes are saved. After a `Bye` the connection ends."""
    changes: Sequence[Change] = ()
    """Every table that the call has touched. What happens there by itself may be due at another time now."""
    people: Sequence[Entry] = ()
    """What is new about accounts and bans."""
    news: bool = False
    """Whether the list of tables has changed for those in the lobby, who hear of it by `Lobby.news`."""
