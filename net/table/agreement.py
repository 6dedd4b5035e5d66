"""What all other people with a seat must agree to: taking back, and hints at a table that has none."""

from collections.abc import Callable

from msgspec.structs import replace

from core.actions import Action, told_to_others
from core.layout.state import NOBODY
from core.match import Match, last_choice
from core.words import Illegal, words
from net.table.table import Outbox, Table
from net.table.updates import mentioned, told
from net.wire.tables import Wanted


def take_back(table: Table, guest: int, whose: int, now: float) -> tuple[Table, Outbox]:
    """Take back what a guest's own seat chose last, or agree that the seat `whose` does. Raises Illegal."""
    seat = table.seats.at(guest)
    if seat == NOBODY:
        raise Illegal(words("You are watching; only seated players can take something back."))
    if not table.terms.take_back:
        raise Illegal(words("This table was opened without taking back."))
    match = table.match
    if match is None or not table.recorded.under_way:
        raise Illegal(words("No round is being played."))
    if table.paused:
        raise Illegal(words("The table is paused."))
    if whose == seat:
        wanted = _wish(table, seat, lambda: told_to_others(last_choice(match, seat, _people(table))[1]))
    else:
        wanted = _agreed(table, seat, whose, hints=False)
    if _others(table, wanted.seat) <= set(wanted.agreed):
        return _taken_back(table, match, wanted.seat, now)
    return mentioned(replace(table, wanted=wanted), now, guest)


def allow_hints(table: Table, guest: int, whose: int, now: float) -> tuple[Table, Outbox]:
    """Allow hints at a table that has none, as a guest wishes, or the seat `whose` does. Raises Illegal."""
    seat = table.seats.at(guest)
    if seat == NOBODY:
        raise Illegal(words("You are watching; only seated players can ask for hints."))
    if table.terms.hints:
        raise Illegal(words("Hints are allowed at this table already."))
    wanted = _wish(table, seat, lambda: None) if whose == seat else _agreed(table, seat, whose, hints=True)
    if _others(table, wanted.seat) <= set(wanted.agreed):
        table = replace(table, terms=replace(table.terms, hints=True), wanted=None)
    else:
        table = replace(table, wanted=wanted)
    return mentioned(table, now, guest)


def _wish(table: Table, seat: int, choice: Callable[[], Action | None]) -> Wanted:
    """What a player would like, `choice` being what to take back. Raises Illegal where that cannot be, or not yet."""
    if table.wanted is not None and table.wanted.seat == seat:
        raise Illegal(words("The others have not all agreed yet."))
    if table.wanted is not None:
        raise Illegal(words("{seat} has asked everybody something; answer that first.", seat=table.wanted.seat))
    wanted = Wanted(seat, choice())
    for other in sorted(_others(table, seat)):
        if table.seats.chairs[other].away:
            raise Illegal(words("{seat} is away, and all players must agree.", seat=other))
    return wanted


def _agreed(table: Table, seat: int, whose: int, *, hints: bool) -> Wanted:
    """What somebody else would like, to which one more player has agreed. Raises Illegal."""
    wanted = table.wanted
    if wanted is None or wanted.seat != whose or (wanted.action is None) != hints:
        raise Illegal(words("There is nothing any more to agree to."))
    return replace(wanted, agreed=tuple(sorted({*wanted.agreed, seat})))


def _taken_back(table: Table, match: Match, seat: int, now: float) -> tuple[Table, Outbox]:
    recorded, events = table.recorded.take_back(seat, _people(table))
    clock = table.clock.back(seat, now) if _ended(match, recorded.match, seat) else table.clock
    after = replace(table, recorded=recorded, clock=clock, turn=recorded.moment, wanted=None, skipping=False)
    return told(after, now, events)


def _ended(match: Match, after: Match | None, seat: int) -> bool:
    """Whether the turn in which a seat had the choice is over, so that it comes back to it."""
    since = match.past[len(after.past) :] if after else ()
    return match.turn != seat or any(before.turn != seat for before, _action in since)


def _people(table: Table) -> set[int]:
    """The seats of people, whether they are here or not."""
    return {seat for seat, chair in enumerate(table.seats.chairs) if not (chair.bot or chair.free)}


def _others(table: Table, seat: int) -> set[int]:
    """Those who must agree."""
    return _people(table) - {seat}
