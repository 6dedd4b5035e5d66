"""The games: one value each, and the table of all games."""

from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache

from core.lookup import Names, find_id, ids_beginning_with, normalise
from core.variant import LazyMapping, Variant
from core.words import BadOption, words

OTHER_NAMES = {
    "forty-two": "42, texas 42, texas forty two",
    "all-fives": "muggins, bones, all 5s, 5s",
    "fives-and-threes": "5s and 3s, 3s and 5s, threes and fives",
    "five-up": "5 up",
    "mexican-train": "mexican, mexican train dominoes",
    "chickenfoot": "chicken foot, chicken",
    "matador": "russian dominoes",
    "wildstar": "wild star",
    "four-rounds": "4 rounds",
    "draw": "draw dominoes, draw game",
    "block": "block dominoes, block game, blocking game, straight dominoes",
    "cross": "the cross",
    "kozel": "козёл, забить козла, морской козёл, sea goat, domino goat",
    "partners": "dominó por parejas, dominó latino, parejas, capicúa, doscientos, quinientos, doble nueve",
    "brazilian": "dominó de duplas, batida, lá e lô, lasquinê, cruzada",
    "amazonense": "dominó amazonense, dominó de quatro pontas, quatro pontas, galo",
    "moon": "shoot the moon",
    "spinner": "spinner dominoes, double nine spinner",
    "six-love": "6 love, jamaican dominoes, cut throat",
    "telefon": "телефон, домино 365, 365, domino 365, telephone",
    "jie-long": (
        "connect the dragon, jielong, 接龍, 接龙, 斜釘, 斜钉, 頂牛, 顶牛, ce deng, ding niu, bull fight, "
        "kkori puchigi, 꼬리붙이기"
    ),
    "tien-gow": "heaven and nine, tin kau, tian jiu, 天九, 打天九",
    "tiddly-wink": "tiddlywink, one arm joe",
    "gaple": "gapleh, domino gaple, balak, indonesian dominoes",
}
"""Other usual names of the games, by id, separated by commas, in lower case; accents do not matter."""
_LISTED = """
draw block all-fives mexican-train chickenfoot matador wildstar spinner stakes four-rounds gaple kozel telefon
jie-long tiddly-wink bergen hungarian patience blind-hughie fives-and-threes five-up cross partners brazilian six-love
amazonense moon tien-gow forty-two
"""
_MODULES = {"draw": "line_games", "block": "line_games", "fives-and-threes": "all_fives", "five-up": "all_fives"}
"""Modules of the games that share one; every other game has a module of its own."""


def _module_path(name: str) -> str:
    module_name = name.replace("-", "_")
    return f"core.games.{_MODULES.get(name, module_name)}:{module_name.upper()}"


GAMES: LazyMapping[Variant] = LazyMapping({name: _module_path(name) for name in _LISTED.split()})
"""By id, in the order in which they are listed."""


def game(name: str) -> Variant:
    """Return the game with this id. Raises BadOption with the nearest names if there is none."""
    plain_name = name.strip().lower()
    if plain_name in GAMES:
        return GAMES[plain_name]
    raise no_such_name(name, get_close_matches(plain_name, GAMES, 3, 0.5))


def game_called(name: str, translated_names: Names = ()) -> Variant:
    """Return the game with a name: its id, its name, another usual name, or a part that no other game has.

    `translated_names` are those in another language. Raises BadOption with the nearest games if none or several fit.
    For ids from programs, use `game`.
    """
    if name in GAMES:
        return GAMES[name]
    game_id, nearest = find_id(name, (*every_name(), *translated_names))
    if game_id:
        return GAMES[game_id]
    raise no_such_name(name, nearest)


def no_such_name(name: str, nearest: Sequence[str]) -> BadOption:
    """Return the refusal of a name that no game has, with the nearest ones."""
    if not nearest:
        return BadOption(words("There is no game “{name}”.", name=name[:40]))
    return BadOption(
        words("There is no game “{name}”. Did you mean {near}?", name=name[:40], near=", ".join(nearest))
    )


def games_named(text: str) -> list[Variant]:
    """Return the games with a word that begins with `text`, in any of their names; all games for an empty text."""
    ids = ids_beginning_with(text, every_name())
    return [variant for variant in GAMES.values() if variant.id in ids]


def other_names(game: str) -> list[str]:
    """Return all names of a game except its main name, normalised."""
    return [name for game_id, name in every_name() if game_id == game and name != normalise(GAMES[game].name)]


@cache
def every_name() -> list[tuple[str, str]]:
    """Return every game's id with each of its names, normalised."""
    main_names = [(variant.id, normalise(text)) for variant in GAMES.values() for text in (variant.id, variant.name)]
    return main_names + [(id, normalise(name)) for id, names in OTHER_NAMES.items() for name in names.split(", ")]
