"""The view of a seat in a layout game: its own hand, and the number of tiles in the others."""

from core.actions import Play
from core.layout.state import NOBODY, RoundContext, unseen_tiles
from core.tiles import STAR, full_set, hand
from tests.core.positions import play, position, rules

DRAW = rules("draw", 2)


def table(**options):
    return position(rules("draw", 2, **options), (6, 1), "6|4 3|2", "5|5", boneyard="2|2 3|3 4|4")


def test_a_seat_sees_its_own_hand_and_how_many_tiles_the_others_hold():
    seen = DRAW.view(table(), 1)

    assert seen.hand == hand("5|5")
    assert seen.counts == (2, 1)
    assert seen.boneyard == 3


def test_a_spectator_sees_no_hand_and_has_no_legal_action():
    seen = DRAW.view(table(), NOBODY)

    assert (seen.hand, seen.legal, seen.worth) == ((), (), ())
    assert seen.counts == (2, 1)


def test_only_the_seat_on_turn_has_legal_actions_in_its_view():
    assert DRAW.view(table(), 0).legal
    assert DRAW.view(table(), 1).legal == ()


def test_tiles_outside_the_layout_and_the_own_hand_are_unseen():
    unseen = unseen_tiles(DRAW.view(table(), 0), full_set(6))

    assert len(unseen) == 28 - 1 - 2
    assert set(unseen).isdisjoint(hand("6|1 6|4 3|2"))


def test_wildstars_that_the_seat_does_not_hold_are_unseen():
    game = rules("wildstar", 2)
    seen = game.view(game.deal((*game.tiles[3:], *game.tiles[:3]), RoundContext(lot=0)), 0)

    assert (game.tiles.count(STAR), seen.hand.count(STAR)) == (5, 2)
    assert unseen_tiles(seen, game.tiles).count(STAR) == 3


def test_the_reserve_is_at_most_the_boneyard_and_all_of_it_in_games_without_drawing():
    assert rules("draw", 2, draw__reserve=2).view(table(draw__reserve=2), 0).reserve == 2
    block = rules("block", 2)
    assert block.view(position(block, (6, 1), "6|4", "5|5", boneyard="2|2 3|3"), 0).reserve == 2
    few = position(rules("draw", 2, draw__reserve=2), (6, 1), "6|4", "5|5", boneyard="2|2")
    assert rules("draw", 2, draw__reserve=2).view(few, 0).reserve == 1


def test_the_reason_for_the_lead_is_in_the_view_while_the_table_is_empty():
    game = rules("draw", 2)
    state = game.deal(full_set(6), RoundContext(lot=0))
    assert game.view(state, 1).opening == "double"
    state, _ = game.apply(state, state.legal[0])

    assert game.view(state, 1).opening == ""


def test_when_a_round_is_over_no_seat_is_on_turn():
    game = rules("draw", 2)
    state = play(game, position(game, (6, 1), "6|4", "5|5"), "6|4")

    assert game.view(state, 0).turn == NOBODY
    assert game.view(state, 0).result is state.result


def test_only_the_seat_on_turn_sees_the_points_of_each_play():
    game = rules("all-fives", 2)
    state = position(game, (6, 1), "6|4 6|3", "5|5", boneyard="2|2")
    seen = game.view(state, 0)

    plays = [action for action in seen.legal if isinstance(action, Play)]
    assert dict(zip([str(play.tile) for play in plays], seen.worth, strict=True)) == {"6|3": 0, "6|4": 5}
    assert game.view(state, 1).worth == ()
