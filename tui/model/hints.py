"""Asks for hints, one at a time, without blocking anything."""

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

SLOW_SECONDS = 0.4
"""Seconds after which a player is told that the hint takes a while."""
log = logging.getLogger(__name__)


def hint_problem(update: Update) -> str:
    """Return the reason why no hint can be given now; empty if one can."""
    view = update.play
    if view is None or update.seat == NOBODY or view.result or view.turn != update.seat:
        return _("You can ask for a hint only on your turn.")
    return ""


class Hinter:
    """Computes at most one hint for each view, with the thinkers if there are any, otherwise by plain rules."""

    def __init__(
        self,
        client: Client,
        thinkers: Thinkers | None,
        on_hint: Callable[[Hint], None],
        on_problem: Callable[[str], None],
    ) -> None:
        """`on_hint` is called with each hint; `on_problem` with a sentence, if there is none."""
        self._client = client
        self._thinkers, self._on_hint, self._on_problem = thinkers, on_hint, on_problem
        self._view: MatchView | None = None
        """The match at the last request."""
        self._hint: Hint | None = None
        self._pending_thought: asyncio.Future[Thought | None] | None = None
        self._slow_timer: asyncio.TimerHandle | None = None
        self._unsubscribe: Callable[[], None] | None = None

    @property
    def is_thinking(self) -> bool:
        """True while a hint is being computed."""
        return self._pending_thought is not None

    def ask(self) -> None:
        """Request a hint, unless a request is pending; if nothing has changed, repeat the last hint.

        Where hints are not allowed, ask the others to allow them.
        """
        if (update := self._client.update) is None:
            return
        view = update.match
        if not update.table.hints and update.seat != NOBODY:
            self._client.allow_hints()
        elif (refusal := hint_problem(update)) or view is None or view.play is None:
            self._on_problem(refusal)
        elif view == self._view and self._hint:
            self._on_hint(self._hint)
        elif view != self._view or self._pending_thought is None:
            self.forget()
            self._view = view
            if self._thinkers is None or len(view.play.legal) == 1:
                self._deliver_hint(view, None)
            else:
                from core.bots.reasons.hints import hint_question  # noqa: PLC0415 - not before the first hint

                self._pending_thought = self._thinkers.ask(hint_question(view))
                self._pending_thought.add_done_callback(self._handle_thought)
                self._unsubscribe = self._client.subscribe(self._discard_old_hint)
                self._slow_timer = asyncio.get_running_loop().call_later(
                    SLOW_SECONDS, self._on_problem, _("Thinking …")
                )

    def forget(self) -> None:
        """Cancel the pending request and discard the last hint."""
        if self._pending_thought:
            self._pending_thought.cancel()
        self._stop_waiting()
        self._view = self._hint = self._pending_thought = None

    def _discard_old_hint(self, message: ClientEvent) -> None:
        """Discard a hint once the match has moved on."""
        update = self._client.update
        if isinstance(message, Update) and update and update.match != self._view:
            self.forget()

    def _stop_waiting(self) -> None:
        if self._slow_timer:
            self._slow_timer.cancel()
        if self._unsubscribe:
            self._unsubscribe()
        self._slow_timer = self._unsubscribe = None

    def _handle_thought(self, thought: "asyncio.Future[Thought | None]") -> None:
        if thought.cancelled() or thought is not self._pending_thought or self._view is None:
            return
        self._stop_waiting()
        self._pending_thought = None
        self._deliver_hint(self._view, thought.result())

    def _deliver_hint(self, view: MatchView, thought: Thought | None) -> None:
        from core.bots.reasons.hints import hint  # noqa: PLC0415 - not before the first hint

        try:
            self._hint = hint(view, thought)
        except Exception:  # another program's host may show an impossible view
            log.exception("no-hint")
            self._on_problem(_("No hint can be found here."))
        else:
            self._on_hint(self._hint)
