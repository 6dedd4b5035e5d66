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
    few_words,
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
    count,
    strength,
    suit_of,
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
            suit, held = _longest_suit(view)
            rests = words("rests on {many} {suit}", many=few_words(held), suit=suit_words(suit))
            return Reasons([rests] if held > 2 else [], _doubles_reasons(view))
        case Pass():
            _, held = _longest_suit(view)
            return Reasons([words("fits a hand with no more than {many} of a suit", many=few_words(held))])
        case Name(kind=kind) if kind in TRUMPS:
            held = sum(belongs_to_suit(tile, trump_suit(action), action) for tile in view.hand)
            return Reasons([words("gives you {many} trumps", many=few_words(held))], _doubles_reasons(view))
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
    held = sum(tile.is_double for tile in view.hand)
    return (
        [several_words("you hold one double", "you hold {many} doubles", held, many=few_words(held))] if held else []
    )


def _bury_reasons(view: TrickView, tile: Tile) -> Iterator[Words]:
    """Yield the advantages of putting a tile away."""
    suit, held = _longest_suit(view)
    if held > 2 and suit not in tile:
        yield words("keeps your {many} {suit}", many=few_words(held), suit=suit_words(suit))
    doubles = sum(other.is_double for other in view.hand)
    if doubles and not tile.is_double:
        many = few_words(doubles)
        yield several_words("keeps your double", "keeps your {many} doubles", doubles, many=many)


def _lay_reasons(view: TrickView, tiles: tuple[Tile, ...], tile: Tile, lay: Lay) -> Reasons:
    trump = view.trump
    if trump is None:
        return Reasons([])
    unseen = unseen_in_tricks(view, tiles)
    if view.trick:
        return Reasons(list(_follow_reasons(view, tile, trump, unseen)))
    suit, trumps = suit_of(tile, trump, small=lay.small), trump_suit(trump)
    deeds, facts = [], []
    out = sum(belongs_to_suit(other, trumps, trump) for other in unseen) if trumps != NO_SUIT else 0
    if trumps != NO_SUIT and belongs_to_suit(tile, trumps, trump) and out:
        deeds.append(words("draws trumps"))
        facts.append(
            several_words("{many} trump is still out", "{many} trumps are still out", out, many=few_words(out))
        )
    if trump.kind != "nello" and suit != NO_SUIT:
        rivals = [other for other in unseen if belongs_to_suit(other, suit, trump)]
        if all(strength(other, suit, trump) < strength(tile, suit, trump) for other in rivals):
            deeds.append(_beats_rest_words(suit))
    return Reasons(deeds, facts)


def _beats_rest_words(suit: int) -> Words:
    if suit == DOUBLES:
        return words("beats all doubles that are still out")
    return words("beats all {suit} that are still out", suit=suit_words(suit))


def _follow_reasons(view: TrickView, tile: Tile, trump: Name, unseen: list[Tile]) -> Iterator[Words]:
    leading, suit = winning_tile(view.trick, view.suit, trump), view.suit
    own, best = strength(tile, suit, trump), strength(leading.tile, suit, trump)
    last = len(view.trick) + 1 == len(view.counts) - (view.out != NOBODY)
    worth: Callable[[Tile], int] = count if view.bid and view.bid.marks else lambda _tile: 0
    points = 1 + sum(worth(laid.tile) for laid in view.trick) + worth(tile)
    partner = leading.seat % view.sides == view.seat % view.sides
    if trump.kind == "nello" and view.seat == view.bidder:
        if own < best:
            yield words("stays under {tile}", tile=str(leading.tile))
    elif own > best and last:
        yield words("takes the trick for {points}", points=points)
    elif own > best and all(strength(other, suit, trump) < own for other in unseen):
        yield words("takes the trick, as nothing unseen beats it")
    elif own > best:
        yield words("takes the lead in the trick")
    elif partner and worth(tile):
        yield words("adds {points} to the trick of {seat}, your partner", points=worth(tile), seat=leading.seat)
    elif partner:
        yield words("leaves the trick to {seat}, your partner", seat=leading.seat)
    elif not worth(tile) and any(worth(each.tile) for each in view.legal if isinstance(each, Lay)):
        yield words("saves your counts, as {tile} wins the trick so far", tile=str(leading.tile))


HEAVY = 7
"""Pips from which a tile is worth getting rid of."""


