"""Endless matches are stopped after a number of rounds or actions, and reported as unfinished (`docs/rules` §9)."""

import pytest
from msgspec.structs import replace

from core import match as core_match
from core.actions import MatchOver
from core.bots.levels import play_match
from core.games import GAMES
from core.match import MOST_ROUNDS, new_match
from core.records import EndLine, RecordError, ScoreLine, referee, write
from core.words import Illegal

NEVER = {"af.bonus": "own", "af.spinner": "none", "draw.max": 1}


@pytest.fixture
def soon(monkeypatch):
    """Let a match count as endless after three rounds."""
    monkeypatch.setattr(core_match, "MOST_ROUNDS", 3)


def steps(players=4, **chosen):
    match = new_match(GAMES["all-fives"], players, NEVER | chosen)
    return list(play_match(match, ("random",) * players, b"1 0", "test"))


def test_a_simulated_match_without_a_result_after_a_thousand_rounds_is_stopped(soon):
    *_, last, _seal = steps()

    assert MOST_ROUNDS == 1000
    assert last.match.round == core_match.MOST_ROUNDS
    assert (last.match.over, last.match.unfinished, last.match.winners) == (True, True, ())
    assert last.line == EndLine((), b"1 0".hex(), unfinished=True)


def test_a_match_is_stopped_after_max_actions_in_mid_round_which_then_pays_nothing(monkeypatch):
    monkeypatch.setattr(core_match, "MOST_ACTIONS", 50)
    played = steps()
    before, last = played[-3].match, played[-2].match

    assert (last.actions, before.is_deal_due) == (50, False)
    assert (last.state.result.how, last.turn, last.legal) == ("stopped", -1, ())
    assert last.scores == before.scores
    assert not last.is_deal_due
    assert len(list(referee(write(step.line) for step in played))) == len(played)


def test_the_record_of_an_unfinished_match_is_accepted_and_another_may_follow(soon):
    lines = [write(step.line) for step in steps()] * 2

    assert lines[-2].endswith('"unfinished":true}')
    assert sum(isinstance(step.line, EndLine) and step.line.unfinished for step in referee(lines)) == 2


def test_a_match_that_can_still_end_may_not_be_stopped(soon):
    played = steps()
    end = write(played[-2].line)
    for at in (1, 2, 30):
        with pytest.raises(RecordError, match="no result after 3 rounds"):
            list(referee([*(write(step.line) for step in played[:at]), end]))
    with pytest.raises(Illegal):
        played[30].match.stop()


def test_an_unfinished_match_has_no_winner_and_tells_the_secret(soon):
    lines = [write(step.line) for step in steps()]
    for changed in (EndLine((0,), b"1 0".hex(), unfinished=True), EndLine((), b"2".hex(), unfinished=True)):
        with pytest.raises(RecordError):
            list(referee([*lines[:-2], write(changed), lines[-1]]))


def test_a_finished_match_is_not_marked_unfinished():
    match = new_match(GAMES["draw"], 2, {"target": 50})
    last = list(play_match(match, ("greedy", "greedy"), b"1", "test"))[-2]

    assert "unfinished" not in write(last.line)
    assert not last.match.view(0).unfinished
    assert not last.match.endless


def test_a_view_says_that_the_match_may_never_end(soon):
    played = steps()
    last_score = next(step for step in reversed(played) if isinstance(step.line, ScoreLine))

    assert last_score.match.view(-1).endless
    assert not played[5].match.view(-1).endless
    assert replace(last_score.match, actions=0).stop()[1] == (MatchOver((), unfinished=True),)
