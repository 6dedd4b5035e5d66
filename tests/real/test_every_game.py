"""Games in a real terminal: a round for each engine; in the long form a whole match of every game, alone and over
ssh.

`BONEYARD_LONG=1 ./scripts/test tests/real/test_every_game.py` plays the matches to their end; it takes some minutes.
"""

import os

import pytest

from core.games import GAMES
from tests.real.programs import OVER, effect_of_enter, is_restored, play_out
from tests.real.recorded import proofs_of_record
from tests.real.test_plain import EACH_ENGINE

LONG = bool(os.environ.get("BONEYARD_LONG"))
SIZES = ((80, 24), (140, 45))
"""Columns and rows of the windows in which whole matches are played."""
PLAYERS = {name: str(min(4, variant.seats[1])) for name, variant in GAMES.items()}


@pytest.mark.parametrize("game", GAMES if LONG else EACH_ENGINE)
async def test_a_round_is_played_with_enter_alone(programs, game):
    player = programs.start("play", game, "--players", PLAYERS[game], "--seed", "3", "--fast")

    await play_out(player, until=lambda player: effect_of_enter(player.rows) == "deal")

    player.type("q")
    if OVER not in player.text:  # else a match is one round, and there is nothing to keep
        await player.wait_for("Leave? The match is kept.")
        player.type("q")
    assert await player.wait_for_exit() == 0
    assert is_restored(player)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES if LONG else ())
async def test_a_match_of_every_game_is_played_to_its_end_and_its_record_is_right(programs, tmp_path, game, size):
    record = tmp_path / "match.jsonl"
    player = programs.start(
        "play", game, "--players", PLAYERS[game], "--seed", "3", "--fast", "--record", record, size=size
    )

    await play_out(player)

    player.type("q")
    assert await player.wait_for_exit() == 0
    assert proofs_of_record(record).matches == 1


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES if LONG else ())
async def test_a_match_of_every_game_is_played_over_ssh(programs, client, game, size):
    host = await programs.start_host()
    player = client.start(host.port, key=client.key("ada")[0], size=size)
    await player.wait_for("What name will you play under?")
    player.type("\r")
    await player.wait_for("No table is open yet")
    player.type("n")
    await player.wait_for("house rules of Patience")
    player.type("\x1b[C" * list(GAMES).index(game))
    await player.wait_for(GAMES[game].name)
    player.type("\r")
    if GAMES[game].seats[1] > 1:
        await player.wait_for("Waiting for")
        player.type("z")
    await play_out(player)
    player.type("q")
    await player.wait_for("in the lobby")
    player.type("q")
    await player.wait_for_exit()
    await host.close_cleanly()
    assert proofs_of_record(host.records[-1]).matches == 1
