"""Counted trees: from a known deal, so many sequences of actions of each length (tests/perft/*.txt)."""

from pathlib import Path

import pytest

from core.fair import deal_order
from core.games import GAMES
from core.match import Match, new_match

TREES = Path(__file__).parent.parent / "perft"


def perft(match: Match, depth: int) -> int:
    """How many sequences of `depth` actions there are within the round."""
    if depth == 0:
        return 1
    return sum(perft(match.apply(action)[0], depth - 1) for action in match.legal)


def cases():
    for path in sorted(TREES.glob("*.txt")):
        for line in path.read_text().splitlines():
            if line and not line.startswith("#"):
                players, seed, house, *counts = line.split()
                yield pytest.param(
                    path.stem,
                    int(players),
                    seed,
                    house,
                    list(map(int, counts)),
                    id=f"{path.stem}-{line[:40]}",
                )


@pytest.mark.parametrize(("game", "players", "seed", "house", "counts"), cases())
def test_the_tree_of_a_deal_has_the_counted_branches(game, players, seed, house, counts):
    chosen = dict(pair.split("=") for pair in house.split(",") if pair != "-")
    match = new_match(GAMES[game], players, chosen)
    match, _ = match.deal(*deal_order(match.rules.tiles, players, seed.encode(), 1))

    assert [perft(match, depth) for depth in range(1, len(counts) + 1)] == counts


def test_every_game_has_a_counted_tree():
    assert {path.stem for path in TREES.glob("*.txt")} == set(GAMES)
