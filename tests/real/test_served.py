"""A guest with nothing but `ssh`: in at the door, to a table, and back to his seat another time."""

import re

import pytest

from tests.real.programs import asked, plays_out, restored

pytestmark = pytest.mark.real


async def test_a_guest_comes_by_ssh_plays_talks_leaves_and_finds_his_seat_and_his_hand_again(programs, client):
    house = await programs.hosts()
    key, _ = client.key("ann")
    ann = client.plays(house.port, key=key)
    await ann.sees("What shall the table call you?")
    ann.types("Anna\r")
    await ann.sees("Anna, in the lobby")
    assert "No table is open yet." in ann.text

    ann.types("n")
    await ann.sees("open the table")
    ann.types("\x1b[B\x1b[C\x1b[B\x1b[D\r")  # three players: one free seat beside the one bot
    await ann.sees("Waiting for 1 more player.")
    ann.types("z")
    await ann.sees(lambda now: asked(now.rows) == "play")
    assert "Draw · to 100 · round 1" in ann.text
    await plays_out(ann, until=lambda now: asked(now.rows) == "deal")
    ann.types("\r")
    await ann.sees(lambda now: "round 2" in now.text and asked(now.rows) == "play")

    ann.types("t")
    await ann.sees("say something")
    ann.types("good [b]game[/b] all\r")
    await ann.sees("Anna: “good [b]game[/b] all”")
    ann.types("?")
    await ann.sees("these keys, and the rules")
    assert "when nothing fits, draw until" in ann.text
    ann.types("q")
    await ann.sees(lambda now: asked(now.rows) == "play")
    before = ann.text

    ann.types("q")
    await ann.sees("Anna, in the lobby")
    await ann.sees(lambda now: re.search(r"your seat +Draw +Anna \(away\)", now.text))
    ann.types("q")
    assert await ann.leaves() == 0
    assert restored(ann)

    bob = client.plays(house.port, user="bob", key=client.key("bob")[0])
    await bob.sees("What shall the table call you?")
    bob.types("ANNA\r")
    await bob.sees("The name ANNA belongs to somebody else; choose another.")
    bob.types("2\r")
    await bob.sees("ANNA2, in the lobby")
    bob.types("n")
    await bob.sees("open the table")
    bob.types("\r")
    await bob.sees(lambda now: asked(now.rows) == "play" or "is to play" in now.rows[-1])

    again = client.plays(house.port, key=key, user="somebody")
    await again.sees("Anna, in the lobby")
    assert "2 tables" in again.text
    assert [row.split()[0] for row in again.rows if "Draw" in row] == ["▶", "ANNA2's"]
    again.types("\r")
    await again.sees(lambda now: asked(now.rows) == "play")
    assert again.rows[:3] == before.split("\n")[:3]
    assert again.rows[-7:] == before.split("\n")[-7:]
    again.types("\x11")  # Ctrl-Q, at the table
    assert await again.leaves() == 0
    assert restored(again)
    await house.closes()
