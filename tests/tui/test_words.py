"""Words: everything that a player reads can be translated, per session, and nothing a player typed is a template."""

import asyncio
import gettext

import pytest
from msgspec.structs import replace

from core.actions import Hide, Pass
from core.bots.reasons.phrases import Hint, action_words
from core.games import GAMES
from core.presets import PRESETS
from core.tiles import tile
from core.words import several_words, words
from tests.tui.tables import DARK, match_at, moment_at
from tui.draw.scene import draw_foot, draw_middle, draw_title
from tui.i18n import _, begin_session, language_of, several, translate
from tui.rulebook import rules_page
from tui.text.headlines import match_headline
from tui.text.names import preset_at
from tui.text.notices import hint_sentence


class Shouting(gettext.NullTranslations):
    """A language in which every sentence is shouted, so that an untranslated one is visible."""

    def gettext(self, message):
        return "".join(message) if message.startswith("{") else "¡" + message

    def ngettext(self, singular, many, n):
        return "¡" + (singular if n == 1 else many)


@pytest.fixture(autouse=True)
def _english_again(monkeypatch):
    yield
    monkeypatch.undo()
    begin_session("en")


@pytest.fixture
def shouting(monkeypatch):
    monkeypatch.setattr("tui.i18n._catalogue", lambda _language: Shouting())
    begin_session("en")


def test_without_a_catalogue_the_words_are_english():
    begin_session("xx_YY.UTF-8")

    assert _("Play a tile.") == "Play a tile."


def test_values_are_filled_in_after_translating(shouting):
    assert _("{name} passes.", name="{0}") == "{0} passes."
    assert several("one {count}", "many {count}", 2) == "¡many 2"


def test_sentences_of_the_rules_are_translated_with_their_values(shouting):
    sentence = words("Nothing fits, {ends}: draw.", ends=words("all ends {number}", number=3))

    assert translate(sentence) == "¡Nothing fits, ¡all ends 3: draw."


def test_a_sentence_that_counts_has_the_form_of_its_language(shouting):
    assert translate(several_words("one {count}", "many {count}", 2)) == "¡many 2"
    assert translate(several_words("one {count}", "many {count}", 1)) == "¡one 1"


def test_a_seat_is_spoken_of_by_its_players_name():
    assert translate(words("{seat} is to play.", seat=1), ("ada", "b{e}la")) == "b{e}la is to play."


def test_the_language_belongs_to_the_session_and_not_to_the_process(monkeypatch):
    catalogues = {"es": Shouting(), "en": gettext.NullTranslations()}
    monkeypatch.setattr("tui.i18n._catalogue", catalogues.get)

    async def session(language):
        begin_session(language)
        await asyncio.sleep(0)
        return _("draw")

    async def both():
        return await asyncio.gather(session("es"), session("en"))

    assert asyncio.run(both()) == ["¡draw", "draw"]


def test_the_table_speaks_the_language_of_the_session(shouting):
    moment = moment_at((6, 1), "6|1", "0|0", boneyard="5|5")
    result = moment_at((6, 6), "4|1", "5|4")

    assert "¡Enter: play 6|1 at a, on the 6." in str(draw_foot(moment, 80, DARK))
    assert "¡your turn" in str(draw_foot(moment, 80, DARK))
    assert "¡to 100 · ¡round 2" in str(draw_title(moment, 80, DARK))
    assert "¡Blocked: the round is yours." in str(draw_middle(result, 80, 13, DARK))


def test_a_sentence_from_a_host_that_does_not_fit_its_values_is_shown_as_it_is():
    for text in ("{nothing}", "{0}", "{", "{x.y}", "{x[1]}", "{x:9q}"):
        assert translate(words(text, x=3)) == text
        assert translate(several_words("one", text, 2)) == text


@pytest.mark.parametrize(
    ("env", "language"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_DE", "LC_MESSAGES": "es_MX"}, "es"),
        ({"LANG": "de_DE", "LC_MESSAGES": "es_ES", "LC_ALL": "id_ID"}, "id"),
        ({"LANG": "de_DE", "LC_ALL": ""}, "de"),
        ({"LANG": "pt_PT@euro"}, "pt_BR"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LANGUAGE": "fr:es:de"}, "es"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "de"}, "en"),
        ({}, "en"),
    ],
)
def test_a_session_speaks_the_first_language_that_its_environment_names(env, language):
    assert language_of(env) == language


@pytest.mark.parametrize(
    ("language", "singular", "two"),
    [
        ("en", "ada wins the match.", "ada + chen win the match."),
        ("es", "ada gana la partida.", "ada + chen ganan la partida."),
        ("pt_BR", "ada ganha a partida.", "ada + chen ganham a partida."),
        ("de", "ada gewinnt die Partie.", "ada + chen gewinnen die Partie."),
    ],
)
def test_verbs_agree_with_how_many_have_won(language, singular, two):
    begin_session(language)
    view = match_at((6, 6), "4|1", "5|4").view(1)
    alone, result = replace(view, winners=(0,)), view.play.result

    assert match_headline(alone, result, ("ada", "bela"), 1, "") == singular
    partners = replace(alone, sides=2)
    assert match_headline(partners, result, ("ada", "bela", "chen", "dora"), 1, "") == two


def test_a_table_is_named_after_its_preset_and_its_page_begins_with_its_numbers():
    dominican = GAMES["partners"].rules(4, PRESETS["dominican"].options_for(4))[0]
    usual = GAMES["partners"].rules(4, {})[0]
    moment = moment_at((6, 1), "6|1", "0|0")
    table = replace(moment.update.table, game="partners", options=dominican)
    titled = replace(moment, update=replace(moment.update, table=table))

    assert "Dominican (patio)" in str(draw_title(titled, 50, DARK))
    assert preset_at("partners", dominican) == PRESETS["dominican"]
    assert preset_at("partners", usual) is None
    assert preset_at("partners", {**dominican, "target": 150}) is None
    page = rules_page(GAMES["partners"], dominican)
    assert page.startswith("# Dominican (patio)\n")
    assert "a capicúa, a last tile that fits both ends, scores 25 more" in page.partition("\n\n")[0]
    assert rules_page(GAMES["partners"], usual).startswith("# Partners")


@pytest.mark.parametrize(
    ("action", "sentence"), [(Pass(), "Passing is all that you can do."), (Hide((tile("5|1"),)), "Hiding 5|1 is …")]
)
def test_a_hint_begins_with_a_capital(action, sentence):
    why = words("{move} {deed}.", move=action_words(action), deed=words("is all that you can do"))

    assert hint_sentence(Hint(action, why, words("{move} is …", move=action_words(action))), (), 32) == sentence
