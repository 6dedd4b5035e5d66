"""Nothing is lost alone: real programs are left, hung up on and killed, and the match goes on where it was."""

import os
import signal

import pytest

from tests.real.programs import asked, plays_out, restored

pytestmark = pytest.mark.real


async def a_few_turns(player):
    """Play until it is the player's turn for the fourth time; return what is on the table then."""
    turns = []
    await plays_out(player, until=lambda now: turns.append(now) or len(turns) > 3)
    return at_hand(player)


def at_hand(player):
    """The title, the players, the board and the hand; not what was just told."""
    return player.rows[:3] + player.rows[18:]


async def ended(player, how):
    if how == "keys":
        player.types("q")
        await player.sees("Leave? The match is kept.")
        player.types("q")
        assert await player.leaves() == 0
        assert restored(player)
        assert player.last_words == ["The match is kept; `boneyard continue` takes it up."]
    else:
        os.kill(player.pid, how)
        assert await player.leaves() == -how


async def test_a_match_goes_on_however_it_ended(programs):
    again = programs.plays("play", "draw", "--seed", "7", "--fast", "--rule", "target=50")
    for how in ("keys", signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        before = await a_few_turns(again)
        await ended(again, how)

        again = programs.plays("continue", "--fast")
        await again.sees(lambda now: asked(now.rows) == "play")
        assert at_hand(again) == before
    await plays_out(again)
    again.types("q")
    assert await again.leaves() == 0
    assert again.last_words == []
    status, out, _ = await programs.runs("history")
    assert status == 0
    assert len(out.splitlines()) == 1
    assert (await programs.runs("verify", "last"))[0] == 0
    assert "No unfinished match" in (await programs.runs("continue", "--list"))[1]


async def test_the_menu_goes_on_with_the_match_while_another_is_played(programs):
    first = programs.plays("play", "block", "--seed", "7", "--fast")
    before = await a_few_turns(first)
    other = programs.plays("play", "draw", "--seed", "7", "--fast")
    await a_few_turns(other)
    await ended(first, signal.SIGKILL)

    menu = programs.plays()
    await menu.sees("Go on: Block, round 1, you 0")
    assert "Kept matches" not in menu.text, "the other one is being played"
    menu.types("\r")
    await menu.sees(lambda now: asked(now.rows) == "play")
    assert at_hand(menu) == before
    menu.types("qq")
    await menu.sees("Go on: Block")
    await ended(other, "keys")


async def test_with_nowhere_to_keep_it_a_match_is_played_and_that_is_said(programs, tmp_path):
    (tmp_path / "file").write_text("")
    player = programs.plays("play", "draw", "--seed", "7", "--fast", "--data", tmp_path / "file")
    await player.sees("This match is not kept: ")
    await a_few_turns(player)
    player.types("q")
    await player.sees("Leave? The match will be lost.")
    player.types("q")
    assert await player.leaves() == 0
    (said,) = player.last_words  # at the table, a bot's move may have taken its place at once
    assert said.startswith("This match is not kept: ")


async def test_a_number_fixes_the_deals_however_often_a_match_is_taken_up(programs, tmp_path):
    """The record of an interrupted match has the same deals as that of one in a single sitting."""
    whole = tmp_path / "whole.jsonl"
    words = ("play", "draw", "--rule", "target=50", "--seed", "5", "--fast", "--bots", "easy")
    player = programs.plays(*words, "--record", whole)
    await plays_out(player)
    player.types("q")
    await player.leaves()

    player = programs.plays(*words, "--data", tmp_path / "data")
    for _ in range(2):
        await a_few_turns(player)
        await ended(player, signal.SIGKILL)
        player = programs.plays("continue", "--fast", "--data", tmp_path / "data")
    await plays_out(player)
    player.types("q")
    await player.leaves()
    (record,) = (tmp_path / "data" / "records").iterdir()

    def deals(file):
        return [line for line in file.read_text().splitlines() if line.startswith('{"type":"deal"')]

    shorter = min(len(deals(whole)), len(deals(record)))
    assert deals(record)[:shorter] == deals(whole)[:shorter]
