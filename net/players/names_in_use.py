"""The names that people have at this moment, and those that nobody may take: no two may look alike."""

import unicodedata
from collections import Counter, defaultdict
from functools import cache

from core.bots.characters import CHARACTERS
from net.players.confusables import skeletons

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
"""Characters that people use in place of letters, besides those that look alike (`net.players.confusables`)."""


def reserved(name: str) -> bool:
    """Whether a name is one of these or reads like one, also with an article, accents, or signs around it.

    The first call takes some 50 ms, as in `net.players.confusables`.
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
