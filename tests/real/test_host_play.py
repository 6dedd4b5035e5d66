"""A host whose operator plays at its terminal: friends come by ssh, and it closes when that player leaves."""

import os
import re
import signal

from tests.real.programs import asked, comes_in, is_restored, open_table


async def opened(programs, tmp_path, *words):
    """Start a host with its player in the lobby; return it and its port."""
    options = ("--port", "0", "--bind", "127.0.0.1", "--no-announce", "--fast", "--data", tmp_path / "data")
    ada = programs.plays("host", "--play", *options, *words, LOGNAME="ada")
    await comes_in(ada)
    return ada, int(re.search(r"friends type: ssh -p (\d+) 127\.0\.0\.1", ada.text)[1])


async def test_the_player_at_the_host_opens_a_table_and_a_friend_with_only_ssh_sits_down(programs, client, tmp_path):
    ada, port = await opened(programs, tmp_path)
    ada.types("i")
    await ada.sees("A friend types one of these:")
    assert f"ssh -p {port} 127.0.0.1" in ada.text
    assert f"boneyard join 127.0.0.1:{port}" in ada.text
    ada.types("q")
    await ada.sees("ada, in the lobby")
    await open_table(ada)
    await ada.sees("Waiting for 1 more player.")
    bob = client.plays(port, user="bob", key=client.key("bob")[0])
    await bob.sees("What name will you play under?")
    bob.types("\r")
    await bob.sees("ada's table")
    bob.types("\r")
    for player in (ada, bob):
        await player.sees(lambda now: asked(now.rows) == "play" or "is to play" in now.rows[-1])

    ada.types("q")
    await ada.sees("Leave? A bot plays for you until you are back.")
    ada.types("q")
    await ada.sees("ada, in the lobby")
    ada.types("q")
    await ada.sees("Press q again to close the server; every match is kept.")
    ada.types("q")
    assert await ada.leaves() == 0
    assert is_restored(ada)
    await bob.leaves()
    assert b"The server has closed." in bob.raw
    assert "session-opened" in (tmp_path / "data" / "host.log").read_text()

    again = programs.plays("host", "--play", "--port", "0", "--bind", "127.0.0.1", "--data", tmp_path / "data")
    await again.sees("round 1")  # back at the table, as the only seat that waits
    again.types("qq")
    await again.sees(lambda now: re.search(r"your seat +Draw +ada", now.text))
    again.types("qq")
    assert await again.leaves() == 0


async def test_a_host_that_is_ended_from_outside_closes_in_order_though_its_operator_plays(
    programs, client, tmp_path
):
    ada, port = await opened(programs, tmp_path)
    bob = client.plays(port, user="bob", key=client.key("bob")[0])
    await bob.sees("What name will you play under?")
    os.kill(ada.pid, signal.SIGTERM)

    assert await ada.leaves() == 0
    assert is_restored(ada)
    await bob.leaves()
    assert b"The server has closed." in bob.raw


async def test_host_and_play_joins_a_host_that_already_runs_there(programs, tmp_path):
    ada, port = await opened(programs, tmp_path)
    words = ("--port", str(port), "--bind", "127.0.0.1", "--no-announce", "--data", tmp_path / "other")
    bob = programs.plays("host", "--play", *words, LOGNAME="bob")
    await comes_in(bob)
    assert "ada, bob" in bob.text
    bob.types("q")
    await bob.leaves()

    ada.types("qq")
    assert await ada.leaves() == 0
