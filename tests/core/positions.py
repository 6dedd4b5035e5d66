"""Positions in the words of the rule book: hands, ends and a boneyard as text."""

from collections import Counter

from core.actions import Play, RoundOver
from core.combos.state import ComboState, ComboView
from core.games import GAMES
from core.layout.rules import LayoutRules
from core.layout.state import NOBODY, End, LayoutView, Opening, PlacedTile, RoundContext, State, end_at
from core.patience.state import PatienceState, PatienceView
from core.tiles import Tile, hand, in_order, tile


def rules(game: str, players: int, **options: object) -> LayoutRules:
    """Return the rules of a game; in option keys `__` stands for the dot: draw__reserve=2."""
    return GAMES[game].rules(players, {key.replace("__", "."): v for key, v in options.items()})[1]


def position(
    game_rules: LayoutRules,
    ends: tuple[int, int],
    *hands: str,
    boneyard: str = "",
    turn: int = 0,
    laid=(1, 0),
) -> State:
    """Return a line with two ends; `laid` are the seats that laid the last tiles, the latest last."""
    left, right = ends
    layout = (
        PlacedTile(tile(f"{left}|{right}"), -1, 0, right, laid[0]),
        *(PlacedTile(tile("9|8"), at, 1, 9, seat) for at, seat in enumerate(laid[1:])),
    )
    return game_rules.complete(
        State(
            hands=tuple(map(hand, hands)),
            boneyard=in_order(boneyard),
            layout=layout,
            ends=(End(0, 0, left), End(1, 1, right)),
            turn=turn,
            opening=Opening(0, (), "lot"),
            before=RoundContext(lot=0),
        )
    )


def one_ended(
    game_rules: LayoutRules, on: int, *hands: str, shed=(), turn=0, leader=0, laid=(0, 1), boneyard=""
) -> State:
    """Return a line whose right or only end shows `on`; `shed` lies face down before the seats."""
    layout = tuple(
        PlacedTile(tile("6|5"), at - 1, 1, 6 if at < len(laid) - 1 else on, seat) for at, seat in enumerate(laid)
    )
    ends = (End(len(laid) - 1, 1, on),)
    if not game_rules.one_ended:
        ends = (End(0, 0, 5), *ends)
    return game_rules.complete(
        State(
            hands=tuple(map(hand, hands)),
            boneyard=in_order(boneyard),
            layout=layout,
            ends=ends,
            turn=turn,
            opening=Opening(leader, (), "winner"),
            before=RoundContext(lot=0, leader=leader),
            shed=tuple(map(in_order, shed)),
        )
    )


def centred(game: LayoutRules, hands, arms, *, boneyard="", turn=0, centre="9|9") -> State:
    """Return a round with a centre and arms of one tile that show `arms`; the other arms are owed."""
    middle = tile(centre)
    layout = (PlacedTile(middle, -1, 0, middle.low, NOBODY),)
    ends, owed = game.opens(layout, (), None), (0,) * game.duty.owed(layout)
    for side, pips in enumerate(arms):
        layout = (*layout, PlacedTile(tile(f"{middle.low}|{pips}"), 0, side, pips, 0))
        ends, owed = game.opens(layout, ends, end_at(ends, 0, side)), owed[1:]
    return game.complete(
        State(
            tuple(map(hand, hands)),
            in_order(boneyard),
            layout,
            ends,
            turn,
            Opening(0, (), "centre"),
            RoundContext(lot=0),
            owed=owed,
        )
    )


def deal_of(game_rules, *hands, before=None):
    """Deal so that the seats get `hands`; the rest of the set follows in order."""
    held = [t for text in hands for t in in_order(text)]
    rest = list((Counter(game_rules.tiles) - Counter(held)).elements())
    order, size = [], game_rules.start.hand
    for text in hands:
        own = list(in_order(text))
        order += own + [rest.pop() for _ in range(size - len(own))]
    return game_rules.deal(tuple(order + rest), before or RoundContext(lot=0))


def plays(state: State) -> list[str]:
    """Return the legal plays as `tile@end→outward`, sorted."""
    pips_by_end = {(end.at, end.side): end.pips for end in state.ends}
    return sorted(f"{p.tile}@{pips_by_end[p.at, p.side]}→{p.out}" for p in state.legal if isinstance(p, Play))


def on_table(seen) -> list[Tile]:
    """Return the tiles that lie open, in a state or a view of any family of games."""
    if isinstance(seen, State | LayoutView):
        return [placed.tile for placed in seen.layout]
    if isinstance(seen, PatienceState | PatienceView):
        piles = seen.laid.piles if isinstance(seen, PatienceState) else seen.piles
        return [card for pile in piles for card in pile]
    if isinstance(seen, ComboState | ComboView):
        puts = [*seen.trick, *(put for trick in seen.tricks for put in trick.puts)]
        return [tile for put in puts if put.up for tile in put.tiles]
    return [laid.tile for laid in (*seen.trick, *(laid for trick in seen.tricks for laid in trick.tiles))]


def result(state: State) -> RoundOver:
    """Return the result of a round that is over."""
    assert state.result is not None
    assert state.legal == ()
    return state.result


def play(game_rules: LayoutRules, state: State, text: str) -> State:
    """Lay the tile that `text` names, on the first end it fits, or on the end after `@`."""
    name, _, on = text.partition("@")
    pips_by_end = {(end.at, end.side): end.pips for end in state.ends}
    action = next(
        p
        for p in state.legal
        if isinstance(p, Play) and p.tile == tile(name) and (not on or pips_by_end[p.at, p.side] == int(on))
    )
    return game_rules.apply(state, action)[0]
