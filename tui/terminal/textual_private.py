"""Every private part of Textual and Rich that Boneyard uses, behind names of its own.

Private parts may change in any release, so `pyproject.toml` pins Textual, and no other file may use any
(`tests/walls/test_private_parts.py`). After an upgrade, `tests/tui/terminal/test_textual_private.py` reports which of
them moved.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Generator, Iterable, Iterator
from contextlib import nullcontext
from functools import lru_cache
from types import FunctionType
from typing import Any, TypeVar

from textual import events
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.cache import LRUCache
from textual.dom import DOMNode
from textual.driver import Driver
from textual.geometry import Size
from textual.keys import _character_to_key
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widget import Widget
from textual.worker import Worker

from net.limits import MAX_PASTE

R = TypeVar("R")

Rules = LRUCache[Any, Any]
"""Parsed rules of style sheets, by source."""
log = logging.getLogger(__name__)
_CONTROL_C = "\x03"
_PASTE_START = "\x1b[200~"
_PASTE_END = "\x1b[201~"
_PASTE_STOP_PATTERN = re.compile(f"{re.escape(_PASTE_END)}|{_CONTROL_C}")
_PARTIAL_PASTE_END_PATTERN = re.compile(r"\x1b(\[(2(01?)?)?)?\Z")
"""An incomplete `_PASTE_END` at the end of the input."""


class KeyParser(XTermParser):
    """Turns terminal input into events: `feed` takes text, `tick` notes that time has passed.

    Textual's parser stops for good at some malformed sequences; this one drops the sequence and continues. Ctrl-C
    resets it: no sequence contains Ctrl-C, and an unterminated paste would swallow every later key. A bracketed paste
    is only searched for its end, not parsed; its first MAX_PASTE characters are kept.
    """

    def __init__(self) -> None:
        super().__init__()
        self._is_complete = True
        """True if no sequence is incomplete."""
        self._matched_start_length = 0
        """Number of characters of `_PASTE_START` received last."""
        self._paste: str | None = None
        """Text of an unfinished paste, at most MAX_PASTE characters; None outside a paste."""
        self._possible_paste_end = ""
        """The end of an unfinished paste's input that may begin `_PASTE_END`."""

    @property
    def is_pending(self) -> bool:
        """True while input is incomplete: a lone Esc begins a sequence unless the timeout expires."""
        return self._timeout_time is not None

    def affordable_length(self, text: str, limit: int) -> int:
        """Return the length of the prefix of `text` that costs no more than parsing `limit` characters."""
        if self._paste is None:
            return limit
        end = _PASTE_STOP_PATTERN.search(self._possible_paste_end + text)
        return len(text) if end is None else max(1, end.end() - len(self._possible_paste_end))

    def feed(self, data: str) -> Iterator[Message]:
        """Parse text; look up input that was once recognised as a single key."""
        starts_complete = self._is_complete and self._paste is None
        if starts_complete and (cached_key := _KEYS_BY_INPUT.get(data)):
            yield events.Key(*cached_key)
            return
        messages: list[Message] = []
        for message in self._parse_text(data):
            messages.append(message)
            yield message
        if not (starts_complete and self._is_complete and len(messages) == 1 and len(data) <= _MAX_INPUT_LENGTH):
            return
        if isinstance(key := messages[0], events.Key) and len(_KEYS_BY_INPUT) < _MAX_KEYS:
            _KEYS_BY_INPUT[data] = key.key, key.character

    def tick(self) -> Iterator[Message]:
        """Note that time has passed."""
        for message in self._reset_on_failure(super().tick()):
            self._is_complete, self._matched_start_length = True, 0
            yield message

    def close(self) -> None:
        """End the parser's generator, which refers to the parser and, through the last event, to the whole app."""
        list(self._reset_on_failure(super().feed("")))

    def _parse_text(self, data: str) -> Iterator[Message]:
        index = 0
        while index < len(data):
            if self._paste is not None:
                index = yield from self._take_paste(data, index)
                continue
            # one by one, so that a malformed sequence does not take the text after it along
            char, index = data[index], index + 1
            self._matched_start_length = (
                self._matched_start_length + 1
                if char == _PASTE_START[self._matched_start_length]
                else int(char == "\x1b")
            )
            if char == _CONTROL_C or self._matched_start_length == len(_PASTE_START):
                XTermParser.__init__(self)
            if self._matched_start_length == len(_PASTE_START):
                self._matched_start_length, self._paste, self._is_complete = 0, "", True
                continue
            self._is_complete = False
            for message in self._reset_on_failure(super().feed(char)):
                self._is_complete = not self.is_pending
                yield message

    def _take_paste(self, data: str, index: int) -> Generator[Message, None, int]:
        """Consume the text of a paste from `data[index:]`; return the index after its end, or that of a Ctrl-C."""
        text = self._possible_paste_end + data[index:]
        stop = _PASTE_STOP_PATTERN.search(text) or _PARTIAL_PASTE_END_PATTERN.search(text)
        end_index, self._possible_paste_end = stop.start() if stop else len(text), ""
        self._paste = ((self._paste or "") + text[:end_index])[:MAX_PASTE]
        if stop is None or stop[0] not in (_PASTE_END, _CONTROL_C):
            self._possible_paste_end = text[end_index:]
            return len(data)
        pasted_text, self._paste = self._paste.replace("\0", ""), None
        if stop[0] == _PASTE_END:
            yield events.Paste(pasted_text)
            end_index = stop.end()
        return len(data) - len(text) + end_index

    def _reset_on_failure(self, messages: Iterable[Message]) -> Iterator[Message]:
        try:
            yield from messages
        except Exception:
            log.debug("The parser failed", exc_info=True)
            XTermParser.__init__(self)

    def _parse_extended_key(self, sequence: str) -> list[events.Key] | None:  # type: ignore[override]
        """Parse a key of the Kitty protocol.

        Textual's cache of the results has the parser in its key, and would keep every parser ever used.
        """
        return _parse_extended_key_once(sequence)


