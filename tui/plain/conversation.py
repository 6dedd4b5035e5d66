"""The whole conversation of a client with its player, as sentences and typed lines, independent of any terminal."""

from collections.abc import Callable
from time import monotonic

from core.layout.state import NOBODY
from net.client.client import Client, ClientEvent, Disconnected, Reconnected, Verification
from net.doors.terminal import PLAIN
from net.host.thinkers import Thinkers
from net.wire.messages import BindCode, Bye, Entered, Greeting, Left, MakeTable, Refused, Said, Sit, Tables, Update
from tui.i18n import _, translate
from tui.lessons import Tutor
from tui.plain.families import is_answer
from tui.plain.info import Dialog, Say, handle_language_line, names_at_table
from tui.plain.lobby import LobbyDialog
from tui.plain.table import TableDialog
from tui.text.at_table import leaving_question, maintenance_words
from tui.text.notices import proof_words, return_command


class Conversation(Dialog):
    """Turns a client's messages into sentences, and typed lines into requests.

    With a `table_request` it opens or joins that table at once and ends when the player leaves it; a `name` is sent
    to the host without asking.
    """

    def __init__(
        self,
        client: Client,
        say: Say,
        *,
        table_request: MakeTable | Sit | None = None,
        name: str = "",
        thinkers: Thinkers | None = None,
        is_match_kept: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = monotonic,
        tutor: Tutor | None = None,
    ) -> None:
        """`say` is called with each sentence; `thinkers` compute hints, and `clock` returns the time in seconds.

        `is_match_kept` returns True if the match at the player's own table is saved when they leave. A `tutor`
        explains it.
        """
        super().__init__(say)
        self._is_match_kept = is_match_kept
        self._tutor = tutor
        self._client = client
        self._table_request, self._name = table_request, name
        self._thinkers, self._clock = thinkers, clock
        self._asks_for_name = False
        self._suggestion = ""
        self._lobby = LobbyDialog(client, say)
        self._in_lobby = False
        self._table: TableDialog | None = None
        self._asks_whether_to_leave = False
        """True while the player is asked to confirm leaving."""
        self._awaits_match = False
        """True from when a match begins while this player sits at the table: leaving then has a cost."""
        self._is_lost = False
        self._asks_again = False
        self._awaited_answers: tuple[type, ...] = ()
        """Types of messages that answer the last request; a refusal always does."""
        self.has_left = False
        """True once the player has left without the host's answer, because the connection is lost."""
        self.on_change: Callable[[], None] = lambda: None
        """Called when a line that had to wait may be taken."""
        client.subscribe(self.handle)

    def can_take(self, line: str, *, piped: bool = False) -> bool:
        """Return True if a typed line may be handled now; otherwise it waits. With `piped`, answers wait for a
        question.
        """
        if self._awaited_answers and not self._is_lost:
            return False
        if self._table is None:
            return self._asks_for_name or self._in_lobby or self._is_lost
        return not piped or (not self._table.is_thinking and (self._table.takes_answers or not is_answer(line)))

    def _on_hint(self) -> None:
        """Handle the line that waited for a hint."""
        self.on_change()

    def handle_line(self, line: str) -> None:
        """Handle a typed line."""
        word = line.strip().lower()
        if self._is_lost and word in ("leave", "quit", "q"):
            self.leave()
        elif self._is_lost:
            self._say(_("Connection lost. Reconnecting."))
        elif self._asks_for_name:
            self._client.enter(line.strip() or self._suggestion)
            self._awaited_answers = (Entered,)
        elif answers := handle_language_line(line):
            self._say_all(answers)
        elif self._table:
            is_leaving, self._asks_whether_to_leave = self._asks_whether_to_leave, False
            if is_leaving and word in ("leave", "quit", "q", "yes"):
                self._go_from_table()
            elif self._table.handle_line(line):
                self._awaited_answers = (Update,)
        elif self._in_lobby and self._lobby.handle_line(line):
            self._awaited_answers = (Update,)

    def close(self) -> None:
        """Unsubscribe, and break the cycle of references, so that reference counting frees this conversation."""
        self._client.unsubscribe_all()
        if self._table:
            self._table.close()
        self._table = None

    def tick(self) -> None:
        """Say what has become urgent; to be called every second or so."""
        if self._table:
            self._table.tick()

    def leave(self) -> None:
        """Leave without a confirmation, as at the end of the input."""
        if self._is_lost:
            self.has_left = True
        self._client.goodbye()

    def handle(self, message: ClientEvent) -> None:
        """Tell the player what a message of the host means."""
        if isinstance(message, (*self._awaited_answers, Refused, Left, Reconnected)) and not self._answers_no_move(
            message
        ):
            self._awaited_answers = ()
        self._handle_message(message)
        self.on_change()

    def _handle_message(self, message: ClientEvent) -> None:
        match message:
            case Greeting(name=name, known=known):
                self._handle_greeting(name, known=known)
            case Refused(reason=reason):
                self._handle_refusal(translate(reason, names_at_table(self._client)))
            case Entered():
                self._handle_entry()
            case Tables():
                self._handle_tables()
            case Update():
                self._handle_update(message)
            case BindCode(code=code):
                self._say(
                    _(
                        "Within ten minutes, log in the other way, by ssh or browser, and type “bind {code}” there.",
                        code=code,
                    )
                )
            case Said():
                self._say(_spoken_words(message))
            case Left(reason=reason):
                self._handle_departure(translate(reason) if reason else "")
            case Disconnected():
                if not self._is_lost:
                    self._say(_("Connection lost. Reconnecting."))
                self._is_lost = True
            case Reconnected():
                self._is_lost, self._asks_again = False, True
                self._say(_("Connected again."))
            case Verification():
                self._say(proof_words(message))

    def _handle_greeting(self, name: str, *, known: bool) -> None:
        if self._asks_for_name:
            return  # asked already, before the connection broke
        self._say(_("Welcome to Boneyard."))
        if self._name or known:
            self._client.enter(self._name or name)
        else:
            self._ask_name(name)

    def _ask_name(self, suggestion: str) -> None:
        self._asks_for_name, self._suggestion = True, suggestion
        self._say(_("What name will you play under?"))
        if suggestion:
            self._say(_("Press Enter for {name}.", name=suggestion))

    def _handle_refusal(self, reason: str) -> None:
        self._say(reason)
        if not self._client.name:
            self._ask_name(self._suggestion)
        elif self._table_request and self._table is None:
            self._client.goodbye()

    def _handle_entry(self) -> None:
        self._asks_for_name = False
        self._say_all(return_lines(self._client))
        if self._table_request:
            request = self._table_request
            self._client.sit(request.table) if isinstance(request, Sit) else self._client.make_table(request)

    def _handle_tables(self) -> None:
        if self._table_request or self._table:
            return
        if self._in_lobby:
            self._lobby.handle_tables()
        else:
            self._in_lobby = True
            self._lobby.open()

    def _handle_update(self, update: Update) -> None:
        asks_again, self._asks_again = self._asks_again, False
        if self._table is None:
            self._in_lobby = False
            self._say(_("You are at the table. Type “help” to hear what you can type."))
            self._table = TableDialog(
                self._client, self._say, self._leave_table, self._thinkers, self._on_hint, self._clock, self._tutor
            )
        self._table.handle_update(update, asks_again=asks_again)
        if update.match is None:
            self._awaits_match = update.seat != NOBODY
        elif self._awaits_match:
            self._awaits_match = False
            self._say_all(return_lines(self._client))

    def _answers_no_move(self, message: ClientEvent) -> bool:
        """Return True if an update only leaves this player on turn: then it is no answer to a move."""
        if not isinstance(message, Update) or self._table is None or message.events or message.wanted:
            return False
        return bool(message.play and message.play.legal)

    def _leave_table(self) -> None:
        """Leave the table; ask first if a match would be lost, or others would have to go on with a bot."""
        is_own = self._table_request is not None
        question = leaving_question(self._client.update, is_own=is_own, is_kept=is_own and self._is_match_kept())
        if question and not self._tutor:
            self._asks_whether_to_leave = True
            self._say(question + " " + _("Type “leave” again to leave, or anything else to stay."))
        else:
            self._go_from_table()

    def _go_from_table(self) -> None:
        self._client.leave()
        self._awaited_answers = (Left,)

    def _handle_departure(self, reason: str) -> None:
        if self._table:
            self._table.close()
        self._table, self._in_lobby = None, False
        if reason:
            self._say(reason)
        if self._table_request:
            self._client.goodbye()
        self._handle_tables()  # the list came before, while they were still at the table


def return_lines(client: Client) -> list[str]:
    """Return the lines that tell a guest without a key how to return; empty for other guests."""
    line = return_command(client)
    return [_("Type this line to come back."), f"{line} {PLAIN}"] if line else []


def last_words(client: Client, bye: Bye | None) -> tuple[str, list[str]]:
    """Return the reason why the connection ended, empty if the player ended it, and further lines for the player."""
    if bye is None:
        return _("The connection to the server was lost."), return_lines(client)
    reason = translate(bye.reason) if bye.reason else ""
    return reason, [] if bye.reason and not bye.again else return_lines(client)


def _spoken_words(message: Said) -> str:
    """Return a chat message, or a message of the host, as a sentence."""
    if message.name:
        return _("{name} says: “{text}”.", name=message.name, text=message.text)
    if maintenance := maintenance_words(message):
        return f"*** {maintenance}"
    return _("*** The server says: “{text}”.", text=message.text)
