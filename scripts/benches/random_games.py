"""Random four-player Block, seven tiles each, compared with two other engines: whole games with shuffle and deal."""

import json
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from random import Random
from statistics import median

from figures import show, title

from core.games import GAMES
from core.layout.state import Before

ROUNDS = 9
"""Turns of each engine, in rotation, so that other load on the machine affects all equally."""
SECONDS = 0.5
"""Of CPU, for one turn: long compared with the clock's resolution, short compared with changes of other load."""
SEATS = 4

Play = Callable[[Random], int]
"""Plays one game to its end and returns the number of actions, passes counted."""


def boneyard(game: str = "block") -> Play:
    """Play by the public functions of `core`; the deal is the one that our matches use."""
    deal_order = import_module("core.chance" if find_spec("core.chance") else "core.fair").deal_order
    _, rules = GAMES[game].rules(SEATS, {"hand4": 7})

    def play(rng: Random) -> int:
        order, lot = deal_order(rules.tiles, SEATS, rng.randbytes(32), 1)
        state = rules.deal(order, Before(lot))
        actions = 0
        while legal := rules.legal(state):
            state, _ = rules.apply(state, rng.choice(legal))
            actions += 1
        return actions

    return play


def pypi_dominoes() -> Play:
    """Play by PyPI `dominoes` with its faster board; its list of moves has the passes."""
    dominoes = import_module("dominoes")
    double_six = dominoes.Domino(6, 6)

    def play(rng: Random) -> int:
        game = dominoes.Game.new(starting_domino=double_six)
        game.skinny_board()
        while game.result is None:
            game.make_move(*rng.choice(game.valid_moves))
        return len(game.moves)

    return play


def open_spiel() -> Play:
    """Play by open_spiel's `python_team_dominoes`. It skips players who must pass; that counts as a pass."""
    pyspiel = import_module("pyspiel")
    import_module("open_spiel.python.games.team_dominoes")  # registers the game
    game = pyspiel.load_game("python_team_dominoes")

    def play(rng: Random) -> int:
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        actions = 0
        while not state.is_terminal():
            seat = state.current_player()
            state.apply_action(rng.choice(state.legal_actions()))
            after = state.current_player()
            actions += 1 if state.is_terminal() else (after - seat - 1) % SEATS + 1
        return actions

    return play


def turn(play: Play, rng: Random) -> tuple[float, float]:
    """Play for a while; return games and actions per second."""
    games = actions = 0
    start = time.process_time()
    while (seconds := time.process_time() - start) < SECONDS:
        actions += play(rng)
        games += 1
    return games / seconds, actions / seconds


def brief() -> dict[str, float]:
    """Return the speed of Block and Draw with all tiles dealt, also divided by that of `dominoes` if it is here.

    The `core` may be an older one, which `./scripts/bench against` has put on the path.
    """
    engines = {"Block": boneyard("block"), "Draw": boneyard("draw")}
    if find_spec("dominoes"):
        engines["dominoes"] = pypi_dominoes()
    rng = Random(6)
    found = {name: turn(play, rng)[0] for name, play in engines.items()}
    rival = found.pop("dominoes", 0)
    return {f"engine: random games of {name} a second": speed for name, speed in found.items()} | {
        f"engine: {name} ÷ dominoes": speed / rival for name, speed in found.items() if rival
    }


def main() -> None:
    """Let the engines take turns, and print the best and the median of each, and the ratios of one round."""
    title("core: random Block, four players, seven tiles each, one process")
    engines = {
        "boneyard": boneyard(),
        "dominoes 6.1.0, skinny_board": pypi_dominoes(),
        "open_spiel 2.0.2, python_team_dominoes": open_spiel(),
    }
    rng = Random(6)
    rounds = [{name: turn(play, rng) for name, play in engines.items()} for _ in range(ROUNDS)]
    for name in engines:
        games = [each[name][0] for each in rounds]
        actions = [each[name][1] for each in rounds]
        show(f"{name}: games/s, best (median)", f"{max(games):,.0f} ({median(games):,.0f})")
        show(f"{name}: actions/s, best (median)", f"{max(actions):,.0f} ({median(actions):,.0f})")
    ours, *others = engines
    for name, goal in zip(others, ("1", "2"), strict=True):
        for unit, what in enumerate(("games", "actions")):
            ratio = median(each[ours][unit] / each[name][unit] for each in rounds)
            show(f"{ours} / {name.partition(',')[0]}, {what}, median of rounds", f"{ratio:.2f} ×", f"≥ {goal} ×")


if __name__ == "__main__":
    if "--json" in sys.argv:
        print(json.dumps(brief()))
    else:
        main()
