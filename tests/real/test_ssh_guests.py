"""A guest with nothing but `ssh`: logging in, sitting at a table, and returning to the seat later."""

import os
import re
import signal

from tests.real.programs import asked, comes_in, is_restored, new, open_table, play_out


async def deals_again(player):
    """Let the next round be dealt; return its name. If a single round decided the match, it is of another match."""
    decided = asked(player.rows) != "deal"
    player.types("\r")
    if decided:
        await player.sees("play another match")
        player.types("\r")
    return "round 1" if decided else "round 2"


async def test_a_guest_logs_in_by_ssh_plays_chats_leaves_and_returns_to_seat_and_hand(host, client):
    key, _ = client.key("ann")
    ann = client.plays(host.port, key=key)
    await comes_in(ann, "Anna")
    assert "No table is open yet" in ann.text

    await open_table(ann, "\x1b[B\x1b[C\x1b[B\x1b[C\r")  # three players: one free seat beside the one bot
    await ann.sees("Waiting for 1 more player.")
    ann.types("z")
    await ann.sees(lambda now: asked(now.rows) == "play")
    assert "Draw · to 100 · round 1" in ann.text
    await play_out(ann, until=lambda now: asked(now.rows) == "deal")
    following = await deals_again(ann)
    await ann.sees(lambda now: following in now.text and asked(now.rows) == "play")

    ann.types("t")
    await ann.sees("To all at the table")
    ann.types("good [b]game[/b] all\r")
    await ann.sees("Anna: “good [b]game[/b] all”")
    ann.types("?")
    await ann.sees("choose a tile; again")
    ann.types("\x1b[6~")  # to the rules, under the keys
    await ann.sees("when nothing fits, draw until")
    ann.types("q")
    await ann.sees(lambda now: "round" in now.rows[0] and asked(now.rows) == "play")
    before = ann.text

    ann.types("q")
    await ann.sees("Anna, in the lobby")
    await ann.sees(lambda now: re.search(r"your seat +Draw +Anna \(away\)", now.text))
    ann.types("q")
    assert await ann.leaves() == 0
    assert is_restored(ann)

    bob = client.plays(host.port, user="bob", key=client.key("bob")[0])
    await bob.sees("What name will you play under?")
    bob.types("ANNA\r")
    await bob.sees("The name ANNA belongs to somebody else; choose another.")
    bob.types("ANNA2\r")
    await bob.sees("ANNA2, in the lobby")
    await open_table(bob, "\x1b[B\x1b[B\x1b[C\r")  # a bot besides
    await bob.sees(lambda now: asked(now.rows) == "play" or "is to play" in now.rows[-1])

    again = client.plays(host.port, key=key, user="somebody")
    await again.sees(lambda now: asked(now.rows) == "play")  # back at the only seat that waits
    assert again.rows[:3] == before.split("\n")[:3]
    assert again.rows[-7:] == before.split("\n")[-7:]
    again.types("\x11")  # Ctrl-Q, at the table
    assert await again.leaves() == 0
    assert is_restored(again)


async def test_a_guest_who_sits_down_from_another_terminal_has_the_same_hand_there(host, client):
    key, _ = client.key("ann")
    desk = client.plays(host.port, key=key, user=new("ann"))
    await comes_in(desk)
    await open_table(desk, "\x1b[B\x1b[B\x1b[C\r")  # a bot besides
    await desk.sees(lambda now: "round 1" in now.text and asked(now.rows) == "play")
    hand = desk.rows[-7:-2]
    desk.types("?")
    await desk.sees("choose a tile; again")

    sofa = client.plays(host.port, key=key, size=(140, 45))
    await sofa.sees("your seat")
    sofa.types("\r")
    await sofa.sees(lambda now: asked(now.rows) == "play")
    await desk.sees("You took your seat from another terminal.")
    assert "in the lobby" in desk.text
    desk.types("\r")
    await desk.sees(lambda now: asked(now.rows) == "play")
    assert desk.rows[-7:-2] == hand
    await sofa.sees("You took your seat from another terminal.")

    for screen in (desk, sofa):
        screen.types("\x11")
        assert await screen.leaves() == 0
        assert is_restored(screen)


async def test_a_connection_that_breaks_in_mid_game_costs_only_a_moment(programs, client, tmp_path):
    rules = tmp_path / "long.toml"
    rules.write_text("[draw]\ntarget = 500\n")  # no single round decides a match
    host = await programs.hosts("--grace", "0", "--rules", rules)
    key, _ = client.key("ann")
    ann = client.plays(host.port, key=key)
    await comes_in(ann)
    await open_table(ann, "\x1b[B\x1b[C\x1b[B\x1b[C\r")
    await ann.sees("Waiting for 1 more player.")
    bob = client.plays(host.port, user="bob", key=client.key("bob")[0])
    await bob.sees("What name will you play under?")
    bob.types("\r")
    await bob.sees("ann's table")
    bob.types("\r")
    await bob.sees("round 1")
    os.kill(ann.pid, signal.SIGKILL)
    await bob.sees(lambda now: "away, bot plays" in now.text)
    await play_out(bob, until=lambda now: asked(now.rows) == "deal")
    bob.types("\r")
    await bob.sees("round 2")

    again = client.plays(host.port, key=key)
    await again.sees("round 2")
    await bob.sees(lambda now: "away" not in now.text)
    await host.closes()


async def test_a_guest_without_a_key_comes_back_by_the_code_in_the_user_name(host, client):
    pi = client.plays(host.port, user="pi")
    await pi.sees("What name will you play under?")
    pi.types("\r")
    await pi.sees(f"To come back: ssh -p {host.port} pi+")
    back = re.search(r"(pi\+\w{12})@127.0.0.1", pi.text)[1]
    await open_table(pi, "\x1b[B\x1b[B\x1b[C\r")  # a bot besides
    await pi.sees("round 1")
    os.kill(pi.pid, signal.SIGKILL)

    other = client.plays(host.port, user="pi")
    await other.sees("What name will you play under?")
    other.types("\r")
    await other.sees("The name pi is taken; choose another.")
    await other.sees("If that name is yours, type your")
    other.types("qi\r")
    await other.sees("qi, in the lobby")
    assert "your seat" not in other.text, "the name is not enough"
    again = client.plays(host.port, user=back)
    await again.sees("round 1")  # they need not give their name again
    again.types("q")
    await again.sees("in the lobby")
    again.types("q")
    assert await again.leaves() == 0
    assert f"To come back: ssh -p {host.port} {back}@127.0.0.1".encode() in again.raw.rpartition(b"\x1b[?1049l")[2]
    broken = client.plays(host.port, user=f"{back}", TERM="dumb")
    await broken.leaves()
    assert back.partition("+")[2] not in host.log
