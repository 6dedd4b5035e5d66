"""A client's observation of a match, and the comparison with its record."""

import pytest
from msgspec.structs import replace

from core.actions import Dealt
from core.records import referee, seal_of, write
from net.client.verify_match import ObservedMatch, check_record
from net.wire.messages import MakeTable, Sit, Update
from tests.net.party import Party
from tests.net.witnesses import chain_of, lines_of, play_with_keys


@pytest.fixture
def party(tmp_path):
    return play_with_keys(tmp_path)


@pytest.fixture
def seen(party):
    """Return the observations of ada's client."""
    seen = ObservedMatch()
    for message in party.received[1]:
        if isinstance(message, Update):
            seen.handle(message)
    return seen


def resealed(lines):
    return [*lines, write(seal_of(lines))]


def test_an_honest_record_equals_the_observation(party, seen):
    verdict = check_record(lines_of(party), None, seen)

    assert verdict.problem == ""
    assert verdict.chain == chain_of(party)
    assert seen.is_whole
    assert seen.seat == 0


def test_a_record_with_other_names_options_moves_or_results_is_detected(party, seen):
    lines = lines_of(party)[:-1]
    renamed = resealed([lines[0].replace('"bela"', '"eve"'), *lines[1:]])
    assert "players are not those" in check_record(renamed, None, seen).problem
    changed = resealed([lines[0].replace('"draw.reserve":0', '"draw.reserve":1'), *lines[1:]])
    assert check_record(changed, None, seen).problem
    other = Party(new_secret=lambda: b"another match")
    other.come(1, "ada")
    other.come(2, "bela")
    other.say(1, MakeTable("draw", 2, {"target": 50}))
    other.say(2, Sit(1))
    other.play_out(1, 2)
    assert "the record's" in check_record(resealed(lines_of(other)[:-1]), None, seen).problem or (
        "result is not that" in check_record(resealed(lines_of(other)[:-1]), None, seen).problem
    )


def test_another_equivalent_legal_action_differs_from_the_observation(party, seen):
    lines = lines_of(party)[:-1]
    tried = 0
    match = None
    for at, step in enumerate(referee(lines_of(party))):
        if '"action"' in lines[min(at, len(lines) - 1)] and match is not None:
            for action in match.legal:
                if action != getattr(step.line, "action", action):
                    other = resealed([*lines[:at], write(replace(step.line, action=action)), *lines[at + 1 :]])
                    tried += 1
                    assert check_record(other, None, seen).problem
        match = step.match
    assert tried


def test_of_a_match_that_was_missed_in_part_only_the_end_is_compared(party):
    updates = [message for message in party.received[1] if isinstance(message, Update)]
    seen = ObservedMatch()
    for update in [*updates[:5], *updates[8:]]:
        seen.handle(update)

    assert not seen.is_whole
    assert check_record(lines_of(party), None, seen).problem == ""
    over = replace(updates[-1].match, scores=tuple(score + 1 for score in updates[-1].match.scores))
    seen.handle(replace(updates[-1], number=updates[-1].number + 1, match=over))
    assert "result is not that" in check_record(lines_of(party), None, seen).problem


def test_a_repeated_update_is_handled_once(party):
    updates = [message for message in party.received[1] if isinstance(message, Update)]
    seen = ObservedMatch()
    for update in updates:
        seen.handle(update)
        seen.handle(replace(update, events=()))

    assert any(event == Dealt(1) for update in updates for event in update.events)
    assert seen.is_whole
    assert check_record(lines_of(party), None, seen).problem == ""


def test_tiles_that_differ_from_the_record_are_noticed_even_after_a_gap(party):
    updates = [message for message in party.received[1] if isinstance(message, Update)]
    at = next(at for at, update in enumerate(updates) if at > 6 and update.match and len(update.match.play.hand) > 1)
    hand = updates[at].match.play.hand
    other = tuple(sorted({(6, 6), (5, 5), (4, 4)} - set(hand)))[:1] + hand[1:]
    match = replace(updates[at].match, play=replace(updates[at].match.play, hand=other))
    for kept in (updates[:at], updates[: at - 3]):
        seen = ObservedMatch()
        for update in [*kept, replace(updates[at], match=match), *updates[at + 1 :]]:
            seen.handle(update)

        assert "tiles are not those" in check_record(lines_of(party), None, seen).problem
