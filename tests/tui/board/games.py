"""Positions to draw, from games that bots play."""

from functools import cache

from core.bots.levels import play_match
from core.games import GAMES
from core.layout.state import NOBODY
from core.match import new_match
from tui.board import Mark


@cache
def positions(game, players, options=(), seed=0, rounds=1):
    """Yield the view after every play in the first rounds of a match between random bots."""
    views = []
    match = new_match(GAMES[game], players, dict(options))
    size = 0
    for step in play_match(match, ("random",) * players, seed.to_bytes(4, "big"), "test"):
        if step.match.round > rounds:
            break
        state = step.match.state
        if state and len(state.layout) != size:
            size = len(state.layout)
            if size:
                views.append(step.match.view(max(0, state.turn)).play)
    return tuple(views)


def marks_of(view, chosen=0):
    """Return a mark at every end, one of them chosen."""
    return [
        Mark(
            end.at,
            end.side,
            end.pips,
            key="abcdefghijklmnopqrstuvwxyz"[number],
            note="answer this first" if end.at in view.owed else "",
            chosen=number == chosen % len(view.ends),
            owner=end.owner,
            flag=end.owner in view.open and end.owner != NOBODY,
            state="open to all" if end.owner in view.open else "closed" if end.owner != NOBODY else "",
            owed=end.at in view.owed,
        )
        for number, end in enumerate(view.ends)
    ]


def titles_of(view, players):
    """Return the names of the trains."""
    names = ("ada", "bela", "chen", "dora", "Émile", "frieda", "gustav", "helene")[:players]
    return (*names, "Mexican Train") if view.shape == "lanes" else ()


def sides_of(view):
    """Return the sides of the first tile at which something lies or may be laid."""
    begun = {end.side for end in view.ends if end.at == 0} | {placed.side for placed in view.layout if placed.on == 0}
    return tuple(sorted(begun))
