"""Stakes: a draw game for money, where shutting the line on purpose pays or costs (`docs/rules` §2.9)."""

from functools import partial
from typing import Literal, NamedTuple

from core.actions import RoundOver, Term
from core.layout.blocking import Blame, Neighbour, Window, blame
from core.layout.policies import equal_halves, opener, two_ends
from core.layout.rules import LayoutRules
from core.layout.state import NOBODY, Ending, Goal, Start, State
from core.tiles import full_set, pips
from core.variant import Option, Options, Variant
from core.words import RoundEnd, phrase

BlockersTie = Literal["loses", "wins"]
AssistantPays = Literal["all", "own_dots"]
BlockersShare = Literal["own_dots", "lowest_only", "inverse"]
"""The payees of a losing blocker: each gets their own dots, only the lowest hand is paid, or lighter hands get more.
"""


class Payment(NamedTuple):
    """A debt of one seat to another, in units per dot."""

    payer: int
    payee: int
    amount: int


def seats_following(last_seat: int, seats: int) -> list[int]:
    """Return the seats in the order of play after the seat that laid the last bone."""
    return [(last_seat + step) % seats for step in range(1, seats + 1)]


def losers_pay(dots: list[int], winner: int) -> list[Payment]:
    """Every loser pays their dots to the player who went out."""
    return [Payment(seat, winner, seat_dots) for seat, seat_dots in enumerate(dots) if seat != winner]


def everybody_pays(dots: list[int], last_seat: int) -> list[Payment]:
    """Without a culprit, all pay their dots to the lowest hand; several lowest hands share each payment."""
    lowest = [seat for seat, seat_dots in enumerate(dots) if seat_dots == min(dots)]
    first_payee = next(seat for seat in seats_following(last_seat, len(dots)) if seat in lowest)
    payments = []
    for seat, seat_dots in enumerate(dots):
        if seat not in lowest:
            payments += _divide(seat, seat_dots, lowest, first_payee)
    return payments


def blocker_pays(
    dots: list[int],
    culprits: Blame,
    last_seat: int,
    *,
    loss_factor: int,
    tie: BlockersTie,
    assist_pays: AssistantPays,
    share: BlockersShare,
) -> list[Payment]:
    """The blocker wins twice the others' dots, or pays for them; with an assistant only these two settle."""
    blocker, assistant = culprits
    others = [seat for seat in range(len(dots)) if seat != blocker]
    total = sum(dots[seat] for seat in others)
    least = min(dots[seat] for seat in others)
    if dots[blocker] < least or (tie == "wins" and dots[blocker] == least):
        if assistant == NOBODY:
            return [Payment(seat, blocker, 2 * dots[seat]) for seat in others]
        return [Payment(assistant, blocker, 2 * (dots[assistant] if assist_pays == "own_dots" else total))]
    if assistant != NOBODY:
        return [Payment(blocker, assistant, loss_factor * total)]
    if share == "own_dots":
        return [Payment(blocker, seat, loss_factor * dots[seat]) for seat in others]
    if share == "lowest_only":
        lowest = [seat for seat in others if dots[seat] == least]
        first_payee = next(seat for seat in seats_following(last_seat, len(dots)) if seat in lowest)
        return _divide(blocker, loss_factor * total, lowest, first_payee)
    weights = [total - dots[seat] for seat in others] if len(others) > 1 else [1]
    order = [seat for seat in seats_following(last_seat, len(dots)) if seat in others]
    return _in_proportion(blocker, loss_factor * total, dict(zip(others, weights, strict=True)), order)


def _divide(payer: int, amount: int, payees: list[int], first_payee: int) -> list[Payment]:
    """Divide `amount` equally; units left over go to `first_payee`."""
    share, remainder = divmod(amount, len(payees))
    return [Payment(payer, seat, share + remainder * (seat == first_payee)) for seat in payees]


