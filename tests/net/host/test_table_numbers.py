"""A standalone host counts its tables from the last number of an earlier run."""

from net.host.table_host import TableCounter
from net.wire.messages import MakeTable, Refused
from tests.net.party import Party


def test_numbers_go_up_from_the_last_one_and_are_given_once():
    numbers = TableCounter(7)
    assert numbers.next == 8
    assert [numbers.take(), numbers.take()] == [8, 9]
    numbers.skip(20)
    numbers.skip(3)
    assert numbers.take() == 21


class NoNumbers:
    """A counter whose reserve of table numbers is empty."""

    next = 0

    def take(self):
        raise AssertionError

    def skip(self, number):
        pass


def test_a_host_without_a_free_table_number_refuses_to_open_a_table():
    party = Party(numbers=NoNumbers())
    party.come(1, "ada")
    party.say(1, MakeTable("draw", 2, {}))

    assert isinstance(party.received[1][-1], Refused)
    assert "No table can be opened right now" in str(party.received[1][-1].reason)
    assert party.lobby.tables == {}
