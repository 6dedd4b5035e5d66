"""A match as one frozen value: rounds up to the end of a game, running scores, and taking back."""

from collections.abc import Collection, Mapping

from msgspec import Struct
from msgspec.structs import replace

from core.actions import Action, Bury, Dealt, Drew, Event, MatchOver, RoundOver, Scored, TakenBack, cut
from core.layout.state import NOBODY, Goal, RoundContext, State
from core.tiles import Amount, Points, SeatCount, SeatNumber, Side, Tile
from core.variant import AnyState, AnyView, Options, Rules, Variant, version_of
from core.words import Illegal, words

MOST_ROUNDS, MOST_ACTIONS = 1_000, 100_000
"""Rounds and actions after which a match without a result may be stopped (`docs/rules` §9)."""


class MatchView(Struct, frozen=True):
    """The part of a match that one seat may know; seat -1 is a spectator."""

    game: str
    options: Options
    players: SeatCount
    sides: SeatCount
    """Scores kept; the side of a seat is seat modulo sides."""
    goal: Goal
    round: Amount
    """From one; 0 before the first deal."""
    scores: tuple[Points, ...]
    """By side."""
    play: AnyView | None
    """The round being played, or the one just finished until the next is dealt."""
    winners: tuple[Side, ...]
    """Sides that won the match; empty until it is over, and if it is drawn."""
    over: bool = False
    endless: bool = False
    """True if the match may be stopped, because it may never end."""
    unfinished: bool = False
    """True if the match was stopped before its end."""
    agreed: tuple[SeatNumber, ...] = ()
    """Seats whose players agreed to stop the match, or to resign if it has winners."""
    leader: SeatNumber = NOBODY
    """The seat that led the current round, or the last round played."""
    winner: SeatNumber = NOBODY
    """The seat that won the last round played."""
    carry: tuple[Points, ...] = ()
    """Numbers that the last round handed on: see `core.actions.RoundOver`."""
    history: tuple[Event, ...] = ()
    """Events since the last deal that were not taken back, in order, without facts that this seat may not know. A
    host sends them to clients that have not received them one by one, and after a take-back; `append_history` adds
    later ones.
    """