@lru_cache(maxsize=1024)
def _parse_extended_key_once(sequence: str) -> list[events.Key] | None:
    parse: Any = XTermParser._parse_extended_key.__wrapped__
    keys: list[events.Key] | None = parse(XTermParser, sequence)
    return keys


_KEYS_BY_INPUT: dict[str, tuple[str, str | None]] = {}
"""Name and character of a key, by input that is this key alone."""
_MAX_INPUT_LENGTH = 6
_MAX_KEYS = 512


def key_of(name: str, character: str) -> events.Key:
    """Return the event of a key; an empty `name` is derived from the character."""
    if not name:
        name = "enter" if character == "\r" else _character_to_key(character)
    return events.Key(name, character or None)


# The state of an app.


def is_exiting(app: App[Any]) -> bool:
    """Return True once an app has been told to exit; another call of `exit` would replace its result."""
    return app._exit


def is_busy(pump: MessagePump) -> bool:
    """Return True if a message waits for a pump: in its queue, or taken out to be merged with the next."""
    return pump.message_queue_size > 0 or pump._pending_message is not None


def crash(app: App[Any], error: Exception) -> None:
    """End an app with an error, as if one of its handlers had raised it."""
    app._handle_exception(error)


# Setup before an app runs.


def share_rules(app: App[Any], rules: Rules) -> None:
    """Make the app's style sheet share its cache of parsed rules with other apps."""
    app.stylesheet._parse_cache = rules


class HookedDriver(Driver):
    """A driver whose subclasses use no private name of Textual."""

    @property
    def app(self) -> App[Any]:
        """The app."""
        return self._app

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The event loop of the app."""
        return self._loop


class SelfPaintedScreen(Screen[R]):
    """A screen without widgets, which Textual neither styles, arranges nor paints; its subclasses paint it.

    Textual would add widgets for notices, tooltips and text selection, which Boneyard does not use.
    """

    ALLOW_SELECT = False

    @property
    def size(self) -> Size:
        """Columns and rows of the terminal."""
        return self.app.size

    def run_worker(self, work: Any, *args: Any, **kwargs: Any) -> Worker[Any]:
        """Start a task of the screen."""
        return release_when_done(super().run_worker(work, *args, **kwargs))

    @classmethod
    def _get_component_classes(cls) -> frozenset[str]:  # type: ignore[override]
        """Return no classes: nodes with their styles would keep the screen alive until a full collection."""
        return frozenset()

    def _extend_compose(self, widgets: list[Widget]) -> None:
        """Add nothing."""

    def update_node_styles(self, animate: bool = True) -> None:
        """Style nothing."""

    def _refresh_layout(self, size: Size | None = None, scroll: bool = False) -> None:
        """Arrange nothing."""

    def _compositor_refresh(self) -> None:
        """Paint nothing."""


def release_when_done(worker: Worker[Any]) -> Worker[Any]:
    """Drop a worker's task once it is done: its context refers to the worker, and so to the app."""

    def release(_task: object) -> None:
        worker._task = worker._error = None

    if worker._task is not None:
        worker._task.add_done_callback(release)
    return worker


