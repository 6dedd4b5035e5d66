"""Languages: every catalogue has all messages and keeps placeholders, and every screen has room for each of them."""

import gettext
import re
from collections import Counter
from string import Formatter
from typing import NamedTuple

import pytest
from babel.messages.pofile import read_po

from core.games import GAMES
from core.presets import PRESETS
from scripts.catalogues import LOCALES, sources
from tests.tui.every_screen import screens, table
from tests.tui.tables import DARK, match_at, update_at
from tests.tui.test_compact import NAMES
from themes import all_names
from tui.board.canvas import Canvas, columns
from tui.i18n import LANGUAGES, begin_session
from tui.rulebook import rules_text, translated_page
from tui.screens.menu import MenuScreen
from tui.screens.pick_list import PickScreen
from tui.screens.table import TableScreen
from tui.text.names import find_game, game_name

FILES = {source.parent.parent.name: source for source in sources()}
TEMPLATE = LOCALES / "boneyard.pot"
FOREIGN = sorted(set(LANGUAGES) - {"en"})
EVERY_LANGUAGE = pytest.mark.parametrize("language", FOREIGN)


@pytest.fixture(autouse=True)
def _english_again(monkeypatch):
    yield
    monkeypatch.undo()
    begin_session("en")


class Marked(gettext.NullTranslations):
    """A language with an accent on every vowel, so that an untranslated word is visible."""

    def gettext(self, message):
        return "".join(part if part.startswith("{") else part.translate(ACCENTS) for part in split(message))

    def ngettext(self, singular, many, n):
        return self.gettext(singular if n == 1 else many)

    def pgettext(self, context, message):
        return self.gettext(message)


ACCENTS = str.maketrans("aeiouyAEIOUY", "áéíóúýÁÉÍÓÚÝ")


def split(message):
    return re.split(r"(\{[^}]*\})", message)


def messages(file):
    with file.open("rb") as opened:
        return {(message.context, message.id): message for message in read_po(opened) if message.id}


def fields(text):
    return {field for _literal, field, _form, _conversion in Formatter().parse(text) if field is not None}


def forms(message):
    return message.string if isinstance(message.string, tuple) else (message.string,)


def test_there_is_a_catalogue_for_every_language():
    assert sorted(FILES) == FOREIGN


@EVERY_LANGUAGE
def test_a_catalogue_has_every_message_and_none_that_is_not_used(language):
    assert messages(FILES[language]).keys() == messages(TEMPLATE).keys(), "run ./scripts/words"


@EVERY_LANGUAGE
def test_a_translation_keeps_every_placeholder(language):
    for message in messages(FILES[language]).values():
        plural = message.id[-1] if isinstance(message.id, tuple) else message.id
        for form in filter(None, forms(message)):
            missing = fields(plural) ^ fields(form)
            assert missing <= ({"count"} if isinstance(message.id, tuple) else set()), (
                f"{FILES[language]}: “{form}” lacks placeholders of “{plural}”; mend it and run ./scripts/words"
            )


@EVERY_LANGUAGE
def test_translated_rules_have_the_parts_and_tiles_of_the_english(language):
    for game in GAMES.values():
        begin_session("en")
        english = rules_text(game)
        page = translated_page(language, game.id)

        assert page != english, f"tui/rulebook/{language}/{game.id}.md is in English; remove it"
        missing = Counter(re.findall(r"\d\|\d", english)) - Counter(re.findall(r"\d\|\d", page or english))
        assert not missing, f"tui/rulebook/{language}/{game.id}.md has no {', '.join(missing)}"


@EVERY_LANGUAGE
def test_words_equal_to_the_english_are_names_or_the_same_word(language):
    same = {
        form
        for message in messages(FILES[language]).values()
        for form in forms(message)
        if form in (message.id if isinstance(message.id, tuple) else (message.id,))
        if re.search("[A-Za-z]{2}", re.sub(r"\{[^}]*\}|%\(\w+\)s", "", form))
    }
    assert same - NAMES_ANYWHERE - SAME_WORDS[language] == set(), (
        f"empty these translations in {FILES[language]} and run ./scripts/words, or add them to SAME_WORDS"
    )


NAMES_ANYWHERE = {
    *("Amazonense", "Bergen", "Blind Hughie", "Five-Up", "Gaple", "Jie Long", "Matador", "Six Love", "Spinner"),
    *("Telefon", "Tiddly-Wink", "Tien Gow", "Wildstar", "Mexican Train", "Chickenfoot"),
    *("Bones", "Ce Deng", "Muggins", "One-Arm Joe", "Pernambuco", "Sebastopol", "Sniff"),
    *("Chile", "China", "Cuba", "Jamaica", "Puerto Rico", "Venezuela"),
    *("Capicúa!", "Chuchazo!", "Cruzada!", "Choice({choices})", "Enter: {what}"),
}
"""Names that are the same in all or some languages: games, presets, calls, and keys."""
_BOTS = {"bot", "bots", "bot: {how}", "{count} bot", "{count} bots"}
SAME_WORDS = {
    "es": {*_BOTS, "Error: {message}", "mouse", "no", "normal"},
    "pt_BR": {*_BOTS, "mouse", "normal"},
    "de": {"Patience", "normal"},
    "id": {
        *_BOTS,
        *("Server log: {file}", "file", "film", "mouse", "normal", "path", "sevens"),
        *("plunge, {count} mark", "splash, {count} mark", "{count} blunder", "{count} mark"),
    },
}
"""Words that are correct and spelt as in English."""


