"""Taking back: to the last choice of a seat, unless somebody has seen a hidden tile since."""

from random import Random

import pytest
from msgspec.structs import replace

from core.actions import Drew, TakenBack
from core.bots.levels import random_bot
from core.fair import deal_order
from core.games import GAMES
from core.match import MOST_ACTIONS, new_match, take_back, undone_count
from core.records import BackLine, RecordError, referee, write
from core.tiles import tile
from core.words import Illegal
from tests.taken_back import record
from tests.tui.tables import match_at


def begun(game, seed=0):
    """Return the first round of a match."""
    variant = GAMES[game]
    players = variant.seats[0]
    match = new_match(variant, players, {})
    while match.turn < 0:  # no seat could lead
        order, lot = deal_order(match.rules.tiles, players, b"%d" % seed, match.deals + 1)
        match, _ = match.deal(order, lot)
    return match


def played(match, *actions):
    for action in actions:
        match, _ = match.apply(action)
    return match


def same(match):
    """Return a match without its number of actions, which never decreases."""
    return replace(match, actions=0, past=()), [(before.state, action) for before, action in match.past]


def reason(match, seat, people=()):
    with pytest.raises(Illegal) as refused:
        take_back(match, seat, people)
    return str(refused.value)


@pytest.mark.parametrize("game", GAMES)
def test_taking_back_and_repeating_an_action_gives_the_same_state(game):
    rng, went_back = Random(game), 0
    for seed in range(12):
        if went_back > 30:
            break
        match = begun(game, seed)
        while match.turn >= 0:
            match, _ = match.apply(random_bot(match.view(match.turn), rng))
            for seat in range(match.rules.seats):
                try:
                    back, events = take_back(match, seat, ())
                except Illegal:
                    continue
                went_back += 1
                since = match.past[-undone_count(match, back) :]
                assert events == (TakenBack(seat, since[0][1]),)
                assert same(back) == same(replace(since[0][0], past=match.past[: len(back.past)]))
                assert (back.turn, len(back.legal) > 1) == (seat, True)
                assert same(played(back, *(action for _before, action in since))) == same(match)
    assert went_back > 10


LINE = match_at((6, 1), "6|1 6|4 5|5", "4|2 3|0 1|2", boneyard="2|2")
"""Seat 0 may lay 6|1 at both ends, or 6|4."""


def drew(match, seat):
    """Return the same moment after this seat has drawn."""
    return replace(match, history=(*match.history, Drew(seat, 1)))


def test_taking_back_returns_the_tile_to_the_hand_and_the_turn_to_the_seat():
    match = played(LINE, next(action for action in LINE.legal if action.tile == tile("6|4")))
    back, (event,) = take_back(match, 0, (0, 1))

    assert same(back) == same(LINE)
    assert event.seat == 0
    assert event.action.tile == tile("6|4")


def test_the_number_of_actions_goes_on_so_that_a_record_cannot_grow_without_end():
    match = played(LINE, LINE.legal[0])
    back, _ = take_back(match, 0, ())

    assert back.actions == match.actions + 1
    assert "too long" in reason(replace(match, actions=MOST_ACTIONS), 0)


def test_later_actions_of_bots_are_undone_too():
    match = played(LINE, LINE.legal[0])
    match = played(match, match.legal[0])

    assert undone_count(match, take_back(match, 0, (0,))[0]) == 2


def test_a_player_who_has_drawn_since_cannot_take_back():
    match = played(LINE, LINE.legal[0])

    assert reason(drew(match, 0), 0) == "You have drawn a tile since; your choice cannot be taken back."


def test_a_draw_of_another_person_prevents_taking_back_but_not_one_of_a_bot():
    match = drew(played(LINE, LINE.legal[0]), 1)

    assert "1 has drawn a tile since" in reason(match, 0, people=(0, 1))
    assert take_back(match, 0, people=(0,))[0].state == LINE.state


