"""The table screen, played by keys and mouse."""

import pytest
from msgspec.structs import replace

from core import match as core_match
from core.layout.state import NOBODY
from net.table.table import Pace
from net.wire.maintenance import CALLED_OFF, announcement
from net.wire.messages import MakeTable, Said
from tests.tui.board.chains import cells_of
from tests.tui.guests import app_host, play_to_the_end, sit_together
from tests.tui.tables import DARK, PLAIN
from tui.board.picture import Slide
from tui.cli.arguments import look_of
from tui.draw.window_layout import divide_rows

SOLO = MakeTable("draw", 2, {"target": 50}, bots=1)
QUICK = Pace(1e-6, 1e-6, 1e-6, grace=0)


async def test_a_whole_match_is_played_with_enter_alone():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await ada.wait_for("Draw · to 50 · round 1")
        for _ in range(500):
            if ada.update.match.winners:
                break
            await ada.until(lambda: ada.update.match.play.legal or ada.update.match.play.result)
            await ada.press("enter")
        await ada.wait_for("how the match went")
        await ada.press("enter")
        await ada.wait_for("play another match", "the match is over")

        await ada.press("enter")
        await ada.wait_for("round 1")


async def test_a_match_that_may_never_end_says_so_and_shift_e_ends_it(monkeypatch):
    monkeypatch.setattr(core_match, "MOST_ROUNDS", 1)
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await ada.until(lambda: ada.update and ada.update.match)
        while not ada.update.match.play.result:
            await ada.until(lambda: ada.update.match.play.legal or ada.update.match.play.result)
            await ada.press("enter")
        await ada.wait_for("This match may never end; E ends it, and nobody wins.")
        await ada.press("E")

        await ada.wait_for("The match ended without a winner.")
        await ada.press("enter")
        await ada.wait_for("play another match")
        await ada.press("enter")
        await ada.wait_for("round 1")


async def test_a_digit_chooses_a_tile_and_once_more_plays_it():
    async with (
        app_host() as host,
        host.guest("ada", table_request=MakeTable("block", 2, {"opener": "lot"}, bots=1), name="ada") as ada,
    ):
        await ada.until(lambda: ada.update and ada.update.match.play.legal)
        view = ada.update.match.play
        playable = [
            number for number, held in enumerate(view.hand) if any(action.tile == held for action in view.legal)
        ]
        laid = len(ada.update.match.play.layout)
        tile = ada.update.match.play.hand[playable[-1]]

        await ada.press(str(playable[-1] + 1))
        if len(playable) > 1:
            assert len(ada.update.match.play.layout) == laid
            await ada.wait_for(f"Enter {'leads' if laid == 0 else 'plays'} {tile}")
            await ada.press(str(playable[-1] + 1))

        await ada.until(lambda: tile in [p.tile for p in ada.update.match.play.layout])


async def play_until_a_tile_does_not_fit(ada):
    """Play until a hand has a tile that does not fit."""
    while True:
        await ada.until(lambda: ada.update and (ada.update.match.play.legal or ada.update.match.play.result))
        view = ada.update.match.play
        fitting = {action.tile for action in view.legal if hasattr(action, "tile")}
        if view.layout and fitting and set(view.hand) - fitting:
            return next(number for number, tile in enumerate(view.hand) if tile not in fitting)
        await ada.press("enter")


async def test_an_unplayable_choice_says_why():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        tile = await play_until_a_tile_does_not_fit(ada)

        await ada.press(str(tile + 1))

        await ada.wait_for("fits nowhere: ")


async def test_enter_does_not_play_a_tile_that_fits_nowhere():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        tile = await play_until_a_tile_does_not_fit(ada)
        await ada.press(str(tile + 1))
        layout = ada.update.match.play.layout

        await ada.press("enter")

        assert ada.update.match.play.layout == layout


async def test_drawing_and_passing_out_of_place_are_refused_in_words():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await play_until_a_tile_does_not_fit(ada)

        await ada.press("x")
        await ada.wait_for("You cannot draw now.")
        await ada.press("p")
        await ada.wait_for("You cannot pass now.")


