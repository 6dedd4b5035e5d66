"""The review of a match: a judgement of every decision and the luck of every deal, in parts that can run anywhere.

A decision is judged by its seat's knowledge at that time: its cost compared with the best action, and the certainty
of that. Rounds between equals show the stakes of a usual round, which are the measure of a blunder. The same deals
played by equals show the luck, apart from the play.
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
from core.bots.observations import round_of, rules_of
from core.bots.profiles import ActionValue, Effort, Thought
from core.bots.search import advantage
from core.fair import deal_order
from core.games import GAMES
from core.layout.rules import LayoutRules
from core.match import Match, MatchView, new_match
from core.records import PLAYED, ActionLine, BackLine, DealLine, MatchLine, Seat, Step, referee, write
from core.tiles import Tile
from core.variant import Options, Value


class Decision(Struct, frozen=True):
    """A choice among several actions, and the action chosen."""

    round: int
    number: int
    """The step of `boneyard replay` that shows it, from 1: deals and actions are steps."""
    seat: int
    action: Action
    """The action of the seat."""
    view: MatchView
    """The seat's view before the action."""
    seed: bytes
    """Seed of the random choices in its judgement: the same record is always judged alike."""


class Deal(Struct, frozen=True):
    """A deal that was played, with everything needed to replay it."""

    game: str
    options: Options
    round: int
    tiles: tuple[Tile, ...]
    lot: int
    players: int
    leader: int
    winner: int
    """The seats that led and won the round before."""
    carry: tuple[int, ...]
    """Numbers that the round before handed on."""
    scores: tuple[int, ...]
    """By side, before the round."""
    after: tuple[int, ...]
    """By side, when it was over."""
    seed: bytes


class ReplayedMatch(Struct, frozen=True):
    """A finished match, replayed from its record, with its deals and decisions."""

    seats: tuple[Seat, ...]
    match: Match
    """Its final state."""
    deals: tuple[Deal, ...]
    decisions: tuple[Decision, ...]


class NoMatchError(Exception):
    """The record does not have the wanted match; `matches` is the number of matches in the record."""

    def __init__(self, matches: int) -> None:
        super().__init__(matches)
        self.matches = matches


def read_match(lines: Iterable[str], match_number: int = 0) -> ReplayedMatch:
    """Read a match of a record, by its number from 1; 0 means the only one.

    Raises `core.records.RecordError` if the record is invalid, and NoMatchError if it has no such match.
    """
    return match_from_steps(referee(lines), match_number)


def match_from_steps(steps: Iterable[Step], match_number: int = 0) -> ReplayedMatch:
    """Read a match from the steps of a record; see `read_match`."""
    match_count = replay_step_count = 0
    reader: _Reader | None = None
    for step in steps:
        match_count += isinstance(step.line, MatchLine)
        replay_step_count += isinstance(step.line, PLAYED)
        if match_count == (match_number or 1):
            if isinstance(step.line, MatchLine):
                reader = _Reader(step.line, step.match)
            elif reader:
                reader.add(step, replay_step_count)
    if reader is None or (not match_number and match_count > 1):
        raise NoMatchError(match_count)
    return reader.recorded()


class _Reader:
    """Collects the deals and decisions of one match while it is refereed."""

    def __init__(self, line: MatchLine, match: Match) -> None:
        self._seats = line.seats
        self._match = match
        self._line = line
        self._deals: list[Deal] = []
        self._decisions: list[Decision] = []
        self._last_deal: tuple[DealLine, Match] | None = None

    def add(self, step: Step, replay_step_count: int) -> None:
        """Add a line; `replay_step_count` is the number of replay steps up to and including it."""
        previous, self._match = self._match, step.match
        match step.line:
            case DealLine():
                self._last_deal = (step.line, previous) if step.match.turn >= 0 else None
            case ActionLine(action=action):
                if len(previous.legal) > 1:
                    self._decisions.append(decision_of(self._line, previous, replay_step_count - 1, action))
                if step.match.turn < 0:
                    self._add_deal()
            case BackLine():  # an action that was taken back is no decision
                taken_back = _count_choices(previous) - _count_choices(step.match)
                del self._decisions[len(self._decisions) - taken_back :]

    def _add_deal(self) -> None:
        if self._last_deal is None:
            return
        (line, previous), match = self._last_deal, self._match
        self._deals.append(
            Deal(
                match.variant.id,
                match.options,
                line.round,
                line.tiles,
                line.lot,
                match.rules.seats,
                previous.leader,
                previous.winner,
                previous.carry,
                previous.scores,
                match.scores,
                _seed_of(self._line, -line.round),
            )
        )

    def recorded(self) -> ReplayedMatch:
        return ReplayedMatch(self._seats, self._match, tuple(self._deals), tuple(self._decisions))


