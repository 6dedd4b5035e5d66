"""Asks for hints, one at a time, without holding anything up."""

import asyncio
import logging
from collections.abc import Callable

from core.bots.profiles import Thought
from core.bots.reasons.phrases import Hint
from core.layout.state import NOBODY
from core.match import MatchView
from net.client.client import Client, ClientEvent
from net.host.thinkers import Thinkers
from net.wire.messages import Update
from tui.i18n import _

SLOW = 0.4
"""Seconds after which a player is told that a hint is being thought about."""
log = logging.getLogger(__name__)


def no_hint(update: Update) -> str:
    """Why there is no hint now; empty if there is one."""
    view = update.play
    if view is None or update.seat == NOBODY or view.result or view.turn != update.seat:
        return _("You can ask for a hint only on your turn.")
    return ""


class Hinter:
    """Has one hint worked out for each view at most, by the thinkers if there are any, else by plain rules."""

    def __init__(
        self, client: Client, thinkers: Thinkers | None, found: Callable[[Hint], None], say: Callable[[str], None]
    ) -> None:
        """`found` is called with each hint, and `say` with what there is to say instead."""
        self._client = client
        self._thinkers, self._found, self._say = thinkers, found, say
        self._view: MatchView | None = None
        """What the last hint is about."""
        self._hint: Hint | None = None
        self._thought: asyncio.Future[Thought | None] | None = None
        self._slow: asyncio.TimerHandle | None = None
        self._unsubscribe: Callable[[], None] | None = None

    @property
    def thinks(self) -> bool:
        """Whether a hint is being worked out."""
        return self._thought is not None

    def ask(self) -> None:
        """Look for a hint, unless one is looked for already; tell the last one again if nothing has changed.

        Where hints are not allowed, ask the others to allow them.
        """
        if (update := self._client.update) is None:
            return
        view = update.match
        if not update.table.hints and update.seat != NOBODY:
            self._client.allow_hints()
        elif (refusal := no_hint(update)) or view is None or view.play is None:
            self._say(refusal)
        elif view == self._view and self._hint:
            self._found(self._hint)
        elif view != self._view or self._thought is None:
            self.forget()
            self._view = view
            if self._thinkers is None or len(view.play.legal) == 1:
                self._tell(view, None)
            else:
                from core.bots.reasons.hints import asked  # noqa: PLC0415 - not before the first hint

                self._thought = self._thinkers.ask(asked(view))
                self._thought.add_done_callback(self._answered)
                self._unsubscribe = self._client.subscribe(self._follow)
                self._slow = asyncio.get_running_loop().call_later(SLOW, self._say, _("Thinking …"))

    def forget(self) -> None:
        """Look for nothing any more."""
        if self._thought:
            self._thought.cancel()
        self._stop_waiting()
        self._view = self._hint = self._thought = None

    def _follow(self, message: ClientEvent) -> None:
        """Forget a hint about what is over."""
        update = self._client.update
        if isinstance(message, Update) and update and update.match != self._view:
            self.forget()

    def _stop_waiting(self) -> None:
        if self._slow:
            self._slow.cancel()
        if self._unsubscribe:
            self._unsubscribe()
        self._slow = self._unsubscribe = None

    def _answered(self, thought: "asyncio.Future[Thought | None]") -> None:
        if thought.cancelled() or thought is not self._thought or self._view is None:
            return
        self._stop_waiting()
        self._thought = None
        self._tell(self._view, thought.result())

    def _tell(self, view: MatchView, thought: Thought | None) -> None:
        from core.bots.reasons.hints import hint  # noqa: PLC0415 - not before the first hint

        try:
            self._hint = hint(view, thought)
        except Exception:  # a host that is another's program may show what no game comes to
            log.exception("no-hint")
            self._say(_("No hint can be found here."))
        else:
            self._found(self._hint)
