"""Words of the rules: a number has the right article, and a noun the right plural form."""

import pytest

from core.words import Words, a_number, several_words


@pytest.mark.parametrize(("number", "phrase"), [(0, "a 0"), (1, "a 1"), (8, "an 8"), (11, "an 11"), (18, "an 18")])
def test_a_number_has_its_article(number, phrase):
    assert str(a_number(number)) == phrase


@pytest.mark.parametrize(("count", "sentence"), [(0, "play 0 tiles"), (1, "play 1 tile"), (2, "play 2 tiles")])
def test_a_sentence_has_the_form_of_its_number(count, sentence):
    assert str(several_words("play {count} tile", "play {count} tiles", count)) == sentence


@pytest.mark.parametrize("values", [{}, {"count": "two"}])
def test_without_a_number_the_first_template_is_used(values):
    assert Words("play", values, "play {count} tiles").count is None
    assert str(Words("play", values, "play {count} tiles")) == "play"
