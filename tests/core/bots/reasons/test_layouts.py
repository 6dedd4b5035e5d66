"""Reasons for a play: each is true of the table for which it is given."""

from msgspec.structs import replace

from core.actions import Draw, Drew, Led, Passed, Play, Played, PutDown, Shed
from core.bots.reasons.hints import names_in_layout, reasons_in_layout
from core.games import GAMES
from core.layout.policies import two_ends
from core.layout.state import End, PlacedTile
from core.match import new_match
from core.tiles import tile
from tests.core.positions import centred, deal_of, one_ended, position, rules


def reasons(state, played, *, game="draw", seat=0, players=2, history=(), on=None, **options):
    """Return the reasons for laying a tile: a list of its effects and a list of facts."""
    match = replace(new_match(GAMES[game], players, options), state=state, round=1)
    view = replace(match.view(seat), history=history)
    pips_by_end = {(end.at, end.side): end.pips for end in state.ends}
    action = next(
        play
        for play in state.legal
        if isinstance(play, Play)
        and play.tile == tile(played)
        and on in (None, pips_by_end.get((play.at, play.side)))
    )
    effects, facts = reasons_in_layout(view, view.play, action)
    return [str(effect) for effect in effects], [str(fact) for fact in facts]


def test_answers_of_the_number_that_is_turned_outward_are_counted():
    state = position(rules("draw", 2), (3, 1), "5|3 5|2 5|4 1|0", "6|6 6|5", boneyard="4|4 2|2")

    assert "leaves you two fives to answer with" in reasons(state, "5|3")[0]


def test_answers_of_several_numbers_are_counted_together():
    state = position(rules("draw", 2), (3, 1), "5|3 5|2 6|1 4|4", "6|6 6|5", boneyard="2|2")

    assert "leaves you two tiles that fit" in reasons(state, "5|3")[0]


def test_the_points_of_a_play_are_a_reason():
    scoring = position(rules("all-fives", 2), (3, 1), "4|3 1|0", "6|6 6|5", boneyard="2|2")

    assert "scores 5" in reasons(scoring, "4|3", game="all-fives")[0]


def test_getting_rid_of_a_double_is_a_reason():
    double = position(rules("draw", 2), (3, 3), "3|3 3|0", "6|6 6|5", boneyard="2|2")

    assert "gets rid of a double" in reasons(double, "3|3")[0]


def test_getting_rid_of_a_heavy_tile_is_a_reason():
    heavy = position(rules("draw", 2), (3, 6), "6|5 3|0", "6|6 2|1", boneyard="2|2")

    assert "gets rid of 11 pips" in reasons(heavy, "6|5")[0]


def test_going_out_is_a_reason():
    last = position(rules("draw", 2), (3, 6), "6|3", "6|6 2|1", boneyard="2|2")

    assert "lets you go out" in reasons(last, "6|3", on=6)[0]


def test_where_a_round_goes_on_the_last_tile_leaves_the_player_without_tiles():
    last = position(rules("hungarian", 2), (3, 6), "6|3", "6|2 2|1")

    assert reasons(last, "6|3", game="hungarian", on=6)[0][:1] == ["leaves you without tiles"]


def test_a_bonus_for_the_last_tile_itself_is_named():
    options = {"pt.capicua": 50, "pt.chuchazo": 30}
    game = rules("partners", 4, pt__capicua=50, pt__chuchazo=30)
    capicua = position(game, (3, 5), "5|3", "6|6", "2|1", "4|1")
    chuchazo = position(game, (0, 5), "0|0", "6|6", "2|1", "4|1")
    plain = position(game, (3, 6), "5|3", "6|6", "2|1", "4|1")

    assert "is a capicúa, for 50 more" in reasons(capicua, "5|3", game="partners", players=4, on=3, **options)[0]
    assert "is a chuchazo, for 30 more" in reasons(chuchazo, "0|0", game="partners", players=4, **options)[0]
    assert "lets you go out" in reasons(plain, "5|3", game="partners", players=4, **options)[0]
    assert not [
        effect for effect in reasons(plain, "5|3", game="partners", players=4, **options)[0] if "more" in effect
    ]
    assert not [
        effect for effect in reasons(capicua, "5|3", game="partners", players=4, on=3)[0] if "capicúa" in effect
    ]


