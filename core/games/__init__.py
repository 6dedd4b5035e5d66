"""The games: one value each, and the table of them all."""

from difflib import get_close_matches

from core.games.all_fives import ALL_FIVES, FIVE_UP, FIVES_AND_THREES
from core.games.chickenfoot import CHICKENFOOT
from core.games.cross import CROSS
from core.games.forty_two import FORTY_TWO
from core.games.four_rounds import FOUR_ROUNDS
from core.games.line_games import BLOCK, DRAW
from core.games.matador import MATADOR
from core.games.mexican_train import MEXICAN_TRAIN
from core.games.stakes import STAKES
from core.games.wildstar import WILDSTAR
from core.variant import Variant
from core.words import BadOption, words

GAMES = {
    variant.id: variant
    for variant in (
        DRAW,
        BLOCK,
        ALL_FIVES,
        MEXICAN_TRAIN,
        CHICKENFOOT,
        MATADOR,
        WILDSTAR,
        STAKES,
        FOUR_ROUNDS,
        FIVES_AND_THREES,
        FIVE_UP,
        CROSS,
        FORTY_TWO,
    )
}


def game(name: str) -> Variant:
    """Return the game with this id. Raises BadOption with the nearest names when there is none."""
    wanted = name.strip().lower()
    if wanted in GAMES:
        return GAMES[wanted]
    near = get_close_matches(wanted, GAMES, 3, 0.5) or list(GAMES)
    raise BadOption(words("There is no game “{name}”. Did you mean {near}?", name=name[:40], near=", ".join(near)))
