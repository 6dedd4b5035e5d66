"""Puts a hint into words: the move that a thought comes to, and at most two reasons for it."""

from collections.abc import Callable
from random import Random
from typing import Any

from core.actions import Action, Beat, Hide
from core.bots.combos import cost, sight_of, sure, tiles_of
from core.bots.greedy import greedy_bot, seen_solution
from core.bots.questions import Question, Thought
from core.bots.reasons.layouts import named_in_layout, reasons_in_layout
from core.bots.reasons.parts import Hint, Reasons, action_words, counted
from core.bots.reasons.tricks import reasons_in_tricks
from core.bots.rules import round_of, rules_of
from core.combos.state import ComboView
from core.layout.state import LayoutView
from core.match import MatchView
from core.patience.state import PatienceView
from core.variant import AnyView, tag_of
from core.words import Words, several_words, words


def reasons_in_patience(match: MatchView, view: PatienceView, action: Action) -> Reasons:
    """Return what speaks for an action: that it is the first of a solution."""
    way = seen_solution(match, view)
    if not way or way[0] != action:
        return Reasons([])
    deed = several_words("solves the game", "is the first of {count} moves that solve the game", len(way))
    return Reasons([deed])


def reasons_in_combos(match: MatchView, view: ComboView, action: Action) -> Reasons:
    """Return what speaks for a lead, for beating, or for what is hidden."""
    sight, tiles = sight_of(rules_of(match), view), tiles_of(action)
    least = min(cost(sight, tiles_of(each)) for each in view.legal if type(each) is type(action))
    if isinstance(action, Hide):
        return Reasons([words("gives away what serves you least")] if cost(sight, tiles) == least else [])
    deeds = []
    if sure(sight, tiles):
        deeds.append(words("cannot be beaten"))
        size = len(tiles)
        deeds.append(several_words("takes a trick", "takes {count} tricks at once", size))
    elif isinstance(action, Beat) and cost(sight, tiles) == least:
        deeds.append(words("beats it as cheaply as you can"))
    elif cost(sight, tiles) == least:
        deeds.append(words("risks only what serves you least"))
    return Reasons(deeds)


LEVEL = "hard"
"""How hard is thought about a hint."""
REASONS: dict[str, Callable[[MatchView, Any, Any], Reasons]] = {
    "layout": reasons_in_layout,
    "tricks": lambda match, view, action: reasons_in_tricks(view, rules_of(match).tiles, action),
    "patience": reasons_in_patience,
    "combos": reasons_in_combos,
}


def asked(view: MatchView) -> Question:
    """Return what to think about for a hint: the same for equal views."""
    return Question(view, LEVEL, b"hint")


def hint(view: MatchView, thought: Thought | None) -> Hint:
    """Say what to do and why, from what a seat sees; without a thought, what plain rules say.

    It depends on nothing but the view and the thought.
    """
    play = round_of(view)
    thought = thought or Thought(greedy_bot(view, Random(0)), [])
    action = thought.choice
    deeds, facts = REASONS[tag_of(play)](view, play, action) if len(play.legal) > 1 else Reasons([])
    compared = counted(thought, action, _names(play, first=False), marks=view.options.get("42.score") == "marks")
    if thought.exact and compared.told:
        deeds, facts = [*compared.told, *deeds], [words("nothing is hidden any more")]
    elif compared.better or not deeds:
        deeds = [*deeds, *compared.told]
    if not deeds:
        alone = len(play.legal) == 1
        deeds = [words("is all that you can do") if alone else words("is what usually serves best")]
    move, deed = _names(play, first=True)[action], deeds[0]
    short = words("{move} {deed}.", move=move, deed=deed)
    if facts:
        return Hint(action, words("{move} {deed}; {fact}.", move=move, deed=deed, fact=facts[0]), short)
    if len(deeds) > 1:
        return Hint(action, words("{move} {deed}, and {second}.", move=move, deed=deed, second=deeds[1]), short)
    return Hint(action, short, short)


def _names(play: AnyView, *, first: bool) -> dict[Action, Words]:
    """What each legal action is called: a tile with the end where it goes, if it goes to several."""
    if isinstance(play, LayoutView):
        return named_in_layout(play, first=first)
    return {action: action_words(action, first=first) for action in play.legal}
