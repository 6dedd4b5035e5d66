"""Languages: every catalogue is complete and keeps its placeholders, and every screen has room for each of them."""

import gettext
import re
from collections import Counter
from string import Formatter

import pytest
from babel.messages.pofile import read_po

from core.games import GAMES
from core.presets import PRESETS
from scripts.catalogues import LOCALES, sources
from tests.tui.every_screen import screens
from tests.tui.test_compact import NAMES
from themes import all_names
from tui.board.canvas import Canvas, columns
from tui.i18n import LANGUAGES, place_name, speak, speak_by
from tui.rulebook import rules_text

FILES = {source.parent.parent.name: source for source in sources()}
TEMPLATE = LOCALES / "boneyard.pot"
FOREIGN = sorted(set(LANGUAGES) - {"en"})
EVERY_LANGUAGE = pytest.mark.parametrize("language", FOREIGN)


@pytest.fixture(autouse=True)
def _english_again():
    yield
    speak("en")


class Marked(gettext.NullTranslations):
    """A language with an accent on every vowel, so that a word that was not translated is seen."""

    def gettext(self, message):
        return "".join(part if part.startswith("{") else part.translate(ACCENTS) for part in split(message))

    def ngettext(self, one, many, n):
        return self.gettext(one if n == 1 else many)


ACCENTS = str.maketrans("aeiouyAEIOUY", "áéíóúýÁÉÍÓÚÝ")


def split(message):
    return re.split(r"(\{[^}]*\})", message)


def messages(file):
    with file.open("rb") as opened:
        return {message.id: message for message in read_po(opened) if message.id}


def fields(text):
    return {field for _literal, field, _form, _conversion in Formatter().parse(text) if field is not None}


def forms(message):
    return message.string if isinstance(message.string, tuple) else (message.string,)


def test_there_is_a_catalogue_for_every_language():
    assert sorted(FILES) == FOREIGN


@EVERY_LANGUAGE
def test_a_catalogue_has_every_message_and_none_that_is_not_used(language):
    assert messages(FILES[language]).keys() == messages(TEMPLATE).keys(), "run ./scripts/words, and translate"
    assert [message.id for message in messages(FILES[language]).values() if message.fuzzy] == []
    assert [message.id for message in messages(FILES[language]).values() if not all(forms(message))] == []


@EVERY_LANGUAGE
def test_a_translation_keeps_every_placeholder(language):
    for message in messages(FILES[language]).values():
        plural = message.id[-1] if isinstance(message.id, tuple) else message.id
        for form in forms(message):
            missing = fields(plural) ^ fields(form)
            assert missing <= ({"count"} if isinstance(message.id, tuple) else set()), message.id


@EVERY_LANGUAGE
@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_a_game_are_written_in_every_language_with_the_same_parts_and_tiles(game, language):
    english = rules_text(GAMES[game])
    speak(language)
    text = rules_text(GAMES[game])

    assert text != english
    for part in (r"(?m)^# ", r"(?m)^- "):
        assert len(re.findall(part, text)) == len(re.findall(part, english)), part
    assert Counter(re.findall(r"\d\|\d", english)) <= Counter(re.findall(r"\d\|\d", text))


def written(monkeypatch):
    """What is put on canvases from now on, and whether each of it was cut."""
    texts = []
    put = Canvas.put

    def noted(canvas, x, y, text, *others, **options):
        texts.append((text, x + columns(text) > canvas.width or text.endswith("…")))
        return put(canvas, x, y, text, *others, **options)

    monkeypatch.setattr(Canvas, "put", noted)
    return texts


WAITING = "…"
"""What stands beside the name of a player who is to bid."""


@pytest.mark.parametrize("language", ["en", *FOREIGN])
def test_no_screen_of_80_columns_cuts_a_sentence(language, monkeypatch):
    texts = written(monkeypatch)
    speak(language)
    cut = set()
    for name, screen in screens():
        screen.paint(80, 24)
        cut |= {(name, text) for text, was_cut in texts if was_cut and not of_names(text)}
        texts.clear()

    assert cut == set()


def of_names(text):
    """Whether only names are cut, or nothing."""
    return text == WAITING or text.endswith(" …") or any(text.startswith(f"{name} + ") for name in NAMES)


def test_every_word_on_every_screen_can_be_translated(monkeypatch):
    texts = written(monkeypatch)
    speak_by(Marked())
    plain = set()
    for name, screen in screens():
        screen.paint(80, 24)
        if not name.startswith("rules of"):  # whole pages are translated
            plain |= {(name, word) for text, _was_cut in texts for word in WORD.findall(text)}
        texts.clear()

    assert {(name, word) for name, word in plain if word not in PROPER} == set()


WORD = re.compile(r"[A-Za-z]*[aeiouyAEIOUY][A-Za-z]+|[A-Za-z]+[aeiouyAEIOUY][A-Za-z]*")
PROPER = {
    word
    for proper in (
        "BONEYARD Esc Enter Space Tab Home End PgUp PgDn boneyard join p192.0.2.7",
        "Maximili bela chen dora Felix Hub Dotty greedy damaged",  # names, and the file of a match that is damaged
        *NAMES,
        *(variant.name for variant in GAMES.values()),
        *LANGUAGES.values(),
        *(preset.local for preset in PRESETS.values()),
        *(place_name(preset.place) for preset in PRESETS.values()),
        *all_names(),
    )
    for word in WORD.findall(proper)
}
