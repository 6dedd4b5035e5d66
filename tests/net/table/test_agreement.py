"""Taking back and hints: alone at once, among people by agreement; never past a revealed secret."""

import json
from collections import defaultdict
from random import Random

import pytest

from core.actions import Drew, MatchOver, TakenBack
from core.games import GAMES
from core.records import BackLine, EndLine, RecordError, referee
from net.client.verify_match import ObservedMatch, check_record, verify_record
from net.table.table import INSTANT, Pace
from net.wire.messages import (
    AllowHints,
    EndMatch,
    FillWithBots,
    Leave,
    MakeTable,
    Pause,
    Proposal,
    Ready,
    Recall,
    Record,
    Sit,
    TakeBack,
    Update,
    Watch,
)
from tests.net.party import Party

SLOW = Pace(think=1e6, draw=1e6, result=1e6, grace=1e6)


def seat_players(*names, game="draw", players=0, pace=INSTANT, **wish):
    """Seat guests 1, 2, … under `names` at a table that allows taking back, and bots on its other seats."""
    party = Party(pace)
    for number, name in enumerate(names, 1):
        party.come(number, name)
    players = players or len(names)
    wish = {"take_back": True, "bots": players - len(names)} | wish
    party.say(1, MakeTable(game, players, wish.pop("options", {}), **wish))
    for number in range(2, len(names) + 1):
        party.say(number, Sit(party.update(1).table.id))
    return party


def play_turns(party, *numbers):
    """Let these guests play; yield the guest who has just acted, and their choices."""
    for _ in range(1000):
        party.run()
        number = party.on_turn(*numbers)
        if number < 0:
            for guest in numbers:
                party.say(guest, Ready())
            continue
        legal = party.update(number).match.play.legal
        party.play(number)
        yield number, legal


def play_until_choice(party, *numbers):
    """Play until a guest has had a choice and the round goes on; return the guest and the action."""
    for number, legal in play_turns(party, *numbers):
        if len(legal) > 1 and party.get_table().recorded.turn >= 0 and not drawn_since(party):
            return number, legal[0]
    raise AssertionError("nobody ever had a choice")


def drawn_since(party):
    return isinstance(party.get_table().match.history[-1], Drew)


def all_except(guest, *guests):
    return [other for other in guests if other != guest]


def back_lines(party):
    return [step.line for step in steps_of(party) if isinstance(step.line, BackLine)]


def steps_of(party):
    """Return the referee's steps for the lines so far, which stop before the match is over."""
    lines = party.get_table().recorded.lines
    return [step for _line, step in zip(lines, referee(lines), strict=False)]


def test_a_player_alone_takes_back_a_choice_at_once_with_the_bots_answer():
    party = seat_players("ada", players=2)
    _, chosen = play_until_choice(party, 1)
    lines = party.get_table().recorded.lines
    party.run()
    assert len(party.get_table().recorded.lines) > len(lines), "the bot has moved"
    party.say(1, TakeBack(0))
    update = party.update(1)

    assert update.events == (TakenBack(0, chosen),)
    assert (update.match.play.turn, chosen in update.match.play.legal) == (0, True)
    assert update.match.history[0] == party.get_table().match.history[0], "all is told anew"
    assert len(update.match.history) == len(party.get_table().match.history)
    assert party.get_table().recorded.lines[: len(lines)] == lines, "no line was rewritten"
    assert [line.seat for line in back_lines(party)] == [0]


def test_two_actions_can_be_taken_back_one_after_the_other_on_a_bots_turn():
    party = seat_players("ada", players=2, game="block")
    choices_of_round = defaultdict(list)
    while not any(len(choices) == 2 for choices in choices_of_round.values()):
        _, action = play_until_choice(party, 1)
        choices_of_round[party.get_table().match.round].append(action)
    assert party.get_table().recorded.turn == 1
    for action in reversed(choices_of_round[party.get_table().match.round]):
        party.say(1, TakeBack(0))
        assert party.update(1).events == (TakenBack(0, action),)


def test_a_table_opened_without_taking_back_refuses_it():
    party = seat_players("ada", players=2, take_back=False)
    play_until_choice(party, 1)

    assert party.refusal(party.say(1, TakeBack(0))) == "This table was opened without taking back."
    assert not party.update(1).table.take_back


def test_spectators_can_neither_take_back_nor_agree():
    party = seat_players("ada", "bela")
    party.come(3, "chen")
    party.say(3, Watch(1))
    number, _ = play_until_choice(party, 1, 2)

    assert "You are watching" in party.refusal(party.say(3, TakeBack(-1)))
    party.say(number, TakeBack(number - 1))
    assert "You are watching" in party.refusal(party.say(3, TakeBack(number - 1)))
    assert not back_lines(party)


