"""The rules for players, in our own words: one text per language and game."""

import re
from functools import lru_cache
from pathlib import Path

from core.games import GAMES
from core.presets import PAIRED, Preset
from core.variant import Option, Options, Value, Variant, resolve
from tui.i18n import ENGLISH, _, spoken_language
from tui.text.names import preset_at
from tui.wording import explanations, label_of, meaning_of

IN_SHORT = ("# The tiles", "# Your turn", "# The match")
"""The parts of the English rules whose first sentences make up the rules in short."""
IN_SHORT_MOST = 190
"""Maximum characters of each of them: two lines or three."""


def rules_text(variant: Variant) -> str:
    """Return the rules of a game, in the language of the session if they are translated, else in English."""
    if page := translated_page(spoken_language(), variant.id) or _page(ENGLISH, variant.id):
        return page
    raise FileNotFoundError(f"There is no rules text for {variant.id}: write tui/rulebook/en/{variant.id}.md.")


@lru_cache(maxsize=256)
def translated_page(language: str, game: str) -> str:
    """Return the rules of a game in a language; empty unless they have as many parts and points as the English."""
    page = _page(language, game)
    return page if _marks(page) == _marks(_page(ENGLISH, game)) else ""


def _marks(page: str) -> list[str]:
    """Return the marks before the titles and points of a page, in their order."""
    return re.findall(r"(?m)^[#-] ", page)


def rules_in_short(variant: Variant) -> tuple[str, ...]:
    """Return a few sentences of the rules: the deal, a turn, and the winner. Games for one player have none."""
    translated_parts = _split_parts(rules_text(variant))
    titles = [part.splitlines()[0] for part in _split_parts(_page(ENGLISH, variant.id))]
    return tuple(_first_sentences(translated_parts[titles.index(title)]) for title in IN_SHORT if title in titles)


def _split_parts(page: str) -> list[str]:
    """Split a page into parts that begin with a title; every language has the same parts."""
    return re.split(r"\n(?=# )", page)


def _first_sentences(part: str) -> str:
    """Return the first sentences of a part."""
    first, *others = re.split(r"(?<=[.:!?])\s", next(line for line in part.splitlines()[1:] if line))
    for sentence in others:
        if len(first) + len(sentence) >= IN_SHORT_MOST:
            break
        first += f" {sentence}"
    return first.replace("*", "").removesuffix(":") + "." * first.endswith(":")


@lru_cache(maxsize=256)
def _page(language: str, game: str) -> str:
    """Return the rules of a game in a language; empty if they are not written."""
    page = Path(__file__).parent / language / f"{game}.md"
    return page.read_text("utf-8").strip() if page.is_file() else ""


def preset_options(preset: Preset) -> Options:
    """Return all options of a table with the rules of a preset."""
    return resolve(GAMES[preset.game].options, preset.options_for(preset.players or PAIRED))


def rules_page(variant: Variant, options: Options | None = None) -> str:
    """Return the rules of a game and its house rules; rules that differ at a table with `options` come first."""
    return "\n\n".join(
        filter(None, (_changed_rules(variant, options or {}), rules_text(variant), house_rules(variant, options)))
    )


def _changed_rules(variant: Variant, options: Options) -> str:
    """Return a table's deviations from the default rules, under the name of its preset; empty if it has none."""
    defaults = resolve(variant.options, {})
    lines = [
        _rule_line(variant, option, options[option.key])
        for option in variant.options
        if option.key in options and options[option.key] != defaults[option.key]
    ]
    preset = preset_at(variant.id, options)
    title = _(preset.name) if preset else _("Unlike the usual rules at this table")
    introduction = _("This holds here, whatever else the rules below say:")
    return "\n".join((f"# {title}", introduction, *lines)) if lines else ""


def _rule_line(variant: Variant, option: Option[Value], choice: Value) -> str:
    """Return a house rule, its chosen value, and the meaning of that."""
    meaning = meaning_of(variant.id, option.key, choice)
    sentence = f"- {_(option.words)}: {label_of(variant.id, option.key, choice)}"
    return f"{sentence} – {meaning}" if meaning else sentence


def house_rules(variant: Variant, options: Options | None = None) -> str:
    """Return the house rules of a game with their choices, the default first; or, for a table, its choices."""
    lines = ["# " + (_("House rules") if options is None else _("House rules at this table"))]
    for option in variant.options:
        if options is None:
            lines.append(f"- {_(option.words)} ({option.key})")
            single_choices = [choice for choice in option.choices if _is_single(choice)]
            lines += [
                f"  - {sentence}"
                for sentence in explanations(variant.id, option.key, single_choices, with_codes=True)
            ]
            if len(single_choices) < len(option.choices):
                lines.append("  - " + _("several together, joined by +"))
            if option.largest:
                lines.append("  - " + _("any other number up to {most}", most=option.largest))
        elif option.key in options:  # a host of another version may lack an option
            lines.append(_rule_line(variant, option, options[option.key]))
    return "\n".join(lines)


def house_keys(variant: Variant) -> str:
    """Return the house rules of a game in one line each, with the codes of their choices."""
    lines = []
    for option in variant.options:
        codes = ", ".join(str(choice) for choice in option.choices if _is_single(choice))
        lines.append(f"- {option.key}: {_(option.words)} ({codes})")
    return "\n".join(lines)


def _is_single(choice: Value) -> bool:
    """Return True if a choice is not a combination of several, which their own sentences explain."""
    return "+" not in str(choice)
