"""The menu in sentences, and the hosts found nearby: the questions before there is a client."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from core.games import GAMES
from core.words import BadOption
from net.client.discovery import FoundHost
from net.storage.solo_matches import KeptMatch
from net.wire.messages import MakeTable
from tui.failures import BadUse
from tui.i18n import _, translate
from tui.lessons import LESSONS, Lesson
from tui.model.new_table import NewTable
from tui.plain.form import NewTableForm, number_of, numbered_lines
from tui.plain.info import Dialog, Say, handle_language_line, named_rules_lines
from tui.text.at_table import saved_match_words
from tui.text.names import address_of, game_name, place_text
from tui.text.notices import Place, merge_hosts

LEAVING = ("leave", "quit", "q")


class Menu(Dialog):
    """Asks for the next action until it is known."""

    def __init__(
        self, say: Say, saved_matches: Sequence[KeptMatch] = (), history: Callable[[], Sequence[str]] = tuple
    ) -> None:
        """`saved_matches` come latest first; `history` returns a sentence for each recorded match, newest first."""
        super().__init__(say)
        self._saved_matches = [match for match in saved_matches if not match.problem]
        self._history = history
        self._answer: Callable[[str], None] | None = None
        """Handles the answer to a further question; None while the menu asks."""
        self.chosen: MakeTable | Path | Lesson | str | None = None
        """The chosen action: a table for a solo game, the directory of a match to resume, a lesson, `join`, `host` or
        `leave`; None while the menu asks.
        """

    @property
    def _options(self) -> list[tuple[str, str]]:
        """The possible actions, with their sentences."""
        resume_options = [
            ("go_on", _("Go on: {match}.", match=saved_match_words(match))) for match in self._saved_matches[:1]
        ]
        if len(self._saved_matches) > 1:
            resume_options.append(("kept", _("Go on with another kept match.")))
        return [
            *resume_options,
            ("play", _("Play alone against bots.")),
            ("learn", _("Learn a game: a round against bots, explained as it goes.")),
            ("history", _("Hear your finished matches.")),
            ("join", _("Join a server on the local network, or by its address.")),
            ("host", _("Open a server for others.")),
            ("rules", _("Hear the rules of a game.")),
            ("language", _("Choose another language.")),
            ("leave", _("Leave.")),
        ]

    def open(self) -> None:
        """Start to ask."""
        self._answer, self.chosen = None, None
        self._say(_("Boneyard: every domino game people play."))
        self._say_all(numbered_lines([sentence for _name, sentence in self._options]))
        self._say(_("Type a number."))

    def handle_line(self, line: str) -> None:
        """Handle an answer."""
        if self._answer is not None:
            self._answer(line)
        elif line.strip().lower() in LEAVING:
            self.chosen = "leave"
        elif answers := handle_language_line(line):
            self._say_all(answers)
        elif number := number_of(line, len(self._options)):
            self._choose(self._options[number - 1][0])
        else:
            self.open()

    def _choose(self, option: str) -> None:
        match option:
            case "go_on":
                self.chosen = self._saved_matches[0].path
            case "play":
                form = NewTableForm(NewTable(hints="yes", take_back="yes"), free_seats=False)
                self._answer = partial(self._fill_in, form)
                self._say_all(form.question())
            case "kept":
                self._ask_which([f"{saved_match_words(match)}." for match in self._saved_matches], self._go_on_with)
            case "learn":
                titles = [f"{game_name(lesson.game)}: {_(lesson.about)}." for lesson in LESSONS]
                self._ask_which(titles, self._begin_lesson)
            case "history":
                self._say_all(self._history() or [_("No match is recorded yet.")])
                self.open()
            case "rules":
                self._answer = self._say_rules
                self._say_all(numbered_lines([f"{_(variant.name)}." for variant in GAMES.values()]))
                self._say(_("Type a number or a name, or press Enter to go back."))
            case "language":
                self._say_all(handle_language_line(option))
            case _:
                self.chosen = option

    def _ask_which(self, lines: list[str], on_choice: Callable[[int], None]) -> None:
        """List lines with their numbers; call `on_choice` with the index of the chosen one."""

        def handle_answer(line: str) -> None:
            if number := number_of(line, len(lines)):
                on_choice(number - 1)
            elif not line.strip() or line.strip().lower() in (*LEAVING, "back"):
                self.open()
            else:
                self._say(_("Type a number from 1 to {most}, or press Enter to go back.", most=len(lines)))

        self._answer = handle_answer
        self._say_all(numbered_lines(lines))
        self._say(_("Type a number from 1 to {most}, or press Enter to go back.", most=len(lines)))

    def _go_on_with(self, index: int) -> None:
        self.chosen = self._saved_matches[index].path

    def _begin_lesson(self, index: int) -> None:
        self.chosen = LESSONS[index]

    def _fill_in(self, form: NewTableForm, line: str) -> None:
        self._say_all(form.answer(line))
        if form.cancelled:
            self.open()
        self.chosen = form.table

    def _say_rules(self, line: str) -> None:
        number = number_of(line, len(GAMES))
        try:
            if line.strip():
                game = list(GAMES)[number - 1] if number else line.strip()
                self._say_all(named_rules_lines(game))
        except BadOption as error:
            self._say(translate(error.reason))
            return
        self.open()


class Hosts(Dialog):
    """Asks for the host to join, by its number or its address."""

    def __init__(self, say: Say, hosts: Sequence[FoundHost], joined_hosts: Sequence[Place] = ()) -> None:
        """`hosts` are those found nearby, `joined_hosts` those joined before."""
        super().__init__(say)
        self._hosts = merge_hosts(hosts, joined_hosts)
        self.places: tuple[Place, ...] = ()
        """The addresses of the chosen host, each with its port."""
        self.cancelled = False

    def open(self) -> None:
        """List the hosts, and ask."""
        if not self._hosts:
            self._say(_("No servers found on the local network; join one by its address."))
        self._say_all(
            numbered_lines([f"{host.name}, {place_text(host.address, host.port)}." for host in self._hosts])
        )
        self._say(_("Type a number, an address like 192.168.1.20 or 192.168.1.20:2222, or “leave”."))

    def handle_line(self, line: str) -> None:
        """Handle an answer."""
        number = number_of(line, len(self._hosts))
        if line.strip().lower() in (*LEAVING, "back"):
            self.cancelled = True
        elif number is not None:
            self.places = self._hosts[number - 1].places
        elif line.strip():
            try:
                self.places = (address_of(line.strip()),)
            except BadUse as error:
                self._say(error.message)
        else:
            self.open()
