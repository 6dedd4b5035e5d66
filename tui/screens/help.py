"""Help: the keys of a screen, the rules of its game, and the house rules in force."""

from core.games import GAMES
from core.options import Options
from tui.draw.look import Look
from tui.i18n import _
from tui.model.keys import Key
from tui.rulebook import house_rules, rules_text
from tui.screens.page import SCROLLING, Page, PageScreen


class HelpScreen(PageScreen):
    """A page of text to scroll through; any of the leaving keys closes it."""

    KEYS = (*SCROLLING, Key("close", "escape,q,enter,question_mark,f1", leaves=True))

    def __init__(
        self, look: Look, keys: tuple[Key, ...], game: str = "", options: Options | None = None, *, note: str = ""
    ) -> None:
        """A `note` is for this guest alone, and stands under the keys."""
        super().__init__(look)
        parts = ["# " + _("Keys")]
        parts += [f"  {key.written(look.ascii):8}{key.words()}" for key in keys]
        parts += ["", note] if note else []
        if game in GAMES:
            variant = GAMES[game]
            parts += ["", rules_text(variant)]
            parts += ["", house_rules(variant, options)]
        self._text = "\n".join(parts)

    def page(self) -> Page:
        """Return the keys and the rules."""
        return Page(_("Help"), self._text, _("help"))
