"""Beliefs: the deals that agree with all that a seat has seen of a round, each of them equally likely.

A deal of a layout game is an order of the set. A tile is impossible at a place if an observed action would then have
been illegal: a seat passed or drew although the tile fitted, or led another although this tile had to be led. No
assumption is made about choices among legal actions. In a trick game hands agree with the suits followed and the bids
made; in a game of combinations any hidden tile may be in any hand, or in any heap that lies face down.
"""

from collections.abc import Collection, Iterator
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from core.actions import REDEALS, Action, Drew, Laid, Led, Passed, Play, Played, PutDown, Tuck, Tucked
from core.bots.observations import observed_events, playable_tiles, round_context_of
from core.combos.rules import ComboRules
from core.combos.state import ComboState, ComboTrick, ComboView, LaidCombo, unseen_in_combos
from core.layout.rules import DRAW, PASS, LayoutRules, draws_left
from core.layout.state import NOBODY, LayoutView, Opening, Pending, RoundContext, State
from core.match import MatchView
from core.tiles import STAR, Hand, Tile
from core.tricks.rules import PLUNGE_DOUBLES, SPLASH_DOUBLES, TrickRules
from core.tricks.state import TrickState, TrickView, layable_tiles, unseen_in_tricks

SWAPS_PER_PLACE = 3
"""Attempted swaps for each place between two samples."""
BURN_IN_PASSES = 5
"""Times as many attempts before the first sample."""


class AtLeast(NamedTuple):
    """A constraint: at least `number` of certain tiles lie at certain places."""

    places: frozenset[int]
    tiles: int
    """A set of tiles as bits."""
    number: int

    def missing(self, order: list[int]) -> int:
        """Return the number of tiles still missing in an arrangement."""
        return max(0, self.number - sum(self.tiles >> order[place] & 1 for place in self.places))


def some_arrangement(candidates: list[int], rng: Random) -> list[int]:
    """Return a possible arrangement: a tile's number for each place. Arrangements are not equally likely.

    `candidates` has for each place, as bits, the tiles that may be there. Each place in turn takes a tile, and a tile
    that was there moves on (augmenting paths). Raises ValueError if there is no arrangement.
    """
    order, place_of = [-1] * len(candidates), [-1] * len(candidates)
    numbers = list(range(len(candidates)))
    rng.shuffle(numbers)
    shuffled = {
        bits: sum(1 << index for index, number in enumerate(numbers) if bits >> number & 1)
        for bits in set(candidates)
    }
    tried_bits = 0

    def settle(place: int) -> bool:
        nonlocal tried_bits
        while untried := shuffled[candidates[place]] & ~tried_bits:
            index = (untried & -untried).bit_length() - 1
            tried_bits |= 1 << index
            if place_of[index] < 0 or settle(place_of[index]):
                order[place], place_of[index] = numbers[index], place
                return True
        return False

    for place in sorted(range(len(candidates)), key=lambda place: candidates[place].bit_count()):
        tried_bits = 0
        if not settle(place):
            raise ValueError("No deal agrees with what was seen.")
    return order


def arrangements(candidates: list[int], rng: Random, constraints: tuple[AtLeast, ...] = ()) -> Iterator[list[int]]:
    """Yield possible arrangements without end, all equally likely. Each is the same list, changed in place.

    Between two samples, random pairs of tiles swap places if each may be in the other's place, so that no arrangement
    is favoured.
    """
    order = some_arrangement(candidates, rng)
    movable_places = [place for place, tiles in enumerate(candidates) if tiles.bit_count() > 1]
    attempts = SWAPS_PER_PLACE * len(movable_places)
    for _ in range(BURN_IN_PASSES):
        _swap(order, candidates, movable_places, attempts, rng, constraints)
    while _missing(constraints, order):
        _swap(order, candidates, movable_places, attempts, rng, constraints)
    while True:
        _swap(order, candidates, movable_places, attempts, rng, constraints)
        yield order


