"""The conversation: messages of a host become sentences, and typed lines become messages to the host."""

import asyncio
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from core.actions import Draw, Drew, MatchOver, Passed, Play, Played, RoundOver, TakenBack
from core.layout.state import NOBODY
from core.tiles import tile
from core.words import words
from net.client.client import Disconnected, Reconnected, Verification
from net.limits import TABLES_PER_PAGE
from net.wire.messages import (
    PROTOCOL,
    Act,
    AllowHints,
    Browse,
    EndMatch,
    Enter,
    Entered,
    FillWithBots,
    Goodbye,
    Greeting,
    Leave,
    Left,
    MakeTable,
    Proposal,
    Ready,
    Refused,
    Said,
    Say,
    SeatInfo,
    Sit,
    TableInfo,
    Tables,
    TakeBack,
    Times,
    Watch,
)
from tests.tui.plain.talks import Talk
from tests.tui.solitaires import game_of
from tests.tui.tables import match_at, update_at

STRANGER = Greeting(PROTOCOL, "test", "ann", known=False)
FREE = TableInfo(7, "bela", "block", {}, (SeatInfo("bela"), SeatInfo()), 0, "waiting")
FULL = TableInfo(9, "chen", "draw", {}, (SeatInfo("chen"), SeatInfo("dora", away=True)), 0, "playing")
SECRET = replace(FREE, id=11, private=True)
TWO_WAYS = match_at((6, 1), "6|1 6|4 5|5", "0|0", boneyard="5|2")


def tables_message(*tables, **more):
    return Tables(tables, **{"total": len(tables), "open": len(tables), **more})


def guest_in_lobby(*tables):
    talk = Talk()
    talk.receive(STRANGER)
    talk.type("")
    talk.receive(Entered("ann"), tables_message(*tables))
    assert talk.sent == [Enter("ann")]
    return talk


def guest_at_table(match=TWO_WAYS, seat=0, **fields):
    talk = guest_in_lobby()
    talk.sentences = talk.receive(update_at(match, seat, **fields))
    return talk


# Entering


def test_a_stranger_is_asked_for_a_name_and_enter_takes_the_one_suggested():
    talk = Talk()
    asked = ["Welcome to Boneyard.", "What name will you play under?", "Press Enter for ann."]
    assert talk.receive(STRANGER) == asked
    talk.type("")
    assert talk.sent == [Enter("ann")]


def test_a_name_that_is_taken_is_asked_for_again():
    talk = Talk()
    talk.receive(STRANGER)
    talk.type("bela")
    taken = words("This name is taken.")
    sentences = ["This name is taken.", "What name will you play under?", "Press Enter for ann."]
    assert talk.receive(Refused(taken)) == sentences


def test_a_known_guest_is_not_asked():
    talk = Talk()
    talk.receive(Greeting(PROTOCOL, "test", "ann", known=True))
    assert talk.sent == [Enter("ann")]


def test_a_guest_without_a_key_reads_how_to_return_to_plain_lines():
    talk = Talk()
    talk.client.port, talk.client.places = 2222, (("192.0.2.7", 2222),)
    talk.receive(STRANGER)
    sentences = talk.receive(Entered("ann", "c0de"))
    assert sentences == ["Type this line to come back.", "ssh -p 2222 ann+c0de@192.0.2.7 plain"]


# The lobby


def test_the_lobby_lists_the_tables_with_the_numbers_of_their_links():
    talk = guest_in_lobby(FREE, FULL)
    assert "7. Block: bela, free; bela's table, waits for 1." in talk.all
    assert "9. Draw: chen, dora (away); chen's table, playing." in talk.all


def test_a_number_sits_down_and_watch_watches():
    talk = guest_in_lobby(FREE, FULL)
    talk.type("7")
    assert [type(message) for message in talk.sent] == [Sit]
    talk.type("watch 9")
    assert talk.sent == [Watch(9)]


def test_a_table_keeps_its_number_when_others_go():
    talk = guest_in_lobby(FREE, FULL)
    assert talk.receive(tables_message(FULL)) == ["Table 7 no longer exists."]
    talk.type("watch 9")
    assert talk.sent == [Watch(9)]


