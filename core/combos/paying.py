"""What a round of Tien Gow pays to whoever took the last trick, by the tricks of each (`docs/rules` §C.6)."""

from typing import Literal

from core.actions import Term

Banker = Literal["fixed", "rising"]
"""Whether what the banker pays and gets counts twice, or once more with each round in a row as banker."""
NOTHING, USUAL = 5, 4
"""What a seat pays that took nothing, and from what its tricks are taken off else."""


def due(taken: int) -> int:
    """Return what a seat pays for so many tricks; below nought it is paid."""
    return USUAL - taken if taken else NOTHING


def settled(
    taken: tuple[int, ...], winner: int, banker: int, *, rule: Banker = "fixed", in_a_row: int = 1, times: int = 1
) -> tuple[tuple[Term, ...], ...]:
    """Return by seat the terms of what it scores; the banker has been one for so many rounds `in_a_row`.

    What is paid to the winner counts so many `times`.
    """
    sums: list[list[Term]] = [[] for _ in taken]
    for seat, tricks in enumerate(taken):
        amount = due(tricks)
        if seat == winner or not amount:
            continue
        if banker in (seat, winner):
            amount *= _factor(rule, in_a_row, lost_but_paid=seat == banker and amount < 0)
        if amount > 0:
            amount *= times
        sums[seat].append(Term("paid" if amount > 0 else "got", winner, -amount))
        sums[winner].append(Term("got" if amount > 0 else "paid", seat, amount))
    return tuple(map(tuple, sums))


def _factor(rule: Banker, in_a_row: int, *, lost_but_paid: bool) -> int:
    if rule == "fixed":
        return 2
    return 1 if lost_but_paid else in_a_row + 1


def bonus(
    payee: int, banker: int, amount: int, *, rule: Banker = "fixed", in_a_row: int = 1, seats: int = 4
) -> tuple[int, ...]:
    """Return by seat what is paid at once by all others to one, with the banker's factor."""
    factor = _factor(rule, in_a_row, lost_but_paid=False)
    paid = [-amount * (factor if banker in (seat, payee) else 1) if seat != payee else 0 for seat in range(seats)]
    paid[payee] = -sum(paid)
    return tuple(paid)
