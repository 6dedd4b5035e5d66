"""The names and meanings of the choices of a table: tables of sentences, and their lookup.

A sentence begins with the label of its choice: `net: the winner scores what the others hold less their own.`
"""

from collections.abc import Iterable

from core.games import GAMES
from core.presets import PRESETS
from core.variant import Value
from tui.i18n import _
from tui.wording.line_games import LINE_GAMES
from tui.wording.non_layout import OTHER_GAMES, TABLE_SETTINGS

SENTENCES = LINE_GAMES | OTHER_GAMES | TABLE_SETTINGS
COMMON_OPTIONS = frozenset(
    {
        *("partners", "set", "target", "opener", "blocked_score"),
        *("af.spinner", "af.claim", "f3.hand", "mat.sum"),
        *("mt.double", "mt.rounds", "cf.arms"),
        *("42.score", "42.target", "42.all_pass", "42.contracts"),
        *("ws.teams", "ws.score", "ws.rounds"),
        *("koz.kind", "koz.entry", "koz.eggs"),
        *("pt.lead", "pt.block", "pt.count", "pt.capicua", "pt.pass_first", "pt.pass_all"),
        *("br.hand", "br.redeal", "br.tie", "sl.match", "sl.key"),
        *("tel.wall", "ga.draw", "ga.two", "ga.redeal"),
        *("jl.game", "jl.pay", "jl.rounds", "tw.deal", "tw.draw", "tw.lead_again"),
        *("am.doubles", "bg.lead", "bg.block", "sp.centre", "sp.rounds"),
        *("pa.game", "pa.deals"),
        *("tg.rounds", "tg.banker", "tg.bonus", "tg.early_death"),
        *("sm.rounds", "sm.debts", "sm.purse", "bn.max_draw", "bn.bonus"),
    }
)
"""House rules that players choose often; the others are rare."""


def choice_words(game: str, key: str, choice: Value) -> str:
    """Return the sentence of a choice, which begins with its label; empty if this version does not know it."""
    return _(_template(game, key, choice), n=choice)


def label_of(game: str, key: str, choice: Value) -> str:
    """Return the label of a choice, or all labels of a combined one; the choice itself if this version does not know
    it.
    """
    parts = str(choice).split("+")
    if len(parts) > 1:
        return ", ".join(label_of(game, key, part) for part in parts)
    return choice_words(game, key, choice).partition(": ")[0] or str(choice)


def meaning_of(game: str, key: str, choice: Value) -> str:
    """Return the meaning of a choice, without its label."""
    return choice_words(game, key, choice).partition(": ")[2]


def explanations(game: str, key: str, choices: Iterable[Value], *, with_codes: bool = False) -> list[str]:
    """Return the sentences of all choices; numbers with the same sentence share one.

    `with_codes`: the text to type for a choice follows its label, unless it is the label.
    """
    groups: dict[str, list[Value]] = {}
    for choice in choices:
        groups.setdefault(_template(game, key, choice), []).append(choice)
    sentences = []
    for template, same_choices in groups.items():
        label, _colon, meaning = _(template, n=same_choices[0] if len(same_choices) == 1 else "N").partition(": ")
        typed_text = ", ".join(map(str, same_choices))
        heading = (
            f"{label} ({typed_text})" if len(same_choices) > 1 or (with_codes and typed_text != label) else label
        )
        sentences.append(f"{heading}: {meaning}")
    return sentences


def _template(game: str, key: str, choice: Value) -> str:
    """Return the sentence of a choice before translation."""
    if key == "game" and choice in GAMES:
        variant = GAMES[str(choice)]
        return f"{_(variant.name)}: {_(variant.pitch)}"
    if key == "preset" and choice in PRESETS:
        preset = PRESETS[str(choice)]
        description = ", ".join(filter(None, (_(preset.place), preset.local)))
        return f"{_(preset.name)}: {description}."
    sentences = SENTENCES.get(key, {}) | SENTENCES.get(f"{game}:{key}", {})
    return sentences.get(str(choice)) or (sentences.get("n", "") if isinstance(choice, int) else "")
