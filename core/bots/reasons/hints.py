"""Hints in words: the move that a thought leads to, and at most two reasons for it, in each family."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple, cast

from core.actions import Action, Beat, Bid, Bury, Drew, Hide, Lay, Name, Pass, Passed, Play, PutDown, Shed
from core.bots.greedy import cost_of, greedy_bot, is_unbeatable, sight_of, tiles_of, visible_solution
from core.bots.observations import (
    Fits,
    fits_of,
    observed_events,
    playable_tiles,
    round_context_of,
    round_of,
    rules_of,
)
from core.bots.profiles import Question, Thought
from core.bots.reasons.phrases import (
    Hint,
    Reasons,
    action_words,
    compare_with_rivals,
    number_as_word,
    pips_words,
    tile_words,
)
from core.bots.search import long_train
from core.combos.state import ComboView
from core.layout.rules import LayoutRules
from core.layout.state import NOBODY, End, LayoutView, Opening, PlacedTile, State, end_at, unseen_tiles
from core.match import MatchView
from core.patience.state import PatienceView
from core.prompts import suit_words
from core.tiles import Tile
from core.tricks.state import (
    DOUBLES,
    NO_SUIT,
    TRUMPS,
    TrickView,
    belongs_to_suit,
    strength,
    suit_of,
    tile_points,
    trump_suit,
    unseen_in_tricks,
    winning_tile,
)
from core.variant import AnyView, tag_of
from core.words import Words, several_words, words


def reasons_in_tricks(view: TrickView, tiles: tuple[Tile, ...], action: Action) -> Reasons:
    """Return the reasons for an action; `tiles` is the set."""
    match action:
        case Bid():
            suit, suit_length = _longest_suit(view)
            bid_reason = words("rests on {many} {suit}", many=number_as_word(suit_length), suit=suit_words(suit))
            return Reasons([bid_reason] if suit_length > 2 else [], _doubles_reasons(view))
        case Pass():
            _, suit_length = _longest_suit(view)
            return Reasons(
                [words("fits a hand with no more than {many} of a suit", many=number_as_word(suit_length))]
            )
        case Name(kind=kind) if kind in TRUMPS:
            suit_length = sum(belongs_to_suit(tile, trump_suit(action), action) for tile in view.hand)
            return Reasons(
                [words("gives you {many} trumps", many=number_as_word(suit_length))], _doubles_reasons(view)
            )
        case Name(kind="none"):
            return Reasons([], _doubles_reasons(view))
        case Bury(tile=tile):
            return Reasons([*_bury_reasons(view, tile)])
        case Lay(tile=tile):
            return _lay_reasons(view, tiles, tile, action)
    return Reasons([])


def _longest_suit(view: TrickView) -> tuple[int, int]:
    """Return the most frequent number in the hand, preferably with its double, and the number of its tiles."""
    sizes = {
        number: (sum(number in tile for tile in view.hand), Tile(number, number) in view.hand)
        for number in range(view.highest + 1)
    }
    suit = max(sizes, key=lambda number: (*sizes[number], number))
    return suit, sizes[suit][0]


def _doubles_reasons(view: TrickView) -> list[Words]:
    doubles = sum(tile.is_double for tile in view.hand)
    return (
        [several_words("you hold one double", "you hold {many} doubles", doubles, many=number_as_word(doubles))]
        if doubles
        else []
    )


def _bury_reasons(view: TrickView, tile: Tile) -> Iterator[Words]:
    """Yield the advantages of putting a tile away."""
    suit, length = _longest_suit(view)
    if length > 2 and suit not in tile:
        yield words("keeps your {many} {suit}", many=number_as_word(length), suit=suit_words(suit))
    doubles = sum(other.is_double for other in view.hand)
    if doubles and not tile.is_double:
        count_words = number_as_word(doubles)
        yield several_words("keeps your double", "keeps your {many} doubles", doubles, many=count_words)


def _lay_reasons(view: TrickView, tiles: tuple[Tile, ...], tile: Tile, lay: Lay) -> Reasons:
    trump = view.trump
    if trump is None:
        return Reasons([])
    unseen = unseen_in_tricks(view, tiles)
    if view.trick:
        return Reasons(list(_follow_reasons(view, tile, trump, unseen)))
    suit, trumps = suit_of(tile, trump, small=lay.small), trump_suit(trump)
    effects, facts = [], []
    outstanding = sum(belongs_to_suit(other, trumps, trump) for other in unseen) if trumps != NO_SUIT else 0
    if trumps != NO_SUIT and belongs_to_suit(tile, trumps, trump) and outstanding:
        effects.append(words("draws trumps"))
        facts.append(
            several_words(
                "{many} trump is still out",
                "{many} trumps are still out",
                outstanding,
                many=number_as_word(outstanding),
            )
        )
    if trump.kind != "nello" and suit != NO_SUIT:
        rivals = [other for other in unseen if belongs_to_suit(other, suit, trump)]
        if all(strength(other, suit, trump) < strength(tile, suit, trump) for other in rivals):
            effects.append(_beats_rest_words(suit))
    return Reasons(effects, facts)


def _beats_rest_words(suit: int) -> Words:
    if suit == DOUBLES:
        return words("beats all doubles that are still out")
    return words("beats all {suit} that are still out", suit=suit_words(suit))


def _follow_reasons(view: TrickView, tile: Tile, trump: Name, unseen: list[Tile]) -> Iterator[Words]:
    leading, suit = winning_tile(view.trick, view.suit, trump), view.suit
    own_strength, best_strength = strength(tile, suit, trump), strength(leading.tile, suit, trump)
    is_last = len(view.trick) + 1 == len(view.counts) - (view.out != NOBODY)
    count_points: Callable[[Tile], int] = tile_points if view.bid and view.bid.marks else lambda _tile: 0
    points = 1 + sum(count_points(laid.tile) for laid in view.trick) + count_points(tile)
    is_partner_leading = leading.seat % view.sides == view.seat % view.sides
    if trump.kind == "nello" and view.seat == view.bidder:
        if own_strength < best_strength:
            yield words("stays under {tile}", tile=str(leading.tile))
    elif own_strength > best_strength and is_last:
        yield words("takes the trick for {points}", points=points)
    elif own_strength > best_strength and all(strength(other, suit, trump) < own_strength for other in unseen):
        yield words("takes the trick, as nothing unseen beats it")
    elif own_strength > best_strength:
        yield words("takes the lead in the trick")
    elif is_partner_leading and count_points(tile):
        yield words(
            "adds {points} to the trick of {seat}, your partner", points=count_points(tile), seat=leading.seat
        )
    elif is_partner_leading:
        yield words("leaves the trick to {seat}, your partner", seat=leading.seat)
    elif not count_points(tile) and any(count_points(lay.tile) for lay in view.legal if isinstance(lay, Lay)):
        yield words("saves your counts, as {tile} wins the trick so far", tile=str(leading.tile))


HEAVY = 7
"""Pips from which a tile is worth getting rid of."""


class _PlayOutcome(NamedTuple):
    """The position after a play."""

    play: Play
    rest: tuple[Tile, ...]
    own_numbers: frozenset[int]
    """Numbers on which this seat may then play."""
    others_numbers: frozenset[int]
    """Numbers on which others may."""
    answers: int
    """Tiles of the rest that fit."""
    unseen_fits: int
    """Number of unseen tiles that fit where others may lay them."""


def names_in_layout(view: LayoutView) -> dict[Action, Words]:
    """Return a name for each legal action: the tile, with its end if it fits ends of several numbers.

    A lead that may be open at either half is named with that half.
    """
    leads = [action.tile for action in view.legal if isinstance(action, Play) and action.at < 0]
    numbers = {(end.at, end.side): end.pips for end in view.ends}
    places: dict[Tile, set[int]] = {}
    for action in view.legal:
        if isinstance(action, Play):
            places.setdefault(action.tile, set()).add(numbers.get((action.at, action.side), -1))
    names = {}
    for action in view.legal:
        names[action] = action_words(action)
        if isinstance(action, Play) and len(places[action.tile]) > 1:
            number = numbers.get((action.at, action.side), -1)
            place = words("the {on}", on=number) if number >= 0 else words("the wild end")
            names[action] = words("{tile} on {place}", tile=tile_words(action.tile), place=place)
        elif isinstance(action, Play) and action.at < 0 and leads.count(action.tile) > 1:
            names[action] = words("{tile} open at the {number}", tile=tile_words(action.tile), number=action.out)
    return names


def reasons_in_layout(match: MatchView, view: LayoutView, action: Action) -> Reasons:
    """Return the reasons for an action; draws and passes get the numbers of a search only."""
    if isinstance(action, Shed):
        min_pips = min(shed.tile.pips for shed in view.legal if isinstance(shed, Shed))
        return Reasons([words("costs you only {pips} pips", pips=min_pips)] if action.tile.pips == min_pips else [])
    if not isinstance(action, Play):
        claims = [words("takes {points} points", points=view.pending)] if view.pending else []
        return Reasons(claims)
    rules, fits = cast("LayoutRules", rules_of(match)), fits_of(match)
    unseen = unseen_tiles(view, rules.tiles)
    if rules.turns.blind:
        return Reasons(list(_blind_reasons(rules, view, action, fits, unseen)))
    plays = [play for play in view.legal if isinstance(play, Play)]
    outcomes = {play: _play_outcome(rules, view, play, fits, unseen) for play in plays}
    outcome = outcomes[action]
    other_outcomes = [other for play, other in outcomes.items() if play != action]
    return Reasons(
        list(_play_reasons(rules, match, view, outcome, other_outcomes, fits, len(unseen))),
        [*_lack_reasons(rules, match, view, outcome, other_outcomes), *_partner_reasons(match, view, outcome)],
    )


def _blind_reasons(
    rules: LayoutRules, view: LayoutView, action: Play, fits: Fits, unseen: tuple[Tile, ...]
) -> Iterator[Words]:
    """Yield the reasons for a play in games in which the next tile of the row is unseen."""
    unseen_fits = {
        play: _play_outcome(rules, view, play, fits, unseen).unseen_fits
        for play in view.legal
        if isinstance(play, Play)
    }
    if view.counts[view.seat] == 1:
        yield words("lets you go out")
    elif unseen_fits[action] > min(unseen_fits.values()):
        yield words("lets {left} of {unseen} unseen tiles follow", left=unseen_fits[action], unseen=len(unseen))


def _play_outcome(
    rules: LayoutRules, view: LayoutView, play: Play, fits: Fits, unseen: tuple[Tile, ...]
) -> _PlayOutcome:
    remaining = list(view.hand)
    remaining.remove(play.tile)
    layout = (*view.layout, PlacedTile(play.tile, play.at, play.side, play.out, view.seat))
    end = end_at(view.ends, play.at, play.side) if play.at >= 0 else None
    ends = rules.opens(layout, view.ends, end)
    own_numbers = frozenset(end.pips for end in ends if _may_play_at(end, view, view.seat))
    others_numbers = frozenset(
        end.pips for end in ends if _may_play_at(end, view, NOBODY) or end.owner not in (NOBODY, view.seat)
    )
    answers = sum(not fits[tile].isdisjoint(own_numbers) for tile in remaining)
    unseen_fits = sum(not fits[tile].isdisjoint(others_numbers) for tile in unseen)
    return _PlayOutcome(play, tuple(remaining), own_numbers, others_numbers, answers, unseen_fits)


def _may_play_at(end: End, view: LayoutView, seat: int) -> bool:
    """Return True if a seat may play at an end: it has no owner, belongs to the seat, or its owner has opened it."""
    return end.owner in (NOBODY, seat) or (end.owner in view.open and end.owner != view.seat)


def _play_reasons(
    rules: LayoutRules,
    match: MatchView,
    view: LayoutView,
    outcome: _PlayOutcome,
    other_outcomes: list[_PlayOutcome],
    fits: Fits,
    unseen_count: int,
) -> Iterator[Words]:
    play, tile = outcome.play, outcome.play.tile
    if not outcome.rest and rules.ending.until == "block":
        yield words("leaves you without tiles")
    elif not outcome.rest and (not tile.is_double or view.shape == "line"):
        yield words("lets you go out")
        yield from _last_tile_reasons(rules, match, view, play)
    points = dict(
        zip((legal_play for legal_play in view.legal if isinstance(legal_play, Play)), view.worth, strict=False)
    ).get(play, 0)
    if points:
        yield words("scores {points}", points=points)
    yield from _train_reasons(view, outcome)
    if not outcome.unseen_fits and unseen_count and any(other.unseen_fits for other in other_outcomes):
        yield words("leaves nothing that fits among the tiles you cannot see")
    if outcome.answers > min((other.answers for other in other_outcomes), default=outcome.answers):
        yield _answer_words(outcome, fits)
    if tile.is_double and not any(other.play.tile.is_double and other.play.tile != tile for other in other_outcomes):
        yield words("gets rid of a double")
    elif tile.pips >= HEAVY and tile.pips > max(
        (other.play.tile.pips for other in other_outcomes if other.play.tile != tile), default=0
    ):
        yield words("gets rid of {pips} pips", pips=tile.pips)
    if 0 < outcome.unseen_fits <= 0.7 * max((other.unseen_fits for other in other_outcomes), default=0):
        yield words(
            "leaves only {left} of {unseen} unseen tiles that fit", left=outcome.unseen_fits, unseen=unseen_count
        )


def _last_tile_reasons(rules: LayoutRules, match: MatchView, view: LayoutView, play: Play) -> Iterator[Words]:
    """Yield the points that going out with this tile brings, apart from the hands of the others."""
    hands = tuple(view.hand if seat == view.seat else rules.tiles[:1] for seat in range(rules.seats))
    opening = Opening(match.leader, (), "rotation")
    state_before = State(
        hands, (), view.layout, view.ends, view.seat, opening, round_context_of(match), turns=view.turns
    )
    result = rules.complete(rules.apply_play(state_before, play)[0]).result
    amounts: dict[str, int] = (
        {term.kind: term.amount for term in result.sums[view.seat % rules.sides]} if result else {}
    )
    sentences = {
        "capicua": words("is a capicúa, for {points} more", points=amounts.get("capicua", 0)),
        "chuchazo": words("is a chuchazo, for {points} more", points=amounts.get("chuchazo", 0)),
        "both_ends": words("is a lá-e-lô, for {points} points", points=amounts.get("both_ends", 0)),
        "cruzada": words("is a cruzada, for {points} points", points=amounts.get("cruzada", 0)),
        "double": words("is worth {points} points, as a double", points=amounts.get("double", 0)),
    }
    yield from (sentences[kind] for kind in sentences if amounts.get(kind))


def _answer_words(outcome: _PlayOutcome, fits: Fits) -> Words:
    """Say how many tiles are left to answer with; name their number if all have the one turned outward."""
    out = outcome.play.out
    answers_to_out = sum(out in fits[tile] for tile in outcome.rest)
    if (
        out in outcome.own_numbers
        and answers_to_out > 1
        and all(out in tile for tile in outcome.rest if out in fits[tile])
    ):
        return words(
            "leaves you {many} {numbers} to answer with", many=number_as_word(answers_to_out), numbers=pips_words(out)
        )
    count_words = number_as_word(outcome.answers)
    return several_words(
        "leaves you a tile that fits", "leaves you {many} tiles that fit", outcome.answers, many=count_words
    )


def _train_reasons(view: LayoutView, outcome: _PlayOutcome) -> Iterator[Words]:
    """Yield the effect on this seat's own train."""
    number = next((end.pips for end in view.ends if end.owner == view.seat), None)
    if number is None:
        return
    if end_at(view.ends, outcome.play.at, outcome.play.side).owner == view.seat:
        next_count = len(long_train(outcome.play.out, outcome.rest))
        if next_count:
            yield several_words(
                "lets {count} more tile follow on your train",
                "lets {count} more tiles follow on your train",
                next_count,
            )
        return
    train = long_train(number, view.hand)
    if len(train) > 1 and outcome.play.tile not in train:
        yield words("keeps your train of {count} tiles together", count=len(train))


