"""Tables of patience as text: piles with `/` between them, as on the rule sheet."""

from core.games import GAMES
from core.patience.rules import PatienceRules
from core.patience.state import Tableau
from core.tiles import hand, in_order


def rules(game, **options) -> PatienceRules:
    """Return the rules of one of the four games; in option keys `__` stands for the dot."""
    chosen = {key.replace("__", "."): value for key, value in options.items()}
    return GAMES["patience"].rules(1, {"pa.game": game, **chosen})[1]


def laid(piles, held="", boneyard="") -> Tableau:
    """Return the place of all tiles."""
    return Tableau(tuple(in_order(pile) for pile in piles.split("/")), in_order(boneyard), hand(held))


def moves(game, *table, **more) -> list[str]:
    """Return the legal actions except giving up, as text."""
    return [text_of(action) for action in rules(game).complete(laid(*table, **more)).legal[:-1]]


def text_of(action) -> str:
    """Return an action as text."""
    tag = action.__struct_config__.tag
    if tag == "take":
        return " ".join(map(str, action.tiles))
    return f"{tag} {action.tile}" if hasattr(action, "tile") else tag
