"""What guests do at a table: they play, are ready for the next deal, show shares, talk and pause."""

from msgspec.structs import replace

from core.layout.state import NOBODY
from core.records import Seat
from core.words import Illegal, Words, words
from net.table.seats import Guest
from net.table.table import SPEEDS, Outbox, Table
from net.table.updates import mentioned, told, update
from net.wire.messages import Act, Attest, Record, Refused, Said
from net.wire.tables import Speed

CHAT_TAIL = 20
"""Things said that a newcomer is told; about one screen of them."""
RECORD_LINES = 100
"""Lines of a record in one message; the longest, deals, have under 2,000 characters."""


def act(table: Table, guest: int, wish: Act, now: float) -> tuple[Table, Outbox]:
    """Do what a guest wants to do on their turn, or tell them, and only them, in words why not."""
    seat = table.seats.at(guest)
    if seat == NOBODY:
        return table, [(guest, Refused(words("You are watching; only seated players can play.")))]
    refusal = _refusal(table, seat, wish)
    if refusal is None:
        try:
            recorded, events = table.recorded.apply(wish.action)
            return told(replace(table, recorded=recorded, wanted=None), now, events)
        except Illegal as illegal:
            refusal = illegal.reason
    return table, [(guest, Refused(refusal)), (guest, update(table, now, guest))]


def be_ready(table: Table, guest: int, now: float, pledge: str = "") -> tuple[Table, Outbox]:
    """Note that a player has seen the result; the next deal follows when all who are here have."""
    seat = table.seats.at(guest)
    if seat == NOBODY or table.match is None or table.match.turn != NOBODY or table.recorded.shuffling:
        return table, []
    if table.match.over and pledge:
        table = table.with_shuffle(table.recorded.shuffle.pledge(seat, pledge))
    table = replace(table, ready=table.ready | {seat})
    return began(table, now) if table.all_ready else mentioned(table, now, guest)


def reveal(table: Table, guest: int, share: str, now: float) -> tuple[Table, Outbox]:
    """Accept a share that was pledged; with the last one the tiles are dealt. Raises Illegal for a wrong one."""
    seat = table.seats.at(guest)
    if seat == NOBODY or not table.recorded.shuffling:
        return table, []
    table = table.with_shuffle(table.recorded.shuffle.reveal(seat, share))
    return mentioned(table, now, guest) if table.awaits_shares else dealt(table, now)


def say(table: Table, guest: int, text: str) -> tuple[Table, Outbox]:
    """Let everybody at the table hear what a guest says."""
    seat = table.seats.at(guest)
    watching = next((watcher.name for watcher in table.seats.watchers if watcher.id == guest), "")
    said = Said(table.seats.chairs[seat].name if seat != NOBODY else watching, seat, text)
    return replace(table, said=(*table.said, said)[-CHAT_TAIL:]), [(other, said) for other in table.guests]


def pause(table: Table, guest: int, on: bool, now: float) -> tuple[Table, Outbox]:
    """Pause the table, or let it go on. Raises Illegal for a guest without a seat."""
    if table.seats.at(guest) == NOBODY:
        raise Illegal(words("Only seated players can pause."))
    return (table, []) if on == table.paused else mentioned(replace(table, paused=on), now, guest)


def set_pace(table: Table, guest: int, speed: Speed, now: float) -> tuple[Table, Outbox]:
    """Let bots take more or less time. Raises Illegal for a guest without a seat, and for an unknown pace."""
    if table.seats.at(guest) == NOBODY:
        raise Illegal(words("Only seated players can set the pace of the bots."))
    if speed not in SPEEDS:
        raise Illegal(words("Bots play at one of these paces: {paces}.", paces=", ".join(SPEEDS)))
    return (table, []) if speed == table.speed else mentioned(replace(table, speed=speed), now, guest)


def skip(table: Table, guest: int) -> tuple[Table, Outbox]:
    """Let bots play at once until it is a person's turn. Raises Illegal for a guest without a seat."""
    if table.seats.at(guest) == NOBODY:
        raise Illegal(words("Only seated players can set the pace of the bots."))
    return replace(table, skipping=table.awaits_bot), []


def end_match(table: Table, guest: int, now: float) -> tuple[Table, Outbox]:
    """End a match that may never end. Raises Illegal for a guest without a seat, and for any other match."""
    if table.seats.at(guest) == NOBODY:
        raise Illegal(words("Only seated players can end the match."))
    recorded, events = table.recorded.stop()
    return told(replace(table, recorded=recorded, ready=frozenset(), wanted=None), now, events)


def recall(table: Table, guest: int) -> Outbox:
    """Hand out the record of the finished match. Raises Illegal while one is played."""
    lines = table.recorded.lines
    if not lines or table.recorded.under_way:
        raise Illegal(words("A match's record is published when the match is over."))
    parts = range(0, len(lines), RECORD_LINES)
    return [(guest, Record(table.id, lines[at : at + RECORD_LINES], at == parts[-1])) for at in parts]


def attest(table: Table, guest: Guest, key: str, said: Attest) -> Table:
    """Accept a player's word on the record of the finished match; `key` is the fingerprint of their key."""
    return replace(table, recorded=table.recorded.attest(table.seats.at(guest.id), key, said))


def began(table: Table, now: float) -> tuple[Table, Outbox]:
    """Deal the next round; before the first one of a match shares may have to be shown."""
    if not table.recorded.under_way:
        table = table.with_shuffle(table.recorded.shuffle.close())
        if table.awaits_shares:
            return told(table, now)
    return dealt(table, now)


def dealt(table: Table, now: float) -> tuple[Table, Outbox]:
    """Deal the next round, of a new match if there is none or the last is over."""
    if not table.recorded.under_way:
        table = replace(table, paused=False, clock=table.clock.begin())
    recorded, events = table.recorded.deal(Seat(chair.name, chair.bot) for chair in table.seats.chairs)
    return told(replace(table, recorded=recorded, ready=frozenset()), now, events)


def _refusal(table: Table, seat: int, wish: Act) -> Words | None:
    """Why a seat may not act now, whatever it wants to do."""
    if table.match is None or table.match.turn == NOBODY:
        return words("No round is being played.")
    if table.paused:
        return words("The table is paused.")
    if not table.moved <= wish.number <= table.number:
        return words("The table has already moved on.")
    return words("It is not your turn.") if seat != table.match.turn else None