async def test_a_tile_is_chosen_and_played_by_the_mouse():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada", look=PLAIN) as ada:
        await play_until_a_tile_does_not_fit(ada)
        view = ada.update.match.play
        tile = ada.app.screen._choice.playable[0]
        top_of_hand = 16
        hit = next(hit for hit in ada.app.screen.picture.hits if hit.at == tile and hit.y >= top_of_hand)

        await ada.pilot.click(offset=(hit.x + 1, hit.y + 1))
        chosen_only = ada.update.match.play.layout == view.layout
        if chosen_only:
            await ada.pilot.click(offset=(hit.x + 1, hit.y + 1))

        await ada.until(lambda: view.hand[tile] in [placed.tile for placed in ada.update.match.play.layout])


async def test_resizing_keeps_the_hand_and_the_sentence():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await play_until_a_tile_does_not_fit(ada)
        hand, sentence = ada.update.match.play.hand, ada.text.splitlines()[-2]

        await ada.resize(49, 17)
        await ada.wait_for("needs 50×18", "49×17")
        await ada.resize(140, 45)
        await ada.wait_for("your turn")
        await ada.resize(80, 24)
        await ada.wait_for("your turn")

        assert ada.update.match.play.hand == hand
        assert ada.text.splitlines()[-2] == sentence


@pytest.mark.parametrize("look", [DARK, PLAIN], ids=["dark", "ascii"])
async def test_messages_of_the_operator_have_an_exclusive_sign_and_style(look):
    def story_row(guest):
        """Return the row of the story, and its style."""
        screen = guest.app.screen
        (row,) = [row for row in screen.picture.rows if "closing" in "".join(text for text, _ in row)]
        return "".join(text for text, _ in row).strip(), {style for text, style in row if text.strip()}

    async with (
        app_host() as host,
        host.guest("ada", look=look) as ada,
        host.guest("*** The server says", look=look) as bela,
    ):
        await sit_together(ada, bela)
        await bela.press("t")
        await bela.press(*"closing", "enter")
        await ada.wait_for("closing")
        forged, plain_style = story_row(ada)
        host.server.announce(Said("", NOBODY, "closing"))
        await ada.wait_for("*** ")
        said, style = story_row(ada)

        quotes = '""' if look.ascii else "“”"
        assert said == f"*** The server says: {quotes[0]}closing{quotes[1]}"
        assert forged == f"Round 1 is dealt. {'-' if look.ascii else '·'} " + said.removeprefix("*** ")
        assert style != plain_style
        assert all(run_style.bold for run_style in style), "where there are no colours, too"
        assert not any(run_style.bold for run_style in plain_style)


async def test_chat_reaches_others_as_it_was_typed_without_markup():
    async with app_host() as host, host.guest("ada") as ada, host.guest("bela") as bela:
        await sit_together(ada, bela)
        await ada.press("t")
        await ada.press(*"[b]hi[/] {x}q")
        await ada.press("enter")

        await bela.until(lambda: "ada: “[b]hi[/] {x}q”" in bela.app.screen._story.lines)
        assert ada.update is not None


async def test_chat_that_is_cancelled_with_escape_is_not_sent():
    async with app_host() as host, host.guest("ada") as ada, host.guest("bela") as bela:
        await sit_together(ada, bela)
        await ada.press("t", *"cancelled", "escape")
        await ada.press("t", *"sent", "enter")

        await bela.until(lambda: "ada: “sent”" in bela.app.screen._story.lines)
        assert "cancelled" not in "".join(bela.app.screen._story.lines)


async def test_arrow_keys_leave_the_choice_alone_while_chat_is_typed():
    async with app_host() as host, host.guest("ada") as ada, host.guest("bela") as bela:
        await sit_together(ada, bela)
        choice = ada.app.screen._choice
        await ada.press("t")
        await ada.press("down", "up", "escape")
        assert ada.app.screen._choice == choice


