"""A real host: it starts or says why not, shuts down cleanly, and informs everybody who is connected."""

import asyncio
import os
import re
import signal
import socket
import sys

from net.wire.messages import MakeTable
from tests.real.joined import joined
from tests.real.programs import effect_of_enter, enter_lobby, expect_one_sentence, is_restored, new, open_table


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


async def not_joined(programs, address, *words):
    """Join where that is impossible; return the sentence of the error."""
    player = programs.start("join", address, *words)
    assert await player.wait_for_exit() == 1
    assert is_restored(player)
    (sentence,) = [line for line in player.last_words if "is new;" not in line]
    assert sentence.startswith("boneyard: ")
    return sentence.removeprefix("boneyard: ")


async def test_a_closing_host_says_goodbye_to_everybody(programs, client, tmp_path):
    host = await programs.start_host()
    ann = client.start(host.port, key=client.key("ann")[0])
    ben = programs.start("join", f"127.0.0.1:{host.port}", "--name", "Ben")
    await enter_lobby(ann)
    await ben.wait_for("Ben, in the lobby")
    await open_table(ben, "\x1b[B\x1b[B\x1b[C\r")  # a bot besides
    await ben.wait_for(lambda player: effect_of_enter(player.rows) == "play" or "is to play" in player.rows[-1])
    async with joined(host, tmp_path, "cid") as cid, joined(host, tmp_path, "dan", enter=False) as dan:
        cid.watch(1)
        await cid.until(lambda client: client.update)

        host.kill(signal.SIGTERM)

        for guest in (cid, dan):
            assert str((await guest.wait_for_end()).reason) == "The server has closed."
    assert await ann.wait_for_exit() == 0
    await ben.wait_for("Reconnecting")
    ben.type("q")
    assert await ben.wait_for_exit() == 1
    for player in (ann, ben):
        assert is_restored(player)
    assert ann.last_words[0] == "The server has closed."  # and then OpenSSH's own
    assert ben.last_words == ["boneyard: The connection to the server was lost."]
    assert await host.wait_for_exit() == 0
    assert host.said.endswith("Shutting down.\n")
    assert "Traceback" not in host.log
    assert not listens(host.port)


async def test_ctrl_c_asks_while_people_play_and_then_everybody_reads_of_the_end(programs, client, tmp_path):
    words = ("--port", "0", "--bind", "127.0.0.1", "--no-announce", "--data", tmp_path / "data", "--workers", "1")
    host = programs.start("host", *words)
    await host.wait_for("Press Ctrl-C to stop the server.")
    port = int(re.search(r"ssh -p (\d+) ", host.text)[1])
    ann = client.start(port, user="ann", key=client.key("ann")[0])
    await enter_lobby(ann)
    await open_table(ann)
    await ann.wait_for("Waiting for 1 more player.")
    cid = client.start(port, "-t", "127.0.0.1", "plain", user="cid", key=client.key("cid")[0])
    await cid.wait_for("What name will you play under?")
    ben = programs.start("join", f"127.0.0.1:{port}", "--name", "Ben")
    dan = programs.start("join", f"127.0.0.1:{port}", "--plain", "--name", "Dan")
    await ben.wait_for("ann's table")
    await dan.wait_for("Dan")
    ben.type("w")
    await ben.wait_for("1 watching")

    host.type("\x03")
    await host.wait_for("1 person is playing. Press Ctrl-C again to close the server.")
    assert ann.status is None
    while host.status is None:  # the key is held down
        host.type("\x03")
        await asyncio.sleep(0.01)

    assert await host.wait_for_exit() == 0
    assert "Aborted" not in host.text
    for guest in (ann, cid):
        await guest.wait_for_exit()
        assert b"The server has closed.\r\n" in guest.raw
    for guest in (ben, dan):
        assert await guest.wait_for_exit() == 1
        assert guest.last_words[-1] == "boneyard: The server has closed."


async def test_a_host_in_a_terminal_prints_arrivals_and_departures_and_logs_to_a_file(programs, client, tmp_path):
    words = ("--port", "0", "--bind", "127.0.0.1", "--no-announce", "--data", tmp_path / "data", "--workers", "1")
    host = programs.start("host", *words)
    await host.wait_for("Press Ctrl-C to stop the server.")
    bob = client.start(int(re.search(r"ssh -p (\d+) ", host.text)[1]), user="bob", key=client.key("bob")[0])
    await bob.wait_for("What name will you play under?")
    bob.type("\r")
    await host.wait_for("bob logged in by ssh. 1 player is here now.")
    await bob.wait_for("bob, in the lobby")
    await open_table(bob)
    await host.wait_for("bob opened Draw.")
    bob.type("\x11")
    await host.wait_for("bob has left. Nobody is here now.")
    assert "INFO" not in host.text
    host.type("\x03")
    assert await host.wait_for_exit() == 0
    assert "Shutting down." in host.text
    assert "session-opened kind=terminal user=bob" in (tmp_path / "data" / "host.log").read_text()


async def test_with_v_a_host_in_a_terminal_shows_its_log(programs, client, tmp_path):
    words = ("--port", "0", "--bind", "127.0.0.1", "--no-announce", "--data", tmp_path / "data", "-v")
    host = programs.start("host", *words, size=(200, 24))
    await host.wait_for("Press Ctrl-C to stop the server.")
    client.start(int(re.search(r"ssh -p (\d+) ", host.text)[1]), user="bob", key=client.key("bob")[0])
    await host.wait_for("session-opened kind=terminal user=bob")
    host.type("\x03")
    assert await host.wait_for_exit() == 0
    assert not (tmp_path / "data" / "host.log").exists()


