"""Images of tiles: only on a terminal that reports in time that it supports them."""

import asyncio
import os
import re
import signal

import pytest

from tests.real.programs import comes_in, is_restored, new, open_table, play_out

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
    await player.sees("Waiting for 1 more player.")
    player.types("z")
    await player.sees("round 1")


async def test_alone_tiles_are_pictures_each_given_once_and_all_are_removed_at_the_end(programs):
    player = programs.plays("play", "draw", "--seed", "7", "--fast", **KITTYS)
    player.answer = KITTY
    turns = []
    await play_out(player, until=lambda now: turns.append(now) or len(turns) > 8)
    assert shows_pictures(player)
    assert len(sent_images(player)) < len(visible_images(player)) / 2
    player.types("\x03")
    await player.sees("Leave? The match is kept.")
    player.types("q")
    assert await player.leaves() == 0
    assert is_restored(player)
    assert set(map(int, REMOVED.findall(player.raw))) == set(sent_images(player))


async def test_a_terminal_that_shows_no_pictures_gets_cells(programs):
    player = programs.plays("play", "draw", "--seed", "7", "--fast", size=(140, 45), **KITTYS)
    player.answer = b"\x1b[?62;c"
    await player.sees("your turn")

    assert ASKED in player.raw
    assert shows_cells(player)


async def test_a_late_answer_is_no_key_and_typing_meanwhile_is_not_lost(programs):
    player = programs.plays(
        "play", "draw", "--seed", "7", "--fast", size=(140, 45), **KITTYS | {"BONEYARD_ANSWERS_WITHIN": "0.1"}
    )
    player.answer = b""
    await player.sees("your turn")
    before = player.text
    for part in (KITTY[:3], KITTY[3:20], KITTY[20:]):
        player.types(part)
    player.types("?")
    await player.sees(lambda now: now.text != before)
    help_page = player.text
    player.types("\x1b")
    await player.sees(before)

    assert "The goal" in help_page or "Draw" in help_page
    assert shows_cells(player)


@pytest.mark.parametrize(("words", "env"), [(["--no-pictures"], {}), ([], {"NO_COLOR": "1"})])
async def test_a_guest_without_pictures_is_not_queried(programs, words, env):
    player = programs.plays("play", "draw", "--seed", "7", "--fast", *words, size=(140, 45), **KITTYS | env)
    player.answer = KITTY
    await player.sees("your turn")

    assert ASKED not in player.raw
    assert shows_cells(player)


async def test_over_ssh_each_guest_gets_the_images_that_their_terminal_supports(host, client):
    for name, answer, words, check in (
        ("ann", KITTY, ["127.0.0.1"], shows_pictures),
        ("ben", b"", ["127.0.0.1"], shows_cells),
        ("cat", KITTY, ["-t", "127.0.0.1", "no-pictures"], shows_cells),
    ):
        env = KITTYS if answer else KITTYS | {"BONEYARD_ANSWERS_WITHIN": "0.1"}
        guest = client.plays(host.port, *words, key=client.key(name)[0], size=(140, 45), user=new(name), **env)
        guest.answer = answer
        await comes_in(guest)
        await sit_at_new_table(guest)
        await guest.sees(check)
        guest.types("\x03")
        await guest.sees("in the lobby")
        guest.types("\x03")
        await guest.leaves()
        assert set(map(int, REMOVED.findall(guest.raw))) == set(sent_images(guest))


async def test_a_host_without_pictures_never_queries_a_terminal(programs, client):
    host = await programs.hosts("--no-pictures")
    ann = client.plays(host.port, key=client.key("ann")[0], size=(140, 45), TERM="xterm-kitty")
    ann.answer = KITTY
    await ann.sees("What name will you play under?")

    assert ASKED not in ann.raw
    await host.closes()


async def test_a_joined_player_has_pictures_on_their_own_terminal(programs, host):
    where = f"127.0.0.1:{host.port}"
    ben = programs.plays("join", where, "--name", new("Ben"), size=(140, 45), **KITTYS)
    ben.answer = KITTY
    await ben.sees("in the lobby")
    await sit_at_new_table(ben)
    await ben.sees(shows_pictures)


async def test_after_a_stop_from_outside_every_picture_is_given_again(programs):
    player = programs.plays("play", "draw", "--seed", "7", "--fast", size=(140, 45), **KITTYS)
    player.answer = KITTY
    await player.sees("your turn")
    await player.sees(shows_pictures)
    before = set(sent_images(player))
    os.kill(player.pid, signal.SIGSTOP)
    await asyncio.to_thread(os.waitpid, player.pid, os.WUNTRACED)  # until it has stopped
    os.kill(player.pid, signal.SIGCONT)
    await player.sees(
        lambda now: now.raw.count(b"\x1b[?1049h") == 2 and visible_images(now) and set(sent_images(now)) == before
    )


async def test_replays_kept_matches_and_tables_from_the_menu_show_pictures(programs, tmp_path):
    record = tmp_path / "match.jsonl"
    assert (await programs.runs("sim", "draw", "--seed", "1", "--record", record))[0] == 0
    replay = programs.plays("replay", record, size=(140, 45), **KITTYS)
    replay.answer = KITTY
    await replay.sees("BONEYARD")
    replay.types("\x1b[C" * 5)
    await replay.sees(shows_pictures)

    left = programs.plays("play", "draw", "--seed", "7", "--fast", "--no-pictures", **KITTYS)
    left.answer = KITTY
    turns = []
    await play_out(left, until=lambda now: turns.append(now) or len(turns) > 2)
    left.types("\x03")
    await left.sees("Leave? The match is kept.")
    left.types("q")
    await left.leaves()
    for words in (["continue"], []):
        player = programs.plays(*words, size=(140, 45), **KITTYS)
        player.answer = KITTY
        if not words:
            await player.sees("Go on")
            player.types("\r")
        await player.sees("your turn")
        assert shows_pictures(player)
        assert player.raw.count(ASKED) == 1
        player.types("\x03")
        await player.sees("Leave? The match is kept.")
        player.types("q")
        if words:
            await player.leaves()


async def test_when_the_terminal_goes_away_the_program_ends(programs):
    player = programs.plays("play", "draw", "--seed", "7", "--fast", size=(140, 45), **KITTYS)
    player.answer = KITTY
    await player.sees("your turn")
    player.hangs_up()
    status = await asyncio.wait_for(asyncio.to_thread(os.waitpid, player.pid, 0), 30)

    assert os.WIFSIGNALED(status[1]), "by the hangup, after it has given up the terminal"


SIXEL = b"\x1bP>|XTerm(379)\x1b\\\x1b[6;20;10t\x1b[?63;1;2;4;6;22c"
IMAGES = re.compile(rb"\x1b\[\d+;\d+H\x1bP0;1q[^\x1b]+\x1b\\")


async def test_a_terminal_that_knows_sixel_is_sent_an_image_of_every_tile(programs):
    player = programs.plays(
        "play", "draw", "--seed", "7", "--fast", **KITTYS | {"TERM": "xterm", "COLORTERM": "truecolor"}
    )
    player.answer = SIXEL
    turns = []
    await play_out(player, until=lambda now: turns.append(now) or len(turns) > 4)
    assert len(IMAGES.findall(latest_output(player))) > 7
    assert "\U0010eeee".encode() not in player.raw
    assert "●" not in player.text
    player.types("qq")
    assert await player.leaves() == 0
    assert is_restored(player)
