"""Four Rounds: two players, an open start tile, at most three draws, penalties (`docs/rules` §2.10)."""

from functools import partial
from typing import Literal

from core.actions import RoundOver, Term
from core.layout.policies import equal_halves, two_ends
from core.layout.rules import LayoutRules
from core.layout.state import NOBODY, UNLIMITED, Drawing, Ending, Goal, Opening, RoundContext, Start, State
from core.tiles import Hand, Tile, full_set, pips
from core.variant import Option, Options, Variant
from core.words import phrase

BONUS = 5
Bonus = Literal["winner_minus_5", "opponent_plus_5"]


def start_tile(order: tuple[Tile, ...], _context: RoundContext) -> Tile:
    """The first tile of the shuffled set that is no double."""
    return next(tile for tile in order if not tile.is_double)


def alternate(_hands: tuple[Hand, ...], context: RoundContext) -> Opening:
    """White, seat 0, begins odd rounds, Black even ones."""
    return Opening((context.round - 1) % 2, (), "rotation")


def settle(state: State, *, bonus: Bonus) -> RoundOver:
    """Both get their own pips as a penalty; going out is worth five."""
    hands = state.hands
    terms = [[Term("pips", seat, pips(hand))] if hand else [] for seat, hand in enumerate(hands)]
    out_seat = next((seat for seat, hand in enumerate(hands) if not hand), NOBODY)
    if out_seat != NOBODY:
        winner_gets = bonus == "winner_minus_5"
        terms[out_seat if winner_gets else 1 - out_seat].append(
            Term("bonus", out_seat, -BONUS if winner_gets else BONUS)
        )
    return RoundOver("out" if out_seat != NOBODY else "stuck", out_seat, hands, tuple(map(tuple, terms)))


def _build(players: int, options: Options) -> LayoutRules:
    max_draw = options["bn.max_draw"]
    return LayoutRules(
        tiles=full_set(6),
        seats=players,
        sides=players,
        start=Start(hand=7, opener=alternate, aside=start_tile),
        meets=equal_halves,
        opens=two_ends,
        ending=Ending(partial(settle, bonus=_BONUS_OPTION.of(options))),
        goal=Goal(rounds=4, lowest=True, tie="draw"),
        drawing=Drawing(max_per_turn=max_draw if isinstance(max_draw, int) else UNLIMITED, reserve=2, ends="always"),
    )


_BONUS_OPTION: Option[Bonus] = Option("bn.bonus", ("winner_minus_5", "opponent_plus_5"), "what going out is worth")

FOUR_ROUNDS = Variant(
    id="four-rounds",
    name=phrase("Four Rounds"),
    pitch=phrase("A duel over four rounds: few draws, penalties for tiles that you keep, five off for going out."),
    brief=phrase("a duel"),
    seats=(2, 2),
    options=(
        Option("bn.max_draw", (3, "∞"), "tiles drawn in one turn, at most"),
        _BONUS_OPTION,
    ),
    build=_build,
)
