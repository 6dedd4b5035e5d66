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

    def of(self, options: Options) -> V:
        """Return what was chosen, from resolved options."""
        return cast("V", options[self.key])


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
