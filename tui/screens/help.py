"""Help: the keys of a screen, the rules of its game, and the house rules in force."""

from core.games import GAMES
from core.options import Options
from tui.board.canvas import Picture
from tui.draw.lists import draw_page, draw_text
from tui.draw.look import Look
from tui.i18n import _
from tui.model.keys import Key
from tui.rulebook import house_rules, rules_text
from tui.screens.base import DrawnScreen

PAGE = 15


class HelpScreen(DrawnScreen[None]):
    """A page of text to scroll through; any of the leaving keys closes it."""

    KEYS = (
        Key("scroll(-1)", "up,k"),
        Key("scroll(1)", "down,j"),
        Key(f"scroll(-{PAGE})", "pageup,left"),
        Key(f"scroll({PAGE})", "pagedown,right,space"),
        Key("scroll(-10000)", "home"),
        Key("scroll(10000)", "end"),
        Key("close", "escape,q,enter,question_mark,f1", leaves=True),
    )

    def __init__(
        self, look: Look, keys: tuple[Key, ...], game: str = "", options: Options | None = None, *, note: str = ""
    ) -> None:
        """A `note` is for this guest alone, and stands under the keys."""
        super().__init__(look)
        self._top = 0
        self._most = 0
        parts = ["# " + _("Keys")]
        parts += [f"  {key.written(look.ascii):8}{key.words()}" for key in keys]
        parts += ["", note] if note else []
        if game in GAMES:
            variant = GAMES[game]
            parts += ["", rules_text(variant)]
            parts += ["", house_rules(variant, options)]
        self._text = "\n".join(parts)

    def paint(self, width: int, height: int) -> Picture:
        """Show the part of the text that fits."""
        body, self._most = draw_text(self._text, self._top, width, height - 3, self.look)
        self._top = min(self._top, self._most)
        hints = [("Up" if self.look.ascii else "↑↓", _("scroll")), ("q", _("close"))]
        return draw_page(_("Help"), body, "", hints, _("help"), width, self.look)

    def action_scroll(self, lines: int) -> None:
        """Move through the text."""
        self._top = max(0, min(self._most, self._top + lines))
        self.redraw()

    def on_mouse_scroll_down(self) -> None:
        """Scroll down by the wheel."""
        self.action_scroll(3)

    def on_mouse_scroll_up(self) -> None:
        """Scroll up by the wheel."""
        self.action_scroll(-3)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss()
