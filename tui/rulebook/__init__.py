"""The rules as players read them, in our own words: one text per language and game."""

from importlib import resources

from core.options import Options, Value
from core.variant import Variant
from tui.i18n import ENGLISH, _, spoken_language
from tui.wording import explained, label_of, line_of


def rules_text(variant: Variant) -> str:
    """The rules of a game, in the language of the session if they are written in it, else in English."""
    shelf = resources.files(__name__)
    for name in (spoken_language(), ENGLISH):
        page = shelf / name / f"{variant.id}.md"
        if page.is_file():
            return page.read_text("utf-8").strip()
    raise FileNotFoundError(f"There is no rules text for {variant.id}.")


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
            if option.most:
                lines.append("  - " + _("any other number up to {most}", most=option.most))
        elif option.key in options:  # a host of another version may have others
            choice = options[option.key]
            line = line_of(variant.id, option.key, choice)
            told = f"{_(option.words)}: {label_of(variant.id, option.key, choice)}"
            lines.append(f"- {told} – {line}" if line else f"- {told}")
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
