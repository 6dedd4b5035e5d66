"""The guests at a table, its commitment and how to join it; here guests can be muted or removed."""

from core.layout.state import NOBODY
from net.client.client import Client, ClientEvent
from net.wire.messages import Update
from tui.board.canvas import Picture, Style, columns
from tui.draw.invitation import draw_invitation, fitting_qr_code
from tui.draw.panels import Row, draw_list, draw_page, wrap
from tui.i18n import _, pgettext
from tui.model.keys import MOVES, Key
from tui.model.look import Look
from tui.screens.base import DrawnScreen, ListScreen, Page, PageScreen
from tui.text.at_table import people, talk_lines
from tui.text.names import ssh_url
from tui.text.notices import join_instructions, join_url, may_remove, return_command

COLUMN_WIDTHS = (18, 56)


class GuestsScreen(ListScreen[None]):
    """Lists seats and spectators; pressing Enter twice removes a guest."""

    def __init__(self, look: Look, client: Client) -> None:
        super().__init__(look)
        self._client = client
        self._chosen = 0
        self._name_to_remove = ""
        self.on_close(client.subscribe(self.handle))

    def handle(self, message: ClientEvent) -> None:
        """Redraw after each update, since guests come and go."""
        if isinstance(message, Update):
            self._chosen = min(self._chosen, len(self._people) - 1)
            self.redraw()

    @property
    def _people(self) -> list[tuple[str, str]]:
        """Names of the guests, each with an activity."""
        return people(self._client)

    @property
    def _mutable_name(self) -> str:
        """Name under the cursor if it can be muted; empty for the player's own name and for bots."""
        update, people = self._client.update, self._people
        if update is None or not people:
            return ""
        name, _doing = people[self._chosen]
        return "" if name in (self._client.name, *(seat.name for seat in update.table.seats if seat.bot)) else name

    @property
    def _removable_name(self) -> str:
        """Name under the cursor if it can be muted and this player may remove that guest; otherwise empty."""
        update = self._client.update
        return self._mutable_name if update and may_remove(update, self._client.name) else ""

    def draw(self, width: int, height: int) -> Picture:
        update, fair = self._client.update, self._client.fair
        rows = [Row(person) for person in self._people]
        if update and update.table.hints:
            rows += [Row(("",), quiet=True), Row((_("hints"), _("on your turn, h gives you one")), quiet=True)]
        if update and update.table.take_back:
            about = _("u takes back your last choice, if all others agree")
            rows += [Row(("",), quiet=True), Row((_("taking back"), about), quiet=True)]
        if update and update.code:
            rows += [Row(("",), quiet=True), Row((_("code"), update.code), quiet=True)]
        for number, line in enumerate(join_instructions(self._client)):
            rows += [Row(("",), quiet=True)] * (not number)
            rows.append(Row(("" if number else _("to come here"), line), quiet=True))
        if command := return_command(self._client):
            rows += [Row(("",), quiet=True), Row((_("to come back"), command), quiet=True)]
        if fair:
            half = len(fair.commitment) // 2
            about = _(
                "The server and the players each add a random number to the shuffle, so nobody can choose the tiles. "
                "The record of the match proves that the server has not changed its number:"
            )
            lines = wrap(about, COLUMN_WIDTHS[1])
            rows += [
                Row(("",), quiet=True),
                *(Row(("" if number else _("the deal"), line), quiet=True) for number, line in enumerate(lines)),
                Row((_("commitment"), fair.commitment[:half]), quiet=True),
                Row(("", fair.commitment[half:]), quiet=True),
            ]
        body = draw_list(rows, self._chosen, COLUMN_WIDTHS, width, height - 3, self.look)
        sentence = (
            _("Press Enter again to remove {name} for good.", name=self._name_to_remove)
            if self._name_to_remove
            else ""
        )
        hints = [(self.look.enter, _("remove"))] if self._removable_name else []
        if self._mutable_name:
            hints.append(("m", _("hear again") if self._mutable_name in self._client.muted else _("mute")))
        hints.append(("t", _("everything that was said")))
        hints.append(("q", pgettext("a screen", "back")))
        seat = update.seat if update else NOBODY
        status = _("you are watching") if seat == NOBODY else _("you have seat {number}", number=seat + 1)
        return draw_page(
            _("at the table"), body, sentence, hints, status, width, self.look, warning=bool(self._name_to_remove)
        )

    @property
    def count(self) -> int:
        return len(self._people)

    @property
    def row(self) -> int:
        return self._chosen

    def go(self, row: int) -> None:
        self._name_to_remove = ""
        self._chosen = row
        self.redraw()

    def action_remove(self) -> None:
        """Remove the chosen guest when Enter is pressed twice; the first time, ask for confirmation."""
        name = self._removable_name
        if name and name == self._name_to_remove:
            self._client.remove(name)
            self._name_to_remove = ""
        else:
            self._name_to_remove = name
        self.redraw()

    def action_mute(self) -> None:
        if name := self._mutable_name:
            self._client.mute(name, name not in self._client.muted)
            self.redraw()

    def action_talk(self) -> None:
        self.app.push_screen(TalkScreen(self.look, self._client))

    def action_close(self) -> None:
        self.dismiss()

    KEYS = (
        *MOVES,
        Key(action_remove, "enter"),
        Key(action_mute, "m"),
        Key(action_talk, "t"),
        Key(action_close, "escape,q,w", leaves_screen=True),
    )