def _lack_reasons(
    rules: LayoutRules, match: MatchView, view: LayoutView, outcome: _PlayOutcome, other_outcomes: list[_PlayOutcome]
) -> Iterator[Words]:
    """Yield opponents, the next first, that lacked a number which the play shows, and have drawn nothing since."""
    lacks = lacked_numbers(rules, match, view)
    common_numbers = (
        frozenset.intersection(*(other.others_numbers for other in other_outcomes)) if other_outcomes else frozenset()
    )
    candidate_numbers = sorted(
        outcome.others_numbers - common_numbers | {outcome.play.out} & outcome.others_numbers,
        key=lambda number: number != outcome.play.out,
    )
    for step in range(1, match.players):
        seat = (view.seat + step) % match.players
        passed, numbers = lacks.get(seat, (True, frozenset()))
        shown_lacks = [number for number in candidate_numbers if number in numbers and number >= 0]
        if shown_lacks and seat % match.sides != view.seat % match.sides:
            number_text = pips_words(shown_lacks[0])
            if rules.turns.sheds:
                yield words("{seat} has laid a tile face down on {numbers}", seat=seat, numbers=number_text)
            elif passed:
                yield words("{seat} has passed on {numbers}", seat=seat, numbers=number_text)
            else:
                yield words("{seat} had to draw on {numbers}", seat=seat, numbers=number_text)


