"""Images of tiles: only on a terminal that reports in time that it supports them."""

import asyncio
import os
import re
import signal

import pytest

from tests.real.programs import enter_lobby, is_restored, new, open_table, play_out

KITTY = b"\x1b_Gi=1;OK\x1b\\\x1bP>|kitty(0.41.1)\x1b\\\x1b[6;20;10t\x1b[?62;c"
ASKED, GIVEN, REMOVED = b"a=q", re.compile(rb"\x1b_Ga=T,[^;]*i=(\d+),"), re.compile(rb"\x1b_Ga=d,d=I,i=(\d+),")
SHOWN = re.compile(rb"38;2;(\d+);(\d+);(\d+)[\d;]*m(?=\xf4\x8e\xbb\xae)")
KITTYS = {"TERM": "xterm-kitty", "BONEYARD_ANSWERS_WITHIN": "5"}


def latest_output(player):
    """Return the output since the screen was opened last: the menu and a table have one each."""
    return player.raw.rpartition(b"\x1b[?1049h")[2]


def sent_images(player):
    return [int(match) for match in GIVEN.findall(latest_output(player))]


def visible_images(player):
    return [int.from_bytes(map(int, match), "big") for match in SHOWN.findall(latest_output(player))]


def shows_pictures(player):
    """Return True if all images on the screen were uploaded before, once, and there are some."""
    raw = latest_output(player)
    for match in SHOWN.finditer(raw):
        number = int.from_bytes(map(int, match.groups()), "big")
        assert -1 < raw.find(b"i=%d," % number) < match.start()
    assert len(sent_images(player)) == len(set(sent_images(player)))
    return bool(visible_images(player)) and "●" not in player.text


def shows_cells(player):
    return "●" in player.text and not sent_images(player) and not visible_images(player)


async def sit_at_new_table(player):
    """Go from the lobby to a new table against a bot."""
    await open_table(player)
    await player.wait_for("Waiting for 1 more player.")
    player.type("z")
    await player.wait_for("round 1")


async def test_alone_tiles_are_pictures_each_given_once_and_all_are_removed_at_the_end(programs):
    player = programs.start("play", "draw", "--seed", "7", "--fast", **KITTYS)
    player.answer = KITTY
    turns = []
    await play_out(player, until=lambda player: turns.append(player) or len(turns) > 8)
    assert shows_pictures(player)
    assert len(sent_images(player)) < len(visible_images(player)) / 2
    player.type("\x03")
    await player.wait_for("Leave? The match is kept.")
    player.type("q")
    assert await player.wait_for_exit() == 0
    assert is_restored(player)
    assert set(map(int, REMOVED.findall(player.raw))) == set(sent_images(player))


async def test_a_terminal_that_shows_no_pictures_gets_cells(programs):
    player = programs.start("play", "draw", "--seed", "7", "--fast", size=(140, 45), **KITTYS)
    player.answer = b"\x1b[?62;c"
    await player.wait_for("your turn")

    assert ASKED in player.raw
    assert shows_cells(player)


async def test_a_late_answer_is_no_key_and_typing_meanwhile_is_not_lost(programs):
    player = programs.start(
        "play", "draw", "--seed", "7", "--fast", size=(140, 45), **KITTYS | {"BONEYARD_ANSWERS_WITHIN": "0.1"}
    )
    player.answer = b""
    await player.wait_for("your turn")
    before = player.text
    for part in (KITTY[:3], KITTY[3:20], KITTY[20:]):
        player.type(part)
    player.type("?")
    await player.wait_for(lambda player: player.text != before)
    help_page = player.text
    player.type("\x1b")
    await player.wait_for(before)

    assert "The goal" in help_page or "Draw" in help_page
    assert shows_cells(player)


@pytest.mark.parametrize(("words", "env"), [(["--no-pictures"], {}), ([], {"NO_COLOR": "1"})])
async def test_a_guest_without_pictures_is_not_queried(programs, words, env):
    player = programs.start("play", "draw", "--seed", "7", "--fast", *words, size=(140, 45), **KITTYS | env)
    player.answer = KITTY
    await player.wait_for("your turn")

    assert ASKED not in player.raw
    assert shows_cells(player)


async def test_over_ssh_each_guest_gets_the_images_that_their_terminal_supports(host, client):
    for name, answer, words, check in (
        ("ann", KITTY, ["127.0.0.1"], shows_pictures),
        ("ben", b"", ["127.0.0.1"], shows_cells),
        ("cat", KITTY, ["-t", "127.0.0.1", "no-pictures"], shows_cells),
    ):
        env = KITTYS if answer else KITTYS | {"BONEYARD_ANSWERS_WITHIN": "0.1"}
        guest = client.start(host.port, *words, key=client.key(name)[0], size=(140, 45), user=new(name), **env)
        guest.answer = answer
        await enter_lobby(guest)
        await sit_at_new_table(guest)
        await guest.wait_for(check)
        guest.type("\x03")
        await guest.wait_for("in the lobby")
        guest.type("\x03")
        await guest.wait_for_exit()
        assert set(map(int, REMOVED.findall(guest.raw))) == set(sent_images(guest))


