"""Collects every text that players see into a template for translators, and updates the catalogues."""

import argparse
import sys
from pathlib import Path

import click
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from core.games import GAMES
from scripts.catalogues import LOCALES, compile_all, is_translated, sources
from tui.rulebook import translated_page

ROOT = Path(__file__).parent.parent
TEMPLATE = LOCALES / "boneyard.pot"
KEYWORDS = {
    "_": None,
    "words": None,
    "phrase": None,
    "fill_in": (1,),
    "several": (1, 2),
    "several_words": (1, 2),
    "pgettext": ((1, "c"), 2),
    "Option": (3,),
    "_row": (2,),
    "Remark": (2,),
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
            _add(catalogue, file, {"fill_in": (2,), "_row": (3,)})
    for module in CLICK:
        _add(catalogue, Path(click.__file__).parent / f"{module}.py", CLICKS)
    from tui.cli.main import boneyard, help_texts  # noqa: PLC0415 - found beside the scripts

    for text in help_texts(boneyard):
        catalogue.add(text)
    return catalogue


def _add(catalogue: Catalog, file: Path, keywords: dict[str, tuple[int | tuple[int, str], ...] | None]) -> None:
    for _line, message, _comments, context in extract_from_file("python", str(file), keywords):
        catalogue.add(message, context=context)


def untranslated_texts() -> dict[str, list[str]]:
    """Return the English texts without a translation, by language: messages, and pages of rules by their files."""
    missing = {}
    for source in sources():
        language = source.parent.parent.name
        with source.open("rb") as file:
            messages = [message for message in read_po(file, language) if message.id and not is_translated(message)]
        texts = [message.id if isinstance(message.id, str) else message.id[0] for message in messages]
        texts += [f"tui/rulebook/{language}/{game}.md" for game in GAMES if not translated_page(language, game)]
        if texts:
            missing[language] = texts
    return missing


def counts_of(missing: dict[str, list[str]]) -> str:
    """Return the number of untranslated texts of every language, for a sentence."""
    return ", ".join(f"{len(texts)} in {language}" for language, texts in missing.items())


def update_catalogues(fresh: Catalog) -> None:
    """Give every catalogue the messages of the template, and compile it."""
    for source in sources():
        with source.open("rb") as file:
            catalogue = read_po(file, source.parent.parent.name)
        catalogue.update(fresh, no_fuzzy_matching=True, update_creation_date=False)
        with source.open("wb") as file:
            write_po(file, catalogue, width=120, no_location=True, sort_output=True, ignore_obsolete=True)
    compile_all()


def main() -> int:
    """Update the catalogues and print the untranslated texts; return the exit code."""
    parser = argparse.ArgumentParser(prog="./scripts/words", description=__doc__)
    parser.add_argument("--complete", action="store_true", help="exit with 1 if a text is not translated")
    parser.add_argument("template", nargs="?", help="write only the template, into this file")
    arguments = parser.parse_args()
    fresh = template()
    with open(arguments.template or TEMPLATE, "wb") as file:
        write_po(file, fresh, width=120, no_location=True, omit_header=True, sort_output=True)
    if arguments.template:
        return 0
    update_catalogues(fresh)
    missing = untranslated_texts()
    for language, texts in missing.items():
        for text in texts:
            print(f"{language}: {' '.join(text.split())}")
    if missing:
        print(f"boneyard: texts are not translated: {counts_of(missing)}.", file=sys.stderr)
    return int(arguments.complete and bool(missing))


if __name__ == "__main__":
    sys.exit(main())
