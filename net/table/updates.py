"""What guests at a table are told of a change, and how often: each gets an update with what they may know."""

from msgspec.structs import replace

from core.actions import Event, TakenBack, cut
from core.layout.state import NOBODY
from net.limits import MENTIONS_PER_SECOND
from net.table.table import Outbox, Table
from net.wire.messages import TableInfo, Times, Update


def told(
    table: Table,
    now: float,
    events: tuple[Event, ...] = (),
    *,
    newcomer: int = NOBODY,
    timed_out: int = NOBODY,
) -> tuple[Table, Outbox]:
    """Number a change and tell everybody what they may know of it."""
    number = table.number + 1
    table = _timed(replace(table, number=number, moved=number if events else table.moved, mention_at=None), now)
    info, whole = table.info(now), _begins(table)
    return table, [
        (guest, update(table, now, guest, events, info, whole=whole or guest == newcomer, timed_out=timed_out))
        for guest in table.guests
    ]


def mentioned(table: Table, now: float, whom: int = NOBODY, *, comes: bool = False) -> tuple[Table, Outbox]:
    """Tell of a change in which nothing was played: everybody at once, or all such changes together a bit later.

    However often guests come and go, the players are told twice a second at most. Only `whom` it concerns is told at
    once in any case, under the number that all have heard, so that nobody misses one.
    """
    at_once, seat = False, table.seats.at(whom)
    if not comes and seat != NOBODY:  # what a player does does not wait for others who come and go
        if allowance := table.doings[seat].taken(now):
            at_once = True
            table = replace(table, doings=(*table.doings[:seat], allowance, *table.doings[seat + 1 :]))
    elif table.mention_at is None and (allowance := table.mentions.taken(now)):
        at_once, table = True, replace(table, mentions=allowance)
    if at_once:
        return told(table, now, newcomer=whom if comes else NOBODY)
    table = _timed(table, now)
    if table.mention_at is None:
        table = replace(table, mention_at=now + 1 / MENTIONS_PER_SECOND)
    return table, [(whom, update(table, now, whom, whole=comes or _begins(table)))] if whom in table.guests else []


def update(
    table: Table,
    now: float,
    guest: int,
    events: tuple[Event, ...] = (),
    info: TableInfo | None = None,
    *,
    whole: bool = False,
    timed_out: int = NOBODY,
) -> Update:
    """The table as one guest may know it; `whole` with the shares, and all that has happened since the deal."""
    seat = table.seats.at(guest)
    match = table.match
    back = any(isinstance(event, TakenBack) for event in events)
    if match is not None and not whole and not back:  # guests who were here have heard the events
        match = replace(match, history=())
    times = Times(table.clock.running, *table.clock.shown(now)) if table.clock.limited else None
    return Update(
        number=table.number,
        table=info or table.info(now),
        seat=seat,
        match=match.view(seat) if match else None,
        events=tuple(cut(event, seat) for event in events),
        ready=tuple(sorted(table.ready)),
        fair=table.recorded.shuffle.fair if whole else None,
        times=times,
        timed_out=timed_out,
        watching=tuple(watcher.name for watcher in table.seats.watchers),
        code=table.terms.code,
        wanted=table.wanted,
        chain=table.recorded.closing.chain,
    )


def _begins(table: Table) -> bool:
    """Whether everybody is told all: until something has happened after the first deal of a match."""
    return not table.recorded.under_way or table.recorded.just_begun


def _timed(table: Table, now: float) -> Table:
    """Let the clock run for the seat on turn, and note since when the table waits for what it waits for."""
    seat, recorded = table.recorded.turn, table.recorded
    away = seat != NOBODY and table.seats.chairs[seat].away
    awaited = len(recorded.lines), table.phase, table.deserted, away, table.ready
    if (
        not recorded.under_way
        or table.paused
        or table.deserted
        or (seat != NOBODY and (table.seats.chairs[seat].bot or table.seats.chairs[seat].excused))
    ):
        seat = NOBODY
    return replace(
        table,
        clock=table.clock.run(seat, now, fresh=recorded.moment != table.turn),
        turn=recorded.moment,
        awaited=awaited,
        since=table.since if awaited == table.awaited else now,
    )
