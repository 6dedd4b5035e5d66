"""What happens at a table by itself, and when: bots move, results pass, and players run out of time."""

from msgspec.structs import replace

from core.actions import Action
from core.bots.characters import pace_of
from core.bots.thinking import EFFORTS, Question
from core.layout.state import NOBODY
from net.table.playing import dealt
from net.table.table import SPEEDS, Outbox, Table
from net.table.updates import told

SUBSTITUTE = "greedy"
"""The bot that plays for somebody who is away or out of time; it never has to think."""


def delay(table: Table, now: float, *, thinking: bool = False) -> float | None:
    """Seconds until `step` is due; None while the table waits for a person, is paused, or nobody is there.

    Where a bot is still `thinking` about its turn, what is played waits for it.
    """
    due = min((at for at in (_due(table, now, thinking=thinking), table.mention_at) if at is not None), default=None)
    return None if due is None else max(0.0, due - now)


def thinks(table: Table) -> bool:
    """Whether it is the turn of a bot that thinks, it may act, and it has a choice."""
    match, seat = table.match, table.recorded.turn
    if match is None or table.deserted or table.paused or seat == NOBODY or len(match.legal) < 2:
        return False
    return table.seats.chairs[seat].bot in EFFORTS


def question(table: Table) -> Question:
    """What the bot on turn is to think about, where `thinks` says that it does."""
    return table.recorded.question(table.seats.chairs[table.recorded.turn].bot)


def step(table: Table, now: float, thought: Action | None = None, *, thinking: bool = False) -> tuple[Table, Outbox]:
    """Do what is due once `delay` is over: a bot's action, also for a player out of time, a deal, or an update.

    `thought` is what the bot on turn has thought of, if it thinks.
    """
    due = _due(table, now, thinking=thinking)
    if table.mention_at is not None and (due is None or table.mention_at < due):
        return told(replace(table, mentions=table.mentions.spent(1, now)), now)
    if due is None:
        return table, []
    seat = table.recorded.turn
    if seat == NOBODY:
        return dealt(table, now)
    chair = table.seats.chairs[seat]
    late = seat if chair.guest != NOBODY else NOBODY
    action = thought or table.recorded.choice(chair.bot or SUBSTITUTE)
    recorded, events = table.recorded.apply(action)
    wanted = table.wanted if chair.bot and recorded.turn != NOBODY else None
    table = replace(table, recorded=recorded, wanted=wanted)
    return told(replace(table, skipping=table.skipping and table.awaits_bot), now, events, timed_out=late)


def _due(table: Table, now: float, *, thinking: bool) -> float | None:
    """When `step` is due for what is played."""
    if table.deserted or thinking:
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
    pace = 0.0 if table.skipping else SPEEDS[table.speed] * (pace_of(chair.name) if chair.bot else 1.0)
    thought = table.since + pace * (table.pace.draw if drawing else table.pace.think)
    if table.awaits_bot:
        return thought
    left = None if chair.excused else table.clock.left(seat, now)
    waits = [now + left] if left is not None else []
    if chair.lost_at is not None:
        waits.append(max(thought, chair.lost_at + table.pace.grace))
    return min(waits, default=None)
