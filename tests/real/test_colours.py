"""Colours over plain ssh: a terminal's answers about itself, and those that it cannot give."""

from tests.real.programs import new


async def test_without_colorterm_a_terminal_is_queried_and_gets_its_colours(host, client):
    key, _ = client.key("ann")
    for answer, all_colours in ((b"\x1bP1+r524742=38\x1b\\\x1b[?62c", True), (b"\x1b[?62;22c", False), (b"", False)):
        ann = client.start(host.port, key=key)
        ann.answer = answer
        await ann.wait_for("What name will you play under?")
        assert (b"8;2;20;83;45" in ann.raw) == all_colours, "felt, by red, green and blue"
        assert (b"8;5;22" in ann.raw) != all_colours, "felt, by its number: a green, and no teal"
        assert b"8;5;23m" not in ann.raw
        ann.type("\x03")
        await ann.wait_for_exit()


async def test_tmux_that_calls_itself_screen_gets_256_colours(host, client):
    ann = client.start(host.port, key=client.key("ann")[0], TERM="screen")
    ann.answer = b"\x1bP>|tmux 3.3a\x1b\\\x1b[?1;2c"
    await ann.wait_for("What name will you play under?")
    assert b"8;5;22" in ann.raw, "felt, by its number"
    ann.type("\x03")
    await ann.wait_for_exit()


async def test_input_during_an_unanswered_query_is_not_lost(host, client):
    ann = client.start(host.port, key=client.key("ann")[0])
    ann.answer = b""
    await ann.wait_for(lambda player: b"\x1b[c" in player.raw)
    name = new("Zoe")
    ann.type(f"{name}\r")
    await ann.wait_for(f"{name}, in the lobby")


async def test_late_answers_are_no_keys(host, client):
    ann = client.start(host.port, key=client.key("ann")[0])
    ann.answer = b""
    await ann.wait_for("What name will you play under?")
    ann.type(b"\x1bP1+r524742=38\x1b\\\x1bP1$r0;48:2:1:2:3m\x1b\\\x1b[?62cZoe")
    await ann.wait_for(lambda player: player.rows[11].strip() == "Zoe▏")
