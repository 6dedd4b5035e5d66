"""A recorded match is split into its deals, and into decisions with the view of the seat at that time."""

import pytest

from core.coach.review import NoMatchError, read_match
from core.records import PLAYED, ActionLine, BackLine, DealLine, RecordError, referee
from tests.core.coach.matches import lines, played
from tests.taken_back import record

SHOWN = [step for step in referee(lines()) if isinstance(step.line, DealLine | ActionLine)]


def test_a_decision_has_several_legal_actions_and_the_chosen_one():
    decisions = played().decisions

    assert decisions
    assert all(
        len(decision.view.play.legal) > 1 and decision.action in decision.view.play.legal for decision in decisions
    )


def test_a_decision_has_the_view_of_its_seat_and_nothing_later():
    for decision in played().decisions:
        assert decision.view == SHOWN[decision.number - 1].match.view(decision.seat)
        assert SHOWN[decision.number].line == ActionLine(decision.seat, decision.action)


def test_every_deal_that_was_played_is_there_with_the_scores_before_and_after():
    match = played()
    scores = [(0, 0), *(deal.after for deal in match.deals)]

    assert len(match.deals) == match.match.round
    assert [deal.scores for deal in match.deals] == scores[:-1]
    assert scores[-1] == match.match.scores


def test_the_same_record_has_the_same_seeds_and_another_match_has_others():
    seeds = [decision.seed for decision in played().decisions]

    assert seeds == [decision.seed for decision in read_match(lines()).decisions]
    assert len(set(seeds)) == len(seeds)
    assert not set(seeds) & {decision.seed for decision in played(seed=b"4").decisions}


def test_a_record_with_several_matches_needs_a_choice_of_one():
    both = [*lines(), *lines(seed=b"4")]

    with pytest.raises(NoMatchError) as error:
        read_match(both)
    assert error.value.matches == 2
    assert read_match(both, 1).deals == played().deals
    second = read_match(both, 2)
    assert second.deals == played(seed=b"4").deals
    assert second.decisions[0].number > len(SHOWN)
    with pytest.raises(NoMatchError):
        read_match(both, 3)


def test_an_action_taken_back_is_no_decision_but_a_step_of_the_replay():
    lines_with_backs = record("all-fives")
    steps = [step for step in referee(lines_with_backs) if isinstance(step.line, PLAYED)]
    stood = []
    for number, step in enumerate(steps):
        match step.line:
            case DealLine():
                in_round = []
                stood.append(in_round)
            case ActionLine():
                in_round.append(number)
            case BackLine(actions=actions):
                del in_round[-actions:]
    chosen = [number for numbers in stood for number in numbers if len(steps[number - 1].match.legal) > 1]
    decisions = read_match(lines_with_backs).decisions

    assert [decision.number for decision in decisions] == chosen
    assert all(steps[decision.number].line == ActionLine(decision.seat, decision.action) for decision in decisions)


def test_a_record_that_stops_before_the_match_is_over_is_refused():
    with pytest.raises(RecordError, match="stops before"):
        read_match(lines()[:9])