CODE = re.compile(r"\{host\}|`[^`]*`|[“„]boneyard[^”“]*[”“]|'boneyard [^']*'|--[\w-]+|\b\w+[._]\w+\b")
"""Commands, options, file names and one placeholder, which keep their English words."""
FORBIDDEN = {
    "es": (
        *(r"anfitri[oó]n", r"\bpuls[aáeo]", r"puntuaci[oó]n", r"[«»]", r"\bmedias? blancas?\b", r"\botra puerta\b"),
        *(r"\brelato\b", r"\basesor\b", r"\b[Pp]asar \{tile\}", r"\bpasos (dejan de pagar|pagan)", r"\bencaja"),
        *(r"\bjuego de doble\b", r"\bvisita terminó"),
    ),
    "pt_BR": (
        *(r"anfitri[aãoõ]", r"\bsaguão\b", r"\bmutar\b", r"\btrancamento\b", r"\bt[eê]m de\b", r"\brelato\b"),
        *(r"\b[Nn]uma?\b", r"\blados longos\b", r"\b12 pontos\b", r"\boutra porta\b", r"\bpasses (não )?pagam\b"),
        *(r"\bjogo duplo\b", r"\bsinos?\b", r"\bcampainha\b"),
    ),
    "de": (
        *(r"\bHosts?\b", r"\bGastgeber", r"\b[Ww]art\b", r"\b[Ss]chluss (zu )?mach", r"\b[Mm]ach\w* (.* )?Schluss\b"),
        *(r"Schlussmachen", r"\bPass mit\b", r"\b(Nenne|Schicke|Tippe|Lege|Kopiere|Versuche|Hole|[Mm]erke)\b"),
        *(r"\bTür(en)?\b", r"\bBesuch\b", r"(\{name\}|\bwer) bot\b", r"\bTelefon mit|\bPässe (können )?zahlen\b"),
    ),
    "id": (
        *(r"\bhost\b", r"\b[Tt]uan rumah\b", r"\bporta\b", r"\bberkas", r"\bbatu\b", r"\bdobel (enam|sembilan|dua)"),
        *(r"\b([Kk]artu|[Ss]et) Tiongkok\b", r"\baturan rumah", r"\b[Ss]alib\b(?! Malta)", r"\bpembantu\b"),
        *(
            r"\b[Ss]aya\b",
            r"\bberbicara (SSH|HTTPS)",
            r"\b[Kk]amu habis\b",
            r"\b(semua|satu) tangan\b",
            r"\bserasi\b",
        ),
        *(r"\bhalaman Rusia\b", r"\blewat (bisa )?membayar\b", r"\bpintu"),
    ),
}
"""Words that translators have written and players misread; the glossaries in docs/languages have better ones.

*Salib Malta* is the name of a cross; *Tiongkok* is the country, and its tiles are *kartu Tionghoa*.
"""


@EVERY_LANGUAGE
def test_no_message_and_no_rule_page_has_a_forbidden_word(language):
    begin_session(language)
    texts = [(message.id, form) for message in messages(FILES[language]).values() for form in forms(message)]
    texts += [(game, translated_page(language, game)) for game in GAMES]

    assert [
        (where, match[0])
        for where, text in texts
        for pattern in FORBIDDEN[language]
        for match in re.finditer(pattern, CODE.sub("", text))
    ] == [], f"docs/languages/{language}.md has the words to use; then run ./scripts/words"


@EVERY_LANGUAGE
def test_a_game_is_found_by_its_name_in_a_language_and_by_its_english_one(language):
    begin_session(language)

    search = PickScreen(DARK, "", MenuScreen(DARK)._game_items(lambda listed: listed), "")
    for game in GAMES:
        for name in (game_name(game), game, GAMES[game].name):
            assert search.find_items(name)[0].value().id == find_game(name).id == game
        if page := translated_page(language, game):
            assert page.startswith(f"# {game_name(game)}"), f"tui/rulebook/{language}/{game}.md has another title"


class Written(NamedTuple):
    """Text that is put on a canvas."""

    text: str
    cut: bool
    into: str
    """The row in which it runs into another text; empty for none."""


def written(monkeypatch):
    """Record the texts that are put on canvases from now on."""
    texts = []
    put = Canvas.put

    def record_text(canvas, x, y, text, *others, **options):
        if text and not text.isspace():
            row = (canvas._chars[y] if 0 <= y < canvas.height else None) or ()
            cut = x + columns(text) > canvas.width or text.endswith("…")
            texts.append(Written(text, cut, "".join(cell or " " for cell in row) if runs_into(row, x, text) else ""))
        return put(canvas, x, y, text, *others, **options)

    monkeypatch.setattr(Canvas, "put", record_text)
    return texts


