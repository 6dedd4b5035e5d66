"""A progress bar for what takes long."""

import contextlib
import sys
from collections.abc import Iterator
from typing import TypeVar

import click

T = TypeVar("T")


@contextlib.contextmanager
def progress(things: Iterator[T], length: int, label: str) -> Iterator[Iterator[T]]:
    """Pass on so many things as they come, with a bar if somebody sees it; one thing needs none."""
    if length < 2 or not sys.stderr.isatty():
        yield things
        return
    with click.progressbar(things, length=length, label=label, file=sys.stderr) as bar:
        yield iter(bar)
