"""Cross and its kin: the first double gets its arms before anything else (`docs/rules` §4.14, §C.13)."""

from functools import partial
from typing import Any

from core.games.line_games import (
    BLOCKED_SCORE,
    BLOCKED_WINNER,
    HANDS,
    TARGET,
    TIE,
    collecting,
    drawing_of,
    hand_of,
    sides_of,
)
from core.games.line_games import DRAWING as LINE_DRAWING
from core.layout.policies import arm_ends, equal_halves, holder_or_search, opener, owed_arms, round_leader
from core.layout.rules import LayoutRules
from core.layout.state import Duty, End, Ending, Goal, Layout, Opening, RoundContext, Start, State, Turns
from core.tiles import Hand, Tile, full_set
from core.variant import Option, Options, Variant
from core.words import BadOption, Words, a_number, phrase, several_words, words

_HAND_OPTION: Option[str] = Option("cross.hand", ("usual", "9/8/7/7/6"), "tiles in a hand", since=2, before="usual")
_USUAL_HANDS = {5: 5, 6: 4, 7: 3, 8: 3}
"""Usual hand by number of players, for more than four."""
_LARGE_HANDS = {4: 9, 5: 8, 6: 7, 7: 7, 8: 6}
_RESERVE_OPTION = Option(
    "draw.reserve", (2, 0, 1), "tiles that stay in the boneyard", unless=("cross.second", "doubles", 0)
)
_MAX_DRAW_OPTION = Option("draw.max", ("∞", 1, 3, 0), "tiles drawn in one turn, at most")


def duty_text(state: State) -> Words:
    """Say which tiles the cross still needs: arms, then, if a rule says so, a double on each."""
    arms = state.owed.count(0)
    if arms:
        return several_words(
            "The cross needs {count} more arm: play {number}.",
            "The cross needs {count} more arms: play {number}.",
            arms,
            number=a_number(state.layout[0].out),
        )
    doubles = sorted(state.layout[at].out for at in state.owed)
    return words(
        "Each arm needs its double first: {doubles}.", doubles=", ".join(f"{number}|{number}" for number in doubles)
    )


def may_lay_double(state: State, tile: Tile, end: End) -> bool:
    """While arms are owed only these, then while doubles are owed only these (`docs/rules` §C.13)."""
    if 0 in state.owed:
        return end.at == 0
    return tile.is_double or not state.owed


def owed_tiles(layout: Layout, *, arms: int) -> int:
    """The centre is owed its arms, and each of them a double."""
    return arms if len(layout) == 1 else int(layout[-1].on == 0)


def top_double(hands: tuple[Hand, ...], context: RoundContext, *, highest: int) -> Opening:
    """The highest double of the set must be led; it is drawn for if nobody holds it."""
    return holder_or_search(hands, Tile(highest, highest), round_leader(len(hands), context, "winner"))


def _hand_size(players: int, options: Options) -> int:
    """Return the number of tiles in a hand. Raises BadOption if the set is too small."""
    if _HAND_OPTION.of(options) == "usual":
        return _USUAL_HANDS[players] if players in _USUAL_HANDS else hand_of(players, options)
    if players not in _LARGE_HANDS:
        raise BadOption(words("cross.hand=9/8/7/7/6 is for four to eight players, not {players}.", players=players))
    if options["cross.set"] == 6:
        raise BadOption(words("cross.hand=9/8/7/7/6 needs cross.set=9 or 12: the double-six set has too few tiles."))
    return _LARGE_HANDS[players]


def _check(options: Options) -> None:
    """Raises BadOption for rules that cannot be kept together."""
    if options["cross.arms"] == 8 and options["cross.set"] == 6:
        raise BadOption(
            words("cross.arms=8 needs cross.set=9 or 12: six tiles go on a double of the double-six set.")
        )
    if options["cross.second"] == "doubles" and (options["draw.reserve"] or not options["draw.max"]):
        raise BadOption(
            words(
                "cross.second=doubles needs draw.reserve=0 and no draw.max=0, so that every double comes into play."
            )
        )


def _build(players: int, options: Options) -> LayoutRules:
    _check(options)
    sides = sides_of(players, options)
    arms, highest = int(options["cross.arms"]), int(options["cross.set"])
    leads_top_double, needs_second_doubles = options["cross.lead"] == "top", options["cross.second"] == "doubles"
    return LayoutRules(
        tiles=full_set(highest),
        seats=players,
        sides=sides,
        start=Start(
            hand=_hand_size(players, options),
            opener=partial(top_double, highest=highest) if leads_top_double else opener("double_or_redeal"),
        ),
        meets=equal_halves,
        opens=partial(arm_ends, arms=arms),
        ending=Ending(collecting(options, sides)),
        goal=Goal(target=int(options["target"])),
        drawing=drawing_of(options, while_owed=1),
        turns=Turns(allows=may_lay_double if needs_second_doubles else None),
        duty=Duty(
            partial(owed_tiles if needs_second_doubles else owed_arms, arms=arms),
            duty_text,
            any_order=needs_second_doubles,
        ),
        shape="star",
    )


_OWN_OPTIONS: dict[str, Option[Any]] = {option.key: option for option in (_RESERVE_OPTION, _MAX_DRAW_OPTION)}

CROSS = Variant(
    id="cross",
    name=phrase("Cross"),
    pitch=phrase("The highest double needs its four arms before anybody may play elsewhere."),
    brief=phrase("four arms first"),
    seats=(2, 8),
    options=(
        Option("cross.set", (6, 9, 12), "the set of tiles", since=2, before=6),
        Option("cross.arms", (4, 8), "arms of the centre", since=2, before=4),
        Option("cross.second", ("none", "doubles"), "what the arms need next", since=2, before="none"),
        Option("cross.lead", ("highest", "top"), "the centre", since=2, before="highest"),
        *(_OWN_OPTIONS.get(option.key, option) for option in LINE_DRAWING),
        _HAND_OPTION,
        *HANDS,
        BLOCKED_WINNER,
        BLOCKED_SCORE,
        TIE,
        Option("target", (100, 50, 60, 61, 150, 200, 250, 500), TARGET.words),
    ),
    build=_build,
    changed=3,
)
