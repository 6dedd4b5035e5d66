"""Short secrets that people read and type: codes of private tables, and return codes."""

import hmac
import secrets
from hashlib import sha256

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that are hard to confuse."""
TABLE_CODE = 6
"""Characters of a table's code: 29 bits, for guesses that cost a message each."""
RESUME_CODE = 12
"""Characters of a return code: 59 bits, as it can be guessed as long as a table exists."""
BIND_CODE = 8
"""Characters of the code that binds a second key to an account: 39 bits, for ten minutes and ten guesses each."""

_BY_CODE = "code:"


def new_code(length: int) -> str:
    """Return a fresh code."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def same_code(given: str, wanted: str) -> bool:
    """Compare a typed code in constant time, so that the time does not reveal how much of it is right."""
    return hmac.compare_digest(_digest(given), _digest(wanted))


def token_of(code: str) -> str:
    """Return the token of a guest without a key: a digest, so that the code itself is not stored."""
    return _BY_CODE + _digest(code).hex()[:32]


def by_code(token: str) -> bool:
    """Whether a token is that of a guest without a key."""
    return token.startswith(_BY_CODE)


def split_user(user: str) -> tuple[str, str]:
    """Split a user name like `ada+k7qx2m9fh3tw` into the name and the return code; empty for none."""
    name, plus, text = user.rpartition("+")
    code = return_code(text) if plus else ""
    return (name, code) if code else (user, "")


def return_code(text: str) -> str:
    """Return the return code that a text is; empty if it is none."""
    code = tidy(text)
    return code if len(code) == RESUME_CODE and not set(code) - set(ALPHABET) else ""


def tidy(code: str) -> str:
    """A code as it was made, however it was typed."""
    return code.strip().lower().replace("-", "")


def _digest(code: str) -> bytes:
    return sha256(tidy(code).encode("utf-8", "replace")).digest()
