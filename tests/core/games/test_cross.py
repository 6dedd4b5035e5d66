"""Cross, rule by rule (`docs/rules` §4.14)."""

import pytest
from msgspec.structs import replace

from core.actions import Draw, Play, RoundOver
from core.bots.levels import play_match
from core.games import GAMES
from core.layout.rules import PASS
from core.layout.state import NOBODY, RoundContext
from core.match import new_match
from core.records import DealLine, RecordError, ScoreLine, referee, write
from core.tiles import full_set, tile
from core.variant import VERSION
from core.words import BadOption
from tests.core.positions import centred, rules


def test_cross_1_until_it_has_four_arms_only_the_centre_may_be_played_on():
    state = centred(rules("cross", 2), ("6|1 5|2", "0|0"), (5, 4, 3), centre="6|6")

    assert {str(a.tile) for a in state.legal if isinstance(a, Play)} == {"6|1"}


MALTESE = {"cross__second": "doubles", "target": 60}
CYPRUS = {
    "cross__set": 9,
    "cross__arms": 8,
    "cross__lead": "top",
    "cross__hand": "9/8/7/7/6",
    "draw__max": 1,
    "draw__reserve": 1,
    "target": 60,
}
CYPRUS_OPTIONS = {key.replace("__", "."): value for key, value in CYPRUS.items()}


def tiles_of(state):
    return {str(action.tile) for action in state.legal if isinstance(action, Play)}


def maltese(*hands, boneyard="", owed=(1, 2, 3, 4)):
    """Return a Maltese Cross with all four arms, which end in 5, 4, 3 and 1; the arms `owed` owe their double."""
    game = rules("cross", 2, **MALTESE)
    state = centred(game, hands, (5, 4, 3, 1), centre="6|6", boneyard=boneyard)
    return game, game.complete(replace(state, owed=owed, legal=()))


def test_cr_1_in_maltese_cross_each_arm_needs_its_double_in_any_order():
    game, state = maltese("5|5 4|2 1|1 5|1", "4|2 5|1 0|0", boneyard="2|2 3|3")
    assert tiles_of(state) == {"5|5", "1|1"}
    after, _ = game.apply(state, next(action for action in state.legal if str(action.tile) == "5|5"))

    assert (after.owed, after.legal) == ((2, 3, 4), (Draw(),))
    after, events = game.apply(after, Draw())
    assert (events[0].count, [type(action).__name__ for action in after.legal]) == (1, ["Pass"])


def test_cr_2_in_sebastopol_a_player_without_an_arm_passes():
    game = rules("cross", 4, draw__max=0, hand4=7, target=60)
    hands = ("6|1 5|2", "5|2 4|4", "0|0", "1|0")

    assert tiles_of(centred(game, hands, (5, 4, 3), centre="6|6")) == {"6|1"}
    assert centred(game, hands, (5, 4, 3), centre="6|6", turn=1).legal == (PASS,)


def test_cr_2_where_the_sixth_six_is_laid_only_the_seventh_fits():
    game = rules("cross", 4, draw__max=0, hand4=7)
    state = centred(game, ("5|1 0|0", "6|1 0|0", "6|0 3|3", "4|4"), (5, 4, 3, 2), centre="6|6")
    for name in ("5|1", "6|1"):
        state, _ = game.apply(state, next(action for action in state.legal if str(action.tile) == name))
    six = next(end for end in state.ends if end.pips == 6)

    assert {str(action.tile) for action in state.legal if action.at == six.at} == {"6|0"}


def test_cr_3_in_cyprus_one_of_the_nineteen_tiles_that_are_left_is_never_drawn():
    game = rules("cross", 4, **CYPRUS)
    tiles = tuple(tile_ for tile_ in full_set(9) if tile_ != tile("9|9"))
    state = game.deal((*tiles[:36], *tiles[36:], tile("9|9")), RoundContext(lot=2))
    drawn = 0
    assert (len(state.boneyard), state.turn) == (19, 2)
    while state.legal == (Draw(),):
        state, events = game.apply(state, Draw())
        drawn += events[0].count

    assert (drawn, len(state.boneyard)) == (18, 1)
    assert state.result.how == "redeal"


def searched_in_vain(match, lot):
    """Return a match of Cyprus for four after a deal in which all tiles are drawn but 9-9, which must stay."""
    match, _ = match.deal(full_set(9), lot)  # the last tile of the boneyard is the top double
    while not match.is_deal_due:
        match, events = match.apply(match.legal[0])
    return match, events


def test_cr_4_a_round_that_is_dealt_again_after_a_search_is_the_same_round():
    match, events = searched_in_vain(new_match(GAMES["cross"], 4, CYPRUS_OPTIONS), 0)

    assert [type(event) for event in events][-1] is RoundOver
    assert (match.round, match.leader, match.winner, match.zeros) == (1, NOBODY, NOBODY, (0, 0, 0, 0))
    assert match.actions == 18
    match, _ = match.deal(full_set(9), 2)
    assert (match.round, match.deals, match.turn) == (1, 2, 2), "the new lot decides who searches"


def test_in_version_2_of_the_rules_a_search_in_vain_had_no_winner():
    match, _ = searched_in_vain(new_match(GAMES["cross"], 4, {**CYPRUS_OPTIONS, VERSION: 2}), 0)
    match, _ = match.deal(full_set(9), 2)

    assert (match.round, match.turn, match.zeros) == (1, 0, (1, 1, 1, 1))


def test_a_search_in_vain_is_in_the_record_which_names_its_rules():
    for seed in range(200):
        steps = list(play_match(new_match(GAMES["cross"], 4, CYPRUS_OPTIONS), ("random",) * 4, b"%d" % seed, "test"))
        if any(isinstance(step.line, ScoreLine) and step.line.how == "redeal" for step in steps):
            break
    lines = [write(step.line) for step in steps]

    assert '"rules":3' in lines[0]
    assert len(list(referee(lines))) == len(lines)
    with pytest.raises(RecordError):
        list(referee([lines[0].replace('"rules":3', '"rules":2'), *lines[1:]]))


@pytest.mark.parametrize(("players", "size"), [(4, 9), (5, 8), (6, 7), (7, 7), (8, 6)])
def test_cr_3_the_hands_of_cyprus_depend_on_the_number_of_players(players, size):
    assert rules("cross", players, **CYPRUS).start.hand == size


@pytest.mark.parametrize(
    ("players", "options", "named"),
    [
        (4, {"cross__arms": 8}, ("cross.arms=8", "cross.set=9")),
        (4, {"cross__hand": "9/8/7/7/6"}, ("cross.hand=9/8/7/7/6", "cross.set=9")),
        (3, CYPRUS, ("cross.hand=9/8/7/7/6", "not 3")),
        (2, {"cross__second": "doubles", "draw__reserve": 2}, ("cross.second=doubles", "draw.reserve=0")),
        (2, {"cross__second": "doubles", "draw__max": 0}, ("cross.second=doubles", "draw.max=0")),
    ],
)
def test_rules_that_do_not_go_together_are_refused_and_both_keys_named(players, options, named):
    with pytest.raises(BadOption) as refused:
        rules("cross", players, **options)

    assert all(key in str(refused.value) for key in named)


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