def _count_choices(match: Match) -> int:
    """Return the number of choices since the last deal."""
    return sum(len(before.legal) > 1 for before, _action in match.past)


def decision_of(line: MatchLine, match: Match, number: int, action: Action) -> Decision:
    """Return the choice of `action` by the seat on turn; `line` is the first of the match, `number` the step."""
    seat = match.turn
    return Decision(match.round, number, seat, action, match.view(seat), _seed_of(line, number))


def _seed_of(line: MatchLine, number: int) -> bytes:
    return sha256(b"%s %d" % (write(line).encode(), number)).digest()


def play_round(match: Match, order: tuple[Tile, ...], lot: int, bot: Bot, rng: Random) -> tuple[int, ...]:
    """Deal a round, let `bot` play all seats to its end, and return the scores; `lot` is a seat drawn by lot."""
    match, _ = match.deal(order, lot)
    while match.turn >= 0:
        match, _ = match.apply(bot(match.view(match.turn), rng))
    return match.scores


def advantages_of(points: tuple[float, ...], *, lowest: bool) -> tuple[float, ...]:
    """Return each side's advantage over the average of the others; `lowest`: the lowest score is best."""
    sign = -1 if lowest else 1
    return tuple(sign * advantage(points, side) for side in range(len(points)))


MEASURED_ROUNDS = 60
"""Rounds played to measure the stakes; always the same ones."""
BLUNDER_SHARE = 0.3
"""Minimum cost of a blunder, as a part of a usual round: 3 to 4 points in Block, about 6 in Draw. Smaller losses that
a search finds do not repeat in another search, even above two standard errors.
"""


def threshold_of(view: MatchView) -> float:
    """Return the points that an action must cost to be a blunder in this match."""
    return round(BLUNDER_SHARE * _swing(view.game, view.players, tuple(view.options.items())), 2)


@lru_cache(maxsize=64)
def _swing(game: str, players: int, options: tuple[tuple[str, Value], ...]) -> float:
    """Return the average points by which a round between equals is won or lost."""
    match, total = new_match(GAMES[game], players, dict(options)), 0.0
    for number in range(MEASURED_ROUNDS):
        order, lot = deal_order(match.rules.tiles, players, b"a usual round", number)
        advantages = advantages_of(play_round(match, order, lot, greedy_bot, Random(number)), lowest=False)
        total += sum(map(abs, advantages)) / len(advantages)
    return total / MEASURED_ROUNDS


Kind = Literal["fine", "close", "blunder", "exact"]
WORLDS = 400
"""Worlds in which a loss is measured. Of blunders named after 100 worlds, half would not be named again."""
ALL_ACTIONS_EFFORT = Effort(100, 40_000)
"""Effort for judging all legal actions. The solver may take as many steps."""
DUEL_EFFORT = Effort(WORLDS, 10**9)
"""Effort for measuring the gain of the best of them."""
REPEAT_EFFORT = Effort(3 * WORLDS, 10**9)
"""Effort for measuring a presumed blunder again: near the threshold, half of them were so by chance."""
SOLVER_ONLY = Effort(1, ALL_ACTIONS_EFFORT.steps)
"""Effort where no search is sure enough."""
SURE_ERRORS = 2.0
"""Standard errors above which a loss is not chance."""


class Judgement(Struct, frozen=True):
    """The cost of a decision for its side, in points over the average of the others."""

    round: int
    number: int
    """The step of `boneyard replay` that shows the decision."""
    seat: int
    action: Action
    """The action taken."""
    best: Action
    """The better action, if any seemed better; else the action taken."""
    loss: float
    """Gain of `best` over the action taken; negative if a second search does not confirm the first, so that sums of
    losses are not biased.
    """
    error: float
    """Standard error of the loss; 0 if nothing was measured, or the solver proves the loss."""
    kind: Kind
    """`fine`: no loss that is sure or large; `close`: a loss that is sure or large, not both; `blunder`: both, from
    `WORLDS` worlds or more; `exact`: a loss that the solver proves.
    """
    margin: float = 0.0
    """Cost of the next best action, if the action taken was the best."""


