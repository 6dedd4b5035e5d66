"""Games for one player on the screen and in plain text (`docs/rules` §C.8)."""

from itertools import cycle

import pytest
from msgspec.structs import replace

from core.actions import Drew, Fill, GiveUp, MatchOver, Moved, Play, Played, Removed, Take, Turned
from core.games.patience import KINDS
from core.tiles import in_order, tile
from tests.core.patience.tables import laid, rules
from tests.tui.solitaires import SOLITAIRES, game_of, update_of
from tests.tui.tables import DARK
from tui.draw.patience import draw_patience
from tui.model.new_table import NewTable
from tui.model.non_layout_choices import ON_TABLE, PatienceChoice, patience_choice
from tui.model.presenter import Moment
from tui.plain.families import patience_action_sentence, patience_open_lines, patience_result
from tui.text.coach import act_words
from tui.text.non_layout import patience_event_sentence, patience_sentence, patience_title
from tui.text.notices import Story
from tui.text.proposals import take_back_sentence

LUZON = "6|1/3|2/4|4/2|0/5|5/3|1/6|6/0|0"
ROOMS = [(50, 8), (80, 15), (104, 38)]


def view_of(kind, *table, **more):
    game = rules(kind)
    return game.view(game.complete(laid(*table, **more)), 0)


def seen(view, choice=None):
    """Return a moment of the table screen, with this view of the table."""
    update = update_of(game_of("castle-rock", 12))
    match = replace(update.match, play=view)
    return Moment(replace(update, match=match), choice or patience_choice(view, None))


def board(view, choice=None, size=(80, 15), look=DARK):
    picture = draw_patience(seen(view, choice), *size, look)
    return "\n".join("".join(text for text, *_ in row) for row in picture.rows), picture


def chosen(kind, *table, **more):
    return patience_choice(view_of(kind, *table, **more), None)


def test_a_letter_chooses_a_move_and_does_it_the_second_time():
    choice = chosen("luzon", LUZON)
    assert [str(action.tiles[0]) for action in choice.items[:-1]] == ["6|1", "4|4", "2|0"]
    second = choice.press("b")
    assert (second.choice.item, second.act) == (1, False)
    assert second.choice.press("b").act


def test_a_letter_without_a_move_is_ignored():
    assert chosen("luzon", LUZON).press("z") is None


def test_arrows_go_round_the_list_of_moves():
    choice = chosen("luzon", LUZON)
    assert choice.turn(1).item == 1
    assert choice.move(-1).action == GiveUp()


def test_a_proposed_action_is_chosen_in_the_list_of_moves():
    assert chosen("luzon", LUZON).with_action(GiveUp()).item == 3


def test_two_tiles_that_are_clicked_are_taken():
    choice = chosen("luzon", LUZON)
    first = choice.click(4, ON_TABLE, in_hand=False)
    assert (first.choice.action, first.act) == (Take(in_order("2|0 5|5")), False)
    assert first.choice.glowing_tiles == in_order("2|0 5|5")
    both = first.choice.click(3, ON_TABLE, in_hand=False)
    assert both.act
    assert both.choice.action == Take(in_order("2|0 5|5"))


def test_a_tile_that_is_captured_alone_is_clicked_twice():
    choice = chosen("castle-rock", "3|3 1|1 5|3", boneyard="0|0").move(1)
    once = choice.click(1, ON_TABLE, in_hand=False)
    assert (once.choice.action, once.act) == (Take(in_order("1|1")), False)
    assert once.choice.click(1, ON_TABLE, in_hand=False).act


def test_a_click_beside_the_tile_that_can_be_captured_does_nothing():
    choice = chosen("castle-rock", "3|3 1|1 5|3", boneyard="0|0").move(1)
    assert not choice.click(0, ON_TABLE, in_hand=False).act
    assert choice.click(99, ON_TABLE, in_hand=False).choice == choice


def test_a_click_on_an_item_chooses_it_and_does_it_the_second_time():
    choice = chosen("luzon", LUZON)
    once = choice.click(2, 0, in_hand=False)
    assert (once.choice.item, once.act) == (2, False)
    assert once.choice.click(2, 0, in_hand=False).act


