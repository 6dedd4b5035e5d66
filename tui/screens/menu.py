"""The menu: what `boneyard` opens without a command."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from textual.app import App

from core.games import GAMES
from core.layout.placed import NOBODY, Placed
from core.tiles import Tile
from net.storage.kept_matches import KeptMatch
from net.wire.messages import MakeTable
from tui.board import Picture, draw_board
from tui.board.canvas import columns
from tui.draw.lists import Row, draw_list, draw_page, stack
from tui.draw.look import Look
from tui.i18n import _
from tui.model.keys import MOVES, TABLE, Key
from tui.screens.choosing import ListScreen
from tui.screens.help import HelpScreen
from tui.screens.kept import KeptScreen
from tui.screens.new_table import NewTableScreen
from tui.screens.themes import ThemesScreen
from tui.text.kept import kept_words, opponents

SIGN = (
    Placed(Tile(4, 6), -1, 0, 6, NOBODY),
    Placed(Tile(6, 6), 0, 1, 6, NOBODY),
    Placed(Tile(3, 4), 0, 0, 3, NOBODY),
    Placed(Tile(3, 3), 2, 1, 3, NOBODY),
)
"""The tiles over the menu."""
Chosen = MakeTable | Path | str
"""A table to play at alone, the directory of a match to go on with, or the name of another command."""


class MenuScreen(ListScreen[Chosen | None]):
    """Asks what to do; dismissed with that, or None to leave."""

    KEYS = (
        *MOVES,
        Key("choose", "enter,space"),
        Key("theme", "y"),
        Key("help", "question_mark,f1"),
        Key("quit", "escape,q", leaves=True),
    )

    def __init__(
        self,
        look: Look,
        looked: Callable[[Look], None] | None = None,
        kept: Sequence[KeptMatch] = (),
        said: str = "",
        last: Mapping[str, MakeTable] | None = None,
    ) -> None:
        """`looked` is told when other colours were chosen; `said` is what is to be told first.

        `kept` are the matches that can be taken up, the latest first; `last` are, by game, the tables opened last.
        """
        super().__init__(look)
        self._looked = looked
        self._kept = kept
        self._said = said
        self._last = last or {}

    def _entries(self) -> list[tuple[str, str, str]]:
        games = ", ".join(variant.name for variant in GAMES.values())
        latest = next((match for match in self._kept if not match.problem), None)
        go_on = [("go_on", _("Go on: {match}", match=kept_words(latest)), opponents(latest))] if latest else []
        others = len(self._kept) - len(go_on)
        return [
            *go_on,
            *([("kept", _("Kept matches"), str(len(self._kept)))] if others else []),
            ("play", _("Play alone"), _("against bots: {games}", games=games)),
            ("join", _("Join a host"), _("on the local network, or by its address")),
            ("host", _("Host a game"), _("for friends with ssh, or with Boneyard")),
            ("help", _("Keys and rules"), _("how it is played")),
            ("quit", _("Leave"), ""),
        ]

    def paint(self, width: int, height: int) -> Picture:
        """List what can be done."""
        rows = [Row((title, about)) for _name, title, about in self._entries()]
        first = max(20, *(columns(row.cells[0]) for row in rows))
        first = min(first, width - 8 - 30)
        list_height = len(rows) + height // 8
        sign = draw_board(
            SIGN, (), width, height - 3 - list_height, self.look.theme, ascii=self.look.ascii, highest=6
        )
        body = stack(sign, draw_list(rows, self._chosen, (first, 40), width, list_height, self.look))
        hints = [("Enter" if self.look.ascii else "↵", _("choose")), ("?", _("help")), ("q", _("leave"))]
        return draw_page(_("every domino game people play"), body, self._said, hints, "", width, self.look)

    @property
    def count(self) -> int:
        """How many entries there are."""
        return len(self._entries())

    def action_choose(self) -> None:
        """Do what is chosen."""
        name = self._entries()[self._chosen][0]
        match name:
            case "play":
                self.app.push_screen(NewTableScreen(self.look, free_seats=False, last=self._last), self._wished)
            case "go_on":
                self.dismiss(next(match.path for match in self._kept if not match.problem))
            case "kept":
                self.app.push_screen(KeptScreen(self.look, self._kept), self._go_on)
            case "help":
                self.action_help()
            case "quit":
                self.dismiss(None)
            case _:
                self.dismiss(name)

    def _go_on(self, path: Path | None) -> None:
        if path:
            self.dismiss(path)

    def _wished(self, wish: MakeTable | None) -> None:
        if wish:
            self.dismiss(wish)

    def action_help(self) -> None:
        """Show the keys and the rules of the first game."""
        self.app.push_screen(HelpScreen(self.look, TABLE, next(iter(GAMES))))

    def action_theme(self) -> None:
        """Choose other colours."""
        self.app.push_screen(ThemesScreen(self.look), self._take_look)

    def _take_look(self, look: Look | None) -> None:
        if look:
            self.wear(look)
            if self._looked:
                self._looked(look)

    def action_quit(self) -> None:
        """Leave."""
        self.dismiss(None)


class MenuApp(App[Chosen]):
    """Shows the menu and returns what was chosen."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(self, screen: MenuScreen) -> None:
        super().__init__()
        self._screen = screen

    def on_mount(self) -> None:
        """Open the one screen."""
        self.push_screen(self._screen, self.exit)
