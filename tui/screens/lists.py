"""The screens that are a list to choose from: kept matches, languages, lessons, and games as played in a place."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

from core.games import GAMES
from core.presets import PRESETS, Preset
from net.storage.kept_matches import KeptMatch
from themes import theme_names
from tui.draw.lists import Row
from tui.draw.look import Look
from tui.i18n import LANGUAGES, _, choose, day_and_time, place_name, several, spoken_language, switch
from tui.lessons import LESSONS, Lesson
from tui.model.keys import FIND, Key
from tui.screens.base import DrawnScreen, Listed, ListScreen
from tui.screens.picking import Item, PickScreen
from tui.serve.textual_private import HookedDriver, driver_of
from tui.text.kept import kept_words, opponents
from tui.wording import label_of

KEPT = (16, 36, 20)
"""Columns of the date, the match and the other players; together they fit into 80."""
LESSON = (20, 44)
"""Columns of the game, and of what is new in it."""
PRESET = (20, 28, 22, 16)
"""Columns of the place, of the preset, of its local name, and, where there is room, of the game."""
WIDE = 100
"""Columns of a window from which on there is."""
R = TypeVar("R")


class KeptScreen(ListScreen[Path | None]):
    """Asks which match to go on with; dismissed with its directory, or None to go back."""

    def __init__(self, look: Look, kept: Sequence[KeptMatch]) -> None:
        super().__init__(look)
        self._kept = kept
        self._warning = ""

    def listed(self, width: int) -> Listed:
        """List the matches."""
        rows = [Row(_cells(match), quiet=bool(match.problem)) for match in self._kept]
        widths = (*KEPT[:2], KEPT[2] + max(0, min(width, 120) - sum(KEPT) - 10))
        return Listed(_("kept matches"), rows, widths, _("go on"), self._warning, wrong=bool(self._warning))

    @property
    def count(self) -> int:
        """How many matches there are."""
        return len(self._kept)

    def action_move(self, step: int) -> None:
        """Choose the next match."""
        self._warning = ""
        super().action_move(step)

    def action_choose(self) -> None:
        """Go on with the chosen match."""
        match = self._kept[self._chosen]
        if match.problem:
            self._warning = _("This match cannot be read: {reason}.", reason=match.problem)
            self.redraw()
        else:
            self.dismiss(match.path)


def _cells(match: KeptMatch) -> tuple[str, str, str]:
    when = day_and_time(match.played_at)
    if match.problem:
        return when, _("cannot be read"), match.path.name
    return when, kept_words(match), opponents(match)


class LanguagesScreen(ListScreen[None]):
    """Lists the languages, each by its own name; everything is in the language of the chosen row at once."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._before = spoken_language()
        self._chosen = list(LANGUAGES).index(self._before)

    @property
    def count(self) -> int:
        """How many languages there are."""
        return len(LANGUAGES)

    def listed(self, _width: int) -> Listed:
        """List the names."""
        rows = [Row((name,)) for name in LANGUAGES.values()]
        longest = max(map(len, LANGUAGES.values()))
        return Listed(_("language"), rows, (longest,), _("take"), _("Everything is in this language."))

    def go(self, to: int) -> None:
        """Show everything in the language of a row."""
        switch(list(LANGUAGES)[to])
        super().go(to)

    def action_choose(self) -> None:
        """Keep the language under the cursor."""
        choose(list(LANGUAGES)[self._chosen])
        self.dismiss(None)

    def withdraw(self) -> None:
        """Speak the language before."""
        switch(self._before)

    def action_leave(self) -> None:
        """Go back to the language before."""
        self.withdraw()
        super().action_leave()


Do = Callable[[], object]
"""Does one thing that a screen offers."""


class Multilingual(DrawnScreen[R], Generic[R]):
    """A screen with `LANGUAGE` and `FIND` among its keys."""

    def action_language(self) -> None:
        """Let the player choose the language of everything."""
        self.app.push_screen(LanguagesScreen(self.look))

    def action_find_anything(self) -> None:
        """Let the player find what can be done here by its name."""
        found: PickScreen[Do] = PickScreen(self.look, _("find anything"), self.offers(), _("take"))
        self.app.push_screen(found, lambda do: do() if do else None)

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
            Item(words[:1].upper() + words[1:], key.written(self.look.ascii), partial(self._act, key))
            for key in self.KEYS
            if (words := key.words()) and key.name != FIND.name
        ]
        themes = [Item(_("Colours: {name}", name=name), "", partial(self.wear_theme, name)) for name in theme_names()]
        languages = [
            Item(_("Language: {name}", name=name), "", partial(self._speak, code)) for code, name in LANGUAGES.items()
        ]
        return [*actions, *themes, *languages]

    def wear_theme(self, name: str) -> None:
        """Take the colours of a theme, for every screen."""
        raise NotImplementedError

    def _act(self, key: Key) -> None:
        self.call_later(self.run_action, key.action)

    def _speak(self, language: str) -> None:
        switch(language)
        choose(language)
        self.redraw()


class LessonsScreen(ListScreen[Lesson | None]):
    """Asks which lesson to take; dismissed with it, or None to go back."""

    def __init__(self, look: Look, game: str = "") -> None:
        """The lesson for a `game` is chosen at first, if there is one."""
        super().__init__(look)
        self._chosen = next((number for number, lesson in enumerate(LESSONS) if lesson.game == game), 0)

    @property
    def count(self) -> int:
        """How many lessons there are."""
        return len(LESSONS)

    def listed(self, _width: int) -> Listed:
        """List the lessons."""
        rows = [Row((GAMES[lesson.game].name, _(lesson.about))) for lesson in LESSONS]
        told = _("A round against bots, explained as it goes.")
        return Listed(_("learn in two minutes"), rows, LESSON, _("begin"), told)

    def action_choose(self) -> None:
        """Take the chosen lesson."""
        self.dismiss(LESSONS[self._chosen])


class PresetsScreen(ListScreen[Preset | None]):
    """Asks as played where; dismissed with the preset, or None to go back."""

    def __init__(self, look: Look, game: str = "") -> None:
        """The first preset of a `game` is chosen at first, if there is one."""
        super().__init__(look)
        self._presets = by_place()
        self._chosen = next((number for number, preset in enumerate(self._presets) if preset.game == game), 0)

    @property
    def count(self) -> int:
        """How many presets there are."""
        return len(self._presets)

    def listed(self, width: int) -> Listed:
        """List the presets."""
        widths = PRESET if width >= WIDE else PRESET[:3]
        rows = [
            Row((place_name(preset.place), _(preset.name), preset.local, GAMES[preset.game].name)[: len(widths)])
            for preset in self._presets
        ]
        places = len({preset.place for preset in self._presets})
        status = several("{count} place", "{count} places", places)
        return Listed(_("as played in …"), rows, widths, _("choose"), self._rules, status)

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


def by_place() -> list[Preset]:
    """All presets, sorted by their places as they are called in the language of the session."""
    return sorted(PRESETS.values(), key=lambda preset: place_name(preset.place))
