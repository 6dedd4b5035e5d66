"""Who is at a table: the chairs and whose they are, the spectators, and those who may not come back."""

from msgspec import Struct
from msgspec.structs import replace

from core.layout.state import NOBODY
from core.words import Illegal, words
from net.players.reserved_names import BOT_NAMES
from net.table.snapshot import SeatSnapshot
from net.wire.tables import SeatInfo


class Guest(Struct, frozen=True):
    """Somebody on the host: the number of the connection, the name, and the token that tells who they are."""

    id: int
    name: str
    token: str
    """The key's fingerprint, or the digest of a resume code."""


class Chair(Struct, frozen=True):
    """One seat: whose it is, and the guest who sits there now."""

    name: str = ""
    token: str = ""
    bot: str = ""
    guest: int = NOBODY
    lost_at: float | None = None
    """When the player lost the connection; None while they are here, or when they left on purpose."""
    excused: bool = False
    """Whether that was the fault of the host's own machines, so that it takes none of the player's time."""

    @property
    def free(self) -> bool:
        """Whether nobody has taken this seat."""
        return not self.name

    @property
    def gone(self) -> bool:
        """Whether its player left it, and is not waited for."""
        return self.away and self.lost_at is None

    @property
    def away(self) -> bool:
        """Whether it is a person's seat and the person is not here."""
        return bool(self.name) and not self.bot and self.guest == NOBODY


class Seats(Struct, frozen=True):
    """The people and bots at one table."""

    chairs: tuple[Chair, ...]
    watchers: tuple[Guest, ...] = ()
    removed: frozenset[str] = frozenset()
    """Tokens of those who may not come back."""

    @classmethod
    def of(cls, count: int) -> "Seats":
        """Return so many free seats."""
        return cls((Chair(),) * count)

    @classmethod
    def resumed(cls, snapshot: tuple[SeatSnapshot, ...], removed: tuple[str, ...], now: float) -> "Seats":
        """Return what a snapshot holds: every player has lost the connection just now."""
        chairs = (Chair(c.name, c.token, c.bot, lost_at=now if c.token else None) for c in snapshot)
        return cls(tuple(chairs), removed=frozenset(removed))

    @property
    def guests(self) -> list[int]:
        """The connections of everybody here, seated or watching."""
        return [chair.guest for chair in self.chairs if chair.guest != NOBODY] + [one.id for one in self.watchers]

    @property
    def all_taken(self) -> bool:
        """Whether no seat is free."""
        return not any(chair.free for chair in self.chairs)

    def of_token(self, token: str) -> int:
        """The seat that belongs to a token, whether its player is here or not; -1 for none."""
        return next((n for n, chair in enumerate(self.chairs) if chair.token == token), NOBODY)

    def at(self, guest: int) -> int:
        """The seat on which a connection sits; -1 for none."""
        return next((n for n, chair in enumerate(self.chairs) if chair.guest == guest), NOBODY)

    def sit(self, guest: Guest) -> "Seats":
        """Give a guest their own seat again, or the first free one, or else the first that a bot has.

        Raises Illegal when people have all seats, or when they were removed.
        """
        self.admit(guest)
        seat = self.of_token(guest.token)
        if seat == NOBODY:
            free = [n for n, chair in enumerate(self.chairs) if chair.free]
            seat = next(iter(free + [n for n, chair in enumerate(self.chairs) if chair.bot]), NOBODY)
        if seat == NOBODY:
            raise Illegal(words("Every seat at that table is taken."))
        return self.unwatched(guest.id).with_chair(seat, Chair(guest.name, guest.token, guest=guest.id))

    def watch(self, guest: Guest) -> "Seats":
        """Add a spectator. Raises Illegal for one who was removed."""
        self.admit(guest)
        others = self.unwatched(guest.id)
        return replace(others, watchers=(*others.watchers, guest))

    def unwatched(self, guest: int) -> "Seats":
        """Return the seats without this connection among the spectators."""
        return replace(self, watchers=tuple(watcher for watcher in self.watchers if watcher.id != guest))

    def admit(self, guest: Guest) -> None:
        """Raise Illegal for a guest who was removed."""
        if guest.token in self.removed:
            raise Illegal(words("You were removed from that table."))

    def wait_anew(self, now: float) -> "Seats":
        """Let the wait for lost players begin now: while nobody was here, no time went by."""
        waits = (replace(c, lost_at=now) if c.away and c.lost_at is not None else c for c in self.chairs)
        return replace(self, chairs=tuple(waits))

    def stand_up(self, guest: int, *, lost_at: float | None, keeps: bool, excused: bool = False) -> "Seats":
        """Let a connection go from its seat, which stays its player's if that `keeps`."""
        seat = self.at(guest)
        if seat == NOBODY:
            return self
        chair = replace(self.chairs[seat], guest=NOBODY, lost_at=lost_at, excused=excused)
        return self.with_chair(seat, chair if keeps else Chair())

    def put_bots(self, levels: tuple[str, ...]) -> "Seats":
        """Put bots on the last free seats, one for each level."""
        seats = self
        free = [seat for seat, chair in enumerate(self.chairs) if chair.free]
        for seat, level in zip(free[len(free) - len(levels) :], levels, strict=True):
            seats = seats.put_bot(seat, level)
        return seats

    def put_bot(self, seat: int, level: str) -> "Seats":
        """Give a seat to a bot."""
        taken = {chair.name for chair in self.chairs}
        name = next(name for name in BOT_NAMES if name not in taken)
        return self.with_chair(seat, Chair(name, bot=level))

    def remove(self, name: str) -> tuple["Seats", int, int]:
        """Remove a person for good by name; also return their seat and their connection, each -1 for none.

        Raises Illegal when no person of that name is here.
        """
        for seat, chair in enumerate(self.chairs):
            if chair.name == name and not chair.bot:
                return self._barred(chair.token).with_chair(seat, Chair()), seat, chair.guest
        for watcher in self.watchers:
            if watcher.name == name:
                return self._barred(watcher.token).unwatched(watcher.id), NOBODY, watcher.id
        raise Illegal(words("Nobody called {name} is at the table.", name=name))

    def info(self, lost_after: float) -> tuple[SeatInfo, ...]:
        """The seats as everybody sees them; players lost after that moment are still awaited."""
        return tuple(
            SeatInfo(c.name, c.bot, c.away, c.away and c.lost_at is not None and c.lost_at > lost_after)
            for c in self.chairs
        )

    def snapshot(self) -> tuple[SeatSnapshot, ...]:
        """The seats as they are saved."""
        return tuple(SeatSnapshot(c.name, c.token, c.bot) for c in self.chairs)

    def with_chair(self, seat: int, chair: Chair) -> "Seats":
        """Return the seats with another chair in one place."""
        return replace(self, chairs=(*self.chairs[:seat], chair, *self.chairs[seat + 1 :]))

    def _barred(self, token: str) -> "Seats":
        return replace(self, removed=self.removed | {token})
