"""Choosing a legal action: by number, by arrow, by end."""

from msgspec.structs import replace

from core.actions import Claim, Draw, Pass, Play, Shed, Silent
from core.tiles import tile
from tests.core.positions import deal_of, one_ended, rules
from tests.tui.tables import match_at
from tui.model.choice import Choice, KeyResult


def choice_at(*args, **kwargs):
    view = match_at(*args, **kwargs).view(0).play
    return Choice(view).carry_to(view)


def test_the_first_playable_tile_is_chosen_to_begin_with():
    choice = choice_at((6, 1), "5|4 6|4 3|3", "0|0")

    assert choice.view.hand[choice.tile] == tile("6|4")
    assert choice.action.tile == tile("6|4")


def test_moving_goes_round_the_hand_and_an_unplayable_tile_has_no_action():
    choice = choice_at((6, 1), "5|4 6|4 3|3", "0|0").pick(0)

    assert choice.action is None
    assert choice.move(-1).tile == 2
    assert choice.move(1).move(1).move(1) == choice


def test_a_tile_that_fits_both_ends_can_be_turned_from_one_to_the_other():
    choice = choice_at((6, 1), "6|1", "0|0")

    assert [choice.play.out, choice.turn(1).play.out, choice.turn(2).play.out] == [1, 6, 1]


def test_an_end_is_chosen_by_its_place_and_only_where_the_tile_goes():
    choice = choice_at((6, 1), "6|1 6|4", "0|0").pick(0)

    assert choice.choose_end(1, 1).play.out == 6
    assert choice.pick(1).choose_end(1, 1) is None


def test_a_tile_out_of_range_changes_nothing():
    choice = choice_at((6, 1), "6|1", "0|0")

    assert choice.pick(5) == choice
    assert choice.pick(-1) == choice


def test_enter_does_the_only_remaining_action():
    assert choice_at((6, 1), "4|4", "0|0", boneyard="5|5").action == Draw()
    assert choice_at((6, 1), "4|4", "1|0").action == Pass()


def test_where_drawing_is_free_enter_still_plays():
    choice = choice_at((6, 1), "4|4 6|2", "0|0", boneyard="5|5", draw__voluntary="yes")

    assert choice.can_draw
    assert choice.action.tile == tile("6|2")
    assert choice.pick(1).action is None


def test_the_choice_stays_on_the_same_tile_when_the_table_moves_on():
    before = choice_at((6, 1), "6|1 6|4 6|5", "0|0").pick(1)
    after = match_at((6, 2), "6|4 6|5", "0|0").view(0).play

    assert after.hand[before.carry_to(after).tile] == tile("6|4")


def test_a_choice_that_can_no_longer_be_played_gives_way_to_one_that_can():
    before = choice_at((6, 1), "6|4 3|2", "0|0")
    after = match_at((3, 2), "6|4 3|2", "0|0").view(0).play

    assert after.hand[before.carry_to(after).tile] == tile("3|2")


def test_a_matador_can_turn_either_number_outward():
    choice = choice_at((3, 0), "6|1", "0|0", game="matador")

    assert [play.out for play in choice.outward_plays] == [1, 6]
    assert choice.ask_outward().turn_outward(1).play.out == 6
    assert choice.with_outward(6).play.out == 6
    assert choice.with_outward(5) is None
    assert choice.turn(1).play.at != choice.play.at


def test_pending_points_are_claimed_by_enter_or_declined():
    view = match_at((6, 1), "6|1", "0|0").view(0).play
    waiting = replace(view, legal=(Claim(), Silent()), pending=10)

    assert Choice(waiting).action == Claim()
    assert Choice(waiting).refusal == Silent()


def chosen_in(game, state):
    view = game.view(state, 0)
    return Choice(view).carry_to(view)


def test_a_tile_that_is_led_asks_which_half_is_open():
    game = rules("jie-long", 2)
    choice = chosen_in(game, deal_of(game, "6|1", "5|5"))
    choice = choice.pick(choice.view.hand.index(tile("6|1")))

    assert choice.question().asks_outward
    assert {play.out for play in choice.outward_plays} == {1, 6}
    assert choice.question().with_outward(1).action == Play(tile("6|1"), -1, 0, 1)


def test_if_nothing_fits_every_tile_may_be_laid_face_down():
    game = rules("jie-long", 2)
    choice = chosen_in(game, one_ended(game, 3, "6|6 5|4 1|1", "4|3"))

    assert choice.playable == (0, 1, 2)
    assert choice.pick(1).action == Shed(tile("5|4"))
    assert choice.pick(1).press("2").act, "what is chosen again is done"
    assert choice.with_action(Shed(tile("6|6"))).tile == 2
    assert (choice.play, choice.plays) == (None, ())


def test_a_click_on_a_former_end_is_ignored():
    choice = choice_at((6, 1), "6|1 6|4", "0|0")
    assert {(end.at, end.side) for end in choice.view.ends} == {(0, 0), (1, 1)}

    for at, side in ((0, 1), (77, 1), (-1, 5)):
        assert choice.click(at, side, in_hand=False) == KeyResult()
