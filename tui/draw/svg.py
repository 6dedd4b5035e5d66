"""Writes a picture as SVG. Tiles, pips and lines become shapes, so that they look the same in every font."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from html import escape

from tui.board.canvas import Picture, Style, cells

CELL_W, CELL_H = 10, 20
"""Size of a cell in units of the image; a monospaced letter of `FONT_SIZE` is about as wide."""
FONT_SIZE = 16.6
BASELINE = 15
"""Distance from the top of a cell to the baseline."""
FONTS = "ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace"
RECTANGLES = {
    "█": "0 0 10 20",
    "▀": "0 0 10 10",
    "▄": "0 10 10 10",
    "▌": "0 0 5 20",
    "▐": "5 0 5 20",
    "▘": "0 0 5 10",
    "▝": "5 0 5 10",
    "▖": "0 10 5 10",
    "▗": "5 10 5 10",
    "─": "0 9 10 2",
    "│": "4 0 2 20",
}
"""Rectangles, as left, top, width and height in units of a cell."""
PATHS = {
    "▶": "m1 4 8 6 -8 6z",
    "◀": "m9 4 -8 6 8 6z",
    "▲": "m1 15 4 -9 4 9z",
    "▼": "m1 6 4 9 4 -9z",
    "└": "m4 0h2v9h4v2h-6z",
    "├": "m4 0h2v9h4v2h-4v9h-2z",
}
"""Other shapes, as paths from the corner of a cell."""
BRAILLE = 0x2800
_DOTS = ((2.5, 2.5), (2.5, 7.5), (2.5, 12.5), (7.5, 2.5), (7.5, 7.5), (7.5, 12.5), (2.5, 17.5), (7.5, 17.5))
"""Positions of the dots of a Braille cell, in the order of their bits."""


def svg_of(picture: Picture, title: str) -> str:
    """Return a picture as the text of an SVG file; `title` is for screen readers."""
    height = len(picture.rows)
    width = sum(len(cells(text)) for text, _ in picture.rows[0])
    cells_by_background: Counter[str] = Counter()
    for row in picture.rows:
        for text, style in row:
            cells_by_background[style.bg] += len(cells(text))
    background = cells_by_background.most_common(1)[0][0]
    background_paths: defaultdict[str, list[str]] = defaultdict(list)
    flat_shapes: defaultdict[str, list[str]] = defaultdict(list)
    shapes: defaultdict[str, list[str]] = defaultdict(list)
    texts: defaultdict[tuple[str, bool], list[str]] = defaultdict(list)
    for y, row in enumerate(picture.rows):
        x = 0
        for text, style in row:
            line = cells(text)
            if style.bg != background:
                background_paths[style.bg].append(
                    f"M{x * CELL_W} {y * CELL_H}h{len(line) * CELL_W}v{CELL_H}h{-len(line) * CELL_W}z"
                )
            if style.underlined:
                flat_shapes[style.fg].append(
                    f"M{x * CELL_W} {y * CELL_H + CELL_H - 1}h{len(line) * CELL_W}v1h{-len(line) * CELL_W}z"
                )
            _add_glyphs(line, x, y, style, flat_shapes, shapes, texts)
            x += len(line)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width * CELL_W} {height * CELL_H}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<path fill="{background}" d="M0 0h{width * CELL_W}v{height * CELL_H}H0z"/>',
        '<g shape-rendering="crispEdges">',
        *(
            f'<path fill="{colour}" d="{"".join(paths)}"/>'
            for colour, paths in (*background_paths.items(), *flat_shapes.items())
        ),
        "</g>",
        *(f'<path fill="{colour}" d="{"".join(paths)}"/>' for colour, paths in shapes.items()),
        f'<g font-family="{FONTS}" font-size="{FONT_SIZE}">',
    ]
    for (colour, bold), elements in texts.items():
        weight = ' font-weight="bold"' if bold else ""
        parts += [f'<g fill="{colour}"{weight}>', *elements, "</g>"]
    return "\n".join([*parts, "</g>", "</svg>", ""])


def _add_glyphs(
    line: tuple[str, ...],
    x: int,
    y: int,
    style: Style,
    flat_shapes: defaultdict[str, list[str]],
    shapes: defaultdict[str, list[str]],
    texts: defaultdict[tuple[str, bool], list[str]],
) -> None:
    """Add the glyphs of neighbouring cells of one style."""
    for start, word in _split_words(line):
        left, top = (x + start) * CELL_W, y * CELL_H
        if word in RECTANGLES:
            dx, dy, w, h = map(int, RECTANGLES[word].split())
            flat_shapes[style.fg].append(f"M{left + dx} {top + dy}h{w}v{h}h{-w}z")
        elif word in PATHS:
            shapes[style.fg].append(f"M{left} {top}{PATHS[word]}")
        elif word == "●":
            shapes[style.fg].append(_dot(left + CELL_W / 2, top + CELL_H / 2, 4))
        elif BRAILLE <= ord(word[0]) < BRAILLE + 256:
            bits = ord(word[0]) - BRAILLE
            shapes[style.fg] += [_dot(left + dx, top + dy, 2) for n, (dx, dy) in enumerate(_DOTS) if bits >> n & 1]
        else:
            text_width = sum(len(cells(character)) for character in word) * CELL_W
            texts[style.fg, style.bold].append(
                f'<text x="{left}" y="{top + BASELINE}" textLength="{text_width}">{escape(word)}</text>'
            )


def _split_words(line: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Yield words of letters as a whole and all other cells one by one, each with its column; skip blanks."""
    word = ""
    for number, cell in enumerate((*line, " ")):
        if len(cell) == 1 and (cell.isalnum() or cell.isascii()) and cell != " " and line[number + 1 :][:1] != ("",):
            word += cell
            continue
        if word:
            yield number - len(word), word
            word = ""
        if cell.strip():
            yield number, cell


def _dot(x: float, y: float, r: int) -> str:
    return f"M{x - r:g} {y:g}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0z"
