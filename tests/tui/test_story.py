"""The story: events in sentences, with the reason."""

import pytest
from msgspec.structs import replace

from core.actions import (
    Bid,
    Claim,
    Dealt,
    Drew,
    Lay,
    Led,
    MatchOver,
    Name,
    Pass,
    Passed,
    Play,
    Played,
    PutDown,
    RoundOver,
    Scored,
    Shed,
    Silent,
    TakenBack,
    Term,
    Tucked,
)
from core.layout.state import PlacedTile
from core.tiles import STAR, hand, in_order, tile
from net.client.client import Client
from net.wire.link import memory_pair
from tests.core.positions import position, rules
from tests.tui.tables import DARK, match_at, update_at
from tui.screens.table import TableScreen
from tui.text.headlines import side_name
from tui.text.notices import TALK_EVENTS, Story, unseen_events

NAMES = ("ada", "bela", "chen")
VIEW = rules("draw", 3).view(replace(position(rules("draw", 3), (6, 4), "1|0", "2|0", "3|0"), layout=()), 0)


def sentences(*events, you=0, names=NAMES):
    story = Story()
    story.add_events(events, names, you, len(names), VIEW)
    return story.lines


@pytest.mark.parametrize(
    ("events", "lines"),
    [
        ([Dealt(2)], ["Round 2 is dealt."]),
        ([Led(1, tile("6|6"), "double")], ["bela leads 6|6, the highest double."]),
        ([Led(0, tile("6|5"), "heaviest")], ["You lead 6|5, the heaviest tile."]),
        ([Played(1, tile("6|4"), 6, 4)], ["bela plays 6|4 on the 6."]),
        ([Played(0, tile("6|4"), 6, 4)], ["You play 6|4 on the 6."]),
        ([Led(1, tile("6|1"), "lot", 1)], ["bela leads 6|1, chosen by lot, open at the 1."]),
        ([Led(0, tile("6|6"), "winner", 6)], ["You lead 6|6, as winner of the last round."]),
        ([PutDown(1)], ["bela lays a tile face down: nothing fits."]),
        ([PutDown(0, tile("5|4"))], ["Nothing fits: you lay 5|4 face down."]),
        ([Tucked(1, tile("5|4"))], ["bela turns over 5|4, which does not fit."]),
        ([Tucked(0, tile("5|4"))], ["You turn over 5|4: it goes to the end of your row."]),
        ([TakenBack(1, Shed(STAR))], ["bela takes back a tile laid face down."]),
        ([RoundOver("all_laid", 1, ((),) * 3, ((),) * 3)], ["All tiles are laid: bela wins the round."]),
        ([RoundOver("all_laid", 0, ((),) * 3, ((),) * 3)], ["All tiles are laid: the round is yours."]),
        ([Drew(1, 1)], ["bela draws 1 tile."]),
        ([Drew(1, 3)], ["bela draws 3 tiles."]),
        ([Drew(0, 2, in_order("5|5 6|4"))], ["Nothing fits: you draw 5|5 6|4."]),
        ([Drew(0, 1, in_order("5|5"), forced=False)], ["You draw 5|5."]),
        ([RoundOver("fish", 1, ((),) * 3, ((),) * 3)], ["Fish: bela wins the round."]),
        ([RoundOver("fish", 0, ((),) * 3, ((),) * 3)], ["Fish: the round is yours."]),
        ([RoundOver("fish", 0, ((),) * 3, ((),) * 3, (0, 2))], ["Fish: you share the round with chen."]),
        (
            [RoundOver("eggs", -1, ((),) * 3, ((),) * 3, (0, 1), carry=(40, -1, 0, 0))],
            ["Eggs: both sides tie, and 40 pips wait for whoever loses next."],
        ),
        (
            [RoundOver("fish", 0, ((),) * 3, ((), (Term("pips", 1, 9), Term("waits", -1, -9)), ()))],
            ["Fish: the round is yours. 9 hang for bela."],
        ),
        ([MatchOver((0,), losers=(1,), called="goat")], ["You win the match! The goat is bela."]),
        (
            [MatchOver((0,), losers=(1, 2), called="sea_goat")],
            ["You win the match! The sea goats are bela & chen."],
        ),
        ([MatchOver((0,), losers=(1,), called="donkey")], ["You win the match!"]),
        ([Passed(1, "enough")], ["bela passes: one double is enough."]),
        ([Scored(1, 10, (4, 6), reason="telefon")], ["Telefon! bela scores 10: 4 + 6 = 10."]),
        ([Scored(0, 5, (4, 1), reason="telefon")], ["Telefon! You score 5: 4 + 1 = 5."]),
        ([Scored(1, 20, reason="any_pass")], ["A pass: bela scores 20."]),
        ([Scored(0, 20, reason="any_pass")], ["A pass: you score 20."]),
        ([Scored(1, 30, reason="galo")], ["Galo! bela scores 30 more."]),
        ([Scored(0, 30, reason="galo")], ["Galo! You score 30 more."]),
        ([Scored(1, 50, reason="doubles")], ["bela was dealt five doubles or more and scores 50."]),
        ([Scored(0, 50, reason="doubles")], ["You were dealt five doubles or more: you score 50."]),
        ([Passed(1, "no_lead")], ["bela passes: no double to lead."]),
        ([Led(1, tile("2|2"), "own_double")], ["bela leads 2|2, as a double must lead."]),
        ([Scored(1, 3, reason="equal_ends")], ["Equal ends: bela scores 3."]),
        ([Scored(0, 2, reason="equal_ends")], ["Equal ends: you score 2."]),
        ([Led(1, tile("0|0"), "lowest_double")], ["bela leads 0|0, the lowest double."]),
        ([Led(1, tile("3|2"), "first_tile")], ["bela leads 3|2, as that tile leads first."]),
        ([Led(0, tile("1|0"), "lightest")], ["You lead 1|0, the lightest tile."]),
        ([RoundOver("gaple", 1, (hand("6|5"), hand("1|0"), ()), ((), (), ()))], ["Gaple: bela wins the round."]),
        ([RoundOver("gaple", 0, ((),) * 3, ((),) * 3)], ["Gaple: the round is yours."]),
        ([RoundOver("gaple", 2, ((),) * 3, ((),) * 3, (0, 2))], ["Gaple: you share the round with chen."]),
        (
            [RoundOver("doubles", -1, (hand("6|5"), hand("1|1 2|2"), hand("3|3")), ((),) * 3)],
            ["bela holds 2 doubles: the tiles are dealt again."],
        ),
        (
            [RoundOver("doubles", -1, (hand("1|1 2|2"), hand("6|5"), hand("3|3")), ((),) * 3)],
            ["You hold 2 doubles: the tiles are dealt again."],
        ),
        (
            [RoundOver("alike", -1, (hand("6|5"), hand("1|0"), hand("4|1 4|4")), ((),) * 3)],
            ["chen holds 2 tiles with 4: the tiles are dealt again."],
        ),
        (
            [RoundOver("alike", -1, (hand("4|1 4|4"), hand("1|0"), hand("6|5")), ((),) * 3)],
            ["You hold 2 tiles with 4: the tiles are dealt again."],
        ),
        ([RoundOver("redeal", -1, ((),) * 3, ((),) * 3)], ["Nobody could lead: the tiles are dealt again."]),
        ([Passed(1, "empty")], ["bela passes: the boneyard is empty."]),
        ([Passed(0, "no_drawing")], ["You pass: nothing fits."]),
        (
            [Drew(1, 1), Passed(1, "limit", opened=True)],
            ["bela draws 1 and passes: no more draws this turn. That train is open to all."],
        ),
        ([Led(1, tile("9|9"), "found")], ["bela leads 9|9, the centre of this round, found at last."]),
        ([Played(1, tile("7|*"), 7, 3)], ["bela plays 7|* as 7|3 on the 7."]),
        ([Played(1, tile("2|*"), 7, 2)], ["bela plays 2|* on the 7."]),
        ([Played(1, tile("*"), 7, 0)], ["bela plays a wildstar as 7|0 on the 7."]),
        ([Played(1, tile("*"), 7, -1)], ["bela plays a wildstar on the 7."]),
        ([Played(1, tile("6|4"), -1, 4)], ["bela plays 6|4 on the wild end."]),
        ([Scored(1, 10, (5, 5))], ["bela scores 10: 5 + 5 = 10."]),
        ([Scored(0, 10, (5, 5))], ["You score 10: 5 + 5 = 10."]),
        ([Scored(1, 10, (5, 5), snatched=True)], ["Muggins! bela takes 10 (5 + 5 = 10)."]),
        ([Scored(1, 0, (5, 5))], ["5 + 5 = 10, and nobody claimed it."]),
        ([Scored(1, 8, (15,), counted=False)], ["15 = 15: 8 would be too many."]),
        ([Scored(1, 25, reason="lead_pass")], ["A pass right after the lead: bela scores 25."]),
        ([Scored(0, 50, reason="lead_pass")], ["A pass right after the lead: you score 50."]),
        ([Scored(1, 25, reason="round_pass")], ["Three passes in a row: bela scores 25."]),
        ([Scored(0, 25, reason="round_pass")], ["Three passes after your tile: you score 25."]),
        ([Scored(1, 2, reason="first_pass")], ["The first pass of the match: bela scores 2."]),
        ([Scored(0, 2, reason="first_pass")], ["The first pass of the match: you score 2."]),
        ([Drew(1, 2), Played(1, tile("6|4"), 6, 4)], ["bela draws 2 and plays 6|4 on the 6."]),
        ([Drew(1, 1), Passed(1, "limit")], ["bela draws 1 and passes: no more draws this turn."]),
        ([RoundOver("out", 1, ((),) * 3, ((),) * 3)], ["bela is out and wins the round."]),
        ([RoundOver("blocked", 0, ((),) * 3, ((),) * 3)], ["Blocked: the round is yours."]),
        ([RoundOver("blocked", -1, ((),) * 3, ((),) * 3)], ["Blocked."]),
        ([TakenBack(1, Play(tile("6|4"), 0, 0, 4))], ["bela takes back 6|4."]),
        ([TakenBack(0, Lay(tile("6|4")))], ["You take back 6|4."]),
        ([TakenBack(1, Bid(31, 1))], ["bela takes back the bid of 31."]),
        ([TakenBack(1, Name("number", 5))], ["bela takes back the call of fives."]),
        ([TakenBack(1, Pass())], ["bela takes back a pass."]),
        ([TakenBack(1, Claim())], ["bela takes back a claim."]),
        ([TakenBack(1, Silent())], ["bela takes back the choice not to claim."]),
        ([MatchOver((1,))], ["bela wins the match."]),
        ([MatchOver(())], ["The match is drawn."]),
        ([MatchOver((0, 2))], ["You share the match with chen."]),
    ],
)
def test_every_event_is_a_sentence(events, lines):
    assert sentences(*events) == lines


