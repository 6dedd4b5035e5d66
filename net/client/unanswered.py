"""What a client asked for at its table and has no answer to: after a break, it asks for that again."""

from collections.abc import Callable

from msgspec.structs import replace

from net.wire.messages import Act, Left, Ready, Refused, ToClient, Update

Wish = Act | Ready


class Unanswered:
    """Remembers a client's last wish until it is answered."""

    def __init__(self, send: Callable[[Wish], None], lost: Callable[[], bool]) -> None:
        """`lost` says whether what is sent goes nowhere; a key that is pressed then does not count later."""
        self._send = send
        self._lost = lost
        self._wish: Wish | None = None

    def ask(self, wish: Wish) -> None:
        """Ask for something."""
        self._wish = None if self._lost() else wish
        self._send(wish)

    def take(self) -> Wish | None:
        """Return what is to be asked again, and forget it."""
        wish, self._wish = self._wish, None
        return wish

    def hear(self, message: ToClient) -> None:
        """Take note of what the host says."""
        match message:
            case Update(events=events, seat=seat, ready=ready):
                if events or seat in ready:
                    self._wish = None
            case Left() | Refused():
                self._wish = None

    def still(self, before: Update | None, now: Update | None) -> bool:
        """Whether a wish in answer to an earlier update makes sense after a later one: nothing was played between.

        An action keeps its number, so that the host does nothing twice in any case.
        """
        if self._wish is not None:  # somebody has asked for something meanwhile
            return False
        if before is None or now is None or before.match is None or now.match is None:
            return False
        if now.table.id != before.table.id or now.seat in now.ready:
            return False
        return replace(now.match, history=()) == replace(before.match, history=())