def lacked_numbers(rules: LayoutRules, match: MatchView, view: LayoutView) -> dict[int, tuple[bool, frozenset[int]]]:
    """Return for each seat that lacked numbers whether it passed (True) or drew (False), and these numbers."""
    tiles_with: dict[int, frozenset[Tile]] = {}
    fits = fits_of(match)
    for number in {pips for numbers in fits.values() for pips in numbers}:
        tiles_with[number] = frozenset(tile for tile in fits if number in fits[tile])
    lacks: dict[int, tuple[bool, frozenset[int]]] = {}
    for event, table in observed_events(rules, view, match.history, round_context_of(match)):
        seat = table.turn
        if not table.layout or not isinstance(event, Drew | Passed | PutDown):
            continue
        if isinstance(event, Passed) and event.chosen:
            continue
        if isinstance(event, Drew) and not event.forced:
            lacks.pop(seat, None)
            continue
        fitting = playable_tiles(rules, table)
        numbers = frozenset(number for number, tiles in tiles_with.items() if tiles and tiles <= fitting)
        if not isinstance(event, Drew):
            numbers |= lacks.get(seat, (True, frozenset()))[1]
        lacks[seat] = not isinstance(event, Drew), numbers
    return lacks


def _partner_reasons(match: MatchView, view: LayoutView, outcome: _PlayOutcome) -> Iterator[Words]:
    """Yield the number that a partner turned outward first, if the play shows it."""
    for placed in view.layout:
        if placed.seat != view.seat and placed.seat % match.sides == view.seat % match.sides:
            if placed.seat != NOBODY and placed.out in outcome.others_numbers and placed.out == outcome.play.out:
                yield words(
                    "{seat}, your partner, played {numbers} first", seat=placed.seat, numbers=pips_words(placed.out)
                )
            return


