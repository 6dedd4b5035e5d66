"""The names of decisions: a blunder only if its loss is large, certain, and confirmed in fresh worlds."""

from random import Random

import pytest

from core.actions import Claim, Silent
from core.bots.profiles import ActionValue, Effort
from core.coach.review import WORLDS, duel, is_too_noisy, judge, kind_of, total_loss_of
from core.games import GAMES
from core.match import new_match
from tests.core.coach.matches import played


@pytest.mark.parametrize(
    ("loss", "error", "kind"),
    [
        (7, 3, "blunder"),
        (7, 4, "close"),
        (4, 1, "close"),
        (4, 3, "fine"),
        (0, 0, "fine"),
        (-9, 1, "fine"),
        (5, 0.1, "close"),
    ],
)
def test_a_blunder_exceeds_the_threshold_and_two_standard_errors_close_only_one(loss, error, kind):
    assert kind_of(loss, error, 5) == kind


def test_a_decision_is_always_judged_alike():
    decision = played().decisions[1]

    assert judge(decision) == judge(decision)


def test_every_decision_of_a_match_is_judged_with_the_action_taken():
    decisions = played().decisions
    judgements = [judge(choice) for choice in decisions]

    for decision, judged in zip(decisions, judgements, strict=True):
        assert (judged.round, judged.number, judged.seat) == (decision.round, decision.number, decision.seat)
        assert judged.action == decision.action
        assert judged.best in decision.view.play.legal
        assert (judged.best == judged.action) <= (judged.loss == judged.error == 0)
    assert {"fine", "blunder"} <= {judged.kind for judged in judgements}


def test_where_the_solver_reaches_a_loss_is_exact():
    decisions = [decision for decision in played("draw", seed=b"1").decisions if decision.view.play.boneyard == 0]
    judged = next(judged for decision in reversed(decisions) if (judged := judge(decision)).kind == "exact")

    assert judged.error == 0 < judged.loss
    assert judged.action != judged.best


def test_a_loss_is_measured_in_at_least_400_worlds():
    decision = played().decisions[0]
    other = next(action for action in decision.view.play.legal if action != decision.action)

    assert WORLDS >= 400
    assert duel(decision, other, Random(1), Effort(8, 10**9)).worlds == 8


def test_an_apparent_blunder_is_measured_again_and_the_second_result_counts(monkeypatch):
    decision = next(choice for choice in played().decisions if judge(choice).kind == "blunder")
    leads, efforts = iter((50.0, 1.0)), []

    def measured(decision, other, rng, effort):
        efforts.append(effort.worlds)
        return ActionValue(other, 0.0, next(leads), 1.0, effort.worlds)

    monkeypatch.setattr("core.coach.review.duel", measured)

    assert judge(decision).kind == "fine"
    assert efforts == [WORLDS, 3 * WORLDS]


def test_with_trains_only_losses_that_the_solver_proves_are_named():
    trains = new_match(GAMES["mexican-train"], 2, {}).view(0)
    judgements = [judge(decision) for decision in played("mexican-train", **{"mt.rounds": 7}).decisions[:20]]

    assert is_too_noisy(trains)
    assert {judged.kind for judged in judgements if judged} <= {"fine", "exact"}
    assert None in judgements
    assert not any(is_too_noisy(new_match(GAMES[name], 4, {}).view(0)) for name in ("draw", "forty-two", "all-fives"))


def test_points_that_were_not_claimed_are_a_loss():
    match = played("all-fives", ("random", "random"), **{"af.claim": "manual", "target": 100})
    silent = [
        decision
        for decision in match.decisions
        if decision.action == Silent() and Claim() in decision.view.play.legal
    ]
    judged = judge(silent[0])

    assert judged.best == Claim()
    assert judged.loss > 0


def test_losses_add_up_and_so_do_their_variances():
    total = judge(played().decisions[0])

    assert total_loss_of([total, total]) == (2 * total.loss, pytest.approx(total.error * 2**0.5))
    assert total_loss_of([]) == (0, 0)