def test_many_tables_are_listed_a_page_at_a_time_on_request():
    talk = guest_in_lobby()
    page = tuple(replace(FREE, id=number) for number in range(1, TABLES_PER_PAGE + 1))
    sentences = talk.receive(tables_message(*page, total=120))
    assert sentences == [], "nobody asked for fifty lines"

    talk.type("")
    assert talk.all[-2] == "These are 1 to 50. Type “more” for the next."
    talk.type("more")
    assert talk.sent == [Browse(1)]
    sentences = talk.receive(tables_message(*(replace(FREE, id=60 + n) for n in range(50)), page=1, total=120))
    assert sentences[0] == "There are 120 tables."
    assert sentences[-2] == "These are 51 to 100. Type “more” for the next."
    talk.type("more")
    talk.receive(tables_message(FULL, page=2, total=101))
    talk.type("more")
    assert talk.sent == [Browse(2), Browse(0)], "and from the last one to the first again"
    talk.type("2")
    assert talk.sent == [Sit(2)], "what was told on another page can still be typed"


def test_tables_are_found_by_words_and_by_their_free_seats():
    talk = guest_in_lobby(FREE, FULL)
    talk.type("find block bela")
    assert talk.sent == [Browse(words="block bela")]
    assert talk.receive(tables_message(FREE, open=2))[:3] == [
        "You look for “block bela”. Type “find” alone to hear all tables.",
        "There is 1 table.",
        "7. Block: bela, free; bela's table, waits for 1.",
    ]
    assert talk.receive(tables_message()) == [], "it may only be no such table any more"
    talk.type("free", "find", "all")
    assert talk.sent == [Browse(words="block bela", free=True), Browse(free=True), Browse()]
    assert talk.receive(tables_message(FREE, FULL))[0] == "There are 2 tables."


def test_a_table_of_another_page_is_found_by_the_number_that_a_friend_names():
    talk = guest_in_lobby()
    talk.receive(tables_message(FREE, total=120, open=120))
    assert talk.type("57") == []
    assert talk.sent == [Browse(words="57")]
    talk.receive(tables_message(replace(FREE, id=57), open=120))
    talk.type("57")
    assert [message.table for message in talk.sent] == [57]


def test_only_changes_of_the_lobby_are_printed():
    talk = guest_in_lobby(FREE)
    assert talk.receive(tables_message(FREE)) == []
    assert talk.receive(tables_message(FREE, replace(FREE, id=8))) == [
        "New: table 8. Block: bela, free; bela's table, waits for 1."
    ]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("9", "Every seat at that table is taken; type “watch 9” to look on."),
        ("3", "There is no table 3. Type “help” to hear what you can type."),
        ("sit", "There is no table sit. Type “help” to hear what you can type."),
        ("watch", "There is no table ?. Type “help” to hear what you can type."),
    ],
)
def test_an_impossible_command_in_the_lobby_is_answered_in_a_sentence(line, sentence):
    talk = guest_in_lobby(FREE, FULL)
    assert talk.type(line) == [sentence]
    assert talk.sent == []


def test_a_private_table_asks_for_its_code():
    talk = guest_in_lobby(SECRET)
    assert talk.type("11") == ["That table is private. Type its code, or press Enter to go back."]
    talk.type("c0de")
    assert [(message.table, message.code) for message in talk.sent] == [(11, "c0de")]


def test_a_new_table_is_asked_for_question_by_question():
    talk = guest_in_lobby()
    talk.type("new", "block", "3", "1", "hard", "1", "yes", "")
    (made,) = talk.sent
    assert (made.game, made.players, made.bots, made.level, made.hints) == ("block", 3, 1, "hard", True)


def test_leave_leaves_the_host():
    talk = guest_in_lobby(FREE)
    talk.type("leave")
    assert talk.sent == [Goodbye()]


# The table


