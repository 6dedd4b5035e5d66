"""Screens for private tables, time, a paused table, removed guests, and a lost connection."""

import pytest
from msgspec.structs import replace

from core.words import words
from net.client.client import Client, Disconnected, Reconnected, Verification
from net.table.table import Pace
from net.wire.link import memory_pair
from net.wire.messages import MakeTable, Times
from tests.tui.guests import app_host
from tests.tui.tables import match_at, update_at
from tui.text.notices import farewell, return_command

SLOW = Pace(60, 60, 60, grace=60)


async def enter_as(guest, name):
    await guest.wait_for("What name will you play under?")
    await guest.press("enter")
    await guest.wait_for(f"{name}, in the lobby")


async def test_a_private_table_is_entered_by_its_code_from_the_lobby():
    async with app_host(pace=SLOW) as host, host.guest("ada") as ada, host.guest("bela") as bela:
        await enter_as(ada, "ada")
        await enter_as(bela, "bela")
        ada.app._client.make_table(MakeTable("draw", 2, {}, private=True))
        await ada.wait_for("Private: others join with the code")
        code = ada.update.code
        await bela.wait_for("ada's table", "private")

        await bela.press("enter", *"wrong", "enter")
        await bela.wait_for("That is the wrong code for this table.")
        await bela.press("enter", "escape")
        await bela.wait_for("bela, in the lobby")
        await bela.press("enter", *code, "enter")
        await bela.wait_for("round 1")


async def test_the_hosts_commitment_is_visible_before_the_deal_and_later():
    async with app_host(pace=SLOW) as host, host.guest("ada") as ada:
        await enter_as(ada, "ada")
        ada.app._client.make_table(MakeTable("draw", 2, {}))
        await ada.wait_for("The server's part of the shuffle is fixed now; w shows how that is proven.")
        commitment = ada.update.fair.commitment
        await ada.press("w")
        await ada.wait_for(commitment[:32], commitment[32:], "nobody can choose")
        await ada.press("q")
        await ada.press("z")
        await ada.wait_for("round 1")
        await ada.press("w")
        await ada.wait_for("at the table", commitment[:32], commitment[32:], "bot")


async def test_a_muted_player_is_silent_until_unmuted():
    async with app_host(pace=SLOW) as host, host.guest("ada") as ada, host.guest("bela") as bela:
        await enter_as(ada, "ada")
        await enter_as(bela, "bela")
        ada.app._client.make_table(MakeTable("draw", 2, {}))
        await bela.wait_for("ada's table")
        await bela.press("enter")
        await ada.wait_for("round 1")

        await ada.press("w")
        await ada.wait_for("at seat 2")
        assert "mute" not in ada.text, "not oneself"
        await ada.press("down", "m")
        await ada.wait_for("at seat 2 · muted", "hear again")
        bela.app._client.say("first")
        bela.app._client.pause(True)
        await ada.until(lambda: ada.update.table.phase == "paused")
        await ada.press("m")
        await ada.wait_for("mute")
        assert "muted" not in ada.text
        bela.app._client.say("second")
        await ada.press("t")
        await ada.wait_for("bela: “second”")
        assert "first" not in ada.text
        await ada.press("q", "q")
        await ada.wait_for("bela: “second”")


async def test_a_waiting_table_names_free_seats_and_how_to_join():
    async with app_host(pace=SLOW) as host, host.guest("ada") as ada:
        await enter_as(ada, "ada")
        ada.app._client.places = (("192.0.2.7", 2222),)
        ada.app._client.make_table(MakeTable("draw", 3, {}))
        await ada.wait_for("Waiting for 2 more players.", "ada  ·  free  ·  free")
        await ada.wait_for("ssh -p 2222 192.0.2.7", "boneyard join 192.0.2.7")


async def test_the_opener_of_a_table_removes_a_player_after_a_confirmation():
    async with app_host(pace=SLOW) as host, host.guest("ada") as ada, host.guest("bela") as bela:
        await enter_as(ada, "ada")
        await enter_as(bela, "bela")
        ada.app._client.make_table(MakeTable("draw", 2, {}))
        await bela.wait_for("ada's table")
        await bela.press("enter")
        await bela.wait_for("round 1")

        await bela.press("w")
        await bela.wait_for("at seat 2")
        assert "remove" not in bela.text
        await bela.press("enter", "enter", "q")

        await ada.press("w", "down")
        await ada.wait_for("remove")
        await ada.press("enter")
        await ada.wait_for("Press Enter again to remove bela for good.")
        assert ada.update.table.seats[1].name == "bela"
        await ada.press("enter")
        await bela.wait_for("You were removed from that table.")
        await ada.until(lambda: ada.update.table.seats[1].bot)


