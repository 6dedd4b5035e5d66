"""The presets, by the place where they are played, to choose one from."""

from core.games import GAMES
from core.presets import PRESETS, Preset
from tui.board import Picture
from tui.draw.lists import Row, draw_list, draw_page
from tui.draw.look import Look
from tui.i18n import _, place_name, several
from tui.model.keys import MOVES, Key
from tui.screens.choosing import ListScreen
from tui.wording import label_of

WIDTHS = (20, 28, 22, 16)
"""Columns of the place, of the preset, of its local name, and, where there is room, of the game."""
WIDE = 100
"""Columns of a window from which on there is."""


class PresetsScreen(ListScreen[Preset | None]):
    """Asks as played where; dismissed with the preset, or None to go back."""

    KEYS = (*MOVES, Key("choose", "enter,space"), Key("leave", "escape,q", leaves=True))

    def __init__(self, look: Look, game: str = "") -> None:
        """The first preset of a `game` is chosen at first, if there is one."""
        super().__init__(look)
        self._presets = by_place()
        self._chosen = next((number for number, preset in enumerate(self._presets) if preset.game == game), 0)

    @property
    def count(self) -> int:
        """How many presets there are."""
        return len(self._presets)

    def paint(self, width: int, height: int) -> Picture:
        """List the presets."""
        count = 4 if width >= WIDE else 3
        rows = [
            Row((place_name(preset.place), _(preset.name), preset.local, GAMES[preset.game].name)[:count])
            for preset in self._presets
        ]
        body = draw_list(rows, self._chosen, WIDTHS[:count], width, height - 3, self.look)
        hints = [("Enter" if self.look.ascii else "↵", _("choose")), ("q", _("back"))]
        return draw_page(_("as played in …"), body, self._rules, hints, _places(self._presets), width, self.look)

    @property
    def _rules(self) -> str:
        """The game of the chosen one, and its rules that are not as usual."""
        preset = self._presets[self._chosen]
        rules = [
            f"{_(option.words)}: {label_of(preset.game, option.key, preset.options[option.key])}"
            for option in GAMES[preset.game].options
            if option.key in preset.options
        ]
        return f"{GAMES[preset.game].name}: " + ("; ".join(rules) or _("as usual"))

    def action_choose(self) -> None:
        """Take the chosen preset."""
        self.dismiss(self._presets[self._chosen])

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss(None)


def by_place() -> list[Preset]:
    """All presets, sorted by their places as they are called in the language of the session."""
    return sorted(PRESETS.values(), key=lambda preset: place_name(preset.place))


def _places(presets: list[Preset]) -> str:
    return several("{count} place", "{count} places", len({preset.place for preset in presets}))