def test_on_the_players_turn_the_ends_the_hand_and_every_way_to_play_are_printed():
    assert guest_at_table().sentences == [
        "You are at the table. Type “help” to hear what you can type.",
        "It is your turn. Play a tile.",
        "Ends: a shows 6, b shows 1.",
        "Your hand: 6|1, 6|4, 5|5.",
        "1. Play 6|1 at a, on the 6.",
        "2. Play 6|1 at b, on the 1.",
        "3. Play 6|4 at a, on the 6.",
    ]


def test_a_number_plays_and_an_empty_line_repeats_the_question():
    talk = guest_at_table()
    assert talk.type("")[0] == "It is your turn. Play a tile."
    talk.type("3")
    assert talk.sent == [Act(7, TWO_WAYS.legal[2])]


def test_the_points_of_a_play_are_printed():
    talk = guest_at_table(match_at((5, 1), "5|4 6|5", "0|0", game="all-fives"))
    assert "1. Play 5|4 at a, on the 5. It scores 5." in talk.sentences


def test_if_nothing_fits_the_player_draws():
    talk = guest_at_table(match_at((6, 6), "4|1", "5|4", boneyard="5|5 3|2"))
    talk.type("draw")
    assert talk.sent == [Act(7, Draw())]


@pytest.mark.parametrize(("bot", "turn"), [("", ["bela is to play."]), ("easy", [])], ids=["person", "bot"])
def test_an_action_is_printed_and_the_next_turn_if_it_is_a_persons(bot, turn):
    seats = (SeatInfo("ada"), SeatInfo("bela", bot=bot))
    talk = guest_at_table(seats=seats)
    after = update_at(match_at((6, 4), "6|1", "0|0 1|1", boneyard="5|2", turn=1), 0, seats=seats)
    sentences = talk.receive(replace(after, number=8, events=(Played(0, tile("6|4"), 6, 4),)))
    assert sentences == ["You play 6|4 on the 6.", *turn]


def test_tiles_that_another_draws_are_counted_not_named():
    talk = guest_at_table(match_at((6, 1), "6|1", "0|0", boneyard="5|2", turn=1))
    after = update_at(match_at((6, 1), "6|1", "0|0", boneyard="5|2", turn=1))
    assert talk.receive(replace(after, events=(Drew(1, 2),))) == ["bela draws 2 tiles."]


def test_a_round_ends_with_its_result_and_enter_goes_on():
    over = match_at((6, 6), "4|1", "5|4", scores=(10, 20))
    talk = guest_at_table()
    sentences = talk.receive(update_at(over, events=(over.state.result,)))
    assert sentences == [
        "Blocked: the round is yours.",
        "You hold 4|1: 5 pips.",
        "bela holds 5|4: 9 pips.",
        "You count 9 from bela − 5 held = 4.",
        "Your score: 10 + 4 = 14.",
        "Score of bela: 20.",
        "Press Enter to go on.",
    ]
    talk.type("")
    assert talk.sent == [Ready()]


def test_a_latecomer_reads_the_result_too():
    over = match_at((6, 6), "4|1", "5|4")
    assert isinstance(over.state.result, RoundOver)
    assert "Blocked: the round is yours." in guest_at_table(over).sentences


def test_the_state_is_printed_at_any_time_on_request():
    talk = guest_at_table()
    assert talk.type("hand") == ["Your hand: 6|1, 6|4, 5|5."]
    assert talk.type("scores") == ["Round 2. Scores: ada 0, bela 0.", "The match ends at 100 points."]
    assert talk.type("who") == ["ada: at seat 1.", "bela: at seat 2."]
    assert talk.type("rules")[0] == "Draw."
    assert "Type the number of what you want to do." in talk.type("help")
    table = talk.type("table")
    assert "Ends: a shows 6, b shows 1." in table
    assert "1 tile is in the boneyard." in table
    assert table[-1] == "You hold 3 tiles, bela holds 1 tile."


def test_chat_at_the_table_is_printed_with_the_name_of_its_sender():
    talk = guest_at_table()
    assert talk.receive(Said("bela", 1, "hi")) == ["bela says: “hi”."]
    assert talk.receive(Said("", NOBODY, "We close.")) == ["*** The server says: “We close.”."]


