"""Who comes to a table and who goes: sitting down, watching, leaving, bots, and removing a player."""

from msgspec.structs import replace

from core.bots.levels import DEFAULT
from core.layout.state import NOBODY
from core.words import Illegal, words
from net.table.playing import began
from net.table.seats import Guest
from net.table.table import Outbox, Table
from net.table.updates import mentioned


def sit(table: Table, guest: Guest, now: float, pledge: str = "") -> tuple[Table, Outbox]:
    """Give a guest their own seat again, or a free one, or a bot's, with what they pledge for the deals.

    Raises Illegal when people have all of them.
    """
    table = _woken(table, now)
    table = replace(table, seats=table.seats.sit(guest))
    if not table.recorded.under_way and pledge:
        table = table.with_shuffle(table.recorded.shuffle.pledge(table.seats.at(guest.id), pledge))
    if not table.maker:
        table = replace(table, name=guest.name, maker=guest.token)
    table, out = began(table, now) if _begins(table) else mentioned(table, now, guest.id, comes=True)
    return table, out + [(guest.id, said) for said in table.said]


def watch(table: Table, guest: Guest, now: float) -> tuple[Table, Outbox]:
    """Let a guest watch; if they sit here, their seat is kept. Raises Illegal for one who was removed."""
    table.seats.admit(guest)
    table = _stood_up(_woken(table, now), guest.id, None)
    table, out = mentioned(replace(table, seats=table.seats.watch(guest)), now, guest.id, comes=True)
    return table, out + [(guest.id, said) for said in table.said]


def put_bots(table: Table, levels: tuple[str, ...]) -> Table:
    """Put bots on the last free seats, one for each level; before anybody is told of the table."""
    return replace(table, seats=table.seats.put_bots(levels))


def fill(table: Table, guest: Guest, now: float) -> tuple[Table, Outbox]:
    """Put bots on all free seats, whereupon the match begins. Raises Illegal for a guest without a seat."""
    if table.seat_of(guest) == NOBODY:
        raise Illegal(words("Only seated players can fill the table with bots."))
    table = put_bots(table, (DEFAULT,) * sum(chair.free for chair in table.seats.chairs))
    return began(table, now) if _begins(table) else (table, [])


def leave(table: Table, guest: int, now: float, *, lost: bool = False, excused: bool = False) -> tuple[Table, Outbox]:
    """Let a guest go. A bot plays a seat while its player is away; before the match the seat is free.

    After a `lost` connection the seat waits a little before a bot plays. If it is `excused`, the fault of the host's
    own machines, that takes none of the player's time.
    """
    table = replace(table, lost=lost, seats=table.seats.unwatched(guest))
    return mentioned(_stood_up(table, guest, now if lost else None, excused=excused), now)


def remove(table: Table, name: str, now: float) -> tuple[Table, Outbox, int]:
    """Remove somebody for good; also return their connection, -1 if they are not here. A bot gets their seat.

    Raises Illegal when nobody has that name.
    """
    seats, seat, guest = table.seats.remove(name)
    table = replace(table, seats=seats)
    if seat != NOBODY:
        table = _unpledged(replace(table, ready=table.ready - {seat}, wanted=None), seat)
        if table.keeps_seats:
            table = replace(table, seats=table.seats.put_bot(seat, DEFAULT))
    return *mentioned(table, now), guest


def _begins(table: Table) -> bool:
    """Whether the first match can begin: no seat is free."""
    return table.match is None and table.seats.all_taken


def _woken(table: Table, now: float) -> Table:
    """Somebody comes; if nobody was here, no time has gone by at the table."""
    return replace(table, seats=table.seats.wait_anew(now)) if table.deserted else table


def _stood_up(table: Table, guest: int, lost_at: float | None, *, excused: bool = False) -> Table:
    seat = table.seats.at(guest)
    seats = table.seats.stand_up(guest, lost_at=lost_at, excused=excused, keeps=table.keeps_seats)
    wanted = table.wanted if seat == NOBODY else None
    table = replace(table, seats=seats, ready=table.ready - {seat}, wanted=wanted)
    return table if seat == NOBODY or table.keeps_seats else _unpledged(table, seat)


def _unpledged(table: Table, seat: int) -> Table:
    return table.with_shuffle(table.recorded.shuffle.pledge(seat, ""))
