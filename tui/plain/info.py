"""Information on request: the hand, the table, the scores, the roster, the rules, and the possible commands."""

from collections.abc import Callable, Iterable

from core.games import GAMES
from core.layout.state import NOBODY
from core.match import MatchView
from core.variant import Options, Variant
from net.client.client import Client
from tui.i18n import LANGUAGES, _, choose, find_language, several, with_sign
from tui.plain.families import narrator_of
from tui.rulebook import preset_options, rules_page
from tui.text.at_table import people, talk_lines
from tui.text.headlines import side_name
from tui.text.names import find_rules, tile_words

Pages = dict[str, Callable[[Client], list[str]]]
Say = Callable[[str], None]


class Dialog:
    """Says sentences to a player, and handles the lines that they type."""

    def __init__(self, say: Say) -> None:
        """`say` is called with each sentence."""
        self._say = say

    def _say_all(self, sentences: Iterable[str]) -> None:
        for sentence in sentences:
            self._say(sentence)


def names_at_table(client: Client) -> tuple[str, ...]:
    """Return the names at a client's table, seat by seat."""
    return tuple(seat.name for seat in client.update.table.seats) if client.update else ()


def hand_lines(client: Client) -> list[str]:
    """Return the hand."""
    view = client.update.play if client.update else None
    tiles = ", ".join(map(tile_words, view.hand)) if view and view.seat != NOBODY else ""
    return [_("Your hand: {tiles}.", tiles=tiles) if tiles else _("You hold no tiles.")]


def table_lines(client: Client) -> list[str]:
    """Return the tiles on the table, and the number of tiles in each hand."""
    match, names = client.update.match if client.update else None, names_at_table(client)
    if match is None or match.play is None:
        return [_("The match has not begun.")]
    tile_counts = [
        several("You hold {count} tile", "You hold {count} tiles", count)
        if seat == match.play.seat
        else several("{name} holds {count} tile", "{name} holds {count} tiles", count, name=name)
        for seat, (name, count) in enumerate(zip(names, match.play.counts, strict=False))
    ]
    table = narrator_of(match.play).table(match, match.play, names)
    return [*table, ", ".join(tile_counts) + "."] if len(names) > 1 else table


def score_lines(client: Client) -> list[str]:
    """Return the scores, and the end of the match."""
    match = client.update.match if client.update else None
    return scores_of(match, names_at_table(client)) if match else [_("The match has not begun.")]


def scores_of(match: MatchView, names: tuple[str, ...]) -> list[str]:
    """Return the scores of a match, and its end."""
    scores = [f"{side_name(side, names, match.sides)} {with_sign(score)}" for side, score in enumerate(match.scores)]
    lines = [_("Round {number}. Scores: {scores}.", number=match.round, scores=", ".join(scores))]
    if match.goal.target:
        lines.append(
            several("The match ends at {count} point.", "The match ends at {count} points.", match.goal.target)
        )
    if match.goal.rounds:
        lines.append(several("The match has {count} round.", "The match has {count} rounds.", match.goal.rounds))
    return lines + [_("The lowest score wins.")] * match.goal.lowest


def people_lines(client: Client) -> list[str]:
    """Return the guests at the table, its code, and the commitment of its deals."""
    lines = [f"{name}: {doing.replace(' · ', ', ')}." for name, doing in people(client)]
    if client.update and client.update.code:
        lines.append(_("The code of this table is {code}.", code=client.update.code))
    if client.fair:
        lines.append(_("The server has committed to {commitment}.", commitment=client.fair.commitment))
    return lines


def rules_lines(variant: Variant, options: Options | None = None) -> list[str]:
    """Return the rules of a game line by line, without marks of headings and lists, and the house rules."""
    lines = []
    for line in rules_page(variant, options).splitlines():
        text = " ".join(line.removeprefix("# ").removeprefix("- ").split())
        if text:
            lines.append(text if text.endswith((".", ":", "?", "!")) else f"{text}.")
    return lines


def named_rules_lines(name: str) -> list[str]:
    """Return the rules of a game or a preset by its typed name, as `rules_lines` does. Raises BadOption."""
    game, preset = find_rules(name)
    return rules_lines(game, preset_options(preset) if preset else None)


def _rules_of_table(client: Client) -> list[str]:
    table = client.update.table if client.update else None
    if table is None or table.game not in GAMES:
        return [_("The rules of this game are not here.")]
    return rules_lines(GAMES[table.game], table.options)


def _table_help(_client: Client) -> list[str]:
    return [
        _("Type the number of what you want to do."),
        _("Or type a tile, as in “6|4” or “64”, with the letter of an end if it fits several, as in “64 b”."),
        _("Type “draw”, “pass” or “claim” if that is possible. Press Enter to hear the question again, or to go on."),
        _("Type “hint” for advice; if hints are not allowed yet, the others are asked."),
        _(
            "Type “back” to take back your last choice, at a table that allows it, or to agree that somebody else "
            "does."
        ),
        _("Type “hand”, “table”, “scores” or “who” to hear how things are, “rules” for the rules of the game."),
        _("Type “say” and some words to talk to everybody here."),
        _("Type “pace slow”, “pace normal” or “pace at once” to say how fast bots play."),
        _("Type “skip” to let them play at once until it is your turn."),
        _("Type “fill” to put bots on the free seats, “pause” to stop the table, “resume” to let it go on."),
        _("Type “mute” and a name to stop hearing what somebody says, “unmute” to hear it again."),
        _("Type “talk” to hear everything that was said."),
        _("Type “language” to hear which languages there are, or to choose another."),
        _("Type “remove” and a name to remove somebody from your table for good."),
        _("Type “end” to end the match without a winner, if all agree, “resign” to let the other side win."),
        _("Type “leave” to leave the table."),
    ]


TABLE: Pages = {
    "hand": hand_lines,
    "table": table_lines,
    "scores": score_lines,
    "who": people_lines,
    "rules": _rules_of_table,
    "talk": talk_lines,
    "help": _table_help,
    "?": _table_help,
}
"""The pages at the table, by the word that requests them."""


LANGUAGE_WORD = "language"


def handle_language_line(line: str) -> list[str]:
    """Handle a line about the language, such as `language es`; return the sentences to say."""
    word, _blank, name = line.strip().partition(" ")
    if word.lower() != LANGUAGE_WORD:
        return []
    if code := find_language(name) if name.strip() else "":
        choose(code)
        return [_("Show everything in this language.")]
    languages = ", ".join(f"{code} ({name})" for code, name in LANGUAGES.items())
    return [
        _(
            "The languages are {languages}. Type one of these codes, for example “language {code}”.",
            languages=languages,
            code="es",
        )
    ]