def test_say_sends_chat_to_the_table():
    talk = guest_at_table()
    talk.type("say Hello there")
    assert talk.sent == [Say("Hello there")]


def guest_at_waiting_table():
    waiting = update_at(TWO_WAYS, 0, seats=(SeatInfo("ada"), SeatInfo()))
    talk = guest_in_lobby()
    talk.sentences = talk.receive(replace(waiting, match=None, table=replace(waiting.table, phase="waiting")))
    return talk


def test_fill_gives_the_free_seats_of_a_waiting_table_to_bots():
    talk = guest_at_waiting_table()
    assert "Waiting for 1 more player." in talk.sentences
    talk.type("fill")
    assert talk.sent == [FillWithBots()]


def test_arrivals_and_departures_are_printed():
    talk = guest_at_waiting_table()
    assert "bela sits down." in talk.receive(update_at(TWO_WAYS))
    away = update_at(TWO_WAYS, 0, seats=(SeatInfo("ada"), SeatInfo("bela", away=True)))
    assert "bela is away." in talk.receive(away)


def test_arrivals_and_departures_keep_the_question():
    talk = guest_at_table()
    away = update_at(TWO_WAYS, 0, seats=(SeatInfo("ada"), SeatInfo("bela", away=True)))
    assert talk.receive(away) == ["bela is away."]
    talk.type("3")
    assert talk.sent == [Act(7, TWO_WAYS.legal[2])]


OVER = replace(match_at((6, 6), "4|1", "5|4", scores=(99, 20)), over=True, winners=(0,))
ENDED = (OVER.state.result, MatchOver((0,)))


def test_the_end_of_a_match_is_printed_once():
    sentences = guest_at_table().receive(update_at(OVER, events=ENDED))
    assert sentences[0] == "You win the match!"
    assert sentences[-1] == "The match is over. Type “again” to play another match, or “leave”."
    assert sum("win the match" in line for line in sentences) == 1


def test_a_finished_game_for_one_player_is_repeated_or_taken_back():
    over = game_of("castle-rock", 2, gives_up=True)
    update = update_at(over, seats=(SeatInfo("ada"),))
    talk = guest_in_lobby()
    talk.receive(replace(update, table=replace(update.table, take_back=True)))

    assert talk.all[-2:] == [
        "Press Enter for a new deal, or type “same” for the same deal again, or “leave”.",
        "Type “back” to take back your last choice.",
    ]
    talk.type("same", "back", "")
    assert talk.sent == [Ready(same="deal"), Ready(same="choice"), Ready()]


def test_a_match_with_other_people_begins_only_with_again():
    talk = guest_at_table()
    talk.receive(update_at(OVER, events=ENDED))
    for line in ("", "1", "2"):
        assert talk.type(line) == ["The match is over. Type “again” to play another match, or “leave”."]
    assert talk.sent == []
    talk.type("again")
    assert isinstance(talk.sent[0], Ready)


def test_enter_begins_another_match_with_bots():
    talk = guest_at_table()
    seats = SeatInfo("ada"), SeatInfo("bot", bot="easy")
    sentences = talk.receive(update_at(OVER, seats=seats, events=ENDED))
    assert sentences[-1] == "The match is over. Press Enter to play another match, or type “leave”."
    talk.type("")
    assert isinstance(talk.sent[0], Ready)


def test_a_player_who_wants_another_match_reads_how_many_are_missing():
    talk = guest_at_table()
    seats = SeatInfo("ada"), SeatInfo("bela", away=True, left=True)
    sentences = talk.receive(update_at(OVER, seats=seats, events=ENDED, ready=(0,)))
    assert "Waiting for 1 more player." in sentences


def test_quick_sits_at_a_waiting_table():
    talk = guest_in_lobby(FREE)
    talk.type("quick")
    assert talk.sent == [Sit(FREE.id)]


def test_quick_opens_a_table_where_every_other_is_private_or_over():
    talk = guest_in_lobby(replace(FREE, private=True), replace(FREE, id=8, phase="over"))
    talk.type("quick")
    (table,) = talk.sent
    assert (table.game, table.players, table.bots) == ("draw", 2, 0)


