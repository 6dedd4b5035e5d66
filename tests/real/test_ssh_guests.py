"""A guest with nothing but `ssh`: logging in, sitting at a table, and returning to the seat later."""

import os
import re
import signal

from tests.real.programs import effect_of_enter, enter_lobby, is_restored, new, open_table, play_out


async def deals_again(player):
    """Let the next round be dealt; return its name. If a single round decided the match, it is of another match."""
    decided = effect_of_enter(player.rows) != "deal"
    player.type("\r")
    if decided:
        await player.wait_for("play another match")
        player.type("\r")
    return "round 1" if decided else "round 2"


async def test_a_guest_logs_in_by_ssh_plays_chats_leaves_and_returns_to_seat_and_hand(host, client):
    key, _ = client.key("ann")
    ann = client.start(host.port, key=key)
    await enter_lobby(ann, "Anna")
    assert "No table is open yet" in ann.text

    await open_table(ann, "\x1b[B\x1b[C\x1b[B\x1b[C\r")  # three players: one free seat beside the one bot
    await ann.wait_for("Waiting for 1 more player.")
    ann.type("z")
    await ann.wait_for(lambda player: effect_of_enter(player.rows) == "play")
    assert "Draw · to 100 · round 1" in ann.text
    await play_out(ann, until=lambda player: effect_of_enter(player.rows) == "deal")
    following = await deals_again(ann)
    await ann.wait_for(lambda player: following in player.text and effect_of_enter(player.rows) == "play")

    ann.type("t")
    await ann.wait_for("To all at the table")
    ann.type("good [b]game[/b] all\r")
    await ann.wait_for("Anna: “good [b]game[/b] all”")
    ann.type("?")
    await ann.wait_for("choose a tile; again")
    ann.type("\x1b[6~")  # to the rules, under the keys
    await ann.wait_for("when nothing fits, draw until")
    ann.type("q")
    await ann.wait_for(lambda player: "round" in player.rows[0] and effect_of_enter(player.rows) == "play")
    before = ann.text

    ann.type("q")
    await ann.wait_for("Anna, in the lobby")
    await ann.wait_for(lambda player: re.search(r"your seat +Draw +Anna \(away\)", player.text))
    ann.type("q")
    assert await ann.wait_for_exit() == 0
    assert is_restored(ann)

    bob = client.start(host.port, user="bob", key=client.key("bob")[0])
    await bob.wait_for("What name will you play under?")
    bob.type("ANNA\r")
    await bob.wait_for("The name ANNA belongs to somebody else; choose another.")
    bob.type("ANNA2\r")
    await bob.wait_for("ANNA2, in the lobby")
    await open_table(bob, "\x1b[B\x1b[B\x1b[C\r")  # a bot besides
    await bob.wait_for(lambda player: effect_of_enter(player.rows) == "play" or "is to play" in player.rows[-1])

    again = client.start(host.port, key=key, user="somebody")
    await again.wait_for(lambda player: effect_of_enter(player.rows) == "play")  # back at the only seat that waits
    assert again.rows[:3] == before.split("\n")[:3]
    assert again.rows[-7:] == before.split("\n")[-7:]
    again.type("\x11")  # Ctrl-Q, at the table
    assert await again.wait_for_exit() == 0
    assert is_restored(again)


async def test_a_guest_who_sits_down_from_another_terminal_has_the_same_hand_there(host, client):
    key, _ = client.key("ann")
    desk = client.start(host.port, key=key, user=new("ann"))
    await enter_lobby(desk)
    await open_table(desk, "\x1b[B\x1b[B\x1b[C\r")  # a bot besides
    await desk.wait_for(lambda player: "round 1" in player.text and effect_of_enter(player.rows) == "play")
    hand = desk.rows[-7:-2]
    desk.type("?")
    await desk.wait_for("choose a tile; again")

    sofa = client.start(host.port, key=key, size=(140, 45))
    await sofa.wait_for("your seat")
    sofa.type("\r")
    await sofa.wait_for(lambda player: effect_of_enter(player.rows) == "play")
    await desk.wait_for("You took your seat from another terminal.")
    assert "in the lobby" in desk.text
    desk.type("\r")
    await desk.wait_for(lambda player: effect_of_enter(player.rows) == "play")
    assert desk.rows[-7:-2] == hand
    await sofa.wait_for("You took your seat from another terminal.")

    for screen in (desk, sofa):
        screen.type("\x11")
        assert await screen.wait_for_exit() == 0
        assert is_restored(screen)


async def test_a_connection_that_breaks_in_mid_game_costs_only_a_moment(programs, client, tmp_path):
    rules = tmp_path / "long.toml"
    rules.write_text("[draw]\ntarget = 500\n")  # no single round decides a match
    host = await programs.start_host("--grace", "0", "--rules", rules)
    key, _ = client.key("ann")
    ann = client.start(host.port, key=key)
    await enter_lobby(ann)
    await open_table(ann, "\x1b[B\x1b[C\x1b[B\x1b[C\r")
    await ann.wait_for("Waiting for 1 more player.")
    bob = client.start(host.port, user="bob", key=client.key("bob")[0])
    await bob.wait_for("What name will you play under?")
    bob.type("\r")
    await bob.wait_for("ann's table")
    bob.type("\r")
    await bob.wait_for("round 1")
    os.kill(ann.pid, signal.SIGKILL)
    await bob.wait_for(lambda player: "away, bot plays" in player.text)
    await play_out(bob, until=lambda player: effect_of_enter(player.rows) == "deal")
    bob.type("\r")
    await bob.wait_for("round 2")

    again = client.start(host.port, key=key)
    await again.wait_for("round 2")
    await bob.wait_for(lambda player: "away" not in player.text)
    await host.close_cleanly()


async def test_a_guest_without_a_key_comes_back_by_the_code_in_the_user_name(host, client):
    pi = client.start(host.port, user="pi")
    await pi.wait_for("What name will you play under?")
    pi.type("\r")
    await pi.wait_for(f"To come back: ssh -p {host.port} pi+")
    back = re.search(r"(pi\+\w{12})@127.0.0.1", pi.text)[1]
    await open_table(pi, "\x1b[B\x1b[B\x1b[C\r")  # a bot besides
    await pi.wait_for("round 1")
    os.kill(pi.pid, signal.SIGKILL)

    other = client.start(host.port, user="pi")
    await other.wait_for("What name will you play under?")
    other.type("\r")
    await other.wait_for("The name pi is taken; choose another.")
    await other.wait_for("If that name is yours, type your")
    other.type("qi\r")
    await other.wait_for("qi, in the lobby")
    assert "your seat" not in other.text, "the name is not enough"
    again = client.start(host.port, user=back)
    await again.wait_for("round 1")  # they need not give their name again
    again.type("q")
    await again.wait_for("in the lobby")
    again.type("q")
    assert await again.wait_for_exit() == 0
    assert f"To come back: ssh -p {host.port} {back}@127.0.0.1".encode() in again.raw.rpartition(b"\x1b[?1049l")[2]
    broken = client.start(host.port, user=f"{back}", TERM="dumb")
    await broken.wait_for_exit()
    assert back.partition("+")[2] not in host.log
