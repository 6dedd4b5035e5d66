"""The parts of a hint's sentence: names of actions, numbers, and the result of a search."""

from core.actions import Play
from core.bots.profiles import ActionValue, Thought
from core.bots.reasons.phrases import (
    SearchComparison,
    action_words,
    compare_with_rivals,
    number_as_word,
    number_words,
    pips_words,
)
from core.tiles import tile

FIRST, SECOND = Play(tile("5|3"), 0, 0, 5), Play(tile("6|4"), 0, 0, 6)
NAMES = {action: action_words(action) for action in (FIRST, SECOND)}


def said(first, second, *, exact=False, marks=False, error=0.0):
    judged = [ActionValue(FIRST, first, 0.0, error, 120), ActionValue(SECOND, second, 0.0, error, 120)]
    compared = compare_with_rivals(Thought(FIRST, judged, exact), FIRST, NAMES, marks=marks)
    return " ".join(map(str, compared.effects)), compared.better


def test_numbers_are_written_as_players_write_them():
    assert [str(number_as_word(number)) for number in (0, 2, 9, 11)] == ["0", "two", "nine", "11"]
    assert [str(pips_words(number)) for number in (0, 5, 7, 12)] == ["blanks", "fives", "7s", "12s"]
    assert [str(number_words(value)) for value in (12.0, 3.24, -4.0, -0.01)] == ["12", "3.2", "−4", "0"]


def test_a_move_is_compared_with_the_best_other_one():
    assert said(5.2, 2.0) == ("beats 6|4 by 3.2 points in 120 possible deals", True)
    assert said(1.0, 0.0)[0].startswith("beats 6|4 by one point in")
    assert said(0.4, 0.0, marks=True)[0].startswith("beats 6|4 by 0.4 marks in")
    assert said(2.0, 2.5) == ("does as well as 6|4 in 120 possible deals", False)


def test_if_nothing_is_hidden_the_gains_are_named():
    assert said(12.0, 4.0, exact=True)[0] == "gains 12 points; 6|4 only 4"
    assert said(12.0, -4.0, exact=True)[0] == "gains 12 points; 6|4 loses 4"
    assert said(-3.0, -8.0, exact=True)[0] == "loses only 3 points; 6|4 loses 8"
    assert said(4.0, 4.0, exact=True)[0] == "is as good as 6|4, whatever follows"


def test_a_single_action_has_no_comparison():
    assert compare_with_rivals(Thought(FIRST, []), FIRST, NAMES, marks=False) == SearchComparison()
    judged = [ActionValue(FIRST, 1.0, 0.0, 0.0, 9), ActionValue(FIRST, 1.0, 0.0, 0.0, 9)]
    assert compare_with_rivals(Thought(FIRST, judged), FIRST, NAMES, marks=False) == SearchComparison()