def reasons_in_patience(match: MatchView, view: PatienceView, action: Action) -> Reasons:
    """Return the reason for an action that begins a known solution; none for any other action."""
    solution = visible_solution(match, view)
    if not solution or solution[0] != action:
        return Reasons([])
    effect = several_words("solves the game", "is the first of {count} moves that solve the game", len(solution))
    return Reasons([effect])


def reasons_in_combos(match: MatchView, view: ComboView, action: Action) -> Reasons:
    """Return the reasons for a lead, a beat, or hidden tiles."""
    sight, tiles = sight_of(rules_of(match), view), tiles_of(action)
    min_cost = min(cost_of(sight, tiles_of(other)) for other in view.legal if type(other) is type(action))
    if isinstance(action, Hide):
        return Reasons([words("gives away what serves you least")] if cost_of(sight, tiles) == min_cost else [])
    effects = []
    if is_unbeatable(sight, tiles):
        effects.append(words("cannot be beaten"))
        size = len(tiles)
        effects.append(several_words("takes a trick", "takes {count} tricks at once", size))
    elif isinstance(action, Beat) and cost_of(sight, tiles) == min_cost:
        effects.append(words("beats it as cheaply as you can"))
    elif cost_of(sight, tiles) == min_cost:
        effects.append(words("risks only what serves you least"))
    return Reasons(effects)


