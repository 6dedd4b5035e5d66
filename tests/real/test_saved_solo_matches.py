"""Solo matches survive: real programs are left, hung up on and killed, and the match continues where it was."""

import os
import signal

from tests.real.programs import effect_of_enter, is_restored, play_out


async def play_a_few_turns(player):
    """Play until it is the player's turn for the fourth time; return the table then."""
    turns = []
    await play_out(player, until=lambda player: turns.append(player) or len(turns) > 3)
    return rows_without_story(player)


def rows_without_story(player):
    """Return the rows with the title, the players, the board and the hand."""
    return player.rows[:3] + player.rows[18:]


async def end_by(player, how):
    if how == "keys":
        player.type("q")
        await player.wait_for("Leave? The match is kept.")
        player.type("q")
        assert await player.wait_for_exit() == 0
        assert is_restored(player)
        assert player.last_words == ["The match is kept; `boneyard continue` resumes it."]
    else:
        os.kill(player.pid, how)
        assert await player.wait_for_exit() == -how


def deals(record):
    return [line for line in record.read_text().splitlines() if line.startswith('{"type":"deal"')]


async def test_a_match_resumes_after_any_end_with_the_deals_of_a_single_sitting(programs, tmp_path):
    words = ("play", "draw", "--seed", "7", "--fast", "--rule", "target=50")
    again = programs.start(*words)
    for how in ("keys", signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        before = await play_a_few_turns(again)
        await end_by(again, how)

        again = programs.start("continue", "--fast")
        await again.wait_for(lambda player, before=before: rows_without_story(player) == before)
    await play_out(again)
    again.type("q")
    assert await again.wait_for_exit() == 0
    assert again.last_words == []
    status, out, _ = await programs.run("history")
    assert status == 0
    assert len(out.splitlines()) == 1
    assert (await programs.run("verify", "last"))[0] == 0
    (record,) = (programs.home / "data" / "boneyard" / "records").glob("*.jsonl")
    whole = tmp_path / "whole.jsonl"
    single = programs.start(*words, "--record", whole, "--data", tmp_path / "data")
    await play_out(single, until=lambda player: "round 2" in player.text)
    both = min(len(deals(whole)), len(deals(record)))
    assert both > 1
    assert deals(record)[:both] == deals(whole)[:both]
    assert "No unfinished match" in (await programs.run("continue", "--list"))[1]


async def test_the_menu_goes_on_with_the_match_while_another_is_played(programs):
    first = programs.start("play", "block", "--seed", "7", "--fast")
    before = await play_a_few_turns(first)
    other = programs.start("play", "draw", "--seed", "7", "--fast")
    await play_a_few_turns(other)
    await end_by(first, signal.SIGKILL)

    menu = programs.start()
    await menu.wait_for("Go on: Block, round 1, you 0")
    assert "Kept matches" not in menu.text, "the other one is being played"
    menu.type("\r")
    await menu.wait_for(lambda player: effect_of_enter(player.rows) == "play")
    assert rows_without_story(menu) == before
    menu.type("qq")
    await menu.wait_for("Go on: Block")
    await end_by(other, "keys")


async def test_a_match_that_cannot_be_saved_is_played_and_says_so(programs, tmp_path):
    (tmp_path / "file").write_text("")
    player = programs.start("play", "draw", "--seed", "7", "--fast", "--data", tmp_path / "file")
    await player.wait_for("This match is not kept: ")
    await play_a_few_turns(player)
    player.type("q")
    await player.wait_for("Leave? The match will be lost.")
    player.type("q")
    assert await player.wait_for_exit() == 0
    (said,) = player.last_words  # at the table, a bot's move may have replaced it at once
    assert said.startswith("This match is not kept: ")
