"""What happens at a table by itself, and when: bots move, results pass, and players run out of time."""

from msgspec.structs import replace

from core.bots.levels import BOTS
from core.layout.placed import NOBODY
from net.table.playing import dealt
from net.table.table import Outbox, Table
from net.table.updates import told


def delay(table: Table, now: float) -> float | None:
    """Seconds until `step` is due; None while the table waits for a person, is paused, or nobody is there."""
    due = min((at for at in (_due(table, now), table.mention_at) if at is not None), default=None)
    return None if due is None else max(0.0, due - now)


def step(table: Table, now: float) -> tuple[Table, Outbox]:
    """Do what is due once `delay` is over: a bot's action, also for a player out of time, a deal, or an update."""
    due = _due(table, now)
    if table.mention_at is not None and (due is None or table.mention_at < due):
        return told(replace(table, mentions=table.mentions.spent(1, now)), now)
    if due is None:
        return table, []
    seat = table.recorded.turn
    if seat == NOBODY:
        return dealt(table, now)
    chair = table.seats.chairs[seat]
    late = seat if chair.guest != NOBODY else NOBODY
    recorded, events = table.recorded.apply(table.recorded.choice(chair.bot or next(iter(BOTS))))
    return told(replace(table, recorded=recorded), now, events, timed_out=late)


def _due(table: Table, now: float) -> float | None:
    """When `step` is due for what is played."""
    if table.deserted:
        return None
    if table.recorded.shuffling:
        return table.since + table.pace.shuffle
    if table.match is None or table.match.over or table.paused:
        return None
    seat = table.recorded.turn
    if seat == NOBODY:
        return table.since + table.pace.result if table.all_ready else None
    chair = table.seats.chairs[seat]
    drawing = table.match.state and table.match.state.drawn
    thought = table.since + (table.pace.draw if drawing else table.pace.think)
    if chair.bot or (chair.away and chair.lost_at is None):
        return thought
    left = table.clock.left(seat, now)
    waits = [now + left] if left is not None else []
    if chair.lost_at is not None:
        waits.append(max(thought, chair.lost_at + table.pace.grace))
    return min(waits, default=None)
