"""Writes the manual page of `boneyard` in roff: everything that `--help` says, on one page."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from core.games import GAMES
from tui.cli.main import boneyard
from tui.version import SOFTWARE

PAGE = Path(__file__).parent.parent / "docs" / "boneyard.1"
FILES = (
    (
        "~/.config/boneyard/settings.toml",
        "The theme, the language, the bell, the last tables alone, and servers that you joined.",
    ),
    ("~/.config/boneyard/themes/", "Your own themes."),
    ("~/.local/share/boneyard/", "Kept matches, records, keys, and what a server stores; --data names another."),
)
ENVIRONMENT = (
    ("LC_ALL, LC_MESSAGES, LANG, LANGUAGE", "The language; where the locale is not UTF-8, tiles are drawn in ASCII."),
    ("NO_COLOR", "No colours."),
    ("COLORTERM, TERM", "How many colours the terminal shows."),
    ("NO_MOTION", "Nothing moves."),
    ("BONEYARD_INVITE", "The invitation code for join and host."),
)
EXIT_STATUS = (
    ("0", "Success."),
    ("1", "It could not be done; one sentence on the standard error says why."),
    ("2", "The command line is not valid."),
    ("130", "It was cancelled by Ctrl-C."),
)


def manual() -> str:
    """Return the text of the page."""
    context = click.Context(boneyard, info_name="boneyard", help_option_names=["-h", "--help"])
    lines = [
        f'.TH BONEYARD 1 "" "{SOFTWARE}" "User Commands"',
        ".SH NAME",
        r"boneyard \- every domino game people play, at one table in the terminal",
        ".SH SYNOPSIS",
        r".B boneyard",
        "[OPTIONS] [COMMAND [ARGUMENTS]]",
        ".SH DESCRIPTION",
        *_help(boneyard),
        ".SH OPTIONS",
        *_options(boneyard, context),
        ".TP",
        ".BR \\-h ,",
        ".B \\-\\-help",
        "Show what can be typed; every command has it.",
        ".SH COMMANDS",
        *_commands(boneyard, context),
        ".SH GAMES",
        *_tagged_paragraphs((name, f"{variant.name}. {variant.pitch}") for name, variant in GAMES.items()),
        ".SH EXIT STATUS",
        *_tagged_paragraphs(EXIT_STATUS),
        ".SH ENVIRONMENT",
        *_tagged_paragraphs(ENVIRONMENT),
        ".SH FILES",
        *_tagged_paragraphs(FILES),
        ".SH SEE ALSO",
        r".BR ssh (1)",
    ]
    return "\n".join(lines) + "\n"


def _commands(group: click.Group, parent: click.Context) -> Iterator[str]:
    for name in sorted(group.commands):
        command = group.commands[name]
        context = click.Context(command, info_name=name, parent=parent)
        usage = " ".join(command.collect_usage_pieces(context))
        yield f'.SS "{_escape(context.command_path)} {_escape(usage)}"'
        yield from _help(command)
        yield from _options(command, context)
        if isinstance(command, click.Group):
            yield from _commands(command, context)


def _help(command: click.Command) -> Iterator[str]:
    paragraphs = [*(command.help or "").split("\n\n"), command.epilog or ""]
    for number, paragraph in enumerate(filter(None, paragraphs)):
        if number:
            yield ".PP"
        yield _escape(" ".join(paragraph.replace("\b", "").split()))


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    options = [option for option in command.params if isinstance(option, click.Option)]
    records = (option.get_help_record(context) for option in options)
    return _tagged_paragraphs(record for record in records if record)


def _tagged_paragraphs(pairs: "Iterator[tuple[str, str]] | tuple[tuple[str, str], ...]") -> Iterator[str]:
    for name, description in pairs:
        yield ".TP"
        yield f'.B "{_escape(name)}"'
        yield _escape(" ".join(description.split()))


def _escape(text: str) -> str:
    """Escape a text for roff."""
    text = text.replace("\\", r"\e").replace("-", r"\-").replace('"', r"\(dq").replace("`", r"\(ga")
    text = "".join(letter if letter.isascii() else f"\\[u{ord(letter):04X}]" for letter in text)
    return re.sub(r"^([.'])", r"\\&\1", text)


if __name__ == "__main__":
    PAGE.write_text(manual(), encoding="utf-8")
    sys.stdout.write(f"Written to {PAGE.relative_to(Path.cwd())}.\n")
