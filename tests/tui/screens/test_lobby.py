"""The login, the lobby and the form for a new table."""

from contextlib import asynccontextmanager

from msgspec.structs import replace

from core.words import words
from net.table.table import Pace
from net.wire.messages import MakeTable, Refused
from tests.tui.guests import app_host
from tests.tui.tables import DARK, PLAIN
from tui.model.new_table import NewTable

TOUCHED = replace(DARK, touched=True)


async def test_the_suggested_name_is_that_of_the_ssh_user_and_can_be_changed():
    async with app_host() as host, host.guest("ada") as ada:
        await ada.wait_for("What name will you play under?")
        assert "ada" in ada.text
        await ada.press("backspace", "backspace", "backspace", *"bela", "enter")
        await ada.wait_for("bela, in the lobby")


async def test_a_known_key_is_not_asked_for_its_name_again():
    async with app_host() as host:
        async with host.guest("ada", token="key") as ada:
            await ada.press("enter")
            await ada.wait_for("in the lobby")
        async with host.guest("root", token="key") as again:
            await again.wait_for("ada, in the lobby")


async def test_a_name_of_another_guest_is_refused_with_the_reason_and_asked_again():
    async with app_host() as host, host.guest("ada") as ada, host.guest("other") as other:
        await ada.press("enter")
        await ada.wait_for("in the lobby")
        await other.wait_for("What name will")
        await other.press(*["backspace"] * 5, *"ADA", "enter")
        await other.wait_for("belongs to somebody else")
        await other.press(*"ADAx", "enter")
        await other.wait_for("ADAx, in the lobby")


async def test_a_taken_name_from_the_command_line_is_refused_where_another_is_asked_for():
    async with app_host() as host, host.guest("ada", name="ada") as ada:
        await ada.wait_for("ada, in the lobby")
        async with host.guest("other", name="ADA") as other:
            await other.wait_for("What name will you play under?", "belongs to somebody else")


async def test_escape_at_the_question_for_a_name_ends_the_app():
    async with app_host() as host, host.guest("ada") as ada:
        await ada.wait_for("What name will")
        await ada.press("escape")
        await ada.until(lambda: ada.app._exit)


async def test_a_table_is_made_with_game_seats_bots_and_house_rules():
    async with app_host(pace=Pace(60, 60, 60)) as host, host.guest("ada") as ada:
        await ada.press("enter")
        await ada.wait_for("No table is open yet")
        await ada.press("n")
        await ada.wait_for("a new table", "Match the ends")
        await ada.press("right")  # Block
        await ada.press("down", "right", "right")  # four players
        await ada.press("down", "right", "right")  # two of them bots
        await ada.press("up", "up", "up", "up", "left")  # the target, above the rare rules: 500
        await ada.press("enter")
        await ada.wait_for("Waiting for 1 more player.", "points that end the match: 500 points")

        info = ada.update.table
        assert (info.game, len(info.seats)) == ("block", 4)
        assert [bool(seat.bot) for seat in info.seats] == [False, False, True, True]
        await ada.press("z")
        await ada.wait_for("round 1")


async def test_an_impossible_table_is_not_opened_and_says_why():
    async with app_host() as host, host.guest("ada") as ada:
        await ada.press("enter")
        await ada.wait_for("No table")
        await ada.press("n")
        await ada.press(*["down"] * 10, "right")  # partners, with two players
        await ada.wait_for("needs four players")
        await ada.press("enter")
        await ada.wait_for("needs four players")
        await ada.press("q")
        await ada.wait_for("No table is open yet")


async def test_the_lobby_lists_guests_and_waiting_tables_and_has_a_chat():
    async with app_host() as host, host.guest("ada") as ada, host.guest("bela") as bela:
        await ada.press("enter")
        await ada.wait_for("in the lobby")
        assert "Here:" not in ada.text, "nobody else is"
        await bela.press("enter")
        await ada.wait_for("Here: ada, bela")
        await bela.press("t")
        await bela.wait_for("To all in the lobby · Enter sends · Esc cancels", "1 Hello!  2 Well played!")
        await bela.press("1")
        await ada.wait_for("bela: “Hello!”")
        await ada.press("t", "1", "t", *"who plays 2", "enter")
        await bela.wait_for("bela: “Hello!”", "ada: “Hello!”", "ada: “who plays 2”")
        ada.app._client.make_table(MakeTable("draw", 3, {}))
        await bela.wait_for("ada's table", "waits for 2")


