"""Prints how many random games of Block and Draw a checkout's engine plays in a second, as `measures.py` asks."""

import json
import time
from random import Random

from core.fair import deal_order
from core.games import GAMES
from core.layout.state import Before

SECONDS = 0.5
"""Of CPU, for one game: long compared with the clock's resolution, short compared with changes of other load."""
SEATS = 4


def speed(game: str, rng: Random) -> float:
    """Play for a while by the public functions of `core`, each deal as in our matches; return games per second."""
    _, rules = GAMES[game].rules(SEATS, {"hand4": 7})
    games, start = 0, time.process_time()
    while (seconds := time.process_time() - start) < SECONDS:
        order, lot = deal_order(rules.tiles, SEATS, rng.randbytes(32), 1)
        state = rules.deal(order, Before(lot))
        while legal := rules.legal(state):
            state, _ = rules.apply(state, rng.choice(legal))
        games += 1
    return games / seconds


if __name__ == "__main__":
    rng = Random(6)
    print(
        json.dumps(
            {f"engine: random games of {GAMES[game].name} a second": speed(game, rng) for game in ("block", "draw")}
        )
    )