def _missing(constraints: tuple[AtLeast, ...], order: list[int]) -> int:
    return sum(constraint.missing(order) for constraint in constraints)


def _swap(
    order: list[int],
    candidates: list[int],
    movable_places: list[int],
    attempts: int,
    rng: Random,
    constraints: tuple[AtLeast, ...],
) -> None:
    random, count = rng.random, len(movable_places)
    for _ in range(attempts):
        first_place, second_place = movable_places[int(random() * count)], movable_places[int(random() * count)]
        first, second = order[first_place], order[second_place]
        if candidates[first_place] >> second & 1 and candidates[second_place] >> first & 1:
            missing_before = _missing(constraints, order) if constraints else 0
            order[first_place], order[second_place] = second, first
            if constraints and _missing(constraints, order) > missing_before:
                order[first_place], order[second_place] = first, second


_FORCED_LEADS = ("double", "lowest_double", "heaviest", "heaviest_hand")
"""Reasons of a lead that show tiles that no hand was dealt."""


NEVER = 10**9
"""Later than any event: the time at which a tile leaves its place if it never does."""


class World(NamedTuple):
    """A possible distribution of the hidden tiles."""

    hands: tuple[tuple[Tile, ...], ...]
    boneyard: tuple[Tile, ...]
    """In the order in which it will be drawn."""
    shed: tuple[tuple[Tile, ...], ...] = ()
    """Tiles laid face down, by seat; empty where no seat has laid any."""


