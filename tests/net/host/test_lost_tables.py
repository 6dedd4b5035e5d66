"""Quarantined tables: every player who had a seat there is informed once, and nobody can enter."""

import pytest

from core.words import Illegal
from net.host.front import QuarantinedTables
from net.table.table import Guest

ADA, BELA = Guest(1, "ada", "key A"), Guest(2, "bela", "key B")


@pytest.fixture
def lost_tables():
    lost_tables = QuarantinedTables()
    lost_tables.add(7, ["key A", "key C"])
    return lost_tables


def told(news):
    return [(guest, str(left.reason)) for guest, left in news]


def test_whoever_had_a_seat_there_is_told_on_coming_in(lost_tables):
    ((guest, sentence),) = told(lost_tables.messages_for(ADA))

    assert guest == 1
    assert sentence.startswith("Table 7 could not be resumed")


def test_it_is_told_once_also_over_another_connection(lost_tables):
    lost_tables.messages_for(ADA)

    assert lost_tables.messages_for(ADA) == lost_tables.messages_for(Guest(9, "ada", "key A")) == []


def test_everybody_else_hears_nothing_of_it(lost_tables):
    assert lost_tables.messages_for(BELA) == []


def test_of_several_such_tables_the_last_is_told_and_the_others_never(lost_tables):
    lost_tables.add(9, ["key A"])

    assert "Table 9 " in told(lost_tables.messages_for(ADA))[0][1]
    assert lost_tables.messages_for(ADA) == []


def test_nobody_can_go_to_such_a_table_and_to_others_everybody(lost_tables):
    with pytest.raises(Illegal, match="Table 7 could not be resumed"):
        lost_tables.check(7)
    lost_tables.check(8)
