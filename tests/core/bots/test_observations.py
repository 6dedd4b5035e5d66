"""A bot knows the rules of its match, including house rules."""

from msgspec.structs import replace

from core.bots.observations import fits_of, round_context_of, rules_of
from core.games import GAMES
from core.layout.state import NOBODY, RoundContext
from core.match import new_match
from core.tiles import STAR, tile


def seen(game, players=2, **options):
    match = new_match(GAMES[game], players, {key.replace("__", "."): value for key, value in options.items()})
    return match, match.view(0)


def test_the_rules_are_those_of_the_match_with_its_house_rules():
    match, view = seen("draw", 4, partners="yes", draw__reserve=2)

    assert rules_of(view).sides == 2
    assert rules_of(view).drawing == match.rules.drawing


def test_a_bot_knows_how_a_round_began_except_for_the_lot():
    _, view = seen("draw", 3)
    view = replace(view, leader=2, winner=1, round=4, scores=(10, 0, 20), carry=(7,))

    assert round_context_of(view) == RoundContext(NOBODY, 2, 1, 4, (10, 0, 20), (7,))


def test_equal_halves_meet_in_most_games():
    fits = fits_of(seen("draw")[1])

    assert (fits[tile("6|4")], fits[tile("3|3")]) == ({6, 4}, {3})


def test_in_matador_halves_add_up_to_the_chosen_sum_and_matadors_fit_anywhere():
    fits = fits_of(seen("matador")[1])

    assert (fits[tile("6|4")], fits[tile("6|1")], fits[tile("0|0")]) == ({1, 3}, set(range(7)), set(range(7)))
    assert fits_of(seen("matador", mat__sum=10)[1])[tile("6|3")] == {4, 7}


def test_a_wildstar_fits_on_every_number():
    assert fits_of(seen("wildstar")[1])[STAR] == set(range(10))
