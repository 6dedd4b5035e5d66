"""Tells what happened at a table, in sentences, from its events."""

from core.actions import Dealt, Drew, Event, MatchOver, Passed, Played, TakenBack
from core.family import AnyView
from tui.families import presenter_of
from tui.i18n import _
from tui.text.headlines import loser_words, side_name
from tui.text.wishes import taken_back_words


class Story:
    """The sentences so far, the newest last. A draw and the play after it make one sentence."""

    def __init__(self, length: int = 150) -> None:
        self.lines: list[str] = []
        self.told: list[str] = []
        """Those of them that tell what happened."""
        self.talk: list[str] = []
        """Those of them that somebody said."""
        self._length = length
        self._drew: Drew | None = None

    def add_events(
        self, events: tuple[Event, ...], names: tuple[str, ...], you: int, sides: int, view: AnyView | None
    ) -> None:
        """Tell some events; `you` is the seat that is spoken to, or -1, and `sides` how many scores there are.

        The `view` is that of the round after them; without one only what is no part of a round is told.
        """
        for event in events:
            told = self._told(event, names, you, sides, view)
            if not told:
                continue
            if self._drew and isinstance(event, Played | Passed) and event.seat == self._drew.seat:
                self.lines.pop()
                self.told.pop()
            self._drew = event if isinstance(event, Drew) else None
            self.lines.append(told)
            self.told.append(told)
        del self.lines[: -self._length], self.told[: -self._length]

    def add(self, line: str, *, talk: bool = False) -> None:
        """Add a sentence that is no event; it may be what somebody said."""
        self._drew = None
        for lines in (self.lines, self.talk if talk else self.told):
            lines.append(line)
            del lines[: -self._length]

    def _told(self, event: Event, names: tuple[str, ...], you: int, sides: int, view: AnyView | None) -> str:
        match event:
            case Dealt(round=number):
                return _("Round {number} is dealt.", number=number)
            case TakenBack():
                return taken_back_words(event, names, you)
            case MatchOver(unfinished=True):
                return _("The match ended without a winner.")
            case MatchOver() if sides == 1:
                return ""
            case MatchOver(winners=()):
                return _("The match is drawn.")
            case MatchOver(winners=winners):
                won = " & ".join(side_name(side, names, sides) for side in winners)
                goats = loser_words(event.called, event.losers, names, sides)
                return " ".join(filter(None, (_("The match goes to {names}.", names=won), goats)))
        return presenter_of(view).told(event, view, names, you, sides, self._drew) if view else ""
