"""The review of a match: its deals and every decision, judged, and its luck; in parts, which may be done anywhere.

A decision is judged by what the seat knew then: what it cost compared with the best, and how sure that is. Rounds
between equals show how much is at stake in a usual one, the measure for what counts as a blunder, and how the same
hands would have gone between them: that is luck, apart from the play.
"""

from collections.abc import Collection, Iterable
from functools import lru_cache
from hashlib import sha256
from math import sqrt
from random import Random
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from core.actions import Action
from core.bots.greedy import greedy_bot
from core.bots.levels import Bot, easy_bot, think
from core.bots.questions import ActionValue, Effort, Thought
from core.bots.rules import round_of, rules_of
from core.bots.search import lead
from core.fair import deal_order
from core.games import GAMES
from core.layout.rules import LayoutRules
from core.match import Match, MatchView, new_match
from core.records import PLAYED, ActionLine, BackLine, DealLine, MatchLine, Seat, Step, referee, write
from core.tiles import Tile
from core.variant import Options, Value


class Decision(Struct, frozen=True):
    """A choice between several actions, and what was chosen."""

    round: int
    number: int
    """The step of `boneyard replay` at which it is on view, from one: deals and actions are steps."""
    seat: int
    action: Action
    """What the seat did."""
    view: MatchView
    """What it knew when it chose."""
    seed: bytes
    """For the chance in judging it: the same record is always judged alike."""


class Deal(Struct, frozen=True):
    """One deal that was played, with what it takes to play it once more."""

    game: str
    options: Options
    round: int
    tiles: tuple[Tile, ...]
    lot: int
    players: int
    leader: int
    winner: int
    """Who led and who won the round before."""
    carry: tuple[int, ...]
    """What the round before handed on."""
    scores: tuple[int, ...]
    """By side, before the round."""
    after: tuple[int, ...]
    """By side, when it was over."""
    seed: bytes


class Recorded(Struct, frozen=True):
    """A finished match."""

    seats: tuple[Seat, ...]
    match: Match
    """As it ended."""
    deals: tuple[Deal, ...]
    decisions: tuple[Decision, ...]


class NoMatchError(Exception):
    """A record has not the one match that is wanted: it has so many."""

    def __init__(self, matches: int) -> None:
        super().__init__(matches)
        self.matches = matches


def read_match(lines: Iterable[str], wanted: int = 0) -> Recorded:
    """Take apart a match of a record, by its number from one; 0 is the only one.

    Raises `core.records.RecordError` where the record is not valid, and NoMatchError if it has no such match.
    """
    return take_apart(referee(lines), wanted)


def take_apart(steps: Iterable[Step], wanted: int = 0) -> Recorded:
    """Do the same from the steps of a record."""
    matches = shown = 0
    reader: _Reader | None = None
    for step in steps:
        matches += isinstance(step.line, MatchLine)
        shown += isinstance(step.line, PLAYED)
        if matches == (wanted or 1):
            if isinstance(step.line, MatchLine):
                reader = _Reader(step.line, step.match)
            elif reader:
                reader.add(step, shown)
    if reader is None or (not wanted and matches > 1):
        raise NoMatchError(matches)
    return reader.read()


class _Reader:
    """Notes the deals and decisions of one match while it is refereed."""

    def __init__(self, line: MatchLine, match: Match) -> None:
        self._seats = line.seats
        self._match = match
        self._line = line
        self._deals: list[Deal] = []
        self._decisions: list[Decision] = []
        self._dealt: tuple[DealLine, Match] | None = None

    def add(self, step: Step, shown: int) -> None:
        """Note a line, up to which so many steps have been shown in a replay."""
        before, self._match = self._match, step.match
        match step.line:
            case DealLine():
                self._dealt = (step.line, before) if step.match.turn >= 0 else None
            case ActionLine(action=action):
                if len(before.legal) > 1:
                    self._decisions.append(decision_of(self._line, before, shown - 1, action))
                if step.match.turn < 0:
                    self._played()
            case BackLine():  # what was taken back was no decision
                taken_back = _choices(before) - _choices(step.match)
                del self._decisions[len(self._decisions) - taken_back :]

    def _played(self) -> None:
        if self._dealt is None:
            return
        (line, before), match = self._dealt, self._match
        self._deals.append(
            Deal(
                match.variant.id,
                match.options,
                line.round,
                line.tiles,
                line.lot,
                match.rules.seats,
                before.leader,
                before.winner,
                before.carry,
                before.scores,
                match.scores,
                _seed_of(self._line, -line.round),
            )
        )

    def read(self) -> Recorded:
        return Recorded(self._seats, self._match, tuple(self._deals), tuple(self._decisions))


def _choices(match: Match) -> int:
    """How often somebody had a choice since the last deal."""
    return sum(len(before.legal) > 1 for before, _action in match.past)