def test_taking_back_needs_a_match_and_a_running_table():
    party = seat_players("ada", players=2, bots=0)
    assert "No round" in party.refusal(party.say(1, TakeBack(0)))
    party.say(1, FillWithBots())
    play_until_choice(party, 1)
    party.say(1, Pause(True))

    assert party.refusal(party.say(1, TakeBack(0))) == "The table is paused."


# Among people


def test_taking_back_among_people_waits_until_all_players_have_agreed():
    party = seat_players("ada", "bela", "chen", game="block")
    number, chosen = play_until_choice(party, 1, 2, 3)
    first, second = all_except(number, 1, 2, 3)
    seat = number - 1
    match_before = party.get_table().match
    party.say(number, TakeBack(seat))
    for guest in (1, 2, 3):
        assert party.update(guest).wanted == Proposal(seat, chosen)
    assert party.get_table().match == match_before

    party.say(first, TakeBack(seat))
    assert party.update(second).wanted == Proposal(seat, chosen, (first - 1,))
    party.say(second, TakeBack(seat))
    for guest in (1, 2, 3):
        assert party.update(guest).events == (TakenBack(seat, chosen),)
        assert party.update(guest).wanted is None
    assert party.get_table().recorded.turn == seat


def test_a_later_move_of_another_person_is_undone_too_if_they_agree():
    party = seat_players("ada", "bela", game="block")
    while True:
        number, chosen = play_until_choice(party, 1, 2)
        (other,) = all_except(number, 1, 2)
        if party.on_turn(1, 2) == other:
            party.play(other)
            if party.get_table().recorded.turn >= 0:
                break
    party.say(number, TakeBack(number - 1))
    party.say(other, TakeBack(number - 1))

    assert party.update(other).events == (TakenBack(number - 1, chosen),)
    assert back_lines(party)[0].actions == 2


def test_a_proposal_lapses_when_anybody_plays():
    party = seat_players("ada", "bela", game="block")
    number, _ = play_until_choice(party, 1, 2)
    (other,) = all_except(number, 1, 2)
    party.say(number, TakeBack(number - 1))
    party.play(party.on_turn(1, 2))

    assert party.update(number).wanted is None
    assert "nothing left to agree to" in party.refusal(party.say(other, TakeBack(number - 1)))
    assert not back_lines(party)


def test_a_proposal_outlives_the_actions_of_bots():
    party = seat_players("ada", "bela", players=4, game="block")
    while True:
        number, chosen = play_until_choice(party, 1, 2)
        if party.get_table().seats.chairs[party.get_table().recorded.turn].bot:
            break
    (other,) = all_except(number, 1, 2)
    party.say(number, TakeBack(number - 1))
    line_count = len(party.get_table().recorded.lines)
    party.deliver(party.lobby.step(1))
    assert len(party.get_table().recorded.lines) > line_count
    party.say(other, TakeBack(number - 1))

    assert party.update(other).events == (TakenBack(number - 1, chosen),)
    assert back_lines(party)[0].actions == 2


def test_each_player_agrees_once_and_only_to_the_proposals_of_others():
    party = seat_players("ada", "bela", "chen", game="block")
    number, _ = play_until_choice(party, 1, 2, 3)
    first, _second = all_except(number, 1, 2, 3)
    party.say(number, TakeBack(number - 1))

    assert "have not all agreed" in party.refusal(party.say(number, TakeBack(number - 1)))
    party.say(first, TakeBack(number - 1))
    party.say(first, TakeBack(number - 1))
    assert party.update(first).wanted.agreed == (first - 1,)
    assert "answer that first" in party.refusal(party.say(first, TakeBack(first - 1)))
    for seat in (-1, 7):
        assert "nothing left to agree to" in party.refusal(party.say(first, TakeBack(seat)))
    assert not back_lines(party)


def test_absent_players_cannot_agree_and_a_proposal_lapses_when_a_player_leaves():
    party = seat_players("ada", "bela", "chen", game="block")
    number, _ = play_until_choice(party, 1, 2, 3)
    first, second = all_except(number, 1, 2, 3)
    party.say(number, TakeBack(number - 1))
    party.say(first, Leave())
    assert party.update(second).wanted is None

    assert "is away, and all players must agree" in party.refusal(party.say(number, TakeBack(number - 1)))
    party.say(first, Sit(1))
    party.say(number, TakeBack(number - 1))
    assert party.update(first).wanted is not None


