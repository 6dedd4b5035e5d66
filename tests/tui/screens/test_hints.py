"""Hints at the table: h asks for one, nothing waits for it, and Enter plays it."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from core.bots.profiles import ActionValue, Thought
from net.table.table import Pace
from net.wire.messages import MakeTable
from tests.tui.guests import app_host
from tests.tui.screens.test_table import play_until_a_tile_does_not_fit
from tui.model import hints

OPEN = MakeTable("draw", 2, {"target": 50}, bots=1, hints=True)


class Thinking:
    """Thinkers who answer when a test tells them to."""

    def __init__(self):
        self.asked = []

    def ask(self, question):
        self.asked.append((question, asyncio.get_running_loop().create_future()))
        return self.asked[-1][1]

    def answer(self, action):
        self.asked[-1][1].set_result(Thought(action, [ActionValue(action, 1.0, 0.0, 0.0, 9)]))


@pytest.fixture
def thinking():
    return Thinking()


@asynccontextmanager
async def at_table(thinkers=None, table_request=OPEN, **options):
    """Yield ada, at a table of hers."""
    async with (
        app_host(**options) as host,
        host.guest("ada", table_request=table_request, name="ada", thinkers=thinkers) as ada,
    ):
        yield ada


@asynccontextmanager
async def player_with_a_choice(thinkers):
    """Yield ada, on turn, with several moves to choose from."""
    async with at_table(thinkers) as ada:
        await play_until_a_tile_does_not_fit(ada)
        while len(ada.update.match.play.legal) < 2:
            await ada.press("enter")
            await play_until_a_tile_does_not_fit(ada)
        yield ada


async def test_h_chooses_the_move_and_says_why_and_enter_plays_it(thinking):
    async with player_with_a_choice(thinking) as ada:
        action = ada.update.match.play.legal[-1]
        await ada.press("h")
        assert thinking.asked[0][0].view == ada.update.match
        thinking.answer(action)

        await ada.wait_for(f"{action.tile} ", f"Enter: play {action.tile}")
        assert ada.app.screen._choice.action == action
        number = ada.update.number
        await ada.press("enter")
        await ada.until(lambda: ada.update.number > number)
        assert action.tile in [placed.tile for placed in ada.update.match.play.layout]


async def test_keys_work_while_a_hint_is_computed_and_a_long_wait_is_announced(thinking, monkeypatch):
    monkeypatch.setattr(hints, "SLOW_SECONDS", 0.0)
    async with player_with_a_choice(thinking) as ada:
        await ada.press("h")
        await ada.wait_for("Thinking …")
        await ada.press("h", "right")
        assert len(thinking.asked) == 1
        assert "Thinking …" not in ada.text
        playable = ada.app.screen._choice.playable
        await ada.press(str(playable[0] + 1))
        assert not thinking.asked[0][1].done()
        number = ada.update.number
        await ada.press("enter")
        await ada.until(lambda: ada.update.number > number)
        assert thinking.asked[0][1].cancelled()


async def test_the_same_hint_is_computed_once(thinking):
    async with player_with_a_choice(thinking) as ada:
        await ada.press("h")
        thinking.answer(ada.update.match.play.legal[0])
        await ada.pilot.pause()
        lines = list(ada.app.screen._story.lines)
        await ada.press("s")
        await ada.wait_for("The table is paused")
        await ada.press("s", "h")

        assert len(thinking.asked) == 1
        assert ada.app.screen._story.lines == lines


async def test_without_thinkers_and_without_an_answer_plain_rules_give_the_hint(thinking):
    for thinkers in (None, thinking):
        async with at_table(thinkers) as ada:
            await play_until_a_tile_does_not_fit(ada)
            before = len(ada.app.screen._story.lines)
            await ada.press("h")
            if thinking.asked:
                thinking.asked[-1][1].set_result(None)
            await ada.until(lambda: len(ada.app.screen._story.lines) > before)  # noqa: B023


async def test_a_player_among_bots_allows_hints_at_a_table_without_by_asking_for_one():
    async with at_table(table_request=MakeTable("draw", 2, {"target": 50}, bots=1)) as ada:
        await play_until_a_tile_does_not_fit(ada)
        await ada.press("h")
        await ada.wait_for("Hints are allowed at this table now.")
        await ada.press("h")
        await ada.until(lambda: ada.app.screen._hinter._hint)


async def test_in_company_hints_are_allowed_when_all_others_have_pressed_h():
    table_request = MakeTable("block", 2, {})
    async with (
        app_host() as host,
        host.guest("ada", table_request=table_request, name="ada") as ada,
        host.guest("bela") as bela,
    ):
        await bela.press("enter")
        await bela.wait_for("ada")
        await bela.press("enter")
        await bela.until(lambda: bela.update and bela.update.match)
        await ada.press("h")
        await ada.wait_for("You would like hints to be allowed; all others must agree.")
        await bela.wait_for("ada would like hints to be allowed; press h to agree.")
        await bela.press("h")
        await bela.wait_for("Hints are allowed at this table now.")
        await ada.wait_for("Hints are allowed at this table now.")

        assert ada.update.table.hints
        assert bela.update.table.hints


async def test_a_hint_out_of_turn_is_refused_in_a_sentence():
    async with at_table(table_request=MakeTable("draw", 2, {}, bots=1, hints=True), pace=Pace(600, 600)) as ada:
        await ada.until(lambda: ada.update and ada.update.match)
        while ada.update.match.play.turn == ada.update.seat:
            await ada.press("enter")
        await ada.press("h")
        await ada.wait_for("You can ask for a hint only on your turn.")


async def test_a_failed_hint_is_reported_in_a_sentence(thinking, monkeypatch):
    def fails(_view, _thought):
        raise LookupError

    monkeypatch.setattr("core.bots.reasons.hints.hint", fails)
    async with at_table() as ada:
        await play_until_a_tile_does_not_fit(ada)
        await ada.press("h")
        await ada.wait_for("No hint can be found here.")


async def test_the_screen_names_the_key_for_hints():
    async with at_table() as ada:
        await play_until_a_tile_does_not_fit(ada)
        await ada.wait_for("h hint")
    async with at_table(table_request=MakeTable("draw", 2, {}, hints=True)) as ada:
        await ada.wait_for("Hints: on your turn, h gives you one.")