class LayoutBelief:
    """The places of dealt tiles: first the hands of the seats, then the boneyard, including tiles drawn since.

    `may` holds, for each place, the tiles that it may have held as a bit set; `tiles` gives the tile of each bit.
    """

    def __init__(self, rules: LayoutRules, match: MatchView, view: LayoutView) -> None:
        """`view` is the round of `match` from the seat whose belief this is."""
        self.rules, self.match, self.view = rules, match, view
        self.tiles = [*rules.tiles]
        for placed in view.layout[:1]:
            if placed.seat == NOBODY:
                self.tiles.remove(placed.tile)
        self.dealt = rules.start.hand * rules.seats
        self.owner = [seat for seat in range(rules.seats) for _ in range(rules.start.hand)]
        self.owner += [NOBODY] * (len(self.tiles) - self.dealt)
        self.taken_at = [0] * self.dealt + [-1] * (len(self.tiles) - self.dealt)
        """Number of the event by which a place came to its owner; -1 while it is in the boneyard."""
        self.put_down_at = [NEVER] * len(self.tiles)
        """Number of the event by which the tile of a place was laid face down."""
        self.candidates = [(1 << len(self.tiles)) - 1] * len(self.tiles)
        self.laid_tiles = 0
        """Tiles on the table, as bits."""
        self.actions: list[Action] = []
        """Actions of the seats up to now."""
        self._laid: list[tuple[int, int, int]] = []
        """Tiles that have been laid: each as a bit, with its seat and the number of its event."""
        self._known_tiles: dict[int, Tile] = {}
        hand_size = rules.start.hand
        self._rows = [[*range(seat * hand_size, (seat + 1) * hand_size)] for seat in range(rules.seats)]
        """By seat, the places of a row that nobody sees, in its present order."""
        self._record_events(match, view)
        if not view.layout and view.legal and isinstance(lead := view.legal[0], Play):
            self._rule_out_better_leads(view.opening, lead.tile)
        self._place_open_tiles(view)

    def _record_events(self, match: MatchView, view: LayoutView) -> None:
        rules, drawn = self.rules, self.dealt
        for event_number, (event, table) in enumerate(
            observed_events(rules, view, match.history, round_context_of(match)), 1
        ):
            match event:
                case Led(seat=seat, tile=tile) | Played(seat=seat, tile=tile):
                    placed = view.layout[len(table.layout)]
                    self.actions.append(Play(tile, placed.on, placed.side, placed.out))
                    bit = self._bit_of(tile, ~self.laid_tiles)
                    self.laid_tiles |= bit
                    self._laid.append((bit, seat, event_number))
                    if rules.turns.blind:
                        self._known_tiles[self._rows[seat].pop(0)] = tile
                    if isinstance(event, Led):
                        self._rule_out_better_leads(event.reason, tile)
                case Tucked(seat=seat, tile=tile):
                    self.actions.append(Tuck(tile))
                    row = self._rows[seat]
                    self._known_tiles[row[0]] = tile
                    row.append(row.pop(0))
                case Passed(seat=seat):
                    self.actions.append(PASS)
                    if not event.chosen:
                        self._exclude_fitting(seat, event_number, self._fitting(table))
                case PutDown(seat=seat, tile=tile):
                    self._exclude_fitting(seat, event_number, self._fitting(table))
                    # The places of a hand are alike, so assume that it lay in the first.
                    place = min(
                        other_place
                        for other_place, owner in enumerate(self.owner)
                        if owner == seat and self._was_held(other_place, event_number)
                    )
                    self.put_down_at[place] = event_number
                    if tile is not None:
                        self._known_tiles[place] = tile
                case Drew(count=count):
                    self.actions.append(DRAW)
                    self._record_taken(event, range(drawn, drawn := drawn + count), event_number, table)

    def _record_taken(self, event: Drew, places: range, event_number: int, table: State) -> None:
        """Record that `places` of the boneyard came to a seat."""
        for place in places:
            self.owner[place], self.taken_at[place] = event.seat, event_number
        if event.forced and table.layout:
            self._record_draw(places, event.seat, event_number, table)
        if event.seat == self.view.seat:
            self._known_tiles |= dict(zip(places, event.tiles, strict=True))

    def _fitting(self, table: State) -> int:
        if table.layout:
            return self._bit_mask(playable_tiles(self.rules, table))
        return self._bit_mask(self.rules.start.opener(table.hands, table.before).tiles)  # some seat had none of them

    def _bit_mask(self, tiles: Collection[Tile]) -> int:
        return sum(1 << number for number, tile in enumerate(self.tiles) if tile in tiles)

    def _rule_out_better_leads(self, reason: str, led_tile: Tile) -> None:
        """Rule out tiles that would have been led instead of `led_tile` if another seat had held them."""
        if reason not in _FORCED_LEADS:
            return
        opener, first_round = self.rules.start.opener, RoundContext(0)
        better_leads = [
            tile
            for tile in self.tiles
            if (tile.is_double or reason != "heaviest_hand")
            and tile != led_tile
            and opener(((led_tile,), (tile,)), first_round).tiles == (tile,)
        ]
        for place in range(self.dealt):
            self.candidates[place] &= ~self._bit_mask(better_leads)

    def _exclude_fitting(self, seat: int, event_number: int, fitting: int) -> None:
        """Exclude the `fitting` tiles: at this event the seat held none of them, apart from those laid earlier."""
        laid_earlier = sum(bit for bit, layer, laid_at in self._laid if layer == seat and laid_at < event_number)
        for place, owner in enumerate(self.owner):
            if owner == seat and self._was_held(place, event_number):
                self.candidates[place] &= ~fitting | laid_earlier

    def _was_held(self, place: int, event_number: int) -> bool:
        """True if the tile of a place had come to its owner before event `event_number`, and was not laid down."""
        return 0 <= self.taken_at[place] < event_number <= self.put_down_at[place]

    def _record_draw(self, places: range, seat: int, event_number: int, table: State) -> None:
        """Record that a seat drew because nothing fitted, until something did or it could draw no more."""
        fitting = self._fitting(table)
        self._exclude_fitting(seat, event_number, fitting)
        for place in places[:-1]:
            self.candidates[place] &= ~fitting
        if len(places) < draws_left(self.rules, table):
            self.candidates[places[-1]] &= fitting

    def _place_open_tiles(self, view: LayoutView) -> None:
        """Restrict laid tiles to the places of the seats that laid them, and this seat's own tiles to its places."""
        hidden_tiles = (1 << len(self.tiles)) - 1 & ~self.laid_tiles
        if self.rules.turns.blind:
            self._place_turned_over_tiles(view)
            return
        for bit, seat, event_number in self._laid:
            for place, owner in enumerate(self.owner):
                if owner != seat or not self._was_held(place, event_number) or self.put_down_at[place] < NEVER:
                    self.candidates[place] &= ~bit
        own_tiles = 0
        for tile in (*view.hand, *view.own_shed):
            own_tiles |= self._bit_of(tile, hidden_tiles & ~own_tiles)
        for place, owner in enumerate(self.owner):
            if view.seat != NOBODY and owner == view.seat and self.taken_at[place] >= 0:
                self.candidates[place] &= ~(hidden_tiles & ~own_tiles)
            else:
                self.candidates[place] &= ~own_tiles
        for place, tile in self._known_tiles.items():
            self.candidates[place] &= self._bit_mask([tile])

    def _place_turned_over_tiles(self, view: LayoutView) -> None:
        """Fix the places of the tiles turned over in each row: nobody sees a row, but all have seen these tiles."""
        for row, seen_row in zip(self._rows, view.rows, strict=False):
            self._known_tiles |= {place: tile for place, tile in zip(row, seen_row, strict=True) if tile != STAR}
        for place, tile in self._known_tiles.items():
            self.candidates[place] &= self._bit_mask([tile])

    def _bit_of(self, tile: Tile, allowed: int) -> int:
        return next(1 << number for number, other in enumerate(self.tiles) if other == tile and allowed >> number & 1)

    def world(self, order: list[int]) -> World:
        """Return the present hands and boneyard if the tiles were dealt in this order."""
        if self.rules.turns.blind:
            return World(tuple(tuple(self.tiles[order[place]] for place in row) for row in self._rows), ())
        hands: list[list[Tile]] = [[] for _ in range(self.rules.seats)]
        shed: list[list[Tile]] = [[] for _ in self.view.shed]
        boneyard = []
        for place, number in enumerate(order):
            if self.laid_tiles >> number & 1:
                continue
            if self.taken_at[place] < 0:
                boneyard.append(self.tiles[number])
            elif self.put_down_at[place] < NEVER:
                shed[self.owner[place]].append(self.tiles[number])
            else:
                hands[self.owner[place]].append(self.tiles[number])
        return World(tuple(tuple(sorted(hand)) for hand in hands), tuple(boneyard), tuple(map(tuple, shed)))

    def _is_redealt(self, order: list[int], context: RoundContext) -> bool:
        """True if this deal would not have been played because one of its hands calls for a new deal."""
        size, tiles = self.rules.start.hand, [self.tiles[number] for number in order[: self.dealt]]
        hands = tuple(tuple(sorted(tiles[start : start + size])) for start in range(0, self.dealt, size))
        return self.rules.start.opener(hands, context).reason in REDEALS

    def past(self, order: list[int], context: RoundContext) -> tuple[tuple[State, Action], ...]:
        """Return the moments up to now if the tiles were dealt in this order and any tile could be led."""
        size, tiles = self.rules.start.hand, [self.tiles[number] for number in order]
        hands = tuple(tuple(sorted(tiles[start : start + size])) for start in range(0, self.dealt, size))
        opening = Opening(context.leader, hands[context.leader], "winner")
        start = State(hands, tuple(tiles[self.dealt :]), (), (), context.leader, opening, context)
        state = self.rules.complete(start)
        for action in self.actions:
            state, _ = self.rules.apply(state, action)
        return state.past

    @property
    def is_certain(self) -> bool:
        """True if nothing hidden can still matter: each tile can be in one hand only, or the boneyard."""
        rules, view = self.rules, self.view
        drawable = view.boneyard - rules.drawing.reserve if rules.drawing.max_per_turn else 0
        if drawable > 0 and view.boneyard > 1:
            return False
        if rules.turns.blind:  # the order of a row matters too
            return all(tiles.bit_count() == 1 for tiles in self.candidates)
        tiles_by_owner: dict[tuple[int, bool], int] = {}
        """For each owner, as bits, the tiles that it may have or have had; tiles laid face down are separate."""
        for place, tiles in enumerate(self.candidates):
            owner_key = self.owner[place], self.put_down_at[place] < NEVER
            tiles_by_owner[owner_key] = tiles_by_owner.get(owner_key, 0) | tiles & ~self.laid_tiles
        claimed_tiles = 0
        for tiles in tiles_by_owner.values():
            if claimed_tiles & tiles:
                return False
            claimed_tiles |= tiles
        return True

    def positions(self, rng: Random) -> Iterator[State]:
        rules, view, context = self.rules, self.view, round_context_of(self.match)
        if context.leader == NOBODY:
            context = replace(context, leader=view.turn)
        for order in arrangements(self.candidates, rng):
            if self._is_redealt(order, context):
                continue
            hands, boneyard, shed = self.world(order)
            yield State(
                hands,
                boneyard,
                view.layout,
                view.ends,
                view.turn,
                Opening(view.turn, (), view.opening or "rotation", leader=context.leader),
                context,
                drawn=view.drawn,
                stuck=view.stuck,
                owed=view.owed,
                open=view.open,
                going=view.going,
                turns=view.turns,
                shed=shed,
                up=tuple(tile for row in view.rows for tile in row if tile.is_double),
                pending=Pending(view.turn, view.pending, view.count) if view.pending else None,
                legal=view.legal,
                past=self.past(order, context) if rules.ending.looks_back else (),
            )


