"""The luck of a deal is the expected result of its hands between equal players; the rest is play."""

import pytest

from core.bots.levels import play_match
from core.coach.review import Luck, RoundLuck, luck_of, match_before, match_from_steps
from core.games import GAMES
from core.match import new_match
from core.records import ActionLine, DealLine
from tests.core.coach.matches import played


@pytest.mark.parametrize(
    ("name", "levels"), [("block", ("greedy", "random")), ("draw", ("greedy", "easy", "random"))]
)
def test_the_gain_is_the_change_of_the_scores(name, levels):
    match = played(name, levels)
    rounds = [luck_of(deal) for deal in match.deals]
    total = Luck.of(rounds, len(levels))
    scores = match.match.scores

    assert total.gained[0] == pytest.approx(scores[0] - sum(scores[1:]) / (len(scores) - 1), abs=0.1)
    assert sum(total.luck) == pytest.approx(0, abs=0.1)


def test_a_deal_has_always_the_same_luck_with_its_error():
    deal = played().deals[0]

    assert luck_of(deal) == luck_of(deal)
    assert all(error > 0 for error in luck_of(deal).error)


def test_luck_counts_for_the_lower_score_where_the_lowest_wins():
    match = played("four-rounds", ("greedy", "random"), **{"bn.max_draw": 3})
    deal = match.deals[0]
    points = [after - before for after, before in zip(deal.after, deal.scores, strict=True)]
    least = points.index(min(points))

    assert max(luck_of(deal).gained) == luck_of(deal).gained[least]


def test_the_errors_of_rounds_add_up_as_variances_do():
    rounds = [RoundLuck(n, (4.0, -4.0), (1.0, -1.0), (3.0, 3.0)) for n in (1, 2, 3, 4)]

    assert Luck.of(rounds, 2) == Luck((16.0, -16.0), (4.0, -4.0), (6.0, 6.0), tuple(rounds))


@pytest.mark.parametrize("name", ["draw", "stakes", "mexican-train", "forty-two", "moon", "tien-gow", "patience"])
def test_a_deal_that_is_played_again_with_the_same_actions_has_the_same_score(name):
    seats = GAMES[name].seats[0]
    steps = list(play_match(new_match(GAMES[name], seats, {}), ("greedy",) * seats, b"7", "test"))
    actions = {}
    for step in steps:
        if isinstance(step.line, DealLine):
            actions[step.line.round] = []
        elif isinstance(step.line, ActionLine):
            actions[step.match.round].append(step.line.action)

    for deal in match_from_steps(steps).deals:
        match, _ = match_before(deal).deal(deal.tiles, deal.lot)
        for action in actions[deal.round]:
            match, _ = match.apply(action)
        assert match.scores == deal.after