class Match(Struct, frozen=True):
    """A moment of a match. It waits for a deal or an action, or the match is over."""

    variant: Variant
    options: Options
    rules: Rules
    scores: tuple[int, ...]
    round: int = 0
    deals: int = 0
    """Deals so far: one for each round, and one more for every redeal."""
    leader: int = NOBODY
    """The seat that led the current round, or the last round played."""
    winner: int = NOBODY
    """The seat that won the last round played."""
    carry: tuple[int, ...] = ()
    """Numbers that the last round handed on to the next."""
    state: AnyState | None = None
    zeros: tuple[int, ...] = ()
    """Rounds without a point, by side."""
    winners: tuple[int, ...] = ()
    over: bool = False
    actions: int = 0
    """Number of actions so far, including those taken back, plus one for each take-back."""
    unfinished: bool = False
    """True if the match was stopped before its end."""
    agreed: tuple[int, ...] = ()
    """Seats whose players agreed to stop the match, or to resign if it has winners."""
    history: tuple[Event, ...] = ()
    """Events since the last deal that were not taken back, in order."""
    past: "tuple[tuple[Match, Action], ...]" = ()
    """Each moment since the last deal at which a seat acted, and its action; these moments have an empty `past`."""

    @property
    def is_deal_due(self) -> bool:
        """True if a deal comes next."""
        return not self.over and (self.state is None or self.state.result is not None)

    @property
    def endless(self) -> bool:
        """True if the match may be stopped: it has no result after `MOST_ROUNDS` rounds or `MOST_ACTIONS` actions."""
        played = self.round - (not self.is_deal_due or self._redealt)
        return not self.over and (played >= MOST_ROUNDS or self.actions >= MOST_ACTIONS)

    @property
    def _redealt(self) -> bool:
        """True if nothing was played and the same round is dealt again; by rules of version 1 it is the next."""
        redealt = self.state is not None and self.state.result is not None and self.state.result.redealt
        return redealt and version_of(self.options) > 1

    @property
    def turn(self) -> int:
        """The seat to act; -1 if there is none."""
        return self.state.turn if self.state and not self.state.result else NOBODY

    @property
    def legal(self) -> tuple[Action, ...]:
        """Actions of the seat on turn."""
        return self.state.legal if self.state else ()

    def deal(self, order: tuple[Tile, ...], lot: int) -> "tuple[Match, tuple[Event, ...]]":
        """Start the next round from a shuffled set; `lot` is a seat drawn by the same chance.

        After a redeal it is the same round again, and scores, leader and winner stay (`docs/rules` §9). Raises
        Illegal if the match is not waiting for a deal, or `order` is not the set.
        """
        if not self.is_deal_due:
            raise Illegal(words("No deal is due now."))
        if tuple(sorted(order)) != self.rules.tiles or not 0 <= lot < self.rules.seats:
            raise Illegal(words("That deal does not fit this game's set."))
        number = self.round if self._redealt else self.round + 1
        state = self.rules.deal(order, RoundContext(lot, self.leader, self.winner, number, self.scores, self.carry))
        next_match = replace(self, round=number, deals=self.deals + 1, state=state, past=())
        if state.result and state.result.redealt:
            if version_of(self.options) == 1:
                next_match = replace(next_match, leader=NOBODY, winner=NOBODY)
            return next_match._with_history((Dealt(number), state.result))
        if state.result:  # over before any action
            next_match, counted_events = next_match._book((state.result,))
            return next_match._with_history((Dealt(number), *counted_events))
        next_match, counted_events = replace(next_match, leader=state.leader)._book(state.dealt)
        return next_match._with_history((Dealt(number), *counted_events))

    def apply(self, action: Action) -> "tuple[Match, tuple[Event, ...]]":
        """Return the match after an action of the seat on turn, and the events.

        Raises Illegal, with a sentence for that player, for an action that is not in `legal`.
        """
        if self.state is None or self.state.result:
            raise Illegal(words("No round is being played."))
        state, events = self.rules.apply(self.state, action)
        past = (*self.past, (replace(self, past=()), action))
        match, counted_events = replace(self, state=state, actions=self.actions + 1, past=past)._book(events)
        return match._with_history(counted_events)

    def stop(self, agreed: tuple[int, ...] = (), *, resigned: bool = False) -> "tuple[Match, tuple[Event, ...]]":
        """Return the match stopped before its end; tiles still held cost nothing.

        `agreed` are the seats whose players agreed to stop it, in order. If they `resigned`, the other side wins;
        otherwise nobody does. Raises Illegal, with a sentence, before the first deal and after the end; without an
        agreement, before `MOST_ROUNDS` rounds or `MOST_ACTIONS` actions without a result; and for a resignation that
        is not by one of two sides.
        """
        if agreed and (self.over or self.state is None or not 0 <= min(agreed) <= max(agreed) < self.rules.seats):
            raise Illegal(words("No match is being played."))
        if not (agreed or self.endless):
            raise Illegal(
                words(
                    "You can end a match only if it has no result after {rounds} rounds or {actions} actions.",
                    rounds=MOST_ROUNDS,
                    actions=MOST_ACTIONS,
                )
            )
        sides = {seat % self.rules.sides for seat in agreed}
        if resigned and (self.rules.sides != 2 or len(sides) != 1):
            raise Illegal(words("Only one of two sides can resign."))
        winners = tuple({0, 1} - sides) if resigned else ()
        state = self.state
        if state and not state.result:
            result = RoundOver("stopped", NOBODY, state.hands, ((),) * self.rules.sides)
            state = replace(state, legal=(), result=result)
        next_match = replace(self, state=state, winners=winners, over=True, unfinished=True, agreed=agreed)
        return next_match._with_history((MatchOver(winners, unfinished=True, agreed=agreed),))

    def _book(self, events: tuple[Event, ...]) -> "tuple[Match, tuple[Event, ...]]":
        """Add the points of events one by one, up to the one that ends the match; return those that count."""
        match, counted_events = self, list[Event]()
        for event in events:
            match, event = match._book_event(event)  # noqa: PLW2901 - the event as it counts
            counted_events.append(event)
            if match.over and match.state:
                if match.state.result and not isinstance(event, RoundOver):
                    counted_events.append(match.state.result)
                return match, (*counted_events, match._match_over())
        return match, tuple(counted_events)

    def _with_history(self, events: tuple[Event, ...]) -> "tuple[Match, tuple[Event, ...]]":
        return replace(self, history=append_history(self.history, events)), events

    def _book_event(self, event: Event) -> "tuple[Match, Event]":
        """Add an event's points to the scores, as far as they count, and check for the end of the match."""
        match event:
            case Scored(seat=seat, points=points) if points:
                side = seat % self.rules.sides
                if self._exceeds_target(side, points):
                    return self, replace(event, counted=False)
                match = replace(self, scores=_add_score(self.scores, side, points))
                return match._stop_round(seat) if match._is_target_reached() else match, event
            case RoundOver(redealt=True) if isinstance(self.state, State) and version_of(self.options) > 2:
                return replace(self, leader=self.state.before.leader), event  # as before the deal
            case RoundOver():
                void_sides = tuple(
                    side for side, points in enumerate(event.points) if self._exceeds_target(side, points)
                )
                event = replace(event, void=void_sides) if void_sides else event
                return self._pay_round(event), event
        return self, event

    def _pay_round(self, result: RoundOver) -> "Match":
        scores = tuple(score + points for score, points in zip(self.scores, result.points, strict=True))
        zeros = tuple(zero_count + (not points) for zero_count, points in zip(self.zeros, result.points, strict=True))
        state = replace(self.state, result=result) if self.state else None
        match = replace(self, state=state, scores=scores, zeros=zeros, winner=result.winner, carry=result.carry)
        goal = self.rules.goal
        if (goal.target and max(scores) >= goal.target) or (goal.rounds and self.round >= goal.rounds):
            decided = match._decide()
            return match if goal.tie == "more" and len(decided.winners) > 1 else decided
        return match

    def _exceeds_target(self, side: int, points: int) -> bool:
        goal = self.rules.goal
        return goal.exact and points > 0 and self.scores[side] + points > goal.target

    def _is_target_reached(self) -> bool:
        goal = self.rules.goal
        return goal.at_once and max(self.scores) >= goal.target

    def _stop_round(self, seat: int) -> "Match":
        """End the match in the middle of a round; tiles still held cost nothing."""
        if self.state is None:
            return self
        result = RoundOver("target", seat, self.state.hands, ((),) * self.rules.sides)
        return replace(self, state=replace(self.state, legal=(), result=result))._decide()

    def _decide(self) -> "Match":
        goal = self.rules.goal
        best_score = min(self.scores) if goal.lowest else max(self.scores)
        winners = tuple(side for side, score in enumerate(self.scores) if score == best_score)
        if goal.winner_first and self.winner != NOBODY and self.scores[self.winner % self.rules.sides] >= goal.target:
            winners = (self.winner % self.rules.sides,)
        if len(winners) > 1 and goal.tie == "zeros":
            most_zeros = max(self.zeros[side] for side in winners)
            winners = tuple(side for side in winners if self.zeros[side] == most_zeros)
        if len(winners) > 1 and goal.tie == "winner" and self.winner != NOBODY:
            winners = (self.winner % self.rules.sides,)
        if (len(winners) > 1 and goal.tie == "draw") or (goal.zero_wins and best_score):
            winners = ()
        return replace(self, winners=winners, over=True)

    def _match_over(self) -> MatchOver:
        goal = self.rules.goal
        return MatchOver(self.winners, losers=losers_of(goal, self.scores), called=goal.loser)

    def view(self, seat: int) -> MatchView:
        return MatchView(
            game=self.variant.id,
            options=self.options,
            players=self.rules.seats,
            sides=self.rules.sides,
            goal=self.rules.goal,
            round=self.round,
            scores=self.scores,
            play=self.rules.view(self.state, seat) if self.state else None,
            winners=self.winners,
            over=self.over,
            endless=self.endless,
            unfinished=self.unfinished,
            agreed=self.agreed,
            leader=self.leader,
            winner=self.winner,
            carry=self.carry,
            history=tuple(cut(event, seat) for event in self.history),
        )


