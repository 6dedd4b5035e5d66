"""A table of tricks, played by keys and mouse."""

from core.actions import Bid, Lay, Name
from net.wire.messages import MakeTable
from tests.tui.guests import app_host
from tests.tui.tables import PLAIN

SOLO = MakeTable("forty-two", 4, {"42.target": 5}, bots=3)


async def play_until_a_choice(ada):
    """Play until ada has to choose; return the view."""
    await ada.until(lambda: ada.update and (ada.update.match.play.legal or ada.update.match.play.result))
    return ada.update.match.play


async def test_a_whole_match_is_played_with_enter_alone():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await ada.wait_for("Forty-Two · to 5 · round 1")
        for _ in range(2000):
            if ada.update.match.winners:
                break
            await play_until_a_choice(ada)
            await ada.press("enter")
        await ada.wait_for("how the match went")


async def bid_high(ada):
    """Let ada win the bidding, with the last bid of the list."""
    while True:
        view = await play_until_a_choice(ada)
        if view.result:
            await ada.press("enter")
        elif isinstance(view.legal[0], Name):
            return view
        elif isinstance(view.legal[-1], Bid):
            await ada.press("up", "enter")
        else:
            await ada.press("enter")


async def test_a_bid_and_a_trump_are_chosen_by_arrows_and_letters():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await bid_high(ada)
        await ada.wait_for("Name trumps, then you lead.", "a sixes")
        is_chosen = ada.app._table_screen._choice.action == Name("number", 4)
        key, suit, number = ("d", "threes", 3) if is_chosen else ("c", "fours", 4)
        await ada.press(key)
        await ada.wait_for(f"Enter: name {suit}.")
        await ada.press(key)

        await ada.wait_for(f"trumps: {suit}", "You lead: play any tile.")
        assert ada.update.match.play.trump == Name("number", number)


async def test_a_digit_chooses_a_tile_and_once_more_lays_it():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await bid_high(ada)
        await ada.press("a", "enter")
        view = await play_until_a_choice(ada)
        assert view.legal == tuple(map(Lay, view.hand))
        await ada.press("3")
        await ada.wait_for(f"Enter: lead {view.hand[2]}.")
        await ada.press("3")

        await ada.until(lambda: view.hand[2] not in ada.update.match.play.hand)


async def test_a_bid_is_chosen_by_the_mouse_and_p_passes():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada", look=PLAIN) as ada:
        await play_until_a_choice(ada)
        hit = next(h for h in ada.app.screen.picture.hits if h.at == 2)
        await ada.pilot.click(offset=(hit.x + 1, hit.y))
        await ada.wait_for(f"Enter: bid {ada.update.match.play.legal[2].points}")
        await ada.press("x")
        await ada.wait_for("You cannot draw now.")
        await ada.press("p")

        await ada.until(lambda: any(call.seat == 0 and call.bid is None for call in ada.update.match.play.calls))
