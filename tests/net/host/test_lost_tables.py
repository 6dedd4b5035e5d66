"""Tables that could not be taken up again: whoever had a seat there is told once, and nobody gets in."""

import pytest

from core.words import Illegal
from net.host.lost_tables import Missed
from net.table.seats import Guest

ADA, BELA = Guest(1, "ada", "key A"), Guest(2, "bela", "key B")


@pytest.fixture
def missed():
    missed = Missed()
    missed.note(7, ["key A", "key C"])
    return missed


def told(news):
    return [(guest, str(left.reason)) for guest, left in news]


def test_whoever_had_a_seat_there_is_told_on_coming_in(missed):
    ((guest, sentence),) = told(missed.news(ADA))

    assert guest == 1
    assert sentence.startswith("Table 7 could not be restored")


def test_it_is_told_once_also_over_another_connection(missed):
    missed.news(ADA)

    assert missed.news(ADA) == missed.news(Guest(9, "ada", "key A")) == []


def test_everybody_else_hears_nothing_of_it(missed):
    assert missed.news(BELA) == []


def test_of_several_such_tables_the_last_is_told_and_the_others_never(missed):
    missed.note(9, ["key A"])

    assert "Table 9 " in told(missed.news(ADA))[0][1]
    assert missed.news(ADA) == []


def test_nobody_can_go_to_such_a_table_and_to_others_everybody(missed):
    with pytest.raises(Illegal, match="Table 7 could not be restored"):
        missed.check(7)
    missed.check(8)
