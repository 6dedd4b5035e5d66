"""Taking back and ending a match on the screen: alone it is done, in company the others are asked."""

from core.actions import TakenBack
from net.table.table import Pace
from net.wire.messages import MakeTable
from tests.tui.guests import app_host, sit_together
from tests.tui.screens.test_table import play_until_a_tile_does_not_fit

SOLO = MakeTable("block", 2, {}, bots=1, take_back=True)


async def make_a_choice(ada):
    """Play until ada has had a choice, and the round goes on; return her tile."""
    while True:
        await play_until_a_tile_does_not_fit(ada)
        view = ada.update.match.play
        number = ada.update.number
        await ada.press("enter")
        await ada.until(lambda number=number: ada.update.number > number)
        if len(view.legal) > 1 and ada.update.match.play.result is None:
            return view, next(t for t in view.hand if t not in ada.update.match.play.hand)


async def test_u_takes_back_the_last_choice_and_the_tile_is_in_the_hand_again():
    async with app_host(pace=Pace(0, 0, 0)) as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        view, tile = await make_a_choice(ada)
        await ada.press("u")
        await ada.wait_for(f"You take back {tile}.")

        assert ada.update.match.play == view
        assert isinstance(ada.update.events[0], TakenBack)
        await ada.press("enter")
        await ada.until(lambda: tile not in ada.update.match.play.hand)


async def test_why_something_cannot_be_taken_back_is_said_in_words():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await ada.until(lambda: ada.update and ada.update.match)
        await ada.press("u")
        await ada.wait_for("You have not had a choice in this round that you could take back.")


async def test_a_tile_that_was_chosen_ahead_is_not_played_when_the_turn_comes_back():
    async with app_host(pace=Pace(600, 600)) as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await ada.until(lambda: ada.update and ada.update.match)
        await ada.wait_for("round 1")
        chose = False
        while not chose:
            view, number = ada.update.match.play, ada.update.number
            await ada.press("enter" if view.legal or view.result else ".")
            await ada.until(lambda number=number: ada.update.number > number)
            play = ada.update.match.play
            chose = len(view.legal) > 1 and not play.legal and not play.result
        await ada.press("right", "enter")
        await ada.wait_for("will be played on your turn")
        await ada.press("u")
        await ada.wait_for("You take back")

        assert ada.update.match.play == view


async def test_in_company_the_others_are_asked_and_press_u_to_agree():
    table_request = MakeTable("block", 2, {}, take_back=True)
    async with (
        app_host() as host,
        host.guest("ada", table_request=table_request, name="ada") as ada,
        host.guest("bela") as bela,
    ):
        await bela.press("enter")
        await bela.wait_for("ada")
        await bela.press("enter")
        await bela.until(lambda: bela.update and bela.update.match)
        while True:
            player, other = (ada, bela) if ada.update.match.play.legal else (bela, ada)
            view, number = player.update.match.play, player.update.number
            await player.press("enter")
            await player.until(lambda player=player, number=number: player.update.number > number)
            await other.until(lambda player=player, other=other: other.update.number == player.update.number)
            if len(view.legal) > 1 and not player.update.match.play.result:
                break
            if player.update.match.play.result:
                await player.press("enter")
                await other.press("enter")
                await other.until(lambda other=other: not other.update.match.play.result)
                await player.until(lambda player=player: not player.update.match.play.result)
        name = player.app._client.name
        await player.press("u")
        await player.wait_for("all others must agree")
        await other.wait_for(f"{name} would like to take back", "press u to agree")
        await other.press("u")
        await other.wait_for(f"{name} takes back")
        await player.wait_for("You take back")

        assert player.update.match.play == view


PATIENCE = MakeTable("patience", 1, {}, take_back=True)


async def give_up(ada):
    """Give up a game for one player, and wait for its result."""
    await ada.until(lambda: ada.update and ada.update.match)
    await ada.press("up")
    await ada.wait_for("Enter: give up")
    await ada.press("enter")
    await ada.until(lambda: ada.update.match.over)


async def test_u_takes_back_the_last_choice_of_a_finished_game_for_one_player():
    async with app_host(pace=Pace(0, 0, 0)) as host, host.guest("ada", table_request=PATIENCE, name="ada") as ada:
        await give_up(ada)
        await ada.wait_for("u take back")
        await ada.press("u")
        await ada.wait_for("Enter: take")

        assert not ada.update.match.over


async def test_the_end_of_a_game_for_one_player_offers_the_same_deal_and_a_new_one():
    async with app_host(pace=Pace(0, 0, 0)) as host, host.guest("ada", table_request=PATIENCE, name="ada") as ada:
        await ada.until(lambda: ada.update and ada.update.match)
        dealt = ada.update.match.play.piles
        await give_up(ada)
        await ada.wait_for("Enter: a new deal, or the same one again.")
        await ada.press("enter")
        await ada.wait_for("s  the same deal again")
        assert "a  a new deal" in ada.text
        assert "Given up with 28 tiles left." in ada.text
        await ada.press("s")
        await ada.until(lambda: not ada.update.match.over)
        assert ada.update.match.play.piles == dealt


async def test_in_company_all_agree_to_end_the_match_by_the_same_key():
    async with app_host(pace=Pace(60, 60, 60)) as host, host.guest("ada") as ada, host.guest("bela") as bela:
        await sit_together(ada, bela)
        await ada.press("E")
        await ada.wait_for("Press E again to end the match, if all agree; nobody wins then.")
        assert bela.update.wanted is None
        await ada.press("E")
        await bela.wait_for("ada would like to end the match without a winner; press E to agree.")
        await bela.press("E")
        for guest in (ada, bela):
            await guest.until(lambda guest=guest: guest.update.match.over)
            await guest.wait_for("All agreed to end the match; nobody wins.")
            await guest.press("enter")
            await guest.wait_for("play another match", "All agreed to end the match; nobody wins.")


async def test_r_twice_resigns_and_both_read_who_did():
    async with app_host(pace=Pace(60, 60, 60)) as host, host.guest("ada") as ada, host.guest("bela") as bela:
        await sit_together(ada, bela)
        await ada.press("R")
        await ada.wait_for("Press R again to resign; the other side wins then.")
        await ada.press("R")
        await bela.wait_for("ada resigns. You win the match!")
        await ada.wait_for("You resign. bela wins the match.")


async def test_against_bots_the_match_ends_at_the_second_key_and_any_update_cancels_it():
    async with app_host() as host, host.guest("ada", table_request=MakeTable("draw", 2, bots=1), name="ada") as ada:
        await ada.wait_for("round 1")
        await ada.press("E")
        await ada.wait_for("Press E again")
        await ada.press("right", "E")
        await ada.wait_for("Press E again")
        assert not ada.update.match.over
        await ada.press("E")
        await ada.wait_for("The match ended without a winner.")
