"""Rounds of news to everybody in a lobby: at once when something changes, then not again for a while."""

from collections.abc import Callable, Iterator

from net.contained import Due
from net.limits import NEWS_EVERY, NEWS_GUESTS
from net.table.table import Outbox


class News:
    """Looks at one guest in each turn of the event loop, so that a full lobby delays nobody who plays."""

    def __init__(self, begin: Callable[[], Iterator[Outbox]], tell: Callable[[Outbox], None]) -> None:
        """`begin` begins a round, which gives what to tell each guest, perhaps nothing; `tell` sends it."""
        self._begin = begin
        self._tell = tell
        self._round: Iterator[Outbox] | None = None
        self._again = False
        """Whether something has changed since the round began."""
        self._next = Due(self._go_on, "news-not-told")
        """The next guest of the round, or the end of the pause after it."""
        self._looked_at = 0
        self._closed = False

    def changed(self) -> None:
        """Something has changed."""
        if self._closed:
            return
        self._again = True
        if not self._next:
            self._next.after(0)

    def close(self) -> None:
        """Tell nobody anything any more."""
        self._closed = True
        self._next.cancel()

    def _go_on(self) -> None:
        if self._round is None:
            if not self._again:
                return
            self._round, self._again, self._looked_at = self._begin(), False, 0
        out = next(self._round, None)
        if out is not None:
            self._looked_at += 1
            self._next.after(0)
            self._tell(out)
        else:
            self._round = None
            self._next.after(max(NEWS_EVERY, self._looked_at / NEWS_GUESTS))
