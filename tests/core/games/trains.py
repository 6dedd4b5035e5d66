"""Positions of Mexican Train in the words of its rules: the number that each train shows, and the legal plays."""

from core.actions import Play
from core.layout.rules import LayoutRules
from core.layout.state import NOBODY, End, Opening, PlacedTile, RoundContext, State
from core.tiles import hand, in_order, tile


def table(
    game: LayoutRules,
    hands,
    *,
    trains,
    mexican=None,
    boneyard="",
    marks=(),
    turn=0,
    owed=(),
    turns=50,
    engine="12|12",
) -> State:
    """Return a round in which each seat's train and the Mexican Train show a number, or are unstarted (None).

    A train that shows a number is one tile long, from the engine to that number.
    """
    centre = tile(engine)
    layout = [PlacedTile(centre, -1, 0, centre.high, NOBODY)]
    ends = []
    for side, pips in enumerate((*trains, mexican)):
        owner = side if side < len(trains) else NOBODY
        if pips is None:
            ends.append(End(0, side, centre.high, owner))
        else:
            layout.append(PlacedTile(tile(f"{centre.high}|{pips}"), 0, side, pips, max(owner, 0)))
            ends.append(End(len(layout) - 1, 1, pips, owner))
    return game.complete(
        State(
            tuple(map(hand, hands)),
            in_order(boneyard),
            tuple(layout),
            tuple(ends),
            turn,
            Opening(0, (), "rotation"),
            RoundContext(lot=0),
            owed=owed,
            open=tuple(marks),
            turns=turns,
        )
    )


def where(state: State) -> list[str]:
    """Return the legal plays as `tile@owner`: a seat's letter, or MT."""
    owners = {(end.at, end.side): "MT" if end.owner == NOBODY else "ABCDEFGH"[end.owner] for end in state.ends}
    return sorted(f"{a.tile}@{owners[a.at, a.side]}" for a in state.legal if isinstance(a, Play))


def lay(game, state, text):
    """Lay a tile on a train: `3|3@A`."""
    name, _, owner = text.partition("@")
    seat = NOBODY if owner == "MT" else "ABCDEFGH".index(owner)
    at = {(end.at, end.side) for end in state.ends if end.owner == seat}
    action = next(a for a in state.legal if isinstance(a, Play) and a.tile == tile(name) and (a.at, a.side) in at)
    return game.apply(state, action)


def mt_1(game, boneyard="8|3"):
    return table(
        game, ("3|3 9|4 12|1 7|6", "9|9 10|3 9|2", "0|0 1|1"), trains=(3, 9, None), marks=(1,), boneyard=boneyard
    )