ENGINE = PlacedTile(tile("12|12"), -1, 0, 12, -1)
TRAINS = (
    ENGINE,
    PlacedTile(tile("12|4"), 0, 1, 4, 1),
    PlacedTile(tile("8|4"), 1, 1, 8, 0),
    PlacedTile(tile("12|3"), 0, 3, 3, 2),
    PlacedTile(tile("9|3"), 3, 1, 9, 1),
)


@pytest.mark.parametrize(
    ("event", "before", "line"),
    [
        (Played(1, tile("12|4"), 12, 4), (), "bela plays 12|4 on their own train."),
        (Played(0, tile("8|4"), 4, 8), (), "You play 8|4 on bela's train."),
        (Played(2, tile("12|3"), 12, 3), (), "chen starts the Mexican Train with 12|3."),
        (Played(2, tile("12|3"), 12, 3), (Drew(2, 1),), "chen draws 1 and starts the Mexican Train with 12|3."),
        (Played(1, tile("9|3"), 3, 9), (), "bela plays 9|3 on the Mexican Train."),
        (Played(1, tile("9|3"), 3, 9), (Drew(1, 1),), "bela draws 1 and plays 9|3 on the Mexican Train."),
    ],
)
def test_where_there_are_trains_the_story_says_on_which_a_tile_was_laid(event, before, line):
    state = replace(position(rules("mexican-train", 3), (6, 4), "1|0", "2|0", "3|0"), layout=TRAINS)
    view = rules("mexican-train", 3).view(state, 0)
    story = Story()
    story.add_events((*before, event), NAMES, 0, 3, view)

    assert story.lines == [line]


