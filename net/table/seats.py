"""Who is at a table: the chairs and whose they are, those who look on, and those who may not come back."""

from msgspec import Struct

from core.layout.placed import NOBODY
from core.words import Illegal, words
from net.players.reserved_names import BOT_NAMES
from net.table.snapshot import SeatSnapshot
from net.wire.messages import SeatInfo


class Guest(Struct, frozen=True):
    """Somebody on the host: the number of the connection, the name, and what he is recognised by."""

    id: int
    name: str
    token: str
    """The key's fingerprint, or what a resume code stands for."""


class Chair(Struct):
    """One seat: whose it is, and the guest who sits there now."""

    name: str = ""
    token: str = ""
    bot: str = ""
    guest: int = NOBODY
    lost_at: float | None = None
    """When the player's line broke; None when he is here, or left by himself."""

    @property
    def free(self) -> bool:
        """Whether nobody has taken this seat."""
        return not self.name

    @property
    def away(self) -> bool:
        """Whether it is a person's seat and the person is not here."""
        return bool(self.name) and not self.bot and self.guest == NOBODY


class Seats:
    """The people and bots at one table."""

    def __init__(self, count: int) -> None:
        self.chairs = [Chair() for _ in range(count)]
        self.watchers: dict[int, Guest] = {}
        self.removed: set[str] = set()
        """Tokens of those who may not come back."""

    @property
    def guests(self) -> list[int]:
        """The connections of everybody here, seated or looking on."""
        return [chair.guest for chair in self.chairs if chair.guest != NOBODY] + list(self.watchers)

    @property
    def all_taken(self) -> bool:
        """Whether no seat is free."""
        return not any(chair.free for chair in self.chairs)

    def of(self, token: str) -> int:
        """The seat that belongs to a token, whether its player is here or not; -1 for none."""
        return next((n for n, chair in enumerate(self.chairs) if chair.token == token), NOBODY)

    def at(self, guest: int) -> int:
        """The seat on which a connection sits; -1 for none."""
        return next((n for n, chair in enumerate(self.chairs) if chair.guest == guest), NOBODY)

    def sit(self, guest: Guest) -> int:
        """Give a guest his own seat again, or the first free one, and return it.

        Raises Illegal when there is none, or when he was sent away.
        """
        self.admit(guest)
        seat = self.of(guest.token)
        if seat == NOBODY:
            seat = next((n for n, chair in enumerate(self.chairs) if chair.free), NOBODY)
        if seat == NOBODY:
            raise Illegal(words("Every seat at that table is taken."))
        self.watchers.pop(guest.id, None)
        self.chairs[seat] = Chair(guest.name, guest.token, guest=guest.id)
        return seat

    def admit(self, guest: Guest) -> None:
        """Raise Illegal for a guest who was sent away."""
        if guest.token in self.removed:
            raise Illegal(words("You were removed from that table."))

    def wait_anew(self, now: float) -> None:
        """Let the wait for lost players begin now: while nobody was here, no time went by."""
        for chair in self.chairs:
            if chair.away and chair.lost_at is not None:
                chair.lost_at = now

    def stand_up(self, guest: int, *, lost_at: float | None, keeps: bool) -> int:
        """Let a connection go from its seat, which stays its player's if that `keeps`; return the seat or -1."""
        seat = self.at(guest)
        if seat != NOBODY:
            chair = self.chairs[seat]
            chair.guest, chair.lost_at = NOBODY, lost_at
            if not keeps:
                self.chairs[seat] = Chair()
        return seat

    def put_bots(self, levels: tuple[str, ...]) -> None:
        """Put bots on the last free seats, one for each level."""
        free = [seat for seat, chair in enumerate(self.chairs) if chair.free]
        for seat, level in zip(free[len(free) - len(levels) :], levels, strict=True):
            self.put_bot(seat, level)

    def put_bot(self, seat: int, level: str) -> None:
        """Give a seat to a bot."""
        taken = {chair.name for chair in self.chairs}
        name = next(name for name in BOT_NAMES if name not in taken)
        self.chairs[seat] = Chair(name, bot=level)

    def remove(self, name: str) -> tuple[int, int]:
        """Send somebody away for good by his name; return his seat and his connection, each -1 for none.

        Raises Illegal when no person of that name is here.
        """
        for seat, chair in enumerate(self.chairs):
            if chair.name == name and not chair.bot:
                self.removed.add(chair.token)
                guest, self.chairs[seat] = chair.guest, Chair()
                return seat, guest
        for guest, watcher in self.watchers.items():
            if watcher.name == name:
                self.removed.add(watcher.token)
                del self.watchers[guest]
                return NOBODY, guest
        raise Illegal(words("Nobody called {name} is at the table.", name=name))

    def info(self, lost_after: float) -> tuple[SeatInfo, ...]:
        """The seats as everybody sees them; players lost after that moment are still awaited."""
        return tuple(
            SeatInfo(c.name, c.bot, c.away, c.away and c.lost_at is not None and c.lost_at > lost_after)
            for c in self.chairs
        )

    def snapshot(self) -> tuple[SeatSnapshot, ...]:
        """The seats as they are kept on disk."""
        return tuple(SeatSnapshot(c.name, c.token, c.bot) for c in self.chairs)

    def resume(self, snapshot: tuple[SeatSnapshot, ...], removed: tuple[str, ...], now: float) -> None:
        """Take up what was kept: every player's line broke just now."""
        self.chairs = [Chair(c.name, c.token, c.bot, lost_at=now if c.token else None) for c in snapshot]
        self.removed = set(removed)