class ComboBelief:
    """Equal likelihood for all arrangements: no seat has to beat, so no play shows what a seat lacks."""

    def __init__(self, rules: ComboRules, match: MatchView, view: ComboView) -> None:
        """`view` is the round of `match` from the seat whose belief this is."""
        self.match, self.view = match, view
        self.tiles = unseen_in_combos(view, rules.tiles)

    @property
    def is_certain(self) -> bool:
        return not any(count for seat, count in enumerate(self.view.counts) if seat != self.view.seat)

    def positions(self, rng: Random) -> Iterator[ComboState]:
        view = self.view
        while True:
            tiles = self.tiles.copy()
            rng.shuffle(tiles)
            hands = tuple(
                view.hand if seat == view.seat else _take_tiles(tiles, count)
                for seat, count in enumerate(view.counts)
            )
            yield ComboState(
                hands,
                view.banker,
                view.turn,
                round_context_of(self.match),
                view.in_a_row,
                _fill_unknown(view.trick, tiles),
                tuple(ComboTrick(_fill_unknown(trick.puts, tiles), trick.winner) for trick in view.tricks),
                view.legal,
            )


def _take_tiles(tiles: list[Tile], count: int) -> tuple[Tile, ...]:
    """Remove `count` tiles from the end of the list, and return them sorted."""
    return tuple(sorted(tiles.pop() for _ in range(count)))


