"""The matches of one table: the referee accepts their records, also after a redeal."""

import pytest

from core.actions import MatchOver
from core.fair import deal_order
from core.games import GAMES
from core.match import new_match
from core.records import Seat, referee
from net.table.persistence import Dealer, RecordedMatch

SEATS = (Seat("ada"), Seat("bela"))


def secret_of_a_redeal(at: int) -> bytes:
    """Return a secret for which deal number `at` gives neither of two players a double."""
    tiles = new_match(GAMES["cross"], 2, {}).rules.tiles
    secrets = (str(number).encode() for number in range(10_000))
    return next(s for s in secrets if not any(t.is_double for t in deal_order(tiles, 2, s, at)[0][:14]))


def begun(at: int) -> RecordedMatch:
    return RecordedMatch.of(new_match(GAMES["cross"], 2, {}), Dealer(lambda: secret_of_a_redeal(at), "test"))


def played_on(play: RecordedMatch) -> RecordedMatch:
    """Return the same play after its next round, or its next deal if no seat can lead that."""
    play, _ = play.deal(SEATS)
    while play.turn >= 0:
        play, _ = play.apply(play.bot_action("greedy"))
    return play


@pytest.mark.parametrize("at", [1, 2])
def test_a_table_with_a_redeal_is_resumed_and_its_record_accepted(at):
    play = begun(at)
    for _ in range(at):
        play = played_on(play)
    assert play.match.state.result.how == "redeal"
    resumed = begun(at).resume(play.lines, play.shuffle)
    assert (resumed.match.state, resumed.match.deals) == (play.match.state, at)
    while resumed.in_progress:
        resumed = played_on(resumed)

    assert len(list(referee(resumed.lines))) == len(resumed.lines)


def test_a_match_has_just_begun_until_its_first_redeal():
    play = played_on(begun(1))

    assert len(play.lines) == 3
    assert play.has_just_begun
    play, _ = play.deal(SEATS)
    assert not play.has_just_begun


def test_a_match_that_was_ended_without_a_result_is_resumed_as_over(monkeypatch):
    monkeypatch.setattr("core.match.MOST_ROUNDS", 1)
    play, events = played_on(begun(9)).stop()
    assert [type(event) for event in events] == [MatchOver]
    resumed = begun(9).resume(play.lines, play.shuffle)

    assert resumed.match.unfinished
    assert not resumed.in_progress
    resumed, _ = resumed.deal(SEATS)
    assert (resumed.match.round, resumed.match.unfinished) == (1, False)


def test_an_action_leaves_the_state_before_it_unchanged():
    before = begun(9)
    play, _ = before.deal(SEATS)
    after, _ = play.apply(play.bot_action("greedy"))

    assert (before.match, before.lines) == (None, ())
    assert after.lines[: len(play.lines)] == play.lines
    assert len(after.lines) > len(play.lines)
