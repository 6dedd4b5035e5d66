"""Names that no guest may have, since others would take them for the host, its operator or a bot."""

import unicodedata
from functools import cache

from core.bots.characters import CHARACTERS
from net.players.confusables import skeletons

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
