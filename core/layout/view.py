"""What one seat may know of a layout game, built field by field: the one place where a round is cut to a seat."""

from collections import Counter

from msgspec.structs import replace

from core.actions import Play
from core.layout.parts import Drawing, Earns, Opens
from core.layout.state import NOBODY, LayoutView, Placed, State, end_at
from core.tiles import STAR, Hand, Tile
from core.vocabulary import Faces, Shape
from core.words import Words


def seen_by(
    seat: int,
    state: State,
    *,
    drawing: Drawing,
    highest: int,
    shape: Shape,
    faces: Faces,
    blind: bool,
    says: Words | None,
    worth: tuple[int, ...],
    count: tuple[int, ...] = (),
) -> LayoutView:
    """Return what `seat` may know; -1 is a spectator."""
    left = len(state.boneyard)
    yours = seat == state.turn
    return LayoutView(
        seat=seat,
        hand=_hand(state, seat, blind=blind),
        counts=tuple(map(len, state.hands)),
        boneyard=left,
        reserve=min(drawing.reserve, left) if drawing.most else left,
        layout=state.layout,
        ends=state.ends,
        turn=NOBODY if state.result else state.turn,
        drawn=state.drawn,
        legal=state.legal if yours else (),
        opening=state.opening.reason if not state.layout else "",
        result=state.result,
        highest=highest,
        shape=shape,
        owed=state.owed,
        open=state.open,
        says=says,
        worth=worth if yours else (),
        pending=state.pending.points if state.pending else 0,
        count=count,
        going=state.going,
        turns=state.turns,
        stuck=state.stuck,
        faces=faces,
        shed=tuple(map(len, state.shed)),
        own_shed=state.shed[seat] if state.shed and seat != NOBODY else (),
        rows=_rows(state) if blind and not state.result else (),
    )


def _hand(state: State, seat: int, *, blind: bool) -> Hand:
    """What a seat holds; in a row that nobody sees, only the tile that it has turned over."""
    if seat == NOBODY or (blind and (seat != state.turn or state.result)):
        return ()
    return state.hands[seat][:1] if blind else state.hands[seat]


def _rows(state: State) -> tuple[Hand, ...]:
    """Every row as all see it: the first tile of the seat on turn, and doubles that were put to the end."""
    return tuple(
        tuple(
            tile if tile in state.up or (seat == state.turn and not place) else STAR for place, tile in enumerate(row)
        )
        for seat, row in enumerate(state.hands)
    )


def unseen_in(view: LayoutView, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Return the tiles of the set that the seat does not see: those of the others, and what is in the boneyard."""
    left = Counter(tiles)
    left.subtract((*view.hand, *view.own_shed, *(placed.tile for placed in view.layout)))
    return tuple((+left).elements())


def worth_of(state: State, earns: Earns, opens: Opens) -> tuple[int, ...]:
    """What each legal play would score at once."""
    points = []
    for play in state.legal:
        if isinstance(play, Play):
            layout = (*state.layout, Placed(play.tile, play.at, play.side, play.out, state.turn))
            on = end_at(state.ends, play.at, play.side) if play.at >= 0 else None
            points.append(earns(replace(state, layout=layout, ends=opens(layout, state.ends, on)))[0])
    return tuple(points)
