"""The replay: by hand and by itself, at several speeds, by rounds, and from each seat."""

from itertools import pairwise

import pytest

from core.actions import Play
from core.bots.levels import play_match
from core.coach.review import Judgement, match_from_steps
from core.games import GAMES
from core.match import new_match
from tests.tui.guests import Guest
from tests.tui.served_pilot import served
from tests.tui.tables import DARK, PLAIN
from tui.model.playback import Recording
from tui.screens.base import SingleScreenApp
from tui.screens.replay import ReplayScreen


def steps(game="draw", players=3):
    match = new_match(GAMES[game], players, {"target": 50} if game == "draw" else {})
    return list(play_match(match, ("greedy",) * players, b"1", "test"))


async def test_a_replay_steps_forward_and_back_over_the_same_board():
    app = SingleScreenApp(ReplayScreen(Recording(steps()), DARK))
    async with served(app, (80, 24)) as pilot:
        guest = Guest(app, pilot)
        await guest.wait_for("step 1/", "round 1")
        await guest.press(*["right"] * 5)
        await guest.wait_for("step 6/")
        there = guest.text
        await guest.press("right", "left")
        assert guest.text == there


async def test_a_replay_jumps_by_rounds_and_to_both_ends():
    app = SingleScreenApp(ReplayScreen(Recording(steps()), DARK))
    async with served(app, (140, 45)) as pilot:
        guest = Guest(app, pilot)
        await guest.press("down")
        await guest.wait_for("round 2")
        await guest.press("end")
        await guest.wait_for("wins the match.")
        await guest.press("home")
        await guest.wait_for("step 1/")
        await guest.press("left")
        await guest.wait_for("step 1/")


async def test_a_replay_of_a_broken_record_shows_its_valid_part_and_the_broken_line():
    app = SingleScreenApp(ReplayScreen(Recording(steps()[:20], "line 21: no"), DARK))
    async with served(app, (80, 24)) as pilot:
        guest = Guest(app, pilot)
        await guest.press("end")
        await guest.wait_for("record ends here: line 21: no")


async def test_a_replay_shows_the_coachs_opinion_of_the_current_decision():
    asked = []

    async def judge(decision):
        asked.append(decision)
        return Judgement(1, decision.number, decision.seat, decision.action, decision.action, 4.0, 1.0, "blunder")

    match = new_match(GAMES["draw"], 3, {"target": 50})
    recorded = list(play_match(match, ("greedy",) * 3, b"1", "test"))
    decisions = match_from_steps(recorded).decisions
    app = SingleScreenApp(ReplayScreen(Recording(recorded), DARK, judge))
    async with served(app, (80, 24)) as pilot:
        guest = Guest(app, pilot)
        await guest.press(*["right"] * (decisions[0].number - 1))
        assert not asked
        await guest.press("r")
        await guest.wait_for("A blunder")
        await guest.press("right", "left")
        assert [decision for decision in asked if decision.number == decisions[0].number] == [decisions[0]]
        await guest.press("end")
        await guest.wait_for("nothing to decide here")
        await guest.press("r")
        assert "nothing to decide" not in guest.text


async def test_with_the_coach_the_arrow_keys_step_from_decision_to_decision():
    async def judge(decision):
        return Judgement(1, decision.number, decision.seat, decision.action, decision.action, 0.0, 1.0, "fine")

    recorded = steps()
    decisions = match_from_steps(recorded).decisions
    first, second = next(pair for pair in pairwise(decisions) if pair[1].number > pair[0].number + 1)
    app = SingleScreenApp(ReplayScreen(Recording(recorded), DARK, judge, step_number=first.number - 1))
    async with served(app, (80, 24)) as pilot:
        guest = Guest(app, pilot)
        await guest.press("r")
        await guest.wait_for(f"step {first.number}/", "that was fine")
        await guest.press("right")
        await guest.wait_for(f"step {second.number}/", "that was fine")
        await guest.press("left")
        await guest.wait_for(f"step {first.number}/")


