"""The names in use, and the reserved ones: no two names may look alike.

Two names look alike if they share a skeleton. The data are those of Unicode Technical Standard 39, from the package
`confusable-homoglyphs`. Names with and without accents (José, Jose), whole names in another script that resemble none
(Анна, Anna), and letters that only a bad font confuses (Ian, Jan) stay different. Case does not distinguish names,
but lookalikes are compared as typed: `Ian` is like `lan`, while `Lan` is another name.
"""

import unicodedata
from collections import Counter, defaultdict
from functools import cache, lru_cache

from core.bots.profiles import CHARACTERS

_STROKE_LETTERS = frozenset("1Il|")
"""Letters distinguished by the font only. They fold to `1`, which has no other case: `l` would match L as well."""
_BLANK_CHARACTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Invisible characters that Unicode lists as letters, marks or symbols."""
_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_PAIRS = {"m": "rn", "w": "vv", "W": "VV", "d": "c1"}
"""Letter pairs that read as one letter; Unicode has the first of these. An l is a 1 by then, so that d is cl."""


@lru_cache(4096)
def skeletons(name: str) -> frozenset[str]:
    """Return up to three skeletons of a name, for comparison only: the name itself, with foreign letters replaced by
    the Latin ones that they resemble, and that with 1, I and l as one letter, 0 as O, m as rn, and d as cl.

    They do not depend on the process and may be stored. The first call takes some 50 ms, later ones 10 µs for a name
    that is not cached.
    """
    visible = "".join(char for char in unicodedata.normalize("NFKD", name) if _is_visible(char))
    lookalikes = _lookalikes()
    latin = [char if char.isascii() else lookalikes.get(char, char) for char in visible]
    as_drawn = [_PAIRS.get(letter, letter) for letter in (lookalikes.get(char, char) for char in visible)]
    return frozenset(_fold(reading) for reading in (visible, "".join(latin), "".join(as_drawn)))


def _is_visible(char: str) -> bool:
    if char in _BLANK_CHARACTERS or "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef":
        return False
    return char == "\t" or unicodedata.category(char) not in _INVISIBLE


def _fold(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


@cache
def _lookalikes() -> dict[str, str]:
    """Return for every letter that resembles others their common representative, which may be several letters."""
    import json  # noqa: PLC0415 - none of this is for a player alone
    from importlib.resources import files  # noqa: PLC0415

    data = json.loads(files("confusable_homoglyphs").joinpath("confusables.json").read_text("utf-8"))
    parents: dict[str, str] = {}
    spellings: dict[str, str] = {}

    def root(char: str) -> str:
        while parents.setdefault(char, char) != char:
            parents[char] = parents[parents[char]]
            char = parents[char]
        return char

    for marked_char, entries in data.items():
        char = _without_direction_marks(marked_char)
        for lookalike in (_without_direction_marks(entry["c"]) for entry in entries):
            if len(char) == len(lookalike) == 1:
                parents[root(char)] = root(lookalike)
            elif len(char) == 1 and len(lookalike) > 1:
                spellings.setdefault(char, lookalike)
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for char in parents:
        groups[root(char)].append(char)
    representatives: dict[str, str] = {}
    for chars in groups.values():
        representative = (
            "1" if _STROKE_LETTERS & set(chars) else min(chars, key=lambda char: (not char.isalpha(), char))
        )
        representatives |= dict.fromkeys(chars, representative)
    for char, letters in spellings.items():
        if not representatives.get(char, "\uffff").isascii():
            representatives[char] = "".join(representatives.get(part, part) for part in letters)
    return representatives


def _without_direction_marks(text: str) -> str:
    """Return the text without direction marks, which the data have around right-to-left letters."""
    return text.replace("\u200e", "")


Use = tuple[str, str]
"""A name, and its token."""


class NamesInUse:
    """Names with their tokens, each with its number of uses."""

    def __init__(self) -> None:
        self._uses: Counter[Use] = Counter()
        self._tokens: Counter[str] = Counter()
        self._uses_by_skeleton: defaultdict[str, set[Use]] = defaultdict(set)
        self._unindexed: set[Use] = set()
        """Names without computed skeletons, while there is only one token: the first skeleton takes 50 ms."""

    def add(self, name: str, token: str) -> None:
        """Add a use of a name."""
        use = name, token
        self._uses[use] += 1
        self._tokens[token] += 1
        if self._uses[use] == 1:
            self._unindexed.add(use)
            if len(self._tokens) > 1:
                self._index()

    def discard(self, name: str, token: str) -> None:
        """Remove a use of a name."""
        use = name, token
        self._tokens[token] -= 1
        self._uses[use] -= 1
        if not self._tokens[token]:
            del self._tokens[token]
        if self._uses[use]:
            return
        del self._uses[use]
        if use in self._unindexed:
            self._unindexed.discard(use)
            return
        for skeleton in skeletons(name):
            self._uses_by_skeleton[skeleton].discard(use)
            if not self._uses_by_skeleton[skeleton]:
                del self._uses_by_skeleton[skeleton]

    def has(self, name: str, token: str) -> bool:
        """Return True if this token uses exactly this name."""
        return (name, token) in self._uses

    def rival(self, name: str, token: str) -> Use | None:
        """Return a lookalike of this name that another token uses; None if there is none."""
        if not self._tokens.keys() - {token}:
            return None
        self._index()
        candidates = (
            candidate
            for skeleton in sorted(skeletons(name))
            for candidate in sorted(self._uses_by_skeleton.get(skeleton, ()))
        )
        return next((candidate for candidate in candidates if candidate[1] != token), None)

    def _index(self) -> None:
        while self._unindexed:
            use = self._unindexed.pop()
            for skeleton in skeletons(use[0]):
                self._uses_by_skeleton[skeleton].add(use)


BOT_NAMES = tuple(CHARACTERS)
"""Names of bots at a table, in their order."""
_HOST_NAMES = (
    *("host", "house", "system", "operator", "server", "boneyard", "bot"),
    *("admin", "administrator", "moderator", "sysop"),
)
_DIGIT_LETTERS = str.maketrans("345", "eas")
"""Digits that are used in place of letters, besides lookalikes (`_lookalikes`)."""


def is_reserved(name: str) -> bool:
    """Return True if a name is reserved or reads like a reserved one, also with an article, accents, or signs around
    it.

    The first call takes some 50 ms: it reads the table of lookalikes (`_lookalikes`).
    """
    return not _reserved_readings().isdisjoint(_readings(name))


@cache
def _reserved_readings() -> frozenset[str]:
    names = [*BOT_NAMES, *_HOST_NAMES, *(f"the {name}" for name in _HOST_NAMES)]
    return frozenset().union(*map(_readings, names))


def _readings(name: str) -> frozenset[str]:
    """Return the possible readings of a name, letters and digits only."""
    name_skeletons = (*skeletons(name), *skeletons(name.translate(_DIGIT_LETTERS)))
    readings = {unicodedata.normalize("NFKD", skeleton) for skeleton in name_skeletons}
    return frozenset("".join(filter(str.isalnum, reading)) for reading in readings) - {""}
