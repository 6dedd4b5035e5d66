"""What a command says to whoever typed it: sentences, and the one that ends it with an exit code."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

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
