"""Keeps everything out of a sentence that a terminal would obey."""


def clean_line(text: str) -> str:
    """Return the text in one line of printable characters, whoever wrote it."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else " " * char.isspace() for char in text)