def test_a_player_in_the_seat_of_a_bot_must_agree_as_well():
    party = seat_players("ada", players=2, game="block", pace=SLOW)
    party.come(2, "bela")
    while len(party.update(1).match.play.legal) < 2:
        if party.update(1).match.play.legal:
            party.play(1)
        else:
            party.time += 1e7  # until the bot moves
            party.deliver(party.lobby.step(1))
    party.play(1)
    party.say(2, Sit(1))
    party.say(1, TakeBack(0))

    assert party.update(2).wanted.seat == 0
    assert not back_lines(party)


# Hidden facts


def play_until_draw(party, *numbers):
    """Play until a guest draws after another had a choice in the same round; return both guests."""
    for number, _legal in play_turns(party, *numbers):
        past, history = party.get_table().match.past, party.get_table().match.history
        seats_with_choice = {state.turn for state, _action in past[:-1] if len(state.legal) > 1}
        if (
            party.get_table().recorded.turn >= 0
            and isinstance(history[-1], Drew)
            and number - 1 in seats_with_choice
            and len(seats_with_choice) > 1
        ):
            return number, next(seat + 1 for seat in seats_with_choice if seat != number - 1)
    raise AssertionError("nobody drew")


def test_after_a_draw_neither_the_drawer_nor_the_others_take_back():
    party = seat_players("ada", "bela")
    drawer, other = play_until_draw(party, 1, 2)

    assert party.refusal(party.say(drawer, TakeBack(drawer - 1))).startswith("You have drawn a tile since")
    assert "has drawn a tile since" in party.refusal(party.say(other, TakeBack(other - 1)))


def test_after_a_round_and_after_the_next_deal_nothing_can_be_taken_back():
    party = seat_players("ada", players=2, game="block")
    while party.get_table().recorded.turn >= 0:
        party.run()
        if party.on_turn(1) == 1:
            party.play(1)
    assert "hands are shown" in party.refusal(party.say(1, TakeBack(0)))
    party.say(1, Ready())
    party.run()

    assert "have not had a choice in this round" in party.refusal(party.say(1, TakeBack(0)))


# Time


def test_taking_back_does_not_give_back_the_time_that_was_spent():
    party = seat_players("ada", "bela", game="block", turn_time=600, match_time=3000)
    legal = ()
    while len(legal) < 2:
        number = party.on_turn(1, 2)
        legal = party.update(number).match.play.legal
        party.play(number)
    (other,) = all_except(number, 1, 2)
    assert party.on_turn(1, 2) == other
    turn_left = party.get_table().clock.ended_turns_left[number - 1]
    match_left = party.get_table().clock.match_left[number - 1]
    assert turn_left < 600
    party.time += 100
    party.say(number, TakeBack(number - 1))
    party.say(other, TakeBack(number - 1))
    times = party.update(number).times

    assert times.turn == pytest.approx(turn_left, abs=0.1)
    assert times.match[number - 1] == pytest.approx(match_left, abs=0.1)
    assert times.match[other - 1] < 2900, "the other's time ran meanwhile"


# The whole match


@pytest.mark.parametrize("game", ["draw", "all-fives", "chickenfoot", "jie-long", "forty-two", "moon", "tien-gow"])
def test_the_record_of_a_match_with_much_taking_back_equals_the_observations(game):
    players = GAMES[game].seats[0]
    rng = Random(game)
    party = seat_players("ada", "bela", players=players, game=game, options=shortest(game))
    observations, taken_back = {1: ObservedMatch(), 2: ObservedMatch()}, 0
    while not party.update(1).match.over:
        party.run()
        number = party.on_turn(1, 2)
        if number < 0:
            party.say(1, Ready())
            party.say(2, Ready())
            continue
        party.play(number, rng.choice)
        if rng.random() < 0.2:
            line_count = len(party.get_table().recorded.lines)
            party.say(number, TakeBack(number - 1))
            party.say(3 - number, TakeBack(number - 1))
            taken_back += len(party.get_table().recorded.lines) > line_count
        party.run()
    assert taken_back > 1
    lines = [line for part in party.say(1, Recall()) if isinstance(part, Record) for line in part.lines]
    for number, observed in observations.items():
        for message in party.received[number]:
            if isinstance(message, Update):
                observed.handle(message)
        assert observed.is_whole
        assert check_record(lines, None, observed).problem == ""
    assert sum(line.startswith('{"type":"back"') for line in lines) == taken_back


def shortest(game):
    """Return house rules for a match that is short, but has enough choices."""
    lengths = {
        option.key: min(option.choices)
        for option in GAMES[game].options
        if option.key in ("target", "mt.rounds", "sm.rounds", "jl.rounds")
    }
    return lengths | ({"tw.deal": "all"} if game == "tiddly-wink" else {})


