"""After a match, one key opens its review, where matches can be reviewed."""

import asyncio

from core.coach.review import Deal, Judgement, luck_of
from net.wire.messages import MakeTable
from tests.tui.guests import app_host, play_to_the_end

SOLO = MakeTable("block", 2, {"target": 50}, bots=1, level="easy")


async def judge_part(part):
    if isinstance(part, Deal):
        return luck_of(part)
    return Judgement(part.round, part.number, part.seat, part.action, part.view.play.legal[-1], 9.0, 1.0, "blunder")


async def test_after_a_match_r_opens_its_review_for_the_own_seat_and_q_goes_back():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada", review_worker=judge_part) as ada:
        await ada.wait_for("round 1")
        await ada.press("r")
        await ada.wait_for("round 1")
        await play_to_the_end(ada)
        await ada.wait_for("r review")
        await ada.press("r")
        await ada.wait_for("Review", "Luck", "times between equals")
        async with asyncio.timeout(30):
            while "Cost in points" not in ada.text or "▶" not in ada.text:  # results arrive one by one
                await ada.press("end")
        await ada.press("q")
        await ada.wait_for("how the match went", "r review")


async def test_a_review_that_is_left_early_leaves_no_task_behind():
    async def endless(part):
        await asyncio.Event().wait()

    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada", review_worker=endless) as ada:
        await play_to_the_end(ada)
        await ada.press("r")
        await ada.wait_for("The coach is thinking: 0 %")
        await ada.press("escape")
        await ada.wait_for("how the match went")
        assert not [worker for worker in ada.app.workers if worker.node is not ada.app]


async def test_without_a_match_to_review_no_review_is_offered():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await play_to_the_end(ada)
        assert "r review" not in ada.text
        await ada.press("r")
        await ada.wait_for("There is no coach for this match.")