def test_in_brazilian_the_kind_of_the_last_tile_is_the_reason():
    game = rules("brazilian", 4)
    kinds = {
        "is a lá-e-lô, for 3 points": ((3, 5), "5|3"),
        "is a cruzada, for 4 points": ((3, 3), "3|3"),
        "is worth 2 points, as a double": ((3, 5), "3|3"),
    }
    for reason, (ends, last) in kinds.items():
        state = position(game, ends, last, "6|6", "2|1", "4|1")
        assert reason in reasons(state, last, game="brazilian", players=4, on=3)[0]
    plain = position(game, (3, 6), "5|3", "6|6", "2|1", "4|1")
    assert reasons(plain, "5|3", game="brazilian", players=4)[0][:1] == ["lets you go out"]


def test_leaving_few_unseen_tiles_that_fit_is_a_reason():
    few = position(rules("draw", 2), (3, 6), "6|3 6|0 3|0 1|1", "5|5 2|1", boneyard="2|2")

    assert "leaves only 5 of 24 unseen tiles that fit" in reasons(few, "6|3", on=6)[0]


def drawn_game(*events):
    """Return a position with the ends 3 and 1, after a round in which seat 1 did `events` while the ends were 6 and
    3.
    """
    state = position(rules("draw", 2), (6, 3), "5|3 5|2 3|1", "6|4 4|4", boneyard="2|2 0|0")
    layout = (PlacedTile(tile("6|3"), -1, 0, 3, 0),)
    state = rules("draw", 2).complete(replace(state, layout=layout, ends=two_ends(layout, (), None), legal=()))
    return state, (Led(0, tile("6|3"), "winner"), *events)


def test_a_pass_is_no_reason_where_every_play_opens_as_many_of_the_missing_numbers():
    state, history = drawn_game(Passed(1, "empty"))

    assert reasons(state, "5|3", history=history)[1] == []


def test_an_opponent_who_passed_on_a_number_shown_is_named():
    state = position(rules("draw", 2), (6, 3), "5|3 5|2 3|1", "6|4 4|4", boneyard="2|2 0|0")
    layout = (PlacedTile(tile("6|3"), -1, 0, 3, 0), PlacedTile(tile("5|3"), 0, 0, 5, 0))
    game = rules("draw", 2)
    state = game.complete(
        replace(
            state,
            layout=layout,
            ends=(End(1, 1, 5), End(0, 1, 6)),
            hands=((*state.hands[0][:2], tile("6|5")), state.hands[1]),
            legal=(),
        )
    )
    history = (Led(0, tile("6|3"), "winner"), Passed(1, "empty"), Played(0, tile("5|3"), 3, 5), Passed(1, "empty"))
    _, facts = reasons(state, "6|5", on=5, history=history)
    assert facts == ["1 has passed on sixes"]


def test_a_number_that_was_missing_before_a_later_draw_is_not_mentioned():
    state = position(rules("draw", 2), (6, 3), "5|2 6|5", "6|4 4|4", boneyard="2|2 0|0")
    game = rules("draw", 2)
    layout = (PlacedTile(tile("6|3"), -1, 0, 3, 0), PlacedTile(tile("5|3"), 0, 0, 5, 0))
    state = game.complete(replace(state, layout=layout, ends=(End(1, 1, 5), End(0, 1, 6)), legal=()))
    begin = (Led(0, tile("6|3"), "winner"), Passed(1, "empty"), Played(0, tile("5|3"), 3, 5))

    drew = reasons(state, "6|5", on=5, history=(*begin, Drew(1, 1), Passed(1, "empty")))[1]
    free = reasons(state, "6|5", on=5, history=(*begin, Drew(1, 1, (), False)))[1]
    assert drew == ["1 has passed on sixes"]
    assert free == []


