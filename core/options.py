"""House rules: the options of a game, and the check of what somebody chose."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, Generic, TypeVar, cast

from msgspec import Struct

from core.bounds import Number
from core.words import BadOption, words

Value = str | Number
V = TypeVar("V", bound=Value)
Options = dict[str, Value]

RULES = 3
"""The version of the rules of new matches. It grows by one when a rule changes, or a game gets a further option."""
VERSION = "rules"
"""The key of that version among the options of a match; only matches have it that began before their game changed."""

_ALIASES = {"unlimited": "∞", "inf": "∞", "infinite": "∞", "true": "yes", "false": "no"}


class Option(Struct, Generic[V], frozen=True):
    """One house rule: its key, its choices with the default first, and what it means in a few words."""

    key: str
    choices: tuple[V, ...]
    words: str
    unless: tuple[str, Value, Value] | None = None
    """(key, value, default): while that other option has that value, this is the default instead."""
    most: int = 0
    """The largest number, if any whole number from 1 may be chosen; the choices are then suggestions."""
    since: int = 1
    """The version of the rules with which the game got this option."""
    before: V | None = None
    """What the game was played by before it had this option; only options that came later have it."""

    def of(self, options: Options) -> V:
        """Return what was chosen, from resolved options."""
        return cast("V", options[self.key])


def version_of(options: Mapping[str, object]) -> int:
    """Return the version of the rules that these options belong to. Raises BadOption if there is none."""
    version = options.get(VERSION, RULES)
    if not isinstance(version, int) or not 1 <= version <= RULES:
        raise BadOption(
            words(
                "There is no version {version} of the rules; the newest is {newest}.",
                version=str(version)[:40],
                newest=RULES,
            )
        )
    return version


def completed(options: tuple[Option[Any], ...], recorded: Options, version: int) -> Options:
    """Return what was recorded under a version of the rules, with what was played before later options existed."""
    later = (option for option in options if option.since > 1 and version <= option.since)
    return {option.key: option.before for option in later if option.before is not None} | recorded


def resolve(options: tuple[Option[Any], ...], chosen: Mapping[str, object]) -> Options:
    """Return a value for every option: what was chosen, else the default.

    Raises BadOption, naming the keys or the choices, for a key or a value that does not exist.
    """
    known = {option.key: option for option in options}
    for key in chosen:
        if key not in known:
            near = get_close_matches(key, known, 1)
            keys = ", ".join(known)
            if near:
                raise BadOption(
                    words(
                        "There is no house rule “{key}” here. Did you mean {near}? There are: {keys}.",
                        key=key[:40],
                        near=near[0],
                        keys=keys,
                    )
                )
            raise BadOption(words("There is no house rule “{key}” here. There are: {keys}.", key=key[:40], keys=keys))
    values = {key: _checked(known[key], value) for key, value in chosen.items()}
    for option in options:
        if option.key not in values and option.unless is None:
            values[option.key] = option.choices[0]
    for option in options:
        if option.key not in values and option.unless is not None:
            other, value, default = option.unless
            values[option.key] = default if values[other] == value else option.choices[0]
    return {option.key: values[option.key] for option in options}


def _checked(option: Option[Value], value: object) -> Value:
    text = str(value).strip().lower()
    for wanted in (text, _ALIASES.get(text)):
        for choice in option.choices:
            if wanted == str(choice).lower():
                return choice
    if option.most and text.isdecimal() and text.isascii() and 0 < int(text[:9]) <= option.most:
        return int(text)
    choices = ", ".join(map(str, option.choices))
    if option.most:
        choices += f" … {option.most}"
    raise BadOption(
        words(
            "{key} cannot be “{value}”; choose one of: {choices}.",
            key=option.key,
            value=str(value)[:40],
            choices=choices,
        )
    )
