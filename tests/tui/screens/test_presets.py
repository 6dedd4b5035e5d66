"""As played in …: the list of the presets, and the first screen once one is chosen."""

from pathlib import Path

import pytest

from core.games import GAMES
from core.presets import PRESETS
from core.variant import resolve
from net.storage.solo_matches import KeptMatch
from tests.tui.guests import Guest
from tests.tui.served_pilot import served
from tests.tui.tables import DARK
from tui.i18n import _, begin_session
from tui.screens.base import SingleScreenApp
from tui.screens.menu import MenuScreen
from tui.text.at_table import saved_match_words
from tui.text.names import sort_by_place


async def test_the_presets_are_listed_by_place_and_the_chosen_one_is_ready_to_play():
    app = SingleScreenApp(MenuScreen(DARK))
    async with served(app, (80, 24)) as pilot:
        guest = Guest(app, pilot)
        await guest.press("a")
        await guest.wait_for("as played in …", "Egypt ", "domina adi")
        places = [row.strip("▶ ").partition("  ")[0] for row in guest.text.splitlines()[2:20]]
        assert places == sorted(places)
        while "target: 101" not in guest.text and "101 points" not in guest.text:
            await guest.press("down")
        await guest.press("enter")
        await guest.wait_for("house rules    Egyptian")
        await guest.press("enter")

    assert (app.return_value.game, app.return_value.options) == ("draw", PRESETS["egyptian"].options)


async def test_changes_of_a_preset_are_named_in_the_form():
    app = SingleScreenApp(MenuScreen(DARK))
    async with served(app, (80, 24)) as pilot:
        guest = Guest(app, pilot)
        await guest.press("slash", *"sniff", "enter", "o")
        await guest.wait_for("as played in", "Sniff")
        await guest.press(*["down"] * 6, "right")
        await guest.wait_for("Sniff, changed")


@pytest.mark.parametrize("typed", ["muggins", "domina a", "texas k"])
async def test_the_search_finds_presets_by_all_their_names(typed):
    app = SingleScreenApp(MenuScreen(DARK))
    async with served(app, (80, 24)) as pilot:
        guest = Guest(app, pilot)
        await guest.press("slash", *(key.replace(" ", "space") for key in typed), "enter", "enter")
    chosen = app.return_value
    preset = {"muggins": "muggins", "domina a": "egyptian", "texas k": "house-42"}[typed]

    assert chosen.game in GAMES
    assert (chosen.game, chosen.options) == (PRESETS[preset].game, PRESETS[preset].options)


def test_presets_are_sorted_by_place_without_accents():
    begin_session("de")
    places = [_(preset.place) for preset in sort_by_place(PRESETS.values())]
    begin_session("en")

    assert places.index("Ägypten") < places.index("Brasilien")


def test_a_kept_match_by_the_rules_of_a_preset_bears_its_name():
    preset = PRESETS["dominican"]
    options = resolve(GAMES[preset.game].options, preset.options_for(4))
    kept = KeptMatch(Path("kept"), 1e9, preset.game, 2, 30, ("", "Felix", "Hub", "Dotty"), options)

    assert saved_match_words(kept) == "Dominican (patio), round 2, you 30"
    assert saved_match_words(KeptMatch(Path("kept"), 1e9, "patience", 1, 0, ("",))) == "Patience"
    assert saved_match_words(KeptMatch(Path("kept"), 1e9, "partners", 2, -30)) == "Partners, round 2, you −30"
