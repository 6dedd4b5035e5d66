"""Help: what can be done now, the keys of a screen, the rules of its game, and the house rules in force."""

from collections.abc import Sequence

from core.games import GAMES
from core.options import Options
from tui.draw.lists import measure
from tui.draw.look import Look
from tui.i18n import _
from tui.model.keys import TABLE, Key
from tui.rulebook import house_rules, rules_text
from tui.screens.page import SCROLLING, Page, PageScreen
from tui.text.keys import at_the_table, keys_text


class HelpScreen(PageScreen):
    """A page of text to scroll through; any of the leaving keys closes it."""

    KEYS = (*SCROLLING, Key("close", "escape,q,enter,question_mark,f1", leaves=True))

    def __init__(
        self,
        look: Look,
        keys: tuple[Key, ...],
        game: str = "",
        options: Options | None = None,
        *,
        now: Sequence[str] = (),
        note: str = "",
    ) -> None:
        """`now` is what can be done at this moment; a `note` is for this guest alone, and stands under the keys."""
        super().__init__(look)
        self._listed = keys
        self._now = now
        self._note = note
        self._rules: list[str] = []
        if game in GAMES:
            variant = GAMES[game]
            self._rules = [rules_text(variant), "", house_rules(variant, options)]

    def page(self, width: int) -> Page:
        """Return what can be done, the keys and the rules."""
        parts: list[str] = []
        if self._now:
            parts += ["# " + _("Now"), *self._now, ""]
        if self._listed:
            more = at_the_table() if self._listed is TABLE else []
            shown = keys_text(self._listed, measure(width), more, ascii=self.look.ascii)
            parts += ["# " + _("Keys"), *shown, ""]
        if self._note:
            parts += [self._note, ""]
        return Page(_("Help") if self._listed else _("Rules"), "\n".join([*parts, *self._rules]), _("help"))
