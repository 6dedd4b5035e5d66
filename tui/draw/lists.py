"""Draws screens that are a list of rows to choose from, and pages of text. No Textual here."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from themes import Theme
from tui.board.canvas import Canvas, Hit, Picture, Style, columns, plain, stack
from tui.draw.look import Look
from tui.draw.panels import PARTS, Hints, draw_bar, fit, narrow, put_keys, widths_of


class Row(NamedTuple):
    """One row of a list: its cells from left to right."""

    cells: tuple[str, ...]
    quiet: bool = False
    """Can be read, but not chosen."""


ALWAYS = ("?", "q", "Esc")
"""Keys that stand in the last line of every screen; all others are named before it, as far as there is room."""


def always(hints: Hints) -> tuple[tuple[str, str], ...]:
    """The keys that are named in the last line."""
    return tuple(hint for hint in hints if hint[0] in ALWAYS)


def room_below(words: str, hints: Hints, width: int) -> bool:
    """Whether a row has room for words and the keys that are always named."""
    return columns(words) + 3 + widths_of(always(hints)) <= width


def foot(sentence: Picture, status: Picture) -> Picture:
    """Return the last two rows: a sentence and the status, or a sentence that needs both."""
    return sentence if len(sentence.rows) > 1 else stack(sentence, status)


def draw_page(
    title: str,
    body: Picture,
    sentence: str,
    hints: Hints,
    status: str,
    width: int,
    look: Look,
    *,
    warning: bool = False,
) -> Picture:
    """A whole screen around a body: title bar, body, a sentence with hints, status bar; three rows more."""
    ascii, theme = look.ascii, look.theme
    keys = always(hints) if room_below(status, hints, width) or not room_below(sentence, hints, width) else ()
    return stack(
        draw_bar((("BONEYARD", True), (title, False)), "", width, theme, ascii=ascii),
        body,
        foot(
            draw_sentence(sentence, tuple(hints), width, theme, warning=warning, ascii=ascii, all_here=not keys),
            draw_bar(((status, False),), "", width, theme, ascii=ascii, keys=keys),
        ),
    )


BESIDE = 16
"""Columns that words beside a drawing need."""
IN_FULL = 2
"""Rows under a list for what is cut in the chosen one."""


def draw_list(
    rows: Sequence[Row],
    chosen: int,
    widths: Sequence[int],
    width: int,
    height: int,
    look: Look,
    *,
    empty: str = "",
) -> Picture:
    """Rows of cells of the given widths, the chosen one in the accent colour with a pointer; it is always in view.

    Where cells are cut, the chosen row stands under the list in full.
    """
    theme = look.theme
    canvas = Canvas(width, height, Style(theme.text, theme.felt))
    widths = _fitted(rows, [0] * len(widths) if narrow(width) else widths, width - 1 - 2 * len(widths))
    left = max(2, (width - sum(widths) - 2 * len(widths)) // 2)
    cut = [any(columns(cell) > room for cell, room in zip(row.cells, widths, strict=False)) for row in rows]
    if any(cut):
        height -= IN_FULL
        words = " · ".join(cell.strip("◀▶<> ") for cell in rows[chosen].cells if cell) if cut[chosen] else ""
        for y, line in enumerate(wrap(words, width - left - 1)[:IN_FULL], height):
            canvas.put(left, y, plain(line, look.ascii), Style(theme.quiet, theme.felt))
    first = max(0, min(chosen - height // 2, len(rows) - height + 2))
    hits = []
    if not rows:
        text = plain(fit(empty, width - 4), look.ascii)
        canvas.put(max(2, (width - columns(text)) // 2), height // 2, text, Style(theme.quiet, theme.felt))
    for y, (number, row) in enumerate(list(enumerate(rows))[first : first + height - 1], 1):
        here = number == chosen
        colour = theme.accent if here else theme.quiet if row.quiet else theme.text
        style = Style(colour, theme.felt, here)
        if here:
            canvas.put(left - 2, y, ">" if look.ascii else "▶", style)
        x = left
        for cell, room in zip(row.cells, widths, strict=False):
            canvas.put(x, y, plain(fit(cell, room), look.ascii), style)
            x += room + 2
        hits.append(Hit(0, y, width, 1, number, -1))
    return Picture(canvas.rows(), hits=tuple(hits))


def _fitted(rows: Sequence[Row], widths: Sequence[int], room: int) -> list[int]:
    """The usual widths, or what the cells need if that is more; what has too much gives way, then the widest."""
    needed = [
        max((columns(row.cells[column]) for row in rows if column < len(row.cells)), default=0)
        for column in range(len(widths))
    ]
    fitted = [max(width, need) for width, need in zip(widths, needed, strict=True)]
    while sum(fitted) > room:
        spare = [wide - need for wide, need in zip(fitted, needed, strict=True)]
        by = spare if max(spare) > 0 else fitted
        fitted[by.index(max(by))] -= 1
    return fitted


@lru_cache(maxsize=PARTS)
def draw_sentence(
    sentence: str,
    hints: tuple[tuple[str, str], ...],
    width: int,
    theme: Theme,
    *,
    warning: bool = False,
    ascii: bool,
    all_here: bool = False,
) -> Picture:
    """What Enter will do, or why it will not, and on the right the keys that matter now, as far as there is room.

    A sentence that has no room in a row has two; the second has the keys that are `ALWAYS` named. So has one row with
    `all_here`: there is no room for them below.
    """
    lines = [sentence]
    last = width - 3
    if columns(sentence) > width - 3:
        # The last line of the screen is taken as well, and with it the place of the keys that always stand there.
        first, *others = wrap(sentence, width - 3)
        lines, last = [first, " ".join(others)], width - 3 - widths_of(always(hints))
    canvas = Canvas(width, len(lines), Style(theme.text, theme.band))
    style = Style(theme.warning if warning else theme.text, theme.band, warning)
    for row, line in enumerate(lines):
        text = plain(fit(line, last if row else width - 3), ascii)
        canvas.put(2, row, text, style)
    free = width - 4 - columns(text)
    here = always(hints) if all_here or len(lines) > 1 else ()
    now: list[tuple[str, str]] = []
    for hint in hints:
        if hint[0] not in ALWAYS and widths_of([*now, hint, *here]) <= free:
            now.append(hint)
    shown = [*now, *here]
    put_keys(canvas, len(lines) - 1, shown, theme, theme.band, ascii=ascii)
    return Picture(canvas.rows())


def wrap(text: str, width: int) -> list[str]:
    """Break paragraphs into lines of at most `width` columns; lines that begin with blanks are drawings.

    What follows a `- ` hangs under it, also where that is a point of a point. What is longer than a line and has no
    blanks, such as a link or Chinese, is broken anywhere.
    """
    lines: list[str] = []
    for paragraph in text.splitlines():
        point = paragraph.lstrip().startswith("- ")
        if not paragraph or (paragraph.startswith("  ") and not point):
            lines += [paragraph] if columns(paragraph) <= width else _narrowed(paragraph, width)
            continue
        indent = " " * (len(paragraph) - len(paragraph.lstrip()))
        hang = indent + "  " if point else ""
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}" if line else indent + word
            if columns(longer) > width and line.strip() not in ("", "-"):
                lines.append(line)
                longer = hang + word
            while columns(longer) > width and len(longer) > len(hang) + 1:
                end = max(len(hang) + 1, _end_of(longer, width))
                lines.append(longer[:end])
                longer = hang + longer[end:]
            line = longer
        lines.append(line)
    return lines


def _narrowed(drawing: str, width: int) -> list[str]:
    """A row of a drawing that is too wide: what stands last in it goes on under its beginning, or all of it below."""
    at = drawing.rfind("  ", 0, width) + 2
    last = " " * (len(drawing) - len(drawing.lstrip()))
    if width - at >= BESIDE:
        first, *others = wrap(drawing[at:], width - at)
        return [drawing[:at] + first, *(" " * at + line for line in others)]
    below = [last + line for line in wrap(drawing[at:].strip(), max(1, width - len(last)))]
    return [drawing[:at].rstrip(), *below] if drawing[:at].strip() else below


def _end_of(text: str, width: int) -> int:
    """How many characters of a text there is room for."""
    end = min(len(text), width)  # none is wider than two columns, but some have none
    while end < len(text) and columns(text[: end + 1]) <= width:
        end += 1
    while columns(text[:end]) > width:
        end -= 1
    return end


def measure(width: int) -> int:
    """How many columns of text a page has in a window."""
    return min(76, width - 4)


def draw_text(text: str, top: int, width: int, height: int, look: Look) -> tuple[Picture, int]:
    """A page of text scrolled so that line `top` comes first; also returns how far it can be scrolled.

    Headings (`# …`) are in the accent colour; the text is never wider than 76 columns.
    """
    theme = look.theme
    canvas = Canvas(width, height, Style(theme.text, theme.felt))
    room = measure(width)
    lines = wrap(text, room)
    most = max(0, len(lines) - height + 1)
    left = (width - room) // 2
    for y, line in enumerate(lines[min(top, most) :][: height - 1], 1):
        heading = line.startswith("#")
        style = Style(theme.accent if heading else theme.text, theme.felt, heading)
        canvas.put(left, y, plain(fit(line.lstrip("# ") if heading else line, room), look.ascii), style)
    return Picture(canvas.rows()), most
