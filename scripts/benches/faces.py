"""How large tiles are drawn: of the turns of recorded rounds, the share in each face, and as lanes."""

import argparse
import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random

from figures import title
from msgspec.structs import replace

from core.bots.levels import BOTS
from core.chance import deal_order
from core.games import GAMES
from core.layout.state import LayoutView
from core.match import Match, new_match
from net.wire.messages import Update
from net.wire.tables import SeatInfo, TableInfo
from themes import load_theme
from tui.board.canvas import Form
from tui.draw.look import Look
from tui.draw.moment import Moment
from tui.draw.rows import board_width, rows_for
from tui.draw.scene import draw_middle
from tui.families import presenter_of

SIZES = ((80, 24), (100, 30), (140, 45), (200, 60))
KINDS = ("large", "medium", "small", "lanes")


def kind_of(form: Form, shape: str) -> str:
    """What a picture counts as: where lanes are the game's own shape, their face."""
    if form.lanes and shape != "lanes":
        return "lanes"
    return "small" if form.face == "line" else form.face


def rounds_of(name: str, rounds: int, seed: int) -> list[list[Match]]:
    """Play so many rounds by plain rules, for every number of players in turn; return each as its positions."""
    variant, played = GAMES[name], []
    for number in range(rounds):
        fewest, most = variant.seats
        players = fewest + number % (most - fewest + 1)
        match, rng = new_match(variant, players, {}), Random(seed + number)
        match, _ = match.deal(*deal_order(match.rules.tiles, players, b"%d" % (seed + number), 1))
        positions = []
        while match.turn >= 0:
            positions.append(match)
            match, _ = match.apply(BOTS["greedy"](match.view(match.turn), rng))
        played.append(positions)
    return played


def shares_of(name: str, rounds: int, seed: int) -> dict[tuple[int, int], Counter[str]]:
    """Count the turns of a game by how its table is drawn in each size of window."""
    look = Look(load_theme("dark"))
    shares: dict[tuple[int, int], Counter[str]] = {size: Counter() for size in SIZES}
    for positions in rounds_of(name, rounds, seed):
        forms: dict[tuple[int, int], Form | None] = dict.fromkeys(SIZES)
        for match in positions:
            view = match.view(match.turn)
            if not isinstance(view.play, LayoutView):
                continue
            presenter = presenter_of(view.play)
            seats = tuple(SeatInfo(f"player {seat + 1}") for seat in range(view.players))
            table = TableInfo(0, "", name, match.options, seats, 0, "playing")
            moment = Moment(Update(1, table, match.turn, view), presenter.choose(view.play, None))
            for width, height in SIZES:
                before = forms[width, height] if presenter.keeps_form(view.play) else None
                rows = rows_for(moment.update, width, height)
                moment = replace(moment, scored=rows.scored)
                form = draw_middle(moment, board_width(width), rows.board, look, before).form
                forms[width, height] = form
                if form:
                    shares[width, height][kind_of(form, view.play.shape)] += 1
    return shares


def main() -> None:
    """Print a row for each game and size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(GAMES), help="games (default: all)")
    parser.add_argument("--rounds", type=int, default=500, help="of each game")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=2026)
    wanted = parser.parse_args()
    title(f"faces: {wanted.rounds} rounds of each game; the share of turns in each face, and as lanes")
    print("| game | " + " | ".join(f"{width}×{height}" for width, height in SIZES) + " |")
    print("| --- " * (len(SIZES) + 1) + "|")
    with ProcessPoolExecutor(wanted.jobs) as pool:
        for name, shares in zip(
            wanted.games,
            pool.map(partial(shares_of, rounds=wanted.rounds, seed=wanted.seed), wanted.games),
            strict=True,
        ):
            cells = []
            for size in SIZES:
                total = shares[size].total()
                cells.append(" / ".join(f"{shares[size][kind] / total:.0%}" for kind in KINDS) if total else "")
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
