"""Where the players sit round a drawn table."""

NEAR, LEFT, FAR, RIGHT = range(4)
_TAKEN = {3: (NEAR, LEFT, RIGHT), 4: (NEAR, LEFT, FAR, RIGHT)}
"""By the players, the places that are taken, clockwise."""


def seated(players: int, seat: int, *, counter_clockwise: bool) -> tuple[int, ...]:
    """Return by seat where its player sits: `seat`, or for a spectator the first, is near; the turn goes round.

    `docs/rules/conventions.md`, “Seats”.
    """
    taken = _TAKEN[players]
    step = -1 if counter_clockwise else 1
    return tuple(taken[step * (each - max(seat, 0)) % players] for each in range(players))
