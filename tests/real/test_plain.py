"""Plain lines in real terminals, pipes and ssh clients: whole matches, and not one escape sequence.

`BONEYARD_LONG=1 ./scripts/test tests/real/test_plain.py` plays a match of every game.
"""

import os
import re
import sys

import pytest

from core.games import GAMES
from tests.real.programs import new
from tests.real.recorded import proofs_of_record

PLAYERS = {name: str(max(variant.seats[0], min(3, variant.seats[1]))) for name, variant in GAMES.items()}
EACH_ENGINE = ("all-fives", "forty-two", "patience", "tien-gow")
TURN, GO_ON = "It is your turn.", "Press Enter to go on."
OVER = re.compile("The match is over|Press Enter for a new deal")
FACE = re.compile(r"Which number should face out\? Type one of (\d+)")


def answer_to(said):
    """Return the text to type after the lines printed since the last answer; None without a question."""
    if OVER.search(said):
        return ""
    if faces := FACE.search(said):
        return faces[1]
    if GO_ON in said:
        return ""
    return "1" if re.search(rf"{re.escape(TURN)}.*^1\. ", said, re.DOTALL | re.MULTILINE) else None


async def play_plain_match(player):
    """Type the first choice at every question, until the match is over."""
    done = 0

    def said(now):
        return now.raw[done:].decode().replace("\r\n", "\n")

    while True:
        await player.wait_for(lambda player: answer_to(said(player)) is not None)
        answer, over = answer_to(said(player)), OVER.search(said(player))
        if over:
            return
        done = len(player.raw)
        player.type(f"{answer}\n")


def sentences(raw):
    """Return the printed lines, after a check that their bytes have no control sequences."""
    assert b"\x1b" not in raw
    assert not set(raw) & (set(range(32)) - {10, 13})
    return [line for line in raw.decode().replace("\r\n", "\n").split("\n") if line]


@pytest.mark.parametrize("game", GAMES if os.environ.get("BONEYARD_LONG") else EACH_ENGINE)
async def test_a_whole_match_of_every_game_is_played_in_a_terminal(programs, tmp_path, game):
    record = tmp_path / "match.jsonl"
    bots = ("--bots", "easy") * (PLAYERS[game] != "1")
    words = ("play", game, "--plain", "--players", PLAYERS[game], *bots, "--seed", "3", "--fast")
    player = programs.start(*words, "--record", record, TERM="dumb")

    await play_plain_match(player)
    player.type("leave\n")

    assert await player.wait_for_exit() == 0
    typed = ("1", "leave")
    for line in sentences(player.raw):
        assert line in typed or line.isdigit() or line.endswith((".", "!")), line
    assert proofs_of_record(record).matches == 1


async def test_a_whole_match_is_played_by_a_guest_who_has_only_ssh(programs, client):
    host = await programs.start_host()
    player = client.start(host.port, "-T", "127.0.0.1", "plain", key=client.key("ada")[0])
    await player.wait_for(lambda player: b"What name will you play under?" in player.raw)
    player.type("\n")
    await player.wait_for(lambda player: b"to open a table" in player.raw)
    for line in ("new fives-and-threes", "", "0", "", "fill"):
        player.type(line + "\n")
    await play_plain_match(player)

    player.type("leave\nleave\n")

    assert await player.wait_for_exit() == 0
    assert b"\x1b" not in player.raw
    await host.close_cleanly()
    assert proofs_of_record(host.records[-1]).matches == 1


async def test_a_guest_in_a_terminal_can_correct_their_input_and_leave_by_control_c(host, client):
    ann = client.start(host.port, "-t", "127.0.0.1", "plain")
    await ann.wait_for("What name will you play under?")
    name = new("Ann")
    ann.type(f"Bob\x7f\x7f\x7f{name}\x1b[D\r")
    await ann.wait_for(f"You are in the lobby, as {name}.")
    ann.type("\x03")
    assert await ann.wait_for_exit() == 0
    assert f"ssh -p {host.port} {name}+".encode() in ann.raw
    sentences(ann.raw.replace(b"\b \b", b""))


