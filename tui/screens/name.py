"""Before entering: under which name."""

from textual.app import ComposeResult
from textual.widgets import Input

from net.client.client import Client, ClientEvent
from net.limits import NAME_LENGTH
from net.wire.messages import Entered, Refused
from tui.board.canvas import Canvas, Picture, Style, columns, plain
from tui.draw.lists import draw_page, wrap
from tui.draw.look import Look
from tui.draw.panels import fit
from tui.i18n import _, spoken
from tui.model.keys import Key
from tui.screens.base import DrawnScreen, Line


class NameScreen(DrawnScreen[None]):
    """Asks for a name until the host takes one; it closes by itself once the guest is in."""

    DEFAULT_CSS = "NameScreen > Line { width: 20; }"
    KEYS = (Key("leave", "escape", leaves=True),)

    def __init__(self, client: Client, look: Look, suggestion: str, warning: str = "") -> None:
        super().__init__(look)
        self._client = client
        self._line = Line(suggestion, max_length=NAME_LENGTH)
        self._warning = warning

    def compose(self) -> ComposeResult:
        yield self._line

    def on_mount(self) -> None:
        self.until_closed(self._client.subscribe(self.handle))
        self.call_later(self._line.focus)

    def handle(self, message: ClientEvent) -> None:
        """Show why a name is refused."""
        match message:
            case Refused(reason=reason):
                self._warning = spoken(reason)
                self._line.action_select_all()  # what is typed next takes its place, and Enter asks for it again
                self.redraw()
            case Entered():
                self._warning = ""

    def paint(self, width: int, height: int) -> Picture:
        """Ask, in the middle of the felt."""
        theme = self.look.theme
        canvas = Canvas(width, height - 3, Style(theme.text, theme.felt))
        question = plain(fit(_("What name will you play under?"), width - 4), self.look.ascii)
        top = (height - 3) // 2
        canvas.put((width - len(question)) // 2, top - 2, question, Style(theme.accent, theme.felt, True))
        self._line.set_look(self.look)
        self._line.styles.offset = ((width - 20) // 2, top + 1)
        # Under the line there is room for all of it, and it may say how to come back.
        warning = Style(theme.warning, theme.felt, True)
        lines = wrap(self._warning, min(72, width - 4))
        for row, line in enumerate(lines, max(top + 2, min(top + 4, height - 3 - len(lines)))):
            shown = plain(line, self.look.ascii)
            canvas.put((width - columns(shown)) // 2, row, shown, warning)
        body = Picture(canvas.rows())
        hints = [(self.look.enter, _("join")), ("Esc", _("leave"))]
        return draw_page(_("welcome"), body, "", hints, "", width, self.look)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._client.enter(event.value)

    def action_leave(self) -> None:
        if self._client.lost:
            self.app.exit(_("The connection to the host was lost."))
        else:
            self._client.goodbye()
