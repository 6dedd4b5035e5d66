"""Output of commands: sentences, errors with an exit code, and progress."""

import contextlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from tui.i18n import _


class Failed(click.ClickException):
    """A command failed; the message is one sentence, the exit code 1."""

    def __init__(self, text: str, /, **values: object) -> None:
        """`text` is translated, if it has a translation, and filled in with the values."""
        super().__init__(_(text, **values))

    def show(self, file: Any = None) -> None:
        """Print the sentence on stderr."""
        click.echo(f"boneyard: {self.format_message()}", err=True, file=file)


class BadUse(Failed):
    """A command line is not valid: exit code 2."""

    exit_code = 2


@contextmanager
def fail_on(*kinds: type[Exception]) -> Iterator[None]:
    """Raise Failed with the message of an error of these kinds, which is a sentence for the user."""
    try:
        yield
    except kinds as error:
        raise Failed(str(error)) from error


def print_sentence(text: str, /, **values: object) -> None:
    """Print a sentence, translated and filled in with the values."""
    click.echo(_(text, **values))


T = TypeVar("T")


@contextlib.contextmanager
def progress(items: Iterator[T], length: int, label: str) -> Iterator[Iterator[T]]:
    """Yield an iterator over `items`; with two or more items, it shows a progress bar on a terminal."""
    if length < 2 or not sys.stderr.isatty():
        yield items
        return
    with click.progressbar(items, length=length, label=label, file=sys.stderr) as bar:
        yield iter(bar)
