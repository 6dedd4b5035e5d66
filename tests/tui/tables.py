"""Moments at a table for the tests of screens, made from positions in the words of the rule book."""

from msgspec.structs import replace

from core.games import GAMES
from core.match import Match, new_match
from net.wire.messages import SeatInfo, TableInfo, Update
from tests.core.positions import position, rules
from themes import load_theme
from tui.model.choice import Choice
from tui.model.look import Look
from tui.model.presenter import Moment

DARK = Look(load_theme("dark"))
PLAIN = Look(load_theme("dark"), ascii=True)
NAMES = ("ada", "bela", "chen", "dora")


def match_at(ends, *hands, game="draw", boneyard="", turn=0, scores=None, **options) -> Match:
    """Return a match in the middle of a round."""
    state = position(rules(game, len(hands), **options), ends, *hands, boneyard=boneyard, turn=turn)
    chosen = {key.replace("__", "."): value for key, value in options.items()}
    match = replace(new_match(GAMES[game], len(hands), chosen), state=state, round=2)
    if state.result:
        scores = tuple(a + b for a, b in zip(scores or match.scores, state.result.points, strict=True))
    return replace(match, scores=scores or match.scores)


def update_at(match: Match, seat: int = 0, **fields) -> Update:
    """Return the update that a seat gets."""
    seats = fields.pop("seats", tuple(SeatInfo(name) for name in NAMES[: match.rules.seats]))
    table = TableInfo(1, "ada", match.variant.id, match.options, seats, fields.pop("watchers", 0), "playing")
    return Update(7, table, seat, match.view(seat), **fields)


def moment_at(ends, *hands, seat=0, choice=True, story=(), warning="", **options) -> Moment:
    """Return a moment of the table screen as a seat sees it."""
    update = update_at(match_at(ends, *hands, **options), seat)
    view = update.match.play
    chosen = Choice(view).carry_to(view) if choice and seat >= 0 and not view.result else None
    return Moment(update, chosen, story, warning, shows_result=True)
