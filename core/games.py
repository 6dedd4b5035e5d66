"""The games: one value each, and the table of them all."""

from difflib import get_close_matches
from functools import partial

from core.line import collect, equal_halves, opener, two_ends
from core.options import Option, Options
from core.rules import UNLIMITED, Drawing, Goal, LayoutRules
from core.tiles import full_set
from core.variant import Variant
from core.words import BadOption, phrase, words

_HANDS = (
    Option("hand3", (5, 6, 7), "tiles for each of three players"),
    Option("hand4", (5, 7), "tiles for each of four players"),
)
_OPENER = Option(
    "opener", ("highest_double", "heaviest", "lot", "winner", "rotate"), "who leads a round, and with what"
)
_NO_DOUBLE = Option("no_double", ("tile", "hand"), "what leads where nobody has a double")
_SCORES = ("net", "gross", "boneyard")
_TIE = Option("tie", ("none", "last_player", "share"), "who wins a block when the lightest are equal")
_TARGET = Option("target", (100, 50, 61, 150, 200, 250, 500), "points that end the match")

_DRAWING = (
    Option("partners", ("no", "yes"), "four players as two pairs"),
    Option("draw.reserve", (0, 1, 2), "tiles that stay in the boneyard"),
    Option("draw.max", ("∞", 1, 3), "tiles drawn in one turn, at most"),
    Option("draw.voluntary", ("no", "yes"), "drawing although one could play"),
    Option("draw.drawn", ("must", "may"), "a drawn tile that fits must, or may, be played"),
)


def _drawing(options: Options) -> Drawing:
    most = options["draw.max"]
    return Drawing(
        most=most if isinstance(most, int) else UNLIMITED,
        reserve=int(options["draw.reserve"]),
        voluntary=options["draw.voluntary"] == "yes",
        keep=options["draw.drawn"] == "may",
    )


def _line(players: int, options: Options, drawing: Drawing, partners: bool = False) -> LayoutRules:
    """Rules of a plain line on the double-six set."""
    if partners and players != 4:
        raise BadOption(words("partners=yes needs four players, not {players}.", players=players))
    sides = 2 if partners else players
    return LayoutRules(
        tiles=full_set(6),
        seats=players,
        sides=sides,
        hand={2: 7, 3: int(options["hand3"]), 4: int(options["hand4"])}[players],
        opener=opener(str(options["opener"]), str(options["no_double"])),
        meets=equal_halves,
        opens=two_ends,
        pays=partial(
            collect,
            sides=sides,
            blocked_winner=str(options["blocked_winner"]),
            blocked_score=str(options["blocked_score"]),
            tie=str(options["tie"]),
        ),
        goal=Goal(target=int(options["target"])),
        drawing=drawing,
    )


DRAW = Variant(
    id="draw",
    name="Draw",
    pitch=phrase("Match the ends; when nothing fits, draw until something does."),
    seats=(2, 4),
    options=(
        *_DRAWING,
        *_HANDS,
        _OPENER,
        _NO_DOUBLE,
        Option("blocked_winner", ("pips", "tiles"), "a blocked round goes to the fewest"),
        Option(
            "blocked_score",
            _SCORES,
            "what a blocked round pays the winner",
            unless=("blocked_winner", "tiles", "gross"),
        ),
        _TIE,
        _TARGET,
    ),
    build=lambda players, options: _line(players, options, _drawing(options), partners=options["partners"] == "yes"),
)

BLOCK = Variant(
    id="block",
    name="Block",
    pitch=phrase("No drawing, no mercy: who cannot play passes, and a blocked table goes to the shortest hand."),
    seats=(2, 4),
    options=(
        *_HANDS,
        _OPENER,
        _NO_DOUBLE,
        Option("blocked_winner", ("tiles", "pips"), "a blocked round goes to the fewest"),
        Option(
            "blocked_score",
            ("gross", "net", "boneyard"),
            "what a blocked round pays the winner",
            unless=("blocked_winner", "pips", "net"),
        ),
        _TIE,
        _TARGET,
    ),
    build=lambda players, options: _line(players, options, Drawing(most=0)),
)

GAMES = {variant.id: variant for variant in (DRAW, BLOCK)}


def game(name: str) -> Variant:
    """Return the game with this id. Raises BadOption with the nearest names when there is none."""
    wanted = name.strip().lower()
    if wanted in GAMES:
        return GAMES[wanted]
    near = get_close_matches(wanted, GAMES, 3, 0.5) or list(GAMES)
    raise BadOption(words("There is no game “{name}”. Did you mean {near}?", name=name[:40], near=", ".join(near)))
