"""The lists of kept matches, languages, lessons and presets, and what every screen that lists its keys can do."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

from core.games import GAMES
from core.presets import PRESETS, Preset
from net.storage.kept_matches import KeptMatch
from themes import theme_names
from tui.draw.look import Look
from tui.i18n import LANGUAGES, _, choose, day_and_time, place_name, spoken_language, switch
from tui.lessons import LESSONS, Lesson
from tui.model.keys import FIND, Key
from tui.screens.base import DrawnScreen
from tui.screens.picking import Item, PickScreen
from tui.screens.themes import ThemesScreen
from tui.serve.driver import ServedDriver
from tui.serve.textual_private import HookedDriver, driver_of
from tui.text.matches import kept_words, opponents
from tui.text.names import game_name, theme_name
from tui.wording import label_of

R = TypeVar("R")


def kept_list(look: Look, kept: Sequence[KeptMatch]) -> PickScreen[Path]:
    """Ask which match to go on with."""
    items = [
        Item(
            (day_and_time(match.played_at), _("cannot be read"), match.path.name),
            match.path,
            problem=_("This match cannot be read: {reason}.", reason=match.problem),
        )
        if match.problem
        else Item((day_and_time(match.played_at), kept_words(match), opponents(match)), match.path)
        for match in kept
    ]
    return PickScreen(look, _("kept matches"), items, _("go on"))


def lessons_list(look: Look, game: str = "") -> PickScreen[Lesson]:
    """Ask which lesson to take; that for a `game` is chosen at first, if there is one."""
    items = [Item((game_name(lesson.game), _(lesson.about)), lesson) for lesson in LESSONS]
    at = next((number for number, lesson in enumerate(LESSONS) if lesson.game == game), 0)
    told = _("A round against bots, explained as it goes.")
    return PickScreen(look, _("learn in two minutes"), items, _("begin"), at, told=told)


def presets_list(look: Look, game: str = "") -> PickScreen[Preset]:
    """Ask as played where; the first preset of a `game` is chosen at first, if there is one."""
    presets = by_place()
    items = [
        Item(
            (place_name(preset.place), _(preset.name), preset.local, game_name(preset.game)),
            preset,
            preset.name,
            told=_rules_of(preset),
        )
        for preset in presets
    ]
    at = next((number for number, preset in enumerate(presets) if preset.game == game), 0)
    return PickScreen(look, _("as played in …"), items, _("choose"), at)


def by_place() -> list[Preset]:
    """All presets, sorted by their places as they are called in the language of the session."""
    return sorted(PRESETS.values(), key=lambda preset: place_name(preset.place))


def _rules_of(preset: Preset) -> str:
    """Its game, and the rules that are not as usual."""
    rules = [
        f"{_(option.words)}: {label_of(preset.game, option.key, preset.options[option.key])}"
        for option in GAMES[preset.game].options
        if option.key in preset.options
    ]
    return f"{game_name(preset.game)}: " + ("; ".join(rules) or _("as usual"))


class LanguagesScreen(PickScreen[str]):
    """Lists the languages, each by its own name; everything is in the language of the chosen row at once."""

    def __init__(self, look: Look) -> None:
        self._before = spoken_language()
        items = [Item((name,), code) for code, name in LANGUAGES.items()]
        super().__init__(look, "", items, "", list(LANGUAGES).index(self._before))
        self._speak()

    def _speak(self) -> None:
        self._title, self._does, self._told = _("language"), _("take"), _("Everything is in this language.")

    def go(self, to: int) -> None:
        super().go(to)
        if self.chosen:
            switch(self.chosen.value)
            self._speak()
        self.redraw()

    def action_choose(self) -> None:
        if self.chosen:
            choose(self.chosen.value)
        super().action_choose()

    def withdraw(self) -> None:
        switch(self._before)

    def action_leave(self) -> None:
        self.withdraw()
        super().action_leave()


Do = Callable[[], object]
"""Does one thing that a screen offers."""


class Multilingual(DrawnScreen[R], Generic[R]):
    """A screen with the keys `EVERYWHERE`."""

    def __init__(self, look: Look, looked: Callable[[Look], object] | None = None) -> None:
        """`looked` is told when other colours were chosen."""
        super().__init__(look)
        self.looked = looked

    def action_theme(self) -> None:
        own = not isinstance(driver_of(self.app), ServedDriver)
        self.ask(ThemesScreen(self.look, own=own), self._wear_theme)

    def action_language(self) -> None:
        self.app.push_screen(LanguagesScreen(self.look))

    def action_find_anything(self) -> None:
        self.ask(PickScreen(self.look, _("find anything"), self.offers(), _("take")), lambda do: do())

    def action_mouse(self) -> None:
        """Leave the mouse to the terminal, which can copy by it; or take it back."""
        driver = driver_of(self.app)
        if isinstance(driver, HookedDriver):
            driver.take_mouse(not driver.wants_mouse)
            self.tell(
                _("Clicks are Boneyard's again.")
                if driver.wants_mouse
                else _("The mouse is the terminal's now: copy by it as usual. M takes it back.")
            )

    def tell(self, sentence: str) -> None:
        """Say something in the place of the sentence."""

    def offers(self) -> list[Item[Do]]:
        """List what can be done here: the screen's own actions, colours and languages."""
        actions = [
            Item((words[:1].upper() + words[1:], key.written(self.look.ascii)), partial(self._act, key))
            for key in self.KEYS
            if (words := key.words()) and key.name != FIND.name
        ]
        themes = [
            Item((_("Colours: {name}", name=theme_name(name)), ""), partial(self._wear_theme, name), name)
            for name in theme_names()
        ]
        languages = [
            Item((_("Language: {name}", name=name), ""), partial(self._speak, code))
            for code, name in LANGUAGES.items()
        ]
        return [*actions, *themes, *languages]

    def _wear_theme(self, name: str) -> None:
        """Show every screen in the colours of a theme."""
        look = self.look.wearing(name)
        for screen in self.app.screen_stack:
            if isinstance(screen, DrawnScreen):
                screen.wear(look)
        if self.looked:
            self.looked(look)

    def _act(self, key: Key) -> None:
        self.call_later(self.run_action, key.action)

    def _speak(self, language: str) -> None:
        switch(language)
        choose(language)
        self.redraw()
