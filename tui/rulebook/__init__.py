"""The rules as players read them, in our own words: one text per language and game."""

import re
from functools import lru_cache
from pathlib import Path

from core.variant import Option, Options, Value, Variant, resolve
from tui.i18n import ENGLISH, _, spoken_language
from tui.text.names import preset_at
from tui.wording import explained, label_of, line_of

IN_SHORT = ("# The tiles", "# Your turn", "# The match")
"""The parts of the English rules whose first sentences are the rules in short."""
IN_SHORT_MOST = 190
"""Characters of each of them: two lines or three."""


def rules_text(variant: Variant) -> str:
    """The rules of a game, in the language of the session if they are written in it, else in English."""
    for name in (spoken_language(), ENGLISH):
        page = _page(name, variant.id)
        if page:
            return page
    raise FileNotFoundError(f"There is no rules text for {variant.id}.")


def rules_in_short(variant: Variant) -> tuple[str, ...]:
    """A few sentences of the rules: what is dealt, what a turn is, and who wins; a game for one has none."""
    titles = [part.splitlines()[0] for part in _parts(_page(ENGLISH, variant.id))]
    spoken = _parts(rules_text(variant))
    return tuple(_beginning(spoken[titles.index(title)]) for title in IN_SHORT if title in titles)


def _parts(page: str) -> list[str]:
    """A page in parts that begin with a title; every language has the same ones."""
    return re.split(r"\n(?=# )", page)


def _beginning(part: str) -> str:
    """The first sentences of a part."""
    first, *others = re.split(r"(?<=[.:!?])\s", next(line for line in part.splitlines()[1:] if line))
    for sentence in others:
        if len(first) + len(sentence) >= IN_SHORT_MOST:
            break
        first += f" {sentence}"
    return first.replace("*", "").removesuffix(":") + "." * first.endswith(":")


@lru_cache(maxsize=256)
def _page(language: str, game: str) -> str:
    """The rules of a game in a language; empty if nobody has written them."""
    page = Path(__file__).parent / language / f"{game}.md"
    return page.read_text("utf-8").strip() if page.is_file() else ""


def rules_page(variant: Variant, options: Options | None = None) -> str:
    """The rules of a game and its house rules; for a table, first what is not as usual there."""
    return "\n\n".join(
        filter(None, (_changed(variant, options or {}), rules_text(variant), house_rules(variant, options)))
    )


def _changed(variant: Variant, options: Options) -> str:
    """What holds at a table whatever the rules say, under the name of its preset; empty where all is as usual."""
    usual = resolve(variant.options, {})
    lines = [
        _told(variant, option, options[option.key])
        for option in variant.options
        if option.key in options and options[option.key] != usual[option.key]
    ]
    preset = preset_at(variant.id, options)
    title = _(preset.name) if preset else _("Unlike the usual rules at this table")
    holds = _("This holds here, whatever else the rules below say:")
    return "\n".join((f"# {title}", holds, *lines)) if lines else ""


def _told(variant: Variant, option: Option[Value], choice: Value) -> str:
    """A house rule, what is chosen, and what that does."""
    line = line_of(variant.id, option.key, choice)
    told = f"- {_(option.words)}: {label_of(variant.id, option.key, choice)}"
    return f"{told} – {line}" if line else told


def house_rules(variant: Variant, options: Options | None = None) -> str:
    """The house rules of a game and what their choices do, the usual one first; or, for a table, what holds there."""
    lines = ["# " + (_("House rules") if options is None else _("House rules at this table"))]
    for option in variant.options:
        if options is None:
            lines.append(f"- {_(option.words)} ({option.key})")
            single = [choice for choice in option.choices if _single(choice)]
            lines += [f"  - {told}" for told in explained(variant.id, option.key, single, codes=True)]
            if len(single) < len(option.choices):
                lines.append("  - " + _("several together, joined by +"))
            if option.largest:
                lines.append("  - " + _("any other number up to {most}", most=option.largest))
        elif option.key in options:  # a host of another version may have others
            lines.append(_told(variant, option, options[option.key]))
    return "\n".join(lines)


def house_keys(variant: Variant) -> str:
    """The house rules of a game in one line each, with the codes of their choices."""
    lines = []
    for option in variant.options:
        codes = ", ".join(str(choice) for choice in option.choices if _single(choice))
        lines.append(f"- {option.key}: {_(option.words)} ({codes})")
    return "\n".join(lines)


def _single(choice: Value) -> bool:
    """Whether this is not several choices together, which their parts explain."""
    return "+" not in str(choice)
