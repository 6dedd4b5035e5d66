"""What a guest at a table asks for, and who answers it."""

from net.table import agreement, playing, seating
from net.table.fair_deal import check_pledge
from net.table.seats import Guest
from net.table.table import Outbox, Table
from net.wire.messages import (
    Act,
    AllowHints,
    Attest,
    EndMatch,
    Fill,
    Pause,
    Ready,
    Recall,
    Reveal,
    SetPace,
    Skip,
    TakeBack,
)

Asked = Act | Ready | Fill | Reveal | Pause | SetPace | Skip | TakeBack | AllowHints | EndMatch | Recall | Attest


def asked(table: Table, guest: Guest, message: Asked, now: float, key: str) -> tuple[Table, Outbox]:
    """Do what a guest asks for; `key` is the fingerprint of their key, if they have one. Raises Illegal."""
    match message:
        case Act():
            return playing.act(table, guest.id, message, now)
        case Ready(pledge=pledge):
            check_pledge(pledge)
            return playing.be_ready(table, guest.id, now, pledge)
        case Reveal(share=share):
            return playing.reveal(table, guest.id, share, now)
        case Recall():
            return table, playing.recall(table, guest.id)
        case Attest():
            return playing.attest(table, guest, key, message), []
        case Fill():
            return seating.fill(table, guest, now)
        case Pause(on=on):
            return playing.pause(table, guest.id, on, now)
        case SetPace(pace=speed):
            return playing.set_pace(table, guest.id, speed, now)
        case Skip():
            return playing.skip(table, guest.id)
        case TakeBack(seat=seat):
            return agreement.take_back(table, guest.id, seat, now)
        case AllowHints(seat=seat):
            return agreement.allow_hints(table, guest.id, seat, now)
        case EndMatch():
            return playing.end_match(table, guest.id, now)
