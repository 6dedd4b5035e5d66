"""The names that people have at this moment, and those that nobody may take: no two may look alike.

Two names look alike when they have a skeleton in common. The data are those of Unicode's technical standard 39, from
the package `confusable-homoglyphs`. Not confused are names with and without accents (José, Jose), whole names in
another script that resemble none (Анна, Anna), and letters that only a bad font confuses (Ian, Jan). Case tells
nobody apart, but it is looked at as it was typed: `Ian` is like `lan`, while `Lan` is somebody else.
"""

import unicodedata
from collections import Counter, defaultdict
from functools import cache, lru_cache

from core.bots.questions import CHARACTERS

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


Use = tuple[str, str]
"""A name, and the token whose it is."""


class NamesInUse:
    """Names with their tokens, each as often as it is used."""

    def __init__(self) -> None:
        self._uses: Counter[Use] = Counter()
        self._tokens: Counter[str] = Counter()
        self._alike: defaultdict[str, set[Use]] = defaultdict(set)
        """By skeleton."""
        self._unlike: set[Use] = set()
        """Those whose skeletons nobody has asked for while there is only one person: the first takes 50 ms."""

    def add(self, name: str, token: str) -> None:
        """Note that a name is used."""
        use = name, token
        self._uses[use] += 1
        self._tokens[token] += 1
        if self._uses[use] == 1:
            self._unlike.add(use)
            if len(self._tokens) > 1:
                self._look()

    def discard(self, name: str, token: str) -> None:
        """Note that a name is used once less."""
        use = name, token
        self._tokens[token] -= 1
        self._uses[use] -= 1
        if not self._tokens[token]:
            del self._tokens[token]
        if self._uses[use]:
            return
        del self._uses[use]
        if use in self._unlike:
            self._unlike.discard(use)
            return
        for skeleton in skeletons(name):
            self._alike[skeleton].discard(use)
            if not self._alike[skeleton]:
                del self._alike[skeleton]

    def has(self, name: str, token: str) -> bool:
        """Whether this token uses exactly this name."""
        return (name, token) in self._uses

    def rival(self, name: str, token: str) -> Use | None:
        """Return a name of somebody else that looks like this one, if there is any."""
        if not self._tokens.keys() - {token}:
            return None
        self._look()
        uses = (use for skeleton in sorted(skeletons(name)) for use in sorted(self._alike.get(skeleton, ())))
        return next((use for use in uses if use[1] != token), None)

    def _look(self) -> None:
        while self._unlike:
            use = self._unlike.pop()
            for skeleton in skeletons(use[0]):
                self._alike[skeleton].add(use)


BOT_NAMES = tuple(CHARACTERS)
"""What bots at a table are called, in turn."""
_HOUSE = (
    *("host", "house", "system", "operator", "server", "boneyard", "bot"),
    *("admin", "administrator", "moderator", "sysop"),
)
_NUMBERS = str.maketrans("345", "eas")
"""Characters that people use in place of letters, besides those that look alike (`_resembled`)."""


def reserved(name: str) -> bool:
    """Whether a name is one of these or reads like one, also with an article, accents, or signs around it.

    The first call takes some 50 ms: it reads the table of lookalikes (`_resembled`).
    """
    return not _taken().isdisjoint(_readings(name))


@cache
def _taken() -> frozenset[str]:
    names = [*BOT_NAMES, *_HOUSE, *(f"the {name}" for name in _HOUSE)]
    return frozenset().union(*map(_readings, names))


def _readings(name: str) -> frozenset[str]:
    """What a name may be read as, letters and digits alone."""
    found = {unicodedata.normalize("NFKD", one) for one in (*skeletons(name), *skeletons(name.translate(_NUMBERS)))}
    return frozenset("".join(filter(str.isalnum, look)) for look in found) - {""}
