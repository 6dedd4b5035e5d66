"""The texts that players see, in the language of their session.

One process serves players of many languages, so the language is a context variable: the code that starts a session
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
"""The languages of Boneyard, each by its own name."""
ENGLISH = "en"
CATALOGUES = Path(__file__).with_name("locale")
"""The folder of the catalogues."""


class _Session:
    """The language of a session. All its tasks share this object, so that the language can change."""

    def __init__(self, language: str = ENGLISH, on_choose: Callable[[str], None] | None = None) -> None:
        self.on_choose = on_choose
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
    """Return the language in `LANGUAGES` that an environment requests, as in `de_AT.UTF-8`; English if it has no
    other.

    `LANGUAGE` may list several in order of preference; as everywhere, it counts only if a locale is set.
    """
    locale = next((env[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if env.get(name)), "")
    locale_name = locale.partition(".")[0].partition("@")[0]
    if locale_name in ("", "C", "POSIX"):
        return ENGLISH
    for name in (*filter(None, env.get("LANGUAGE", "").split(":")), locale_name):
        if language := find_language(name):
            return language
    return ENGLISH


def find_language(name: str) -> str:
    """Return the language in `LANGUAGES` that a name like `pt-PT`, `de` or `english` means; empty if it means
    none.
    """
    normalized = name.strip().partition(".")[0].replace("-", "_").casefold()
    for is_wanted in (
        lambda code: code.casefold() == normalized,
        lambda code: LANGUAGES[code].casefold() == normalized,
        lambda code: code.partition("_")[0] == normalized.partition("_")[0],
    ):
        if language := next(filter(is_wanted, LANGUAGES), ""):
            return language
    return ""


def begin_session(language: str, on_choose: Callable[[str], None] | None = None) -> None:
    """Begin a session in one of `LANGUAGES`; `on_choose` is called when its player chooses another."""
    _session.set(_Session(language, on_choose))


def switch(language: str) -> None:
    """Switch this session to another of `LANGUAGES`."""
    if _session.get() is _NOBODYS:
        begin_session(language)
    _session.get().begin_session(language)


def choose(language: str) -> None:
    """Switch to a language because the player has chosen it."""
    switch(language)
    if on_choose := _session.get().on_choose:
        on_choose(language)


def spoken_language() -> str:
    """Return the language in `LANGUAGES` of this session."""
    return _session.get().language


def _(text: str, /, **values: object) -> str:
    """Translate a template and fill in its values."""
    template = _session.get().catalogue.gettext(text) if text else ""
    return template.format(**values) if values else template


def pgettext(context: str, text: str, /) -> str:
    """Translate a bare word that has several meanings; `context` tells translators which one is meant."""
    return _session.get().catalogue.pgettext(context, text)


def several(singular: str, plural: str, count: int, **values: object) -> str:
    """Translate a template that depends on a number, which stands for `{count}` in it."""
    return _session.get().catalogue.ngettext(singular, plural, count).format(count=count, **values)


def number(value: int) -> str:
    """Return a large number, grouped as in the language of the session."""
    return decimal(value, 0)


def decimal(value: float, digits: int) -> str:
    """Return a number with at most `digits` after the point, written as in the language of the session."""
    integer_part, _point, fraction = f"{value:,.{digits}f}".partition(".")
    text = f"{integer_part}.{fraction}".rstrip("0").rstrip(".") if fraction else integer_part
    return text if spoken_language() == ENGLISH else text.translate(_COMMA)


_COMMA = str.maketrans(",.", ".,")
"""All languages but English group by points, and have a comma before the decimals."""


def day_and_time(moment: float) -> str:
    """Return a time in seconds since 1970 as local time, written as in the language of the session.

    Return a question mark for a time outside of every calendar, which a file may have.
    """
    try:
        local_time = datetime.fromtimestamp(moment)
    except (ValueError, OverflowError, OSError):
        return "?"
    return _("{moment:%d/%m/%Y, %H:%M}", moment=local_time)


def capitalize(text: str) -> str:
    """Return a sentence with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def sign_of(number: float) -> str:
    """Return a plus or, for a negative number, a true minus, which becomes a hyphen only where text is ASCII."""
    return "−" if number < 0 else "+"


def with_sign(number: int) -> str:
    """Return a number with a true minus sign if it is negative."""
    return f"{sign_of(number)}{-number}" if number < 0 else str(number)


def gained_words(points: int) -> str:
    """Return a change of a score, with its sign; empty for 0."""
    return f"{sign_of(points)}{abs(points)}" if points else ""


def clock_text(seconds: int) -> str:
    """Return a duration as a clock shows it: 0:23, 12:05, 2:00:00."""
    all_minutes, remaining_seconds = divmod(seconds, 60)
    hours, minutes = divmod(all_minutes, 60)
    return f"{hours}:{minutes:02}:{remaining_seconds:02}" if hours else f"{minutes}:{remaining_seconds:02}"


def _template(words: Words) -> str:
    catalogue = _session.get().catalogue
    if words.count is not None and words.text:
        return catalogue.ngettext(words.text, words.plural, words.count)
    return catalogue.gettext(words.text) if words.text else ""


def translate(words: Words, names: tuple[str, ...] = ()) -> str:
    """Translate a sentence from the rules or the host; `{seat}` becomes the name of that seat."""
    values: dict[str, object] = {}
    for key, value in words.values.items():
        if isinstance(value, Words):
            values[key] = translate(value, names)
        elif key == "seat" and isinstance(value, int) and 0 <= value < len(names):
            values[key] = names[value]
        else:
            values[key] = value
    template = _template(words)
    try:
        return template.format_map(values)
    except (LookupError, ValueError, AttributeError, TypeError):  # a host may send anything
        return template
