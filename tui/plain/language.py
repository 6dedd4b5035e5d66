"""Another language, chosen by a typed line."""

from tui.i18n import LANGUAGES, _, choose, known_as

WORD = "language"


def answered(line: str) -> list[str]:
    """Do what a line asks about the language, as `language es` does; return what there is to say of it."""
    word, _blank, wanted = line.strip().partition(" ")
    if word.lower() != WORD:
        return []
    if known := known_as(wanted) if wanted.strip() else "":
        choose(known)
        return [_("Everything is in this language.")]
    listed = ", ".join(f"{code} ({name})" for code, name in LANGUAGES.items())
    return [_("There is {languages}. Type one of these codes, like: language {code}.", languages=listed, code="es")]