async def test_a_host_without_pictures_never_queries_a_terminal(programs, client):
    host = await programs.start_host("--no-pictures")
    ann = client.start(host.port, key=client.key("ann")[0], size=(140, 45), TERM="xterm-kitty")
    ann.answer = KITTY
    await ann.wait_for("What name will you play under?")

    assert ASKED not in ann.raw
    await host.close_cleanly()


async def test_a_joined_player_has_pictures_on_their_own_terminal(programs, host):
    where = f"127.0.0.1:{host.port}"
    ben = programs.start("join", where, "--name", new("Ben"), size=(140, 45), **KITTYS)
    ben.answer = KITTY
    await ben.wait_for("in the lobby")
    await sit_at_new_table(ben)
    await ben.wait_for(shows_pictures)


async def test_after_a_stop_from_outside_every_picture_is_given_again(programs):
    player = programs.start("play", "draw", "--seed", "7", "--fast", size=(140, 45), **KITTYS)
    player.answer = KITTY
    await player.wait_for("your turn")
    await player.wait_for(shows_pictures)
    before = set(sent_images(player))
    os.kill(player.pid, signal.SIGSTOP)
    await asyncio.to_thread(os.waitpid, player.pid, os.WUNTRACED)  # until it has stopped
    os.kill(player.pid, signal.SIGCONT)
    await player.wait_for(
        lambda player: (
            player.raw.count(b"\x1b[?1049h") == 2 and visible_images(player) and set(sent_images(player)) == before
        )
    )


async def test_replays_kept_matches_and_tables_from_the_menu_show_pictures(programs, tmp_path):
    record = tmp_path / "match.jsonl"
    assert (await programs.run("sim", "draw", "--seed", "1", "--record", record))[0] == 0
    replay = programs.start("replay", record, size=(140, 45), **KITTYS)
    replay.answer = KITTY
    await replay.wait_for("BONEYARD")
    replay.type("\x1b[C" * 5)
    await replay.wait_for(shows_pictures)

    left = programs.start("play", "draw", "--seed", "7", "--fast", "--no-pictures", **KITTYS)
    left.answer = KITTY
    turns = []
    await play_out(left, until=lambda player: turns.append(player) or len(turns) > 2)
    left.type("\x03")
    await left.wait_for("Leave? The match is kept.")
    left.type("q")
    await left.wait_for_exit()
    for words in (["continue"], []):
        player = programs.start(*words, size=(140, 45), **KITTYS)
        player.answer = KITTY
        if not words:
            await player.wait_for("Go on")
            player.type("\r")
        await player.wait_for("your turn")
        assert shows_pictures(player)
        assert player.raw.count(ASKED) == 1
        player.type("\x03")
        await player.wait_for("Leave? The match is kept.")
        player.type("q")
        if words:
            await player.wait_for_exit()


async def test_when_the_terminal_goes_away_the_program_ends(programs):
    player = programs.start("play", "draw", "--seed", "7", "--fast", size=(140, 45), **KITTYS)
    player.answer = KITTY
    await player.wait_for("your turn")
    player.hang_up()
    status = await asyncio.wait_for(asyncio.to_thread(os.waitpid, player.pid, 0), 30)

    assert os.WIFSIGNALED(status[1]), "by the hangup, after it has given up the terminal"


SIXEL = b"\x1bP>|XTerm(379)\x1b\\\x1b[6;20;10t\x1b[?63;1;2;4;6;22c"
IMAGES = re.compile(rb"\x1b\[\d+;\d+H\x1bP0;1q[^\x1b]+\x1b\\")


async def test_a_terminal_that_knows_sixel_is_sent_an_image_of_every_tile(programs):
    player = programs.start(
        "play", "draw", "--seed", "7", "--fast", **KITTYS | {"TERM": "xterm", "COLORTERM": "truecolor"}
    )
    player.answer = SIXEL
    turns = []
    await play_out(player, until=lambda player: turns.append(player) or len(turns) > 4)
    assert len(IMAGES.findall(latest_output(player))) > 7
    assert "\U0010eeee".encode() not in player.raw
    assert "●" not in player.text
    player.type("qq")
    assert await player.wait_for_exit() == 0
    assert is_restored(player)
