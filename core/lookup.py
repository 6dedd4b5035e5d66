"""Finds what a typed name means, in any of the names that things have."""

import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches

Names = Iterable[tuple[str, str]]
"""Ids, each with one of its names in single words."""


def plain(name: str) -> str:
    """A name in lower case and without accents, in single words with blanks between them."""
    if not name.isascii():
        bare = "".join(char for char in unicodedata.normalize("NFKD", name) if not unicodedata.combining(char))
        name = unicodedata.normalize("NFC", bare)
    return " ".join(re.findall(r"\w+", name.lower().replace("&", " and ")))


def meant(name: str, names: Names) -> tuple[str, list[str]]:
    """Return the id that a name means, or "" and the nearest ids.

    A name may be a part that no other id has. Of two ids with the same name the first is meant.
    """
    wanted = plain(name)
    called: dict[str, str] = {}
    for one, other in names:
        called.setdefault(other, one)
    if wanted in called:
        return called[wanted], []
    parts = {one: None for other, one in called.items() if wanted and f" {wanted} " in f" {other} "}
    if len(parts) == 1:
        return next(iter(parts)), []
    return "", list(parts or {called[near]: None for near in get_close_matches(wanted, called, 6, 0.6)})[:3]


def beginning(text: str, names: Names) -> set[str]:
    """Return the ids with a word that begins with what was typed, in any of their names; all for nothing typed."""
    wanted = plain(text)
    return {one for one, other in names if f" {wanted}" in f" {other}"}
