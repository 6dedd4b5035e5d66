"""Finds the id that a typed name means, among all names of all things."""

import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches

Names = Iterable[tuple[str, str]]
"""Ids, each with one of its names in normalised words (see `normalise`)."""


def normalise(name: str) -> str:
    """Return a name in lower case, without accents, its words separated by single blanks."""
    if not name.isascii():
        without_accents = "".join(
            char for char in unicodedata.normalize("NFKD", name) if not unicodedata.combining(char)
        )
        name = unicodedata.normalize("NFC", without_accents)
    return " ".join(re.findall(r"\w+", name.lower().replace("&", " and ")))


def find_id(name: str, names: Names) -> tuple[str, list[str]]:
    """Return the id that a name means, or "" and the nearest ids.

    A part of a name is enough if only one id has it. The first of two ids with the same name wins.
    """
    normalised = normalise(name)
    id_by_name: dict[str, str] = {}
    for id_, other in names:
        id_by_name.setdefault(other, id_)
    if normalised in id_by_name:
        return id_by_name[normalised], []
    candidates = {id_: None for other, id_ in id_by_name.items() if normalised and f" {normalised} " in f" {other} "}
    if len(candidates) == 1:
        return next(iter(candidates)), []
    return "", list(
        candidates
        or {id_by_name[similar_name]: None for similar_name in get_close_matches(normalised, id_by_name, 6, 0.6)}
    )[:3]


def ids_beginning_with(text: str, names: Names) -> set[str]:
    """Return the ids with a word that begins with `text`, in any of their names; all ids for an empty text."""
    plain_text = normalise(text)
    return {id_ for id_, other in names if f" {plain_text}" in f" {other}"}
