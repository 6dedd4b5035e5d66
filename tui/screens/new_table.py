"""A new table: which game, how many seats, how many bots, and the house rules."""

from msgspec import Struct
from msgspec.structs import replace

from core.bots.levels import DEFAULT, TABLE_BOTS
from core.games import GAMES
from core.options import Value, resolve
from core.variant import Variant
from core.words import BadOption
from net.wire.messages import MakeTable
from tui.board.canvas import Picture
from tui.draw.lists import Row, draw_list, draw_page
from tui.draw.look import Look
from tui.draw.widget import Drawn
from tui.i18n import _, spoken
from tui.model.keys import MOVES, Key
from tui.screens.base import DrawnScreen
from tui.text.bots import level_words

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


class NewTableScreen(DrawnScreen[MakeTable | None]):
    """A form in which every setting has its choices; dismissed with the wish, or None."""

    KEYS = (
        *MOVES,
        Key("turn(-1)", "left,h"),
        Key("turn(1)", "right,l,space"),
        Key("make", "enter"),
        Key("cancel", "escape,q", leaves=True),
    )

    def __init__(
        self, look: Look, *, free_seats: bool, house_rules: dict[str, dict[str, Value]] | None = None
    ) -> None:
        """`free_seats` allows seats that wait for people; without, bots take all seats but one."""
        super().__init__(look)
        self._free_seats = free_seats
        self._wish = Wish(hints="no" if free_seats else "yes", house=house_rules or {})
        self._chosen = 0

    def paint(self, width: int, height: int) -> Picture:
        """List the settings."""
        settings = self._wish.settings(self._free_seats)
        left, right = "<>" if self.look.ascii else "◀▶"
        rows = []
        for number, (key, meaning, choices, value) in enumerate(settings):
            shown = GAMES[str(value)].name if key == "game" else str(value)
            here = number == self._chosen and len(choices) > 1
            rows.append(Row((meaning, f"{left} {shown} {right}" if here else f"  {shown}")))
        body = draw_list(rows, self._chosen, (46, 22), width, height - 3, self.look)
        problem, chosen = self._wish.problem(), settings[self._chosen][0]
        enter = "Enter" if self.look.ascii else "↵"
        arrows = "Left" if self.look.ascii else "←→"
        hints = [(enter, _("open the table")), (arrows, _("change")), ("q", _("back"))]
        return draw_page(
            _("a new table"),
            body,
            problem or (level_words(self._wish.level) if chosen == "level" else ""),
            hints,
            _(self._wish.variant.pitch),
            width,
            self.look,
            warning=bool(problem),
        )

    def action_move(self, step: int) -> None:
        """Choose the next setting."""
        self._chosen = (self._chosen + step) % len(self._wish.settings(self._free_seats))
        self.redraw()

    def action_turn(self, step: int) -> None:
        """Give the chosen setting its next value."""
        key, _meaning, choices, value = self._wish.settings(self._free_seats)[self._chosen]
        if choices:
            place = choices.index(value) if value in choices else 0
            self._wish = self._wish.set(key, choices[(place + step) % len(choices)])
        self.redraw()

    def action_make(self) -> None:
        """Open the table as it stands."""
        wish = self._wish
        if not wish.problem():
            bots = wish.bots if self._free_seats else wish.players - 1
            self.dismiss(
                MakeTable(
                    wish.game,
                    wish.players,
                    dict(wish.options),
                    bots,
                    wish.level,
                    turn_time=wish.turn_time,
                    match_time=wish.match_time * 60,
                    private=wish.private == "yes",
                    hints=wish.hints == "yes",
                )
            )

    def action_cancel(self) -> None:
        """Go back without a table."""
        self.dismiss(None)

    def on_drawn_clicked(self, event: Drawn.Clicked) -> None:
        """Choose a setting by a click; once more to change it."""
        if event.hit.at == self._chosen:
            self.action_turn(1)
        else:
            self._chosen = event.hit.at
            self.redraw()