def test_a_play_that_lets_more_tiles_follow_on_the_own_train_says_how_many():
    game = rules("mexican-train", 2)
    state = centred(game, ("9|5 5|4 4|3 9|2", "9|8 8|7"), (9,), centre="12|12", boneyard="1|1")

    named = {effect for play in ("9|5", "9|2") for effect in reasons(state, play, game="mexican-train")[0]}
    assert "lets 2 more tiles follow on your train" in named


def test_a_tile_that_goes_to_ends_of_two_numbers_is_named_with_its_end():
    state = position(rules("draw", 2), (5, 3), "5|3 3|0", "6|6 6|5", boneyard="2|2")
    names = {str(name) for name in names_in_layout(rules("draw", 2).view(state, 0)).values()}

    assert names == {"5|3 on the 5", "5|3 on the 3", "3|0"}


def test_a_draw_has_no_reasons_apart_from_those_of_the_search():
    match = new_match(GAMES["draw"], 2, {})
    state = position(rules("draw", 2), (6, 6), "5|3 3|0", "6|5", boneyard="2|2 4|4 1|1")

    assert reasons_in_layout(replace(match, state=state).view(0), rules("draw", 2).view(state, 0), Draw()) == ([], [])


def test_of_tiles_to_lay_face_down_the_lightest_is_said_to_cost_least():
    game = rules("jie-long", 2)
    match = replace(new_match(GAMES["jie-long"], 2, {}), state=one_ended(game, 3, "6|6 5|4 2|1", "4|3"), round=1)
    view = match.view(0)

    light, heavy = (reasons_in_layout(view, view.play, Shed(tile(text))) for text in ("2|1", "6|6"))
    assert [str(effect) for effect in light.effects] == ["costs you only 3 pips"]
    assert heavy.effects == []
    assert str(names_in_layout(view.play)[Shed(tile("6|6"))]) == "laying 6|6 face down"


def test_a_lead_is_called_by_the_half_that_it_leaves_open():
    game = rules("jie-long", 2)
    names = names_in_layout(game.view(deal_of(game, "6|1 5|5"), 0))

    assert str(names[Play(tile("6|1"), -1, 0, 6)]) == "6|1 open at the 6"
    assert str(names[Play(tile("6|1"), -1, 0, 1)]) == "6|1 open at the 1"
    assert str(names[Play(tile("5|5"), -1, 0, 5)]) == "5|5"


def test_a_player_who_laid_a_tile_face_down_lacked_the_open_number():
    game = rules("jie-long", 2)
    layout = (PlacedTile(tile("6|3"), -1, 0, 3, 0), PlacedTile(tile("3|1"), 0, 0, 1, 0))
    state = one_ended(game, 1, "4|1 3|1", "5|4")
    state = game.complete(replace(state, layout=layout, ends=(End(1, 1, 1),), legal=()))
    history = (Led(0, tile("6|3"), "winner", 3), PutDown(1), Played(0, tile("3|1"), 3, 1), PutDown(1))

    assert reasons(state, "3|1", game="jie-long", history=history)[1] == ["1 has laid a tile face down on threes"]


def test_in_a_blind_game_a_good_play_lets_more_of_the_own_tiles_follow():
    state = position(rules("blind-hughie", 2), (5, 2), "5|2 6|6", "6|5 6|4")
    more_twos = (*state.layout, PlacedTile(tile("2|1"), 1, 1, 1, 0), PlacedTile(tile("2|0"), 2, 1, 0, 0))
    state = replace(state, layout=more_twos)

    assert reasons(state, "5|2", game="blind-hughie", on=2) == (["lets 6 of 25 unseen tiles follow"], [])
    assert reasons(state, "5|2", game="blind-hughie", on=5) == ([], [])


def test_in_a_blind_game_the_last_tile_of_a_row_is_named():
    state = position(rules("blind-hughie", 2), (5, 2), "5|2", "6|5 6|4")

    assert reasons(state, "5|2", game="blind-hughie", on=5) == (["lets you go out"], [])
