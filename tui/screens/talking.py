"""A screen of a table on which one can say something: a line to type it in, at the bottom."""

from textual.widgets import Input

from net.client.client import Client
from net.limits import CHAT_LENGTH
from tui.draw.look import Look
from tui.i18n import _
from tui.screens.base import DrawnScreen
from tui.screens.line import Line


class TalkingScreen(DrawnScreen[None]):
    """Sends what is typed to everybody at the client's table."""

    DEFAULT_CSS = "TalkingScreen > Line { dock: bottom; }"

    def __init__(self, client: Client, look: Look) -> None:
        super().__init__(look)
        self._client = client

    def action_talk(self) -> None:
        """Open a line to say something."""
        if not self.query(Line):
            line = Line(placeholder=_("say something; Enter sends it, Escape cancels"), max_length=CHAT_LENGTH)
            line.set_look(self.look)
            self.mount(line)
            line.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Say it."""
        event.stop()
        if event.value.strip():
            self._client.say(event.value)
        self._close_input()

    def _close_input(self) -> None:
        self.query(Line).remove()
        self.set_focus(None)
