"""The level `greedy-1` bids and plays tricks the same for ever."""

from tests.core.bots.first.test_layouts import played


def test_the_first_greedy_bot_bids_and_lays_what_it_always_did():
    assert played("forty-two", 4) == "a337f14d6ef3c694"
