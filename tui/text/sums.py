"""The sums that lead to a side's points, in words: where each number comes from, and who pays whom."""

from collections.abc import Collection

from core.actions import Term
from core.layout.spinner import FIVE, nearest
from core.tiles import STAR, Hand
from core.vocabulary import TermKind
from core.words import phrase
from tui.i18n import _

OF_NO_HAND: dict[TermKind, str] = {
    "boneyard": phrase("{amount} in the boneyard"),
    "share": phrase("{amount} as an equal share"),
    "rounded": phrase("{amount} by rounding"),
    "eggs": phrase("{amount} of eggs"),
    "hung": phrase("{amount} that hung"),
    "waits": phrase("{amount} that hang"),
    "lost": phrase("{amount}, too few to be written"),
    "wall": phrase("{amount} kept back by the wall"),
    "out": phrase("{amount} for going out"),
    "blank": phrase("{amount} for 0|0"),
    "blank_halves": phrase("{amount} for blank halves"),
    "star": phrase("{amount} for wild halves"),
    "tens": phrase("{amount} by counting in tens"),
    "capicua": phrase("{amount} for the capicúa"),
    "chuchazo": phrase("{amount} for the chuchazo"),
    "hand_bonus": phrase("{amount} as this hand's bonus"),
    "both_ends": phrase("{amount} for the lá-e-lô"),
    "cruzada": phrase("{amount} for the cruzada"),
    "double": phrase("{amount} for going out by a double"),
    "block": phrase("{amount} for the block"),
    "key": phrase("{amount} for the key"),
    "reset": phrase("{amount} as all go back to nothing"),
    "unwon": phrase("{amount} for blocks that nobody won"),
}
"""Numbers that are no hand's pips, whoever gets them."""


def sum_of(
    terms: tuple[Term, ...], names: tuple[str, ...], hands: tuple[Hand, ...] = (), alone: Collection[int] = ()
) -> str:
    """Write out a sum: `12 from bela + 50 for 0|0 − 2 held by ada`.

    Without names it is the bare numbers, for where there is little room, but for those that are no hand's pips. Of
    `hands` that are known it tells where their pips were rounded. The pips of who scores `alone` are plainly theirs.
    """
    written = ""
    for term in terms:
        minus = term.amount < 0 or term.what == "own"
        sign = (" − " if minus else " + ") if written else ("−" if minus else "")
        written += sign + _term(term, names, hands, alone)
    return written


def _term(term: Term, names: tuple[str, ...], hands: tuple[Hand, ...], alone: Collection[int]) -> str:
    amount = abs(term.amount)
    if term.what in OF_NO_HAND:
        return _(OF_NO_HAND[term.what], amount=amount)
    if not names or term.seat < 0:
        return str(amount)
    if term.seat in alone and term.what in ("pips", "own"):
        told = _("{amount} held", amount=amount) if term.what == "own" else str(amount)
    else:
        told = _between(term, amount, names[term.seat])
    counts = term.what in ("pips", "own") and hands
    return told + _rounding(amount, sum(tile.pips for tile in hands[term.seat] if tile != STAR)) if counts else told


def _between(term: Term, amount: int, name: str) -> str:
    """A number that has to do with somebody."""
    match term.what:
        case "bonus":
            return _("{amount} as {name} is out", amount=amount, name=name)
        case "paid":
            return _("{amount} paid to {name}", amount=amount, name=name)
        case "got":
            return _("{amount} paid by {name}", amount=amount, name=name)
        case "own":
            return _("{amount} held by {name}", amount=amount, name=name)
    return _("{amount} from {name}", amount=amount, name=name)


def _rounding(counted: int, pips: int) -> str:
    """What was done to a hand's pips before they counted; empty for nothing."""
    rounded = (nearest(pips), nearest(pips, 3))
    if counted == pips or counted not in (*rounded, rounded[0] // FIVE):
        return ""
    how = _("rounded") if counted in rounded else _("in fives")
    return f" ({how})"