def runs_into(row, x, text):
    """Return True if a text put on a row of cells would cover other letters, or begin right behind a letter."""
    if 0 < x <= len(row) and text[0].isalpha() and (row[x - 1] or " ").isalpha():
        return True
    covered = row[max(0, x) : x + len(text)]
    return any(
        old and old != new and old.isalpha() and new.isalpha() for old, new in zip(covered, text, strict=False)
    )


WAITING = "…"
"""The mark beside the name of a player who is to bid."""
NARROW, USUAL, WIDE = (50, 18), (80, 24), (120, 40)


class SeenTexts:
    """The texts of the screens in one language."""

    def __init__(self):
        self.cut, self.into, self.cut_when_narrow, self.helped, self.whole = set(), set(), set(), set(), {}

    def look_at(self, texts, name, screen, size):
        """Paint a screen, which fills its window; return True if anything in it is cut."""
        texts.clear()
        rows = screen.draw(*size).rows
        assert [columns("".join(text for text, _ in row)) for row in rows] == [size[0]] * size[1], (name, size)
        self.into.update((name, size, put.text, put.into) for put in texts if put.into)
        cut = {(name, put.text) for put in texts if put.cut and not cuts_only_names(put.text)}
        if size[0] == NARROW[0]:
            self.cut_when_narrow.update(cut)
            self.whole[" ".join(put.text for put in texts if not put.cut)] = None
        else:
            self.cut.update(cut)
        return bool(cut)

    def texts_never_shown_in_full(self):
        """Return the texts that a narrow screen cuts and no other screen has in full, except for some rules."""
        said = " ".join(self.whole)
        return {
            (name, text)
            for name, text in self.cut_when_narrow
            if not (name.startswith("presets") and re.search("[;:]", text))
            if text.strip("◀▶ …") not in said
        }


def in_every_language():
    """Yield every screen in one language after the other, so that the tiles on it are drawn once."""
    begun = {language: screens() for language in LANGUAGES}
    while True:
        for language, further in begun.items():
            begin_session(language)
            if not (entry := next(further, None)):
                return
            yield language, *entry


def test_every_screen_fills_its_window_and_no_sentence_is_lost_or_runs_into_another(
    monkeypatch,
):
    texts = written(monkeypatch)
    seen_texts = {language: SeenTexts() for language in LANGUAGES}

    for language, name, screen in in_every_language():
        seen = seen_texts[language]
        cuts = seen.look_at(texts, name, screen, NARROW)
        for size in (USUAL, WIDE) if language == "de" else (USUAL,):
            seen.look_at(texts, name, screen, size)
        if isinstance(screen, TableScreen) and (cuts or name not in seen.helped):
            seen.helped.add(name)
            seen.look_at(texts, name, screen.help_for(screen._client.update), (NARROW[0], 60))
        elif isinstance(screen, PickScreen):  # others come with the cursor on each of their rows
            for _row in range(screen.count):  # all around: the list of languages uses the one under the cursor
                screen.action_move(1)
                seen.look_at(texts, name, screen, NARROW)

    assert {language: seen.into | seen.cut for language, seen in seen_texts.items() if seen.into | seen.cut} == {}
    assert {
        language: lost for language, seen in seen_texts.items() if (lost := seen.texts_never_shown_in_full())
    } == {}


def cuts_only_names(text):
    """Return True if nothing is cut in a text, or only names."""
    return (
        text == WAITING
        or text.endswith(" …")
        or re.fullmatch(r"[^\d]* [\d, ]+,?…", text) is not None  # numbers that some players have passed
        or any(text.startswith(f"{name} + ") for name in NAMES)
        or any(re.fullmatch(f"[●○] {name[:4]}.*…", text) for name in NAMES)
    )


def test_every_word_on_every_screen_can_be_translated(monkeypatch):
    texts = written(monkeypatch)
    monkeypatch.setattr("tui.i18n._catalogue", lambda _language: Marked())
    begin_session("en")
    plain = set()
    for name, screen in screens():
        screen.draw(80, 24)
        if not name.startswith("rules of"):  # whole pages are translated
            plain |= {(name, word) for put in texts for word in WORD.findall(put.text)}
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
        *all_names(),
    )
    for word in WORD.findall(proper)
}


@pytest.mark.parametrize("size", [NARROW, USUAL, WIDE])
def test_images_of_one_language_are_not_shown_in_another(size):
    def who_is_out():
        screen = table(update_at(match_at((6, 1), "", "0|0 5|4")))
        screen.action_look()  # all hands are turned over
        return re.search(r"\bout\b", str(screen.draw(*size)))

    begin_session("de")
    assert not who_is_out()
    begin_session("en")
    assert who_is_out()
