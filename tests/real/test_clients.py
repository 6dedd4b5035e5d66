"""SSH clients other than OpenSSH log in and play: Dropbear's, which routers have, and PuTTY's."""

import shutil

import pytest

from tests.real.programs import enter_lobby, new, open_table


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("dbclient", ("-y", "-y", "-p")),
        ("plink", ("-ssh", "-batch", "-P")),
    ],
)
async def test_an_ssh_client_logs_in_and_plays_a_tile(programs, host, program, words):
    if not shutil.which(program):
        pytest.skip(f"there is no {program} on this machine")
    port = str(host.port)
    trust = ("-hostkey", host.fingerprint) if program == "plink" else ()
    player = programs.start(*words, port, *trust, "ann@127.0.0.1", command=[program])
    await enter_lobby(player, new("Ann"))
    await open_table(player)
    await player.wait_for("Waiting for 1 more player.")
    player.type("z")
    await player.wait_for("round 1")


@pytest.mark.parametrize(("words", "answer"), [(["ascii"], b""), ([], b"\x1b[9;3R")], ids=["asked for", "wide signs"])
async def test_ascii_is_drawn_on_request_and_where_ambiguous_characters_are_wide(client, host, words, answer):
    player = client.start(host.port, "-t", "127.0.0.1", *words)
    player.answer = answer + player.answer
    await enter_lobby(player, new("Ann"))
    await open_table(player)
    await player.wait_for("Waiting for 1 more player.")
    assert player.text.isascii()


async def test_a_terminal_without_an_alternate_screen_is_clear_after_playing_over_ssh(client, host):
    player = client.start(host.port)  # pyte has no alternate screen either
    await enter_lobby(player, new("Ann"))
    player.type("q")
    assert await player.wait_for_exit() == 0
    assert "open a table" not in player.text
    assert player.rows[0].startswith("To come back: ssh")


async def test_a_terminal_without_an_alternate_screen_is_clear_after_playing_at_home(programs):
    player = programs.start("play", "draw")
    await player.wait_for("round 1")
    player.type("q")
    await player.wait_for("Leave?")
    player.type("q")
    assert await player.wait_for_exit() == 0
    assert player.text.strip() == "The match is kept; `boneyard continue` resumes it."
    assert player.rows[0].startswith("The match is kept")


@pytest.mark.parametrize("words", [(), ("plain",)], ids=["screens", "lines"])
async def test_a_name_typed_in_latin_1_has_its_letters(client, host, words):
    player = client.start(host.port, "-t", "127.0.0.1", *words)
    await player.wait_for("What name will you play under?")
    name = new("Jörgé")
    player.type(b"\x15" + f"{name}\r".encode("latin-1"))
    await player.wait_for(
        lambda player: name in player.text and ("open a table" in player.text or "in the lobby" in player.text)
    )
