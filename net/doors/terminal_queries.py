"""Queries a terminal for colours and pictures, and separates its answers from typed input."""

import re
from collections.abc import Mapping

from net.limits import MAX_CELL

ASK_COLOURS = "\x1bP+q524742;5463\x1b\\\x1b[48:2:1:2:3m\x1bP$qm\x1b\\\x1b[0m"
"""Queries the capabilities RGB and Tc (XTGETTCAP), then a colour that was just set and needs true colour (DECRQSS).
"""
ASK_MANY = "\x1bP+q436f\x1b\\"
"""Queries the number of colours, the capability Co, of a terminal whose name does not tell."""
ASK_PROGRAM = "\x1b[>q"
"""Queries the name and version of the program (XTVERSION)."""
ASK_PICTURES = "\x1b_Gi=1,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\" + ASK_PROGRAM + "\x1b[16t"
"""Queries kitty's graphics protocol with a single pixel; the program, since not all with that protocol can show
pictures in cells of text; and the pixels of a cell.
"""
ASK_WIDTH = "\r\u2500\x1b[6n\r\x1b[K"
"""Queries the column of the cursor after a character of ambiguous width (UAX #11), which East Asian terminals may
draw two cells wide. The line is wiped.
"""
FENCE = "\x1b[c\r\x1b[K"
"""Queries the device (DA1), which every terminal answers, after all else. The line is wiped, in case the terminal has
printed a query.
"""
_UNQUERIED_TERMINALS = ("vt", "linux", "ansi", "dumb", "unknown", "sun", "wyse", "cons", "xterm-old")
"""Old terminals, which are not queried."""
_SCREEN = "screen"
"""Prefix of the names of GNU screen and tmux. The former passes most queries on to the terminal around it."""
FENCE_ANSWER = rb"\x1b\[\?[\d;]{0,60}c"
"""Pattern of the answer to `FENCE`."""
_ANSWER = re.compile(
    rb"\x1bP(?P<has>[01])(?P<kind>[$+])r(?P<about>[^\x1b]{0,80})\x1b\\"
    rb"|\x1b_Gi=1;(?P<kitty>[^\x1b]{0,80})\x1b\\"
    rb"|\x1bP>\|(?P<program>[^\x1b]{0,80})\x1b\\"
    rb"|\x1b\[6;(?P<height>\d{1,5});(?P<width>\d{1,5})t"
    rb"|\x1b\[\d{1,5};(?P<column>\d{1,5})R"
    rb"|(?P<fence>" + FENCE_ANSWER + rb")"
)
_PARTIAL_ANSWER = re.compile(
    rb"\x1b(P([01]([$+](r[^\x1b]{0,80}\x1b?)?)?|>(\|[^\x1b]{0,80}\x1b?)?)?"
    rb"|_(G(i(=(1(;[^\x1b]{0,80}\x1b?)?)?)?)?)?"
    rb"|\[(\?[\d;]{0,60}|\d{1,5}(;\d{0,5}(;\d{0,5})?)?)?)?$"
)
_COLOUR_SET = re.compile(rb"48[:;]2[:;](\d*:)?1[:;]2[:;]3(?!\d)")
"""The colour of the query; some terminals put the number of a colour space before it."""
_CAPABILITIES = (b"524742", b"5463")
"""RGB and Tc, as encoded in query and answer."""
_COLOUR_COUNT = re.compile(rb"436f=((?:3\d)+)", re.IGNORECASE)
"""Co and its digits, each as the code of its character."""
_MANY_COLOURS = 256
_PROGRAM = re.compile(rb"(\w+)[ (]+(\d+)\.(\d+)")
_TMUX = b"tmux"
"""Shows 256 colours in any terminal, and uses the name of one that does not."""
_FIRST_VERSIONS = {b"kitty": (0, 28), b"ghostty": (1, 0)}
"""Programs that show pictures in cells of text, with the first version that does."""
_MIN_CELL = 4
"""Pixels of the smallest plausible cell, across or down."""
_MAX_BORDER = 8
"""Pixels of a window's border on both sides together, at most; a wider one would be mistaken for larger cells."""
_MAX_WINDOW = 100_000
"""Pixels of the largest plausible window."""
TIMEOUT_VARIABLE = "BONEYARD_ANSWERS_WITHIN"
"""Environment variable with the seconds that a player's terminal has to answer."""
_AFTER_WIDE = 3
"""Column after a character two cells wide."""
DEFAULT_CELL = (10, 20)
"""Pixels of a cell if a terminal does not tell."""


def build_queries(name: str, env: Mapping[str, str], *, pictures: bool, utf8: bool = True) -> str:
    """Return the queries for a terminal of that name and environment; empty if there is none.

    Colours are queried if they are not known, pictures if they are wanted; neither if `NO_COLOR` is set. A terminal
    that shows `utf8` is queried for the width of ambiguous characters.
    """
    if name.startswith(_UNQUERIED_TERMINALS):
        return ""
    width = ASK_WIDTH * utf8
    if env.get("NO_COLOR"):
        return width and width + FENCE
    has_256_colours = "256color" in name
    if name.startswith(_SCREEN):
        queries = ASK_PROGRAM * (not has_256_colours and not env.get("COLORTERM"))
    else:
        queries = (ASK_COLOURS + ASK_MANY * (not has_256_colours)) * (
            not env.get("COLORTERM")
        ) + ASK_PICTURES * pictures
    queries += width
    return queries and queries + FENCE


def answer_timeout(env: Mapping[str, str], default: float) -> float:
    """Return the seconds that a terminal has to answer: `default`, unless the environment sets another value, at most
    10.
    """
    return read_seconds(env, TIMEOUT_VARIABLE, default)


def read_seconds(env: Mapping[str, str], name: str, default: float) -> float:
    """Return the seconds in an environment variable, at most 10; `default` without a valid value."""
    try:
        return min(10.0, max(0.0, float(env.get(name, default))))
    except ValueError:
        return default


class Answers:
    """Extracts a terminal's answers from its input. Answers may come late, and in pieces, among typed keys.

    Attributes: `all_colours` and `many_colours`, whether it has reported them; `wide`, whether it draws characters of
    ambiguous width two cells wide; `complete`, whether no more answers will come.
    """

    def __init__(self, pixels: tuple[int, int] | None = None) -> None:
        """`pixels` are the width and height of a cell where they are known without a query."""
        self.all_colours = self.many_colours = False
        self.complete = self.wide = False
        self._has_graphics = False
        self._has_cell_images = False
        self._has_sixel = False
        self._reported_cell = pixels
        self._cell = fitting_cell(*pixels) if pixels else DEFAULT_CELL
        self._held_input = b""

    @property
    def cell(self) -> tuple[int, int] | None:
        """Width and height of a cell in pixels, if the terminal shows pictures."""
        if not self.complete:
            return None
        return self._cell if self._has_graphics and self._has_cell_images else self.sixel_cell

    @property
    def sixel_cell(self) -> tuple[int, int] | None:
        """Exact width and height of a cell in pixels, if the terminal shows sixel images but no images in cells.

        The size must be exact because a sixel image is not scaled to cells.
        """
        shows_images_in_cells = self._has_graphics and self._has_cell_images
        exact_cell = self._reported_cell if self._reported_cell == self._cell else None
        return exact_cell if self.complete and self._has_sixel and not shows_images_in_cells else None

    @property
    def may_be_typed(self) -> bool:
        """True if the held input can have been typed: Esc, or Alt with a letter or a bracket."""
        return 0 < len(self._held_input) <= 2

    @property
    def colours(self) -> str:
        """Value for COLORTERM; empty if the terminal's name tells all that is known."""
        return "truecolor" if self.all_colours else "256color" if self.many_colours else ""

    def take(self, data: bytes) -> bytes:
        """Return the typed part of the input. A possible beginning of an answer is held until more input comes."""
        typed = _ANSWER.sub(self._take_answer, self._held_input + data)
        partial_answer = None if self.complete else _PARTIAL_ANSWER.search(typed)
        self._held_input = partial_answer.group() if partial_answer else b""
        return typed[: partial_answer.start()] if partial_answer else typed

    def give_up(self) -> bytes:
        """Return the held input: nothing has followed, so it was typed."""
        held_input, self._held_input = self._held_input, b""
        return held_input

    def _take_answer(self, answer: re.Match[bytes]) -> bytes:
        match answer.lastgroup:
            case "fence":
                self.complete = True
                self._has_sixel = b"4" in answer["fence"].strip(b"\x1b[?c").split(b";")
            case "about" if answer["kind"] == b"$":
                self.all_colours |= _COLOUR_SET.search(answer["about"]) is not None
            case "about" if answer["has"] == b"1":
                self.all_colours |= any(name in answer["about"] for name in _CAPABILITIES)
                if colour_count := _COLOUR_COUNT.match(answer["about"]):
                    self.many_colours |= int(bytes.fromhex(colour_count[1].decode())) >= _MANY_COLOURS
            case "kitty":
                self._has_graphics = answer["kitty"] == b"OK"
            case "program" if program := _PROGRAM.match(answer["program"]):
                self.many_colours |= program[1].lower() == _TMUX
                first_version = _FIRST_VERSIONS.get(program[1].lower())
                self._has_cell_images = (
                    first_version is not None and (int(program[2]), int(program[3])) >= first_version
                )
            case "column" if self.complete:  # Shift-F3, and not an answer
                return answer.group()
            case "column":
                self.wide = int(answer["column"]) == _AFTER_WIDE
            case "width" if int(answer["width"]) and int(answer["height"]):
                self._reported_cell = int(answer["width"]), int(answer["height"])
                self._cell = fitting_cell(*self._reported_cell)
        return b""


def cell_in(window: tuple[int, int], pixels: tuple[int, int]) -> tuple[int, int] | None:
    """Return the width and height of a cell, for the columns and rows of a `window` and its `pixels`.

    None if the pixels are not known. They may include a narrow border.
    """
    columns, rows = window
    width, height = pixels
    if min(columns, rows) < 1 or width % columns > _MAX_BORDER or height % rows > _MAX_BORDER:
        return None
    cell = width // columns, height // rows
    return cell if min(cell) >= _MIN_CELL and max(width, height) < _MAX_WINDOW else None


def fitting_cell(width: int, height: int) -> tuple[int, int]:
    """Scale a cell's size in pixels down to the largest that is worth painting."""
    scale = min(1.0, MAX_CELL / max(width, height))
    return max(_MIN_CELL, round(width * scale)), max(_MIN_CELL, round(height * scale))
