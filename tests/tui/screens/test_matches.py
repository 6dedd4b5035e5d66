"""Your matches on the first screen: found by typing, opened, reviewed, exported, shared and counted."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from core.coach.review import Deal, Judgement, luck_of, read_match
from net.storage.solo_matches import last_update, resumable_matches
from tests.net.solo import solo_player
from tests.tui.guests import Guest
from tests.tui.served_pilot import served
from tests.tui.tables import DARK
from tests.tui.test_history import played_alone, put
from tui.draw.results import BLOCKS
from tui.records.history import list_matches
from tui.screens.base import SingleScreenApp
from tui.screens.menu import MenuScreen


async def judge_part(part):
    """Stand in for the coach: every decision is costly."""
    if isinstance(part, Deal):
        return luck_of(part)
    return Judgement(part.round, part.number, part.seat, part.action, part.view.play.legal[-1], 9.0, 1.0, "blunder")


@pytest.fixture
def records(tmp_path):
    folder = tmp_path / "records"
    folder.mkdir()
    put(folder, "20260110-200000-000000-block-alone.jsonl", played_alone(won=False))
    put(folder, "20260111-200000-000000-block-alone.jsonl", played_alone())
    put(folder, "20260112-200000-000000-draw-alone.jsonl", played_alone("draw"))
    return folder


@asynccontextmanager
async def menu(folder, review_worker=judge_part, size=(100, 32), **more):
    """Yield the first screen, once it has read the records."""
    app = SingleScreenApp(
        MenuScreen(DARK, history=lambda: list_matches(folder)[0], review_worker=review_worker, **more)
    )
    async with served(app, size) as pilot:
        guest = Guest(app, pilot)
        await guest.until(lambda: app.screen._recorded_matches is not None)
        yield guest


async def test_h_lists_the_matches_and_typing_finds_some_of_them(records):
    async with menu(records) as guest:
        await guest.wait_for("Your matches", "3")
        await guest.press("h")
        await guest.wait_for("Statistics", "Draw · 12/01/2026", "Block · 11/01/2026", "4 of 4")
        await guest.press(*"block")
        await guest.wait_for("Block · 11/01/2026", "1 of 2 won")
        assert "Draw" not in guest.text


async def test_a_match_that_is_opened_shows_its_standing_and_q_comes_back_to_the_list(records):
    async with menu(records) as guest:
        await guest.press("h", "down", "enter")
        await guest.wait_for(
            "Block · 11/01/2026", "the match", "1  ada", "2  Blanche", "replay the match", "share it"
        )
        assert len([line for line in guest.text.splitlines() if set(BLOCKS) & set(line)]) == 2
        await guest.press("q")
        await guest.wait_for("▶ Block · 11/01/2026", "Draw · 12/01/2026")
        await guest.press("escape")
        await guest.wait_for("Learn")


async def test_a_match_from_the_list_is_replayed_and_reviewed_and_the_review_is_counted(records):
    async with menu(records) as guest:
        await guest.press("h", "enter")
        await guest.wait_for("replay the match")
        await guest.press("p")
        await guest.wait_for("paused, 1×")
        await guest.press("q")
        await guest.wait_for("replay the match")
        await guest.press("r")
        await guest.wait_for("You won", "cost most.", "Luck", "times between equals")
        await guest.press("q")
        await guest.wait_for("replay what cost most")
        await guest.press("q")
        await guest.wait_for("Statistics")
        await guest.press("up", "enter")
        await guest.wait_for("game", "best round", "from luck", "from decisions")


async def test_rounds_appear_in_the_review_while_later_ones_are_computed(records):
    match = read_match(played_alone("draw"))

    async def until_the_second_round(part):
        if part.round > 1:
            await asyncio.Event().wait()
        return await judge_part(part)

    async with menu(records, until_the_second_round) as guest:
        await guest.press("h", "enter")
        await guest.wait_for("replay the match")
        await guest.press("r")
        await guest.wait_for("The coach is thinking", f"The first 1 of {match.match.round} rounds", "ahead")
        await guest.press("q")


@pytest.mark.parametrize(("kind", "begins"), [("txt", "Draw"), ("svg", "<svg"), ("cast", '{"version"')])
async def test_a_match_is_exported_into_this_directory_under_a_free_name(
    records, kind, begins, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    out = tmp_path / f"20260112-200000-000000-draw-alone.{kind}"
    out.write_text("mine")
    async with menu(records, size=(140, 32)) as guest:
        await guest.press("h", "enter")
        await guest.wait_for("replay the match")
        await guest.press("x", *kind, "enter")
        await guest.wait_for("It is in the file:")
        assert f"{out.stem}-2.{kind}" in "".join(guest.text.split())

    assert out.read_text() == "mine"
    assert begins in out.with_stem(f"{out.stem}-2").read_text()[:200]


async def test_share_names_the_file_and_the_command_for_others(records):
    async with menu(records, size=(140, 32)) as guest:
        await guest.press("h", "enter")
        await guest.wait_for("share it")
        await guest.press("s")
        file = "20260112-200000-000000-draw-alone.jsonl"
        await guest.wait_for("The record of this match is", f"boneyard verify {file}", f"boneyard replay {file}")


async def test_a_broken_record_is_opened_with_its_problem(tmp_path):
    put(tmp_path, "20260112-200000-000000-draw-alone.jsonl", ["{}"])
    async with menu(tmp_path) as guest:
        await guest.press("h")
        await guest.wait_for("broken:")
        await guest.press("enter")
        await guest.wait_for("is not valid")
        await guest.press("x", "r", "p", "q")
        await guest.wait_for("broken:")


async def test_h_in_the_menu_says_that_no_match_is_recorded(tmp_path):
    async with menu(tmp_path) as guest:
        await guest.press("h")
        await guest.wait_for("No match is recorded yet.", "Learn")


async def test_the_card_of_a_game_says_when_it_was_played_last_and_how_often_it_was_won(records):
    async with menu(records, size=(120, 40)) as guest:
        await guest.press("down")
        await guest.wait_for("Last played 11/01/2026", "1 of 2 won")
        await guest.press("down")
        await guest.wait_for("play All Fives")
        assert "Last played" not in guest.text


async def test_go_on_shows_the_table_as_it_was_left(tmp_path):
    async with solo_player(tmp_path) as ada:
        await ada.play_until(lambda match: any(match.scores) and match.play.layout)
        scores = ada.match.scores
        left = ada.match.play
    (kept,) = resumable_matches(tmp_path)
    update = last_update(kept.path)

    assert update.match.play == left
    assert update.match.scores == scores
    async with menu(tmp_path / "records", kept_matches=[kept]) as guest:
        await guest.until(lambda: guest.app.screen._saved_tables)
        await guest.wait_for(f"ada {scores[0]}, ", "Left ", f"in round {kept.round}.")


async def test_a_kept_match_that_is_gone_has_no_table(tmp_path):
    assert last_update(tmp_path / "none") is None
