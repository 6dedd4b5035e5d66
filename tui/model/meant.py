"""Which key was meant: a letter by its place on other layouts, a full-width one, or Enter pressed otherwise."""

from unicodedata import normalize

_LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
_LAYOUTS = (
    "йцукенгшщзхъфывапролджэячсмитьбюё",  # Russian
    "йцукенгшщзхїфівапролджєячсмитьбю'",  # Ukrainian
    "йцукенгшўзх'фывапролджэячсмітьбюё",  # Belarusian
    "\0ςερτυθιοπ[]ασδφγηξκλ\0'ζχψωβνμ,.`",  # Greek; its q is a semicolon, which others type as such
)
_SAME: dict[str, str] = {}
for _layout in reversed(_LAYOUTS):  # where two differ, the first counts
    _SAME |= {own: latin for own, latin in zip(_layout, _LATIN, strict=True) if not own.isascii()}
_ENTERS = {"shift+enter", "ctrl+enter", "ctrl+j", "shift+\r"}
"""Textual's names for a line feed, and for Enter with another key held."""


def meant(key: str, character: str | None) -> tuple[str, str]:
    """Return the name and the character of the key that was meant where no text is typed.

    The name is empty where it follows from the character.
    """
    if key in _ENTERS:
        return "", "\r"
    modifiers, _, last = key.rpartition("+")
    if modifiers and len(last) == 1:
        return f"{modifiers}+{letter(last)}", character or ""
    if not character or character.isascii():
        return key, character or ""
    return "", letter(character)


def letter(character: str) -> str:
    """Return the ASCII character that stands on the same key; the same where there is none."""
    lower = character.lower()
    if lower in _SAME:
        return _SAME[lower] if character == lower else _SAME[lower].upper()
    narrow = normalize("NFKC", character)
    return narrow if len(narrow) == 1 and narrow.isascii() else character
