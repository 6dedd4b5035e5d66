"""`boneyard play` as a player has it: in a terminal, with real keys, to the end of the match."""

import pytest

from tests.real.programs import asked, plays_out, restored

pytestmark = pytest.mark.real


async def test_a_match_alone_is_played_with_the_keys_to_its_end_and_its_record_is_right(programs, tmp_path):
    record = tmp_path / "match.jsonl"
    player = programs.plays("play", "draw", "--seed", "7", "--fast", "--record", record)
    turns = []

    def choose(now):
        turns.append(now.text)
        if "at a, on the" in now.text or "at b, on the" in now.text:
            return b"\x1b[B\r"  # the other end
        return [b"\r", b"\x1b[C\x1b[D\r"][len(turns) % 2]  # away from the tile and back to it

    await plays_out(player, choose=choose)

    assert len(turns) > 20
    assert "Enter plays another match, q leaves the table." in player.text
    player.types("q")
    assert await player.leaves() == 0
    assert restored(player)
    status, out, err = await programs.runs("verify", record)
    assert (status, err) == (0, "")
    assert "1 match," in out


async def test_a_window_may_change_its_size_in_mid_game_and_nothing_is_lost(programs):
    player = programs.plays("play", "draw", "--seed", "7", "--fast")
    turns = []
    await plays_out(player, until=lambda now: turns.append(now) or len(turns) > 3)
    before = player.text

    player.resizes(140, 45)
    await player.sees(lambda now: asked(now) and len(now.screen.display[-1].strip()) > 10)
    large = player.text
    player.resizes(60, 15)
    await player.sees("Boneyard needs 80×24.")
    assert "This window is 60×15." in player.text
    player.resizes(80, 24)
    await player.sees(before)
    player.resizes(140, 45)
    await player.sees(large)

    player.types("q")
    assert await player.leaves() == 0
    assert restored(player)