def test_tiles_of_a_hand_are_chosen_by_digits_and_clicks():
    choice = chosen("draw-five", "6|3", "1|1 3|1 6|6")
    assert choice.playable == (1, 2)
    assert choice.press("3").choice.action == Play(tile("6|6"), 0, 0, 6)
    assert choice.press("3").choice.tile == 2
    assert choice.click(1, -1, in_hand=True).choice.tile == 1
    assert choice.press("1").choice == choice
    assert choice.with_action(GiveUp()).tile == 3


def test_a_choice_stays_while_nothing_changes_and_resets_after_a_change():
    view = view_of("luzon", LUZON)
    choice = PatienceChoice(view, item=2)
    assert patience_choice(replace(view, boneyard=0), choice).item == 2
    assert patience_choice(view_of("luzon", "6|6/0|0/1|1/5|5/3|3/1|0/2|0/3|0"), choice).item == 0


@pytest.mark.parametrize(("size", "ascii"), zip(ROOMS, cycle([False, True])))
@pytest.mark.parametrize("name", sorted(SOLITAIRES))
def test_every_open_tile_is_drawn_within_the_room_and_can_be_clicked(name, size, ascii):
    view = SOLITAIRES[name].view(0).play
    look = replace(DARK, ascii=True) if ascii else DARK
    text, picture = board(view, size=size, look=look)
    assert len(picture.rows) == size[1]
    spots = [hit for hit in picture.hits if hit.side == ON_TABLE]
    assert [hit.at for hit in spots] == list(range(sum(map(len, view.piles))))
    if size != ROOMS[0]:
        assert all(hit.y >= 0 and hit.y + hit.h <= size[1] and hit.x + hit.w <= size[0] for hit in spots)
        assert len({(hit.x, hit.y) for hit in spots}) == len(spots)
    assert ascii <= text.isascii()


@pytest.mark.parametrize("name", sorted(SOLITAIRES))
def test_tiles_keep_their_size_when_few_are_left(name):
    view = SOLITAIRES[name].view(0).play
    fewer = replace(view, piles=tuple(pile[:1] for pile in view.piles))
    sizes = [
        {(hit.w, hit.h) for hit in draw_patience(seen(shown_view), 104, 28, DARK).hits if hit.side == ON_TABLE}
        for shown_view in (view, fewer)
    ]

    assert sizes[0] == sizes[1]


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Removed(0, in_order("6|1 3|2")), "You take 6|1, 3|2."),
        (Moved(0, tile("6|1")), "You move 6|1 to an empty column."),
        (Turned(0, in_order("0|0")), "New on the table: 0|0."),
        (Played(0, tile("6|3"), 3, 6), "You lay 6|3 on the 3."),
        (Drew(0, 1, in_order("0|0")), "You draw 0|0."),
        (MatchOver((0,)), ""),
    ],
)
def test_events_are_sentences(event, words):
    assert patience_event_sentence(event, ("ada",), 0) == words


def test_a_spectator_reads_the_players_name():
    assert patience_event_sentence(Removed(0, in_order("6|1")), ("ada",), -1) == "ada takes 6|1."
    assert patience_event_sentence(Moved(0, tile("6|1")), ("ada",), -1) == "ada moves 6|1 to an empty column."
    assert patience_event_sentence(Played(0, tile("6|3"), 3, 6), ("ada",), -1) == "ada lays 6|3 on the 3."
    assert patience_event_sentence(Drew(0, 2), ("ada",), -1) == "ada draws 2 tiles."


def test_the_end_is_one_sentence_without_a_draw():
    story, match = Story(), SOLITAIRES["luzon given up"]
    before = game_of("luzon", 2)
    after, events = before.apply(GiveUp())
    story.add_events(events, ("ada",), 0, 1, after.view(0).play)
    assert match.scores == after.scores
    assert story.lines == [f"Given up with {after.scores[0]} tiles left."]