# Hints


def test_hints_are_allowed_at_once_to_a_player_alone():
    party = seat_players("ada", players=3)
    party.say(1, AllowHints(0))

    assert party.update(1).table.hints
    assert party.update(1).wanted is None


def test_hints_need_no_consent_of_free_seats():
    party = seat_players("ada", players=2, bots=0)
    party.say(1, AllowHints(0))

    assert party.update(1).table.hints


def test_hints_among_people_are_allowed_to_all_once_all_players_have_agreed():
    party = seat_players("ada", "bela", "chen")
    party.say(1, AllowHints(0))
    assert party.update(2).wanted == Proposal(0, None)
    party.say(2, AllowHints(0))
    assert party.update(3).wanted == Proposal(0, None, (1,))
    assert not party.update(3).table.hints
    party.say(3, AllowHints(0))

    assert [party.update(number).table.hints for number in (1, 2, 3)] == [True] * 3
    assert party.update(1).wanted is None


def test_playing_on_is_no_consent_to_hints():
    party = seat_players("ada", "bela")
    number = party.on_turn(1, 2)
    party.say(number, AllowHints(number - 1))
    party.play(number)

    assert party.update(1).wanted is None
    assert not party.update(1).table.hints


def test_a_proposal_of_hints_cannot_be_accepted_by_taking_back():
    party = seat_players("ada", "bela")
    party.say(1, AllowHints(0))
    assert "nothing left to agree to" in party.refusal(party.say(2, TakeBack(0)))
    assert party.update(1).wanted == Proposal(0, None)


def test_hints_are_refused_to_spectators():
    party = seat_players("ada", "bela")
    party.come(3, "chen")
    party.say(3, Watch(party.update(1).table.id))

    assert "You are watching" in party.refusal(party.say(3, AllowHints(0)))


def test_hints_are_refused_while_a_player_is_away():
    party = seat_players("ada", "bela")
    party.say(2, Leave())

    assert "away" in party.refusal(party.say(1, AllowHints(0)))
    assert not party.update(1).table.hints


def test_hints_that_are_allowed_cannot_be_asked_for_again():
    party = seat_players("ada", "bela", hints=True)

    assert "already" in party.refusal(party.say(1, AllowHints(0)))


# Ending a match


def record_lines(party):
    """Return the record of the finished match."""
    messages = party.say(1, Recall())
    return [line for message in messages if isinstance(message, Record) for line in message.lines]


def end_line(party):
    """Return the end line of the record, all of whose lines a referee accepts."""
    steps = list(referee(record_lines(party)))
    (end,) = [step.line for step in steps if isinstance(step.line, EndLine)]
    return end


def test_a_match_ends_without_a_winner_when_all_agree_and_the_record_names_them():
    party = seat_players("ada", "bela", "chen", players=4)
    next(play_turns(party, 1, 2, 3))
    party.say(1, EndMatch())
    assert party.update(2).wanted == Proposal(0, None, ends=True)
    assert "not all agreed yet" in party.refusal(party.say(1, EndMatch()))
    assert "nothing left to agree to" in party.refusal(party.say(2, AllowHints(0)))
    party.say(2, EndMatch())
    assert party.update(3).wanted == Proposal(0, None, (1,), ends=True)
    party.say(3, EndMatch())

    update = party.update(1)
    assert update.events == (MatchOver((), unfinished=True, agreed=(0, 1, 2)),)
    assert (update.match.over, update.match.winners, update.match.agreed) == (True, (), (0, 1, 2))
    assert update.wanted is None
    end = end_line(party)
    assert (end.winners, end.unfinished, end.agreed) == ((), True, (0, 1, 2))
    for number in (1, 2, 3):
        party.say(number, Ready())
    assert (party.update(1).match.round, party.update(1).match.over) == (1, False)


@pytest.mark.parametrize("game", [game for game in GAMES if GAMES[game].seats[1] > 1])
def test_a_match_of_every_game_can_be_ended_and_its_record_is_right(game):
    party = seat_players("ada", "bela", game=game, players=max(2, GAMES[game].seats[0]))
    number, _legal = next(play_turns(party, 1, 2))
    party.say(number, EndMatch())
    party.say(3 - number, EndMatch())
    assert end_line(party).agreed == (0, 1)
    verdict = verify_record(record_lines(party), lambda _statement, _signature: "")
    assert (verdict.matches, verdict.agreed, verdict.unfinished) == (1, 1, 0)


