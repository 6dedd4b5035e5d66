"""Partners: two against two in a plain line, where last tiles and passes may pay (`docs/rules` §C.1)."""

from functools import partial
from typing import Literal

from core.actions import RoundOver, Scored, Term
from core.layout.blocking import BlockWinner, count_passes, last_tile, winner_of
from core.layout.policies import by_lot, equal_halves, highest_double, in_rotation, previous_winner, two_ends
from core.layout.rules import LayoutRules
from core.layout.state import NOBODY, Drawing, Ending, Goal, Opening, RoundContext, Start, State, Turns
from core.tiles import Hand, Tile, full_set, pips
from core.variant import Option, Options, Variant
from core.words import BadOption, phrase, words

SIDES = 2
HAND_BONUSES = (100, 75, 50, 25)
"""Extra points for the winners of the first hands of a match."""
First = Literal["double", "lot"]
Lead = Literal["winner", "rotate", "double"]
Tie = Literal["none", "leader", "blocker", "others"]
"""The winner of a block of equal hands: none, the leader, the seat that laid last, or the seat after it."""


def opening(hands: tuple[Hand, ...], context: RoundContext, *, first: First, lead: Lead) -> Opening:
    """The first hand is led by double or by lot; later hands by the winner, by the next seat, or by double again."""
    if lead == "double" or (context.leader == NOBODY and first == "double"):
        return highest_double(hands, context)
    if context.leader == NOBODY:
        return by_lot(hands, context)
    if lead == "winner" and context.winner != NOBODY:
        return previous_winner(hands, context)
    return in_rotation(hands, context)


