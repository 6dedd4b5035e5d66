"""Compiles translations that are newer than their compiled catalogues: in a clone, and for a wheel."""

import os
from pathlib import Path
from tempfile import NamedTemporaryFile

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALES = Path(__file__).parent.parent / "tui" / "locale"


def sources() -> list[Path]:
    """Return the files that translators edit."""
    return sorted(LOCALES.glob("*/LC_MESSAGES/boneyard.po"))


def is_translated(message: Message) -> bool:
    """Return True if a message has all plural forms of its language, and no translator doubts them."""
    forms = message.string if isinstance(message.string, tuple) else (message.string,)
    return not message.fuzzy and all(forms)


def without_untranslated(catalogue: Catalog) -> Catalog:
    """Remove the messages without a translation, which then are English in both numbers."""
    for message in [message for message in catalogue if message.id and not is_translated(message)]:
        catalogue.delete(message.id, message.context)
    return catalogue


def compile_all() -> None:
    """Compile the catalogues that are out of date."""
    for source in sources():
        compiled = source.with_suffix(".mo")
        if compiled.exists() and compiled.stat().st_mtime > source.stat().st_mtime:
            continue
        with source.open("rb") as file, NamedTemporaryFile(dir=source.parent, delete=False) as written:
            write_mo(written, without_untranslated(read_po(file, source.parent.parent.name)))
        os.chmod(written.name, 0o644)
        os.replace(written.name, compiled)


if __name__ == "__main__":
    compile_all()