def test_bots_opens_a_table_of_a_game_with_bots_at_all_other_seats():
    talk = guest_in_lobby()
    talk.type("bots no-such-game")
    assert talk.sent == []
    talk.type("bots forty-two")
    (table,) = talk.sent
    assert (table.game, table.players, table.bots) == ("forty-two", 4, 3)


def test_a_guest_with_one_seat_that_waits_is_back_at_the_table_at_once():
    away = replace(FREE, seats=(SeatInfo("bela"), SeatInfo("ann", away=True)), phase="playing")
    for tables, goes in (((away,), True), ((away, replace(away, id=8)), False)):
        talk = Talk()
        talk.receive(STRANGER)
        talk.type("")
        numbers = tuple(table.id for table in tables)
        talk.receive(Entered("ann"), replace(tables_message(*tables), yours=7, reserved=numbers))
        assert talk.sent == [Enter("ann"), *[Sit(7)] * goes]
    talk.type("watch 8")
    assert talk.sent == [Sit(8)]


def test_leaving_the_table_leads_to_the_lobby():
    talk = guest_at_table(seat=-1)
    talk.type("leave")
    assert talk.sent == [Leave()]
    sentences = talk.receive(tables_message(FREE), Left(words("The table was closed.")))
    assert sentences[:2] == ["The table was closed.", "You are in the lobby, as ann."]


def test_a_player_who_leaves_other_people_in_a_match_is_asked_first():
    talk = guest_at_table()
    asked = "Leave? A bot plays for you until you are back. Type “leave” again to leave, or anything else to stay."
    assert talk.type("leave") == [asked]
    talk.type("hand")
    assert talk.type("leave") == [asked]
    talk.type("leave")
    assert talk.sent == [Leave()]


def test_a_player_who_leaves_a_solo_match_that_will_be_lost_is_asked_first():
    talk = Talk(table_request=MakeTable("draw", 2), name="ann")
    talk.receive(STRANGER, Entered("ann"), update_at(TWO_WAYS))
    asked = ["Leave? The match will be lost. Type “leave” again to leave, or anything else to stay."]
    assert talk.type("leave") == asked
    assert talk.type("") != []
    assert Leave() not in talk.sent
    talk.type("leave", "leave")
    assert talk.sent == [Leave()]
    talk.receive(Left())
    assert talk.sent == [Goodbye()]


def test_a_player_reads_when_a_bot_will_play_for_a_lost_player():
    talk = guest_at_table()
    seats = SeatInfo("ann"), SeatInfo("bela", away=True, awaited=True)
    sentences = talk.receive(replace(update_at(TWO_WAYS, seats=seats), grace=(0.0, 29.8)))
    assert sentences == ["bela is away; in 30 seconds, a bot plays for them."]


def test_a_player_short_of_time_is_warned_once():
    now = [0.0]
    talk = Talk(clock=lambda: now[0])
    limited = update_at(TWO_WAYS, times=Times(True, 30.0, (0.0, 0.0)))
    limited = replace(limited, table=replace(limited.table, turn_time=30))
    sentences = talk.receive(STRANGER, Entered("ann"), tables_message(), limited)
    assert "You have 30 seconds." in sentences
    for now[0] in (10.0, 21.0, 22.0):
        talk.conversation.tick()
    assert talk.all[-1] == "9 seconds left, then a bot plays."
    assert talk.all.count(talk.all[-1]) == 1


@pytest.mark.parametrize(
    "line", ["\x1b[2J", "9" * 400, "say", "watch ١", "|", "64 64", "*", "None", "new ∞", "\u202e"]
)
def test_any_input_is_answered_and_the_next_line_can_be_taken(line):
    for talk in (
        guest_in_lobby(FREE),
        guest_at_table(),
        guest_at_table(seat=NOBODY),
        guest_at_table(match_at((6, 6), "4|1", "5|4")),
    ):
        assert talk.type(line)
        assert talk.type(line)
        assert talk.conversation.can_take("")