def _in_proportion(payer: int, amount: int, weights: dict[int, int], order: list[int]) -> list[Payment]:
    """Divide `amount` in proportion to `weights`, rounded down; units left over go to the seats in order."""
    total = sum(weights.values())
    amounts = {seat: amount * weight // total if total else 0 for seat, weight in weights.items()}
    remainder = amount - sum(amounts.values())
    for seat in order[:remainder]:
        amounts[seat] += 1
    return [Payment(payer, seat, part) for seat, part in amounts.items()]


def cap_by_means(payments: list[Payment], purses: list[int], order: list[int]) -> list[Payment]:
    """A seat pays at most its purse before the round, shared among its payees in proportion to its debts."""
    paid: list[Payment] = []
    for payer, purse in enumerate(purses):
        debts = [payment for payment in payments if payment.payer == payer]
        if sum(payment.amount for payment in debts) <= purse:
            paid += debts
        else:
            weights = {payment.payee: payment.amount for payment in debts}
            paid += _in_proportion(payer, purse, weights, [seat for seat in order if seat in weights])
    return paid


def settle(state: State, *, options: Options) -> RoundOver:
    """Settle the round: the payments, the blocker and the assistant."""
    hands = state.hands
    seats = len(hands)
    dots = list(map(pips, hands))
    last_seat = state.layout[-1].seat
    order = seats_following(last_seat, seats)
    culprits = Blame()
    how: RoundEnd
    if not hands[last_seat]:
        how, winner, payments = "out", last_seat, losers_pay(dots, last_seat)
    else:
        lowest = [seat for seat, seat_dots in enumerate(dots) if seat_dots == min(dots)]
        how, winner = "blocked", lowest[0] if len(lowest) == 1 else NOBODY
        culprits = blame(
            state.past, state, window=_WINDOW_OPTION.of(options), assistant=_ASSISTANT_OPTION.of(options)
        )
        if culprits.blocker == NOBODY:
            payments = everybody_pays(dots, last_seat)
        else:
            payments = blocker_pays(
                dots,
                culprits,
                last_seat,
                loss_factor=int(options["sm.k"]),
                tie=_TIE_OPTION.of(options),
                assist_pays=_ASSIST_PAYS_OPTION.of(options),
                share=_SHARE_OPTION.of(options),
            )
    if options["sm.debts"] == "off":
        purse = int(options["sm.purse"])
        scores = state.before.scores or (0,) * seats
        payments = cap_by_means(payments, [purse + score for score in scores], order)
    sums: list[list[Term]] = [[] for _ in range(seats)]
    for payer, payee, amount in payments:
        if amount:
            sums[payer].append(Term("paid", payee, -amount))
            sums[payee].append(Term("got", payer, amount))
    return RoundOver(
        how, winner, hands, tuple(map(tuple, sums)), blocker=culprits.blocker, assistant=culprits.assistant
    )


def _build(players: int, options: Options) -> LayoutRules:
    return LayoutRules(
        tiles=full_set(6 if options["sm.set"] == "D6" else 7),
        seats=players,
        sides=players,
        start=Start(hand=7, opener=opener("lot_winner")),
        meets=equal_halves,
        opens=two_ends,
        ending=Ending(partial(settle, options=options), looks_back=True),
        goal=Goal(rounds=int(options["sm.rounds"])),
    )


_WINDOW_OPTION: Option[Window] = Option(
    "sm.window", ("lap", "closing", "unlimited"), "which play can be blamed for a block"
)
_ASSISTANT_OPTION: Option[Neighbour] = Option("sm.assistant", ("before", "next"), "who may have helped the blocker")
_TIE_OPTION: Option[BlockersTie] = Option("sm.tie", ("loses", "wins"), "a blocker who ties for the lowest hand")
_ASSIST_PAYS_OPTION: Option[AssistantPays] = Option(
    "sm.assist_pays", ("all", "own_dots"), "what the assistant of a winning blocker pays"
)
_SHARE_OPTION: Option[BlockersShare] = Option(
    "sm.share", ("own_dots", "lowest_only", "inverse"), "who gets what a losing blocker pays"
)

STAKES = Variant(
    id="stakes",
    name=phrase("Stakes"),
    pitch=phrase("Every pip is money; shut the line on purpose and you win double or pay for all."),
    brief=phrase("every pip is money"),
    seats=(2, 4),
    options=(
        _WINDOW_OPTION,
        _ASSISTANT_OPTION,
        Option("sm.k", (1, 2), "what a losing blocker pays"),
        _TIE_OPTION,
        _ASSIST_PAYS_OPTION,
        _SHARE_OPTION,
        Option("sm.set", ("D6", "D7"), "the set of tiles"),
        Option("sm.rounds", (10, 1, 5, 15, 20, 30, 50, 100), "rounds in a match", largest=1000),
        Option("sm.debts", ("off", "on"), "paying more than you have"),
        Option("sm.purse", (300, 100, 200, 500, 1000), "what everybody starts with"),
    ),
    build=_build,
    counter_clockwise=True,
)