async def test_a_guest_whose_program_is_ended_leaves_the_seat_to_a_bot_at_once(programs, host, tmp_path):
    async with joined(host, tmp_path, name := new("ada")) as ada:
        ada.make_table(MakeTable("draw", 2, {}))
        await ada.until(lambda client: client.update)
        ben = programs.start("join", f"127.0.0.1:{host.port}", "--name", new("Ben"))
        await ben.wait_for(f"{name}'s table")
        ben.type("\r")
        await ben.wait_for("round 1")
        os.kill(ben.pid, signal.SIGTERM)
        assert await ben.wait_for_exit() == -signal.SIGTERM
        assert is_restored(ben)
        await ada.until(lambda client: client.update.table.seats[1].away and client.update.match.play.turn == 0)


async def test_a_folder_with_open_permissions_is_made_private_at_the_start(programs, tmp_path):
    data = tmp_path / "house"
    for folder in (data, data / "records"):
        folder.mkdir()
        folder.chmod(0o777)
    (data / "host.lock").touch()
    (data / "host.lock").chmod(0o666)
    programs.command = [sys.executable, "-c", "import os; os.umask(0); import tui.cli.main; tui.cli.main.main()"]
    host = await programs.start_host("--log-file", str(tmp_path / "log"), data=data)
    async with joined(host, tmp_path, "ada") as ada:
        ada.make_table(MakeTable("draw", 2, {}, bots=1))
        await ada.until(lambda client: client.update and client.update.match)
        status, out, _ = await programs.run("host", "--check", "--data", data)
        assert (status, "WRONG" in out) == (0, False), out
        modes = {str(path.relative_to(data)): path.stat().st_mode & 0o777 for path in (data, *data.rglob("*"))}
        status, out, _ = await programs.run("backup", tmp_path / "copy", "--data", data)
        assert status == 0, out
    await host.close_cleanly()

    assert modes.pop(".") == modes.pop("records") == 0o700
    assert modes == dict.fromkeys(
        ("admin.sock", "boneyard.sqlite", "boneyard.sqlite-shm", "boneyard.sqlite-wal", "host.lock", "host_key"),
        0o600,
    )
    assert {(tmp_path / name).stat().st_mode & 0o777 for name in ("copy", "log")} == {0o600}


async def test_a_host_with_another_key_than_before_is_not_joined(programs, tmp_path):
    host = await programs.start_host(data=tmp_path / "one")
    ben = programs.start("join", f"127.0.0.1:{host.port}", "--name", "Ben")
    await ben.wait_for("Ben, in the lobby")
    ben.type("q")
    assert await ben.wait_for_exit() == 0
    assert is_restored(ben)
    await host.close_cleanly()

    other = await programs.start_host(data=tmp_path / "two", port=host.port)
    sentence = await not_joined(programs, f"127.0.0.1:{host.port}")
    assert "has a different key than before" in sentence
    assert other.fingerprint in sentence
    assert host.fingerprint in sentence
    await other.close_cleanly()


async def test_joining_without_a_host_says_so(programs):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
        assert (
            await not_joined(programs, f"127.0.0.1:{port}")
            == f"Nothing answers at 127.0.0.1:{port}; is the server running, and is that its port?"
        )


async def test_a_host_that_cannot_open_gives_the_reason_in_one_sentence(programs, tmp_path):
    def host(**changes):
        words = {"port": 0, "bind": "127.0.0.1", "data": tmp_path / "data"} | changes
        return expect_one_sentence(
            programs, "host", "--no-announce", *(f"--{name}={value}" for name, value in words.items())
        )

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert (
            await host(port=port)
            == f"Another program is already using port {port} of 127.0.0.1; choose another port."
        )

    (tmp_path / "file").touch()
    below = tmp_path / "file" / "below"
    assert await host(data=below) == f"The server cannot start: Not a directory: {below}."

    names = tmp_path / "broken names"
    names.mkdir()
    (names / "boneyard.sqlite").write_bytes(b"no database" * 1000)
    assert await host(data=names) == (
        f"{names / 'boneyard.sqlite'} is damaged (file is not a database); nothing was changed. "
        "Restore a backup, or move the file away."
    )
    assert (names / "boneyard.sqlite").read_bytes() == b"no database" * 1000


async def test_invalid_arguments_are_refused_in_one_sentence(programs):
    for words, status, sentence in [
        (("play", "draw"), 1, "A terminal is needed to play. Use --plain instead."),
        (("replay", sys.executable), 1, "is not a record: it is not UTF-8 text."),
        (("join", "a b:c"), 2, "“a b:c” is not an address"),
    ]:
        assert sentence in await expect_one_sentence(programs, *words, status=status)


async def test_a_disk_that_is_full_ends_the_record_but_not_the_game(programs):
    player = programs.start("play", "draw", "--seed", "7", "--fast", "--record", "/dev/full")
    await player.wait_for(lambda player: effect_of_enter(player.rows) == "play")
    player.type("\r")
    await player.wait_for("Blanche plays")
    player.type("qq")
    assert await player.wait_for_exit() == 1
    assert is_restored(player)
    assert player.last_words == ["boneyard: The record /dev/full cannot be written: No space left on device."]


async def test_a_host_without_a_role_refuses_the_directory_of_a_cluster_node(programs, tmp_path):
    node = tmp_path / "node"
    node.mkdir(mode=0o700)
    (node / "cluster.pem").touch(0o600)
    sentence = await expect_one_sentence(programs, "host", "--port", "0", "--bind", "127.0.0.1", "--data", node)
    assert sentence.startswith(f"{node} belongs to a node of a cluster (cluster.pem is there)")
    assert not (node / "boneyard.sqlite").exists()
    assert not (node / "host_key").exists()
