"""The end of a match: its result, and nothing begins by itself."""

from core.coach.review import Deal, Judgement, luck_of
from net.storage.atomic import write_atomically
from net.wire.messages import MakeTable
from tests.tui.guests import app_host, play_to_the_end, sit_together
from tui.draw.results import BLOCKS
from tui.records.history import list_matches

SOLO = MakeTable("block", 2, {"target": 50}, bots=1, level="easy")


async def judge_part(part):
    """Stand in for the coach: decisions of the first round are the best, all others costly."""
    if isinstance(part, Deal):
        return luck_of(part)
    action, other = part.action, part.view.play.legal[-1]
    if part.round == 1:
        return Judgement(part.round, part.number, part.seat, action, action, 0.0, 0.0, "fine", 30.0)
    return Judgement(part.round, part.number, part.seat, action, other, 9.0, 1.0, "blunder")


async def test_the_end_shows_the_standing_by_round_and_the_best_and_costliest_decision():
    async with (
        app_host() as host,
        host.guest(
            "ada", table_request=SOLO, name="ada", review_worker=judge_part, is_local=True, size=(100, 30)
        ) as ada,
    ):
        await play_to_the_end(ada)
        rounds = ada.update.match.round
        await ada.press("enter")
        await ada.wait_for(
            "the match is over",
            "play another match",
            "nothing was better.",
            "everything else: 30 or more",
            "A blunder",
        )

        standing = [line for line in ada.text.splitlines() if set(BLOCKS) & set(line)]
        assert len(standing) == 2
        assert all(sum(word[0] in "+−0" for word in line.split()[3:]) == rounds for line in standing)


async def test_after_a_solo_match_seat_and_luck_are_saved_for_the_statistics(tmp_path):
    options = {
        "table_request": SOLO,
        "name": "ada",
        "review_worker": judge_part,
        "records": tmp_path,
        "is_local": True,
    }
    async with app_host() as host, host.guest("ada", **options) as ada:
        await play_to_the_end(ada)
        await ada.press("enter")
        await ada.wait_for("A blunder")
        reviewing = ada.app.screen._reviewed_match
        write_atomically(tmp_path / "1.jsonl", "".join(f"{line}\n" for line in reviewing.lines))
        match = list_matches(tmp_path)[0][0]

        assert match.seat == ada.update.seat
        assert match.luck == reviewing.result.luck.luck[match.seat]


async def test_the_next_match_waits_for_a_player():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await play_to_the_end(ada)
        await ada.press("enter")
        await ada.wait_for("play another match")
        for _ in range(5):
            await ada.pilot.pause()
        assert ada.update.match.over
        await ada.press("v")
        await ada.wait_for("how the match went")
        await ada.press("enter", "a")
        await ada.wait_for("round 1", "your turn")


async def test_the_replay_begins_at_the_decision_that_was_chosen_and_q_comes_back():
    async with (
        app_host() as host,
        host.guest("ada", table_request=SOLO, name="ada", review_worker=judge_part, is_local=True) as ada,
    ):
        await play_to_the_end(ada)
        await ada.press("enter")
        await ada.wait_for("replay what cost most")
        await ada.press("d")
        await ada.wait_for("paused, 1×")
        assert "step 1/" not in ada.text
        await ada.press("q")
        await ada.wait_for("play another match")


async def finish_match(ada, bela):
    """Play a match to its end, which ada has seen."""
    await sit_together(ada, bela, MakeTable("block", 2, {"target": 50}))
    await play_to_the_end(ada, bela)
    await ada.press("enter")


async def test_bots_take_the_seat_of_a_friend_who_has_left_after_the_match():
    async with app_host() as host, host.guest("ada") as ada, host.guest("bela") as bela:
        await finish_match(ada, bela)
        await ada.wait_for("play another match")
        await bela.press("q")
        await ada.wait_for("fill the free seats with bots")
        await ada.press("a")
        await ada.wait_for("wanted by you; waiting for 1 more player", "bela")
        await ada.press("z")
        await ada.wait_for("round 1")
        assert "bela" not in ada.text


async def test_players_who_want_another_match_are_named():
    async with app_host() as host, host.guest("ada") as ada, host.guest("bela") as bela:
        await finish_match(ada, bela)
        await bela.press("enter")
        await ada.wait_for("play another match")
        await bela.wait_for("play another match", "back to the lobby")
        await ada.press("a")
        await bela.wait_for("wanted by ada")
        await ada.wait_for("wanted by you; waiting for bela")
        await bela.press("a")
        await ada.wait_for("round 1")
        await bela.wait_for("round 1")