def decision_of(line: MatchLine, match: Match, number: int, action: Action) -> Decision:
    """Return what the seat on turn decides by an action in a match with this first line."""
    seat = match.turn
    return Decision(match.round, number, seat, action, match.view(seat), _seed_of(line, number))


def _seed_of(line: MatchLine, number: int) -> bytes:
    return sha256(b"%s %d" % (write(line).encode(), number)).digest()


def play_round(match: Match, order: tuple[Tile, ...], lot: int, bot: Bot, rng: Random) -> tuple[int, ...]:
    """Deal a round of a match that waits for it, play it to its end, and return the scores."""
    match, _ = match.deal(order, lot)
    while match.turn >= 0:
        match, _ = match.apply(bot(match.view(match.turn), rng))
    return match.scores


def leads_of(points: tuple[float, ...], *, lowest: bool) -> tuple[float, ...]:
    """Return for each side how much better these points are than those of the others, on average."""
    sign = -1 if lowest else 1
    return tuple(sign * lead(points, side) for side in range(len(points)))


DEALS = 60
"""Rounds that are played to find out; always the same ones."""
SHARE = 0.3
"""Of a usual round, what a blunder must cost at least: 3 to 4 points in Block, about 6 in Draw. Smaller losses that
a search finds do not repeat in another search, even where they are above two standard errors."""


def threshold_of(view: MatchView) -> float:
    """Return how many points an action must cost to be a blunder, in a match that a seat sees."""
    return round(SHARE * _swing(view.game, view.players, tuple(view.options.items())), 2)


@lru_cache(maxsize=64)
def _swing(game: str, players: int, options: tuple[tuple[str, Value], ...]) -> float:
    """The points by which a round between equals is won or lost, on average over all sides."""
    fresh, total = new_match(GAMES[game], players, dict(options)), 0.0
    for number in range(DEALS):
        order, lot = deal_order(fresh.rules.tiles, players, b"a usual round", number)
        leads = leads_of(play_round(fresh, order, lot, greedy_bot, Random(number)), lowest=False)
        total += sum(map(abs, leads)) / len(leads)
    return total / DEALS


Kind = Literal["fine", "close", "blunder", "exact"]
WORLDS = 400
"""In which a loss is measured. Of blunders named from 100 worlds, as many would not be named again as would."""
FIRST = Effort(100, 40_000)
"""For a look at all that could have been done. The solver may take as many steps."""
SECOND = Effort(WORLDS, 10**9)
"""For measuring what the best of it would have gained."""
THIRD = Effort(3 * WORLDS, 10**9)
"""For measuring once more what would be called a blunder: near the threshold, half of them were so by chance."""
SOLVER_ONLY = Effort(1, FIRST.steps)
"""Where no search is sure enough."""
SURE = 2.0
"""Standard errors from which a loss is no chance any more."""


class Judgement(Struct, frozen=True):
    """What a decision cost the side that made it, in points of the game over the others on average."""

    round: int
    number: int
    """The step of `boneyard replay` at which the decision is on view."""
    seat: int
    action: Action
    """What was done."""
    best: Action
    """What would have been better, if anything seemed to be."""
    loss: float
    """What `best` would have gained more; below 0 where it did not keep in a second search what it promised in the
    first, so that sums of losses are not biased."""
    error: float
    """The standard error of the loss; 0 where nothing was measured, or the solver knows it."""
    kind: Kind
    """`fine`: no loss that is sure, or large; `close`: one that is sure or large, not both; `blunder`: both, from
    `WORLDS` worlds or more; `exact`: a loss that the solver proves."""
    margin: float = 0.0
    """What the next best action would have cost, where what was done was the best."""


def judge(decision: Decision) -> Judgement | None:
    """Judge a decision; None where nothing can be said of it, as luck drowns it and the solver does not reach it.

    The same decision is always judged alike. It takes some tenths of a second.
    """
    view, action = decision.view, decision.action
    noisy = too_noisy(view)
    first = _thought(view, action, Random(decision.seed), SOLVER_ONLY if noisy else FIRST)
    if first.exact:
        best = first.judged[0]
        return (
            _judged(decision, best, "exact")
            if best.lead > 0
            else _judged(decision, best, "fine", _margin(first, action))
        )
    if noisy:
        return None
    if not first.judged or first.judged[0].lead <= 0:
        return _judged(decision, ActionValue(action, 0.0, 0.0, 0.0, 0), "fine", _margin(first, action))
    # The best of many looks better than it is: what it gains is measured in other worlds than it was chosen in.
    threshold, other = threshold_of(view), first.judged[0].action
    measured = duel(decision, other, Random(decision.seed + b"2"), SECOND)
    if kind_of(measured.lead, measured.error, threshold) == "blunder":
        measured = duel(decision, other, Random(decision.seed + b"3"), THIRD)
    return _judged(decision, measured, kind_of(measured.lead, measured.error, threshold))