async def test_with_the_coach_the_board_marks_the_played_and_the_better_tile():
    recorded = steps()
    decision = next(
        decision
        for decision in match_from_steps(recorded).decisions
        if len({(play.at, play.side) for play in decision.view.play.legal if isinstance(play, Play)}) > 1
    )
    ends = decision.view.play.legal
    better = next(play for play in ends if (play.at, play.side) != (decision.action.at, decision.action.side))

    async def judge(decision):
        return Judgement(1, decision.number, decision.seat, decision.action, better, 4.0, 1.0, "blunder")

    app = SingleScreenApp(ReplayScreen(Recording(recorded), DARK, judge, step_number=decision.number - 1))
    async with served(app, (80, 24)) as pilot:
        guest = Guest(app, pilot)
        await guest.press("r")
        await guest.wait_for("A blunder", "played◀", "better")


async def test_a_replay_plays_by_itself_until_it_is_paused_and_to_its_end(monkeypatch):
    waits = []
    app = SingleScreenApp(ReplayScreen(Recording(steps()), DARK))
    async with served(app, (80, 24)) as pilot:
        guest = Guest(app, pilot)
        await guest.wait_for("paused, 1×", "step 1/")
        monkeypatch.setattr(app.screen, "set_timer", lambda seconds, do: waits.append((seconds, do)))
        await guest.press("space")
        await guest.wait_for("playing, 1×")
        waits[-1][1]()
        await guest.wait_for("step 2/", "move 1/")
        await guest.press("plus", "f")
        await guest.wait_for("playing, 4×")
        waits[-1][1]()
        assert [seconds for seconds, _ in waits] == [2.0, 1.0, 0.5, 0.25, 0.25]
        await guest.press("right")
        await guest.wait_for("paused, 4×", "step 4/")
        await guest.press("end", "left", "space")
        waits[-1][1]()
        await guest.wait_for("wins the match.", "paused, 4×")
        await guest.press("space")
        await guest.wait_for("playing, 4×", "step 1/")
        await guest.press("question_mark", "escape")
        await guest.wait_for("paused, 4×")


@pytest.mark.parametrize(("size", "look"), [((80, 24), DARK), ((80, 24), PLAIN), ((140, 45), DARK)])
async def test_the_replay_names_the_seat_whose_hand_it_shows(size, look):
    app = SingleScreenApp(ReplayScreen(Recording(steps()), look))
    async with served(app, size) as pilot:
        guest = Guest(app, pilot)
        await guest.wait_for("'s hand, on turn", "h whose hand", "round 1/")
        await guest.press("h")
        await guest.wait_for("greedy 1's hand")
        assert "on turn" not in guest.text
        first = guest.text
        await guest.press("h")
        await guest.wait_for("greedy 2's hand")
        assert guest.text.splitlines()[-6:-2] != first.splitlines()[-6:-2]
        await guest.press("h", "h")
        await guest.wait_for("all hands")
        hands = app.screen._playback.frame.match.state.hands
        if look.ascii:
            assert all(f"[{tile.high}|{tile.low}]" in guest.text.replace(" ", "") for hand in hands for tile in hand)
        await guest.press("h")
        await guest.wait_for("nobody's hand")
        await guest.press("h")
        await guest.wait_for("'s hand, on turn")


@pytest.mark.parametrize("game", ["mexican-train", "forty-two", "wildstar"])
@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
async def test_all_hands_have_room_in_every_family_of_games(game, size):
    players = GAMES[game].seats[1]
    app = SingleScreenApp(ReplayScreen(Recording(steps(game, players)[:30]), PLAIN))
    async with served(app, size) as pilot:
        guest = Guest(app, pilot)
        await guest.press(*["h"] * (players + 1))
        await guest.wait_for("all hands")
        assert [f"greedy {seat + 1}" in "\n".join(guest.text.splitlines()[-14:]) for seat in range(players)] == [
            True
        ] * players