async def test_a_full_table_says_that_it_is_full_and_w_watches():
    async with (
        app_host(pace=Pace(60, 60, 60)) as host,
        host.guest("ada") as ada,
        host.guest("bela") as bela,
        host.guest("chen", look=PLAIN) as chen,
    ):
        for guest in (ada, bela, chen):
            await guest.press("enter")
        await ada.wait_for("No table")
        await ada.press("n", "enter")
        await bela.wait_for("ada's table")
        await bela.press("enter")
        await bela.wait_for("round 1")
        await chen.wait_for("playing")
        await chen.press("enter")
        await chen.wait_for("Every seat at that table is taken; press w to watch.")
        assert chen.update is None
        await chen.press("w")
        await chen.wait_for("watching")
        await chen.press("q")
        await chen.wait_for("chen, in the lobby")


async def test_a_guest_takes_the_seat_of_a_bot_in_the_middle_of_a_match():
    async with (
        app_host(pace=Pace(60, 60, 60)) as host,
        host.guest("ada") as ada,
        host.guest("bela", look=PLAIN) as bela,
    ):
        await ada.press("enter")
        await ada.wait_for("No table")
        await ada.press("n", "enter", "z")
        await ada.wait_for("round 1")
        await bela.press("enter")
        await bela.wait_for("ada's table", "playing")
        await bela.press("enter")
        await bela.wait_for("round 1")
        assert bela.update.seat == 1
        assert [seat.name for seat in bela.update.table.seats] == ["ada", "bela"]
        assert bela.update.match.play.hand


def test_on_a_host_every_other_seat_is_free_by_default():
    assert NewTable().set("players", 4).bots == 0


def test_the_number_of_bots_is_kept_as_long_as_a_seat_is_left_for_the_player():
    new_table = NewTable().set("players", 4)

    assert new_table.set("bots", 1).set("players", 3).bots == 1
    assert new_table.set("bots", 3).set("players", 2).bots == 1
    assert new_table.set("bots", 1).set("game", "mexican-train").bots == 1


async def test_the_lobby_is_left_with_q():
    async with app_host() as host, host.guest("ada") as ada:
        await ada.press("enter")
        await ada.wait_for("in the lobby")
        await ada.press("q")
        await ada.until(lambda: ada.app._exit)


async def test_a_guest_with_one_seat_that_waits_is_back_at_the_table_at_once():
    async with app_host(pace=Pace(60, 60, 60)) as host:
        async with host.guest("ada", token="key") as ada:
            await ada.press("enter")
            await ada.wait_for("No table")
            await ada.press("b")
            await ada.wait_for("round 1")
        async with host.guest("ada", token="key") as ada:
            await ada.wait_for("round 1")
            await ada.press("q")
            await ada.wait_for("your seat", "come back", "1 table")
            await ada.press("b")
            await ada.wait_for("round 1")
            await ada.press("q")
            await ada.wait_for("2 tables")
            assert ada.text.count("your seat") == 2
        async with host.guest("ada", token="key") as ada:
            await ada.wait_for("2 tables", "your seat")
            await ada.press("down", "w")
            await ada.wait_for("round 1")
            assert (ada.update.seat, ada.update.table.watchers) == (0, 0), "w sits down at the own table"


async def test_a_match_against_bots_is_listed_to_others_only_while_its_player_is_there():
    async with app_host(pace=Pace(60, 60, 60)) as host, host.guest("ada") as ada, host.guest("bela") as bela:
        for guest in (ada, bela):
            await guest.press("enter")
            await guest.wait_for("No table")
        await ada.press("b")
        await bela.wait_for("ada's table")
        await ada.press("q")
        await ada.wait_for("your seat")
        await bela.wait_for("No table")


