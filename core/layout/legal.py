"""What the seat on turn may do in a position of a layout game: lay, draw, pass, or nothing at all."""

from typing import TYPE_CHECKING

from core.actions import Action, Draw, Pass, Play
from core.layout.parts import Allows
from core.layout.placed import End
from core.layout.state import State
from core.tiles import Tile
from core.vocabulary import PassReason

if TYPE_CHECKING:
    from core.layout.rules import LayoutRules

DRAW, PASS = Draw(), Pass()


def leads(state: State) -> tuple[Action, ...]:
    """Every way to lead; or a draw, while the centre is searched for."""
    opening = state.opening
    hand = state.hands[state.turn]
    if opening.wanted is not None and opening.wanted not in hand:
        return (DRAW,)
    tiles = opening.tiles or (opening.wanted,)
    return tuple(Play(tile, -1, 0, tile.high) for tile in tiles if tile)


def plays(rules: "LayoutRules", state: State) -> tuple[Play, ...]:
    """Every way to lay a tile of a hand; mirror places on one tile count as one move (`docs/rules` §0)."""
    meets, allows, ends = rules.meets, _allows(rules, state), _in_force(rules, state)
    places = list({(end.at, end.pips, end.owner): end for end in reversed(ends)}.values())[::-1]
    hand = state.hands[state.turn]
    if hand[0].low < 0:  # wild tiles sort first, and identical ones are one choice
        hand = tuple(dict.fromkeys(hand))
    return tuple(
        [
            Play(tile, end.at, end.side, out)
            for tile in hand
            for end in places
            for out in meets(tile, end)
            if allows is None or allows(state, tile, end)
        ]
    )


def instead(rules: "LayoutRules", state: State, playable: tuple[Action, ...]) -> tuple[Action, ...]:
    """What a seat that can play may do instead: draw, or end its turn."""
    drawing, is_spared = rules.drawing, spared(rules, state, playable)
    kept = drawing.keep and state.stuck
    if state.going == "may":
        return (PASS,)
    if (is_spared or (drawing.voluntary and not kept)) and may_draw(rules, state):
        return (DRAW, PASS) if kept else (DRAW,)
    return (PASS,) if kept or (is_spared and rules.duty and rules.duty.allows) else ()


def draws(rules: "LayoutRules", state: State) -> int:
    """How many tiles a draw takes now: all that the turn forces, or one where the seat could play."""
    if any(isinstance(action, Play) for action in state.legal):
        return 1
    most, ends = may_draw(rules, state), _in_force(rules, state)
    for number, tile in enumerate(state.boneyard[:most], 1):
        if any(_fits(rules, state, tile, end) for end in ends):
            return number
    return most


def may_draw(rules: "LayoutRules", state: State) -> int:
    """How many tiles the seat on turn may still draw."""
    drawing = rules.drawing
    most = min(drawing.most, drawing.while_owed) if state.owed else drawing.most
    return max(0, min(most - state.drawn, len(state.boneyard) - drawing.reserve))


def spared(rules: "LayoutRules", state: State, playable: tuple[Action, ...]) -> bool:
    """Whether no play is forced: there is none, all are of spared tiles, or none answers what is owed."""
    spares = rules.drawing.spares
    if spares and all(isinstance(play, Play) and play.tile in spares for play in playable):
        return True
    if not state.owed or not rules.duty or not rules.duty.allows:
        return not playable
    return not any(isinstance(play, Play) and play.at == state.owed[0] for play in playable)


def blocked(rules: "LayoutRules", state: State) -> bool:
    """Nobody holds a placeable tile and nobody may ever draw again."""
    drawing = rules.drawing
    if drawing.most and len(state.boneyard) > drawing.reserve:
        return False
    if drawing.ends == "always" or (drawing.ends == "turn" and not state.drawn):
        return True
    meets, ends = rules.meets, _in_force(rules, state)
    return not any(meets(tile, end) for end in ends for hand in state.hands for tile in hand)


def why_passed(rules: "LayoutRules", state: State) -> PassReason:
    """Why a seat that passes does so: see `core.actions.Passed`."""
    drawing = rules.drawing
    if isinstance(state.legal[0], Play):
        return "enough" if state.going else "kept"
    if not drawing.most:
        return "no_drawing"
    if len(state.boneyard) > drawing.reserve:
        return "limit"
    return "reserve" if state.boneyard else "empty"


def _in_force(rules: "LayoutRules", state: State) -> tuple[End, ...]:
    """The ends that may be played on by somebody: all, or those of the tile that must be answered first."""
    if not state.owed or (rules.duty and rules.duty.allows):
        return state.ends
    first = state.owed[0]
    return tuple(end for end in state.ends if end.at == first)


def _fits(rules: "LayoutRules", state: State, tile: Tile, end: End) -> bool:
    allows = _allows(rules, state)
    return bool(rules.meets(tile, end)) and (allows is None or allows(state, tile, end))


def _allows(rules: "LayoutRules", state: State) -> Allows | None:
    return rules.duty.allows if state.owed and rules.duty and rules.duty.allows else rules.turns.allows
