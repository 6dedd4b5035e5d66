"""Blocks that random games seldom reach, mainly ties: settled by `core` and by the rule sheet, and compared."""

from random import Random

from core.actions import RoundOver
from core.games.stakes import Payment, blocker_pays, everybody_pays
from core.layout.blocking import Blame
from core.layout.state import Opening, PlacedTile, RoundContext, State
from core.tiles import Tile
from tests.rules.compare import SHEETS, chosen
from tests.rules.sheet import NOBODY, Laid
from tests.rules.stakes import Stakes

NAMES = tuple(
    name
    for name in SHEETS
    if name not in ("stakes", "forty-two", "moon", "four-rounds", "jie-long", "patience", "tien-gow")
)
"""Games in which a block is settled from the hands, the last tiles laid, and the leader."""


def settled(name: str, seed: str) -> tuple:
    """Settle a random block by `core` and the sheet; return (how, winner, points) of each, and the block."""
    rng = Random(seed)
    match = chosen(rng, name, seed)
    sheet = SHEETS[name](match.rules.seats, match.options)
    light = [tuple(tile) for tile in match.rules.tiles if sum(tile) <= 4]
    rng.shuffle(light)
    hands = [
        sorted(light.pop() for _ in range(rng.randint(1, 1 if match.rules.seats > 4 else 2))) for _ in range(sheet.n)
    ]
    layers = rng.sample(range(sheet.n), rng.randint(1, sheet.n))
    laid = [Laid((6, 6), at - 1, at and 1, 6, rng.choice(layers)) for at in range(rng.randint(1, 4))]
    sheet.hands, sheet.yard, sheet.table, sheet.leader = hands, light[:2], laid, rng.randrange(sheet.n)
    sheet.round = 1
    state = State(
        tuple(tuple(Tile(*tile) for tile in hand) for hand in hands),
        tuple(Tile(*tile) for tile in light[:2]),
        tuple(PlacedTile(Tile(*placed.tile), placed.on, placed.side, placed.out, placed.seat) for placed in laid),
        (),
        0,
        Opening(sheet.leader, (), "lot"),
        RoundContext(lot=0),
    )
    result: RoundOver = match.rules.ending.settle(state)
    where = f"{name}, {sheet.n} players, seed {seed!r}, hands {hands}, laid by {[placed.seat for placed in laid]}"
    core = (result.how, result.winner, result.points)
    return core, tuple(sheet.settle("blocked", NOBODY)), f"{where}, leader {sheet.leader}, {match.options}"


def paid(seed: str) -> tuple:
    """Return the gain of each seat in a random block in Stakes, with or without a blocker: by core, by the sheet."""
    rng = Random(seed)
    match = chosen(rng, "stakes", seed)
    sheet, o = Stakes(match.rules.seats, match.options), match.options
    dots, last = [rng.randint(1, 6) for _ in range(sheet.n)], rng.randrange(sheet.n)
    order = [(last + step) % sheet.n for step in range(1, sheet.n + 1)]
    sheet.blocker = rng.choice([NOBODY, *range(sheet.n)])
    sheet.assistant = NOBODY if sheet.blocker == NOBODY else rng.choice([NOBODY, (sheet.blocker - 1) % sheet.n])
    by_core = (
        everybody_pays(dots, last)
        if sheet.blocker == NOBODY
        else blocker_pays(
            dots,
            Blame(sheet.blocker, sheet.assistant),
            last,
            loss_factor=int(o["sm.k"]),
            tie=str(o["sm.tie"]),
            assist_pays=str(o["sm.assist_pays"]),
            share=str(o["sm.share"]),
        )
    )
    lowest = [seat for seat in range(sheet.n) if dots[seat] == min(dots)]
    by_sheet = [Payment(*payment) for payment in sheet.for_a_block(dots, lowest, order)]
    where = f"stakes, seed {seed!r}, dots {dots}, last {last}, blame {(sheet.blocker, sheet.assistant)}, {o}"
    return gains(by_core, sheet.n), gains(by_sheet, sheet.n), where


def gains(payments, seats: int) -> list:
    """Return each seat's gain or loss from some payments."""
    return [
        sum(payment.amount for payment in payments if payment.payee == seat)
        - sum(payment.amount for payment in payments if payment.payer == seat)
        for seat in range(seats)
    ]


def compare_blocks(seeds) -> tuple[int, list[str]]:
    """Settle a random block of every game for each seed; return the number of blocks, and the differences."""
    number, differences = 0, []
    for seed in seeds:
        for core, plain, where in (*(settled(name, seed) for name in NAMES), paid(seed)):
            number += 1
            if core != plain:
                differences.append(f"{where}: core says {core}, the sheet {plain}")
    return number, differences