async def test_a_quick_game_is_at_the_table_that_waits_or_else_at_a_new_one():
    async with app_host(pace=Pace(60, 60, 60)) as host, host.guest("ada") as ada, host.guest("bela") as bela:
        for guest in (ada, bela):
            await guest.press("enter")
            await guest.wait_for("No table is open yet: p waits for others, b plays against bots.")
        await ada.press("p")
        await ada.wait_for("Waiting for 1 more player.")
        await bela.wait_for("ada's table")
        await bela.press("p")
        for guest in (ada, bela):
            await guest.wait_for("round 1")
        assert {seat.name for seat in bela.update.table.seats} == {"ada", "bela"}


async def test_a_touched_lobby_has_a_button_for_each_way_to_a_game():
    async with app_host() as host, host.guest("ada") as ada, host.guest("bela", look=TOUCHED) as bela:
        for guest in (ada, bela):
            await guest.press("enter")
            await guest.wait_for("No table")
        words = ["quick game", "against bots", "open a table", "leave"]
        assert [button.words for button in bela.app.screen.buttons()] == words
        await ada.press("p")
        await bela.wait_for("ada's table")
        assert [button.words for button in bela.app.screen.buttons()] == ["sit down", *words[:3]]


async def test_a_seat_taken_from_another_terminal_leads_back_to_the_lobby():
    async with app_host(pace=Pace(60, 60, 60)) as host, host.guest("ada", token="key") as ada:
        await ada.press("enter")
        await ada.wait_for("No table")
        await ada.press("n", "enter", "z")
        await ada.wait_for("round 1")
        async with host.guest("ada", token="key") as again:
            await again.wait_for("your seat")
            await again.press("enter")
            await again.wait_for("round 1")
            await ada.wait_for("from another terminal")


def test_the_form_shows_the_default_that_another_house_rule_changes():
    new_table = NewTable().set("game", "forty-two").set("42.score", "points")

    assert {row.key: row.value for row in new_table.settings(free_seats=False)}["42.target"] == 250
    assert "does not fit" in new_table.set("42.target", 7).problem()


@asynccontextmanager
async def two_waiting():
    """Let ada and bela wait at a table each; yield ada and cora, who is in the lobby and sees both tables."""
    async with (
        app_host() as host,
        host.guest("ada") as ada,
        host.guest("bela") as bela,
        host.guest("cora") as cora,
    ):
        for guest in (ada, bela, cora):
            await guest.press("enter")
            await guest.wait_for("in the lobby")
        for guest in (ada, bela):
            guest.app._client.make_table(MakeTable("draw", 2, {}))
            await guest.wait_for("Waiting for 1 more player.")
        await cora.wait_for("bela's table")
        yield ada, cora


async def test_a_player_back_in_the_lobby_has_the_cursor_on_their_last_table():
    async with two_waiting() as (_, cora):
        await cora.press("down", "w")
        await cora.until(lambda: cora.update)
        await cora.press("q")
        await cora.wait_for("▶ bela's table")


async def test_the_cursor_stays_on_its_table_when_the_list_changes():
    async with two_waiting() as (ada, cora):
        await cora.press("down")

        await ada.press("q")  # the table closes before a match has begun
        await cora.until(lambda: "ada's table" not in cora.text)

        assert "▶ bela's table" in cora.text


async def test_the_reason_for_a_refused_name_is_shown_whole_in_every_window():
    line = "ssh -p 2222 ada+QX7K-WFRD-3MZP-L2VH@a-rather-long-name.example.org"
    why = f"This name belongs to somebody else here. If that is you, come back with {line} or take another name."
    async with app_host() as host, host.guest("ada") as ada:
        await ada.wait_for("What name will")
        ada.app.screen.handle(Refused(words(why)))
        for size in ((50, 18), (60, 18), (75, 24), (140, 45)):
            await ada.resize(*size)
            assert why.replace(" ", "") in "".join(ada.text.split())


async def test_typed_and_pasted_text_replaces_the_suggested_name():
    async with app_host() as host, host.guest("ada") as ada, host.guest("bela") as bela:
        await ada.press(*"Anna Maria", "backspace", "enter")
        await ada.wait_for("Anna Mari, in the lobby")
        await bela.press("\x1b[200~Béla\nand more\x1b[201~")
        await bela.wait_for("Béla▏")
        await bela.press(*"B" * 20, "enter")
        await bela.wait_for("BélaBBBBBBBBBBBB, in the lobby")
