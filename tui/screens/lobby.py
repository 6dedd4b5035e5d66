"""The lobby: the open tables and their players, where a guest takes a seat; and the screen that asks for a name."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from textual.timer import Timer

from core.layout.state import NOBODY
from net.client.client import Client, ClientEvent
from net.limits import CHAT_LENGTH, NAME_LENGTH, SEARCH_LENGTH, TABLES_PER_PAGE
from net.wire.messages import BindCode, Browse, Entered, MakeTable, Phase, Refused, Said, TableInfo, Tables
from tui.board.canvas import ClickTarget, Picture, columns, stack
from tui.draw.panels import Row, draw_lines, draw_list, draw_page
from tui.i18n import _, pgettext, several, translate
from tui.model.keys import ALL_ROWS, LOBBY, MOVES, PAGE_ROWS, Button, Key, LobbyKeys
from tui.model.look import Look
from tui.model.new_table import DEFAULT_GAME, against_bots, quick_game
from tui.model.text_input import ChatInput, LineInput, TextInput
from tui.screens.asking import FieldScreen
from tui.screens.base import MAX_BUTTONS, ListScreen
from tui.screens.global_keys import GlobalKeysScreen
from tui.screens.guests import InviteScreen
from tui.screens.help import HelpScreen
from tui.screens.new_table import NewTableScreen
from tui.screens.pick_list import Item, PickScreen
from tui.text.at_table import bots_words, chat_line, missing_players_words, people_line, phrases
from tui.text.names import game_name, host_search_words
from tui.text.notices import (
    join_instructions,
    join_url,
    maintenance_countdown,
    return_command,
    return_instructions,
)


class NameScreen(FieldScreen[None]):
    """Asks for a name until the host accepts one; it closes by itself once the guest is in."""

    def __init__(self, client: Client, look: Look, suggestion: str, warning: str = "") -> None:
        field = TextInput(suggestion, NAME_LENGTH, marked=True)
        super().__init__(look, _("welcome"), _("What name will you play under?"), field, NAME_LENGTH + 4)
        self._client = client
        self._warning = warning

    def on_mount(self) -> None:
        self.on_close(self._client.subscribe(self.handle))

    def handle(self, message: ClientEvent) -> None:
        """Show why a name was refused."""
        match message:
            case Refused(reason=reason):
                self._warning = translate(reason)
                self._text_input = TextInput(
                    self._text_input.text, NAME_LENGTH, marked=True
                )  # so that Enter sends it again
                self.redraw()
            case Entered():
                self._warning = ""

    def action_enter(self) -> None:
        """Ask the host for this name."""
        self._client.enter(self._text_input.text)

    def action_leave(self) -> None:
        if self._client.lost:
            self.app.exit(_("The connection to the server was lost."))
        else:
            self._client.goodbye()


COLUMN_WIDTHS = (18, 14, 30, 10)
MAX_TALK_LINES = 4
"""Lines of chat that are shown."""
CODE_LENGTH = 20
"""Maximum length of a typed code, with blanks and hyphens."""


class LobbyScreen(GlobalKeysScreen[None], ListScreen[None]):
    """Lists the tables of a host and sends its guest to one."""

    KEYS = MOVES + LOBBY

    def __init__(
        self, client: Client, look: Look, on_look_changed: Callable[[Look], object], *, hosting: bool = False
    ) -> None:
        """`hosting`: the host closes when this guest leaves, so ask first."""
        super().__init__(look, on_look_changed)
        self._hosting = hosting
        self._client = client
        self._row = 0
        """Row of the chosen table."""
        self._chosen_table = NOBODY
        """Number of the chosen table: the cursor stays on it when the list changes."""
        self._warning = ""
        self._game = DEFAULT_GAME
        """The game of the table that the guest opened last."""
        self._wants_quick_game = False
        """True while the first page is requested, where tables wait for players."""
        self._countdown: Timer | None = None
        self._row_after_browse: int | None = None
        """Row to choose on the requested page, -1 for the last row; None without a pending request."""

    def on_mount(self) -> None:
        self._keep_cursor_on_table()
        if self._client.maintenance.seconds_left:
            self._count_down()

    def _count_down(self) -> None:
        """Redraw now, and once a second for as long as an announced maintenance is awaited."""
        is_awaiting = bool(self._client.maintenance.seconds_left)
        if is_awaiting and self._countdown is None:
            self._countdown = self.set_interval(1.0, self._count_down)
        elif not is_awaiting and self._countdown:
            self._countdown.stop()
            self._countdown = None
        self.redraw()

    def say(self, warning: str) -> None:
        """Show a sentence."""
        self._warning = warning
        self.redraw()

    def leave_for(self, table: int) -> None:
        """Put the cursor on the table that the guest goes to: it is there when they come back."""
        self._chosen_table = table

    def come_back(self, reason: str) -> None:
        """Show the tables again; `reason` is the reason if the guest had to leave their table, otherwise empty."""
        self._keep_cursor_on_table()
        self.say(reason)

    def handle(self, message: ClientEvent) -> None:
        """Show new tables, chat, a return code or a refusal; continue a quick game once its tables have come."""
        match message:
            case Tables():
                self._keep_cursor_on_table()
                self.redraw()
                if self._wants_quick_game:
                    self.action_quick_game()
            case BindCode(code=code):
                self.say(
                    _(
                        "Within ten minutes, log in the other way, by ssh or browser, press a in the lobby and type "
                        "{code}.",
                        code=code,
                    )
                )
            case Said():
                self._count_down()
            case Refused(reason=reason):
                self._row_after_browse, self._wants_quick_game = None, False
                self.say(translate(reason))

    @property
    def _tables(self) -> tuple[TableInfo, ...]:
        """The tables, the guest's own first."""
        return tuple(sorted(self._client.tables.tables, key=lambda table: not self._is_own(table)))

    def _is_own(self, table: TableInfo) -> bool:
        """Return True if a seat there is reserved for the guest."""
        return table.id in self._client.reserved

    def _keep_cursor_on_table(self) -> None:
        """Move the cursor to the row of the chosen table; if that table is gone, choose the one now in its row."""
        numbers = [table.id for table in self._tables]
        if self._row_after_browse is not None and numbers:
            self._choose(self._row_after_browse % len(numbers))
        self._row_after_browse = None
        if self._chosen_table in numbers:
            self._row = numbers.index(self._chosen_table)
        elif numbers:
            self._choose(min(self._row, len(numbers) - 1))

    def _choose(self, row: int) -> None:
        self._row, self._chosen_table = row, self._tables[row].id

    def draw(self, width: int, height: int) -> Picture:
        tables = self._tables
        browsing = self._client.browsing
        lines_below = [*self._talk_and_roster(), bots_words(tables[self._row]) if tables else ""]
        body = draw_list(
            [_table_row(table, self._is_own(table)) for table in tables],
            self._row,
            (*COLUMN_WIDTHS[:2], COLUMN_WIDTHS[2] + max(0, min(40, width - 92)), COLUMN_WIDTHS[3]),
            width,
            height - 3 - len(lines_below),
            self.look,
            empty=_("That table is not open.")
            if _is_filtered(browsing)
            else _("No table is open yet.")
            if self.look.touched
            else _("No table is open yet: p waits for others, b plays against bots."),
        )
        body = stack(body, draw_lines(lines_below, width, len(lines_below), self.look.theme, ascii=self.look.ascii))
        hints = [(key.label_on(self.look.ascii), key.words()) for key in self._useful_keys()]
        location, instructions = _("{name}, in the lobby", name=self._client.name), return_instructions(self._client)
        invitation = next(
            (_("friends type: {line}", line=command) for command in join_instructions(self._client)), ""
        )
        if link := join_url(self._client):
            invitation = _("friends open: {link}", link=link)
        statuses = [
            " · ".join(filter(None, parts))
            for parts in ((location, invitation, instructions), (location, instructions or invitation))
        ]
        status = next((line for line in statuses if columns(line) <= width - 2), instructions or location)
        return draw_page(
            " · ".join((_("lobby"), *self._title_parts())),
            body,
            self._warning,
            hints,
            status,
            width,
            self.look,
            warning=bool(self._warning),
        )

    def _useful_keys(self) -> list[Key]:
        """Return the keys that do something now, with their words."""
        tables = self._tables
        useless_keys = {"sit", "watch"} if not tables else set()
        keys = [key for key in LOBBY if key.name not in useless_keys and (key.name != "page" or self._page_count > 1)]
        if tables and self._is_own(tables[self._row]):
            keys[0] = replace(keys[0], words=lambda: _("come back"))
        return keys

    def buttons(self) -> tuple[Button, ...]:
        if self.line:
            return super().buttons()
        keys = [
            key for key in self._useful_keys() if key.name in ("sit", "quick_game", "against_bots", "new", "leave")
        ]
        buttons = [Button(key.label_on(self.look.ascii), key.words()) for key in keys[:MAX_BUTTONS]]
        return (buttons[0]._replace(kind="main"), *buttons[1:])

    def _talk_and_roster(self) -> list[str]:
        """Return the last lines of chat, and the roster."""
        messages = [chat_line(message) for message in self._client.said[-MAX_TALK_LINES:] if not self._client.update]
        return [*messages, *filter(None, [people_line(self._client)])]

    def _title_parts(self) -> Iterator[str]:
        """Yield the filters, the number of tables and the page, in words."""
        tables, browsing = self._client.tables, self._client.browsing
        if countdown := maintenance_countdown(self._client):
            yield countdown
        if browsing.words:
            yield _("“{words}”", words=browsing.words)
        if browsing.free:
            yield _("free seats")
        yield several("{count} table", "{count} tables", tables.total)
        if self._page_count > 1:
            yield _("page {page} of {pages}", page=tables.page + 1, pages=self._page_count)

    @property
    def _page_count(self) -> int:
        return -(-self._client.tables.total // TABLES_PER_PAGE)

    @property
    def count(self) -> int:
        return len(self._tables)

    @property
    def row(self) -> int:
        return self._row

    def go(self, row: int) -> None:
        self._warning = ""
        self._choose(row)
        self.redraw()

    def action_move(self, step: int) -> None:
        """Move the cursor; turn the page before its first and after its last row, and for the first and last row of
        all.
        """
        last_page = self._page_count - 1
        if last_page < 1 or 0 <= self._row + step < self.count:
            super().action_move(step)
        elif abs(step) == ALL_ROWS:
            self._turn_page((last_page if step > 0 else 0) - self._client.tables.page, 0 if step < 0 else -1)
        else:
            self._turn_page(step, 0 if step > 0 else -1)

    def action_page(self, step: int) -> None:
        if self._page_count > 1:
            self._turn_page(step, 0)
        else:
            self.action_move(step * PAGE_ROWS)

    def _turn_page(self, step: int, row: int) -> None:
        if self._row_after_browse is None:
            self._browse(
                replace(self._client.browsing, page=(self._client.tables.page + step) % self._page_count), row
            )

    def _browse(self, browse: Browse, row: int = 0) -> None:
        """Request other tables, and choose `row` among them."""
        self._row_after_browse = row
        self._client.browse(browse)

    def action_free(self) -> None:
        self._browse(replace(self._client.browsing, page=0, free=not self._client.browsing.free))

    def action_search(self) -> None:

        def search_tables(words: str) -> None:
            self._browse(replace(self._client.browsing, page=0, words=host_search_words(words)))

        placeholder, words = _("a game, a player or a number; Escape cancels"), self._client.browsing.words
        self.type_line(LineInput(words, empty=placeholder, limit=SEARCH_LENGTH), search_tables, is_text_needed=False)

    def action_sit(self) -> None:
        """Sit down at the chosen table; say so if no seat there is free or a bot's."""
        if not self._tables:
            self.action_new()
            return
        table = self._tables[self._row]
        if self._is_own(table) or any(seat.free or seat.bot for seat in table.seats):
            self._go_to_table(table, self._client.sit)
        else:
            self.say(_("Every seat at that table is taken; press w to watch."))

    def action_watch(self) -> None:
        """Watch at the chosen table; at a table where a seat is reserved for the guest, sit down."""
        if self._tables:
            table = self._tables[self._row]
            self._go_to_table(table, self._client.sit if self._is_own(table) else self._client.watch)

    def action_quick_game(self) -> None:
        """Sit down at the first table that waits for any player; if none does, open one that waits."""
        self._wants_quick_game = self._client.tables.page > 0
        if self._wants_quick_game:
            self._browse(replace(self._client.browsing, page=0))
            return
        match quick_game(self._client.tables.tables, self._game):
            case TableInfo(id=number):
                self._client.sit(number)
            case table:
                self._client.make_table(table)

    def action_against_bots(self) -> None:
        """Open a table and fill it with bots, so that the match begins at once."""
        self._client.make_table(against_bots(self._game))

    def _go_to_table(self, table: TableInfo, go: Callable[[int, str], None]) -> None:
        """Go to a table; ask for the code of a private one first."""
        if not table.private or self._is_own(table):
            go(table.id, "")
            return

        line = LineInput(empty=_("the code of this table; Escape cancels"), limit=CODE_LENGTH)
        self.type_line(line, partial(go, table.id))

    def action_talk(self) -> None:
        self.type_line(
            ChatInput(phrases(), limit=CHAT_LENGTH, prompt=_("To all in the lobby · Enter sends · Esc cancels")),
            self._client.say,
        )

    def action_new(self) -> None:
        form = NewTableScreen(self.look, free_seats=True, house_rules=self._client.house_rules)
        self.ask(form, self._open_table)

    def _open_table(self, table: MakeTable) -> None:
        self._game = table.game
        self._client.make_table(table)

    def action_account(self) -> None:

        def type_code() -> None:
            empty = _("the code that your other login shows; Escape cancels")
            self.type_line(LineInput(empty=empty, limit=CODE_LENGTH), self._client.bind)

        items: list[Item[Callable[[], object]]] = [
            Item((_("Show a code"), _("for your other login, where you choose “Type a code”")), self._client.bind),
            Item((_("Type a code"), _("from your other login: its name and seat are yours here, too")), type_code),
            Item((_("Separate again"), _("this key has its own account, as before")), self._client.unbind),
        ]
        self.ask(PickScreen(self.look, _("one account, two logins"), items, _("do it")), lambda do: do())

    def action_invite(self) -> None:
        self.app.push_screen(InviteScreen(self.look, self._client))

    def tell(self, sentence: str) -> None:
        self.say(sentence)

    def action_copy(self) -> None:
        line = return_command(self._client) or next(iter(join_instructions(self._client)), "")
        if line:
            self.app.copy_to_clipboard(line)
            self.say(_("Copied, if your terminal allows it: {line}", line=line))

    def action_help(self) -> None:
        self.app.push_screen(HelpScreen(self.look, LOBBY, note=return_instructions(self._client)))

    def action_leave(self) -> None:
        """Leave the host; or cancel a line; or clear the filters."""
        if self.line:
            self.close_line()
        elif _is_filtered(self._client.browsing) and not self._client.lost:
            self._browse(Browse())
        elif self._client.lost:
            self.app.exit(_("The connection to the server was lost."))
        elif self._hosting and self._warning != self._farewell:
            self.say(self._farewell)
        else:
            self._client.goodbye()

    @property
    def _farewell(self) -> str:
        """The confirmation before the host closes."""
        return _("Press q again to close the server; every match is kept.")

    def handle_click(self, hit: ClickTarget) -> None:
        """Choose a table by a click; a second click sits down."""
        if hit.at == self._row:
            self.action_sit()
        else:
            self._choose(hit.at)
            self.redraw()


def _is_filtered(browse: Browse) -> bool:
    """Return True if a filter is set."""
    return bool(browse.words) or browse.free


def _table_row(table: TableInfo, is_own: bool) -> Row:
    seats = ", ".join(
        pgettext("a seat", "free") if seat.free else _("{name} (away)", name=seat.name) if seat.away else seat.name
        for seat in table.seats
    )
    name = game_name(table.game)
    phases: dict[Phase, str] = {
        "waiting": missing_players_words(table),
        "shuffling": pgettext("a match", "playing"),
        "playing": pgettext("a match", "playing"),
        "paused": _("paused"),
        "over": pgettext("a match", "over"),
    }
    phase = _("private") if table.private and not is_own else phases.get(table.phase, "")
    owner = _("your seat") if is_own else _("{name}'s table", name=table.name)
    return Row((owner, name, seats, phase))


if TYPE_CHECKING:
    _has_what_its_keys_do: type[LobbyKeys] = LobbyScreen
