"""The games: one value each, and the table of them all."""

from difflib import get_close_matches
from functools import cache

from core.lookup import Names, beginning, meant, plain
from core.variant import Later, Variant
from core.words import BadOption, words

OTHER_NAMES = {
    "42": "forty-two",
    "texas 42": "forty-two",
    "texas forty two": "forty-two",
    "muggins": "all-fives",
    "bones": "all-fives",
    "all 5s": "all-fives",
    "5s": "all-fives",
    "5s and 3s": "fives-and-threes",
    "3s and 5s": "fives-and-threes",
    "threes and fives": "fives-and-threes",
    "5 up": "five-up",
    "mexican": "mexican-train",
    "mexican train dominoes": "mexican-train",
    "chicken foot": "chickenfoot",
    "chicken": "chickenfoot",
    "russian dominoes": "matador",
    "wild star": "wildstar",
    "4 rounds": "four-rounds",
    "draw dominoes": "draw",
    "draw game": "draw",
    "block dominoes": "block",
    "block game": "block",
    "blocking game": "block",
    "straight dominoes": "block",
    "the cross": "cross",
    "козёл": "kozel",
    "козел": "kozel",
    "забить козла": "kozel",
    "морской козёл": "kozel",
    "морской козел": "kozel",
    "sea goat": "kozel",
    "domino goat": "kozel",
    "domino por parejas": "partners",
    "dominó por parejas": "partners",
    "dominó latino": "partners",
    "parejas": "partners",
    "capicúa": "partners",
    "capicua": "partners",
    "doscientos": "partners",
    "quinientos": "partners",
    "doble nueve": "partners",
    "dominó de duplas": "brazilian",
    "domino de duplas": "brazilian",
    "batida": "brazilian",
    "lá e lô": "brazilian",
    "la e lo": "brazilian",
    "lasquinê": "brazilian",
    "cruzada": "brazilian",
    "dominó amazonense": "amazonense",
    "domino amazonense": "amazonense",
    "dominó de quatro pontas": "amazonense",
    "domino de quatro pontas": "amazonense",
    "quatro pontas": "amazonense",
    "galo": "amazonense",
    "shoot the moon": "moon",
    "spinner dominoes": "spinner",
    "double nine spinner": "spinner",
    "6 love": "six-love",
    "jamaican dominoes": "six-love",
    "cut throat": "six-love",
    "телефон": "telefon",
    "домино 365": "telefon",
    "365": "telefon",
    "domino 365": "telefon",
    "telephone": "telefon",
    "connect the dragon": "jie-long",
    "jielong": "jie-long",
    "接龍": "jie-long",
    "接龙": "jie-long",
    "斜釘": "jie-long",
    "斜钉": "jie-long",
    "頂牛": "jie-long",
    "顶牛": "jie-long",
    "ce deng": "jie-long",
    "ding niu": "jie-long",
    "bull fight": "jie-long",
    "kkori puchigi": "jie-long",
    "꼬리붙이기": "jie-long",
    "heaven and nine": "tien-gow",
    "tin kau": "tien-gow",
    "tian jiu": "tien-gow",
    "天九": "tien-gow",
    "打天九": "tien-gow",
    "tiddlywink": "tiddly-wink",
    "one arm joe": "tiddly-wink",
    "gapleh": "gaple",
    "domino gaple": "gaple",
    "balak": "gaple",
    "indonesian dominoes": "gaple",
}
"""Other usual names of the games, in lower case, in single words with blanks between them."""
_LISTED = """
draw block all-fives mexican-train chickenfoot matador wildstar spinner stakes four-rounds gaple kozel telefon
jie-long tiddly-wink bergen hungarian patience blind-hughie fives-and-threes five-up cross partners brazilian six-love
amazonense moon tien-gow forty-two
"""
_MODULES = {"draw": "line_games", "block": "line_games", "fives-and-threes": "all_fives", "five-up": "all_fives"}
"""Where the games are that share a module; all others have one of their own."""


def _place(name: str) -> str:
    own = name.replace("-", "_")
    return f"core.games.{_MODULES.get(name, own)}:{own.upper()}"


GAMES: Later[Variant] = Later({name: _place(name) for name in _LISTED.split()})
"""By id, in the order in which they are listed."""


def game(name: str) -> Variant:
    """Return the game with this id. Raises BadOption with the nearest names when there is none."""
    wanted = name.strip().lower()
    if wanted in GAMES:
        return GAMES[wanted]
    near = get_close_matches(wanted, GAMES, 3, 0.5) or list(GAMES)
    raise BadOption(words("There is no game “{name}”. Did you mean {near}?", name=name[:40], near=", ".join(near)))


def game_called(name: str, also: Names = ()) -> Variant:
    """Return the game with a name: its id, its name, another usual name, or a part that no other game has.

    `also` are names in another language. Raises BadOption with the nearest games if there is none, or more than one.
    For ids from programs, use `game`.
    """
    if name in GAMES:
        return GAMES[name]
    found, near = meant(name, (*_every_name(), *also))
    if found:
        return GAMES[found]
    listed = ", ".join(near or GAMES)
    raise BadOption(words("There is no game “{name}”. Did you mean {near}?", name=name[:40], near=listed))


def games_named(text: str) -> list[Variant]:
    """Return the games with a word that begins with what was typed, in any of their names; all for nothing typed."""
    found = beginning(text, _every_name())
    return [variant for variant in GAMES.values() if variant.id in found]


def other_names(game: str) -> list[str]:
    """Return all names of a game besides the one that it has here, in single words."""
    return [name for one, name in _every_name() if one == game and name != plain(GAMES[game].name)]


@cache
def _every_name() -> list[tuple[str, str]]:
    """Every game's id with each of its names, these in single words."""
    own = [(variant.id, plain(text)) for variant in GAMES.values() for text in (variant.id, variant.name)]
    return own + [(game_id, plain(other)) for other, game_id in OTHER_NAMES.items()]
