"""A playback: its steps, its position, the seat whose hand is shown, and the duration of each step."""

import re

import pytest
from msgspec.structs import replace

from core.bots.levels import play_match
from core.games import GAMES
from core.layout.state import NOBODY
from core.match import new_match
from core.records import ActionLine, BackLine, DealLine, referee
from core.tiles import Tile
from tests.taken_back import record
from tests.tui.tables import DARK, PLAIN
from tui.draw.replay import draw_replay, hand_words, place_words
from tui.model.playback import ALL, ON_TURN, SPEEDS, Playback, Recording
from tui.plain.replay import event_lines
from tui.records.export import replay_lines


def steps(game="draw", seed=b"1"):
    return list(play_match(new_match(GAMES[game], 2, {"target": 50}), ("greedy",) * 2, seed, "test"))


def tiles_in(band):
    """Return the tiles of a hand in ASCII, whose halves stand one above the other."""
    numbers = [int(match) for match in re.findall(r"\[ ?(\d) ?\]", band)]
    return {Tile(*sorted(pair)) for pair in zip(numbers, numbers[len(numbers) // 2 :], strict=False)}


@pytest.fixture
def playback():
    return Playback(Recording(steps()))


def test_deals_and_actions_are_steps_with_their_events(playback):
    numbers = [step.number for step in steps() if isinstance(step.line, DealLine | ActionLine)]

    assert [frame.step.number for frame in playback.recording.frames] == numbers
    assert playback.go(len(numbers)).frame.match.over


def test_taking_back_is_shown_and_told():
    played_back = Recording(referee(record("all-fives")))
    at = next(n for n, frame in enumerate(played_back.frames) if isinstance(frame.step.line, BackLine))
    line, frame = played_back.frames[at].step.line, played_back.frames[at]

    assert frame.match.state == played_back.frames[at - line.actions - 1].match.state
    assert frame.moves == played_back.frames[at - 1].moves + 1
    assert any(sentence.startswith(f"{frame.names[line.seat]} takes back ") for sentence in event_lines([frame]))
    text = "\n".join(replay_lines(Playback(played_back), PLAIN))
    assert text.count(" takes back ") == sum(
        isinstance(played_frame.step.line, BackLine) for played_frame in played_back.frames
    )


def test_moves_are_counted_in_their_round_and_rounds_in_their_match():
    recording = Recording([*steps(), *steps(seed=b"2")])
    first, last = Playback(recording), Playback(recording).go(10_000)
    rounds = max(step.match.round for step in steps())

    assert place_words(first).startswith(f"match 1/2, round 1/{rounds} · move 0/")
    assert first.step(3).frame.moves == 3
    assert first.round(1).frame.moves == 0
    assert first.round(1).frame.match.round == 2
    assert place_words(last).startswith("match 2/2, ")
    assert last.frame.moves == recording.move_count(last.frame)


def test_a_round_back_is_the_deal_of_this_one_and_then_of_the_one_before(playback):
    second = playback.round(1)

    assert second.step(2).round(-1) == second
    assert second.round(-1) == playback
    assert playback.round(-1) == playback


def test_the_visible_hand_is_the_players_then_each_seats_then_all_then_none(playback):
    order = [playback]
    for _ in range(5):
        order.append(order[-1].next_hand())

    assert [view.open_hand for view in order] == [ON_TURN, 0, 1, ALL, NOBODY, ON_TURN]
    assert [view.seat for view in order] == [playback.frame.match.turn, 0, 1, NOBODY, NOBODY, order[0].seat]
    assert hand_words(order[1]) == "greedy 1's hand"


def test_facts_hidden_from_the_shown_seat_are_not_on_the_screen(playback):
    moment = playback.step(2).next_hand()
    seen_hand, hidden = (moment.frame.match.state.hands[seat] for seat in (0, 1))
    band = "".join(str(draw_replay(moment, 80, 24, PLAIN)).splitlines()[-7:])

    assert "greedy 1's hand" in band
    for hand, seen in ((seen_hand, True), (hidden, False)):
        assert all((tile in tiles_in(band)) == seen for tile in hand)


def test_a_replay_stops_at_the_end_and_then_begins_again(playback):
    last = playback.toggle_play().go(10_000)

    assert (last.is_playing, last.is_at_end) == (False, True)
    assert last.toggle_play() == playback.toggle_play()


def test_a_step_by_hand_pauses_and_a_jump_does_not(playback):
    assert not playback.toggle_play().step(1).is_playing
    assert playback.toggle_play().round(1).is_playing


def test_twice_the_speed_takes_half_the_time(playback):
    assert playback.speed == 1
    assert playback.change_speed(1).seconds == playback.seconds / 2


def test_the_speed_stays_between_the_slowest_and_the_fastest(playback):
    assert playback.change_speed(9).speed == SPEEDS[-1]
    assert playback.change_speed(-9).speed == SPEEDS[0]


def test_a_name_that_cannot_be_shown_becomes_a_question_mark():
    first, *others = steps()
    seats = tuple(
        replace(seat, name=name) for seat, name in zip(first.line.seats, ("\u202e", "a\x1bda"), strict=True)
    )
    recording = Recording([replace(first, line=replace(first.line, seats=seats)), *others])

    assert recording.frames[0].names == ("?", "ada")


@pytest.mark.parametrize("look", [PLAIN, DARK])
@pytest.mark.parametrize(("game", "players"), [("mexican-train", 4), ("draw", 2), ("chickenfoot", 8)])
def test_no_tile_of_all_hands_is_left_out_where_they_have_room(game, players, look):
    match = new_match(GAMES[game], players, {})
    moment = replace(Playback(Recording(play_match(match, ("greedy",) * players, b"1", "test"))), open_hand=ALL)
    text = str(draw_replay(moment, 80, 24, look))
    band = "\n".join(text.splitlines()[-14:])

    for hand in moment.frame.match.state.hands:
        for tile in hand:
            assert re.search(rf"[\[▐] *{tile.high} *[|│] *{tile.low} *[\]▌]", band) or (
                look is DARK and game == "draw"
            )
