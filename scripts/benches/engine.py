"""Prints how many random games a second the engine of a checkout plays, and PyPI `dominoes` beside it."""

import json
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from random import Random

from core.games import GAMES
from core.layout.state import Before

SECONDS = 0.5
"""Of CPU, for one game: long compared with the clock's resolution, short compared with changes of other load."""
SEATS = 4


def ours(game: str) -> Callable[[Random], None]:
    """Play a game with all tiles dealt, as in our matches, by the public functions of `core`, which may be older."""
    deal_order = import_module("core.chance" if find_spec("core.chance") else "core.fair").deal_order
    _, rules = GAMES[game].rules(SEATS, {"hand4": 7})

    def play(rng: Random) -> None:
        order, lot = deal_order(rules.tiles, SEATS, rng.randbytes(32), 1)
        state = rules.deal(order, Before(lot))
        while legal := rules.legal(state):
            state, _ = rules.apply(state, rng.choice(legal))

    return play


def theirs() -> Callable[[Random], None]:
    """Play one by PyPI `dominoes` with its faster board; its list of moves has the passes."""
    dominoes = import_module("dominoes")
    double_six = dominoes.Domino(6, 6)

    def play(rng: Random) -> None:
        game = dominoes.Game.new(starting_domino=double_six)
        game.skinny_board()
        while game.result is None:
            game.make_move(*rng.choice(game.valid_moves))

    return play


def speed(play: Callable[[Random], None]) -> float:
    """Play for a while; return games per second."""
    rng, games, start = Random(6), 0, time.process_time()
    while (seconds := time.process_time() - start) < SECONDS:
        play(rng)
        games += 1
    return games / seconds


if __name__ == "__main__":
    found = {name: speed(ours(name.lower())) for name in ("Block", "Draw")}
    rival = speed(theirs())
    print(
        json.dumps(
            {f"engine: random games of {name} a second": games for name, games in found.items()}
            | {f"engine: {name} ÷ PyPI dominoes": games / rival for name, games in found.items()}
        )
    )