class _PlayEffect(NamedTuple):
    """The position after a play."""

    play: Play
    rest: tuple[Tile, ...]
    mine: frozenset[int]
    """Numbers on which this seat may then play."""
    theirs: frozenset[int]
    """Numbers on which others may."""
    answers: int
    """Tiles of the rest that fit."""
    left: int
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
            on = numbers.get((action.at, action.side), -1)
            where = words("the {on}", on=on) if on >= 0 else words("the wild end")
            names[action] = words("{tile} on {place}", tile=tile_words(action.tile), place=where)
        elif isinstance(action, Play) and action.at < 0 and leads.count(action.tile) > 1:
            names[action] = words("{tile} open at the {number}", tile=tile_words(action.tile), number=action.out)
    return names


def reasons_in_layout(match: MatchView, view: LayoutView, action: Action) -> Reasons:
    """Return the reasons for an action; draws and passes get the numbers of a search only."""
    if isinstance(action, Shed):
        least = min(shed.tile.pips for shed in view.legal if isinstance(shed, Shed))
        return Reasons([words("costs you only {pips} pips", pips=least)] if action.tile.pips == least else [])
    if not isinstance(action, Play):
        claims = [words("takes {points} points", points=view.pending)] if view.pending else []
        return Reasons(claims)
    rules, fits = cast("LayoutRules", rules_of(match)), fits_of(match)
    unseen = unseen_tiles(view, rules.tiles)
    if rules.turns.blind:
        return Reasons(list(_blind_reasons(rules, view, action, fits, unseen)))
    plays = [play for play in view.legal if isinstance(play, Play)]
    effects = {play: _play_effect(rules, view, play, fits, unseen) for play in plays}
    own = effects[action]
    others = [after for play, after in effects.items() if play != action]
    return Reasons(
        list(_play_reasons(rules, match, view, own, others, fits, len(unseen))),
        [*_lack_reasons(rules, match, view, own, others), *_partner_reasons(match, view, own)],
    )


def _blind_reasons(
    rules: LayoutRules, view: LayoutView, action: Play, fits: Fits, unseen: tuple[Tile, ...]
) -> Iterator[Words]:
    """Yield the reasons for a play in games in which the next tile of the row is unseen."""
    left = {play: _play_effect(rules, view, play, fits, unseen).left for play in view.legal if isinstance(play, Play)}
    if view.counts[view.seat] == 1:
        yield words("lets you go out")
    elif left[action] > min(left.values()):
        yield words("lets {left} of {unseen} unseen tiles follow", left=left[action], unseen=len(unseen))


def _play_effect(
    rules: LayoutRules, view: LayoutView, play: Play, fits: Fits, unseen: tuple[Tile, ...]
) -> _PlayEffect:
    rest = list(view.hand)
    rest.remove(play.tile)
    layout = (*view.layout, PlacedTile(play.tile, play.at, play.side, play.out, view.seat))
    end = end_at(view.ends, play.at, play.side) if play.at >= 0 else None
    ends = rules.opens(layout, view.ends, end)
    mine = frozenset(end.pips for end in ends if _may_play_at(end, view, view.seat))
    theirs = frozenset(
        end.pips for end in ends if _may_play_at(end, view, NOBODY) or end.owner not in (NOBODY, view.seat)
    )
    answers = sum(not fits[tile].isdisjoint(mine) for tile in rest)
    left = sum(not fits[tile].isdisjoint(theirs) for tile in unseen)
    return _PlayEffect(play, tuple(rest), mine, theirs, answers, left)


def _may_play_at(end: End, view: LayoutView, seat: int) -> bool:
    """Return True if a seat may play at an end: it has no owner, belongs to the seat, or its owner has opened it."""
    return end.owner in (NOBODY, seat) or (end.owner in view.open and end.owner != view.seat)


