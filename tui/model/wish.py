"""What a player wishes a new table to be, as a value: the game, the seats, the bots and the house rules."""

from msgspec import Struct
from msgspec.structs import replace

from core.bots.levels import DEFAULT, TABLE_BOTS
from core.games import GAMES
from core.options import Value, resolve
from core.variant import Variant
from core.words import BadOption
from net.wire.messages import MakeTable
from tui.i18n import _, spoken

TURN_TIMES = (0, 15, 30, 60, 120, 300)
MATCH_TIMES = (0, 5, 10, 20, 30, 60)


class Wish(Struct, frozen=True):
    """What has been chosen for the table so far."""

    game: str = "draw"
    players: int = 2
    bots: int = 0
    level: str = DEFAULT
    turn_time: int = 0
    match_time: int = 0
    private: str = "no"
    hints: str = "no"
    options: dict[str, Value] = {}
    house: dict[str, dict[str, Value]] = {}
    """By game, what holds here where nothing else is chosen."""

    @property
    def variant(self) -> Variant:
        """The game."""
        return GAMES[self.game]

    def settings(self, free_seats: bool) -> list[tuple[str, str, tuple[Value, ...], Value]]:
        """What can be set: key, meaning, choices, and what is chosen."""
        fewest, most = self.variant.seats
        rows: list[tuple[str, str, tuple[Value, ...], Value]] = [
            ("game", _("game"), tuple(GAMES), self.game),
            ("players", _("players"), tuple(range(fewest, most + 1)), self.players),
        ]
        if free_seats:
            rows.append(("bots", _("how many are bots"), tuple(range(self.players)), self.bots))
        rows.append(("level", _("level of the bots"), tuple(TABLE_BOTS), self.level))
        rows.append(("hints", _("hints (h at the table)"), ("no", "yes"), self.hints))
        if free_seats:
            rows.append(("private", _("private (code required)"), ("no", "yes"), self.private))
            rows.append(("turn_time", _("seconds for each turn (0: no limit)"), TURN_TIMES, self.turn_time))
            rows.append(("match_time", _("minutes for each player (0: no limit)"), MATCH_TIMES, self.match_time))
        # Resolved, as one house rule may change what is usual for another.
        values = resolve(self.variant.options, {**self.house.get(self.game, {}), **self.options})
        for option in self.variant.options:
            rows.append((option.key, _(option.words), option.choices, values[option.key]))
        return rows

    def set(self, key: str, value: Value) -> "Wish":
        """Choose a value; what no longer goes with it is brought into line."""
        match key:
            case "game":
                fewest, most = GAMES[str(value)].seats
                players = min(max(self.players, fewest), most)
                return replace(self, game=str(value), players=players, bots=self._bots_among(players), options={})
            case "players":
                players = int(value)
                return replace(self, players=players, bots=self._bots_among(players))
            case "bots":
                return replace(self, bots=int(value))
            case "level" | "private" | "hints":
                return replace(self, **{key: str(value)})
            case "turn_time" | "match_time":
                return replace(self, **{key: int(value)})
        return replace(self, options=self.options | {key: value})

    def _bots_among(self, players: int) -> int:
        """Return as many bots as before, but leave one seat: more players means more people."""
        return min(self.bots, players - 1)

    def problem(self) -> str:
        """Why this table cannot be; empty when it can."""
        try:
            self.variant.rules(self.players, {**self.house.get(self.game, {}), **self.options})
        except BadOption as bad:
            return spoken(bad.reason)
        return ""

    def table(self, free_seats: bool) -> MakeTable:
        """What to ask a host for; without `free_seats`, bots take all seats but one."""
        return MakeTable(
            self.game,
            self.players,
            dict(self.options),
            self.bots if free_seats else self.players - 1,
            self.level,
            turn_time=self.turn_time,
            match_time=self.match_time * 60,
            private=self.private == "yes",
            hints=self.hints == "yes",
        )
