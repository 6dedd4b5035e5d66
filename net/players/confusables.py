"""What a name may be confused with: two names look alike when they have a skeleton in common.

The data are those of Unicode's technical standard 39, from the package `confusable-homoglyphs`. Not confused are
names with and without accents (José, Jose), whole names in another script that resemble none (Анна, Anna), and
letters that only a bad font confuses (Ian, Jan). Case tells nobody apart, but it is looked at as it was typed:
`Ian` is like `lan`, while `Lan` is somebody else.
"""

import unicodedata
from collections import defaultdict
from functools import cache, lru_cache

_STROKE = frozenset("1Il|")
"""Told apart by nothing but the font. Together they are `1`, which has no other case: `l` would be L's as well."""
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Drawn as nothing, though Unicode calls them letters, marks or symbols."""
_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_PAIRS = {"m": "rn", "w": "vv", "W": "VV", "d": "c1"}
"""Two letters that read as one; Unicode has the first of these. An l is a 1 by then, so that d is cl."""


@lru_cache(4096)
def skeletons(name: str) -> frozenset[str]:
    """Return up to three skeletons of a name, for comparison only: what it says, what it says if every foreign
    letter is the Latin one that it resembles, and the same with 1, I and l as one, 0 as O, m as rn, and d as cl.

    They stay the same between starts, so they may be kept. The first call takes some 50 ms, later ones 10 µs
    for a name not seen lately.
    """
    shown = "".join(char for char in unicodedata.normalize("NFKD", name) if _visible(char))
    like = _resembled()
    foreign = [char if char.isascii() else like.get(char, char) for char in shown]
    drawn = [_PAIRS.get(same, same) for same in (like.get(char, char) for char in shown)]
    return frozenset(_folded(reading) for reading in (shown, "".join(foreign), "".join(drawn)))


def _visible(char: str) -> bool:
    if char in _BLANK or "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef":
        return False
    return char == "\t" or unicodedata.category(char) not in _INVISIBLE


def _folded(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


@cache
def _resembled() -> dict[str, str]:
    """For every letter that resembles others, the one that stands for all of them; some are two or more."""
    import json  # noqa: PLC0415 - none of this is for a player alone
    from importlib.resources import files  # noqa: PLC0415

    data = json.loads(files("confusable_homoglyphs").joinpath("confusables.json").read_text("utf-8"))
    first: dict[str, str] = {}
    pairs: dict[str, str] = {}

    def root(char: str) -> str:
        while first.setdefault(char, char) != char:
            first[char] = first[first[char]]
            char = first[char]
        return char

    for key, others in data.items():
        one = _bare(key)
        for other in (_bare(found["c"]) for found in others):
            if len(one) == len(other) == 1:
                first[root(one)] = root(other)
            elif len(one) == 1 and len(other) > 1:
                pairs.setdefault(one, other)
    same: defaultdict[str, list[str]] = defaultdict(list)
    for char in first:
        same[root(char)].append(char)
    like: dict[str, str] = {}
    for chars in same.values():
        chosen = "1" if _STROKE & set(chars) else min(chars, key=lambda char: (not char.isalpha(), char))
        like |= dict.fromkeys(chars, chosen)
    for char, several in pairs.items():
        if not like.get(char, "\uffff").isascii():
            like[char] = "".join(like.get(part, part) for part in several)
    return like


def _bare(text: str) -> str:
    """Without the marks of direction that the data have around letters written from right to left."""
    return text.replace("\u200e", "")