def in_tens(count: int) -> int:
    """Return the payment for counted pips where they are counted in tens."""
    return max(2, -(-count // 10)) if count > 2 else 0


def settle(state: State, *, options: Options) -> RoundOver:
    """Pay the winning side the pips that count, with the bonuses for the last tile and the first hands."""
    hands, is_out = state.hands, () in state.hands
    winner, tied = winner_of(state, SIDES, _BLOCK_OPTION.of(options))
    if tied:
        last_seat = state.layout[-1].seat
        winner_by_tie = {
            "none": NOBODY,
            "leader": state.leader,
            "blocker": last_seat,
            "others": (last_seat + 1) % len(hands),
        }
        winner = winner_by_tie[_TIE_OPTION.of(options)]
    carry = (1,) if state.before.carry or count_passes(state) else ()
    sums: list[tuple[Term, ...]] = [()] * SIDES
    if winner != NOBODY:
        side = winner % SIDES
        sums[side] = _hand_terms(hands, side, options)
        if is_out:
            sums[side] += _last_tile(state, winner, sum(term.amount for term in sums[side]), options)
        if options["pt.hand_bonus"] == "yes" and state.before.round <= len(HAND_BONUSES):
            sums[side] += (Term("hand_bonus", NOBODY, HAND_BONUSES[state.before.round - 1]),)
    return RoundOver("out" if is_out else "blocked", winner, hands, tuple(sums), tied, carry=carry)


def _hand_terms(hands: tuple[Hand, ...], side: int, options: Options) -> tuple[Term, ...]:
    """Return the hands that count for a side, with the adjustment for counting in tens."""
    counts_all_hands = options["pt.count"] == "all"
    terms = tuple(
        Term("pips", seat, pips(hand))
        for seat, hand in enumerate(hands)
        if hand and (counts_all_hands or seat % SIDES != side)
    )
    count = sum(term.amount for term in terms)
    if options["pt.pay"] == "tens":
        terms += (Term("tens", NOBODY, in_tens(count) - count),)
    return terms


def _last_tile(state: State, seat: int, points: int, options: Options) -> tuple[Term, ...]:
    """Return the bonus of a hand for a capicúa or a chuchazo."""
    last, capicua, chuchazo = last_tile(state), options["pt.capicua"], int(options["pt.chuchazo"])
    has_required_ends = last.matched_end != last.other_end or options["pt.capicua_ends"] == "any"
    if capicua and last.also_fitted_other_end and has_required_ends and not last.tile.is_double:
        return (Term("capicua", seat, points if capicua == "double" else int(capicua)),)
    if chuchazo and last.tile == Tile(0, 0) and last.other_end:
        return (Term("chuchazo", seat, chuchazo),)
    return ()


def awards(state: State, *, options: Options) -> tuple[Scored, ...]:
    """Return the points that a pass brings to the other side: right after the lead, as the third pass after a play,
    and as the first pass of the match.
    """
    last_placed, next_seat = state.layout[-1], (state.turn + 1) % len(state.hands)
    lead_pass, round_pass, first_pass, stop = (
        int(options[key]) for key in ("pt.pass_first", "pt.pass_all", "pt.first_pass", "pt.pass_stop")
    )
    scores = []
    if not state.turns:
        scores.append(
            Scored(last_placed.seat, lead_pass if last_placed.tile.is_double else 2 * lead_pass, reason="lead_pass")
        )
    if next_seat == last_placed.seat:
        scores.append(Scored(last_placed.seat, round_pass, reason="round_pass"))
    if not state.before.carry and not count_passes(state):
        scores.append(Scored(next_seat, first_pass, reason="first_pass"))
    stop_score = int(options["target"]) - stop
    return tuple(
        scored for scored in scores if scored.points and not (stop and state.score(scored.seat % SIDES) >= stop_score)
    )


def _build(players: int, options: Options) -> LayoutRules:
    stop, target, is_double_nine = int(options["pt.pass_stop"]), int(options["target"]), options["set"] == 9
    if stop >= target:
        raise BadOption(
            words("pt.pass_stop={stop} needs a target above {stop}, not target={target}.", stop=stop, target=target)
        )
    return LayoutRules(
        tiles=full_set(9 if is_double_nine else 6),
        seats=players,
        sides=SIDES,
        start=Start(
            hand=10 if is_double_nine else 7,
            opener=partial(opening, first=_FIRST_OPTION.of(options), lead=_LEAD_OPTION.of(options)),
        ),
        meets=equal_halves,
        opens=two_ends,
        ending=Ending(partial(settle, options=options)),
        goal=Goal(target=target, tie="winner", shutout="zapato"),
        drawing=Drawing(max_per_turn=0),
        turns=Turns(awards=partial(awards, options=options)),
    )


_FIRST_OPTION: Option[First] = Option("pt.first", ("double", "lot"), "who leads the first round")
_LEAD_OPTION: Option[Lead] = Option("pt.lead", ("winner", "rotate", "double"), "who leads later rounds")
_BLOCK_OPTION: Option[BlockWinner] = Option("pt.block", ("team", "single", "duel"), "who wins a blocked round")
_TIE_OPTION: Option[Tie] = Option(
    "pt.tie", ("none", "leader", "blocker", "others"), "who wins a block of equal hands"
)

PARTNERS = Variant(
    id="partners",
    name=phrase("Partners"),
    pitch=phrase("Two against two, as in all of Latin America; last tiles and passes can score."),
    brief=phrase("two against two"),
    seats=(4, 4),
    options=(
        Option("set", (6, 9), "the set of tiles"),
        _FIRST_OPTION,
        _LEAD_OPTION,
        _BLOCK_OPTION,
        _TIE_OPTION,
        Option("pt.count", ("losers", "all"), "the hands whose pips count"),
        Option("pt.pay", ("pips", "tens"), "what the counted pips score"),
        Option("pt.capicua", (0, 25, 30, 50, 100, "double"), "a capicúa: a last tile for both ends"),
        Option("pt.capicua_ends", ("different", "any"), "ends of a capicúa"),
        Option("pt.chuchazo", (0, 25, 30, 100), "a chuchazo: going out with 0|0"),
        Option("pt.pass_first", (0, 25, 30), "a pass right after the lead"),
        Option("pt.pass_all", (0, 10, 25, 30), "three passes after one play"),
        Option("pt.first_pass", (0, 2), "the first pass of the match"),
        Option("pt.pass_stop", (0, 30), "when passes stop scoring"),
        Option("pt.hand_bonus", ("no", "yes"), "more for the first four rounds"),
        Option("target", (100, 150, 200, 300, 350, 500, 20), "points that end the match"),
    ),
    build=_build,
    counter_clockwise=True,
)