async def test_once_the_opener_has_left_the_first_player_removes_others():
    async with (
        app_host(pace=SLOW) as host,
        host.guest("ada") as ada,
        host.guest("bela") as bela,
        host.guest("chen") as chen,
    ):
        for guest, name in ((ada, "ada"), (bela, "bela"), (chen, "chen")):
            await enter_as(guest, name)
        ada.app._client.make_table(MakeTable("draw", 3, {}))
        for guest in (bela, chen):
            await guest.wait_for("ada's table")
            await guest.press("enter")
        await bela.wait_for("round 1")
        await bela.press("w", "down", "down")
        await bela.wait_for("at seat 3")
        assert "remove" not in bela.text
        ada.app._client.leave()
        await bela.wait_for("remove")
        await bela.press("enter")
        await bela.wait_for("Press Enter again to remove chen for good.")
        await bela.press("enter")
        await chen.wait_for("You were removed from that table.")


async def test_a_stopped_table_says_so_and_goes_on():
    async with app_host(pace=SLOW) as host, host.guest("ada") as ada:
        await enter_as(ada, "ada")
        ada.app._client.make_table(MakeTable("draw", 2, {}, bots=1))
        await ada.wait_for("round 1")
        await ada.press("s")
        await ada.wait_for("The table is paused; press s to resume.")
        await ada.press("s")
        await ada.until(lambda: "paused" not in ada.text)


async def test_the_remaining_time_is_in_the_last_line_and_warns_at_the_end():
    async with app_host(pace=SLOW) as host, host.guest("ada") as ada:
        await enter_as(ada, "ada")
        ada.app._client.make_table(MakeTable("draw", 2, {}, bots=1, turn_time=60, match_time=600))
        await ada.wait_for("round 1", "10:00")
        update = update_at(match_at((6, 6), "6|4", "5|5"), 0, seats=ada.update.table.seats)
        table = replace(update.table, turn_time=60)
        soon = replace(update, table=table, times=Times(True, 7.0, (0, 0)))
        ada.app._client._record_answer(soon)
        ada.app._client.publish(soon)
        await ada.wait_for("7 seconds left, then a bot plays.", "0:07")
        last_second = replace(soon, times=Times(True, 1.0, (0, 0)))
        ada.app._client._record_answer(last_second)
        ada.app._client.publish(last_second)
        await ada.wait_for("1 second left")


async def test_a_turn_that_a_bot_played_for_lack_of_time_is_reported():
    async with app_host(pace=SLOW) as host, host.guest("ada", size=(118, 45)) as ada:
        await enter_as(ada, "ada")
        ada.app._client.make_table(MakeTable("draw", 2, {}, bots=1))
        await ada.wait_for("round 1")
        late = replace(ada.update, number=ada.update.number + 1, timed_out=0)
        ada.app._client.publish(late)
        await ada.wait_for("You ran out of time, so a bot moved.")


async def test_a_broken_connection_is_reported_until_it_works_again():
    async with app_host(pace=SLOW) as host, host.guest("ada") as ada:
        await enter_as(ada, "ada")
        ada.app._client.make_table(MakeTable("draw", 2, {}, bots=1))
        await ada.wait_for("round 1")
        ada.app._client.publish(Disconnected())
        await ada.wait_for("Connection lost. Reconnecting …")
        await ada.press("right")
        await ada.wait_for("Connection lost")
        ada.app._client.publish(Reconnected())
        await ada.until(lambda: "Connection lost" not in ada.text)


async def test_q_leaves_a_table_whose_connection_is_broken():
    async with app_host(pace=SLOW) as host, host.guest("ada") as ada:
        await enter_as(ada, "ada")
        ada.app._client.make_table(MakeTable("draw", 2, {}, bots=1))
        await ada.wait_for("round 1")
        ada.app._client.publish(Disconnected())
        await ada.wait_for("Connection lost")
        await ada.press("q")
        await ada.until(lambda: ada.app._exit)
        assert ada.app.return_value == "The connection to the server was lost."


