"""A deal is played to its end by one bot on all seats; the result is the lead of each side."""

from random import Random

from core.bots.greedy import greedy_bot
from core.coach.review import advantages_of, play_round
from core.fair import deal_order
from core.games import GAMES
from core.match import new_match


def test_a_deal_is_played_to_the_end_of_its_round_by_one_bot_for_all():
    match, asked = new_match(GAMES["draw"], 3, {}), []

    def bot(view, rng):
        asked.append(view.play.seat)
        return greedy_bot(view, rng)

    order, lot = deal_order(match.rules.tiles, 3, b"a round", 1)
    scores = play_round(match, order, lot, bot, Random(1))

    assert set(asked) == {0, 1, 2}
    assert sum(map(bool, scores)) == 1
    assert scores == play_round(match, order, lot, greedy_bot, Random(1))


def test_a_lead_is_better_if_higher_unless_the_lowest_score_wins():
    assert advantages_of((9, 3, 6), lowest=False) == (4.5, -4.5, 0)
    assert advantages_of((9, 3, 6), lowest=True) == (-4.5, 4.5, 0)
