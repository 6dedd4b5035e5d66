"""A player whose turn has come is alerted by the title of the terminal, and in company by a bell."""

import pytest
from msgspec.structs import replace

from net.wire.messages import MakeTable, SeatInfo
from tests.tui.guests import app_host
from tests.tui.tables import match_at, update_at
from tui.run.settings import remember_bell, remembered_bell
from tui.text.notices import Attention

ADA, BELA, BOT = SeatInfo("ada"), SeatInfo("bela"), SeatInfo("Felix", "easy")
TITLE = "\x1b]2;{}\x07"
MY_TURN, THEIR_TURN = 0, 1


def update_on_turn(turn, *, seats=(ADA, BELA), seat=0):
    return update_at(match_at((5, 2), "2|1 3|0", "4|4 2|2", turn=turn), seat, seats=seats)


def alert_output(*updates, terminal="xterm-256color", has_bell=True):
    """Return the output to a terminal for the last of several updates."""
    output_parts = []
    attention = Attention(terminal, output_parts.append, has_bell=has_bell)
    for update in updates:
        output_parts.clear()
        attention.follow(update)
    return "".join(output_parts)


def test_the_title_says_whose_turn_it_is_and_the_terminal_gets_its_own_back():
    output_parts = []
    attention = Attention("xterm", output_parts.append)
    for update in (None, update_on_turn(THEIR_TURN), update_on_turn(MY_TURN), None):
        attention.follow(update)
    attention.close()
    attention.close()

    titles = ["Boneyard", "Draw · Boneyard", "your turn · Draw", "Boneyard"]
    sequences = [TITLE.format(title) for title in titles]
    assert (
        "".join(output_parts) == f"\x1b[22;2t{sequences[0]}{sequences[1]}{sequences[2]}\x07{sequences[3]}\x1b[23;2t"
    )


def test_unchanged_output_is_written_once():
    assert alert_output(update_on_turn(THEIR_TURN), update_on_turn(THEIR_TURN)) == ""
    assert alert_output(update_on_turn(MY_TURN), update_on_turn(MY_TURN)) == ""


def test_a_host_cannot_set_a_title_longer_than_anybody_sees():
    update = update_on_turn(THEIR_TURN)
    output = alert_output(replace(update, table=replace(update.table, game="long " * 200)))
    assert len(output) < 120


def test_a_bell_rings_when_the_turn_comes_and_others_play_too():
    assert alert_output(update_on_turn(THEIR_TURN), update_on_turn(MY_TURN)).endswith("\x07\x07"), (
        "the end of the title, and the bell"
    )
    assert not alert_output(update_on_turn(THEIR_TURN), update_on_turn(MY_TURN), has_bell=False).endswith("\x07\x07")
    assert not alert_output(
        update_on_turn(THEIR_TURN, seats=(ADA, BOT)), update_on_turn(MY_TURN, seats=(ADA, BOT))
    ).endswith("\x07\x07")


def test_spectators_are_never_alerted():
    assert alert_output(update_on_turn(THEIR_TURN, seat=-1), update_on_turn(MY_TURN, seat=-1)) == ""


@pytest.mark.parametrize("terminal", ["linux", "vt100", "dumb", ""])
def test_a_terminal_that_may_print_a_title_gets_none_but_rings(terminal):
    assert alert_output(update_on_turn(THEIR_TURN), update_on_turn(MY_TURN), terminal=terminal) == "\x07"


@pytest.mark.parametrize(("terminal", "notified"), [("xterm-kitty", True), ("foot", True), ("xterm-256color", False)])
def test_only_terminals_known_to_show_notifications_get_one(terminal, notified):
    assert (
        "\x1b]9;It is your turn.\x07"
        in alert_output(update_on_turn(THEIR_TURN), update_on_turn(MY_TURN), terminal=terminal)
    ) == notified


def test_a_hostile_name_of_a_game_sends_no_control_sequence():
    update = update_on_turn(THEIR_TURN)
    hostile = replace(update, table=replace(update.table, game="x\x1b]0;evil\x07"))
    assert alert_output(hostile).count("\x1b]") == 1


def test_the_state_of_the_bell_is_remembered():
    assert remembered_bell()
    remember_bell(False)
    assert not remembered_bell()


async def test_a_key_switches_the_bell_off_and_on():
    async with app_host() as host, host.guest("ada") as ada:
        await ada.press("enter")
        await ada.press("n", "enter")
        await ada.wait_for("Waiting for 1 more player.")
        await ada.press("z", "!")
        await ada.wait_for("The bell is off.")
        await ada.press("!")
        await ada.wait_for("A bell rings when it is your turn")


async def test_a_terminal_gets_its_own_title_back_also_from_an_app_that_breaks(monkeypatch):
    output_parts = []

    async def breaks(host):
        async with host.guest("ada", name="ada", terminal="xterm") as ada:
            monkeypatch.setattr(ada.app._attention, "_write", output_parts.append)
            ada.app._client.make_table(MakeTable("draw", 2, {}, bots=1))
            await ada.wait_for("round 1")
            ada.app.call_later(lambda: 1 / 0)

    async with app_host() as host:
        with pytest.raises(ZeroDivisionError):
            await breaks(host)

    assert "".join(output_parts).endswith("\x1b[23;2t")
