"""What the sentences of a hint are made of: the move, what it does, and facts that speak for it."""

from typing import NamedTuple

from core.actions import (
    Action,
    ActionForOne,
    Beat,
    Bid,
    Bury,
    Claim,
    ComboAction,
    Draw,
    Fill,
    Hide,
    Lay,
    Lead,
    Name,
    Pass,
    Play,
    Shed,
    Take,
    Tuck,
)
from core.bots.questions import Thought
from core.prompts import bid_words, suit_words, tiles_words, trump_words
from core.tiles import STAR, Tile
from core.tricks.state import DOUBLES
from core.words import Words, several_words, words

NOTABLE = 0.05
"""A difference that is not written as 0.0."""


class Reasons(NamedTuple):
    """What speaks for a move, the weightiest first."""

    deeds: list[Words]
    """What the move does; the move itself is the subject."""
    facts: list[Words] = []
    """What else is so; sentences of their own."""


class Hint(NamedTuple):
    """A move, and why: in one sentence, and in a shorter one for where there is less room."""

    action: Action
    why: Words
    short: Words


def few_words(number: int) -> Words:
    """A small number as a word."""
    small = (
        *(words("one"), words("two"), words("three"), words("four"), words("five")),
        *(words("six"), words("seven"), words("eight"), words("nine")),
    )
    return small[number - 1] if 0 < number <= len(small) else words("{number}", number=number)


def pips_words(number: int) -> Words:
    """A number of the set in the plural: blanks, ones, and so on."""
    return suit_words(number) if number < DOUBLES else words("{number}s", number=number)


def tile_words(tile: Tile, *, first: bool) -> Words:
    """A tile, as the `first` of a sentence or within it."""
    if tile == STAR:
        return words("The wildstar") if first else words("the wildstar")
    return words("{tile}", tile=str(tile))


def action_words(action: Action, *, first: bool) -> Words:
    """What may be done, as the `first` of a sentence or within it."""
    if isinstance(action, ComboAction | ActionForOne):
        return _laid_or_taken_words(action, first=first)
    match action:
        case Play(tile=tile) | Lay(tile=tile):
            return tile_words(tile, first=first)
        case Bid():
            bid = bid_words(action)
            return words("A bid of {bid}", bid=bid) if first else words("a bid of {bid}", bid=bid)
        case Name():
            trump = trump_words(action)
            return words("Naming {trump}", trump=trump) if first else words("naming {trump}", trump=trump)
        case Bury(tile=tile):
            put = tile_words(tile, first=False)
            return words("Putting {tile} away", tile=put) if first else words("putting {tile} away", tile=put)
        case Draw():
            return words("Drawing") if first else words("drawing")
        case Pass():
            return words("Passing") if first else words("passing")
        case Shed(tile=tile):
            down = str(tile)
            return (
                words("Laying {tile} face down", tile=down) if first else words("laying {tile} face down", tile=down)
            )
        case Tuck(tile=tile):
            tucked = str(tile)
            return (
                words("Putting {tile} to the end of your row", tile=tucked)
                if first
                else words("putting {tile} to the end of your row", tile=tucked)
            )
        case Claim():
            return words("Claiming") if first else words("claiming")
    return words("Silence") if first else words("silence")


def _laid_or_taken_words(action: ComboAction | ActionForOne, *, first: bool) -> Words:
    """The same of combinations, and of games for one."""
    match action:
        case Lead(tiles=tiles) | Beat(tiles=tiles):
            return words("{tiles}", tiles=tiles_words(tiles))
        case Hide(tiles=tiles):
            down = tiles_words(tiles)
            return words("Hiding {tiles}", tiles=down) if first else words("hiding {tiles}", tiles=down)
        case Take(tiles=tiles):
            taken = ", ".join(map(str, tiles))
            return words("Taking {tiles}", tiles=taken) if first else words("taking {tiles}", tiles=taken)
        case Fill(tile=tile):
            moved = str(tile)
            return words("Moving {tile}", tile=moved) if first else words("moving {tile}", tile=moved)
    return words("Giving up") if first else words("giving up")


def number_words(value: float) -> Words:
    """A number of points, with one decimal where it needs one."""
    whole, tenths = divmod(round(abs(value) * 10), 10)
    sign = "−" if value < 0 and (whole or tenths) else ""
    if not tenths:
        return words("{number}", number=f"{sign}{whole}")
    return words("{whole}.{tenths}", whole=f"{sign}{whole}", tenths=tenths)


def _amount(number: Words, *, marks: bool) -> Words:
    if str(number) == "1":
        return words("one mark") if marks else words("one point")
    return words("{number} marks", number=number) if marks else words("{number} points", number=number)


class Compared(NamedTuple):
    """What a search says of a move beside the best other one."""

    told: list[Words] = []
    """A deed, if there is anything to say."""
    better: bool = False
    """Whether the move is better, as far as can be seen."""


def counted(thought: Thought, action: Action, names: dict[Action, Words], *, marks: bool) -> Compared:
    """Compare a move with the best other one that has another of these names."""
    gains = {each.action: each for each in thought.judged}
    rivals = [each for each in thought.judged if names.get(each.action, names[action]) != names[action]]
    if action not in gains or not rivals:
        return Compared()
    own, rival = gains[action], max(rivals, key=lambda each: each.gain)
    other, lead = names[rival.action], own.gain - rival.gain
    if thought.exact:
        return Compared([_exactly(own.gain, rival.gain, other, marks=marks)], lead >= NOTABLE)
    deals = several_words("{count} possible deal", "{count} possible deals", own.worlds)
    if lead < NOTABLE:
        return Compared([words("does as well as {other} in {deals}", other=other, deals=deals)])
    by = _amount(number_words(lead), marks=marks)
    return Compared([words("beats {other} by {lead} in {deals}", other=other, lead=by, deals=deals)], True)


def _exactly(own: float, rival: float, other: Words, *, marks: bool) -> Words:
    if abs(own - rival) < NOTABLE:
        return words("is as good as {other}, whatever follows", other=other)
    if own < 0:
        lost, more = _amount(number_words(-own), marks=marks), number_words(-rival)
        return words("loses only {own}; {other} loses {rival}", own=lost, rival=more, other=other)
    gain = _amount(number_words(own), marks=marks)
    if rival < 0:
        return words("gains {own}; {other} loses {rival}", own=gain, rival=number_words(-rival), other=other)
    return words("gains {own}; {other} only {rival}", own=gain, rival=number_words(rival), other=other)
