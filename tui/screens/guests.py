"""Who is at the table, how others come here, and what its deals follow from; to talk, to mute or remove somebody."""

from collections.abc import Callable

from textual import events

from core.layout.state import NOBODY
from net.client.client import Client, ClientEvent
from net.limits import CHAT_LENGTH
from net.wire.messages import Update
from tui.board.canvas import Picture
from tui.draw.lists import Row, draw_list, draw_page
from tui.draw.look import Look
from tui.i18n import _
from tui.model.keys import MOVES, Key
from tui.screens.base import SCROLLING, DrawnScreen, Line, Page, PageScreen
from tui.text.at_table import people, talk_lines
from tui.text.notices import way_back, ways_in

WIDTHS = (18, 56)


class GuestsScreen(DrawnScreen[None]):
    """Lists seats and spectators; Enter, pressed twice, removes somebody."""

    KEYS = (
        *MOVES,
        Key("remove", "enter"),
        Key("mute", "m"),
        Key("talk", "t"),
        Key("close", "escape,q,w", leaves=True),
    )

    def __init__(self, look: Look, client: Client) -> None:
        super().__init__(look)
        self._client = client
        self._chosen = 0
        self._asked = ""
        self.until_closed(client.subscribe(self.handle))

    def handle(self, message: ClientEvent) -> None:
        """Follow who comes and goes."""
        if isinstance(message, Update):
            self._chosen = min(self._chosen, len(self._people) - 1)
            self.redraw()

    @property
    def _people(self) -> list[tuple[str, str]]:
        """Names, and what each is doing here."""
        return people(self._client)

    @property
    def _removable(self) -> str:
        """The name of the guest who could be removed now; empty for none."""
        update, people = self._client.update, self._people
        if update is None or self._client.name != update.table.name or not people:
            return ""
        name = people[self._chosen][0]
        bots = [seat.name for seat in update.table.seats if seat.bot]
        return "" if name in (*bots, self._client.name) else name

    @property
    def _mutable(self) -> str:
        """The name of the guest who could be muted now; empty for none."""
        update, people = self._client.update, self._people
        if update is None or not people:
            return ""
        name = people[self._chosen][0]
        return "" if name in (self._client.name, *(seat.name for seat in update.table.seats if seat.bot)) else name

    def paint(self, width: int, height: int) -> Picture:
        update, fair = self._client.update, self._client.fair
        rows = [Row(person) for person in self._people]
        if update and update.table.hints:
            rows += [Row(("",), quiet=True), Row((_("hints"), _("on your turn, h gives you one")), quiet=True)]
        if update and update.table.take_back:
            told = _("u takes back your last choice, if all others agree")
            rows += [Row(("",), quiet=True), Row((_("taking back"), told), quiet=True)]
        if update and update.code:
            rows += [Row(("",), quiet=True), Row((_("code"), update.code), quiet=True)]
        for number, way in enumerate(ways_in(self._client)):
            rows += [Row(("",), quiet=True)] * (not number)
            rows.append(Row(("" if number else _("to come here"), way), quiet=True))
        if back := way_back(self._client):
            rows += [Row(("",), quiet=True), Row((_("to come back"), back), quiet=True)]
        if fair:
            half = len(fair.commitment) // 2
            rows += [
                Row(("",), quiet=True),
                Row((_("commitment"), fair.commitment[:half]), quiet=True),
                Row(("", fair.commitment[half:]), quiet=True),
            ]
        body = draw_list(rows, self._chosen, WIDTHS, width, height - 3, self.look)
        sentence = _("Press Enter again to remove {name} for good.", name=self._asked) if self._asked else ""
        hints = [(self.look.enter, _("remove"))] if self._removable else []
        if self._mutable:
            hints.append(("m", _("hear again") if self._mutable in self._client.muted else _("mute")))
        hints.append(("t", _("all that was said")))
        hints.append(("q", _("back")))
        seat = update.seat if update else NOBODY
        status = _("you are watching") if seat == NOBODY else _("you have seat {number}", number=seat + 1)
        return draw_page(
            _("at the table"), body, sentence, hints, status, width, self.look, warning=bool(self._asked)
        )

    def action_move(self, step: int) -> None:
        self._asked = ""
        self._chosen = (self._chosen + step) % max(1, len(self._people))
        self.redraw()

    def action_remove(self) -> None:
        """Ask first; then remove the chosen guest."""
        name = self._removable
        if name and name == self._asked:
            self._client.remove(name)
            self._asked = ""
        else:
            self._asked = name
        self.redraw()

    def action_mute(self) -> None:
        if name := self._mutable:
            self._client.mute(name, name not in self._client.muted)
            self.redraw()

    def action_talk(self) -> None:
        self.app.push_screen(TalkScreen(self.look, self._client))

    def action_close(self) -> None:
        self.dismiss()


class TalkScreen(PageScreen):
    """All that was said at the table, the newest last."""

    KEYS = (*SCROLLING, Key("close", "escape,q,enter,t", leaves=True))

    def __init__(self, look: Look, client: Client) -> None:
        super().__init__(look)
        self._client = client
        self._top = 10_000  # at its end
        self.until_closed(client.subscribe(lambda _message: self.redraw()))

    def page(self, _width: int) -> Page:
        return Page(_("talk"), "\n".join(talk_lines(self._client)), _("at the table"))


PHRASES: tuple[Callable[[], str], ...] = (
    lambda: _("Hello!"),
    lambda: _("Well played!"),
    lambda: _("One moment!"),
    lambda: _("Good game!"),
    lambda: _("I must go!"),
)
"""By the keys 1 to 5, as long as nothing else was typed."""


class TalkLine(Line):
    """Is submitted with a phrase, too."""

    def __init__(self, told: str) -> None:
        """`told` is what is said above it: who hears what is typed."""
        phrases = "  ".join(f"{number} {phrase()}" for number, phrase in enumerate(PHRASES, 1))
        super().__init__(told=told, placeholder=phrases, max_length=CHAT_LENGTH)

    def on_key(self, event: events.Key) -> None:
        character = event.character or ""
        if not self.value and character.isascii() and character.isdigit() and 0 < int(character) <= len(PHRASES):
            event.stop()
            event.prevent_default()
            self.post_message(self.Submitted(self, PHRASES[int(character) - 1]()))
