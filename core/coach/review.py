"""The review of a match: every decision judged, and the luck of its deals; in parts, which may be done anywhere."""

from collections.abc import Collection, Iterable

from msgspec import Struct

from core.coach.judging import Judgement, judge, too_noisy, total_of
from core.coach.luck import Luck, RoundLuck, luck_of
from core.coach.recorded import Deal, Decision, Recorded
from core.coach.swing import threshold_of

Part = Deal | Decision
"""What can be judged by itself."""
Found = RoundLuck | Judgement | None
"""What comes of a part."""
MOMENTS = 3
"""That decided a match; more would be a list."""


class Review(Struct, frozen=True):
    """What a coach says of a match. A program is given it as it is."""

    game: str
    seats: tuple[str, ...]
    scores: tuple[int, ...]
    """By side; the side of a seat is seat modulo sides."""
    winners: tuple[int, ...]
    reviewed: tuple[int, ...]
    """The seats whose decisions were judged."""
    noisy: bool
    """Whether luck drowns single decisions: then only losses that the solver proves are among `decisions`."""
    threshold: float
    """Points that a blunder costs at least."""
    decisions: tuple[Judgement, ...]
    luck: Luck

    def of(self, seat: int) -> list[Judgement]:
        """Return the judgements of a seat's decisions."""
        return [each for each in self.decisions if each.seat == seat]

    def lost(self, seat: int) -> tuple[float, float]:
        """What a seat's decisions have cost, and its standard error."""
        return total_of(self.of(seat))

    @property
    def moments(self) -> list[Judgement]:
        """The decisions that cost most: those that are sure first, as they were played."""
        named = [each for each in self.decisions if each.kind != "fine"]
        named.sort(key=lambda each: (each.kind == "close", -each.loss))
        return sorted(named[:MOMENTS], key=lambda each: each.number)

    def best(self, seat: int) -> Judgement | None:
        """Return the decision of a seat from which the next best was furthest; None where each could be replaced."""
        judged = max(self.of(seat), key=lambda each: each.margin, default=None)
        return judged if judged and judged.margin > self.threshold else None

    def dearest(self, seat: int) -> Judgement | None:
        """Return the decision of a seat that cost most, sure ones first; None where none can be called a mistake."""
        return max(
            (each for each in self.of(seat) if each.kind != "fine"),
            key=lambda each: (each.kind != "close", each.loss),
            default=None,
        )


def people_of(match: Recorded) -> tuple[int, ...]:
    """Return the seats of people, or all if there are only bots."""
    seats = range(len(match.seats))
    return tuple(seat for seat in seats if not match.seats[seat].bot) or tuple(seats)


def parts_of(match: Recorded, seats: Collection[int]) -> list[Part]:
    """Return what must be found out for a review: the luck, and the decisions of these seats."""
    return [*match.deals, *(decision for decision in match.decisions if decision.seat in seats)]


def by_round(parts: Iterable[Part]) -> list[Part]:
    """Return parts in the order of their rounds, so that what is found out of each comes together."""
    return sorted(parts, key=lambda part: part.round)


def find_out(part: Part) -> Found:
    """Find out what there is to say of a part."""
    return luck_of(part) if isinstance(part, Deal) else judge(part)


def review_of(match: Recorded, seats: tuple[int, ...], found: Iterable[Found]) -> Review:
    """Put together what was found out."""
    rounds, judgements = [], []
    for each in found:
        if isinstance(each, RoundLuck):
            rounds.append(each)
        elif each:
            judgements.append(each)
    view, last = match.match.view(-1), match.match
    return Review(
        last.variant.id,
        tuple(seat.name for seat in match.seats),
        last.scores,
        last.winners,
        seats,
        too_noisy(view),
        threshold_of(view),
        tuple(judgements),
        Luck.of(rounds, last.rules.sides),
    )
