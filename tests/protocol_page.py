"""Reads docs/protocol.md as the author of another client would: which messages there are, and their fields."""

import json
import re
from pathlib import Path

PAGE = (Path(__file__).parent.parent / "docs" / "protocol.md").read_text()
REQUIRED = object()
"""In place of a default, where a field may not be left out."""


def spec(text):
    """The fields in a cell such as `{`table`, `code`: ""}`, each with its default."""
    found = {}
    for name, default in re.findall(r"`(\w+)`(?:: (\"\w*\"|\[\]|\{\}|-?\w+))?", text):
        found[name] = json.loads(default.replace("nil", "null")) if default else REQUIRED
    return found


def messages(title):
    """All messages in the tables that are headed `client` or `host`, by type."""
    found = {}
    for rows in tables(rf"\| {title} \|.*"):
        for row in rows:
            if told := re.match(r"\| `(\w+)` \{(.*?)\} \|", row):
                assert told[1] not in found, f"{told[1]} is told twice"
                found[told[1]] = spec(told[2])
    return found


def fields(sentence):
    """The fields in the first table after a sentence, with their defaults."""
    (rows, *_) = tables(r"\| field \| meaning \|", PAGE[PAGE.index(sentence) :])
    return {name: default for row in rows for name, default in spec(row.split("|")[1]).items()}


def arrays():
    """Every array that is written as [a, b, c], as a tuple of names."""
    return {tuple(names.split(", ")) for names in re.findall(r"`\[(\w+(?:, \w+)+)\]`", PAGE)}


def tables(head, text=PAGE):
    """The rows of every table with such a head."""
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if re.fullmatch(head, line):
            end = next((n for n in range(at, len(lines)) if not lines[n].startswith("|")), len(lines))
            yield lines[at + 2 : end]


def evening():
    """The messages that a client sends in the page's example."""
    return [json.loads(line) for line in re.findall(r"^→ (\{.*\})$", PAGE, re.MULTILINE)]
