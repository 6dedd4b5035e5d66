"""Cross, rule by rule (`docs/rules` §4.14)."""

import pytest
from msgspec.structs import replace

from core.actions import Dealt, Draw, Play, RoundOver
from core.chance import deal_order
from core.games import GAMES
from core.layout.parts import Ending
from core.layout.placed import NOBODY
from core.layout.state import Before
from core.match import new_match
from core.records import DealLine, RecordError, ScoreLine, referee, write
from core.selfplay import play_match
from core.tiles import full_set
from tests.core.positions import centred, rules


def test_cross_1_until_it_has_four_arms_only_the_centre_may_be_played_on():
    state = centred(rules("cross", 2), ("6|1 5|2", "0|0"), (5, 4, 3), centre="6|6")

    assert {str(a.tile) for a in state.legal if isinstance(a, Play)} == {"6|1"}


def test_while_the_cross_is_built_one_tile_is_drawn_and_afterwards_as_many_as_needed():
    game = rules("cross", 2)
    building = centred(game, ("5|2", "0|0"), (5, 4, 3), centre="6|6", boneyard="1|1 2|2 6|0 3|0 3|3")
    assert game.apply(building, Draw())[1][0].count == 1
    open_ = centred(game, ("2|2", "0|0"), (5, 4, 3, 1), centre="6|6", boneyard="6|6 2|0 5|0 3|0 3|3")

    assert game.apply(open_, Draw())[1][0].count == 3


def test_two_tiles_are_never_drawn():
    game = rules("cross", 2)
    state = centred(game, ("2|2", "5|1"), (5, 4, 3, 1), centre="6|6", boneyard="6|0 2|0")

    assert Draw() not in state.legal


def test_without_a_double_in_any_hand_the_tiles_are_dealt_again():
    game = rules("cross", 2)
    singles = [t for t in full_set(6) if not t.is_double]
    doubles = [t for t in full_set(6) if t.is_double]
    state = game.deal((*singles, *doubles), Before(lot=0))

    assert state.result.how == "redeal"
    assert state.result.points == (0, 0)


def redealt():
    """A match of Cross for two whose second deal has no double in any hand, at the moment after that deal.

    Its first round hands something on, as rounds of other games do.
    """
    match = new_match(GAMES["cross"], 2, {})
    pays = match.rules.ending.pays
    carrying = Ending(lambda state: replace(pays(state), carry=(40, 2)))
    match = replace(match, rules=replace(match.rules, ending=carrying))
    match, _ = match.deal(*deal_order(match.rules.tiles, 2, b"1", 1))
    while not match.awaits_deal:
        match, _ = match.apply(match.legal[0])
    singles = [t for t in full_set(6) if not t.is_double]
    doubles = [t for t in full_set(6) if t.is_double]
    return match, *match.deal((*singles, *doubles), 1)


def test_a_redeal_is_the_same_round_and_loses_nothing_of_what_came_before_it():
    before, match, events = redealt()
    assert before.carry == match.carry == (40, 2)
    assert (before.round, before.winner, before.leader) == (1, before.state.result.winner, before.state.leader)
    assert NOBODY not in (before.winner, before.leader)
    assert [type(event) for event in events] == [Dealt, RoundOver]
    assert match.awaits_deal
    match, events = match.deal(*deal_order(match.rules.tiles, 2, b"1", 3))

    assert (match.round, match.deals, match.scores, match.zeros) == (2, 3, before.scores, before.zeros)
    assert (match.state.before.leader, match.state.before.winner) == (before.leader, before.winner)
    assert (match.state.before.round, match.state.before.carry) == (2, (40, 2))


def test_a_redeal_is_a_line_of_the_record_like_any_other():
    match = new_match(GAMES["cross"], 2, {})
    steps = list(play_match(match, ("random", "random"), b"34 0", "test"))
    lines = [write(step.line) for step in steps]
    deals = [step.line for step in steps if isinstance(step.line, DealLine)]

    at = next(n for n, step in enumerate(steps) if isinstance(step.line, ScoreLine) and step.line.how == "redeal")
    assert steps[at].line == ScoreLine(steps[at - 1].line.round, "redeal", NOBODY, (0, 0), steps[at].match.scores)
    assert steps[at + 1].line.round == steps[at - 1].line.round
    assert len({line.tiles for line in deals}) == len(deals), "the next deal is another"
    assert len(list(referee(lines))) == len(lines)
    kept = [line for line in lines if '"redeal"' not in line]
    with pytest.raises(RecordError, match="redeal"):
        list(referee(kept))
