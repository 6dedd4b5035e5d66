"""Quarantined tables: every player who had a seat there is informed once, and nobody can enter."""

import pytest

from core.words import Illegal
from net.host.front import QuarantinedTables
from net.table.table import Guest

ADA, BELA = Guest(1, "ada", "key A"), Guest(2, "bela", "key B")


@pytest.fixture
def quarantined_tables():
    quarantined_tables = QuarantinedTables()
    quarantined_tables.add(7, ["key A", "key C"])
    return quarantined_tables


def sentences(news):
    return [(guest, str(left.reason)) for guest, left in news]


def test_a_player_of_a_quarantined_table_is_informed_at_login(quarantined_tables):
    ((guest, sentence),) = sentences(quarantined_tables.messages_for(ADA))

    assert guest == 1
    assert sentence.startswith("Table 7 could not be resumed")


def test_the_message_is_sent_once_also_over_another_connection(quarantined_tables):
    quarantined_tables.messages_for(ADA)

    assert quarantined_tables.messages_for(ADA) == quarantined_tables.messages_for(Guest(9, "ada", "key A")) == []


def test_a_guest_without_a_seat_at_the_table_gets_no_message(quarantined_tables):
    assert quarantined_tables.messages_for(BELA) == []


def test_of_several_quarantined_tables_only_the_last_is_reported(quarantined_tables):
    quarantined_tables.add(9, ["key A"])

    assert "Table 9 " in sentences(quarantined_tables.messages_for(ADA))[0][1]
    assert quarantined_tables.messages_for(ADA) == []


def test_a_quarantined_table_is_closed_to_all_and_others_are_open(quarantined_tables):
    with pytest.raises(Illegal, match="Table 7 could not be resumed"):
        quarantined_tables.check(7)
    quarantined_tables.check(8)