def _play_reasons(
    rules: LayoutRules,
    match: MatchView,
    view: LayoutView,
    own: _PlayEffect,
    others: list[_PlayEffect],
    fits: Fits,
    unseen: int,
) -> Iterator[Words]:
    play, tile = own.play, own.play.tile
    if not own.rest and rules.ending.until == "block":
        yield words("leaves you without tiles")
    elif not own.rest and (not tile.is_double or view.shape == "line"):
        yield words("lets you go out")
        yield from _last_tile_reasons(rules, match, view, play)
    points = dict(zip((each for each in view.legal if isinstance(each, Play)), view.worth, strict=False)).get(play, 0)
    if points:
        yield words("scores {points}", points=points)
    yield from _train_reasons(view, own)
    if not own.left and unseen and any(other.left for other in others):
        yield words("leaves nothing that fits among the tiles you cannot see")
    if own.answers > min((other.answers for other in others), default=own.answers):
        yield _answer_words(own, fits)
    if tile.is_double and not any(o.play.tile.is_double and o.play.tile != tile for o in others):
        yield words("gets rid of a double")
    elif tile.pips >= HEAVY and tile.pips > max((o.play.tile.pips for o in others if o.play.tile != tile), default=0):
        yield words("gets rid of {pips} pips", pips=tile.pips)
    if 0 < own.left <= 0.7 * max((other.left for other in others), default=0):
        yield words("leaves only {left} of {unseen} unseen tiles that fit", left=own.left, unseen=unseen)


def _last_tile_reasons(rules: LayoutRules, match: MatchView, view: LayoutView, play: Play) -> Iterator[Words]:
    """Yield the points that going out with this tile brings, apart from the hands of the others."""
    hands = tuple(view.hand if seat == view.seat else rules.tiles[:1] for seat in range(rules.seats))
    opening = Opening(match.leader, (), "rotation")
    before = State(hands, (), view.layout, view.ends, view.seat, opening, round_context_of(match), turns=view.turns)
    result = rules.complete(rules.apply_play(before, play)[0]).result
    amounts: dict[str, int] = (
        {term.what: term.amount for term in result.sums[view.seat % rules.sides]} if result else {}
    )
    sentences = {
        "capicua": words("is a capicúa, for {points} more", points=amounts.get("capicua", 0)),
        "chuchazo": words("is a chuchazo, for {points} more", points=amounts.get("chuchazo", 0)),
        "both_ends": words("is a lá-e-lô, for {points} points", points=amounts.get("both_ends", 0)),
        "cruzada": words("is a cruzada, for {points} points", points=amounts.get("cruzada", 0)),
        "double": words("is worth {points} points, as a double", points=amounts.get("double", 0)),
    }
    yield from (sentences[kind] for kind in sentences if amounts.get(kind))


def _answer_words(own: _PlayEffect, fits: Fits) -> Words:
    """Say how many tiles are left to answer with; name their number if all have the one turned outward."""
    out = own.play.out
    of_out = sum(out in fits[tile] for tile in own.rest)
    if out in own.mine and of_out > 1 and all(out in tile for tile in own.rest if out in fits[tile]):
        return words("leaves you {many} {numbers} to answer with", many=few_words(of_out), numbers=pips_words(out))
    many = few_words(own.answers)
    return several_words("leaves you a tile that fits", "leaves you {many} tiles that fit", own.answers, many=many)


def _train_reasons(view: LayoutView, own: _PlayEffect) -> Iterator[Words]:
    """Yield the effect on this seat's own train."""
    number = next((end.pips for end in view.ends if end.owner == view.seat), None)
    if number is None:
        return
    if end_at(view.ends, own.play.at, own.play.side).owner == view.seat:
        rest = len(long_train(own.play.out, own.rest))
        if rest:
            yield several_words(
                "lets {count} more tile follow on your train", "lets {count} more tiles follow on your train", rest
            )
        return
    planned = long_train(number, view.hand)
    if len(planned) > 1 and own.play.tile not in planned:
        yield words("keeps your train of {count} tiles together", count=len(planned))


def _lack_reasons(
    rules: LayoutRules, match: MatchView, view: LayoutView, own: _PlayEffect, others: list[_PlayEffect]
) -> Iterator[Words]:
    """Yield opponents, the next first, that lacked a number which the play shows, and have drawn nothing since."""
    lacked = lacked_numbers(rules, match, view)
    everywhere = frozenset.intersection(*(other.theirs for other in others)) if others else frozenset()
    candidate_numbers = sorted(own.theirs - everywhere | {own.play.out} & own.theirs, key=lambda n: n != own.play.out)
    for step in range(1, match.players):
        seat = (view.seat + step) % match.players
        passed, numbers = lacked.get(seat, (True, frozenset()))
        lacking = [number for number in candidate_numbers if number in numbers and number >= 0]
        if lacking and seat % match.sides != view.seat % match.sides:
            number_text = pips_words(lacking[0])
            if rules.turns.sheds:
                yield words("{seat} has laid a tile face down on {numbers}", seat=seat, numbers=number_text)
            elif passed:
                yield words("{seat} has passed on {numbers}", seat=seat, numbers=number_text)
            else:
                yield words("{seat} had to draw on {numbers}", seat=seat, numbers=number_text)


