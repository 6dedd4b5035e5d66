"""The driver that runs a Textual app on a terminal, in the process's event loop and without threads."""

import asyncio
from codecs import getincrementaldecoder
from collections import deque
from collections.abc import Sequence
from contextvars import copy_context
from typing import Any

from textual import constants, events, messages
from textual.app import App
from textual.geometry import Size
from textual.message import Message

from net.doors.terminal import MOUSE, NO_MOUSE_REPORTS, KeyOffers, Terminal
from net.host.metrics import Stage
from net.limits import EVENTS_AT_ONCE, EVENTS_PER_SECOND, MAX_TYPED_AHEAD
from net.loop import LoopScheduler
from net.scheduler import Bucket, Outcome, Piece, Work, new_owner
from tui.model.keys import Button, Key
from tui.pictures import make_uploads
from tui.streams import TYPED
from tui.terminal.contract import FrontScreen
from tui.terminal.page_notes import key_offers
from tui.terminal.textual_private import HookedDriver, KeyParser, crash, is_busy, is_exiting

CHARACTERS_PER_EVENT = 512
"""Characters whose parsing costs as much as one event; the many characters of a paste are one event."""
SLOW_KEY = 2.0
"""Cost of a key that opens or closes a screen, in ordinary keys."""
PICTURES_PER_KEY = 1.0
"""Number of images whose drawing costs as much as one key. They are cached for other guests with the same
cell size.
"""
CELLS_PER_KEY = 2000
"""Number of painted cells that cost as much as one key."""
SLICE_LENGTH = 32
"""Characters parsed in one turn, except in a paste, which is not parsed."""
_PARSER_TIMEOUT = constants.ESCAPE_DELAY + 0.005
_BUSY_RETRY_DELAY = 0.002
"""Seconds until a busy screen is tried again."""

_BEGIN_FRAME, _END_FRAME = "\x1b[?2026h", "\x1b[?2026l"
_LEAVE_CHARACTERS = frozenset("\x03\x11")
"""Ctrl-C and Ctrl-Q, with which a guest leaves before there is a screen."""
# Replies of the terminal to Textual's queries are not input. In particular, a reported size is not trusted, since a
# guest could claim a billion lines; the connection reports it, clipped.
_INPUT_EVENTS = (events.Key, events.Paste, events.MouseDown, events.MouseScrollDown, events.MouseScrollUp)

Input = events.Key | events.Paste | events.MouseEvent | events.Resize


