"""Draws text that is typed: a field, and a line at the bottom of a window."""

from tui.board.canvas import Canvas, ClickTarget, Picture, Style, columns, fit, plain
from tui.model.keys import ENTER
from tui.model.look import Look
from tui.model.text_input import LineInput, TextInput


def put_text_input(
    canvas: Canvas,
    x: int,
    y: int,
    width: int,
    text_input: TextInput,
    look: Look,
    background: str,
    *,
    empty: str = "",
    shows_cursor: bool = True,
) -> None:
    """Write the typed text into a field of `width` columns; with `shows_cursor`, including the cursor.

    `empty` is written while there is no text. Only the part of a long text around the cursor is shown.
    """
    theme, max_width = look.theme, max(2, width - 2)
    before, after = plain(text_input.before, look.ascii), plain(text_input.after, look.ascii)
    while columns(before) >= max_width:
        before = before[1:]
    while columns(before + after) > max_width:
        after = after[:-1]
    canvas.put(x, y, " " * width, Style(theme.accent, background))
    if empty and not text_input.text:
        canvas.put(x + 2, y, plain(fit(empty, max_width - 1), look.ascii), Style(theme.quiet, background))
    style = Style(background, theme.accent) if text_input.marked else Style(theme.accent, background)
    canvas.put(x + 1, y, before + after, style)
    if shows_cursor and after:
        canvas.put(x + 1 + columns(before), y, after[0], Style(background, theme.accent))
    elif shows_cursor:
        canvas.put(x + 1 + columns(before), y, "_" if look.ascii else "▏", Style(theme.accent, background, True))


def draw_typed_line(line: LineInput, width: int, look: Look) -> Picture:
    """Draw an input line for the bottom of a window, below its prompt."""
    theme = look.theme
    canvas = Canvas(width, 1 + bool(line.prompt), Style(theme.quiet, theme.bar))
    targets, bottom = [], canvas.height - 1
    if line.prompt:
        prompt_text = line.prompt.partition(" · ")[0] if look.touched else line.prompt
        prompt = plain(fit(prompt_text, width - 2), look.ascii)
        canvas.put(1, 0, prompt, canvas.background)
        targets = [
            ClickTarget.of_key(1 + prompt.index(key), 0, len(key), key) for key in (ENTER, "Esc") if key in prompt
        ]
    empty = "" if look.touched and line.choices else line.empty
    put_text_input(canvas, 0, bottom, width, line, look, theme.bar, empty=empty)
    x = 2
    for key, phrase in line.choices if empty and not line.text else ():
        targets.append(ClickTarget.of_key(x, bottom, len(key) + 1 + columns(phrase), key))
        x += len(key) + columns(phrase) + 3
    return Picture(canvas.rows(), tuple(targets))
