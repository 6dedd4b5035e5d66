"""A terminal driver that records its events in a list, and a helper that types at it."""

from types import SimpleNamespace

from textual import events

from net.doors.terminal import NullTransport, Terminal
from net.limits import EVENTS_AT_ONCE
from net.scheduler import Bucket
from tui.terminal.contract import FrontScreen
from tui.terminal.driver import TerminalDriver


class EventRecorder(FrontScreen[None]):
    """A screen that is always idle, and records its events."""

    is_mounted = True
    message_queue_size = 0
    _pending_message = None

    def __init__(self, received: list) -> None:
        self.receive_key = self.receive_mouse = received.append
        self.paste = lambda text: received.append(events.Paste(text))


class Typist:
    """Types at a driver whose budget and delays take no time. It must be created on a running loop."""

    def __init__(self) -> None:
        self.received: list = []
        screen = EventRecorder(self.received)
        app = SimpleNamespace(
            call_later=lambda *_: None,
            message_queue_size=0,
            _pending_message=None,
            _exit=False,
            screen=screen,
            screen_stack=[screen],
        )
        self._driver = TerminalDriver(app, Terminal(NullTransport(), "xterm-256color", (80, 24), {}))
        self._driver._listening = True
        self._driver._terminal.attach(self._driver)
        self._driver.release_input()

    @property
    def held(self) -> int:
        """Number of characters of a paste that are buffered without an event yet."""
        return len(self._driver._parser._paste or "")

    def type_bytes(self, data: bytes) -> None:
        self._driver.on_data(data)
        while self._driver._unparsed_text:
            self._driver._budget = Bucket(1, EVENTS_AT_ONCE)
            self._driver.keys.run()
        self._run_loop()

    def _run_loop(self) -> None:
        """Run the loop until all keys are handled, one in each iteration."""
        while self._driver._events:
            self._driver.keys.run()

    def wait_for_escape(self) -> None:
        """Let the time pass after which a lone Escape is a key."""
        parser = self._driver._parser
        if parser._timeout_time is not None:
            parser._timeout_time = 0.0
        self._driver._parse(None)
        self._run_loop()

    def end(self) -> None:
        self._driver.disable_input()
