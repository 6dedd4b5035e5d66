"""What the seat on turn may do in a position of a layout game: lay, draw, pass, or nothing at all."""

from typing import TYPE_CHECKING

from core.actions import Action, Draw, Pass, Play, Shed, Tuck
from core.layout.fits import Fitting
from core.layout.parts import Allows
from core.layout.placed import End
from core.layout.state import State
from core.vocabulary import PassReason

if TYPE_CHECKING:
    from core.layout.rules import LayoutRules

DRAW, PASS = Draw(), Pass()


def leads(rules: "LayoutRules", state: State) -> tuple[Action, ...]:
    """Every way to lead; or a draw, while the centre is searched for, or a pass for a seat that may lead nothing.

    Where a led tile is open at one half only, either may be the one.
    """
    opening = state.opening
    hand = state.hands[state.turn]
    if opening.wanted and not any(tile in hand for tile in opening.wanted):
        return (DRAW,)
    tiles = [tile for tile in dict.fromkeys(opening.tiles or opening.wanted) if tile in hand]
    if rules.turns.blind:
        tiles = tiles[:1]
    plays = [
        Play(tile, -1, 0, out if out >= 0 else opening.shows)
        for tile in tiles
        for out in ((tile.high, tile.low) if rules.one_ended and tile.low != tile.high else (tile.high,))
    ]
    return tuple(plays) or (PASS,)


def sheds(state: State) -> tuple[Shed, ...]:
    """Every way to lay a tile face down."""
    return tuple([Shed(tile) for tile in dict.fromkeys(state.hands[state.turn])])


def plays(rules: "LayoutRules", state: State) -> tuple[Play, ...]:
    """Every way to lay a tile of a hand; mirror places on one tile count as one move (`docs/rules` §0)."""
    allows, ends = rules.turns.allows, state.ends
    if state.owed:
        allows, ends = _allows(rules, state), _in_force(rules, state)
    hand = state.hands[state.turn]
    if rules.has_equals:  # equal tiles are one choice
        hand = tuple(dict.fromkeys(hand))
    found = []
    if len(ends) == 2 and ends[0].at != ends[1].at:  # most positions of most games
        left, right = ends
        ways = rules.fits.on_line[left.pips, left.at == 0, right.pips, right.at == 0]
        for tile in hand:
            if tile in ways:
                for place, out in ways[tile]:
                    end = ends[place]
                    if allows is None or allows(state, tile, end):
                        found.append(Play(tile, end.at, end.side, out))
        return tuple(found)
    if len({end.at for end in ends}) < len(ends):
        ends = tuple({(end.at, end.pips, end.owner): end for end in reversed(ends)}.values())[::-1]
    places = _places(rules, ends)
    for tile in hand:
        for end, fitting in places:
            if tile in fitting and (allows is None or allows(state, tile, end)):
                for out in fitting[tile]:
                    found.append(Play(tile, end.at, end.side, out))
    return tuple(found)


def turned(rules: "LayoutRules", state: State) -> tuple[Play, ...]:
    """Every way to lay the tile turned over from a row that nobody sees; of two equal ends it is the older one."""
    first = state.hands[state.turn][0]
    found: dict[int, Play] = {}
    for play in sorted(plays(rules, state), key=lambda play: (play.at, play.side)):
        if play.tile == first:
            found.setdefault(play.out, play)
    return tuple(found.values())


def tucks(state: State) -> tuple[Tuck, ...]:
    """The one thing to do with a tile turned over that fits nowhere."""
    return (Tuck(state.hands[state.turn][0]),)


def instead(rules: "LayoutRules", state: State, playable: tuple[Action, ...]) -> tuple[Action, ...]:
    """What a seat that can play may do instead: draw, or end its turn."""
    drawing = rules.drawing
    kept = drawing.keep and state.stuck
    if state.going == "may":
        return (PASS,)
    if not (kept or drawing.voluntary or drawing.spares or state.owed):
        return ()
    is_spared = spared(rules, state, playable)
    if (is_spared or (drawing.voluntary and not kept)) and may_draw(rules, state):
        return (DRAW, PASS) if kept else (DRAW,)
    return (PASS,) if kept or (is_spared and rules.duty and rules.duty.allows) else ()


def draws(rules: "LayoutRules", state: State) -> int:
    """How many tiles a draw takes now: all that the turn forces, or one where the seat could play."""
    if any(isinstance(action, Play) for action in state.legal):
        return 1
    most, allows = may_draw(rules, state), _allows(rules, state)
    places = _places(rules, _in_force(rules, state))
    for number, tile in enumerate(state.boneyard[:most], 1):
        if any(tile in fitting and (allows is None or allows(state, tile, end)) for end, fitting in places):
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
    for _, fitting in _places(rules, _in_force(rules, state)):
        tiles = fitting.keys()
        for hand in state.hands:
            if not tiles.isdisjoint(hand):
                return False
    return True


def why_passed(rules: "LayoutRules", state: State) -> PassReason:
    """Why a seat that passes does so: see `core.actions.Passed`."""
    drawing = rules.drawing
    if not state.layout:
        return "no_lead"
    if isinstance(state.legal[0], Play):
        return "enough" if state.going else "kept"
    if not drawing.most:
        return "no_drawing"
    if len(state.boneyard) > drawing.reserve:
        return "limit"
    return "reserve" if state.boneyard else "empty"


def _places(rules: "LayoutRules", ends: tuple[End, ...]) -> list[tuple[End, Fitting]]:
    """Each of these ends, with the tiles that fit there."""
    on_end = rules.fits.on_end
    return [(end, on_end[end.pips, end.at == 0]) for end in ends]


def _in_force(rules: "LayoutRules", state: State) -> tuple[End, ...]:
    """The ends that may be played on by somebody: all, or those of the tile that must be answered first."""
    if not state.owed or (rules.duty and rules.duty.allows):
        return state.ends
    first = state.owed if rules.duty and rules.duty.any_order else state.owed[:1]
    return tuple([end for end in state.ends if end.at in first])


def _allows(rules: "LayoutRules", state: State) -> Allows | None:
    return rules.duty.allows if state.owed and rules.duty and rules.duty.allows else rules.turns.allows
