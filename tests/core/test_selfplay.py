"""Bots against bots: the same seed gives the same match, and the record is an ordinary one."""

import json

import pytest

from core.bots.levels import play_match
from core.fair import commit
from core.games import GAMES
from core.match import new_match
from core.records import EndLine, MatchLine, SealLine, referee, write


def played(seed=b"seed", game="draw", players=2, level="random"):
    return list(play_match(new_match(GAMES[game], players, {}), (level,) * players, seed, "test"))


def lines(*args, **options):
    return [write(step.line) for step in played(*args, **options)]


def test_the_same_seed_gives_the_same_match_to_its_last_letter():
    assert lines(b"one") == lines(b"one")


def test_another_seed_gives_another_match():
    assert lines(b"one")[1:] != lines(b"two")[1:]


@pytest.mark.parametrize("game", ["draw", "cross", "forty-two"])
def test_every_step_has_its_line_and_they_are_numbered_from_one(game):
    steps = played(game=game, players=GAMES[game].seats[0])

    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert [step.number for step in referee(map(write, (step.line for step in steps)))] == [
        step.number for step in steps
    ]


def test_a_stopped_match_has_a_line_for_every_number(monkeypatch):
    monkeypatch.setattr("core.match.MOST_ROUNDS", 2)
    never = {"af.bonus": "own", "af.spinner": "none", "draw.max": 1}
    steps = list(play_match(new_match(GAMES["all-fives"], 4, never), ("random",) * 4, b"1 0", "test"))

    assert steps[-1].match.unfinished
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))


def test_the_seats_are_the_bots_with_their_levels():
    match = new_match(GAMES["draw"], 3, {})
    first = next(play_match(match, ("greedy", "random", "greedy"), b"seed", "test")).line

    assert [(seat.name, seat.bot) for seat in first.seats] == [
        ("greedy 1", "greedy"),
        ("random 2", "random"),
        ("greedy 3", "greedy"),
    ]


def test_the_record_commits_to_the_seed_and_reveals_it_at_the_end_without_shares():
    steps = played(b"the seed")
    first, end = steps[0].line, steps[-2].line

    assert isinstance(first, MatchLine)
    assert first.fair.commitment == commit(b"the seed")
    assert not any(share.pledge or share.share for share in first.fair.shares)
    assert isinstance(end, EndLine)
    assert bytes.fromhex(end.secret) == b"the seed"


def test_the_last_line_is_an_unsigned_seal():
    last = played()[-1].line

    assert isinstance(last, SealLine)
    assert (last.key, last.signature) == ("", "")
    assert json.loads(write(last))["type"] == "seal"
