"""What the rule sheets (`docs/rules` §C.1, §C.2, §C.7, §C.8) say of random play, and what the engine measures."""

import argparse
from collections import Counter
from random import Random

from all_games import moments
from figures import show, title

from core.actions import RoundOver
from core.bots.levels import choices_at_random
from core.chance import deal_order
from core.games import GAMES
from core.layout.last_tile import last_tile
from core.layout.placed import NOBODY
from core.layout.rules import LayoutRules
from core.layout.state import Before, State
from core.match import new_match
from core.patience.solve import LOOKS, solution

SEATS = 4


def deals(rules: LayoutRules, number: int, seed: int) -> list[State]:
    """Deal so many first hands."""
    rng = Random(seed)
    return [rules.deal(*_dealt(rules, rng)) for _ in range(number)]


def _dealt(rules: LayoutRules, rng: Random) -> tuple[tuple, Before]:
    order, lot = deal_order(rules.tiles, SEATS, rng.randbytes(32), 1)
    return order, Before(lot)


def kind_of(state: State) -> str:
    """How a hand ended: blocked, or by which kind of last tile."""
    if state.result and state.result.how == "blocked":
        return "blocked"
    last = last_tile(state)
    if last.tile.is_double:
        return "a double on both ends" if last.fits_both else "a double on one end"
    return "a capicúa" if last.fits_both and last.on != last.other else "a plain single"


def endings(rules: LayoutRules, number: int, seed: int) -> Counter[str]:
    """Play so many hands at random, and count how they ended."""
    rng, found = Random(seed), Counter[str]()
    for state in deals(rules, number, seed):
        while state.legal:
            state, _ = rules.apply(state, rng.choice(state.legal))  # noqa: PLW2901 - the hand goes on
        found[kind_of(state)] += 1
    return found


def hands_of_love(matches: int, seed: int) -> tuple[float, float]:
    """How long a random match is where six hands must be won in a row, and what share the side that leads wins."""
    hands, led, kept = 0, 0, 0
    for number in range(matches):
        table = new_match(GAMES["six-love"], SEATS, {"sl.match": "love"})
        for match, events, _seconds in moments(table, f"{seed} {number}"):
            for over in events:
                if isinstance(over, RoundOver) and over.winner != NOBODY and match.state:
                    led += 1
                    kept += over.winner % 2 == match.state.leader % 2
        hands += match.round
    return hands / matches, kept / led


def solved(kind: str, refill: str, number: int, seed: int, looks: int) -> tuple[float, float]:
    """The shares of deals of a game for one that the search solves, and that random play does."""
    rules = GAMES["patience"].rules(1, {"pa.game": kind, "pa.refill": refill})[1]
    rng, searched, lucky = Random(seed), 0, 0
    for _ in range(number):
        state = rules.deal(deal_order(rules.tiles, 1, rng.randbytes(32), 1)[0], Before(0))
        searched += solution(rules, state.laid, looks) is not None
        while state.legal:
            state, _ = rules.apply(state, rng.choice(choices_at_random(state.legal)))
        lucky += state.result.how == "solved"
    return searched / number, lucky / number


def line(what: str, sheet: str, measured: float) -> None:
    """Print one share."""
    show(what, f"{sheet} / {100 * measured:.1f} %")


def main() -> None:
    """Print all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=20_000, help="hands of random play")
    parser.add_argument("--seed", type=int, default=1, help="the same number gives the same hands")
    wish = parser.parse_args()
    title(f"partners: {wish.hands:,} hands of random play, sheet / measured")
    found = endings(GAMES["partners"].rules(SEATS, {})[1], wish.hands, wish.seed)
    line("blocked", "25 %", found["blocked"] / wish.hands)
    out = wish.hands - found["blocked"]
    for kind, sheet in (
        ("a plain single", "65 %"),
        ("a capicúa", "15 %"),
        ("a double on one end", "16 %"),
        ("a double on both ends", "4 %"),
    ):
        line(f"of those that end by going out, {kind}", sheet, found[kind] / out)
    title(f"brazilian: {wish.hands:,} deals, sheet / measured")
    for doubles, sheet in ((4, "17 %"), (5, "1.5 %")):
        rules = GAMES["brazilian"].rules(SEATS, {"br.redeal": doubles})[1]
        again = sum(state.result is not None for state in deals(rules, wish.hands, wish.seed))
        line(f"dealt again at {doubles} doubles in a hand", sheet, again / wish.hands)

    matches = wish.hands // 20
    title(f"six love in a row: {matches:,} matches of random play, sheet / measured")
    hands, kept = hands_of_love(matches, wish.seed)
    show("hands in a match", f"94 if all hands are even / {hands:.0f}")
    line("hands that the side wins which leads", "50 % if even", kept)

    looks = 50 * LOOKS
    title(f"patience: {matches:,} deals, sheet / measured, with {looks:,} positions to a search")
    for kind, refill, by_search, at_random in (
        ("luzon", "keep", "about 50 %", "–"),
        ("castle-rock", "keep", "20 %", "1 %"),
        ("draw-five", "keep", "25 % with care", "–"),
        ("draw-five", "stuck", "–", "–"),
        ("draw-five", "empty", "0 of 4,000", "0 of 4,000"),
        ("good-neighbors", "keep", "–", "–"),
    ):
        searched, lucky = solved(kind, refill, matches, wish.seed, looks)
        name = f"{kind}, {refill}" if kind == "draw-five" else kind
        line(f"{name}: a search solves", by_search, searched)
        line(f"{name}: random play solves", at_random, lucky)


if __name__ == "__main__":
    main()
