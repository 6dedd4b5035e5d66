"""The command `boneyard learn`."""

import click

from tui.cli.arguments import BadUse, Failed, look_of, looks, need_terminal, the_game
from tui.cli.completion import games_from
from tui.i18n import _
from tui.text.names import game_name
from tui.version import SOFTWARE


@click.command(epilog="Examples:  boneyard learn  ·  boneyard learn mexican-train")
@click.argument("name", metavar="[GAME]", default="draw", shell_complete=games_from)
@looks
def learn(name: str, theme: str | None, ascii: bool) -> None:
    """Learn a game in two minutes: a round against bots, explained as it goes."""
    look = look_of(theme, ascii)
    game = the_game(name)
    from tui.lessons import LESSONS, Tutor  # noqa: PLC0415
    from tui.run.learning import learn as take  # noqa: PLC0415
    from tui.run.shown import on_screens  # noqa: PLC0415

    lesson = next((lesson for lesson in LESSONS if lesson.game == game.id), None)
    if lesson is None:
        known = ", ".join(lesson.game for lesson in LESSONS)
        raise BadUse(
            _("There is no lesson for {name}; there are lessons for {known}.", name=game_name(game.id), known=known)
        )
    need_terminal(f"`boneyard rules {game.id}`")
    if last_word := take(lesson, on_screens(look, tutor=Tutor(lesson)), SOFTWARE):
        raise Failed(last_word)
