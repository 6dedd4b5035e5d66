"""Thinking: from the view alone, in every game, and exactly if nothing is hidden."""

from random import Random

from msgspec.structs import replace

from core.bots.greedy import greedy_bot
from core.bots.levels import think
from core.bots.profiles import ActionValue, Effort, Thought
from core.fair import deal_order
from core.games import GAMES
from core.match import new_match
from core.tiles import tile
from tests.core.positions import position, rules

LITTLE = Effort(3, 150)


def dealt(name, players, **options):
    match = new_match(GAMES[name], players, options)
    order, lot = deal_order(match.rules.tiles, match.rules.seats, b"7", 1)
    return match.deal(order, lot)[0]


def test_the_same_view_and_seed_give_the_same_thought():
    match = dealt("draw", 2)

    assert think(match.view(match.turn), Random(3), LITTLE) == think(match.view(match.turn), Random(3), LITTLE)


def moments(name, players):
    """Yield all moments of a few rounds in which the players always take the first legal action."""
    match, deals = new_match(GAMES[name], players, {}), 0
    while deals < 20:
        if match.is_deal_due:
            deals += 1
            order, lot = deal_order(match.rules.tiles, match.rules.seats, b"%d" % deals, deals)
            match, _ = match.deal(order, lot)
        else:
            yield match
            match, _ = match.apply(match.legal[0])


def test_a_thought_depends_only_on_the_view_of_the_seat():
    match = next(match for match in moments("block", 2) if len(match.legal) > 2)
    seat = match.turn
    hidden = (*match.state.hands[1 - seat], *match.state.boneyard)
    count = len(match.state.hands[1 - seat])
    hands = [match.state.hands[seat]] * 2
    hands[1 - seat] = tuple(sorted(hidden[-count:]))
    other = replace(match, state=replace(match.state, hands=tuple(hands), boneyard=hidden[:-count]))

    assert think(match.view(seat), Random(3), LITTLE) == think(other.view(seat), Random(3), LITTLE)


def test_a_thought_is_exact_once_all_tiles_are_known():
    match = next(match for match in moments("draw", 2) if not match.state.boneyard and len(match.legal) > 2)

    thought = think(match.view(match.turn), Random(1), Effort(8, 10**5))

    assert thought.exact
    assert {result.action for result in thought.judged} == set(match.legal)
    assert all(result.error == 0 for result in thought.judged)


def test_greedy_decides_unless_something_is_better_by_its_standard_error():
    first, second = position(rules("draw", 2), (6, 1), "6|5 1|0", "5|5").legal
    default = ActionValue(first, 0.0, 0.0, 0.0, 9)

    assert Thought(first, [ActionValue(second, 2.0, 2.0, 2.5, 9), default]).choice == first
    assert Thought(first, [ActionValue(second, 2.0, 2.0, 1.5, 9), default]).choice == second
    assert Thought(first, []).choice == first


def test_a_single_legal_action_needs_no_thought():
    match = replace(dealt("draw", 2), state=position(rules("draw", 2), (6, 1), "6|5 4|4", "5|5"))

    thought = think(match.view(0), Random(1), LITTLE)

    assert thought.choice.tile == tile("6|5")
    assert not thought.judged


def test_greedy_and_thought_agree_on_the_greedy_action():
    match = dealt("all-fives", 2)

    assert think(match.view(match.turn), Random(1), LITTLE).default == greedy_bot(match.view(match.turn), Random(1))
