"""Words of the rules: a number has the right article."""

import pytest

from core.words import a_number


@pytest.mark.parametrize(("number", "said"), [(0, "a 0"), (1, "a 1"), (8, "an 8"), (11, "an 11"), (18, "an 18")])
def test_a_number_has_its_article(number, said):
    assert str(a_number(number)) == said