def test_a_game_for_one_player_is_not_ended_by_agreement():
    party = seat_players("ada", game="patience", players=1)
    assert "You can end a match only" in party.refusal(party.say(1, EndMatch()))


def test_a_match_against_bots_ends_without_their_consent():
    party = seat_players("ada", players=3)
    party.say(1, EndMatch())
    assert end_line(party).agreed == (0,)


def test_a_match_ends_without_the_consent_of_a_player_who_has_left():
    party = seat_players("ada", "bela", pace=SLOW)
    party.say(2, Leave())
    party.say(1, EndMatch())
    assert end_line(party).agreed == (0,)


def test_a_player_of_two_resigns_and_the_other_wins():
    party = seat_players("ada", "bela")
    next(play_turns(party, 1, 2))
    party.say(2, EndMatch(resigns=True))

    update = party.update(1)
    assert update.events == (MatchOver((0,), unfinished=True, agreed=(1,)),)
    assert (update.match.over, update.match.winners) == (True, (0,))
    end = end_line(party)
    assert (end.winners, end.unfinished, end.agreed) == ((0,), True, (1,))
    verdict = verify_record(record_lines(party), lambda _statement, _signature: "")
    assert (verdict.matches, verdict.agreed, verdict.unfinished) == (1, 0, 0)


def test_partners_resign_together_and_the_other_side_is_not_asked():
    party = seat_players("ada", "bela", "chen", "dora", game="partners", players=4)
    next(play_turns(party, 1, 2, 3, 4))
    party.say(1, EndMatch(resigns=True))
    assert party.update(3).wanted == Proposal(0, None, ends=True, resigns=True)
    assert "answer that first" in party.refusal(party.say(2, EndMatch(resigns=True)))
    assert "answer that first" in party.refusal(party.say(3, EndMatch()))
    party.say(3, EndMatch(resigns=True))

    assert party.update(2).match.winners == (1,)
    assert end_line(party).agreed == (0, 2)


def test_a_player_whose_partner_is_a_bot_resigns_alone():
    party = seat_players("ada", "bela", game="partners", players=4)
    next(play_turns(party, 1, 2))
    party.say(1, EndMatch(resigns=True))

    assert party.update(2).match.winners == (1,)


@pytest.mark.parametrize(("game", "names"), [("draw", ("ada", "bela", "chen")), ("patience", ("ada",))])
def test_only_a_match_of_two_sides_can_be_resigned(game, names):
    party = seat_players(*names, game=game, players=len(names))
    assert "one of two sides" in party.refusal(party.say(1, EndMatch(resigns=True)))


@pytest.mark.parametrize(
    "changes",
    [{"winners": (1,)}, {"agreed": (0, 1)}, {"agreed": ()}, {"winners": (0, 1)}],
    ids=["the side that resigned wins", "both sides resigned", "nobody resigned", "both sides win"],
)
def test_a_record_in_which_a_resignation_is_changed_is_refused(changes):
    party = seat_players("ada", "bela")
    next(play_turns(party, 1, 2))
    party.say(2, EndMatch(resigns=True))
    lines = record_lines(party)
    end = next(number for number, line in enumerate(lines) if '"type":"end"' in line)
    lines[end] = json.dumps(json.loads(lines[end]) | changes, separators=(",", ":"))

    with pytest.raises(RecordError):
        list(referee(lines))


def test_a_spectator_ends_no_match():
    party = seat_players("ada", "bela")
    party.come(3, "chen")
    party.say(3, Watch(party.get_table().id))
    assert "Only seated players" in party.refusal(party.say(3, EndMatch()))


def test_a_match_is_not_ended_while_a_player_is_awaited():
    party = seat_players("ada", "bela", pace=SLOW)
    party.go(2)
    assert "is away" in party.refusal(party.say(1, EndMatch()))


def test_a_proposal_to_end_a_match_lapses_when_a_person_acts():
    party = seat_players("ada", "bela")
    party.run()
    number = party.on_turn(1, 2)
    party.say(number, EndMatch())
    party.play(number)
    assert party.update(1).wanted is None
    party.say(3 - number, EndMatch())
    assert party.update(1).wanted == Proposal(2 - number, None, ends=True)


def test_no_match_is_ended_before_it_begins():
    party = seat_players("ada", players=2, bots=0)
    assert party.refusal(party.say(1, EndMatch())) == "No match is being played."


def test_a_match_that_is_over_is_not_ended_again():
    party = seat_players("ada", players=2)
    party.say(1, EndMatch())
    assert party.refusal(party.say(1, EndMatch())) == "No match is being played."
