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
def observed(party):
    """Return the observations of ada's client."""
    observed = ObservedMatch()
    for message in party.received[1]:
        if isinstance(message, Update):
            observed.handle(message)
    return observed


def reseal(lines):
    return [*lines, write(seal_of(lines))]


def test_an_honest_record_equals_the_observation(party, observed):
    verdict = check_record(lines_of(party), None, observed)

    assert verdict.problem == ""
    assert verdict.chain == chain_of(party)
    assert observed.is_whole
    assert observed.seat == 0


def test_a_record_with_other_names_or_options_is_detected(party, observed):
    lines = lines_of(party)[:-1]
    renamed = reseal([lines[0].replace('"bela"', '"eve"'), *lines[1:]])
    assert "players are not those" in check_record(renamed, None, observed).problem
    other_options = reseal([lines[0].replace('"draw.reserve":0', '"draw.reserve":1'), *lines[1:]])
    assert check_record(other_options, None, observed).problem


def test_the_record_of_another_match_is_detected(observed):
    other_party = Party(new_secret=lambda: b"another match")
    other_party.come(1, "ada")
    other_party.come(2, "bela")
    other_party.say(1, MakeTable("draw", 2, {"target": 50}))
    other_party.say(2, Sit(1))
    other_party.play_out(1, 2)
    problem = check_record(reseal(lines_of(other_party)[:-1]), None, observed).problem
    assert "the record's" in problem or "result is not that" in problem


def test_another_equivalent_legal_action_differs_from_the_observation(party, observed):
    lines = lines_of(party)[:-1]
    records_checked = 0
    match = None
    for index, step in enumerate(referee(lines_of(party))):
        if '"action"' in lines[min(index, len(lines) - 1)] and match is not None:
            for action in match.legal:
                if action != getattr(step.line, "action", action):
                    changed_record = reseal(
                        [*lines[:index], write(replace(step.line, action=action)), *lines[index + 1 :]]
                    )
                    records_checked += 1
                    assert check_record(changed_record, None, observed).problem
        match = step.match
    assert records_checked


def test_of_a_match_that_was_missed_in_part_only_the_end_is_compared(party):
    updates = [message for message in party.received[1] if isinstance(message, Update)]
    observed = ObservedMatch()
    for update in [*updates[:5], *updates[8:]]:
        observed.handle(update)

    assert not observed.is_whole
    assert check_record(lines_of(party), None, observed).problem == ""
    changed_result = replace(updates[-1].match, scores=tuple(score + 1 for score in updates[-1].match.scores))
    observed.handle(replace(updates[-1], number=updates[-1].number + 1, match=changed_result))
    assert "result is not that" in check_record(lines_of(party), None, observed).problem


def test_a_repeated_update_is_handled_once(party):
    updates = [message for message in party.received[1] if isinstance(message, Update)]
    observed = ObservedMatch()
    for update in updates:
        observed.handle(update)
        observed.handle(replace(update, events=()))

    assert any(event == Dealt(1) for update in updates for event in update.events)
    assert observed.is_whole
    assert check_record(lines_of(party), None, observed).problem == ""


def test_tiles_that_differ_from_the_record_are_noticed_even_after_a_gap(party):
    updates = [message for message in party.received[1] if isinstance(message, Update)]
    index = next(
        index
        for index, update in enumerate(updates)
        if index > 6 and update.match and len(update.match.play.hand) > 1
    )
    hand = updates[index].match.play.hand
    changed_hand = tuple(sorted({(6, 6), (5, 5), (4, 4)} - set(hand)))[:1] + hand[1:]
    match = replace(updates[index].match, play=replace(updates[index].match.play, hand=changed_hand))
    for updates_before in (updates[:index], updates[: index - 3]):
        observed = ObservedMatch()
        for update in [*updates_before, replace(updates[index], match=match), *updates[index + 1 :]]:
            observed.handle(update)

        assert "tiles are not those" in check_record(lines_of(party), None, observed).problem
