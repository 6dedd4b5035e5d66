"""What a client makes of what it has heard before: a whole update, and whether a match may be under way."""

from msgspec.structs import replace

from core.match import continued
from net.wire.messages import Tables, Update


def whole(update: Update, before: Update | None) -> Update:
    """Add to an update what the client has heard since the deal, unless the host has told it anew."""
    match = update.match
    if match is None or match.history:
        return update
    heard = before.match.history if before and before.match and before.table.id == update.table.id else ()
    return replace(update, match=replace(match, history=continued(heard, update.events)))


def may_have_begun(table: int, here: Update | None, tables: Tables) -> bool:
    """Whether a match may be under way at a table that the client joins: never if a seat is free."""
    if here is not None and here.table.id == table:
        return here.match is not None and not here.match.over
    listed = next((listed for listed in tables.tables if listed.id == table), None)
    return listed is None or not any(seat.free for seat in listed.seats)
