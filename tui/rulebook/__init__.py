"""The rules as players read them, in our own words: one text per language and game."""

from importlib import resources

from core.options import Options
from core.variant import Variant
from tui.i18n import _


def rules_text(variant: Variant, language: str = "en") -> str:
    """The rules of a game, in a language if they are written in it, else in English."""
    shelf = resources.files(__name__)
    for name in (language, "en"):
        page = shelf / name / f"{variant.id}.md"
        if page.is_file():
            return page.read_text("utf-8").strip()
    raise FileNotFoundError(f"There is no rules text for {variant.id}.")


def house_rules(variant: Variant, options: Options | None = None) -> str:
    """The house rules of a game with their choices; or, for a table, the value of each there."""
    lines = ["# " + (_("House rules") if options is None else _("House rules at this table"))]
    for option in variant.options:
        if options is None:
            choices = ", ".join(map(str, option.choices))
            lines.append(f"- {option.key}: {_(option.words)} ({choices})")
        elif option.key in options:  # a host of another version may have others
            lines.append(f"- {option.key} = {options[option.key]}: {_(option.words)}")
    return "\n".join(lines)
