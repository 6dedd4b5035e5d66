"""Parts of a hint's sentences: the move, its effects, and facts that speak for it."""

from typing import NamedTuple

from core.actions import (
    Action,
    Beat,
    Bid,
    Bury,
    Claim,
    Draw,
    Fill,
    GiveUp,
    Hide,
    Lay,
    Lead,
    Name,
    Pass,
    Play,
    Shed,
    Silent,
    Take,
    Tuck,
)
from core.bots.profiles import Thought
from core.prompts import bid_words, suit_words, tiles_text, trump_words
from core.tiles import STAR, Tile
from core.tricks.state import DOUBLES
from core.words import Words, several_words, words

MIN_DIFFERENCE = 0.05
"""Smallest difference that is not written as 0.0."""


class Reasons(NamedTuple):
    """Reasons for a move, the weightiest first."""

    effects: list[Words]
    """Effects of the move; the move itself is the subject."""
    facts: list[Words] = []
    """Other facts, as sentences of their own."""


class Hint(NamedTuple):
    """A move and its reason: one sentence, and a shorter one where there is less room."""

    action: Action
    why: Words
    short: Words


def number_as_word(number: int) -> Words:
    """Return a small number as a word."""
    small = (
        *(words("one"), words("two"), words("three"), words("four"), words("five")),
        *(words("six"), words("seven"), words("eight"), words("nine")),
    )
    return small[number - 1] if 0 < number <= len(small) else words("{number}", number=number)


def pips_words(number: int) -> Words:
    """Return a number of the set in the plural: blanks, ones, and so on."""
    return suit_words(number) if number < DOUBLES else words("{number}s", number=number)


def tile_words(tile: Tile) -> Words:
    """Return the words for a tile within a sentence."""
    return words("the wildstar") if tile == STAR else words("{tile}", tile=str(tile))


_FIXED_ACTION_WORDS: dict[type[Action], Words] = {
    Draw: words("drawing"),
    Pass: words("passing"),
    Claim: words("claiming"),
    Silent: words("silence"),
    GiveUp: words("giving up"),
}


def action_words(action: Action) -> Words:
    """Return an action for use within a sentence."""
    match action:
        case Play(tile=tile) | Lay(tile=tile):
            return tile_words(tile)
        case Bid():
            return words("a bid of {bid}", bid=bid_words(action))
        case Name():
            return words("naming {trump}", trump=trump_words(action))
        case Bury(tile=tile):
            return words("putting {tile} away", tile=tile_words(tile))
        case Shed(tile=tile):
            return words("laying {tile} face down", tile=str(tile))
        case Tuck(tile=tile):
            return words("putting {tile} at the end of your row", tile=str(tile))
        case Lead(tiles=tiles) | Beat(tiles=tiles):
            return words("{tiles}", tiles=tiles_text(tiles))
        case Hide(tiles=tiles):
            return words("hiding {tiles}", tiles=tiles_text(tiles))
        case Take(tiles=tiles):
            return words("taking {tiles}", tiles=", ".join(map(str, tiles)))
        case Fill(tile=tile):
            return words("moving {tile}", tile=str(tile))
    return _FIXED_ACTION_WORDS[type(action)]


def number_words(value: float) -> Words:
    """Return a number of points, with one decimal if it is not whole."""
    whole, tenths = divmod(round(abs(value) * 10), 10)
    sign = "−" if value < 0 and (whole or tenths) else ""
    if not tenths:
        return words("{number}", number=f"{sign}{whole}")
    return words("{whole}.{tenths}", whole=f"{sign}{whole}", tenths=tenths)


def _amount_words(number: Words, *, marks: bool) -> Words:
    if str(number) == "1":
        return words("one mark") if marks else words("one point")
    return words("{number} marks", number=number) if marks else words("{number} points", number=number)


class SearchComparison(NamedTuple):
    """A search's comparison of a move with the best other one."""

    effects: list[Words] = []
    """An effect of the move, if there is anything to say."""
    better: bool = False
    """True if the move is better, as far as can be seen."""


def compare_with_rivals(
    thought: Thought, action: Action, names: dict[Action, Words], *, marks: bool
) -> SearchComparison:
    """Compare a move with the best other move that has another name in `names`."""
    gains = {value.action: value for value in thought.judged}
    rivals = [value for value in thought.judged if names.get(value.action, names[action]) != names[action]]
    if action not in gains or not rivals:
        return SearchComparison()
    own_value, rival = gains[action], max(rivals, key=lambda value: value.gain)
    rival_words, lead = names[rival.action], own_value.gain - rival.gain
    if thought.exact:
        return SearchComparison(
            [_exact_comparison(own_value.gain, rival.gain, rival_words, marks=marks)], lead >= MIN_DIFFERENCE
        )
    deals = several_words("{count} possible deal", "{count} possible deals", own_value.worlds)
    if lead < MIN_DIFFERENCE:
        return SearchComparison([words("does as well as {other} in {deals}", other=rival_words, deals=deals)])
    lead_words = _amount_words(number_words(lead), marks=marks)
    return SearchComparison(
        [words("beats {other} by {lead} in {deals}", other=rival_words, lead=lead_words, deals=deals)], True
    )


def _exact_comparison(own_gain: float, rival_gain: float, rival_words: Words, *, marks: bool) -> Words:
    if abs(own_gain - rival_gain) < MIN_DIFFERENCE:
        return words("is as good as {other}, whatever follows", other=rival_words)
    if own_gain < 0:
        own_loss, rival_loss = _amount_words(number_words(-own_gain), marks=marks), number_words(-rival_gain)
        return words("loses only {own}; {other} loses {rival}", own=own_loss, rival=rival_loss, other=rival_words)
    gain_words = _amount_words(number_words(own_gain), marks=marks)
    if rival_gain < 0:
        return words(
            "gains {own}; {other} loses {rival}", own=gain_words, rival=number_words(-rival_gain), other=rival_words
        )
    return words(
        "gains {own}; {other} only {rival}", own=gain_words, rival=number_words(rival_gain), other=rival_words
    )
