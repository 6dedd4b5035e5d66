"""The form for a new table: usual rules first, in words, each explained; rare ones folded; switches."""

from contextlib import asynccontextmanager

import pytest

from core.games import GAMES
from net.wire.messages import MakeTable
from tests.tui.guests import Guest
from tests.tui.served_pilot import served
from tests.tui.tables import DARK
from tui.model.new_table import NewTable
from tui.screens.new_table import NewTableScreen
from tui.terminal.app import TerminalApp


class Alone(TerminalApp):
    """The form, and its result."""

    answer = None

    def __init__(self, **options):
        super().__init__()
        self._options = options

    def on_mount(self):
        self.push_screen(NewTableScreen(DARK, **self._options), self.answered)

    def answered(self, new_table):
        self.answer = new_table


@asynccontextmanager
async def form(game="draw", **options):
    app = Alone(**({"free_seats": False} | options))
    async with served(app, (80, 24)) as pilot:
        guest = Guest(app, pilot)
        await guest.press(*["right"] * list(GAMES).index(game))
        await guest.wait_for(GAMES[game].name)
        yield guest


def rows_of(new_table):
    return {row.row_id: row for row in new_table.settings(free_seats=True)}


async def test_every_row_is_in_words_and_the_chosen_one_is_explained():
    async with form("stakes") as guest:
        await guest.press("up", "enter")  # unfold
        await guest.press(*["down"] * 5)
        await guest.wait_for("for everybody", "the assistant alone pays what all the others would have paid.")
        for code in ("own_dots", "lowest_only", "sm.", "D6"):
            assert code not in guest.text


async def test_a_question_mark_explains_every_choice_of_the_row():
    async with form() as guest:
        await guest.press(*["down"] * 8, "question_mark")
        await guest.wait_for("who leads a round", "- by lot: a player drawn by lot leads", "- in turn:")
        await guest.press("q")
        await guest.wait_for("that few people change")


async def test_rare_rules_are_folded_until_they_are_asked_for():
    async with form() as guest:
        await guest.wait_for("10 rules that few people change", "hidden")
        assert "drawing while able to play" not in guest.text
        await guest.press("up", "enter")
        await guest.wait_for("drawing while able to play")
        await guest.press("right")
        assert "drawing while able to play" not in guest.text
        assert guest.app.answer is None


async def test_a_changed_rare_rule_is_not_folded_and_the_cursor_stays_on_a_reset_row():
    async with form() as guest:
        await guest.press("up", "enter", "down", "right", "up", "left")
        await guest.wait_for("9 rules that few people change", "tiles that stay in the boneyard", "one tile")
        await guest.press("down", "left")
        await guest.wait_for("▶ tiles that stay in the boneyard", "10 rules that few people change")
        await guest.press("up")
        assert "tiles that stay" not in guest.text


async def test_a_rare_house_rule_of_the_host_is_shown():
    async with form(house_rules={"draw": {"hand3": 7}}) as guest:
        await guest.wait_for("tiles for each of three players", "7 tiles")


async def test_contracts_are_switched_one_by_one():
    async with form("forty-two") as guest:
        await guest.press(*["up"] * 2, "right", *["up"] * 3, "right")
        await guest.wait_for("◀ yes ▶", "nello: lose every trick")
        await guest.press("enter")
        await guest.until(lambda: guest.app.answer)
        assert guest.app.answer.options == {"42.contracts": "nello+sevens"}


def test_every_set_of_contracts_can_be_reached_and_left_again():
    new_table = NewTable().set("game", "forty-two")
    for part in ("sevens", "nello", "splash"):
        new_table = new_table.set("42.contracts", "yes", part)
    assert new_table.all_options["42.contracts"] == "nello+splash+sevens"
    assert {part: row.value for (key, part), row in rows_of(new_table).items() if key == "42.contracts"} == {
        "nello": "yes",
        "plunge": "no",
        "splash": "yes",
        "sevens": "yes",
    }
    for part in ("sevens", "nello", "splash"):
        new_table = new_table.set("42.contracts", "no", part)
    assert new_table.all_options["42.contracts"] == "none"
    assert not new_table.problem()


def test_a_rule_that_follows_from_another_is_as_usual_again_when_that_one_changes():
    new_table = NewTable().set("game", "forty-two").set("42.target", 5).set("42.score", "points")

    assert rows_of(new_table)["42.target", ""].value == 250
    assert not new_table.problem()


@pytest.mark.parametrize("game", GAMES)
def test_usual_rules_come_before_rare_ones_and_everything_shown_is_in_words(game):
    rows = NewTable().set("game", game).settings(free_seats=True)

    assert [row.rare for row in rows] == sorted(row.rare for row in rows)
    assert not any(row.changed for row in rows)
    for row in rows:
        assert row.value_words(game)
        assert "_" not in row.value_words(game) + row.label
        assert row.sentence(game)
        assert row.explanations(game)


async def test_the_form_copies_the_last_table_of_a_game():
    last = MakeTable("draw", 4, {"hand4": 7, "target": 50}, level="easy", hints=False)
    async with form(last_tables={"draw": last}) as guest:
        await guest.press("a")
        await guest.wait_for(
            "a as last time", "4 players", "easy", "50 points", "tiles for each of four players", "7 tiles"
        )
        await guest.press("enter")
        await guest.until(lambda: guest.app.answer)
        assert guest.app.answer == MakeTable("draw", 4, {"hand4": 7, "target": 50}, 3, "easy", hints=False)
    async with form("block", last_tables={"draw": last}) as guest:
        assert "as last time" not in guest.text
        await guest.press("a")
        await guest.wait_for("2 players")