# Lines at the right time


def test_a_line_waits_for_the_hosts_answer_to_the_last_one():
    talk = guest_at_table()
    talk.type("3")
    assert not talk.conversation.can_take("1")
    talk.receive(update_at(TWO_WAYS))  # a spectator arrived
    assert not talk.conversation.can_take("1")
    talk.receive(replace(update_at(TWO_WAYS), events=(Played(0, tile("6|4"), 6, 4),)))
    assert talk.conversation.can_take("1")


def test_an_answer_from_a_pipe_waits_until_something_is_asked():
    talk = guest_at_table(match_at((6, 1), "6|1", "0|0", turn=1))
    assert not talk.conversation.can_take("1", piped=True)
    assert not talk.conversation.can_take("", piped=True)
    assert talk.conversation.can_take("leave", piped=True)
    assert talk.conversation.can_take("1")
    talk.receive(replace(update_at(TWO_WAYS), events=(Passed(1, "no_drawing"),)))
    assert talk.conversation.can_take("1", piped=True)


def test_no_line_is_taken_before_a_question():
    assert not Talk().conversation.can_take("ann")


# The connection, and the deals


def test_a_broken_connection_is_reported_once_and_the_question_is_repeated_after_it():
    talk = guest_at_table()
    assert talk.receive(Disconnected(), Disconnected()) == ["Connection lost. Reconnecting."]
    assert talk.type("1") == ["Connection lost. Reconnecting."]
    sentences = talk.receive(Reconnected(), update_at(TWO_WAYS))
    assert sentences[:2] == ["Connected again.", "It is your turn. Play a tile."]


def test_leaving_during_a_break_need_not_wait():
    talk = guest_at_table()
    talk.receive(Disconnected())
    talk.type("leave")
    assert talk.conversation.has_left


def test_the_check_of_the_deals_is_printed():
    assert guest_at_table().receive(Verification()) == [
        "Every deal matches what the server and players committed to."
    ]


# Taking back


@pytest.mark.parametrize("line", ["back", "take back", "Take Back", "u"])
def test_back_asks_the_host_to_take_back_the_players_last_choice(line):
    talk = guest_at_table()
    talk.type(line)

    assert talk.sent == [TakeBack(0)]


def test_taking_back_is_printed_and_the_player_asked_anew():
    talk = guest_at_table()
    sentences = talk.receive(update_at(TWO_WAYS, events=(TakenBack(0, Play(tile("6|4"), 0, 0, 4)),)))

    assert sentences[0] == "You take back 6|4."
    assert sentences[1].startswith("It is your turn.")


def test_a_player_who_is_asked_to_agree_types_back_or_anything_else():
    talk = guest_at_table(TWO_WAYS, 1)
    wanted = Proposal(0, Play(tile("6|4"), 0, 0, 4))
    sentences = talk.receive(replace(update_at(TWO_WAYS, 1, wanted=wanted), number=8))
    assert sentences == ["ada would like to take back 6|4.", "Type “back” to agree."]
    assert talk.receive(replace(update_at(TWO_WAYS, 1, wanted=wanted), number=9)) == []
    talk.type("back")
    assert talk.sent == [TakeBack(0)]


def test_a_player_who_is_asked_for_hints_types_hint_to_agree():
    talk = guest_at_table(TWO_WAYS, 1)
    sentences = talk.receive(replace(update_at(TWO_WAYS, 1, wanted=Proposal(0, None)), number=8))
    assert sentences == ["ada would like hints to be allowed.", "Type “hint” to agree."]
    talk.type("hint")
    assert talk.sent == [AllowHints(0)]


def test_a_player_who_waits_for_consent_may_still_play():
    talk = guest_at_table()
    talk.type("back")
    assert not talk.conversation.can_take("1")
    sentences = talk.receive(replace(update_at(TWO_WAYS, wanted=Proposal(0, Play(tile("6|4"), 0, 0, 4))), number=8))

    assert sentences == ["You would like to take back 6|4; all others must agree."]
    assert talk.conversation.can_take("1")