def test_a_player_without_a_choice_so_far_has_nothing_to_take_back():
    match = played(LINE, LINE.legal[0])

    assert "have not had a choice" in reason(LINE, 0)
    assert "have not had a choice" in reason(match, 1)
    assert "have not had a choice" in reason(match, -1), "nor has who looks on"
    assert "have not had a choice" in reason(match, 99)


def test_taking_back_skips_forced_actions_and_returns_to_the_choice_before():
    match = match_at((6, 1), "6|4 1|2 5|5", "4|3 3|3", boneyard="2|2")
    match = played(match, next(action for action in match.legal if action.tile == tile("6|4")))
    match = played(match, *match.legal)
    (forced,) = match.legal
    match = played(match, forced)
    back, (event,) = take_back(match, 0, ())

    assert forced.tile == tile("1|2")
    assert (event.action.tile, undone_count(match, back)) == (tile("6|4"), 3)


def test_taking_back_is_illegal_once_hands_are_revealed_or_tiles_are_dealt():
    match, rng = begun("block"), Random(1)
    while match.turn >= 0:
        match, _ = match.apply(random_bot(match.view(match.turn), rng))

    assert "hands are shown" in reason(match, 0)
    match, _ = match.deal(*deal_order(match.rules.tiles, 2, b"next", 2))
    assert "have not had a choice" in reason(match, match.turn)
    assert "hands are shown" in reason(new_match(GAMES["block"], 2, {}), 0)


def test_a_trick_that_was_taken_is_open_again():
    match, rng = begun("forty-two", 2), Random(3)
    while len(getattr(match.state, "tricks", ())) < 1:
        before = match
        match, _ = match.apply(random_bot(match.view(match.turn), rng))
    back, _ = take_back(match, next(before.turn for before, _ in reversed(match.past) if len(before.legal) > 1), ())

    assert len(before.state.trick) == 3
    assert not match.state.trick
    assert not back.state.tricks
    assert sum(map(len, back.state.hands)) + len(back.state.trick) == 28


# Records


@pytest.mark.parametrize("game", GAMES)
def test_the_referee_follows_a_record_with_taking_back_to_the_end(game):
    lines = record(game)
    steps = list(referee(lines))

    assert sum(isinstance(step.line, BackLine) for step in steps) > 0
    assert len(steps) == len(lines)
    assert steps[-1].match.over


@pytest.mark.parametrize("wrong", ["seat", "actions", "scores"])
def test_a_referee_refuses_a_line_that_takes_back_another_action(wrong):
    lines = record("all-fives")
    at = next(n for n, step in enumerate(referee(lines)) if isinstance(step.line, BackLine))
    line = list(referee(lines))[at].line
    others = {"seat": 1 - line.seat, "actions": line.actions + 1, "scores": (99, 99)}
    lines[at] = write(replace(line, **{wrong: others[wrong]}))

    with pytest.raises(RecordError) as refused:
        list(referee(lines))
    assert refused.value.line == at + 1


@pytest.mark.parametrize("seat", [-1, 2, 10**9])
def test_a_referee_refuses_seats_that_do_not_exist(seat):
    lines = record("block")
    lines.insert(2, write(BackLine(seat, 1, (0, 0))))

    with pytest.raises(RecordError, match="have not had a choice"):
        list(referee(lines))


def test_a_referee_refuses_to_take_back_the_draw_of_a_person():
    lines = record("draw")
    steps = list(referee(lines))
    at = next(
        n
        for n, step in enumerate(steps)
        if any(isinstance(event, Drew) for event in step.events)
        and any(len(b.legal) > 1 and b.turn == step.line.seat for b, _ in step.match.past)
    )
    seat = steps[at].line.seat
    lines.insert(at + 1, write(BackLine(seat, 1, steps[at].match.scores)))

    with pytest.raises(RecordError, match="drawn a tile since"):
        list(referee(lines))
