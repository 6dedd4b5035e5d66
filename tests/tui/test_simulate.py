"""The command `boneyard sim`: the same deals for every bot, honest intervals, and results that depend on the seed
alone.
"""

import json

import pytest

from core.records import DealLine, MatchLine, referee
from tests.tui.test_cli import refused, run
from tui.cli.simulate import MatchOutcome, Tally, seatings_of

TIMES = {"seconds": 0, "ms_median": 0, "ms_most": 0}


def simulated(*arguments):
    return json.loads(run("sim", "--seed", "1", *arguments, "--json").stdout)


def lines_of(file):
    return [step.line for step in referee(file.read_text().splitlines())]


def tally(bots=("greedy", "random"), sides=2, seatings=2):
    return Tally("draw", len(bots), bots, {}, 0, 1, seatings, wins=[0] * sides)


def outcome(winners, scores=(0, 0), rounds=1, *, unfinished=False, lowest_wins=False):
    return MatchOutcome(winners, scores, rounds, 9, unfinished, lowest_wins)


def test_a_duplicate_plays_every_deal_once_with_each_seating(tmp_path):
    file = tmp_path / "matches.jsonl"
    sums = simulated("draw", "--bots", "greedy,random", "--matches", "3", "--duplicate", "--record", str(file))
    lines = lines_of(file)
    bots = [tuple(seat.bot for seat in line.seats) for line in lines if isinstance(line, MatchLine)]
    rounds, deals = 0, []
    for line in lines:
        if isinstance(line, MatchLine):
            deals.append([])
        if isinstance(line, DealLine):
            deals[-1].append((line.lot, line.tiles))
        rounds += isinstance(line, DealLine)

    assert (sums["matches"], sums["seatings"]) == (6, 2)
    assert bots == [("greedy", "random"), ("random", "greedy")] * 3
    for first, other in zip(deals[::2], deals[1::2], strict=True):
        assert all(a == b for a, b in zip(first, other, strict=False))
    assert deals[0][0] != deals[2][0]
    assert rounds >= sums["rounds"]
    assert "6 matches" in run("verify", str(file)).stdout


@pytest.mark.parametrize(
    ("levels", "seatings"),
    [("ab", 2), ("abab", 2), ("aba", 3), ("abbb", 4), ("aa", 1), ("abcabc", 3)],
)
def test_there_are_as_many_seatings_as_ways_to_move_the_levels_round_the_table(levels, seatings):
    assert seatings_of(tuple(levels)) == seatings


def test_wins_and_scores_are_counted_by_bot_at_any_seat():
    sums = simulated("draw", "--bots", "greedy,random", "--matches", "20", "--seed", "1", "--duplicate")
    turned = simulated("draw", "--bots", "random,greedy", "--matches", "20", "--seed", "1", "--duplicate")

    assert sums["wins"] == turned["wins"][::-1]
    assert sums["scores"] == turned["scores"][::-1]
    assert sums["share"] == 1 - turned["share"] > 0.5
    assert sums["per_round"] == -turned["per_round"] > 0


def test_the_number_of_jobs_changes_only_the_time(tmp_path):
    records = [tmp_path / name for name in "ab"]
    sums = [
        simulated(
            "block", "--bots", "greedy,random", "--matches", "9", "--seed", "4", "--jobs", jobs, "--record", str(file)
        )
        for jobs, file in zip("12", records, strict=True)
    ]

    assert sums[0] | TIMES == sums[1] | TIMES
    assert records[0].read_bytes() == records[1].read_bytes()


def test_a_deal_is_one_case_however_often_it_was_played():
    same, luck = tally(), tally()
    # With each seating the same seat wins: the bots are equal, and further deals of that kind add no uncertainty.
    same.add([(outcome((0,)), outcome((1,)))] * 4)
    luck.add([(outcome((0,)), outcome((0,))), (outcome((1,)), outcome((1,)))] * 2)

    assert (same.share, same.low, same.high) == (0.5, 0.5, 0.5)
    assert luck.share == 0.5
    assert luck.low < 0.1
    assert luck.high > 0.9


def test_matches_with_deals_of_their_own_have_wilsons_interval():
    sums = tally(seatings=1)
    sums.add([(outcome((0,)),)] * 10)

    assert (sums.share, sums.low, sums.high) == (1.0, 0.7225, 1.0)


def test_every_winner_of_a_shared_match_has_a_part_of_it():
    sums = tally(("greedy", "random", "random"), sides=3, seatings=1)
    sums.add([(outcome((0, 2), (5, 0, 5)),), (outcome((), (0, 0, 0)),)])

    assert (sums.wins, sums.shared) == ([1, 0, 1], 1)
    assert sums.share == pytest.approx((1 / 2 + 1 / 3) / 2, abs=1e-4)


def test_the_first_bot_is_compared_with_the_others_for_each_round():
    sums = tally()
    sums.add([(outcome((0,), (30, 10), 4), outcome((1,), (8, 12), 6)), (outcome((0,), (20, 6), 2),) * 2])

    assert sums.per_round == pytest.approx((20 - 4 + 14 + 14) / (4 + 6 + 2 + 2), abs=1e-4)
    assert sums.per_round_low < sums.per_round < sums.per_round_high


def test_where_the_lowest_score_wins_fewer_points_are_better():
    sums = tally(seatings=1)
    sums.add([(outcome((0,), (10, 30), 4, lowest_wins=True),)] * 2)

    assert sums.per_round == 5


def test_a_deal_with_an_unfinished_match_is_not_compared():
    sums = tally()
    sums.add([(outcome((0,)), outcome((), unfinished=True)), (outcome((1,)), outcome((1,)))])

    assert (sums.unfinished, sums.wins) == (1, [1, 2])
    assert (sums.share, sums.low, sums.high) == (0, 0, 1)


def test_only_a_choice_takes_time():
    sums = simulated("draw", "--bots", "greedy,random", "--matches", "2")

    assert set(sums["ms_median"]) == set(sums["ms_most"]) == {"greedy", "random"}
    assert 0 < sums["ms_median"]["greedy"] <= sums["ms_most"]["greedy"]
    forced = simulated("stakes", "--rule", "sm.rounds=1")
    assert forced["ms_most"]["greedy"] > 0


def test_text_output_has_the_share_its_interval_and_the_time():
    said = run("sim", "draw", "--bots", "greedy,random", "--matches", "30", "--duplicate", "--seed", "2").stdout

    assert "60 matches (30 deals, 2 seatings)" in said
    assert "greedy won " in said
    assert "(95% interval " in said
    assert "random thought 0.0" in said


def test_a_bot_on_every_seat_has_no_comparison():
    assert "interval" not in run("sim", "draw", "--matches", "2").stdout
    assert "needs two levels or more" in refused("sim", "draw", "--duplicate")


def test_a_duplicate_of_a_game_for_partners_exchanges_the_sides():
    sums = simulated("forty-two", "--bots", "greedy,random", "--matches", "2", "--duplicate", "--rule", "42.target=5")

    assert sums["seatings"] == 2
    assert sums["wins"] == [4, 0]


def test_bad_numbers_are_usage_errors():
    assert run("sim", "draw", "--jobs", "0").exit_code == 2
    assert "2 free seats" in refused("sim", "draw", "--players", "2", "--bots", "greedy,random,greedy")