def test_the_story_names_the_tile_that_went_out():
    state = position(rules("draw", 3), (6, 4), "1|0", "2|0", "3|0")
    story = Story()
    story.add_events((RoundOver("out", 1, ((),) * 3, ((),) * 3),), NAMES, 0, 3, rules("draw", 3).view(state, 0))

    assert story.lines == [f"bela is out with {state.layout[-1].tile} and wins the round."]


def test_a_draw_and_the_play_after_it_make_one_sentence_even_in_two_updates():
    story = Story()
    story.add_events((Drew(1, 2),), NAMES, 0, 3, VIEW)
    story.add_events((Played(1, tile("6|4"), 6, 4),), NAMES, 0, 3, VIEW)

    assert story.lines == ["bela draws 2 and plays 6|4 on the 6."]


def test_the_tiles_that_others_drew_are_never_named():
    assert "5|5" not in "".join(sentences(Drew(1, 1, ()), you=0))


def test_the_story_forgets_its_beginning():
    story = Story(max_lines=3)
    story.add_events(tuple(Dealt(n) for n in range(10)), NAMES, 0, 3, None)

    assert story.lines == ["Round 7 is dealt.", "Round 8 is dealt.", "Round 9 is dealt."]


def test_a_players_name_is_never_taken_for_a_template():
    assert sentences(Passed(1, "empty"), names=("a", "{count}[b]", "c")) == [
        "{count}[b] passes: the boneyard is empty."
    ]


