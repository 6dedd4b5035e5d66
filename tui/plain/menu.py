"""The menu in sentences, and the hosts that are heard nearby: what is asked before there is a client."""

from collections.abc import Callable, Sequence

from core.games import GAMES, game_called
from core.words import BadOption
from net.client.discovery import FoundHost
from net.wire.messages import MakeTable
from tui.cli.arguments import BadUse, address_of
from tui.i18n import _, spoken
from tui.model.wish import Wish
from tui.plain.form import Form, number_of, numbered
from tui.plain.pages import rules_lines
from tui.text.hosts import Place, with_known

Say = Callable[[str], None]
LEAVING = ("leave", "quit", "q")


class Menu:
    """Asks what to do until that is known."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._form: Form | None = None
        self._rules = False
        self.chosen: MakeTable | str | None = None
        """A table to play at alone, `join`, `host` or `leave`; None while it is asked."""

    def open(self) -> None:
        """Ask."""
        self._form, self._rules, self.chosen = None, False, None
        self._say(_("Boneyard: every domino game people play."))
        for line in numbered(
            [
                _("Play alone against bots."),
                _("Join a host on the local network, or by its address."),
                _("Host games for others."),
                _("Hear the rules of a game."),
                _("Leave."),
            ]
        ):
            self._say(line)
        self._say(_("Type a number."))

    def typed(self, line: str) -> None:
        """Take an answer."""
        if self._form is not None:
            self._fill_in(self._form, line)
        elif self._rules:
            self._read(line)
        elif line.strip().lower() in LEAVING:
            self.chosen = "leave"
        else:
            self._choose(number_of(line, 5))

    def _choose(self, number: int | None) -> None:
        match number:
            case 1:
                self._form = Form(Wish(hints="yes", take_back="yes"), free_seats=False)
                self._tell(self._form.question())
            case 2 | 3 | 5:
                self.chosen = {2: "join", 3: "host", 5: "leave"}[number]
            case 4:
                self._rules = True
                self._tell(numbered([f"{variant.name}." for variant in GAMES.values()]))
                self._say(_("Type a number or a name, or Enter alone to go back."))
            case _:
                self.open()

    def _fill_in(self, form: Form, line: str) -> None:
        self._tell(form.answer(line))
        if form.cancelled:
            self.open()
        self.chosen = form.table

    def _read(self, line: str) -> None:
        number = number_of(line, len(GAMES))
        try:
            if line.strip():
                variant = list(GAMES.values())[number - 1] if number else game_called(line.strip())
                self._tell(rules_lines(variant))
        except BadOption as error:
            self._say(spoken(error.reason))
            return
        self.open()

    def _tell(self, lines: list[str]) -> None:
        for line in lines:
            self._say(line)


class Hosts:
    """Asks which host to join, by its number or its address."""

    def __init__(self, say: Say, found: Sequence[FoundHost], known: Sequence[Place] = ()) -> None:
        """`known` are the hosts that were joined before."""
        self._say, self._found = say, with_known(found, known)
        self.place: tuple[str, int] | None = None
        """The address and port that were chosen."""
        self.cancelled = False

    def open(self) -> None:
        """Tell which hosts there are, and ask."""
        if not self._found:
            self._say(_("No hosts found on the local network; join one by its address."))
        for line in numbered([f"{host.name}, {host.address}:{host.port}." for host in self._found]):
            self._say(line)
        self._say(_("Type a number, an address like 192.168.1.20 or 192.168.1.20:2222, or leave."))

    def typed(self, line: str) -> None:
        """Take an answer."""
        number = number_of(line, len(self._found))
        if line.strip().lower() in (*LEAVING, "back"):
            self.cancelled = True
        elif number is not None:
            host = self._found[number - 1]
            self.place = host.address, host.port
        elif line.strip():
            try:
                self.place = address_of(line.strip())
            except BadUse as error:
                self._say(error.message)
        else:
            self.open()
