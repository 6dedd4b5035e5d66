"""The question before a match is left: the table with a question in place of its sentence."""

from textual import events

from net.client.client import Client, ClientEvent
from tui.board.canvas import ClickTarget, Picture, over_the_bottom
from tui.draw.panels import draw_foot_rows, draw_sentence
from tui.draw.window_layout import MIN_WINDOW, draw_too_small
from tui.i18n import _
from tui.model.keys import Key, map_key
from tui.screens.base import DrawnScreen


class LeavingScreen(DrawnScreen[bool]):
    """Asks whether to leave: q, or a click on the question, dismisses the screen with True, any other key with False.

    The key does nothing else.
    """

    def __init__(
        self, table: DrawnScreen[None], client: Client, question: str, *, escape_leaves: bool = True
    ) -> None:
        """`escape_leaves`: Escape and Ctrl-C also answer with True."""
        super().__init__(table.look)
        self._table = table
        self._question = question
        self._leaving_keys = ("escape", "ctrl+c") if escape_leaves else ()
        # The table subscribed first, so it has handled every message before it is drawn here.
        self.on_close(client.subscribe(self.handle))

    def handle(self, _message: ClientEvent) -> None:
        """Redraw the table: bots play on."""
        self.redraw()

    @property
    def is_too_small(self) -> bool:
        """False: the question fits into every window."""
        return False

    def draw(self, width: int, height: int) -> Picture:
        question, instruction = self._question, _("Press q again to leave, any other key to stay.")
        if width < MIN_WINDOW[0] or height < MIN_WINDOW[1]:
            return draw_too_small(width, height, self.look, (question, instruction))
        theme, ascii = self.look.theme, self.look.ascii
        table_picture = self._table.draw(width, height)
        sentence = draw_sentence(f"{question} {instruction}", (), width, theme, warning=True, ascii=ascii)
        targets = tuple(ClickTarget.of_key(0, row, width, "q") for row in range(sentence.height))
        question_rows = Picture(sentence.rows, targets)
        return over_the_bottom(table_picture, draw_foot_rows(question_rows, Picture(table_picture.rows[-1:])))

    def receive_key(self, key: events.Key) -> None:
        character = map_key(key.key, key.character)[1]
        self.dismiss(character == "q" or key.key in self._leaving_keys)

    def receive_mouse(self, event: events.MouseEvent) -> None:
        """Leave at a click on the question; stay at a click on the table."""
        self.dismiss(self.picture.hit(event.x, event.y) is not None)

    def action_leave(self) -> None:
        self.dismiss(True)

    KEYS = (Key(action_leave, "escape,q", leaves_screen=True),)
