"""A question with a text field in the middle of the window, and a screen that waits."""

from typing import Generic, TypeVar

from tui.board.canvas import Canvas, Picture, Style, fit, plain
from tui.draw.panels import draw_page, wrap
from tui.draw.typed_text import put_text_input
from tui.i18n import pgettext
from tui.model.keys import Key
from tui.model.look import Look
from tui.model.text_input import TextInput
from tui.screens.base import DrawnScreen

R = TypeVar("R")


class FieldScreen(DrawnScreen[R], Generic[R]):
    """Asks for one line of text. Subclasses define what Enter and Escape do."""

    def __init__(self, look: Look, title: str, question: str, field: TextInput, length: int) -> None:
        """`length` is the width of the field, in columns."""
        super().__init__(look)
        self._title, self._question = title, question
        self._text_input, self._length = field, length
        self._warning = ""

    @property
    def text_input(self) -> TextInput:
        return self._text_input

    def draw(self, width: int, height: int) -> Picture:
        theme, ascii = self.look.theme, self.look.ascii
        canvas = Canvas(width, height - 3, Style(theme.text, theme.felt))
        question = plain(fit(self._question, width - 4), ascii)
        top, left = (height - 3) // 2, (width - self._length) // 2
        canvas.put_centred(top - 2, question, Style(theme.accent, theme.felt, True))
        put_text_input(canvas, left, top, self._length, self._text_input, self.look, theme.bar)
        # The whole warning must fit under the field: it may say how to reconnect.
        warning = Style(theme.warning, theme.felt, True)
        lines = wrap(self._warning, min(72, width - 4))
        for row, line in enumerate(lines, max(top + 1, min(top + 3, height - 3 - len(lines)))):
            canvas.put_centred(row, plain(line, ascii), warning)
        hints = [(self.look.enter, pgettext("a server", "join")), ("Esc", pgettext("the server", "leave"))]
        return draw_page(self._title, Picture(canvas.rows()), "", hints, "", width, self.look)

    def action_enter(self) -> None:
        raise NotImplementedError

    def action_leave(self) -> None:
        raise NotImplementedError

    KEYS = (Key(action_enter, "enter"), Key(action_leave, "escape", leaves_screen=True))


class AskScreen(FieldScreen[str | None]):
    """Dismissed with the text, or None to go back."""

    def action_enter(self) -> None:
        self.dismiss(self._text_input.text.strip())

    def action_leave(self) -> None:
        self.dismiss(None)


class WaitScreen(DrawnScreen[None]):
    """Says what the program waits for; dismissed to cancel."""

    def __init__(self, look: Look, title: str, sentence: str) -> None:
        super().__init__(look)
        self._title, self._sentence = title, sentence

    def draw(self, width: int, height: int) -> Picture:
        theme, ascii = self.look.theme, self.look.ascii
        canvas = Canvas(width, height - 3, Style(theme.text, theme.felt))
        sentence = plain(fit(self._sentence, width - 4), ascii)
        canvas.put_centred((height - 3) // 2, sentence, Style(theme.accent, theme.felt, True))
        return draw_page(
            self._title, Picture(canvas.rows()), "", [("Esc", pgettext("the server", "leave"))], "", width, self.look
        )

    def action_leave(self) -> None:
        self.dismiss()

    KEYS = (Key(action_leave, "escape,q", leaves_screen=True),)
