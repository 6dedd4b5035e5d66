"""Reads docs/protocol.md as the author of another client would: its messages and their fields."""

import json
import re
from pathlib import Path

PAGE = (Path(__file__).parent.parent / "docs" / "protocol.md").read_text()
REQUIRED = object()
"""In place of a default, for a field that may not be left out."""


def spec(text):
    """Return the fields in a cell such as `{`table`, `code`: ""}`, each with its default."""
    defaults = {}
    for name, default in re.findall(r"`(\w+)`(?:: (\"\w*\"|\[\]|\{\}|-?\w+))?", text):
        defaults[name] = json.loads(default.replace("nil", "null")) if default else REQUIRED
    return defaults


def messages(title):
    """Return all messages in the tables that are headed `client` or `host`, by type."""
    by_type = {}
    for rows in tables(rf"\| {title} \|.*"):
        for row in rows:
            if message := re.match(r"\| `(\w+)` \{(.*?)\} \|", row):
                assert message[1] not in by_type, f"{message[1]} is told twice"
                by_type[message[1]] = spec(message[2])
    return by_type


def fields(sentence):
    """Return the fields in the first table after a sentence, with their defaults."""
    (rows, *_) = tables(r"\| field \| meaning \|", PAGE[PAGE.index(sentence) :])
    return {name: default for row in rows for name, default in spec(row.split("|")[1]).items()}


def arrays():
    """Yield every array that is written as [a, b, c], as a tuple of names."""
    return {tuple(names.split(", ")) for names in re.findall(r"`\[(\w+(?:, \w+)+)\]`", PAGE)}


def tables(head, text=PAGE):
    """Return the rows of every table with such a head."""
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if re.fullmatch(head, line):
            end = next((n for n in range(at, len(lines)) if not lines[n].startswith("|")), len(lines))
            yield lines[at + 2 : end]


def evening():
    """Return the messages that a client sends in the page's example."""
    return [json.loads(line) for line in re.findall(r"^→ (\{.*\})$", PAGE, re.MULTILINE)]
