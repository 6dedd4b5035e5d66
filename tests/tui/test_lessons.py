"""Lessons: each leads through a round by the rules, and explains every point at its moment."""

import hashlib
import re
from itertools import pairwise
from random import Random

import pytest

from core.bots.levels import BOTS
from core.combos.state import ComboView
from core.fair import Share, deal_key, deal_order
from core.games import GAMES
from core.layout.state import NOBODY, LayoutView
from core.match import new_match
from core.patience.state import PatienceView
from core.tricks.state import TrickView
from net.wire.messages import SeatInfo, TableInfo, Update
from tests.tui.guests import Guest, app_host
from tests.tui.served_pilot import served
from tests.tui.tables import DARK
from tui.draw.panels import wrap
from tui.draw.window_layout import LESSON_ROWS
from tui.lessons import LESSONS, MAX_GOAL_REPEATS, Tutor
from tui.model.presenter import presenter_of
from tui.screens.base import SingleScreenApp
from tui.screens.menu import MenuScreen

ALL = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.game)


def round_of(lesson, seat=0):
    """Yield the tutor and the match at each update of the lesson's first round, which is played by plain rules."""
    match = new_match(GAMES[lesson.game], lesson.players, lesson.options)
    key = deal_key(hashlib.sha256(f"{lesson.seed} 0".encode()).digest(), (Share(),) * lesson.players)
    seats = tuple(SeatInfo(str(number)) for number in range(lesson.players))
    table = TableInfo(0, "", lesson.game, match.options, seats, 0, "playing")
    tutor, rng = Tutor(lesson), Random(1)
    match, events = match.deal(*deal_order(match.rules.tiles, lesson.players, key, 1))
    while True:
        tutor.follow(Update(0, table, seat, match.view(seat), events))
        yield tutor, match
        if match.turn == NOBODY:
            return
        view = match.view(match.turn)
        proposed = tutor.take_proposal(view.play) if match.turn == seat else None
        match, events = match.apply(proposed or BOTS["greedy"](view, rng))


@ALL
def test_a_lesson_begins_with_the_learner_and_a_first_instruction(lesson):
    tutor, match = next(round_of(lesson))
    assert match.turn == 0
    assert tutor.text


@ALL
def test_a_round_of_a_lesson_says_all_its_sentences_but_one_at_most(lesson):
    texts = {tutor.text for tutor, _match in round_of(lesson)}
    assert len(texts & {remark.text for remark in lesson.remarks}) >= len(lesson.remarks) - 1


@ALL
def test_at_the_end_of_the_round_a_lesson_names_the_keys_to_go_on_and_to_end(lesson):
    *_, (tutor, match) = round_of(lesson)
    assert match.view(0).play.result
    assert "Enter" in tutor.text
    assert "q ends the lesson" in tutor.text


@ALL
def test_every_sentence_fits_under_the_board_at_80_columns(lesson):
    for text in (lesson.goal, *(remark.text for remark in lesson.remarks)):
        assert len(wrap(text, 76)) <= LESSON_ROWS


def test_spectators_get_no_lesson():
    assert {tutor.text for tutor, _match in round_of(LESSONS[0], seat=NOBODY)} == {""}


@ALL
async def test_lessons_are_listed_on_the_first_screen(lesson):
    app = SingleScreenApp(MenuScreen(DARK))
    async with served(app, (80, 24)) as pilot:
        guest = Guest(app, pilot)
        await guest.press("l")
        await guest.wait_for(lesson.about)
        await guest.press(*["down"] * LESSONS.index(lesson), "enter")
    assert app.return_value is lesson


def test_the_goal_is_not_repeated_without_end():
    texts = [tutor.text for tutor, match in round_of(LESSONS[0]) if match.turn == 0]
    assert 0 < texts.count(LESSONS[0].goal) <= MAX_GOAL_REPEATS


@pytest.mark.parametrize("family", [LayoutView, TrickView, ComboView, PatienceView])
def test_every_family_of_games_has_a_lesson(family):
    views = [next(round_of(lesson))[1].view(0).play for lesson in LESSONS]
    assert any(isinstance(view, family) for view in views)


async def test_a_lesson_that_is_left_asks_for_the_next_step():
    tutor = Tutor(LESSONS[0])
    async with app_host() as host, host.guest("ada", table_request=LESSONS[0].table, name="ada", tutor=tutor) as ada:
        await ada.wait_for("your turn")
        await ada.press("q")
        await ada.wait_for("what comes next?", "Go on with the lesson", "Now play: Draw", "Learn: All Fives")
        await ada.press("enter")
        await ada.wait_for("your turn")
        await ada.press("q", "down", "enter")
        await ada.until(lambda: ada.app._exit)
    assert tutor.next_activity.game == "draw"
    assert tutor.next_activity.players == 2


async def test_a_finished_lesson_offers_the_game_and_the_other_lessons():
    tutor = Tutor(LESSONS[0])
    async with app_host() as host, host.guest("ada", table_request=LESSONS[0].table, name="ada", tutor=tutor) as ada:
        await ada.until(lambda: ada.update)
        while not ada.update.match.play.result:
            await ada.until(lambda: ada.update.match.play.legal or ada.update.match.play.result)
            await ada.press("enter")
        await ada.wait_for("q ends the lesson", "Enter: deal the next round.")
        await ada.press("enter")
        await ada.wait_for("round 2", "your turn")
        await ada.press("q")
        await ada.wait_for("what comes next?", "Now play: Draw")
        await ada.press("down", "down", "enter")
        await ada.until(lambda: ada.app._exit)
    assert tutor.next_activity is LESSONS[1]


@ALL
def test_no_sentence_names_the_brightness_of_a_tile_which_depends_on_the_theme(lesson):
    assert not any(re.search(r"\b(bright|dark|light)\b", remark.text) for remark in lesson.remarks)


def test_following_enter_bids_names_trumps_and_plays_a_hand_of_forty_two():
    lesson = next(lesson for lesson in LESSONS if lesson.game == "forty-two")
    done = []
    match, choice, tutor = new_match(GAMES[lesson.game], lesson.players, lesson.options), None, Tutor(lesson)
    key = deal_key(hashlib.sha256(f"{lesson.seed} 0".encode()).digest(), (Share(),) * lesson.players)
    match, _events = match.deal(*deal_order(match.rules.tiles, lesson.players, key, 1))
    while match.turn != NOBODY:
        view = match.view(match.turn)
        action = BOTS["greedy"](view, Random(1))
        if match.turn == 0:
            choice = presenter_of(view.play).choose(view.play, choice)
            if proposed := tutor.take_proposal(view.play):
                choice = choice.with_action(proposed)
            action = choice.action
            done.append(type(action).__name__)
        match, _events = match.apply(action)
    assert done == ["Bid", "Name", *["Lay"] * 7]


@ALL
def test_an_instruction_is_gone_once_the_learner_has_followed_it(lesson):
    instruction = ""
    for tutor, match in round_of(lesson):
        if match.turn == 0:
            instruction = tutor.text
        elif match.turn > 0:
            assert tutor.text != instruction or not instruction


def test_the_table_keeps_its_place_while_others_play_in_a_lesson():
    rooms = [(match.turn, tutor.reserves_space) for tutor, match in round_of(LESSONS[0])]
    for (_turn, before), (turn, after) in pairwise(rooms):
        assert turn <= 0 or after >= before
