"""The matches of one table: the referee accepts their records, also after a redeal."""

import pytest

from core.actions import MatchOver
from core.fair import deal_order
from core.games import GAMES
from core.match import new_match
from core.records import Seat, referee
from net.table.persistence import Dealer, RecordedMatch

SEATS = (Seat("ada"), Seat("bela"))


def secret_of_a_redeal(deal_number: int) -> bytes:
    """Return a secret for which deal `deal_number` gives neither of two players a double."""
    tiles = new_match(GAMES["cross"], 2, {}).rules.tiles
    secrets = (str(number).encode() for number in range(10_000))
    for secret in secrets:
        order, _ = deal_order(tiles, 2, secret, deal_number)
        if not any(tile.is_double for tile in order[:14]):  # two hands of 7
            return secret
    raise AssertionError("every deal has a double")


def new_recorded_match(redeal_number: int) -> RecordedMatch:
    return RecordedMatch.of(
        new_match(GAMES["cross"], 2, {}), Dealer(lambda: secret_of_a_redeal(redeal_number), "test")
    )


def play_round(play: RecordedMatch) -> RecordedMatch:
    """Return the match after its next round, or after its next deal if no seat can lead."""
    play, _ = play.deal(SEATS)
    while play.turn >= 0:
        play, _ = play.apply(play.bot_action("greedy"))
    return play


@pytest.mark.parametrize("redeal_number", [1, 2])
def test_a_table_with_a_redeal_is_resumed_and_its_record_accepted(redeal_number):
    play = new_recorded_match(redeal_number)
    for _ in range(redeal_number):
        play = play_round(play)
    assert play.match.state.result.how == "redeal"
    resumed = new_recorded_match(redeal_number).resume(play.lines, play.shuffle)
    assert (resumed.match.state, resumed.match.deals) == (play.match.state, redeal_number)
    while resumed.in_progress:
        resumed = play_round(resumed)

    assert len(list(referee(resumed.lines))) == len(resumed.lines)


def test_a_match_has_just_begun_until_its_first_redeal():
    play = play_round(new_recorded_match(1))

    assert len(play.lines) == 3
    assert play.has_just_begun
    play, _ = play.deal(SEATS)
    assert not play.has_just_begun


def test_a_match_that_was_ended_without_a_result_is_resumed_as_over(monkeypatch):
    monkeypatch.setattr("core.match.MOST_ROUNDS", 1)
    play, events = play_round(new_recorded_match(9)).stop()
    assert [type(event) for event in events] == [MatchOver]
    resumed = new_recorded_match(9).resume(play.lines, play.shuffle)

    assert resumed.match.unfinished
    assert not resumed.in_progress
    resumed, _ = resumed.deal(SEATS)
    assert (resumed.match.round, resumed.match.unfinished) == (1, False)


def test_an_action_leaves_the_state_before_it_unchanged():
    undealt = new_recorded_match(9)
    dealt, _ = undealt.deal(SEATS)
    played, _ = dealt.apply(dealt.bot_action("greedy"))

    assert (undealt.match, undealt.lines) == (None, ())
    assert played.lines[: len(dealt.lines)] == dealt.lines
    assert len(played.lines) > len(dealt.lines)