async def test_two_people_and_a_spectator_share_a_table():
    async with (
        app_host() as host,
        host.guest("ada") as ada,
        host.guest("bela") as bela,
        host.guest("chen") as chen,
    ):
        await sit_together(ada, bela)
        await chen.press("enter")
        await chen.wait_for("ada's table")
        await chen.press("w")
        await chen.wait_for("watching", "round 1")
        await ada.wait_for("1 watching")

        for _ in range(6):
            player = ada if ada.update.match.play.legal else bela
            number = ada.update.number
            await player.press("enter")
            await ada.until(lambda number=number: ada.update.number > number)

        assert chen.update.match.play.layout == ada.update.match.play.layout
        assert chen.update.match.play.hand == ()


async def test_leaving_keeps_the_seat_and_coming_back_takes_it_again():
    async with app_host(pace=Pace(60, 60, 60)) as host, host.guest("ada") as ada, host.guest("bela") as bela:
        await sit_together(ada, bela)
        hand = ada.update.match.play.hand
        await ada.press("q", "q")
        await ada.wait_for("your seat")
        await bela.wait_for("away, bot plays")

        await ada.press("enter")

        await ada.wait_for("round 1")
        assert ada.update.match.play.hand == hand


async def test_a_lost_player_has_a_countdown_that_ends_with_their_return(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr("tui.screens.table.monotonic", lambda: now[0])
    async with app_host(pace=Pace(60, 60, 60, grace=30)) as host, host.guest("ada") as ada:
        async with host.guest("bela", token="key") as bela:
            await sit_together(ada, bela)
            assert ada.app.screen._countdown is None
        await ada.wait_for("away, bot in 30 s")
        assert ada.app.screen._countdown
        now[0] += 29.5
        ada.app.screen._count_down()
        await ada.wait_for("away, bot in 1 s")
        now[0] += 1
        ada.app.screen._count_down()
        await ada.wait_for("away, bot plays")
        assert ada.app.screen._countdown is None, "nothing is drawn once nobody is awaited"
        async with host.guest("bela", token="key") as bela:
            await bela.wait_for("round 1")
            await ada.until(lambda: "away" not in ada.text)


async def test_a_maintenance_is_counted_down_at_the_table_and_in_the_lobby(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr("net.client.client.monotonic", lambda: now[0])
    async with (
        app_host(pace=Pace(60, 60, 60)) as host,
        host.guest("ada") as ada,
        host.guest("bela", token="key") as bela,
        host.guest("cleo", name="cleo") as cleo,
    ):
        await sit_together(ada, bela)
        await cleo.wait_for("in the lobby")
        host.server.announce(announcement(300.0))
        for guest in (ada, cleo):
            await guest.wait_for("maintenance in 5:00", "in 5 minutes: no new match begins, and seats are kept.")
        now[0] += 61
        ada.app.screen._count_down()
        cleo.app.screen.redraw()
        for guest in (ada, cleo):
            await guest.wait_for("maintenance in 3:59")
        host.server.announce(CALLED_OFF)
        for guest in (ada, cleo):
            await guest.until(lambda guest=guest: "maintenance in 3" not in guest.text)
        await ada.wait_for("There will be no maintenance")
        assert ada.app.screen._countdown is cleo.app.screen._countdown is None


async def test_the_result_can_be_put_aside_to_look_at_the_table():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        while True:
            await ada.until(lambda: ada.update and (ada.update.match.play.legal or ada.update.match.play.result))
            if ada.update.match.play.result:
                break
            await ada.press("enter")
        await ada.wait_for("pips")
        await ada.press("v")
        assert "pips" not in ada.text
        await ada.press("enter")
        await ada.wait_for("pips")
        await ada.press("enter")
        await ada.wait_for("round 2")


async def test_help_shows_keys_rules_and_the_house_rules_of_this_table():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await ada.wait_for("round 1")
        await ada.press("question_mark")
        await ada.wait_for("Keys", "play, or continue")
        await ada.press("end")
        await ada.wait_for("points that end the match: 50 points")
        await ada.press("q")
        await ada.wait_for("round 1")


async def test_the_colours_can_be_changed_at_the_table():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await ada.wait_for("round 1")
        before = ada.app.screen.look.theme
        await ada.press("y", "down")
        assert ada.app.screen.look.theme != before, "a sample in other colours"
        await ada.press("escape")
        assert ada.app.screen.look.theme == before
        await ada.press("y", "down", "down", "enter")
        await ada.wait_for("round 1")
        assert ada.app.screen.look.name == "wood"


LOST = "Leave? The match will be lost."


@pytest.mark.parametrize(("key", "again"), [("q", "q"), ("escape", "ctrl+c"), ("ctrl+c", "escape")])
async def test_leaving_a_solo_match_is_confirmed_once_and_then_ends_the_app(key, again):
    async with app_host() as host:
        async with host.guest("ada", table_request=SOLO, name="ada") as ada:
            await ada.wait_for("round 1")
            await ada.press(key)
            await ada.wait_for(LOST)
            assert not ada.app._exit
            await ada.press(again)
            await ada.until(lambda: ada.app._exit)
        assert ada.app.return_value == ""


async def test_the_question_before_leaving_says_that_the_match_is_kept():
    async with (
        app_host() as host,
        host.guest("ada", table_request=SOLO, name="ada", is_match_kept=lambda: True) as ada,
    ):
        await ada.wait_for("round 1")
        await ada.press("q")
        await ada.wait_for("Leave? The match is kept. Press q again to leave, any other key to stay.")


async def test_any_other_key_stays_at_the_table_without_effect():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await play_until_a_tile_does_not_fit(ada)
        before, number = ada.text, ada.update.number
        for key in ("enter", "x", "1", "tab", "f5", "right"):
            await ada.press("q")
            await ada.wait_for(LOST)
            await ada.press(key)

            await ada.until(lambda: ada.text == before)
            assert ada.update.number == number


async def test_q_twice_at_once_leaves_the_table():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await ada.wait_for("round 1")
        await ada.pilot.press("q", "q")
        await ada.until(lambda: ada.app._exit)


async def test_the_question_fits_a_small_window_and_a_paused_table_and_a_click_stays():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await play_until_a_tile_does_not_fit(ada)
        await ada.press("s")
        await ada.wait_for("The table is paused")
        await ada.press("ctrl+c")
        await ada.wait_for(LOST)
        await ada.resize(50, 10)
        await ada.wait_for(LOST, "any other key to stay")
        await ada.resize(80, 24)
        await ada.pilot.click(offset=(5, 5))
        await ada.wait_for("The table is paused")


async def test_after_the_match_leaving_needs_no_confirmation():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await ada.until(lambda: ada.update)
        while not ada.update.match.over:
            await ada.until(lambda: ada.update.match.play.legal or ada.update.match.play.result)
            await ada.press("enter")
        await ada.wait_for("how the match went")
        await ada.press("q")
        await ada.until(lambda: ada.app._exit)


STAYS = "q leaves the table."
BOT_PLAYS = "Leave? A bot plays for you until you are back. Press q again to leave, any other key to stay."


@pytest.mark.parametrize("key", ["escape", "ctrl+c"])
async def test_in_company_escape_closes_what_is_open_and_never_leaves_the_table(key):
    async with app_host(pace=Pace(60, 60, 60)) as host, host.guest("ada") as ada, host.guest("bela") as bela:
        await sit_together(ada, bela)
        await ada.press("question_mark")
        await ada.wait_for("Keys")
        await ada.press(key)
        await ada.press("t", "h", key)
        assert ada.app.screen.line is None
        assert STAYS not in ada.text
        for _ in range(2):
            await ada.press(key)
            await ada.wait_for(STAYS, "round 1")
        await ada.press("q")
        await ada.wait_for("Leave?")
        await ada.press(key)
        await ada.until(lambda: "Leave?" not in ada.text)
        assert ada.update is not None


@pytest.mark.parametrize("again", ["q", "й"])
async def test_in_company_leaving_a_match_is_confirmed_once(again):
    async with app_host(pace=Pace(60, 60, 60)) as host, host.guest("ada") as ada, host.guest("bela") as bela:
        await sit_together(ada, bela)
        await ada.resize(100, 24)
        await ada.press("q")
        await ada.wait_for(BOT_PLAYS)
        await ada.press("x")
        await ada.until(lambda: "Leave?" not in ada.text)
        await ada.press("q", again)
        await ada.wait_for("your seat")


async def test_a_spectator_and_a_player_before_the_match_leave_by_q_without_a_question():
    async with (
        app_host(pace=Pace(60, 60, 60)) as host,
        host.guest("ada") as ada,
        host.guest("bela") as bela,
        host.guest("chen") as chen,
    ):
        await chen.press("enter")
        await chen.wait_for("No table is open yet")
        await chen.press("n", "enter")
        await chen.wait_for("waiting")
        await chen.press("escape")
        await chen.wait_for(STAYS)
        await chen.press("q")
        await chen.wait_for("in the lobby")
        await sit_together(ada, bela)
        await chen.wait_for("ada's table")
        await chen.press("w")
        await chen.wait_for("watching", "round 1")
        await chen.press("escape")
        await chen.wait_for(STAYS)
        await chen.press("q")
        await chen.wait_for("in the lobby")


async def test_in_company_escape_closes_the_end_of_a_match_and_q_leaves_it():
    async with app_host() as host, host.guest("ada") as ada, host.guest("bela") as bela:
        await ada.press("enter")
        await bela.press("enter")
        await ada.wait_for("No table is open yet")
        ada.app._client.make_table(SOLO)
        await bela.wait_for("ada's table")
        await bela.press("w")
        await play_to_the_end(ada)
        await ada.wait_for("1 watching")
        await ada.press("enter")
        await ada.wait_for("play another match")
        await ada.press("escape")
        await ada.wait_for("how the match went")
        await ada.press("escape")
        await ada.wait_for(STAYS)
        await ada.press("enter")
        await ada.wait_for("play another match")
        await ada.press("q")
        await ada.wait_for("in the lobby")


async def test_ctrl_c_at_the_question_for_a_name_ends_the_app():
    async with app_host() as host, host.guest("ada") as ada:
        await ada.wait_for("What name will you play under?")
        await ada.press("ctrl+c")
        await ada.until(lambda: ada.app._exit)


async def test_a_closing_host_ends_the_app_with_a_message():
    async with app_host() as host:
        async with host.guest("ada", table_request=SOLO, name="ada") as ada:
            await ada.wait_for("round 1")
            host.server.close()
            await ada.until(lambda: ada.app._exit)
        assert ada.app.return_value == "The server has closed."


async def test_a_key_that_moves_the_choice_paints_only_hand_sentence_ghost_and_marks():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await play_until_a_tile_does_not_fit(ada)
        before = ada.app.screen.picture.rows

        await ada.press("right")

        after = ada.app.screen.picture.rows
        rows = divide_rows(24)
        hand = 24 - rows.status - rows.sentence - rows.hand
        paint_tile = [y for y, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
        assert set(range(hand, 24 - rows.status)).issuperset(y for y in paint_tile if y >= hand)
        for old, new in zip(before[:hand], after[:hand], strict=True):
            for was, now in zip(cells_of(old), cells_of(new), strict=True):
                assert was == now or not {was[1].bg, now[1].bg} & {DARK.theme.ivory, DARK.theme.ivory_shade}
        assert before[0] == after[0]
        assert before[-1] == after[-1]


async def play_to_a_result(ada):
    while True:
        await ada.until(lambda: ada.update and (ada.update.match.play.legal or ada.update.match.play.result))
        if ada.update.match.play.result:
            return
        await ada.press("enter")


async def test_the_last_tile_of_a_round_is_seen_before_the_result_until_a_key_is_pressed(monkeypatch):
    monkeypatch.setattr("tui.screens.table.TableScreen.LAST_LOOK_SECONDS", 3600.0)
    async with app_host(pace=QUICK) as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await play_to_a_result(ada)
        await ada.wait_for("Enter: show the result.")
        assert "pips" not in ada.text
        await ada.press("enter")
        await ada.wait_for("pips", "Enter: deal the next round.")


async def test_the_result_replaces_the_last_look_by_itself(monkeypatch):
    monkeypatch.setattr("tui.screens.table.TableScreen.LAST_LOOK_SECONDS", 0.001)
    async with app_host(pace=QUICK) as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await play_to_a_result(ada)
        await ada.wait_for("pips", "Enter: deal the next round.")


async def test_a_key_pressed_just_when_the_result_comes_does_not_go_past_it(monkeypatch):
    monkeypatch.setattr("tui.screens.table.TableScreen.LAST_LOOK_SECONDS", 0.001)
    monkeypatch.setattr("tui.screens.base.DrawnScreen.SETTLE_SECONDS", 3600.0)
    async with app_host(pace=QUICK) as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await play_to_a_result(ada)
        await ada.wait_for("pips", "Enter: deal the next round.")
        for key in ("enter", "v", "question_mark", "q", "1"):
            await ada.press(key)
        await ada.wait_for("pips", "Enter: deal the next round.")
        ada.app.screen._settling_until = 0.0
        await ada.press("enter")
        await ada.wait_for("round 2")


async def test_a_key_without_effect_says_why():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await ada.wait_for("round 1", "your turn")
        for key, reason in (("v", "when the round is over"), ("r", "when it is over"), ("[", "120 columns")):
            await ada.press(key)
            await ada.wait_for(reason)


async def test_where_bots_play_at_once_the_result_comes_at_once(monkeypatch):
    monkeypatch.setattr("tui.screens.table.TableScreen.LAST_LOOK_SECONDS", 3600.0)
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await play_to_a_result(ada)
        await ada.wait_for("pips", "Enter: deal the next round.")


async def test_a_tile_that_was_laid_glows_for_a_moment_where_things_may_move(monkeypatch):
    monkeypatch.setattr("tui.screens.table.TableScreen.GLOW_SECONDS", 3600.0)
    moving = replace(DARK, moves=True)
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada", look=moving) as ada:
        await ada.wait_for("round 1", "your turn")
        await ada.press("enter")
        await ada.until(lambda: len(ada.update.match.play.layout) > 1)
        backgrounds = {style.bg for row in ada.app.screen.picture.rows for _text, style in row}
        assert moving.glowing.theme.glow in backgrounds
        ada.app.screen._end_glow()
        backgrounds = {style.bg for row in ada.app.screen.picture.rows for _text, style in row}
        assert moving.theme.glow in backgrounds


@pytest.mark.parametrize(("moves", "slide"), [(True, Slide(1, 1 / 3)), (False, None)])
async def test_laid_tiles_slide_only_where_things_may_move(moves, slide, monkeypatch):
    monkeypatch.setattr("tui.screens.table.TableScreen.GLOW_SECONDS", 3600.0)
    look = replace(DARK, moves=moves)
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada", look=look) as ada:
        await ada.wait_for("round 1", "your turn")
        await ada.press("enter")
        await ada.until(lambda: len(ada.update.match.play.layout) > 1)
        screen, count = ada.app.screen, len(ada.update.match.play.layout) - 1
        assert screen._slide == (slide and slide._replace(tiles=count))
        screen._continue_slide()
        assert screen._slide == (slide and Slide(count, 2 / 3))
        screen._end_glow()
        assert screen._slide is None


def test_greys_pictures_and_reduced_motion_have_no_glow():
    assert DARK.glowing == DARK
    assert replace(DARK, moves=True, grey=True).glowing.theme == DARK.theme
    assert replace(DARK, moves=True).glowing.theme.glow == DARK.theme.accent


@pytest.mark.parametrize(("name", "value"), [("NO_MOTION", "1"), ("SSH_CONNECTION", "192.0.2.7 1 192.0.2.8 22")])
def test_reduced_motion_and_ssh_sessions_have_no_animation(monkeypatch, name, value):
    for variable in ("NO_MOTION", "SSH_CONNECTION"):
        monkeypatch.delenv(variable, raising=False)
    assert look_of(None, False).moves
    monkeypatch.setenv(name, value)
    assert not look_of(None, False).moves


async def test_a_guest_who_enters_at_a_table_reads_the_hosts_notice_there():
    async with app_host() as host:
        host.server.apply_effects(host.lobby.set_notice("Cup tonight"))
        async with host.guest("ada", table_request=SOLO, name="ada") as ada:
            await ada.wait_for("round 1", "The server says: “Cup tonight”")
