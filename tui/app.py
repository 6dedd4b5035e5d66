"""The app of a client on a host: it controls the order of the screens, and only the code that runs it imports it."""

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.words import Words
from net.client.client import Client, ClientEvent, Disconnected, Reconnected
from net.host.thinkers import Thinkers
from net.loop import CrashCounter, is_failure, log_failure
from net.wire.link import WireError
from net.wire.messages import Bye, Entered, Greeting, Left, MakeTable, Refused, Sit, Tables, Update
from tui.i18n import _, translate
from tui.model.look import Look
from tui.screens.base import DrawnScreen
from tui.screens.table import TableScreen
from tui.terminal.app import TerminalApp
from tui.text.at_table import leaving_question
from tui.text.notices import Attention, Bell, farewell

if TYPE_CHECKING:
    from tui.lessons import Tutor
    from tui.screens.lobby import LobbyScreen, NameScreen
    from tui.screens.review import ReviewWorker


class BoneyardApp(TerminalApp[str]):
    """Greets a host and follows its messages from screen to screen; its result is the last message, if any.

    With a `table_request` it opens or joins that table at once and ends when the player leaves it; a `name` is
    sent to the host without asking.
    """

    def __init__(
        self,
        client: Client,
        look: Look,
        *,
        table_request: MakeTable | Sit | None = None,
        name: str = "",
        error_message: str = "",
        converse: Callable[[], Awaitable[Bye | None]] | None = None,
        thinkers: Thinkers | None = None,
        review_worker: "ReviewWorker | None" = None,
        on_look_changed: Callable[[Look], None] | None = None,
        is_match_kept: Callable[[], bool] = lambda: False,
        tutor: "Tutor | None" = None,
        hosting: bool = False,
        terminal: str = "",
        bell: Bell | None = None,
        leave_text: str = "",
        records: Path | None = None,
    ) -> None:
        """`converse` runs the client if that takes more than one link, `thinkers` compute hints.

        `review_worker` judges decisions for reviews, if given; `on_look_changed` is called with newly chosen colours.
        `is_match_kept` returns True if the match at the player's own table is saved when they leave.

        A `tutor` explains the events; its table is left without a confirmation. If the player is `hosting`, the host
        closes when they leave the lobby.

        `terminal` is the name of the terminal, whose title and bell alert the player; `bell` is the state of the
        bell. `leave_text` names the screen that follows a table of the player's own at the end of a match, if there
        is one. `records` is the folder for the records of a local player. An `error_message` is shown first, if this
        app replaces one that crashed.
        """
        super().__init__()
        self._run_client = converse or client.run
        self._client = client
        self._review_worker = review_worker
        self._look = look
        self._table_request = table_request
        self._is_match_kept = is_match_kept
        self._tutor = tutor
        self._hosting = hosting
        self._bell = bell or Bell()
        self._attention = Attention(terminal, self._write, has_bell=self._bell.is_on, ascii=look.ascii)
        self._thinkers = thinkers
        self._player_name = name
        self._error_message = error_message
        self._on_look_changed = on_look_changed
        self._leave_text = leave_text
        self._records = records
        self._lobby: LobbyScreen | None = None
        self._table_screen: TableScreen | None = None
        self._name_screen: NameScreen | None = None

    def on_mount(self) -> None:
        """Subscribe to the client, then greet the host."""
        self._client.subscribe(self.handle)
        self._client.subscribe(self._follow_turn)
        if self._client.name and self._table_request is None:  # it was here before, and returns to its table
            self._open_lobby()
        self.run_worker(self._converse(), exit_on_error=True)

    async def _converse(self) -> None:
        try:
            bye = await self._run_client()
        except WireError:
            self.exit(_("The server sent something that this version does not understand."))
            return
        if bye is None:
            self.exit(_("The connection to the server was lost."))
        else:
            last_word = translate(bye.reason) if bye.reason else ""
            is_evicted = bye.reason and not bye.again
            self.exit(last_word if is_evicted else farewell(self._client, last_word))

    def handle(self, message: ClientEvent) -> None:
        """Show the screen for a message."""
        match message:
            case Greeting(name=name, known=known):
                if self._name_screen:
                    return  # asked already, before the connection broke
                if self._player_name or known:
                    self._client.enter(self._player_name or name)
                else:
                    self._ask_name(name)
            case Refused(reason=reason) if not self._client.name and self._name_screen is None:
                self._ask_name(self._player_name, translate(reason))
            case Entered() if (request := self._table_request) is not None:
                self._client.make_table(request) if isinstance(request, MakeTable) else self._client.sit(
                    request.table
                )
            case Tables() if self._lobby is None and self._table_request is None:
                self._open_lobby()
            case Update():
                self._show_table(message)
            case Left(reason=reason):
                self._leave_table(reason)
            case Refused(reason=reason) if self._table_request and self._table_screen is None:
                self.exit(translate(reason))
            case Disconnected() | Reconnected() if self._lobby:
                self._lobby.say(self._connection_sentence(message))
            case _ if self._lobby and self._table_screen is None:
                self._lobby.handle(message)

    def _connection_sentence(self, message: Disconnected | Reconnected) -> str:
        if isinstance(message, Disconnected):
            return _("Connection lost. Reconnecting …")
        return "" if self._client.update else self._take_error_message()

    def _open_lobby(self) -> None:
        from tui.screens.lobby import LobbyScreen  # noqa: PLC0415 - who plays alone sees none

        self._lobby = LobbyScreen(self._client, self._look, self._use_look, hosting=self._hosting)
        self.switch_screen(self._lobby) if self._name_screen else self.push_screen(self._lobby)
        if self._client.alternatives:
            from tui.screens.lists import alternatives_screen  # noqa: PLC0415 - few come by a link from a seat

            self.push_screen(alternatives_screen(self._look, self._client), self._client.choose_table)

    def _show_table(self, update: Update) -> None:
        if self._table_screen is None:
            self._open_table(update)

    def _open_table(self, update: Update) -> None:
        if self._lobby:
            self._lobby.leave_for(update.table.id)
        self._table_screen = TableScreen(
            self._client, self._look, self._use_look, self._leave, self._thinkers, self._review_worker, self._tutor
        )
        self._table_screen.switch_bell = self._switch_bell
        self._table_screen.reviews_unasked = self.terminal.is_local
        self._table_screen.records = self._records
        if leave_text := self._leave_text or (_("back to the lobby") if self._table_request is None else ""):
            self._table_screen.leave_text = leave_text
        if error_message := self._take_error_message():
            self._table_screen.note(error_message)
        self.push_screen(self._table_screen)

    def _take_error_message(self) -> str:
        """Return the sentence to show first, and discard it."""
        error_message, self._error_message = self._error_message, ""
        return error_message

    def _ask_name(self, suggestion: str, problem: str = "") -> None:
        from tui.screens.lobby import NameScreen  # noqa: PLC0415 - most are known already

        self._name_screen = NameScreen(self._client, self._look, suggestion, problem or self._take_error_message())
        self.push_screen(self._name_screen)

    def _leave(self) -> None:
        """Leave the table; ask first if a match would be lost, or others would have to go on with a bot."""
        from tui.screens.confirm_leave import LeavingScreen  # noqa: PLC0415 - the first picture does not need it

        is_own = self._table_request is not None
        question = leaving_question(self._client.update, is_own=is_own, is_kept=is_own and self._is_match_kept())
        is_confirming = isinstance(self.screen, LeavingScreen)  # True after the first of two keys that came together
        if question and self._table_screen and not (self._tutor or is_confirming):
            screen = LeavingScreen(self._table_screen, self._client, question, escape_leaves=is_own)
            self.push_screen(screen, self._leave_if_confirmed)
        else:
            self._client.leave()

    def _leave_if_confirmed(self, is_confirmed: bool | None) -> None:
        if is_confirmed:
            self._client.leave()

    def _leave_table(self, reason: Words | None) -> None:
        if self._table_request:
            self._client.goodbye()
            return
        while self._table_screen and self.screen is not self._lobby and len(self.screen_stack) > 1:
            if isinstance(self.screen, DrawnScreen):
                self.screen.withdraw()
            self.pop_screen()
        self._table_screen = None
        if self._lobby:
            self._lobby.come_back(translate(reason) if reason else "")
            if reason:
                self._lobby.settle()

    def tell(self, sentence: str) -> None:
        """Show a sentence at the table, or as the first thing there."""
        if self._table_screen:
            self.call_later(self._table_screen.note, sentence)  # the caller may be outside the app's context
        else:
            self._error_message = sentence

    def _follow_turn(self, message: ClientEvent) -> None:
        """Alert the player if it is their turn now."""
        if isinstance(message, Update | Left | Tables):
            self._attention.follow(self._client.update)

    def _write(self, text: str) -> None:
        if self.output is not None:
            self.output.write(text)

    def _switch_bell(self) -> str:
        """Switch the bell; return the sentence for the player."""
        is_on = self._attention.has_bell = not self._attention.has_bell
        self._bell.on_switch(is_on)
        return _("A bell rings when it is your turn and others play too.") if is_on else _("The bell is off.")

    def exit(self, *args: Any, **kwargs: Any) -> None:
        """End the app, and restore the terminal's own title."""
        self._attention.close()
        super().exit(*args, **kwargs)

    def on_crash(self) -> None:
        """Restore the terminal's own title also if an error ends the app."""
        self._attention.close()

    def _use_look(self, look: Look) -> None:
        """Use these colours for all screens opened from now on."""
        self._look = look
        if self._on_look_changed:
            self._on_look_changed(look)


async def show_again(
    client: Client,
    make_app: Callable[[str], BoneyardApp],
    show: Callable[[Callable[[], BoneyardApp]], Awaitable[str | None]],
    is_over: Callable[[], bool],
    *,
    error_message: str = "",
    **about: object,
) -> str | None:
    """Show the app of a client until its player leaves; return the last message.

    An app that crashes is replaced on the same terminal, over a new link, and the client returns to its table.
    `make_app` gets the sentence to show first. Raises the error of a crashed app after too many crashes, or if
    `is_over` returns True. `about` is logged with an error.
    """
    breakdowns = CrashCounter()
    while True:
        try:
            return await show(partial(make_app, error_message))
        except BaseException as error:
            if not is_failure(error) or is_over() or breakdowns.record_crash():
                raise
            log_failure("screen-broke", error, **about)
            error_message = _("Something went wrong here. You are back where you were.")
        finally:
            client.unsubscribe_all()
