"""SSH clients other than OpenSSH log in and play: Dropbear's, which routers have, and PuTTY's."""

import shutil

import pytest

from tests.real.programs import comes_in, new, opens_a_table

pytestmark = pytest.mark.real


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("dbclient", ("-y", "-y", "-p")),
        ("plink", ("-ssh", "-batch", "-P")),
    ],
)
async def test_an_ssh_client_logs_in_and_plays_a_tile(programs, house, program, words):
    if not shutil.which(program):
        pytest.skip(f"there is no {program} on this machine")
    port = str(house.port)
    trust = ("-hostkey", house.fingerprint) if program == "plink" else ()
    player = programs.plays(*words, port, *trust, "ann@127.0.0.1", command=[program])
    await comes_in(player, new("Ann"))
    await opens_a_table(player)
    await player.sees("Waiting for 1 more player.")
    player.types("z")
    await player.sees("round 1")
