"""The words that players see, in the language of their session.

One process serves players of many languages, so the language is a context variable: whoever starts a session
calls `begin_session` once, and everything that runs within that session reads its own.
"""

import gettext
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import datetime
from functools import cache
from pathlib import Path

from core.words import Words

LANGUAGES = {
    "en": "English",
    "es": "Español",
    "pt_BR": "Português (Brasil)",
    "de": "Deutsch",
    "id": "Bahasa Indonesia",
}
"""What Boneyard speaks, each by its own name."""
ENGLISH = "en"
CATALOGUES = Path(__file__).with_name("locale")
"""The folder of the catalogues."""


class _Session:
    """What a session speaks. Everything in it shares this, so that it can change while it runs."""

    def __init__(self, language: str = ENGLISH, chosen: Callable[[str], None] | None = None) -> None:
        self.chosen = chosen
        self.begin_session(language)

    def begin_session(self, language: str) -> None:
        self.language = language if language in LANGUAGES else ENGLISH
        self.catalogue = _catalogue(self.language)


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    if language == ENGLISH:
        return gettext.NullTranslations()
    return gettext.translation("boneyard", str(CATALOGUES), [language], fallback=True)


_NOBODYS = _Session()
_session: ContextVar[_Session] = ContextVar("session", default=_NOBODYS)


def language_of(env: Mapping[str, str]) -> str:
    """Return which of `LANGUAGES` an environment asks for, as by `de_AT.UTF-8`; English for none of them.

    `LANGUAGE` may name several, the dearest first; as everywhere, it counts only where a locale is set.
    """
    locale = next((env[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if env.get(name)), "")
    asked = locale.partition(".")[0].partition("@")[0]
    if asked in ("", "C", "POSIX"):
        return ENGLISH
    for name in (*filter(None, env.get("LANGUAGE", "").split(":")), asked):
        if known := find_language(name):
            return known
    return ENGLISH


def find_language(name: str) -> str:
    """Return which of `LANGUAGES` is meant by a name like `pt-PT`, `de` or `english`; empty for none."""
    wanted = name.strip().partition(".")[0].replace("-", "_").casefold()
    for same in (
        lambda code: code.casefold() == wanted,
        lambda code: LANGUAGES[code].casefold() == wanted,
        lambda code: code.partition("_")[0] == wanted.partition("_")[0],
    ):
        if known := next(filter(same, LANGUAGES), ""):
            return known
    return ""


def begin_session(language: str, chosen: Callable[[str], None] | None = None) -> None:
    """Begin a session in one of `LANGUAGES`; `chosen` is told when its player has chosen another."""
    _session.set(_Session(language, chosen))


def switch(language: str) -> None:
    """Let everything in this session speak another of `LANGUAGES` from now on."""
    if _session.get() is _NOBODYS:
        begin_session(language)
    _session.get().begin_session(language)


def choose(language: str) -> None:
    """Switch to a language because the player has chosen it."""
    switch(language)
    if chosen := _session.get().chosen:
        chosen(language)


def spoken_language() -> str:
    """Return which of `LANGUAGES` this session speaks."""
    return _session.get().language


def _(text: str, /, **values: object) -> str:
    """Translate a template and fill in its values."""
    template = _session.get().catalogue.gettext(text) if text else ""
    return template.format(**values) if values else template


def pgettext(context: str, text: str, /) -> str:
    """Translate a bare word that has several meanings; `context` tells translators which one is meant."""
    return _session.get().catalogue.pgettext(context, text)


def several(one: str, many: str, count: int, **values: object) -> str:
    """Translate a template that depends on a number, which is `{count}` in it."""
    return _session.get().catalogue.ngettext(one, many, count).format(count=count, **values)


def number(value: int) -> str:
    """A large number, grouped as in the language of the session."""
    return decimal(value, 0)


def decimal(value: float, digits: int) -> str:
    """A number with at most `digits` after the point, written as in the language of the session."""
    whole, _point, rest = f"{value:,.{digits}f}".partition(".")
    text = f"{whole}.{rest}".rstrip("0").rstrip(".") if rest else whole
    return text if spoken_language() == ENGLISH else text.translate(_COMMA)


_COMMA = str.maketrans(",.", ".,")
"""All languages but English group by points, and have a comma before the decimals."""


def day_and_time(moment: float) -> str:
    """A time in seconds since 1970, as clocks here show it, written as in the language of the session.

    Files may have times that no calendar has.
    """
    try:
        here = datetime.fromtimestamp(moment)
    except (ValueError, OverflowError, OSError):
        return "?"
    return _("{moment:%d/%m/%Y, %H:%M}", moment=here)


def capitalized(text: str) -> str:
    """A sentence with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def signed(number: int) -> str:
    """A number with a true minus sign where it is negative."""
    return f"−{-number}" if number < 0 else str(number)


def gained_words(points: int) -> str:
    """What was added to a score, with its sign; empty for nothing."""
    return f"{'+' if points > 0 else '−'}{abs(points)}" if points else ""


def minutes(seconds: int) -> str:
    """A time as a clock shows it: 0:23, 12:05, 2:00:00."""
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def _template(words: Words) -> str:
    catalogue = _session.get().catalogue
    if words.count is not None and words.text:
        return catalogue.ngettext(words.text, words.plural, words.count)
    return catalogue.gettext(words.text) if words.text else ""


def translated(words: Words, names: tuple[str, ...] = ()) -> str:
    """Translate a sentence from the rules or the host; `{seat}` becomes the name of that seat."""
    values: dict[str, object] = {}
    for key, value in words.values.items():
        if isinstance(value, Words):
            values[key] = translated(value, names)
        elif key == "seat" and isinstance(value, int) and 0 <= value < len(names):
            values[key] = names[value]
        else:
            values[key] = value
    template = _template(words)
    try:
        return template.format_map(values)
    except (LookupError, ValueError, AttributeError, TypeError):  # a host may send anything
        return template
