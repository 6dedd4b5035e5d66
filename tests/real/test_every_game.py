"""Games in a real terminal: a round for each engine; in the long form a whole match of every game, alone and over
ssh.

`BONEYARD_LONG=1 ./scripts/test tests/real/test_every_game.py` plays the matches to their end; it takes some minutes.
"""

import os

import pytest

from core.games import GAMES
from tests.real.programs import OVER, asked, is_restored, play_out
from tests.real.recorded import proofs_of_record
from tests.real.test_plain import EACH_ENGINE

LONG = bool(os.environ.get("BONEYARD_LONG"))
SIZES = ((80, 24), (140, 45))
"""Columns and rows of the windows in which whole matches are played."""
PLAYERS = {name: str(min(4, variant.seats[1])) for name, variant in GAMES.items()}


@pytest.mark.parametrize("game", GAMES if LONG else EACH_ENGINE)
async def test_a_round_is_played_with_enter_alone(programs, game):
    player = programs.plays("play", game, "--players", PLAYERS[game], "--seed", "3", "--fast")

    await play_out(player, until=lambda now: asked(now.rows) == "deal")

    player.types("q")
    if OVER not in player.text:  # else a match is one round, and there is nothing to keep
        await player.sees("Leave? The match is kept.")
        player.types("q")
    assert await player.leaves() == 0
    assert is_restored(player)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES if LONG else ())
async def test_a_match_of_every_game_is_played_to_its_end_and_its_record_is_right(programs, tmp_path, game, size):
    record = tmp_path / "match.jsonl"
    player = programs.plays(
        "play", game, "--players", PLAYERS[game], "--seed", "3", "--fast", "--record", record, size=size
    )

    await play_out(player)

    player.types("q")
    assert await player.leaves() == 0
    assert proofs_of_record(record).matches == 1


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES if LONG else ())
async def test_a_match_of_every_game_is_played_over_ssh(programs, client, game, size):
    host = await programs.hosts()
    player = client.plays(host.port, key=client.key("ada")[0], size=size)
    await player.sees("What name will you play under?")
    player.types("\r")
    await player.sees("No table is open yet")
    player.types("n")
    await player.sees("house rules of Patience")
    player.types("\x1b[C" * list(GAMES).index(game))
    await player.sees(GAMES[game].name)
    player.types("\r")
    if GAMES[game].seats[1] > 1:
        await player.sees("Waiting for")
        player.types("z")
    await play_out(player)
    player.types("q")
    await player.sees("in the lobby")
    player.types("q")
    await player.leaves()
    await host.closes()
    assert proofs_of_record(host.records[-1]).matches == 1