def lacked_numbers(rules: LayoutRules, match: MatchView, view: LayoutView) -> dict[int, tuple[bool, frozenset[int]]]:
    """Return for each seat that lacked numbers whether it passed (True) or drew (False), and these numbers."""
    of: dict[int, frozenset[Tile]] = {}
    fits = fits_of(match)
    for number in {pips for numbers in fits.values() for pips in numbers}:
        of[number] = frozenset(tile for tile in fits if number in fits[tile])
    lacked: dict[int, tuple[bool, frozenset[int]]] = {}
    for event, table in observed_events(rules, view, match.history, round_context_of(match)):
        seat = table.turn
        if not table.layout or not isinstance(event, Drew | Passed | PutDown):
            continue
        if isinstance(event, Passed) and event.chosen:
            continue
        if isinstance(event, Drew) and not event.forced:
            lacked.pop(seat, None)
            continue
        fitting = playable_tiles(rules, table)
        numbers = frozenset(number for number, tiles in of.items() if tiles and tiles <= fitting)
        if not isinstance(event, Drew):
            numbers |= lacked.get(seat, (True, frozenset()))[1]
        lacked[seat] = not isinstance(event, Drew), numbers
    return lacked


def _partner_reasons(match: MatchView, view: LayoutView, own: _PlayEffect) -> Iterator[Words]:
    """Yield the number that a partner turned outward first, if the play shows it."""
    for placed in view.layout:
        if placed.seat != view.seat and placed.seat % match.sides == view.seat % match.sides:
            if placed.seat != NOBODY and placed.out in own.theirs and placed.out == own.play.out:
                yield words(
                    "{seat}, your partner, played {numbers} first", seat=placed.seat, numbers=pips_words(placed.out)
                )
            return


def reasons_in_patience(match: MatchView, view: PatienceView, action: Action) -> Reasons:
    """Return the reasons for an action: it begins a solution."""
    way = visible_solution(match, view)
    if not way or way[0] != action:
        return Reasons([])
    deed = several_words("solves the game", "is the first of {count} moves that solve the game", len(way))
    return Reasons([deed])


def reasons_in_combos(match: MatchView, view: ComboView, action: Action) -> Reasons:
    """Return the reasons for a lead, a beat, or hidden tiles."""
    sight, tiles = sight_of(rules_of(match), view), tiles_of(action)
    least = min(cost_of(sight, tiles_of(other)) for other in view.legal if type(other) is type(action))
    if isinstance(action, Hide):
        return Reasons([words("gives away what serves you least")] if cost_of(sight, tiles) == least else [])
    deeds = []
    if is_unbeatable(sight, tiles):
        deeds.append(words("cannot be beaten"))
        size = len(tiles)
        deeds.append(several_words("takes a trick", "takes {count} tricks at once", size))
    elif isinstance(action, Beat) and cost_of(sight, tiles) == least:
        deeds.append(words("beats it as cheaply as you can"))
    elif cost_of(sight, tiles) == least:
        deeds.append(words("risks only what serves you least"))
    return Reasons(deeds)


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
    deeds, facts = REASONS[tag_of(play)](view, play, action) if len(play.legal) > 1 else Reasons([])
    compared = compare_with_rivals(
        thought, action, _action_names(play), marks=view.options.get("42.score") == "marks"
    )
    if thought.exact and compared.effects:
        deeds, facts = [*compared.effects, *deeds], [words("nothing is hidden now")]
    elif compared.better or not deeds:
        deeds = [*deeds, *compared.effects]
    if not deeds:
        alone = len(play.legal) == 1
        deeds = [words("is all that you can do") if alone else words("is what usually serves best")]
    move, deed = _action_names(play)[action], deeds[0]
    short = words("{move} {deed}.", move=move, deed=deed)
    if facts:
        return Hint(action, words("{move} {deed}; {fact}.", move=move, deed=deed, fact=facts[0]), short)
    if len(deeds) > 1:
        return Hint(action, words("{move} {deed}, and {second}.", move=move, deed=deed, second=deeds[1]), short)
    return Hint(action, short, short)


def _action_names(play: AnyView) -> dict[Action, Words]:
    """Return a name for each legal action: the tile, with its end if it fits several."""
    if isinstance(play, LayoutView):
        return names_in_layout(play)
    return {action: action_words(action) for action in play.legal}
