"""Jie Long, Connect the Dragon, and its kin: a line of Chinese tiles with one open end (`docs/rules` §C.5)."""

from functools import partial
from typing import Literal

from core.actions import RoundOver, Term
from core.layout.policies import equal_halves, one_end, opener, two_ends
from core.layout.rules import LayoutRules
from core.layout.state import Drawing, Ending, Goal, Start, State, Turns, fair_hands
from core.tiles import CHINESE_SET, CIVIL, hand, pips
from core.variant import Option, Options, Variant
from core.words import BadOption, RoundEnd, phrase, words

Kind = Literal["long", "ce-deng", "ding-niu"]
Pay = Literal["difference", "own", "chip", "places"]
"""Each pair of players settles its difference; each writes their own count; each loser gives the winner a chip; or
the losers give 1, 2, … chips by rank.
"""

DING_NIU_SET = tuple(sorted((*CIVIL, *CIVIL, *hand("6|3 6|2"))))
HAND = {2: 16, 3: 10, 4: 8}
"""Tiles by the number of players; three leave two tiles out of play."""
DOUBLES = 7
"""Number of doubles in a hand that Ce Deng deals again."""
OWN_TARGET = 100
"""Points that end a match in which each player writes their own count."""


def settle(state: State, *, pay: Pay, doubling: bool) -> RoundOver:
    """Count the tiles that each seat laid face down or still holds; the lowest count wins.

    A tie goes to the tied seat that comes first in turn order, beginning with the leader. With `doubling`, as in Ce
    Deng, a payment doubles if the payee laid no tile face down, and again if the payer laid all tiles face down.
    """
    hands = state.all_tiles
    counts, seats = [pips(tiles) for tiles in hands], range(len(hands))
    winner = min(seats, key=lambda seat: (counts[seat], _seats_from_leader(state, seat)))
    terms: list[list[Term]] = [[] for _ in seats]
    if pay == "own":
        for seat in seats:
            terms[seat] = [Term("pips", seat, counts[seat])] if counts[seat] else []
    elif pay == "difference":
        for payee in seats:
            for payer in seats:
                if counts[payee] < counts[payer]:
                    factor = _factor(state, payer, payee) if doubling else 1
                    _pay(terms, payer, payee, factor * (counts[payer] - counts[payee]))
    else:
        losers = sorted(
            (seat for seat in seats if seat != winner),
            key=lambda seat: (counts[seat], -_seats_from_leader(state, seat)),
        )
        for place, payer in enumerate(losers, 1):
            factor = _factor(state, payer, winner) if doubling else 1
            _pay(terms, payer, winner, factor * (place if pay == "places" else 1))
    how: RoundEnd = "blocked" if any(state.hands) else "all_laid"
    return RoundOver(how, winner, hands, tuple(map(tuple, terms)))


def _seats_from_leader(state: State, seat: int) -> int:
    """Return the number of seats from the leader to `seat`."""
    return (seat - state.leader) % len(state.hands)


def _factor(state: State, payer: int, payee: int) -> int:
    """Return Ce Deng's factor: 2 if the payee has no tile face down, times 2 if the payer laid nothing else."""
    laid = {placed.seat for placed in state.layout[1:]}
    return (1 if state.all_tiles[payee] else 2) * (1 if payer in laid else 2)


def _pay(terms: list[list[Term]], payer: int, payee: int, amount: int) -> None:
    terms[payer].append(Term("paid", payee, -amount))
    terms[payee].append(Term("got", payer, amount))


def _build(players: int, options: Options) -> LayoutRules:
    kind, pay = _GAME_OPTION.of(options), _PAY_OPTION.of(options)
    if kind != "long" and players != 4:
        raise BadOption(words("jl.game={game} needs four players, not {players}.", game=kind, players=players))
    ding_niu, lead_opener = kind == "ding-niu", opener("lot_winner")
    return LayoutRules(
        tiles=DING_NIU_SET if ding_niu else CHINESE_SET,
        seats=players,
        sides=players,
        start=Start(
            hand=6 if ding_niu else HAND[players],
            opener=partial(fair_hands, opener=lead_opener, doubles=DOUBLES) if kind == "ce-deng" else lead_opener,
        ),
        meets=equal_halves,
        opens=two_ends if ding_niu else one_end,
        ending=Ending(partial(settle, pay=pay, doubling=kind == "ce-deng"), until="block"),
        goal=Goal(target=OWN_TARGET, lowest=True) if pay == "own" else Goal(rounds=int(options["jl.rounds"])),
        drawing=Drawing(max_per_turn=0),
        turns=Turns(sheds=True),
        faces="chinese",
    )


_GAME_OPTION: Option[Kind] = Option("jl.game", ("long", "ce-deng", "ding-niu"), "which of the Chinese line games")
_PAY_OPTION: Option[Pay] = Option(
    "jl.pay",
    ("difference", "own", "chip", "places"),
    "what the counts are worth",
    unless=("jl.game", "ding-niu", "places"),
)

JIE_LONG = Variant(
    id="jie-long",
    name=phrase("Jie Long"),
    pitch=phrase("Chinese tiles, one open end: when nothing fits, a tile is laid face down, and its pips count."),
    brief=phrase("Chinese tiles"),
    seats=(2, 4),
    options=(_GAME_OPTION, _PAY_OPTION, Option("jl.rounds", (8, 4, 16), "rounds in a match")),
    build=_build,
)
