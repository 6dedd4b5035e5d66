"""Lets the command line speak the language that was chosen, or else that of this terminal."""

import gettext
import os
from collections.abc import Iterator

import click

from core.words import phrase
from tui.i18n import CATALOGUES, ENGLISH, _, language_of, speak, spoken_language
from tui.run.settings import language_wanted, remember_language

EXAMPLES = (phrase("Examples:"), phrase("Example:"))
"""How the last line of a command's help begins."""


def speak_here(command: click.Group) -> None:
    """Begin a session at this terminal; what the commands say of themselves is translated as well."""
    speak(language_wanted() or language_of(os.environ), remember_language)
    if spoken_language() != ENGLISH:
        _translate(command)
        os.environ["LANGUAGE"] = spoken_language()  # for what click itself says
        gettext.bindtextdomain("boneyard", str(CATALOGUES))
        gettext.textdomain("boneyard")


def texts(command: click.Command) -> Iterator[str]:
    """Yield everything that a command and its options and commands say of themselves."""
    for described in _described(command):
        yield str(described.help)


def _translate(command: click.Command) -> None:
    for described in _described(command):
        described.help = _(str(described.help))
        if isinstance(described, click.Command) and described.epilog:
            word = next(filter(described.epilog.startswith, EXAMPLES))
            described.epilog = _(word) + described.epilog.removeprefix(word)


def _described(command: click.Command) -> Iterator[click.Command | click.Option]:
    """Yield whatever says something of itself."""
    if command.help:
        yield command
    for option in command.params:
        if isinstance(option, click.Option) and option.help:
            yield option
    if isinstance(command, click.Group):
        for each in command.commands.values():
            yield from _described(each)
