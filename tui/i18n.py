"""The words that players see, in the language of their session.

One process serves players of many languages, so the catalogue is a context variable: whoever starts a session
calls `speak` once, and everything that runs within that session reads its own.
"""

import gettext
from collections.abc import Mapping
from contextvars import ContextVar
from importlib import resources
from pathlib import Path

from core.words import Words

_ENGLISH = gettext.NullTranslations()
_catalogue: ContextVar[gettext.NullTranslations] = ContextVar("catalogue", default=_ENGLISH)


def language_of(env: Mapping[str, str]) -> str:
    """Return the language that an environment asks for, as in `de_DE.UTF-8`; empty for none."""
    return next((env[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if env.get(name)), "")


def speak(language: str) -> None:
    """Choose the language of this session by a locale name like `de_AT.UTF-8`; unknown ones get English."""
    name = language.partition(".")[0]
    with resources.as_file(resources.files("tui") / "locale") as folder:
        speak_by(gettext.translation("boneyard", str(Path(folder)), [name] if name else [], fallback=True))


def speak_by(catalogue: gettext.NullTranslations) -> None:
    """Use this catalogue in this session."""
    _catalogue.set(catalogue)


def _(text: str, /, **values: object) -> str:
    """Translate a template and fill in its values."""
    template = _catalogue.get().gettext(text) if text else ""
    return template.format(**values) if values else template


def several(one: str, many: str, count: int, **values: object) -> str:
    """Translate a template that depends on a number, which is `{count}` in it."""
    return _catalogue.get().ngettext(one, many, count).format(count=count, **values)


def signed(number: int) -> str:
    """A number with a true minus sign where it is negative."""
    return f"−{-number}" if number < 0 else str(number)


def minutes(seconds: int) -> str:
    """A time as a clock shows it: 0:23, 12:05, 2:00:00."""
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def _template(words: Words) -> str:
    catalogue = _catalogue.get()
    if words.count is not None and words.text:
        return catalogue.ngettext(words.text, words.plural, words.count)
    return catalogue.gettext(words.text) if words.text else ""


def spoken(words: Words, names: tuple[str, ...] = ()) -> str:
    """Translate a sentence from the rules or the host; `{seat}` becomes the name of that seat."""
    values: dict[str, object] = {}
    for key, value in words.values.items():
        if isinstance(value, Words):
            values[key] = spoken(value, names)
        elif key == "seat" and isinstance(value, int) and 0 <= value < len(names):
            values[key] = names[value]
        else:
            values[key] = value
    template = _template(words)
    try:
        return template.format_map(values)
    except (LookupError, ValueError, AttributeError, TypeError):  # a host may send anything
        return template
