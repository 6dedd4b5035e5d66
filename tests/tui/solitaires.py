"""Moments of patience, for the tests of screens."""

from random import Random

from core.actions import GiveUp
from core.bots.greedy import greedy_bot
from core.fair import deal_order
from core.games import GAMES
from core.games.patience import KINDS
from core.match import Match, new_match
from net.wire.messages import SeatInfo, Update
from tests.tui.tables import update_at
from tui.model.non_layout_choices import patience_choice
from tui.model.presenter import Moment


def game_of(kind: str, moves: int = 0, *, seed: bytes = b"a", gives_up: bool = False) -> Match:
    """Return a game after `moves` moves by plain rules."""
    match = new_match(GAMES["patience"], 1, {"pa.game": kind})
    match, _ = match.deal(*deal_order(match.rules.tiles, 1, seed, 1))
    for _ in range(moves):
        if match.turn == 0:
            match, _ = match.apply(greedy_bot(match.view(0), Random(0)))
    return match.apply(GiveUp())[0] if gives_up else match


SOLITAIRES = {
    **{f"{kind} dealt": game_of(kind) for kind in KINDS},
    **{f"{kind} later": game_of(kind, 6) for kind in KINDS},
    **{f"{kind} over": game_of(kind, 200) for kind in KINDS},
    **{f"{kind} given up": game_of(kind, 2, gives_up=True) for kind in KINDS},
}


def update_of(match: Match, seat: int = 0) -> Update:
    """Return the update of the only player, or of a spectator."""
    return update_at(match, seat, seats=(SeatInfo("ada"),))


def moment_of(match: Match, seat: int = 0) -> Moment:
    """Return a moment of the table screen."""
    update = update_of(match, seat)
    view = update.match.play
    choice = patience_choice(view, None) if seat == 0 and not view.result else None
    return Moment(update, choice, shows_result=True)