async def test_the_check_of_the_deals_is_in_the_story():
    async with app_host(pace=SLOW) as host, host.guest("ada", size=(118, 45)) as ada:
        await enter_as(ada, "ada")
        ada.app._client.make_table(MakeTable("draw", 2, {}, bots=1))
        await ada.wait_for("round 1")
        ada.app._client.publish(Verification())
        await ada.wait_for("Every deal matches")
        ada.app._client.publish(Verification(caveat="bela pledged a share and kept it back"))
        await ada.wait_for("Not everything is proven: bela pledged a share and kept it back.")
        ada.app._client.publish(Verification("your own share was left out"))
        await ada.wait_for("DEALS NOT PROVEN: your own share was left out.")


async def test_a_player_without_a_key_reads_beside_the_table_how_to_return():
    async with app_host() as host:
        async with host.guest("") as guest:
            client = guest.app._client
            client.port, client.places = 2022, (("192.0.2.7", 2022),)
            await guest.wait_for("What name will you play under?")
            await guest.press(*"pi", "enter")
            await guest.until(lambda: client.resume)
            back = f"ssh -p 2022 pi+{client.resume}@192.0.2.7"
            await guest.wait_for("pi, in the lobby", f"To come back: {back}")
            await guest.press("question_mark")
            await guest.wait_for("Keys", f"To come back: {back}")
            await guest.press("q", "n", "enter")
            await guest.wait_for("Waiting for 1 more player.")
            assert "To come back" not in guest.text
            await guest.press("w")
            await guest.wait_for("at seat 1", back)
            await guest.press("q", "question_mark", "end", "home")
            await guest.press("pagedown")
            await guest.wait_for(f"To come back: {back}")
            await guest.press("q", "q")
            await guest.wait_for("in the lobby")
            await guest.press("q")
            await guest.until(lambda: guest.app._exit)
        assert guest.app.return_value == f"To come back: {back}"


async def test_the_longest_return_instructions_fit_the_lobbys_last_line():
    async with app_host() as host, host.guest("") as guest:
        guest.app._client.port, guest.app._client.places = 65535, (("192.168.100.200", 65535),)
        await guest.wait_for("What name will you play under?")
        await guest.press(*"abcdefghijklmnop", "enter")
        await guest.until(lambda: guest.app._client.resume)
        await guest.wait_for(f"ssh -p 65535 abcdefghijklmnop+{guest.app._client.resume}@192.168.100.200")


@pytest.mark.parametrize(
    ("name", "user"),
    [("-oX", "oX+CODE@{}"), ("a b;c", "'a b;c+CODE@{}'"), ("$(x)", "'$(x)+CODE@{}'")],
)
def test_a_name_is_quoted_in_the_command_for_the_return(name, user):
    client = Client(memory_pair()[0], "test")
    client.port, client.name, client.resume = 2222, name, "CODE"

    assert return_command(client) == f"ssh … -l {user.replace('@{}', '')}"
    client.places = (("192.0.2.7", 2222),)
    assert return_command(client) == f"ssh -p 2222 {user.format('192.0.2.7')}"


async def test_removed_players_and_players_with_a_key_read_no_return_instructions():
    client = Client(memory_pair()[0], "test")
    client.port = 2222

    assert farewell(client, "Goodbye.") == "Goodbye."
    async with app_host() as host:
        async with host.guest("") as guest:
            guest.app._client.port = 2222
            await guest.wait_for("What name will you play under?")
            await guest.press(*"pi", "enter")
            await guest.wait_for("in the lobby")
            host.server.apply_effects(
                host.lobby.remove_players("name", "pi", words("You are banned from this server."))
            )
            await guest.until(lambda: guest.app._exit)
        assert guest.app.return_value == "You are banned from this server."


async def test_the_name_of_a_guest_without_a_key_is_refused_and_the_form_takes_its_code():
    async with app_host() as host, host.guest("") as guest, host.guest("") as other:
        for player in (guest, other):
            await player.wait_for("What name will you play under?")
        await guest.press(*"abcdefghijklmnop", "enter")
        await guest.wait_for("in the lobby")
        await other.press(*"abcdefghijklmnop", "enter")
        await other.wait_for("The name abcdefghijklmnop is taken; choose another.", "If that name")
        assert guest.app._client.resume not in other.text
        await other.press(*guest.app._client.resume, "enter")
        await other.wait_for("abcdefghijklmnop, in the lobby")
