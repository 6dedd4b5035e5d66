"""Moments of hands of Forty-Two and Moon for the tests of screens."""

from msgspec.structs import replace

from core.actions import Bid, Bury, Lay, Name, Pass
from core.games import GAMES
from core.layout.state import NOBODY
from core.match import Match, new_match
from core.tiles import hand, tile
from core.tricks.state import TrickState
from net.wire.messages import Update
from tests.tui.tables import update_at
from tui.model.non_layout_choices import first_choice
from tui.model.presenter import Moment

PASS = Pass()
FIVES = Name("number", 5)
HANDS = (
    "5|5 5|4 5|1 6|6 3|3 6|4 2|0",
    "6|5 6|2 4|4 3|1 2|2 1|0 0|0",
    "5|3 5|2 6|1 4|1 4|0 3|2 1|1",
    "5|0 6|3 6|0 4|3 4|2 3|0 2|1",
)


def hand_of(*actions, turn=0, hands=HANDS, scores=(2, 3), **options) -> Match:
    """Return a match of Forty-Two after some actions: texts are tiles laid, `turn` is the seat that bids first."""
    match = new_match(GAMES["forty-two"], 4, {f"42.{key}": value for key, value in options.items()})
    state = match.rules.complete(TrickState(tuple(map(hand, hands)), (turn - 1) % 4, turn))
    match = replace(match, state=state, round=6, scores=scores)
    for action in actions:
        for item in map(tile, action.split()) if isinstance(action, str) else [action]:
            match, _ = match.apply(Lay(item) if isinstance(action, str) else item)
    return match


THREE = "6|6 6|5 6|4 6|3 5|5 4|4 1|1", "6|2 6|1 5|4 5|3 5|2 5|1 4|3", "4|2 4|1 3|3 3|2 3|1 2|2 2|1"
"""Hands of three at Moon; 0|0 is the widow."""


def moon_of(*actions, scores=(4, -5, 10)) -> Match:
    """Return a match of Moon after some actions; texts are tiles that are laid, and seat 0 bids first."""
    match = new_match(GAMES["moon"], 3, {})
    state = match.rules.complete(TrickState(tuple(map(hand, THREE)), 2, 0, widow=(tile("0|0"),)))
    match = replace(match, state=state, round=6, scores=scores)
    for action in actions:
        for item in map(tile, action.split()) if isinstance(action, str) else [action]:
            match, _ = match.apply(Lay(item) if isinstance(action, str) else item)
    return match


def play_to_the_end(match: Match) -> Match:
    """Lay the first legal tile until the hand is over."""
    while match.legal:
        match, _ = match.apply(match.legal[0])
    return match


BID_BY_ADA = (Bid(32, 1), PASS, PASS, PASS)
MOMENTS = {
    "bidding": hand_of(PASS, Bid(31, 1), turn=2),
    "naming": hand_of(Bid(42, 1), PASS, PASS, PASS, contracts="nello+sevens"),
    "trick": hand_of(*BID_BY_ADA, FIVES, "5|5 6|5 5|2 5|0 6|6 6|2 6|1 6|0 6|4"),
    "taken": hand_of(*BID_BY_ADA, FIVES, "5|5 6|5 5|2 5|0"),
    "following": hand_of(Bid(30, 1), PASS, PASS, PASS, FIVES, "6|5 5|2 5|0", turn=1),
    "set": hand_of(*BID_BY_ADA, Name("number", 2), "6|4 6|5 6|1 6|0"),
    "set at points": hand_of(
        Bid(40, 1),
        PASS,
        PASS,
        PASS,
        FIVES,
        "5|5 6|5 5|2 5|0 5|4 0|0 5|3 2|1 6|6 6|2 6|1 6|0 3|3 3|1 3|2 6|3"
        " 6|4 1|0 4|0 4|2 5|1 4|4 1|1 4|3 2|0 2|2 4|1 3|0",
        score="points",
        scores=(120, 90),
    ),
    "passed": hand_of(PASS, PASS, PASS, PASS),
    "burying": moon_of(Bid(5, 0), PASS, PASS),
    "moon": moon_of(Bid(21, 0), Bury(tile("0|0")), Name("number", 6), "6|6 6|2 4|2 6|5 6|1 4|1 6|4 5|4"),
    "moon made": play_to_the_end(moon_of(Bid(4, 0), PASS, PASS, Bury(tile("0|0")), Name("number", 6))),
    "moon missed": play_to_the_end(moon_of(Bid(7, 0), PASS, PASS, Bury(tile("6|6")), Name("number", 2))),
}


def trick_moment(name: str, seat=0, story=(), warning="") -> Moment:
    """Return the moment `name` of the table screen as a seat sees it, or the last seat of a smaller table."""
    seat = min(seat, MOMENTS[name].rules.seats - 1)
    update: Update = update_at(MOMENTS[name], seat)
    view = update.match.play
    choice = first_choice(view) if seat != NOBODY and not view.result else None
    return Moment(update, choice, story, warning, shows_result=True)
