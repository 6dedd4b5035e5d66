"""Keys that all screens share: colours, languages, search of all actions, the mouse.

The screens that they open are imported when they are first used, so that the program starts faster.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from themes import theme_names
from tui.i18n import LANGUAGES, _, capitalize, choose
from tui.model.keys import FIND, GlobalKeys, Key
from tui.model.look import Look
from tui.screens.base import DrawnScreen
from tui.text.names import theme_name

if TYPE_CHECKING:
    from tui.screens.pick_list import Item

R = TypeVar("R")
Do = Callable[[], object]
"""An action that a screen offers."""


class GlobalKeysScreen(DrawnScreen[R], Generic[R]):
    """A screen with the keys `EVERY_SCREEN`."""

    def __init__(self, look: Look, on_look_changed: Callable[[Look], object] | None = None) -> None:
        """`on_look_changed` is called with newly chosen colours."""
        super().__init__(look)
        self.on_look_changed = on_look_changed

    def action_theme(self) -> None:
        from tui.screens.lists import ThemesScreen  # noqa: PLC0415 - see above

        self.ask(ThemesScreen(self.look, includes_own=self.app.terminal.is_local), self._apply_theme)

    def action_language(self) -> None:
        from tui.screens.lists import LanguagesScreen  # noqa: PLC0415 - see above

        self.app.push_screen(LanguagesScreen(self.look))

    def action_find_anything(self) -> None:
        from tui.screens.pick_list import PickScreen  # noqa: PLC0415 - see above

        picker = PickScreen(self.look, _("find anything"), self.findable_items(), _("choose"), searches=True)
        self.ask(picker, lambda do: do())

    def action_mouse(self) -> None:
        """Give the mouse to the terminal, so that it can select and copy; or take it back."""
        if (output := self.output) is not None:
            output.take_mouse(not output.wants_mouse)
            self.tell(
                _("Clicks are Boneyard's again.")
                if output.wants_mouse
                else _("The mouse is the terminal's now: copy with it as usual. M takes it back.")
            )

    def tell(self, sentence: str) -> None:
        """Show a sentence in place of the current one."""

    def findable_items(self) -> "list[Item[Do]]":
        """Return all items of the search: the screen's own actions, the colours and the languages."""
        from tui.screens.pick_list import Item  # noqa: PLC0415 - see above

        actions = [
            Item((capitalize(words), key.label_on(self.look.ascii)), partial(self._act, key))
            for key in self.KEYS
            if (words := key.words()) and key.name != FIND.name
        ]
        themes = [
            Item((_("Colours: {name}", name=theme_name(name)), ""), partial(self._apply_theme, name), name)
            for name in theme_names()
        ]
        languages = [
            Item((_("Language: {name}", name=name), ""), partial(self._switch_language, code))
            for code, name in LANGUAGES.items()
        ]
        return [*actions, *themes, *languages]

    def _apply_theme(self, name: str) -> None:
        """Apply a theme to every open screen."""
        look = self.look.with_theme(name)
        for screen in self.app.screen_stack:
            if isinstance(screen, DrawnScreen):
                screen.apply_look(look)
        if self.on_look_changed:
            self.on_look_changed(look)

    def _act(self, key: Key) -> None:
        self.call_later(self.act, key)

    def _switch_language(self, language: str) -> None:
        choose(language)
        self.redraw()


if TYPE_CHECKING:
    _has_what_its_keys_do: type[GlobalKeys] = GlobalKeysScreen[None]