def test_the_effect_of_enter_is_named():
    choice = chosen("luzon", "/6|1 2|0/4|4/1|0 6|6/5|4/3|1/0|0/1|1")
    sentences = {type(item): patience_sentence(choice.with_action(item), ("ada",)) for item in choice.items}
    assert sentences[Fill].startswith("Enter: move ")
    assert sentences[GiveUp] == "Enter: give up: 9 tiles are left."
    assert patience_sentence(chosen("luzon", LUZON), ("ada",)) == "Enter: take 6|1, 3|2."
    line = chosen("draw-five", "6|3", "3|1", "0|0")
    assert patience_sentence(line, ("ada",)) == "Enter: lay 3|1 on the right, on the 3."
    row = chosen("castle-rock", "5|2 4|1 6|0", boneyard="1|1")
    assert patience_sentence(row, ("ada",)) == "Enter: turn over the next tile."


def test_the_title_counts_the_tiles_left_and_those_in_the_boneyard():
    row = chosen("castle-rock", "5|2 4|1 6|0", boneyard="1|1")
    assert patience_title(row.view) == "4 tiles left · boneyard 1"


def test_taking_back_names_the_action():
    from core.actions import Draw, TakenBack  # noqa: PLC0415

    taken = [Take(in_order("6|1 3|2")), Fill(tile("4|4")), Draw()]
    sentences = [take_back_sentence(TakenBack(0, action), ("ada",), 0) for action in taken]
    assert sentences == [
        "You take back 6|1, 3|2.",
        "You take back the move of 4|4.",
        "You take back a tile turned over.",
    ]
    view = view_of("luzon", LUZON)
    assert [act_words(action, view, ("ada",)) for action in (*taken[:2], GiveUp())] == [
        "to take 6|1, 3|2",
        "to move 4|4",
        "to give up",
    ]


def test_after_the_end_the_title_has_no_boneyard():
    over = update_of(game_of("castle-rock", 2, gives_up=True)).play

    assert over.boneyard > 0
    assert "boneyard" not in patience_title(over)


def test_plain_text_tells_where_everything_lies():
    assert patience_open_lines(view_of("luzon", "/6|1 2|0/4|4/1|0/5|4/3|1/0|0/1|1"))[:2] == [
        "Column 1 is empty.",
        "Column 2, from the top: 6|1, 2|0.",
    ]
    assert patience_open_lines(view_of("luzon", LUZON))[-1] == "Aside: 3|1, 6|6, 0|0."
    assert patience_open_lines(view_of("castle-rock", "3|3 1|1 5|3")) == ["The row: 3|3, 1|1, 5|3."]
    assert patience_open_lines(view_of("good-neighbors", "3|3 1|1 5|3 5|5 1|0"))[1] == "Row 2: 1|0."
    assert patience_open_lines(view_of("draw-five", "6|3 6|6", "6|1")) == ["The line: 3|6, 6|6."]


def test_plain_text_offers_every_move_in_a_sentence():
    view = view_of("draw-five", "6|3", "3|1")
    assert [patience_action_sentence(action, view, ()) for action in view.legal] == [
        "Lay 3|1 on the right, on the 3.",
        "Give up.",
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_result_names_the_tiles_that_are_left_and_the_score(kind):
    match = SOLITAIRES[f"{kind} given up"]
    view = match.view(0)
    lines = patience_result(view, view.play, view.play.result, ("ada",))
    assert lines[0] == f"Given up with {match.scores[0]} tiles left."
    assert lines[1].startswith("Left: ")
    assert lines[2] == f"Your score: {match.scores[0]}."


def test_a_table_for_one_asks_for_no_bots_and_allows_hints_and_taking_back():
    new_table = NewTable().set("game", "patience")
    keys = {row.key for row in new_table.settings(free_seats=True)}
    table = new_table.table(free_seats=True)
    assert not keys & {"bots", "level", "hints", "take_back"}
    assert (table.players, table.bots, table.hints, table.take_back) == (1, 0, True, True)
    assert new_table.set("game", "draw").players == 2
