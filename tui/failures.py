"""What a command says to whoever typed it: sentences, the one that ends it with an exit code, how far it has come."""

import contextlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from tui.i18n import _


class Failed(click.ClickException):
    """Something that could not be done, in one sentence; exit code 1."""

    def __init__(self, text: str, /, **values: object) -> None:
        """`text` is translated, as far as it is known, and filled in with the values."""
        super().__init__(_(text, **values))

    def show(self, file: Any = None) -> None:
        """Print the sentence on stderr."""
        click.echo(f"boneyard: {self.format_message()}", err=True, file=file)


class BadUse(Failed):
    """Something that makes no sense as it was typed: exit code 2."""

    exit_code = 2


@contextmanager
def failing(*kinds: type[Exception]) -> Iterator[None]:
    """Let errors of these kinds, which are sentences for whoever typed the command, end it."""
    try:
        yield
    except kinds as error:
        raise Failed(str(error)) from error


def tell_here(text: str, /, **values: object) -> None:
    """Print a sentence, translated and filled in with the values."""
    click.echo(_(text, **values))


T = TypeVar("T")


@contextlib.contextmanager
def progress(things: Iterator[T], length: int, label: str) -> Iterator[Iterator[T]]:
    """Pass on so many things as they come, with a bar if somebody sees it; one thing needs none."""
    if length < 2 or not sys.stderr.isatty():
        yield things
        return
    with click.progressbar(things, length=length, label=label, file=sys.stderr) as bar:
        yield iter(bar)
