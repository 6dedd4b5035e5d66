"""The lobby in sentences: the open tables by number, and the lines that a guest types there."""

from collections.abc import Callable

from msgspec.structs import replace

from core.games import GAMES
from core.words import BadOption
from net.client.client import Client
from net.limits import TABLES_PER_PAGE
from net.wire.messages import MOST_TABLES, Browse, TableInfo
from tui.i18n import _, pgettext, several, translate
from tui.model.new_table import DEFAULT_GAME, NewTable, against_bots, quick_game
from tui.plain.form import NewTableForm
from tui.plain.info import Dialog, Say, named_rules_lines
from tui.text.at_table import alternatives_in_words, bots_words, missing_players_words, people_line
from tui.text.names import find_rules, game_name, host_search_words


class LobbyDialog(Dialog):
    """Tells one client which tables there are, and sends it to one."""

    def __init__(self, client: Client, say: Say) -> None:
        super().__init__(say)
        self._client = client
        self._form: NewTableForm | None = None
        self._request_with_code: Callable[[str], None] | None = None
        """The request that waits for the code of a private table."""
        self._listed_numbers: set[int] = set()
        self._known_tables: dict[int, TableInfo] = {}
        """Known tables by number, on all pages."""
        self._is_list_requested = False
        """True while a requested list of tables has not arrived; it is then read in full."""

    def open(self) -> None:
        """Say the list of tables, unless the player must choose first whether to follow a link."""
        self._form = self._request_with_code = None
        if alternatives := alternatives_in_words(self._client):
            self._say(_("You have a seat already. Type a number, or press Enter for the lobby."))
            for number, (_table, words, note) in enumerate(alternatives, 1):
                self._say(f"{number}. {words}{f' ({note})' if note else ''}")
            return
        self._say(_("You are in the lobby, as {name}.", name=self._client.name))
        self._say_tables()

    def _say_tables(self) -> None:
        self._is_list_requested = False
        page, browsing = self._client.tables, self._client.browsing
        shown_tables = page.tables
        self._listed_numbers = {table.id for table in shown_tables}
        if browsing.words:
            self._say(_("You look for “{words}”. Type “find” alone to hear all tables.", words=browsing.words))
        if browsing.free:
            self._say(_("You hear only tables with a free seat. Type “all” to hear all tables."))
        self._say(several("There is {count} table.", "There are {count} tables.", page.total))
        for table in sorted(shown_tables, key=lambda table: table.id not in self._client.reserved):
            self._say(self._table_sentence(table))
        if page.total > len(shown_tables):
            first = page.page * TABLES_PER_PAGE + 1
            self._say(
                _(
                    "These are {first} to {last}. Type “more” for the next.",
                    first=first,
                    last=first + len(shown_tables) - 1,
                )
            )
        if shown_tables:
            self._say(
                _(
                    "Type the number of a table to sit down, “watch” and a number to look on, “new” to open one, or "
                    "“help”."
                )
            )
        else:
            self._say(
                _("Type “new” to open a table, “quick” to wait for others, “bots” to play against bots, or “help”.")
            )

    def handle_tables(self) -> None:
        """Say which tables are new or gone; if the list has several pages, only say a requested list."""
        if self._is_list_requested:
            self._say_tables()
            return
        page, browsing = self._client.tables, self._client.browsing
        tables_by_number = {table.id: table for table in page.tables}
        if page.total <= TABLES_PER_PAGE:
            for number in sorted(tables_by_number.keys() - self._listed_numbers):
                self._say(_("New: table {table}", table=self._table_sentence(tables_by_number[number])))
            closed_tables = (
                () if browsing.words or browsing.free else sorted(self._listed_numbers - tables_by_number.keys())
            )
            for number in closed_tables:
                self._say(_("Table {number} no longer exists.", number=number))
                self._known_tables.pop(number, None)
        self._known_tables |= tables_by_number
        self._listed_numbers = set(tables_by_number)

    def _browse(self, word: str, search: str) -> None:
        """Request another list of tables."""
        browsing, page = self._client.browsing, self._client.tables
        pages = max(1, -(-page.total // TABLES_PER_PAGE))
        requests = {
            "find": Browse(0, host_search_words(search), browsing.free),
            "free": Browse(0, browsing.words, free=True),
            "all": Browse(),
            "more": replace(browsing, page=(page.page + 1) % pages),
        }
        self._is_list_requested = True
        self._client.browse(requests[word])

    def _table_sentence(self, table: TableInfo) -> str:
        self._known_tables[table.id] = table
        is_own = table.id in self._client.reserved
        owner = _("your seat is kept") if is_own else _("{name}'s table", name=table.name)
        game = game_name(table.game)
        seats = ", ".join(
            pgettext("a seat", "free")
            if seat.free
            else _("{name} (away)", name=seat.name)
            if seat.away
            else seat.name
            for seat in table.seats
        )
        about = ", ".join(filter(None, (owner, _phase_words(table), bots_words(table).replace(" · ", ", "))))
        return f"{table.id}. {game}: {seats}; {about}."

    def handle_line(self, line: str) -> bool:
        """Handle a typed line; return True if it asked the host for a table."""
        if self._client.alternatives:
            return self._choose_alternative(line.strip())
        if self._request_with_code is not None:
            return self._enter_code(self._request_with_code, line.strip())
        if self._form is not None:
            return self._fill_in(self._form, line)
        word, _blank, argument = line.strip().partition(" ")
        match word.lower():
            case "" | "tables" | "list":
                self.open()
            case "new" | "n":
                return self._begin_form(argument.strip())
            case "quick":
                return self._begin_quick_game()
            case "bots":
                return self._play_against_bots(argument.strip())
            case "watch" | "w":
                return self._go_to_table(argument, self._client.watch, watching=True)
            case "find" | "free" | "all" | "more" as word:
                self._browse(word, argument.strip())
            case "bind" | "unbind" | "say" | "who" | "rules" | "help" | "?" as word:
                self._handle_word(word, argument.strip())
            case "leave" | "quit" | "q":
                self._client.goodbye()
            case _:
                return self._go_to_table(word, self._client.sit)
        return False

    def _enter_code(self, go: Callable[[str], None], code: str) -> bool:
        """Go to a private table with its code, or back to the lobby without one; return True if it went."""
        self._request_with_code = None
        if code:
            go(code)
        else:
            self.open()
        return bool(code)

    def _choose_alternative(self, line: str) -> bool:
        """Join the numbered table, or stay in the lobby; return True if it asked the host for a table."""
        choices = {str(number): table for number, table in enumerate(self._client.alternatives, 1)}
        if line and line not in choices:
            self.open()
            return False
        self._client.choose_table(choices.get(line))
        if not line:
            self.open()
        return bool(line)

    def _handle_word(self, word: str, argument: str) -> None:
        """Handle a line that needs no table."""
        match word:
            case "bind":
                self._client.bind(argument)
            case "unbind":
                self._client.unbind()
            case "say" if argument:
                self._client.say(argument)
            case "say":
                self._say(_("Type “say” and then what you want to say."))
            case "who":
                self._say(people_line(self._client) or _("Nobody else is here."))
            case "rules":
                self._say_rules(argument)
            case _:
                self._say_help()

    def _go_to_table(self, number_text: str, go: Callable[[int, str], None], *, watching: bool = False) -> bool:
        """Go to the table with a number; a private one asks for its code first."""
        number_text = number_text.strip()
        is_number = number_text.isascii() and number_text.isdecimal() and len(number_text) <= len(str(MOST_TABLES))
        table = self._known_tables.get(int(number_text)) if is_number else None
        if table is None and is_number and self._client.tables.open > len(self._client.tables.tables):
            self._browse("find", number_text)  # a friend may have named a table of another page
            return False
        if table is None:
            self._say(
                _("There is no table {number}. Type “help” to hear what you can type.", number=number_text or "?")
            )
            return False
        is_own = table.id in self._client.reserved
        go = self._client.sit if is_own else go
        if not (watching or is_own or any(seat.free or seat.bot for seat in table.seats)):
            self._say(_("Every seat at that table is taken; type “watch {number}” to look on.", number=number_text))
            return False
        if not table.private or is_own:
            go(table.id, "")
            return True
        self._request_with_code = lambda code: go(table.id, code)
        self._say(_("That table is private. Type its code, or press Enter to go back."))
        return False

    def _begin_quick_game(self) -> bool:
        """Sit down at the first known table that waits for any player; if none does, open one that waits."""
        tables = {**self._known_tables, **{table.id: table for table in self._client.tables.tables}}
        match quick_game(tables.values(), DEFAULT_GAME):
            case TableInfo(id=number):
                self._client.sit(number)
            case table:
                self._client.make_table(table)
        return True

    def _play_against_bots(self, game: str) -> bool:
        """Open a table of a game, and fill it with bots."""
        if (game_id := self._find_game(game or DEFAULT_GAME)) is None:
            return False
        self._client.make_table(against_bots(game_id))
        return True

    def _find_game(self, name: str) -> str | None:
        """Return the id of the game with this name; without such a game, say so and return None."""
        try:
            return find_rules(name)[0].id
        except BadOption as error:
            self._say(translate(error.reason))
            return None

    def _begin_form(self, game: str) -> bool:
        new_table = NewTable(house_rules=self._client.house_rules)
        if game:
            try:
                new_table = new_table.with_rules(*find_rules(game))
            except BadOption as error:
                self._say(translate(error.reason))
                return False
        self._form = NewTableForm(new_table, free_seats=True)
        self._say_all(self._form.question() if not game else self._form.answer(""))
        return False

    def _fill_in(self, form: NewTableForm, line: str) -> bool:
        self._say_all(form.answer(line))
        if form.cancelled:
            self.open()
        elif form.table:
            self._form = None
            self._client.make_table(form.table)
            return True
        return False

    def _say_rules(self, game: str) -> None:
        try:
            self._say_all(named_rules_lines(game.strip()))
        except BadOption as error:
            self._say(translate(error.reason))

    def _say_help(self) -> None:
        games = ", ".join(map(game_name, GAMES))
        self._say_all(
            [
                _("Type the number of a table to sit down there, or “watch” and its number to look on."),
                _("Type “new” to open a table, or “new” and the name of a game."),
                _("Type “quick” to sit down where somebody waits, or to open a table and wait yourself."),
                _("Type “bots” to play against bots at once, or “bots” and the name of a game."),
                _(
                    "Type “find” and a game, a player or a number to hear only tables that match, or “all” to hear "
                    "all again."
                ),
                _("Type “free” to hear only tables with a free seat."),
                _("Type “rules” and the name of a game to hear its rules. The games are {games}.", games=games),
                _("Type “say” and some words to talk to everybody in the lobby, “who” to hear who is here."),
                _("Type “bind” to use one account over ssh and in your browser, “unbind” to separate them again."),
                _("Press Enter to hear the tables again. Type “leave” to leave."),
            ]
        )


def _phase_words(table: TableInfo) -> str:
    phases = {"waiting": missing_players_words(table), "paused": _("paused"), "over": pgettext("a match", "over")}
    phase = phases.get(table.phase, pgettext("a match", "playing"))
    return ", ".join([_("private")] * table.private + [phase])