LEVEL = "hard"
"""Level of the bot that thinks about hints."""
REASONS: dict[str, Callable[[MatchView, Any, Any], Reasons]] = {
    "layout": reasons_in_layout,
    "tricks": lambda match, view, action: reasons_in_tricks(view, rules_of(match).tiles, action),
    "patience": reasons_in_patience,
    "combos": reasons_in_combos,
}


def hint_question(view: MatchView) -> Question:
    """Return the question of a hint: the same for equal views."""
    return Question(view, LEVEL, b"hint")


def hint(view: MatchView, thought: Thought | None) -> Hint:
    """Return a move and its reason for the seat of a view; without a thought, greedy's.

    The hint depends on the view and the thought only.
    """
    play = round_of(view)
    thought = thought or Thought(greedy_bot(view, Random(0)), [])
    action = thought.choice
    effects, facts = REASONS[tag_of(play)](view, play, action) if len(play.legal) > 1 else Reasons([])
    compared = compare_with_rivals(
        thought, action, _action_names(play), marks=view.options.get("42.score") == "marks"
    )
    if thought.exact and compared.effects:
        effects, facts = [*compared.effects, *effects], [words("nothing is hidden now")]
    elif compared.better or not effects:
        effects = [*effects, *compared.effects]
    if not effects:
        is_only_action = len(play.legal) == 1
        effects = [words("is all that you can do") if is_only_action else words("is what usually serves best")]
    move, effect = _action_names(play)[action], effects[0]
    short = words("{move} {deed}.", move=move, deed=effect)
    if facts:
        return Hint(action, words("{move} {deed}; {fact}.", move=move, deed=effect, fact=facts[0]), short)
    if len(effects) > 1:
        return Hint(action, words("{move} {deed}, and {second}.", move=move, deed=effect, second=effects[1]), short)
    return Hint(action, short, short)


def _action_names(play: AnyView) -> dict[Action, Words]:
    """Return a name for each legal action: the tile, with its end if it fits several."""
    if isinstance(play, LayoutView):
        return names_in_layout(play)
    return {action: action_words(action) for action in play.legal}
