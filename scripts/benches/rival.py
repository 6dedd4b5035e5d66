"""Our bots against the best fair player of PyPI `dominoes` at its own game: block, two pairs, seven tiles each."""

import argparse
import copy
import random

import dominoes
from figures import title

from core.actions import Action, Pass, Play
from core.bots.levels import BOTS
from core.fair import deal_order
from core.games import GAMES
from core.intervals import per_unit
from core.match import Match, new_match
from core.tiles import Tile

RULES = {"partners": "yes", "hand4": 7}
"""With all tiles dealt there is nothing to draw, so this is that game."""
FIRST, SAMPLES = 12, 20
"""The move at which their player begins to search, and in how many deals."""


def dealt(number: int, seed: int) -> tuple[Match, dominoes.Game]:
    """Return the same deal for both engines; the double six leads."""
    match = new_match(GAMES["draw"], 4, RULES)
    order, lot = deal_order(match.rules.tiles, 4, b"%d %d" % (seed, number), 1)
    match, _ = match.deal(order, lot)
    hands = [dominoes.Hand([dominoes.Domino(*tile) for tile in order[at : at + 7]]) for at in range(0, 28, 7)]
    first = dominoes.Domino(6, 6)
    starter = next(seat for seat, hand in enumerate(hands) if first in hand)
    theirs = dominoes.Game(dominoes.Board(), hands, [], starter, ((first, True),), starter, None)
    theirs.make_move(first, True)
    match, _ = match.apply(match.legal[0])
    return _passed(match), theirs


def _passed(match: Match) -> Match:
    """Their engine passes by itself."""
    while match.legal == (Pass(),):
        match, _ = match.apply(match.legal[0])
    return match


def of_ours(action: Action, theirs: dominoes.Game) -> tuple[dominoes.Domino, bool]:
    """Return one of our plays as theirs: its tile, and whether it goes to the left."""
    assert isinstance(action, Play)
    domino = dominoes.Domino(*action.tile)
    shown = action.tile.other(action.out)
    return domino, theirs.board.left_end() == shown


def of_theirs(move: tuple[dominoes.Domino, bool], match: Match, theirs: dominoes.Game) -> Action:
    """Return one of their moves as ours: the play of that tile on the number that it was laid on."""
    domino, left = move
    tile = Tile(*sorted((domino.first, domino.second)))
    shown = theirs.board.left_end() if left else theirs.board.right_end()
    return next(each for each in match.legal if isinstance(each, Play) and each.tile == tile and _on(each) == shown)


def _on(play: Play) -> int:
    return play.tile.other(play.out)


def won(number: int, side: int, level: str, player: object, seed: int) -> float:
    """Play a deal with our bot on a side; return 1 if it won, 0.5 for a tie, else 0."""
    match, theirs = dealt(number, seed)
    rng = random.Random(number)
    random.seed(number)  # their player draws its samples from here
    while theirs.result is None:
        if match.turn != theirs.turn:
            raise AssertionError("the engines do not agree on whose turn it is")
        if match.turn % 2 == side:
            action = BOTS[level](match.view(match.turn), rng)
            move = of_ours(action, theirs)
        else:
            asked = copy.deepcopy(theirs)
            player(asked)  # type: ignore[operator]
            move = asked.valid_moves[0]
            action = of_theirs(move, match, theirs)
        theirs.make_move(*move)
        match, _ = match.apply(action)
        match = _passed(match)
    points = theirs.result.points
    return 0.5 if not points else float((points > 0) == (side == 0))


def main() -> None:
    """Print what each of our levels wins, each deal once for each side."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("levels", nargs="*", default=["normal", "hard"])
    wanted = parser.parse_args()
    searcher = dominoes.players.probabilistic_alphabeta(FIRST, SAMPLES)
    heaviest = dominoes.players.bota_gorda

    def after_heaviest(game: dominoes.Game) -> None:
        heaviest(game)
        searcher(game)

    title(f"bots against PyPI dominoes, probabilistic_alphabeta({FIRST}, {SAMPLES}), at its own game")
    for name, player in (("alone", searcher), ("after bota_gorda", after_heaviest)):
        for level in wanted.levels:
            shares = [
                (won(number, 0, level, player, wanted.seed) + won(number, 1, level, player, wanted.seed)) / 2
                for number in range(wanted.deals)
            ]
            share, low, high = per_unit(shares, [1] * len(shares)) or (0, 0, 0)
            print(f"  {level:<8} {name:<18} {share:.1%} ({low:.1%} to {high:.1%}) of {2 * wanted.deals}", flush=True)


if __name__ == "__main__":
    main()
