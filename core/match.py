"""A match: rounds played to the end of a game, with running scores, as one frozen value."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from core.actions import Action, Dealt, Event, MatchOver
from core.layout import NOBODY
from core.options import Options
from core.rules import Before, LayoutRules, LayoutView, State
from core.tiles import Tile
from core.variant import Variant
from core.words import Illegal, words


class MatchView(Struct, frozen=True):
    """What one seat may know of a match; seat -1 is a spectator."""

    game: str
    options: Options
    players: int
    sides: int
    """Scores kept; the side of a seat is seat modulo sides."""
    target: int
    round: int
    """From one; 0 before the first deal."""
    scores: tuple[int, ...]
    """By side."""
    play: LayoutView | None
    """The round being played, or the one just finished until the next is dealt."""
    winners: tuple[int, ...]
    """Sides that won the match; empty until it is over."""


class Match(Struct, frozen=True):
    """A moment of a match. It waits for a deal, for an action, or is over."""

    variant: Variant
    options: Options
    rules: LayoutRules
    scores: tuple[int, ...]
    round: int = 0
    leader: int = NOBODY
    """Who led the round being played, or the last one."""
    state: State | None = None
    winners: tuple[int, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the match is decided."""
        return bool(self.winners)

    @property
    def awaits_deal(self) -> bool:
        """Whether the next thing to happen is a deal."""
        return not self.winners and (self.state is None or self.state.result is not None)

    @property
    def turn(self) -> int:
        """The seat to act; -1 when nobody is."""
        return self.state.turn if self.state and not self.state.result else NOBODY

    @property
    def legal(self) -> tuple[Action, ...]:
        """What the seat on turn may do."""
        return self.state.legal if self.state else ()

    def deal(self, order: tuple[Tile, ...], lot: int) -> "tuple[Match, tuple[Event, ...]]":
        """Start the next round from a shuffled set; `lot` is a seat drawn by the same chance.

        Raises Illegal when the match is not waiting for a deal, or when `order` is not the set.
        """
        if not self.awaits_deal:
            raise Illegal(words("This is not the moment to deal."))
        if tuple(sorted(order)) != self.rules.tiles or not 0 <= lot < self.rules.seats:
            raise Illegal(words("That is not a deal of this game's set."))
        winner = self.state.result.winner if self.state and self.state.result else NOBODY
        state = self.rules.deal(order, Before(lot, self.leader, winner))
        after = replace(self, round=self.round + 1, leader=state.turn, state=state)
        return after, (Dealt(after.round),)

    def apply(self, action: Action) -> "tuple[Match, tuple[Event, ...]]":
        """Return the match after an action of the seat on turn, and what happened.

        Raises Illegal, with a sentence for that player, for anything that `legal` does not list.
        """
        if self.state is None or self.state.result:
            raise Illegal(words("No round is being played."))
        state, events = self.rules.apply(self.state, action)
        if state.result is None:
            return replace(self, state=state), events
        scores = tuple(a + b for a, b in zip(self.scores, state.result.points, strict=True))
        best = max(scores)
        if best < self.rules.goal.target:
            return replace(self, state=state, scores=scores), events
        winners = tuple(side for side, score in enumerate(scores) if score == best)
        return replace(self, state=state, scores=scores, winners=winners), (*events, MatchOver(winners))

    def view(self, seat: int) -> MatchView:
        """Return what `seat` may know; -1 is a spectator."""
        return MatchView(
            game=self.variant.id,
            options=self.options,
            players=self.rules.seats,
            sides=self.rules.sides,
            target=self.rules.goal.target,
            round=self.round,
            scores=self.scores,
            play=self.rules.view(self.state, seat) if self.state else None,
            winners=self.winners,
        )


def new_match(variant: Variant, players: int, chosen: Mapping[str, object]) -> Match:
    """Start a match. Raises BadOption for players or house rules that the game does not have."""
    options, rules = variant.rules(players, chosen)
    return Match(variant, options, rules, scores=(0,) * rules.sides)