class TerminalDriver(HookedDriver):
    """A driver for one `net.doors.terminal.Terminal`, and its listener while the app runs."""

    def __init__(
        self,
        app: App[Any],
        terminal: Terminal,
        *,
        mouse: bool = True,
        scheduler: LoopScheduler | None = None,
        owner: Bucket | None = None,
        budget: Bucket | None = None,
    ) -> None:
        """`scheduler` gives turns to all sessions. `owner` is this session's budget among them, `budget` that of its
        events. Input is buffered, at most MAX_TYPED_AHEAD bytes, until `release_input` is called.
        """
        super().__init__(app, mouse=mouse, size=terminal.size)
        self.wants_mouse = mouse
        """True if the terminal reports the mouse."""
        self._terminal = terminal
        self.uploads = make_uploads(terminal.cell, terminal.sixel_cell)
        self._decoder = getincrementaldecoder("utf-8" if terminal.utf8 else "latin-1")(TYPED)
        self._parser = KeyParser()
        self.stages = terminal.stages
        self._events: deque[Input] = deque()
        """Events that wait for a turn."""
        self._scheduler = scheduler or LoopScheduler()
        self._owner = owner or new_owner()
        self.keys = Piece(Work.KEY, self._owner, self._take_turn)
        self._session_context = copy_context()
        self._unparsed_text = ""
        self._holds_input = True
        """True until there is a screen."""
        self._budget = budget or Bucket(EVENTS_PER_SECOND, EVENTS_AT_ONCE)
        self._parser_timer: asyncio.TimerHandle | None = None
        self._retry_timer: asyncio.TimerHandle | None = None
        self._frame: list[str] = []
        self._flush_due = False
        self._is_stale = False
        self._sent_offers: KeyOffers | None = None
        self._listening = False
        self._is_synchronized = False
        """True once the terminal has announced synchronized output: it shows a frame only when it is complete."""

    # Output: whole frames or none, so that a dropped one never leaves half an escape sequence or an open mode 2026.

    def write(self, data: str) -> None:
        """Append to the current frame, which is sent by `flush` or in the next iteration of the event loop."""
        self._frame.append(data)
        if not self._flush_due:
            self._flush_due = True
            self.loop.call_soon(self.flush)

    def flush(self) -> None:
        """Send the frame, or drop it while the terminal is slow."""
        self._flush_due = False
        if not self._frame:
            return
        frame = "".join(self._frame)
        self._frame.clear()
        if self._terminal.paused:
            self._is_stale = True
            if self.uploads:
                self.uploads.forget()
        else:
            self._terminal.write(self.uploads.convert_output(frame) if self.uploads else frame)

    @property
    def is_dropping_frames(self) -> bool:
        """True while frames are dropped because the terminal is slow. Drawing is pointless then: everything is
        redrawn later.
        """
        self._is_stale = self._is_stale or self._terminal.paused
        return self._terminal.paused

    def paint(self, data: str) -> None:
        """Send a screen's frame at once."""
        if self._is_synchronized:
            data = f"{_BEGIN_FRAME}{data}{_END_FRAME}"
        self._frame.append(data)
        self.flush()

    def offer(self, keys: Sequence[Key], buttons: Sequence[Button], *, takes_text: bool) -> None:
        """Notify the web page of the keys and buttons of the screen in front, if they have changed.

        `takes_text` is True while the screen takes text.
        """
        if self._terminal.tell is None:
            return
        offers = key_offers(keys, buttons, takes_text=takes_text)
        if offers != self._sent_offers:
            self._sent_offers = offers
            self._terminal.tell(offers)

    def upload_images(self, sequences: str, count: int) -> None:
        """Send `count` images by their escape `sequences` before the next frame, and charge the session for them."""
        self._charge(count / PICTURES_PER_KEY)
        self.write(sequences)

    def take_mouse(self, wants_mouse: bool) -> None:
        """Turn mouse reports of the terminal on or off."""
        self.wants_mouse = wants_mouse
        self.write(MOUSE if wants_mouse else NO_MOUSE_REPORTS)

    def start_application_mode(self) -> None:
        """Enter the full screen and start listening."""
        self._terminal.enter_screen(mouse=self.wants_mouse)
        self._listening = True
        self._terminal.attach(self)

    def disable_input(self) -> None:
        """Stop listening."""
        for timer in (self._parser_timer, self._retry_timer):
            if timer is not None:
                timer.cancel()
        self._events.clear()
        self._unparsed_text = ""
        self._scheduler.cancel(self.keys)
        self.keys.close()
        if self._listening:
            self._listening = False
            self._terminal.detach()
            self._parser.close()

    def stop_application_mode(self) -> None:
        """Remove the images, also from a slow terminal; `run_app` restores the terminal."""
        self.disable_input()
        self._frame.clear()
        if self.uploads:
            self._terminal.write(self.uploads.farewell())

    # Input: the listener of the terminal.

    def on_data(self, data: bytes) -> None:
        """Buffer typed bytes; they are parsed in this session's turn."""
        self._unparsed_text += self._decoder.decode(data)
        if not self._holds_input:
            self._schedule()
        elif not _LEAVE_CHARACTERS.isdisjoint(self._unparsed_text):  # also while the host has nothing to show
            self.on_end()
        else:
            self._unparsed_text = self._unparsed_text[:MAX_TYPED_AHEAD]

    def release_input(self) -> None:
        """Start reading, including the input typed before there was a screen. Idempotent."""
        if self._holds_input:
            self._holds_input = False
            self._schedule()

    def on_resize(self, columns: int, rows: int) -> None:
        """Queue a repaint for a new size. Sizes that wait are coalesced."""
        self._charge(columns * rows / CELLS_PER_KEY)
        if not (self._events and isinstance(self._events[-1], events.Resize)):
            size = Size(columns, rows)
            self._queue_event(events.Resize(size, size))

    def on_pause(self) -> None:
        """Do nothing: `flush` drops frames while the terminal is paused."""

    def on_resume(self) -> None:
        """Repaint everything if a frame was dropped, before reading the input typed meanwhile.

        A click refers to the current picture.
        """
        if self._is_stale:
            self.app.call_later(self._catch_up)
        else:
            self._schedule()

    def _catch_up(self) -> None:
        self._is_stale = False
        if (screen := self._front_screen) is not None:
            screen.repaint()
        self._schedule()

    def on_end(self) -> None:
        """Ask the app to exit, by a message, since it may not have started yet. Unread input is discarded."""
        self._unparsed_text = ""
        self._events.clear()
        self._schedule()
        self.app.call_later(self._exit)

    def on_stop(self) -> None:
        """Remove the images."""
        self._frame.clear()
        if self.uploads:
            self._terminal.write(self.uploads.farewell())

    def on_continue(self) -> None:
        """Enter the full screen again and repaint everything."""
        self._terminal.enter_screen(mouse=self.wants_mouse)
        if self.uploads:
            self.uploads.forget()
        self._is_stale = True
        self.app.call_later(self._catch_up)

    def _exit(self) -> None:
        if not is_exiting(self.app):  # the app may be exiting already, and its result must not be replaced
            self.app.exit()

    @property
    def _may_read(self) -> bool:
        """True if input may be parsed now. While frames are dropped it must wait, or we would draw for nobody."""
        return bool(self._unparsed_text) and not (self._holds_input or self._terminal.paused or self._is_stale)

    def _schedule(self) -> None:
        """Request a turn if there is work, and pause reading while too much of it waits."""
        if self._may_read or self._events:
            self._ask_for_turn()
        if not self._holds_input:
            self._terminal.hold_back(len(self._unparsed_text), EVENTS_AT_ONCE)

    def _parse_slice(self) -> None:
        """Parse a slice of the input, within the budget."""
        now = self.loop.time()
        if self._budget.is_empty(now):
            if self._retry_timer is None:
                self._retry_timer = self.loop.call_at(self._budget.empty_until(now), self._retry_reading)
            return
        size = self._parser.affordable_length(self._unparsed_text, SLICE_LENGTH)
        text, self._unparsed_text = self._unparsed_text[:size], self._unparsed_text[size:]
        self.keys.weight = len(text) / CHARACTERS_PER_EVENT
        self._budget.spend(self.keys.weight, now)
        self._charge(self.keys.weight)
        self._parse(text)
        self._schedule()
        if self._parser_timer is not None:
            self._parser_timer.cancel()
            self._parser_timer = None
        if self._parser.is_pending:
            self._parser_timer = self.loop.call_later(_PARSER_TIMEOUT, self._parse, None)

    def _retry_reading(self) -> None:
        self._retry_timer = None
        self._schedule()

    def _parse(self, text: str | None) -> None:
        """Feed `text` to the parser and queue its events; None only tells the parser that time has passed."""
        for message in self._parser.tick() if text is None else self._parser.feed(text):
            self._budget.spend(1, self.loop.time())
            self._handle(message)

    def _handle(self, message: Message) -> None:
        if isinstance(message, messages.TerminalSupportsSynchronizedOutput):
            self._is_synchronized = True
        if not isinstance(message, _INPUT_EVENTS):
            return
        columns, rows = self._terminal.size
        if isinstance(message, events.MouseEvent) and not (0 <= message.x < columns and 0 <= message.y < rows):
            return
        self._charge(1)
        self._queue_event(message)

    def _queue_event(self, message: Input) -> None:
        self._events.append(message)
        self._ask_for_turn()

    def _ask_for_turn(self) -> None:
        if not self._scheduler.is_waiting(self.keys):
            self._scheduler.submit(self.keys)

    def _charge(self, amount: float) -> None:
        """Charge the guest for work that costs as much as `amount` ordinary keys."""
        self._owner.spend(amount, self.loop.time())

    def _take_turn(self) -> Outcome:
        """Parse input or handle one event; called by the scheduler."""
        try:
            if self._may_read and not self._events:
                self._parse_slice()
            if self._events:
                if self._is_busy:
                    if self._retry_timer is None:
                        self._retry_timer = self.loop.call_later(_BUSY_RETRY_DELAY, self._retry_reading)
                    return Outcome.GONE
                message = self._events.popleft()
                with self.stages.of(Stage.DECIDE):
                    self._session_context.run(self._deliver, message)
        except Exception as error:  # ends this session only
            self._session_context.run(crash, self.app, error)
        return Outcome.MORE if self._events or (self._may_read and self._retry_timer is None) else Outcome.DONE

    @property
    def _front_screen(self) -> FrontScreen[Any] | None:
        """The screen in front, if there is one yet."""
        screen = self.app.screen if self.app.screen_stack else None
        return screen if isinstance(screen, FrontScreen) else None

    @property
    def _is_busy(self) -> bool:
        """True if the app or the screen in front still has messages to handle."""
        if is_exiting(self.app):
            return False
        screen = self._front_screen
        return is_busy(self.app) or screen is None or not screen.is_mounted or is_busy(screen)

    def _deliver(self, message: Input) -> None:
        """Let the screen in front handle an event."""
        screen = self._front_screen
        if screen is None or is_exiting(self.app):
            return
        self.keys.weight = 1.0
        match message:
            case events.Key():
                screen.receive_key(message)
            case events.Paste():
                screen.paste(message.text)
            case events.Resize():
                self.keys.weight = max(1.0, message.size.area / CELLS_PER_KEY)
                screen.repaint()
            case events.MouseEvent():
                screen.receive_mouse(message)
        if self.app.screen_stack[-1:] != [screen]:
            self.keys.weight = SLOW_KEY

    def send_message(self, message: Message) -> None:
        """Post to the app at once: there is only this thread."""
        self.app.post_message(message)