def test_partners_are_named_together():
    assert side_name(1, ("ada", "bela", "chen", "dora"), 2) == "bela + dora"


def test_a_draw_that_ends_the_round_is_a_sentence_of_its_own():
    over = RoundOver("stuck", -1, ((),) * 3, ((),) * 3)

    assert sentences(Drew(1, 3), over)[0] == "bela draws 3 tiles."


def test_chat_between_a_draw_and_a_play_stays():
    story = Story()
    story.add_events((Drew(1, 2),), NAMES, 0, 3, VIEW)
    story.add("chen: “hm”")
    story.add_events((Played(1, tile("6|4"), 6, 4),), NAMES, 0, 3, VIEW)

    assert story.lines == ["bela draws 2 tiles.", "chen: “hm”", "bela plays 6|4 on the 6."]


def test_the_last_chat_stays_beside_the_events_until_everybody_has_had_a_turn():
    story = Story()
    for line in ("ann: “one”", "ben: “two”", "ann: “three”"):
        story.add(line, is_chat=True)
    assert story.lines_with_talk() == ("ben: “two” · ann: “three”",)

    for number in range(1, TALK_EVENTS):
        story.add_events((Dealt(number),), NAMES, 0, 3, None)
        assert story.lines_with_talk()[-1] == f"Round {number} is dealt. · ben: “two” · ann: “three”"
    story.add_events((Dealt(9),), NAMES, 0, 3, None)
    assert story.lines_with_talk()[-1] == "Round 9 is dealt."


def test_messages_of_the_host_have_their_own_line():
    story = Story()
    story.add("Round 1 is dealt.")
    story.add("*** The server says: “closing”", is_chat=True)

    assert story.lines_with_talk()[-1] == "*** The server says: “closing”"


def test_a_screen_with_the_result_leaves_out_the_end_of_the_round():
    story = Story()
    story.add_events((Dealt(1), Passed(1, "empty")), NAMES, 0, 3, VIEW)
    story.add_events((RoundOver("gaple", 1, ((),) * 3, ((),) * 3), MatchOver((1,))), NAMES, 0, 3, VIEW)
    story.add("Every deal matches.")

    assert story.events(has_end=True)[2:4] == ("Gaple: bela wins the round.", "bela wins the match.")
    assert story.events(has_end=False)[1:] == ("bela passes: the boneyard is empty.", "Every deal matches.")
    assert story.lines_with_talk(has_end=False)[-2:] == story.events(has_end=False)[-2:]


def test_the_end_of_an_earlier_round_stays_in_the_story():
    story = Story()
    for number in (1, 2):
        story.add_events((Dealt(number), RoundOver("gaple", 1, ((),) * 3, ((),) * 3)), NAMES, 0, 3, VIEW)

    assert story.events(has_end=False).count("Gaple: bela wins the round.") == 1


def round_of(*events):
    return replace(update_at(match_at((6, 4), "1|0", "2|0", "3|0"), 0), events=events)


def with_events(update, *history):
    return replace(update, match=replace(update.match, history=history))


LAID, PASSED = Played(1, tile("6|4"), 6, 4), Passed(2, "empty")


def test_a_player_who_reloads_the_page_reads_the_round_so_far():
    update = with_events(round_of(), Dealt(1), LAID, PASSED)

    assert unseen_events(None, update) == (Dealt(1), LAID, PASSED)


def test_after_a_lost_connection_the_story_goes_on_with_the_moves_in_between():
    before = with_events(round_of(LAID), Dealt(1), LAID)

    assert unseen_events(before, with_events(round_of(), Dealt(1), LAID, PASSED)) == (PASSED,)
    assert unseen_events(before, with_events(round_of(), Dealt(2))) == (Dealt(2),)


def test_each_event_is_told_once():
    before = with_events(round_of(), Dealt(1))

    assert unseen_events(before, with_events(round_of(LAID), Dealt(1), LAID)) == (LAID,)
    assert unseen_events(before, before) == ()


def test_a_table_that_opens_shows_the_moves_of_the_round():
    client = Client(memory_pair()[0], "test")
    client.update = with_events(round_of(), Dealt(1), LAID)

    assert "bela plays 6|4 on the 6." in str(TableScreen(client, DARK, lambda: DARK).draw(80, 24))
