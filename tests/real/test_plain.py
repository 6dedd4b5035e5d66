"""Plain lines in real terminals, pipes and ssh clients: whole matches, and not one escape sequence."""

import re

import pytest

from core.games import GAMES

pytestmark = pytest.mark.real

PLAYERS = {name: str(min(3, variant.seats[1])) for name, variant in GAMES.items()} | {"forty-two": "4"}
TURN, GO_ON, OVER = "It is your turn.", "Press Enter to go on.", "The match is over."
FACE = re.compile(r"Which number should face out\? Type one of (\d+)")


def answer_to(said):
    """What to type, by what was said since the last answer; None while nothing is asked."""
    if OVER in said:
        return ""
    if faces := FACE.search(said):
        return faces[1]
    if GO_ON in said:
        return ""
    return "1" if re.search(rf"{re.escape(TURN)}.*^1\. ", said, re.DOTALL | re.MULTILINE) else None


async def plays_plainly(player, end="\n"):
    """Type the first choice whenever something is asked, until the match is over."""
    done = 0

    def said(now):
        return now.raw[done:].decode().replace("\r\n", "\n")

    while True:
        await player.sees(lambda now: answer_to(said(now)) is not None)
        answer, over = answer_to(said(player)), OVER in said(player)
        if over:
            return
        done = len(player.raw)
        player.types(answer + end)


def sentences(raw):
    """The lines that were printed, after a look at their bytes: nothing in them is for a terminal to obey."""
    assert b"\x1b" not in raw
    assert not set(raw) & (set(range(32)) - {10, 13})
    return [line for line in raw.decode().replace("\r\n", "\n").split("\n") if line]


@pytest.mark.parametrize("game", GAMES)
async def test_a_whole_match_of_every_game_is_played_in_a_terminal(programs, tmp_path, game):
    record = tmp_path / "match.jsonl"
    words = ("play", game, "--plain", "--players", PLAYERS[game], "--bots", "easy", "--seed", "3", "--fast")
    player = programs.plays(*words, "--record", record, TERM="dumb")

    await plays_plainly(player)
    player.types("leave\n")

    assert await player.leaves() == 0
    typed = ("1", "leave")
    for line in sentences(player.raw):
        assert line in typed or line.isdigit() or line.endswith((".", "!")), line
    status, out, err = await programs.runs("verify", record)
    assert (status, err) == (0, ""), out


@pytest.mark.parametrize("pty", ["-t", "-T"])
async def test_a_whole_match_is_played_by_a_guest_who_has_only_ssh(programs, client, pty):
    house = await programs.hosts()
    player = client.plays(house.port, pty, "127.0.0.1", "plain", key=client.key("ada")[0])
    await player.sees(lambda now: b"What name will you play under?" in now.raw)
    player.types("\n" if pty == "-T" else "\r")
    await player.sees(lambda now: b"Type new to open a table" in now.raw)
    for line in ("new fives-and-threes", "", "0", "", "fill"):
        player.types(line + ("\n" if pty == "-T" else "\r"))
    await plays_plainly(player, end="\n" if pty == "-T" else "\r")

    player.types("leave\nleave\n" if pty == "-T" else "leave\rleave\r")

    assert await player.leaves() == 0
    assert b"\x1b" not in player.raw
    await house.closes()
    status, out, err = await programs.runs("verify", house.records[-1])
    assert (status, err) == (0, ""), out
