"""Why a bid, a trump or a tile is a good one in a trick game."""

from collections.abc import Iterator

from core.actions import Action, Bid, Bury, Lay, Name, Pass
from core.bots.reasons.parts import Reasons, few_words
from core.layout.state import NOBODY
from core.prompts import suit_words
from core.tiles import Tile
from core.tricks.state import (
    DOUBLES,
    NO_SUIT,
    TRUMPS,
    TrickView,
    count,
    follows,
    strength,
    suit_of,
    trump_suit,
    unseen_in,
    winning,
)
from core.words import Words, several_words, words


def reasons_in_tricks(view: TrickView, tiles: tuple[Tile, ...], action: Action) -> Reasons:
    """Return what speaks for an action; `tiles` is the set."""
    match action:
        case Bid():
            suit, held = _longest(view)
            rests = words("rests on {many} {suit}", many=few_words(held), suit=suit_words(suit))
            return Reasons([rests] if held > 2 else [], _doubles(view))
        case Pass():
            _, held = _longest(view)
            return Reasons([words("fits a hand with no more than {many} of a suit", many=few_words(held))])
        case Name(kind=kind) if kind in TRUMPS:
            held = sum(follows(tile, trump_suit(action), action) for tile in view.hand)
            return Reasons([words("gives you {many} trumps", many=few_words(held))], _doubles(view))
        case Name(kind="none"):
            return Reasons([], _doubles(view))
        case Bury(tile=tile):
            return Reasons([*_burying(view, tile)])
        case Lay(tile=tile):
            return _laying(view, tiles, tile, action)
    return Reasons([])


def _longest(view: TrickView) -> tuple[int, int]:
    """The number of which the hand holds most tiles, and how many; one with its double before others."""
    sizes = {
        number: (sum(number in tile for tile in view.hand), Tile(number, number) in view.hand)
        for number in range(view.highest + 1)
    }
    suit = max(sizes, key=lambda number: (*sizes[number], number))
    return suit, sizes[suit][0]


def _doubles(view: TrickView) -> list[Words]:
    held = sum(tile.is_double for tile in view.hand)
    return (
        [several_words("you hold one double", "you hold {many} doubles", held, many=few_words(held))] if held else []
    )


def _burying(view: TrickView, tile: Tile) -> Iterator[Words]:
    """What it means to do without a tile."""
    suit, held = _longest(view)
    if held > 2 and suit not in tile:
        yield words("keeps your {many} {suit}", many=few_words(held), suit=suit_words(suit))
    doubles = sum(other.is_double for other in view.hand)
    if doubles and not tile.is_double:
        many = few_words(doubles)
        yield several_words("keeps your double", "keeps your {many} doubles", doubles, many=many)


def _laying(view: TrickView, tiles: tuple[Tile, ...], tile: Tile, lay: Lay) -> Reasons:
    trump = view.trump
    if trump is None:
        return Reasons([])
    unseen = unseen_in(view, tiles)
    if view.trick:
        return Reasons(list(_following(view, tile, trump, unseen)))
    suit, trumps = suit_of(tile, trump, small=lay.small), trump_suit(trump)
    deeds, facts = [], []
    out = sum(follows(other, trumps, trump) for other in unseen) if trumps != NO_SUIT else 0
    if trumps != NO_SUIT and follows(tile, trumps, trump) and out:
        deeds.append(words("draws trumps"))
        facts.append(
            several_words("{many} trump is still out", "{many} trumps are still out", out, many=few_words(out))
        )
    if trump.kind != "nello" and suit != NO_SUIT:
        rivals = [other for other in unseen if follows(other, suit, trump)]
        if all(strength(other, suit, trump) < strength(tile, suit, trump) for other in rivals):
            deeds.append(_highest(suit))
    return Reasons(deeds, facts)


def _nothing(_tile: Tile) -> int:
    """No tile counts."""
    return 0


def _highest(suit: int) -> Words:
    if suit == DOUBLES:
        return words("beats all doubles that are still out")
    return words("beats all {suit} that are still out", suit=suit_words(suit))


def _following(view: TrickView, tile: Tile, trump: Name, unseen: list[Tile]) -> Iterator[Words]:
    leading, suit = winning(view.trick, view.suit, trump), view.suit
    own, best = strength(tile, suit, trump), strength(leading.tile, suit, trump)
    last = len(view.trick) + 1 == len(view.counts) - (view.out != NOBODY)
    worth = count if view.bid and view.bid.marks else _nothing
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
