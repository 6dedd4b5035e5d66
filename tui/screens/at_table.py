"""What everybody at a table can do besides playing: talk, see what happened and who is here, pause, fill seats."""

from collections.abc import Callable
from typing import ClassVar

from core.actions import Laid, Played
from net.client.client import Client
from net.wire.messages import Update
from tui.draw.look import Look
from tui.i18n import _
from tui.screens.base import DrawnScreen
from tui.screens.guests import GuestsScreen
from tui.screens.talking import TalkLine
from tui.text.at_table import PACES, pace_of, pace_words
from tui.text.notices import Story, request_news


class AtTableScreen(DrawnScreen[None]):
    """Sends what is typed, and what is asked for, to the client's table."""

    LAST_LOOK: ClassVar[float] = 2.5
    """Seconds for which the last tile of a round, and the hands that are turned over, are seen before the result."""
    STEPS: ClassVar[int] = 5
    """Steps in which the pips of the hands are counted, in the first half of that time."""
    GLOW: ClassVar[float] = 0.15
    """Seconds for which a tile that was laid glows, where anything moves."""

    def __init__(self, client: Client, look: Look) -> None:
        super().__init__(look)
        self._client = client
        self._before = client.update
        self._story = Story()
        self._back = 0
        """Lines of the story that were leafed back."""
        self._shows_result = True
        self._counted = 1.0
        """The share of the hands' pips that has been counted."""
        self._glows = False
        self.switch_bell: Callable[[], str] = str
        """Lets the bell ring, or be silent; returns what to tell the player."""

    @property
    def _names(self) -> tuple[str, ...]:
        """The names on the seats."""
        update = self._client.update
        return tuple(seat.name for seat in update.table.seats) if update else ()

    def action_talk(self) -> None:
        self.type_line(TalkLine(_("To all at the table · Enter sends · Esc cancels")), self._client.say)

    def action_who(self) -> None:
        self.app.push_screen(GuestsScreen(self.look, self._client))

    def action_pause(self) -> None:
        if self._client.update:
            self._client.pause(self._client.update.table.phase != "paused")

    def action_pace(self, step: int) -> None:
        if self._client.update:
            at = PACES.index(pace_of(self._client.update.table)) + step
            self._client.set_pace(PACES[max(0, min(at, len(PACES) - 1))])

    def _news(self, update: Update) -> list[str]:
        """How fast the bots play, if somebody has just changed it, and what somebody would like."""
        before, self._before = self._before, update
        news = [pace_words(update.table)] if before and update.table.pace != before.table.pace else []
        return news + request_news(before, update, self._names)

    def action_skip(self) -> None:
        self._client.skip()

    def action_take_back(self) -> None:
        """Take back one's last choice, or agree that somebody else does; the host says why not."""
        self._client.take_back()

    def action_bell(self) -> None:
        """Let the bell ring, or be silent from now on."""
        if told := self.switch_bell():
            self.note(told)

    def note(self, sentence: str) -> None:
        """Add a sentence to the story, so that it stays when the next thing happens."""
        self._story.add(sentence)
        self.redraw()

    def action_leaf(self, lines: int) -> None:
        self._back = max(0, min(self._back + lines, len(self._story.told)))
        self.redraw()

    def action_look(self) -> None:
        self._shows_result = not self._shows_result
        self.redraw()

    def _glow(self, update: Update) -> None:
        """Let a tile that was laid glow for a moment; nothing waits for it."""
        if self.look.moves and self.is_attached and any(isinstance(event, Played | Laid) for event in update.events):
            self._glows = True
            self.set_timer(self.GLOW, self._end_glow)

    def _end_glow(self) -> None:
        self._glows = False
        self.redraw()

    def _look_a_last_time(self, update: Update) -> None:
        """Show the table and all hands for a moment before the result, unless all shall go fast."""
        self._counted = 1.0
        if self.LAST_LOOK and self.is_attached and pace_of(update.table) != "at once":
            self._shows_result = False
            self.set_timer(self.LAST_LOOK, self._show_result)
            if self.look.moves:
                self._counted = 0.0
                self.set_timer(self.LAST_LOOK / self.STEPS / 2, self._count_on)
        else:
            self.settle()

    def _count_on(self) -> None:
        """Count some more of the pips of all hands."""
        self._counted = min(1.0, self._counted + 1 / self.STEPS)
        self.redraw()
        if self._counted < 1:
            self.set_timer(self.LAST_LOOK / self.STEPS / 2, self._count_on)

    def _show_result(self) -> None:
        """Show the result, if the player has not asked for it before."""
        if not self._shows_result:
            self._shows_result = True
            self.settle()
        self.redraw()

    def action_end_match(self) -> None:
        """End a match that may never end; the host says no to any other."""
        self._client.end_match()

    def action_fill(self) -> None:
        self._client.fill()