def test_at_a_paused_table_a_piped_line_does_not_wait_for_a_question():
    talk = guest_at_table(seat=1)
    assert not talk.conversation.can_take("1", piped=True), "another player is on turn"
    talk.type("pause")
    update = update_at(TWO_WAYS, 1)
    talk.receive(replace(update, table=replace(update.table, phase="paused")))

    assert talk.conversation.can_take("1", piped=True)
    assert talk.type("1") == [
        "The table is paused. Type “resume” to let the table go on. Type “help” to hear what you can type."
    ]


def test_input_during_the_turn_of_another_is_answered_with_their_name():
    talk = guest_at_table(seat=1)

    assert talk.type("1") == ["ada is to play. Type “help” to hear what you can type."]


def test_a_number_beyond_the_options_is_refused_with_their_range():
    assert guest_at_table().type("99") == [f"Type a number from 1 to {len(TWO_WAYS.legal)}, or “help”."]


def test_after_a_round_a_number_continues_and_any_other_word_is_explained():
    talk = guest_at_table(match_at((6, 1), "", "5|4"))
    assert talk.type("what") == ["Press Enter to go on."]
    assert talk.sent == []
    talk.type("1")
    assert talk.sent == [Ready("")]


async def test_a_hint_that_comes_after_its_table_was_left_is_dropped():
    thought = asyncio.get_running_loop().create_future()
    talk = Talk(thinkers=SimpleNamespace(ask=lambda _asked: thought))
    talk.receive(STRANGER)
    talk.type("")
    update = update_at(TWO_WAYS, 0)
    talk.receive(Entered("ann"), tables_message(), replace(update, table=replace(update.table, hints=True)))
    talk.type("hint", "leave")
    assert talk.conversation._table.is_thinking
    talk.receive(Left(None))
    before = list(talk.all)
    if not thought.cancelled():
        thought.set_result(None)
    await asyncio.sleep(0)

    assert talk.all == before


def test_the_end_of_a_match_is_proposed_by_typing_end_twice_and_agreed_to_once():
    talk = guest_at_table()
    assert talk.type("end") == ["Type “end” again to end the match, if all agree; nobody wins then."]
    assert talk.sent == []
    talk.type("hand", "end")
    assert talk.sent == []
    talk.type("end")
    assert talk.sent == [EndMatch()]
    wanted = Proposal(1, None, ends=True)
    sentences = talk.receive(replace(update_at(TWO_WAYS, wanted=wanted), number=9))
    assert sentences == ["bela would like to end the match without a winner.", "Type “end” to agree."]
    talk.type("end")
    assert talk.sent == [EndMatch()]


def test_a_match_is_resigned_by_typing_resign_twice():
    talk = guest_at_table()
    assert talk.type("resign") == ["Type “resign” again to resign; the other side wins then."]
    talk.type("end")
    assert talk.sent == []
    talk.type("resign", "resign")
    assert talk.sent == [EndMatch(resigns=True)]


def test_the_partner_alone_is_asked_whether_to_resign():
    match = match_at((6, 1), "6|4", "0|0", "1|0", "2|0", game="partners")
    partner, opponent = ask_to_resign(match, 0), ask_to_resign(match, 1)

    assert partner == ["chen would like to resign.", "Type “resign” to agree."]
    assert opponent == []


def ask_to_resign(match, seat):
    """Return the sentences that a seat receives when seat 2 proposes to resign."""
    talk = guest_at_table(match, seat)
    wanted = Proposal(2, None, ends=True, resigns=True)
    return talk.receive(replace(update_at(match, seat, wanted=wanted), number=9))


def test_a_player_confirms_to_resign_also_while_the_other_side_considers_it():
    match = match_at((6, 1), "6|4", "0|0", "1|0", "2|0", game="partners")
    talk = guest_at_table(match, 1)
    wanted = Proposal(2, None, ends=True, resigns=True)
    talk.receive(replace(update_at(match, 1, wanted=wanted), number=9))

    assert talk.type("resign") == ["Type “resign” again to resign; the other side wins then."]
    assert talk.sent == []