class HookedApp(App[R]):
    """An app with hooks for what Textual decides in private methods."""

    def run_worker(self, work: Any, *args: Any, **kwargs: Any) -> Worker[Any]:
        """Start a task of the app."""
        return release_when_done(super().run_worker(work, *args, **kwargs))

    def make_driver(self, *, mouse: bool) -> Driver:
        """Return the driver."""
        raise NotImplementedError

    def on_crash(self) -> None:
        """Called when an error is about to end the app; the app still has its terminal."""

    async def run_in_task(
        self,
        size: tuple[int, int],
        on_ready: Callable[[], Awaitable[None]] | None,
        shutdown_timeout: float,
    ) -> R | None:
        """Run the app in this task until it exits; its widgets have `shutdown_timeout` seconds to close.

        Like `App.run_async`, except for the loop's task factory: from Python 3.12 on, Textual's would make every task
        of the host eager, those of tables too.
        """
        self._thread_init()  # type: ignore[no-untyped-call]
        self._loop = asyncio.get_running_loop()
        with self._context():
            try:
                await self._process_messages(ready_callback=on_ready, terminal_size=size)
            finally:
                nodes = list(self._registry)
                async with asyncio.timeout(shutdown_timeout):
                    await self._shutdown()
                self._loop = None
                self._thread_id = 0
                break_cycles(nodes)
                self._screen_stacks.clear()
                self._driver = None
        error, result = self._exception, self.return_value
        vars(self.animator).clear()  # the animator and its timer refer to each other
        break_cycles([self])
        self._driver = self._loop = None
        self._thread_id, self._running, self._exit, self._return_value = 0, False, True, result
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise asyncio.CancelledError  # Textual's loop takes a cancellation for an exit and swallows it
        if error is not None:
            raise error
        return result

    def is_referenced(self, nodes: Iterable[DOMNode]) -> bool:
        """Return True if a pending callback or message may refer to the `nodes` of an ended screen.

        A screen hands its pending callbacks to the next one; on a busy host, that may take a while.
        """
        screens = self._screen_stacks.get(self._current_mode, ())  # empty once the session has ended
        pumps = [pump for pump in (self, *screens, *nodes) if pump._running]
        return any(
            pump._next_callbacks or pump.message_queue_size or getattr(pump, "_callbacks", ()) for pump in pumps
        )

    def _build_driver(
        self,
        headless: bool,  # noqa: ARG002 - Textual passes it by keyword
        inline: bool,  # noqa: ARG002
        mouse: bool,
        size: tuple[int, int] | None,  # noqa: ARG002
    ) -> Driver:
        self._driver = self.make_driver(mouse=mouse)
        return self._driver

    async def _process_messages(self, *args: Any, **kwargs: Any) -> None:
        await _process_quietly(self, *args, **kwargs)

    def _fatal_error(self) -> None:
        """Close the app. `run_in_task` raises the error; a rendered traceback would block the host for 100 ms."""
        self._close_messages_no_wait()

    def _close_messages_no_wait(self) -> None:
        self.on_crash()
        super()._close_messages_no_wait()


# Textual's loop of an app redirects sys.stdout and sys.stderr for the whole process and restores them at the end. If
# apps do not end in reverse order, the capture of an ended one stays installed and swallows every `print` and log.
# Textual has no switch for that, so this is the same loop with redirections that do nothing.
_APP_LOOP: Any = App._process_messages
_process_quietly = FunctionType(
    _APP_LOOP.__code__,
    {**_APP_LOOP.__globals__, "redirect_stdout": nullcontext, "redirect_stderr": nullcontext},
    _APP_LOOP.__name__,
    _APP_LOOP.__defaults__,
    _APP_LOOP.__closure__,
)


# Cleanup after a screen.


def break_cycles(nodes: Iterable[DOMNode]) -> None:
    """Break the reference cycles of ended screens, so that reference counting frees most of their memory at once.

    Otherwise only a full collection would, which stops the whole process; a screen takes some 100 KiB, an app 1 MiB.
    """
    for node in nodes:
        node.__dict__.clear()
