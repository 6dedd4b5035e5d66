"""Typed text: cleaned to one line of limited length; and short secrets: table codes and return codes."""

import hmac
import re
import secrets
import unicodedata
from hashlib import sha256

from net.limits import NAME_LENGTH

_INVISIBLE = ("Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp")
_EMPTY = "\N{HANGUL FILLER}\N{HANGUL CHOSEONG FILLER}\N{HANGUL JUNGSEONG FILLER}\N{HALFWIDTH HANGUL FILLER}"
_EMPTY += "\N{BRAILLE PATTERN BLANK}\N{MUSICAL SYMBOL NULL NOTEHEAD}\N{REPLACEMENT CHARACTER}"
"""Letters and symbols by category that are invisible, or that stand for bytes that could not be decoded."""
_RAW_LENGTH = 1000


HOST_MARK = "***"
"""Prefix of the host's own messages. No name may contain its star, so no player can imitate it."""


def clean(text: str, length: int) -> str:
    """Return printable, single-spaced text of at most `length` characters; perhaps empty.

    Control, format (zero-width, bidirectional), private and unassigned characters and invisible letters are dropped;
    at most two combining marks stay on a letter.
    """
    spaced = (" " if char in "\t\n\r" or unicodedata.category(char) == "Zs" else char for char in text[:_RAW_LENGTH])
    visible = "".join(char for char in spaced if unicodedata.category(char) not in _INVISIBLE and char not in _EMPTY)
    allowed_chars = []
    mark_count = 0
    for char in unicodedata.normalize("NFC", visible):
        mark_count = mark_count + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        if mark_count <= 2:
            allowed_chars.append(char)
    return re.sub(" +", " ", "".join(allowed_chars)).strip()[:length].strip()


def clean_name(text: str) -> str:
    """Return a displayable name, at most 16 columns wide; empty if nothing of it is left.

    It has none of the stars that mark the host's own messages.
    """
    name = clean("".join(char for char in text[:_RAW_LENGTH] if not _is_star(char)), NAME_LENGTH)
    while _display_width(name) > NAME_LENGTH:
        name = name[:-1].rstrip()
    return name if any(char.isalnum() and _display_width(char) for char in name) else ""


def _is_star(char: str) -> bool:
    return char == "*" or (not char.isascii() and (char == "٭" or "ASTERISK" in unicodedata.name(char, "")))


def _display_width(text: str) -> int:
    if text.isascii():
        return len(text)
    from wcwidth import wcwidth  # noqa: PLC0415 - takes 20 ms, and every command imports this file

    return sum(max(0, wcwidth(char)) for char in text)


def quantity(count: int, singular: str, plural: str) -> str:
    """Return a number with its noun, for output of the host and the command: `1 match`, `2 matches`."""
    return f"{count} {singular if count == 1 else plural}"


ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that are hard to confuse."""
TABLE_CODE_LENGTH = 6
"""Characters of a table's code: 29 bits, for guesses that cost a message each."""
RETURN_CODE_LENGTH = 12
"""Characters of a return code: 59 bits, because guessing can go on while a table exists."""
BIND_CODE_LENGTH = 8
"""Characters of the code that binds a second key to an account: 39 bits, for ten minutes and ten guesses each."""

_CODE_PREFIX = "code:"


def new_code(length: int) -> str:
    """Return a fresh code."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def is_same_code(typed: str, expected: str) -> bool:
    """Compare a typed code in constant time, so that the time does not reveal a correct prefix."""
    return hmac.compare_digest(_digest(typed), _digest(expected))


def token_of(code: str) -> str:
    """Return the token of a guest without a key: a digest, so that the code itself is not stored."""
    return _CODE_PREFIX + _digest(code).hex()[:32]


def is_keyless(token: str) -> bool:
    """Return True if a token belongs to a guest without a key."""
    return token.startswith(_CODE_PREFIX)


def split_user(user: str) -> tuple[str, str]:
    """Split a user name like `ada+k7qx2m9fh3tw` into the name and the return code; empty if there is none."""
    name, plus, text = user.rpartition("+")
    code = return_code(text) if plus else ""
    return (name, code) if code else (user, "")


def return_code(text: str) -> str:
    """Return the return code in a text; empty if there is none."""
    code = normalize_code(text)
    return code if len(code) == RETURN_CODE_LENGTH and not set(code) - set(ALPHABET) else ""


def normalize_code(code: str) -> str:
    """Return a typed code in the form in which it was generated."""
    return code.strip().lower().replace("-", "")


def _digest(code: str) -> bytes:
    return sha256(normalize_code(code).encode("utf-8", "replace")).digest()