def losers_of(goal: Goal, scores: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sides that lost, in games that name the loser."""
    return tuple(side for side, score in enumerate(scores) if goal.loser and score >= goal.target)


def append_history(history: tuple[Event, ...], events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return the events since the last deal, with `events` appended."""
    deal_indexes = [index for index, event in enumerate(events) if isinstance(event, Dealt)]
    return events[deal_indexes[-1] :] if deal_indexes else history + events


def new_match(variant: Variant, players: int, chosen: Mapping[str, object]) -> Match:
    """Start a match. Raises BadOption for players or house rules that the game does not have."""
    options, rules = variant.rules(players, chosen)
    zeros = (0,) * rules.sides
    return Match(variant, options, rules, scores=zeros, zeros=zeros)


def _add_score(scores: tuple[int, ...], side: int, points: int) -> tuple[int, ...]:
    return (*scores[:side], scores[side] + points, *scores[side + 1 :])


def last_choice(match: Match, seat: int, people: Collection[int]) -> tuple[Match, Action]:
    """Return the moment at which a seat last had a choice in this round, and its action.

    Raises Illegal, with a sentence for that player, if the choice cannot be taken back: neither `seat` nor any seat
    of `people` may have drawn from the boneyard since. A solo player may always take back. Draws of bots do not
    matter: a bot has no memory of tiles that it has seen.
    """
    is_solo = match.rules.seats == 1  # then nobody is wronged by what was seen
    if match.state is None or match.unfinished or ((match.over or match.state.result) and not is_solo):
        raise Illegal(words("All hands are shown at the end of a round; nothing can be taken back then."))
    if match.actions >= MOST_ACTIONS:  # else a record could grow without end
        raise Illegal(words("This match has gone on for too long to take anything back."))
    index = next(
        (index for index in reversed(range(len(match.past))) if _had_choice(match.past[index][0], seat)), None
    )
    if index is None:
        raise Illegal(words("You have not had a choice in this round that you could take back."))
    moment, action = match.past[index]
    if isinstance(action, Bury):  # all would be told which tile it was
        raise Illegal(words("You have put a tile away; your choice cannot be taken back."))
    later_events = () if is_solo else match.history[len(moment.history) :]
    drawing_seats = [event.seat for event in later_events if isinstance(event, Drew)]
    if seat in drawing_seats:
        raise Illegal(words("You have drawn a tile since; your choice cannot be taken back."))
    for drawing_seat in drawing_seats:
        if drawing_seat in people:
            raise Illegal(
                words("{seat} has drawn a tile since; your choice cannot be taken back.", seat=drawing_seat)
            )
    return replace(moment, past=match.past[:index], actions=match.actions + 1), action


def take_back(match: Match, seat: int, people: Collection[int]) -> tuple[Match, tuple[Event, ...]]:
    """Return the match as it was before a seat last had a choice, and the event for it.

    Only the count of actions goes on. Raises Illegal as `last_choice` does.
    """
    restored_match, action = last_choice(match, seat, people)
    return restored_match, (TakenBack(seat, action),)


def undone_count(match: Match, earlier_match: Match) -> int:
    """Return the number of actions that were taken back from `match` to `earlier_match`."""
    return len(match.past) - len(earlier_match.past)


def _had_choice(moment: Match, seat: int) -> bool:
    return moment.turn == seat and len(moment.legal) > 1