def judge(decision: Decision) -> Judgement | None:
    """Judge a decision; None if luck hides its cost and the solver does not reach it.

    The same decision is always judged alike. It takes some tenths of a second.
    """
    view, action = decision.view, decision.action
    is_noisy = is_too_noisy(view)
    thought = _think(view, action, Random(decision.seed), SOLVER_ONLY if is_noisy else ALL_ACTIONS_EFFORT)
    if thought.exact:
        best = thought.judged[0]
        return (
            _judgement(decision, best, "exact")
            if best.lead > 0
            else _judgement(decision, best, "fine", _margin(thought, action))
        )
    if is_noisy:
        return None
    if not thought.judged or thought.judged[0].lead <= 0:
        return _judgement(decision, ActionValue(action, 0.0, 0.0, 0.0, 0), "fine", _margin(thought, action))
    # The best of many looks better than it is, so measure its gain in other worlds than those that chose it.
    threshold, better_action = threshold_of(view), thought.judged[0].action
    comparison = duel(decision, better_action, Random(decision.seed + b"2"), DUEL_EFFORT)
    if kind_of(comparison.lead, comparison.error, threshold) == "blunder":
        comparison = duel(decision, better_action, Random(decision.seed + b"3"), REPEAT_EFFORT)
    return _judgement(decision, comparison, kind_of(comparison.lead, comparison.error, threshold))


def duel(decision: Decision, other: Action, rng: Random, effort: Effort) -> ActionValue:
    """Compare another action with the action taken, by search, in the same worlds."""
    thought = think(decision.view, rng, effort, default=decision.action, actions=(other,), solves=False)
    return next(judged for judged in thought.judged if judged.action == other)


def kind_of(loss: float, error: float, threshold: float) -> Kind:
    """Classify a loss of points by its standard `error` and the game's `threshold` for a blunder.

    It must be measured in `WORLDS` worlds or more.
    """
    is_large, is_sure = loss > threshold, loss > SURE_ERRORS * error
    return "blunder" if is_large and is_sure else "close" if loss > 0 and (is_large or is_sure) else "fine"


def is_too_noisy(view: MatchView) -> bool:
    """True if luck hides the cost of most decisions: with trains a round has many decisions of little weight."""
    rules = rules_of(view)
    return isinstance(rules, LayoutRules) and rules.turns.marks


def total_loss_of(judgements: list[Judgement]) -> tuple[float, float]:
    """Return the total cost of decisions, and its standard error."""
    loss = sum(judgement.loss for judgement in judgements)
    return loss, sqrt(sum(judgement.error**2 for judgement in judgements))


def _think(view: MatchView, action: Action, rng: Random, effort: Effort) -> Thought:
    thought = think(view, rng, effort, default=action)
    if thought.judged:
        return thought
    # Some choices bots never consider, such as whether to claim points; players may still get them wrong.
    return think(view, rng, effort, default=action, actions=round_of(view).legal)


def _margin(thought: Thought, action: Action) -> float:
    """Return the cost of the best other action less `SURE_ERRORS` standard errors, at least 0, from the first
    judgement only.
    """
    other = next((value for value in thought.judged if value.action != action), None)
    return max(0.0, -other.lead - SURE_ERRORS * other.error) if other else 0.0


def _judgement(decision: Decision, best: ActionValue, kind: Kind, margin: float = 0.0) -> Judgement:
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
"""Number of replays of a deal. A bot with slips plays them: without slips every replay would be the same, and the
mean would depend on a single line of play.
"""


class RoundLuck(Struct, frozen=True):
    """Result of a round for each side, in points over the average of the others; more is better in every game."""

    round: int
    gained: tuple[float, ...]
    """The actual result."""
    luck: tuple[float, ...]
    """The expected result between equals; the rest of `gained` is play."""
    error: tuple[float, ...]
    """Standard error of the luck."""


class Luck(Struct, frozen=True):
    """Results of a match: the sums of all rounds, and each round."""

    gained: tuple[float, ...]
    luck: tuple[float, ...]
    error: tuple[float, ...]
    rounds: tuple[RoundLuck, ...]

    @classmethod
    def of(cls, rounds: list[RoundLuck], sides: int) -> "Luck":
        """Return the sums of some rounds."""
        return cls(
            _round_numbers(sum(result.gained[side] for result in rounds) for side in range(sides)),
            _round_numbers(sum(result.luck[side] for result in rounds) for side in range(sides)),
            _round_numbers(sqrt(sum(result.error[side] ** 2 for result in rounds)) for side in range(sides)),
            tuple(rounds),
        )


def match_before(deal: Deal) -> Match:
    """Return the match as it was before a deal."""
    return replace(
        new_match(GAMES[deal.game], deal.players, deal.options),
        scores=deal.scores,
        round=deal.round - 1,
        leader=deal.leader,
        winner=deal.winner,
        carry=deal.carry,
    )


