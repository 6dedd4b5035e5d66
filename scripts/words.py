"""Collects every text that players see into a template for translators, and updates the catalogues."""

import sys
from pathlib import Path

import click
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from scripts.catalogues import LOCALES, compile_all, sources

ROOT = Path(__file__).parent.parent
TEMPLATE = LOCALES / "boneyard.pot"
KEYWORDS = {
    "_": None,
    "words": None,
    "phrase": None,
    "did": (1,),
    "several": (1, 2),
    "several_words": (1, 2),
    "pgettext": ((1, "c"), 2),
    "Option": (3,),
    "_row": (2,),
    "Point": (2,),
    "Failed": None,
    "BadUse": None,
    "Unreadable": None,
    "print_sentence": None,
}
"""The functions that mark texts for translation, with the positions of those texts."""
CLICKS = {"_": None, "ngettext": (1, 2)}
"""The same for click, whose messages are about errors in a command line."""
CLICK = ("core", "decorators", "exceptions", "formatting", "types")
"""The modules of click that print messages."""


def template() -> Catalog:
    """Return a catalogue of all messages, without translations."""
    catalogue = Catalog()
    for folder in ("core", "net", "tui"):
        for file in (ROOT / folder).rglob("*.py"):
            _add(catalogue, file, KEYWORDS)
            _add(catalogue, file, {"did": (2,), "_row": (3,)})
    for module in CLICK:
        _add(catalogue, Path(click.__file__).parent / f"{module}.py", CLICKS)
    from tui.cli.main import boneyard, help_texts  # noqa: PLC0415 - found beside the scripts

    for text in help_texts(boneyard):
        catalogue.add(text)
    return catalogue


def _add(catalogue: Catalog, file: Path, keywords: dict[str, tuple[int | tuple[int, str], ...] | None]) -> None:
    for _line, message, _comments, context in extract_from_file("python", str(file), keywords):
        catalogue.add(message, context=context)


def _plural_forms(message: Message) -> tuple[str, ...]:
    """Return the translations of a message: one for each plural form."""
    return message.string if isinstance(message.string, tuple) else (message.string or "",)


def untranslated_count(catalogue: Catalog) -> int:
    """Return the number of messages without a translation, or with a doubtful one."""
    return sum(message.fuzzy or not all(_plural_forms(message)) for message in catalogue if message.id)


def main(to: str = "") -> None:
    """Write the template, to another file if it is given; else update the catalogues as well."""
    fresh = template()
    with open(to or TEMPLATE, "wb") as file:
        write_po(file, fresh, width=120, no_location=True, omit_header=True, sort_output=True)
    if to:
        return
    for source in sources():
        with source.open("rb") as file:
            catalogue = read_po(file, source.parent.parent.name)
        catalogue.update(fresh, no_fuzzy_matching=True, update_creation_date=False)
        with source.open("wb") as file:
            write_po(file, catalogue, width=120, no_location=True, sort_output=True, ignore_obsolete=True)
        if missing := untranslated_count(catalogue):
            print(f"{source.parent.parent.name}: {missing} of {len(catalogue)} messages are not translated.")
    compile_all()


if __name__ == "__main__":
    main(*sys.argv[1:])
