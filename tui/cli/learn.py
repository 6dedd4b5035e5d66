"""The command `boneyard learn`."""

import click

from tui.cli.alone import at_the_table
from tui.cli.arguments import default_data, look_of, looks, need_terminal, plainly, the_game
from tui.cli.completion import games_from
from tui.failures import BadUse, Failed
from tui.text.names import game_name
from tui.version import SOFTWARE


@click.command(epilog="Examples:  boneyard learn  ·  boneyard learn mexican-train")
@click.argument("name", metavar="[GAME]", default="draw", shell_complete=games_from)
@plainly
@looks
def learn(name: str, plain: bool, theme: str | None, ascii: bool) -> None:
    """Learn a game in two minutes: a round against bots, explained as it goes."""
    look = look_of(theme, ascii)
    game = the_game(name)
    from tui.lessons import LESSONS  # noqa: PLC0415
    from tui.run.alone import learn as take  # noqa: PLC0415
    from tui.run.shown import in_lines, on_screens  # noqa: PLC0415

    lesson = next((lesson for lesson in LESSONS if lesson.game == game.id), None)
    if lesson is None:
        known = ", ".join(lesson.game for lesson in LESSONS)
        raise BadUse(
            "There is no lesson for {name}; there are lessons for {known}.", name=game_name(game.id), known=known
        )
    if not plain:
        need_terminal(f"`boneyard learn {game.id} --plain`")
    learnt = take(
        lesson, lambda tutor: in_lines(ascii=ascii, tutor=tutor) if plain else on_screens(look, tutor=tutor), SOFTWARE
    )
    if learnt.last_word:
        raise Failed(learnt.last_word)
    if learnt.table:
        at_the_table(learnt.table, in_lines(ascii=ascii) if plain else on_screens(look), default_data())