def luck_of(deal: Deal) -> RoundLuck:
    """Return the luck of a deal, by replaying it REPLAYS times between equals; always the same for the same deal."""
    match = match_before(deal)
    lowest, rng = match.rules.goal.lowest, Random(deal.seed)
    replays, means, errors = [], [], []
    for _ in range(REPLAYS):
        scores = play_round(match, deal.tiles, deal.lot, easy_bot, rng)
        replays.append(advantages_of(_difference(scores, deal.scores), lowest=lowest))
    for advantages in zip(*replays, strict=True):
        mean = sum(advantages) / REPLAYS
        means.append(mean)
        errors.append(sqrt(sum((points - mean) ** 2 for points in advantages) / (REPLAYS - 1) / REPLAYS))
    gained = advantages_of(_difference(deal.after, deal.scores), lowest=lowest)
    return RoundLuck(deal.round, _round_numbers(gained), _round_numbers(means), _round_numbers(errors))


def _difference(scores_after: tuple[int, ...], scores_before: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(
        score_after - score_before for score_after, score_before in zip(scores_after, scores_before, strict=True)
    )


def _round_numbers(numbers: Iterable[float]) -> tuple[float, ...]:
    return tuple(round(number, 2) for number in numbers)


Part = Deal | Decision
"""A part of a review that can be judged by itself."""
PartResult = RoundLuck | Judgement | None
"""The result of a part."""
MOMENTS = 3
"""Maximum number of decisive moments."""


class Review(Struct, frozen=True):
    """A coach's review of a match, in the form in which programs get it."""

    game: str
    seats: tuple[str, ...]
    scores: tuple[int, ...]
    """By side; the side of a seat is seat modulo sides."""
    winners: tuple[int, ...]
    reviewed: tuple[int, ...]
    """The seats whose decisions were judged."""
    noisy: bool
    """True if luck hides the cost of single decisions: `decisions` then has only losses that the solver proves."""
    threshold: float
    """Minimum points of a blunder."""
    decisions: tuple[Judgement, ...]
    luck: Luck

    def of(self, seat: int) -> list[Judgement]:
        """Return the judgements of a seat's decisions."""
        return [judgement for judgement in self.decisions if judgement.seat == seat]

    def total_loss(self, seat: int) -> tuple[float, float]:
        """Return the total cost of a seat's decisions, and its standard error."""
        return total_loss_of(self.of(seat))

    @property
    def moments(self) -> list[Judgement]:
        """The most costly decisions, sure ones preferred, in the order of play."""
        mistakes = [judgement for judgement in self.decisions if judgement.kind != "fine"]
        mistakes.sort(key=lambda judgement: (judgement.kind == "close", -judgement.loss))
        return sorted(mistakes[:MOMENTS], key=lambda judgement: judgement.number)

    def best(self, seat: int) -> Judgement | None:
        """Return the decision of a seat with the largest margin over the next best action; None if no margin is
        large.
        """
        judged = max(self.of(seat), key=lambda judgement: judgement.margin, default=None)
        return judged if judged and judged.margin > self.threshold else None

    def costliest(self, seat: int) -> Judgement | None:
        """Return the most costly decision of a seat, sure ones first; None if none is a mistake."""
        return max(
            (judgement for judgement in self.of(seat) if judgement.kind != "fine"),
            key=lambda judgement: (judgement.kind != "close", judgement.loss),
            default=None,
        )


def people_of(match: ReplayedMatch) -> tuple[int, ...]:
    """Return the seats of people, or all seats if there are only bots."""
    seats = range(len(match.seats))
    return tuple(seat for seat in seats if not match.seats[seat].bot) or tuple(seats)


def parts_of(match: ReplayedMatch, seats: Collection[int]) -> list[Part]:
    """Return the parts of a review: the deals, and the decisions of these seats."""
    return [*match.deals, *(decision for decision in match.decisions if decision.seat in seats)]


def by_round(parts: Iterable[Part]) -> list[Part]:
    """Return parts in the order of their rounds, so that the results of a round arrive together."""
    return sorted(parts, key=lambda part: part.round)


def compute_part(part: Part) -> PartResult:
    """Return the luck of a deal, or the judgement of a decision."""
    return luck_of(part) if isinstance(part, Deal) else judge(part)


def review_of(match: ReplayedMatch, seats: tuple[int, ...], results: Iterable[PartResult]) -> Review:
    """Build a review from the results of its parts."""
    rounds, judgements = [], []
    for result in results:
        if isinstance(result, RoundLuck):
            rounds.append(result)
        elif result:
            judgements.append(result)
    view, final = match.match.view(-1), match.match
    return Review(
        final.variant.id,
        tuple(seat.name for seat in match.seats),
        final.scores,
        final.winners,
        seats,
        is_too_noisy(view),
        threshold_of(view),
        tuple(judgements),
        Luck.of(rounds, final.rules.sides),
    )