def duel(decision: Decision, other: Action, rng: Random, effort: Effort) -> ActionValue:
    """Compare another action with the one that was done, by search, in the same worlds."""
    thought = think(decision.view, rng, effort, default=decision.action, among=(other,), solves=False)
    return next(judged for judged in thought.judged if judged.action == other)


def kind_of(loss: float, error: float, threshold: float) -> Kind:
    """What to call a loss that was measured in `WORLDS` worlds or more."""
    large, sure = loss > threshold, loss > SURE * error
    return "blunder" if large and sure else "close" if loss > 0 and (large or sure) else "fine"


def too_noisy(view: MatchView) -> bool:
    """Whether luck drowns most decisions: with trains, a round takes so many more that each matters little."""
    rules = rules_of(view)
    return isinstance(rules, LayoutRules) and rules.turns.marks


def total_of(judgements: list[Judgement]) -> tuple[float, float]:
    """What some decisions cost together, and its standard error."""
    return sum(each.loss for each in judgements), sqrt(sum(each.error**2 for each in judgements))


def _thought(view: MatchView, action: Action, rng: Random, effort: Effort) -> Thought:
    thought = think(view, rng, effort, default=action)
    if thought.judged:
        return thought
    # What bots never consider, such as to claim points or not, people may still get wrong.
    return think(view, rng, effort, default=action, among=round_of(view).legal)


def _margin(thought: Thought, action: Action) -> float:
    """What the best of the other actions costs, if that is more than chance; searched in `FIRST` worlds only."""
    other = next((each for each in thought.judged if each.action != action), None)
    return max(0.0, -other.lead - SURE * other.error) if other else 0.0


def _judged(decision: Decision, best: ActionValue, kind: Kind, margin: float = 0.0) -> Judgement:
    return Judgement(
        decision.round,
        decision.number,
        decision.seat,
        decision.action,
        best.action,
        round(best.lead, 3),
        round(best.error, 3),
        kind,
        round(margin, 3),
    )


REPLAYS = 50
"""Times that a deal is played again. A bot with slips plays it: one without would play it the same way each time, and
its mean would hang on a single line of play."""


class RoundLuck(Struct, frozen=True):
    """One round for each side: points over the others on average, more is better also where the lowest score wins."""

    round: int
    gained: tuple[float, ...]
    """As it went."""
    luck: tuple[float, ...]
    """As it would have gone between equals; what is left of `gained` is play."""
    error: tuple[float, ...]
    """The standard error of the luck."""


class Luck(Struct, frozen=True):
    """The same for a match, all its rounds together, and one by one."""

    gained: tuple[float, ...]
    luck: tuple[float, ...]
    error: tuple[float, ...]
    rounds: tuple[RoundLuck, ...]

    @classmethod
    def of(cls, rounds: list[RoundLuck], sides: int) -> "Luck":
        """Add up the rounds."""
        return cls(
            _rounded(sum(each.gained[side] for each in rounds) for side in range(sides)),
            _rounded(sum(each.luck[side] for each in rounds) for side in range(sides)),
            _rounded(sqrt(sum(each.error[side] ** 2 for each in rounds)) for side in range(sides)),
            tuple(rounds),
        )


def before(deal: Deal) -> Match:
    """The match as it was before a deal."""
    return replace(
        new_match(GAMES[deal.game], deal.players, deal.options),
        scores=deal.scores,
        round=deal.round - 1,
        leader=deal.leader,
        winner=deal.winner,
        carry=deal.carry,
    )


def luck_of(deal: Deal) -> RoundLuck:
    """Play a deal again between equals, often. The same deal always gives the same result."""
    fresh = before(deal)
    lowest, rng = fresh.rules.goal.lowest, Random(deal.seed)
    replays, means, errors = [], [], []
    for _ in range(REPLAYS):
        after = play_round(fresh, deal.tiles, deal.lot, easy_bot, rng)
        replays.append(leads_of(_difference(after, deal.scores), lowest=lowest))
    for side in zip(*replays, strict=True):
        mean = sum(side) / REPLAYS
        means.append(mean)
        errors.append(sqrt(sum((each - mean) ** 2 for each in side) / (REPLAYS - 1) / REPLAYS))
    gained = leads_of(_difference(deal.after, deal.scores), lowest=lowest)
    return RoundLuck(deal.round, _rounded(gained), _rounded(means), _rounded(errors))


def _difference(after: tuple[int, ...], before: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a - b for a, b in zip(after, before, strict=True))


def _rounded(numbers: Iterable[float]) -> tuple[float, ...]:
    return tuple(round(number, 2) for number in numbers)


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