class TalkScreen(PageScreen):
    """All chat at the table, the newest last."""

    def __init__(self, look: Look, client: Client) -> None:
        super().__init__(look)
        self._client = client
        self._top = 10_000  # the end
        self.on_close(client.subscribe(lambda _message: self.redraw()))

    def page(self, _width: int) -> Page:
        return Page(_("talk"), "\n".join(talk_lines(self._client)), _("at the table"))

    KEYS = (*PageScreen.SCROLLING, Key(PageScreen.action_close, "escape,q,enter,t", leaves_screen=True))


class InviteScreen(DrawnScreen[None]):
    """Shows the lines to copy, and the QR code of the first address."""

    def __init__(self, look: Look, client: Client) -> None:
        super().__init__(look)
        self._join_lines = join_instructions(client)
        self._sentence = ""
        self._link = join_url(client)
        self._url = self._link or (ssh_url(*client.places[0]) if client.places else "")

    def draw(self, width: int, height: int) -> Picture:
        """Draw the lines with the code beside or below them; without room for the code, the lines alone."""
        theme = self.look.theme
        text, accent = Style(theme.text, theme.felt), Style(theme.accent, theme.felt, True)
        longest = max(map(columns, self._join_lines), default=0)
        sentence = (
            _("A friend types one of these:")
            if self._join_lines
            else _("A friend types the command that you typed to get here.")
        )
        if self._link:
            sentence = (
                _("Send a friend this link:")
                if len(self._join_lines) == 1
                else _("A friend opens the link, or types:")
            )
        lines = [(sentence, text), *((f"{line:{longest}}", accent) for line in self._join_lines)]
        code = fitting_qr_code(self._url, len(lines) + 2, width, height - 3, self.look)
        if code:
            sentence = (
                _("A friend can also scan this code with a phone:")
                if self._link
                else _("A friend can also scan this code with an ssh app on a phone:")
            )
            lines += [("", text), (sentence, text)]
        body = draw_invitation(lines, code, width, height - 3, self.look)
        hints = [
            *([("c", _("copy the line"))] if self._join_lines else []),
            ("q", pgettext("a screen", "back")),
        ]
        return draw_page(_("invite friends"), body, self._sentence, hints, "", width, self.look)

    def action_copy(self) -> None:
        """Copy the first line to the clipboard, if the terminal allows it."""
        if self._join_lines:
            self.app.copy_to_clipboard(self._join_lines[0])
            self._sentence = _("Copied, if your terminal allows it.")
            self.redraw()

    def action_close(self) -> None:
        self.dismiss()

    KEYS = (Key(action_copy, "c"), Key(action_close, "escape,q,enter,i", leaves_screen=True))