def _fill_unknown(combos: tuple[LaidCombo, ...], tiles: list[Tile]) -> tuple[LaidCombo, ...]:
    """Return the plays with their unknown tiles filled in from the end of `tiles`, which loses them."""
    return tuple(
        combo if combo.tiles else LaidCombo(combo.seat, _take_tiles(tiles, len(combos[0].tiles)), False)
        for combo in combos
    )


DOUBLES_SHOWN = {"plunge": PLUNGE_DOUBLES, "splash": SPLASH_DOUBLES}


class TrickBelief:
    """The places of hidden tiles: in the hands of the other seats, in order, then in a widow or among tiles put away.

    `candidates` has for each place, as bits, the tiles that may be there.
    """

    def __init__(self, rules: TrickRules, view: TrickView) -> None:
        laid = [laid_tile for trick in view.tricks for laid_tile in trick.tiles] + list(view.trick)
        self.view = view
        self.tiles = unseen_in_tricks(view, rules.tiles)
        self.owner = [seat for seat in range(rules.seats) if seat != view.seat for _ in range(view.counts[seat])]
        self.owner += [NOBODY] * (len(self.tiles) - len(self.owner))
        candidates = [[True] * len(self.tiles) for _ in range(rules.seats)]
        for trick in (*view.tricks, None):
            tiles, suit = (trick.tiles, trick.tiles[0].asks) if trick else (view.trick, view.suit)
            for number, laid_tile in enumerate(tiles):
                self._rule_out(candidates[laid_tile.seat], laid_tile.tile, suit, leads=number == 0)
        bits = [sum(1 << number for number, possible in enumerate(row) if possible) for row in candidates]
        all_tiles = (1 << len(self.tiles)) - 1
        self.candidates = [bits[seat] if seat != NOBODY else all_tiles for seat in self.owner]
        self.constraints = tuple(self._double_constraints(laid))

    def _rule_out(self, candidates: list[bool], tile: Tile, suit: int, *, leads: bool) -> None:
        """Rule out each tile with which the seat could not legally have laid `tile`; `candidates` has its tiles."""
        trump = self.view.trump
        if trump is None or (leads and trump.kind != "sevens"):
            return
        for number, other in enumerate(self.tiles):
            if tile not in layable_tiles((tile, other), suit, trump):
                candidates[number] = False

    def _double_constraints(self, laid: list[Laid]) -> Iterator[AtLeast]:
        """Yield for each other seat that bid plunge or splash the number of doubles that it must still hold."""
        doubles = sum(1 << number for number, tile in enumerate(self.tiles) if tile.is_double)
        for call in self.view.calls:
            if call.bid and call.bid.kind and call.seat != self.view.seat:
                laid_doubles = sum(play.tile.is_double for play in laid if play.seat == call.seat)
                places = frozenset(place for place, owner in enumerate(self.owner) if owner == call.seat)
                yield AtLeast(places, doubles, DOUBLES_SHOWN[call.bid.kind] - laid_doubles)

    def hands(self, order: list[int]) -> tuple[Hand, ...]:
        """Return the hands of an arrangement."""
        hands: list[list[Tile]] = [[] for _ in self.view.counts]
        for place, number in enumerate(order):
            if self.owner[place] != NOBODY:
                hands[self.owner[place]].append(self.tiles[number])
        if self.view.seat != NOBODY:
            hands[self.view.seat] = list(self.view.hand)
        return tuple(tuple(sorted(hand)) for hand in hands)

    def aside(self, order: list[int]) -> Hand:
        """Return the tiles of an arrangement that are in no hand."""
        return tuple(self.tiles[number] for place, number in enumerate(order) if self.owner[place] == NOBODY)

    @property
    def is_certain(self) -> bool:
        """True if nothing is hidden: each tile can be in one hand only."""
        tiles_by_owner = dict(zip(self.owner, self.candidates, strict=True))
        return sum(tiles.bit_count() for tiles in tiles_by_owner.values()) == len(self.tiles)

    def positions(self, rng: Random) -> Iterator[TrickState]:
        view = self.view
        for order in arrangements(self.candidates, rng, self.constraints):
            yield TrickState(
                self.hands(order),
                view.shaker,
                view.turn,
                view.calls,
                view.bidder,
                view.bid,
                view.trump,
                view.suit,
                view.trick,
                view.tricks,
                view.out,
                view.legal,
                widow=self.aside(order) if view.widow else (),
                buried=view.buried or (() if view.widow else self.aside(order)),
            )
