"""A host whose operator plays at its terminal: friends come by ssh, and it closes when that player leaves."""

import os
import re
import signal

from tests.real.programs import effect_of_enter, enter_lobby, is_restored, open_table


async def opened(programs, tmp_path, *words):
    """Start a host with its player in the lobby; return it and its port."""
    options = ("--port", "0", "--bind", "127.0.0.1", "--no-announce", "--fast", "--data", tmp_path / "data")
    ada = programs.start("host", "--play", *options, *words, LOGNAME="ada")
    await enter_lobby(ada)
    return ada, int(re.search(r"friends type: ssh -p (\d+) 127\.0\.0\.1", ada.text)[1])


async def test_the_player_at_the_host_opens_a_table_and_a_friend_with_only_ssh_sits_down(programs, client, tmp_path):
    ada, port = await opened(programs, tmp_path)
    ada.type("i")
    await ada.wait_for("A friend types one of these:")
    assert f"ssh -p {port} 127.0.0.1" in ada.text
    assert f"boneyard join 127.0.0.1:{port}" in ada.text
    ada.type("q")
    await ada.wait_for("ada, in the lobby")
    await open_table(ada)
    await ada.wait_for("Waiting for 1 more player.")
    bob = client.start(port, user="bob", key=client.key("bob")[0])
    await bob.wait_for("What name will you play under?")
    bob.type("\r")
    await bob.wait_for("ada's table")
    bob.type("\r")
    for player in (ada, bob):
        await player.wait_for(
            lambda player: effect_of_enter(player.rows) == "play" or "is to play" in player.rows[-1]
        )

    ada.type("q")
    await ada.wait_for("Leave? A bot plays for you until you are back.")
    ada.type("q")
    await ada.wait_for("ada, in the lobby")
    ada.type("q")
    await ada.wait_for("Press q again to close the server; every match is kept.")
    ada.type("q")
    assert await ada.wait_for_exit() == 0
    assert is_restored(ada)
    await bob.wait_for_exit()
    assert b"The server has closed." in bob.raw
    assert "session-opened" in (tmp_path / "data" / "host.log").read_text()

    again = programs.start("host", "--play", "--port", "0", "--bind", "127.0.0.1", "--data", tmp_path / "data")
    await again.wait_for("round 1")  # back at the table, as the only seat that waits
    again.type("qq")
    await again.wait_for(lambda player: re.search(r"your seat +Draw +ada", player.text))
    again.type("qq")
    assert await again.wait_for_exit() == 0


async def test_a_host_that_is_ended_from_outside_closes_in_order_though_its_operator_plays(
    programs, client, tmp_path
):
    ada, port = await opened(programs, tmp_path)
    bob = client.start(port, user="bob", key=client.key("bob")[0])
    await bob.wait_for("What name will you play under?")
    os.kill(ada.pid, signal.SIGTERM)

    assert await ada.wait_for_exit() == 0
    assert is_restored(ada)
    await bob.wait_for_exit()
    assert b"The server has closed." in bob.raw


async def test_host_and_play_joins_a_host_that_already_runs_there(programs, tmp_path):
    ada, port = await opened(programs, tmp_path)
    words = ("--port", str(port), "--bind", "127.0.0.1", "--no-announce", "--data", tmp_path / "other")
    bob = programs.start("host", "--play", *words, LOGNAME="bob")
    await enter_lobby(bob)
    assert "ada, bob" in bob.text
    bob.type("q")
    await bob.wait_for_exit()

    ada.type("qq")
    assert await ada.wait_for_exit() == 0