async def test_a_seat_is_reserved_for_a_guest_who_left_and_returns_with_the_code(host, client):
    name = new("Ann")
    lines = f"{name}\nnew block\n\n1\neasy\n\n1\n".encode()
    status, out, _ = await client.run(host.port, "127.0.0.1", "plain", stdin=lines)
    assert status == 0
    assert "It is your turn." in out
    code = re.search(name + r"\+(\w+)@127.0.0.1 plain", out)[1]

    again = {"user": f"{name}+{code}"}
    _, out, _ = await client.run(host.port, "127.0.0.1", "plain", stdin=b"\nleave\n", **again)
    kept = rf"^(\d+)\. Block: {name} \(away\), Blanche; your seat is kept, playing, Blanche \(easy\)\.$"
    number = re.search(kept, out, re.MULTILINE)[1]
    back = f"\n{number}\nhand\nleave\nleave\n".encode()
    status, out, _ = await client.run(host.port, "127.0.0.1", "plain", stdin=back, **again)

    assert status == 0
    assert "Your hand:" in out


async def test_a_guest_without_anything_to_say_leaves_at_once(host, client):
    status, out, _ = await client.run(host.port, "127.0.0.1", "plain")
    assert (status, out.splitlines()[0]) == (0, "Welcome to Boneyard.")


async def test_a_joined_player_plays_a_whole_match_in_lines_beside_a_guest_on_screens(programs, client):
    host = await programs.start_host()
    ben = programs.start("join", f"127.0.0.1:{host.port}", "--plain", "--name", "Ben", TERM="dumb")
    await ben.wait_for("Type “new” to open a table")
    ben.type("new four-rounds\n0\n\n")  # a short match: a host accepts 20 messages a second, after the first 60
    await ben.wait_for("Waiting for 1 more player.")
    ann = client.start(host.port, key=client.key("ann")[0])
    await ann.wait_for("What name will you play under?")
    ann.type("\r")
    await ann.wait_for("Ben's table")
    ann.type("\r")
    await ben.wait_for(lambda player: b"ann sits down." in player.raw)
    ann.type("t")
    await ann.wait_for("To all at the table")
    ann.type("hello Ben\r")
    await ben.wait_for(lambda player: "ann says: “hello Ben”.".encode() in player.raw)
    ann.type("qq")
    await ben.wait_for(lambda player: b"ann is away." in player.raw)

    await play_plain_match(ben)
    await ben.wait_for("Every deal matches")  # which takes a moment to compute
    ben.type("leave\nleave\n")

    assert await ben.wait_for_exit() == 0
    sentences(ben.raw)
    await host.close_cleanly()


async def test_the_menu_plays_alone_and_comes_back_for_the_next_thing(programs):
    player = programs.start("--plain", TERM="dumb")
    await player.wait_for("Type a number.")
    player.type("1\nblock\n2\neasy\n\n")
    await player.wait_for(lambda player: b"It is your turn." in player.raw)
    player.type("leave\n")
    await player.wait_for(lambda player: b"Leave? The match is kept." in player.raw)
    player.type("leave\n")
    await player.wait_for(lambda player: player.raw.count(b"Type a number.") == 2)
    player.type("1\n")  # go on
    await player.wait_for(lambda player: player.raw.count(b"It is your turn.") == 2)
    player.type("leave\nleave\n")
    await player.wait_for(lambda player: player.raw.count(b"Type a number.") == 3)
    player.type("9\n")
    assert await player.wait_for_exit() == 0
    assert b"1. Go on: Block, round 1, you 0." in player.raw
    sentences(player.raw)


async def test_the_end_of_the_input_leaves_without_a_complaint(programs):
    assert (await programs.run("--plain"))[::2] == (0, "")


async def test_control_d_leaves_a_game_alone(programs):
    player = programs.start("play", "draw", "--plain", "--seed", "3", "--fast")
    await player.wait_for(lambda player: b"It is your turn." in player.raw)
    player.type("\x04")
    assert await player.wait_for_exit() == 0
    assert b"Traceback" not in player.raw


async def test_a_client_that_stops_reading_gets_no_complaint(programs):
    line = "yes 1 | {} -m tui play draw --plain --fast --bots easy | head -3".format
    status, out, err = await programs.run(command=["sh", "-c", line(sys.executable)])
    assert (status, len(out.splitlines()), err) == (0, 3, "")


async def test_a_hint_in_a_pipe_is_waited_for(programs):
    line = "printf 'hint\\n1\\n' | {} -m tui play draw --plain --fast --seed 3".format
    _, out, err = await programs.run(command=["sh", "-c", line(sys.executable)])
    assert err == ""
    assert re.search(r"^That is number \d\.\nYou play ", out, re.MULTILINE)
