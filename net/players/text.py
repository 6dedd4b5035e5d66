"""Cleans untrusted text from players: one line, no control characters, limited length."""

import re
import unicodedata

from net.limits import NAME_LENGTH

_INVISIBLE = ("Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp")
_EMPTY = "\N{HANGUL FILLER}\N{HANGUL CHOSEONG FILLER}\N{HANGUL JUNGSEONG FILLER}\N{HALFWIDTH HANGUL FILLER}"
_EMPTY += "\N{BRAILLE PATTERN BLANK}\N{MUSICAL SYMBOL NULL NOTEHEAD}"
"""Letters and symbols by their category, but nothing is seen of them."""
_RAW_LENGTH = 1000


SIGN = "***"
"""Prefix of the host's own messages. No name may contain its star, so no player can imitate it."""


def clean(text: str, length: int) -> str:
    """Return printable, single-spaced text of at most `length` characters; perhaps empty.

    Control, format (zero-width, bidirectional), private and unassigned characters and letters of which nothing is
    seen are dropped, and no more than two combining marks stay on a letter.
    """
    spaced = (" " if char in "\t\n\r" or unicodedata.category(char) == "Zs" else char for char in text[:_RAW_LENGTH])
    visible = "".join(char for char in spaced if unicodedata.category(char) not in _INVISIBLE and char not in _EMPTY)
    kept = []
    marks = 0
    for char in unicodedata.normalize("NFC", visible):
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        if marks <= 2:
            kept.append(char)
    return re.sub(" +", " ", "".join(kept)).strip()[:length].strip()


def clean_name(text: str) -> str:
    """Return a name as it may be shown, at most 16 columns wide; empty if nothing of it is left.

    It has none of the stars that mark the host's own messages.
    """
    name = clean("".join(char for char in text[:_RAW_LENGTH] if not _star(char)), NAME_LENGTH)
    while _columns(name) > NAME_LENGTH:
        name = name[:-1].rstrip()
    return name if any(char.isalnum() and _columns(char) for char in name) else ""


def _star(char: str) -> bool:
    return char == "*" or (not char.isascii() and (char == "٭" or "ASTERISK" in unicodedata.name(char, "")))


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    from wcwidth import wcwidth  # noqa: PLC0415 - takes 20 ms, and every command imports this file

    return sum(max(0, wcwidth(char)) for char in text)


def counted(count: int, one: str, many: str) -> str:
    """A number with its word, for what the host and the command print: `1 match`, `2 matches`."""
    return f"{count} {one if count == 1 else many}"
