"""All that Boneyard uses of Textual's private parts, and of Rich's, behind names of its own.

Nobody promises that they stay, so `pyproject.toml` pins Textual, and no other file may use any
(`tests/walls/test_private_parts.py`). After an upgrade, `tests/tui/terminal/test_textual_private.py` says which
of them moved.
"""

import asyncio
import logging
import re
from codecs import getincrementaldecoder
from collections.abc import Awaitable, Callable, Generator, Iterable, Iterator, Mapping
from contextlib import nullcontext
from functools import lru_cache
from threading import Thread
from types import FunctionType
from typing import Any, TextIO, TypeVar

from rich.console import Console
from textual import events
from textual._compositor import Compositor
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.await_remove import AwaitRemove
from textual.cache import LRUCache
from textual.dom import DOMNode
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.filter import ANSIToTruecolor, LineFilter
from textual.geometry import NULL_SPACING, Size
from textual.keys import _character_to_key
from textual.map_geometry import MapGeometry
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widget import AwaitMount, Widget
from textual.worker import Worker

from net.limits import MAX_PASTE
from tui.streams import TYPED

R = TypeVar("R")

Rules = LRUCache[Any, Any]
"""Parsed rules of style sheets, by their source."""
log = logging.getLogger(__name__)
_CONTROL_C = "\x03"
MOUSE = "\x1b[?1000h\x1b[?1006h"
NO_MOUSE = "\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l"
"""What has a terminal report clicks, and what ends all that Textual or we may have asked for."""


_PASTE_BEGINS = "\x1b[200~"
_PASTE_END = "\x1b[201~"
_PASTE_ENDS = re.compile(f"{re.escape(_PASTE_END)}|{_CONTROL_C}")
_PASTE_MAY_END = re.compile(r"\x1b(\[(2(01?)?)?)?\Z")
"""The beginning of `_PASTE_END`, whose rest may come later."""


class KeyParser(XTermParser):
    """Turns what a terminal sends into events: `feed` takes text, `tick` notes that time has passed.

    Textual's own ends for good by a number that no honest terminal sends. This one forgets the sequence and goes on.
    Ctrl-C ends whatever was begun: no sequence has one, and a paste whose end never comes would swallow all keys.
    A bracketed paste is not parsed, but searched for its end. Its first MAX_PASTE characters are kept.
    """

    def __init__(self, *, remembers: bool = False) -> None:
        """`remembers`: look up input that was once recognised as a single key instead of parsing it again."""
        super().__init__()
        self._remembers = remembers
        self._whole = True
        """Whether no sequence is incomplete."""
        self._matched = 0
        """Characters of `_PASTE_BEGINS` that came last."""
        self._paste: str | None = None
        """Text of an unfinished paste, at most MAX_PASTE characters of it; None outside a paste."""
        self._cut = ""
        """Last characters of an unfinished paste that may begin `_PASTE_END`."""

    @property
    def waits(self) -> bool:
        """Whether it matters how soon something follows: a lone Esc is the beginning of a sequence until then."""
        return self._timeout_time is not None

    def portion(self, text: str, most: int) -> int:
        """Return the length of the beginning of `text` that costs no more than parsing `most` characters."""
        if self._paste is None:
            return most
        end = _PASTE_ENDS.search(self._cut + text)
        return len(text) if end is None else max(1, end.end() - len(self._cut))

    def feed(self, data: str) -> Iterator[Message]:
        """Parse text."""
        begins_whole = self._remembers and self._whole and self._paste is None
        if begins_whole and (known := _KNOWN.get(data)):
            yield events.Key(*known)
            return
        solved: list[Message] = []
        for message in self._messages(data):
            solved.append(message)
            yield message
        if not (begins_whole and self._whole and len(solved) == 1 and len(data) <= _KNOWN_LENGTH):
            return
        if isinstance(key := solved[0], events.Key) and len(_KNOWN) < _MOST_KNOWN:
            _KNOWN[data] = key.key, key.character

    def tick(self) -> Iterator[Message]:
        """Note that time has passed."""
        for message in self._unbroken(super().tick()):
            self._whole, self._matched = True, 0
            yield message

    def close(self) -> None:
        """End the generator of the parser, which refers to the parser and, by the last event, to the whole app."""
        list(self._unbroken(super().feed("")))

    def _messages(self, data: str) -> Iterator[Message]:
        at = 0
        while at < len(data):
            if self._paste is not None:
                at = yield from self._take_paste(data, at)
                continue
            char, at = data[at], at + 1  # one by one: what follows a sequence that fails is not lost with it
            self._matched = self._matched + 1 if char == _PASTE_BEGINS[self._matched] else int(char == "\x1b")
            if char == _CONTROL_C or self._matched == len(_PASTE_BEGINS):
                XTermParser.__init__(self)
            if self._matched == len(_PASTE_BEGINS):
                self._matched, self._paste, self._whole = 0, "", True
                continue
            self._whole = False
            for message in self._unbroken(super().feed(char)):
                self._whole = not self.waits
                yield message

    def _take_paste(self, data: str, at: int) -> Generator[Message, None, int]:
        """Take the text of a paste from `data`; return the index after its end, or that of a Ctrl-C."""
        text = self._cut + data[at:]
        end = _PASTE_ENDS.search(text) or _PASTE_MAY_END.search(text)
        begins, self._cut = end.start() if end else len(text), ""
        self._paste = ((self._paste or "") + text[:begins])[:MAX_PASTE]
        if end is None or end[0] not in (_PASTE_END, _CONTROL_C):
            self._cut = text[begins:]
            return len(data)
        pasted, self._paste = self._paste.replace("\0", ""), None
        if end[0] == _PASTE_END:
            yield events.Paste(pasted)
            begins = end.end()
        return len(data) - len(text) + begins

    def _unbroken(self, messages: Iterable[Message]) -> Iterator[Message]:
        try:
            yield from messages
        except Exception:
            log.debug("The parser failed", exc_info=True)
            XTermParser.__init__(self)

    def _parse_extended_key(self, sequence: str) -> list[events.Key] | None:  # type: ignore[override]
        """Parse a key of the Kitty protocol.

        Textual caches the result by parser as well, so that its cache would keep every parser that was ever used.
        """
        return _extended_key(sequence)


@lru_cache(maxsize=1024)
def _extended_key(sequence: str) -> list[events.Key] | None:
    parse: Any = XTermParser._parse_extended_key.__wrapped__
    keys: list[events.Key] | None = parse(XTermParser, sequence)
    return keys


_KNOWN: dict[str, tuple[str, str | None]] = {}
"""By input that is a single key: the name and the character of the key."""
_KNOWN_LENGTH = 6
_MOST_KNOWN = 512


def key_of(name: str, character: str) -> events.Key:
    """Return the event of a key; without a name it is that of the character."""
    if not name:
        name = "enter" if character == "\r" else _character_to_key(character)
    return events.Key(name, character or None)


# What an app is doing.


def driver_of(app: App[Any]) -> Driver | None:
    """Return the driver of an app; None while it does not run."""
    return app._driver


def is_exiting(app: App[Any]) -> bool:
    """Whether an app has been told to exit. It may have a last word, which a second call of `exit` would replace."""
    return app._exit


def is_busy(pump: MessagePump) -> bool:
    """Whether any message waits for a pump: in its queue, or taken from it to be merged with the next."""
    return pump.message_queue_size > 0 or pump._pending_message is not None


def shows_nothing(app: App[Any]) -> bool:
    """Whether what is painted now is not sent: Textual will have all painted again later."""
    return app._batch_count > 0


def binds(screen: Screen[Any], key: str) -> bool:
    """Whether a key is bound to anything on a screen or its app; `active_bindings` asks about each action, too."""
    return any(key in bindings.key_to_bindings for _, bindings in screen._binding_chain)


def failure_of(app: App[Any]) -> Exception | None:
    """Return what ended an app that has crashed."""
    return app._exception


def crash(app: App[Any], error: Exception) -> None:
    """End an app by an error, as if one of its own handlers had raised it."""
    app._handle_exception(error)


# What is set up before an app runs.


def set_filters(app: App[Any], added: LineFilter) -> None:
    """Replace the filters that every line passes, but for the one that resolves the terminal's named colours."""
    app._filters = [*(each for each in app._filters if isinstance(each, ANSIToTruecolor)), added]


def share_rules(app: App[Any], rules: Rules) -> None:
    """Have the style sheet of an app keep its parsed rules in a cache that other apps use, too."""
    app.stylesheet._parse_cache = rules


def make_console(old: Console, env: Mapping[str, str], size: tuple[int, int]) -> Console:
    """Return a true-colour console that takes nothing from this process's environment."""
    width, height = size
    return Console(
        color_system="truecolor",
        file=old.file,
        width=width,
        height=height,
        force_terminal=True,
        highlight=False,
        emoji=False,
        legacy_windows=False,
        safe_box=False,
        soft_wrap=False,
        _environ=env,
    )


class HookedDriver(Driver):
    """A driver whose subclasses need no private name of Textual's."""

    @property
    def app(self) -> App[Any]:
        """The app that is shown."""
        return self._app

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The event loop of the app."""
        return self._loop

    @property
    def wants_mouse(self) -> bool:
        """Whether the mouse shall be reported."""
        return self._mouse

    def take_mouse(self, taken: bool) -> None:
        """Have the terminal report the mouse, or leave it to the terminal."""
        self._mouse = taken
        self.write(MOUSE if taken else NO_MOUSE)


class HookedLinuxDriver(LinuxDriver, HookedDriver):
    """Textual's driver for the terminal here, with a parser and a writer of one's own."""

    def make_parser(self) -> KeyParser:
        """Return what turns what the terminal sends into events."""
        raise NotImplementedError

    def make_writer(self, file: TextIO) -> Thread:
        """Return the thread that writes to a terminal; it has `write` and `stop`.

        Textual's own lets the event loop wait once thirty writes wait for the terminal: for ever, once that is gone.
        """
        raise NotImplementedError

    def start_application_mode(self) -> None:
        """Begin to show the app."""
        _with_names(LinuxDriver.start_application_mode, WriterThread=self.make_writer)(self)

    def run_input_thread(self) -> None:
        """Read what the terminal sends, also what is no UTF-8."""
        _with_names(
            LinuxDriver.run_input_thread,
            XTermParser=lambda _debug: self.make_parser(),
            getincrementaldecoder=lambda name: lambda: getincrementaldecoder(name)(TYPED),
        )(self)


class _FlatCompositor(Compositor):
    """Arranges a screen without widgets.

    Textual's own uses a recursive closure, which refers to itself and keeps the screen until a collection.
    """

    def _arrange_root(
        self, root: Widget, size: Size, visible_only: bool = True
    ) -> tuple[dict[Widget, MapGeometry], set[Widget]]:
        if root.children or not root._is_mounted:
            return super()._arrange_root(root, size, visible_only)
        region = size.region
        geometry = MapGeometry(region, ((0, 0, 0),), region, size, size, region, NULL_SPACING)
        return {root: geometry}, {root}


class _BareScreen(Screen[R]):
    """A screen without Textual's places for notices and hints, which nobody uses here, and its selection of text.

    That fails where a click finds a widget that has just left its parent.
    """

    ALLOW_SELECT = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._compositor = _FlatCompositor()

    def run_worker(self, work: Any, *args: Any, **kwargs: Any) -> Worker[Any]:
        """Start a task of the screen."""
        return released(super().run_worker(work, *args, **kwargs))

    @classmethod
    def _get_component_classes(cls) -> frozenset[str]:  # type: ignore[override]
        """Style no selection."""
        return frozenset()

    def _extend_compose(self, widgets: list[Widget]) -> None:
        """Add nothing."""


class UnseenScreen(_BareScreen[None]):
    """The screen under all others, which nobody sees: it is neither styled, arranged nor painted."""

    def update_node_styles(self, animate: bool = True) -> None:
        """Style nothing."""

    def _refresh_layout(self, size: Size | None = None, scroll: bool = False) -> None:
        """Arrange nothing."""

    def _compositor_refresh(self) -> None:
        """Paint nothing."""


class HookedScreen(_BareScreen[R]):
    """A screen without widgets that is styled, arranged and painted once when it is opened.

    Textual does that again for what was asked for while it was mounted, and for the first size.
    """

    _fresh = True
    _arranged_for: Size | None = None
    """The first size, of which Textual will hear later."""

    def _on_screen_resume(self, event: events.ScreenResume) -> None:
        event.prevent_default()  # Textual's own, which would come next, is called here
        opens, self._fresh = self._fresh, False
        event.refresh_styles = event.refresh_styles and not opens
        if not opens:
            super()._on_screen_resume(event)
            return
        if isinstance(self.app, HookedApp) and not self.app.hears:
            self.app.hears = True
            self.app.call_later(self.app.screen_hears)
        if shows_nothing(self.app):
            self.app.call_later(self.refresh)  # an app that begins does not tell its screens when it shows something
            super()._on_screen_resume(event)
            return
        self._arranged_for = self.app.size
        super()._on_screen_resume(event)
        self._layout_required = self._repaint_required = False

    def paints_itself(self) -> bool:
        """Paint everything past Textual, if that can be; return whether it is done."""
        return False

    def _compositor_refresh(self) -> None:
        dirty = self._compositor._dirty_regions
        everything = self.size.region in dirty and self.is_current and not shows_nothing(self.app)
        if everything and self.paints_itself():
            dirty.clear()
            self._dirty_widgets.clear()
        else:
            super()._compositor_refresh()

    def _screen_resized(self, size: Size) -> None:
        arranged_for, self._arranged_for = self._arranged_for, None
        if size != arranged_for:
            super()._screen_resized(size)


def released(worker: Worker[Any]) -> Worker[Any]:
    """Have a worker drop its task once that is done: the task's context refers to the worker, and so to the app."""

    def release(_task: object) -> None:
        worker._task = worker._error = None

    if worker._task is not None:
        worker._task.add_done_callback(release)
    return worker


class HookedApp(App[R]):
    """An app that asks its subclasses what Textual decides in private methods, if it `is_served`."""

    hears = False
    """Whether it has a screen that takes keys."""

    @property
    def is_served(self) -> bool:
        """Whether the app is shown on a guest's terminal and not on this process's own."""
        return False

    def run_worker(self, work: Any, *args: Any, **kwargs: Any) -> Worker[Any]:
        """Start a task of the app."""
        return released(super().run_worker(work, *args, **kwargs))

    def make_driver(self, *, mouse: bool) -> Driver:
        """Return the driver of a served app."""
        raise NotImplementedError

    def breaks(self) -> None:
        """Take note that an error is about to end the app, which has its terminal still."""

    def screen_hears(self) -> None:
        """Take note that the first screen has opened, which takes keys from now on."""

    def screen_ended(self, parts: list[DOMNode]) -> None:
        """Take note that a screen of a served app has ended, which had these parts."""

    async def run_in_task(
        self,
        size: tuple[int, int],
        on_ready: Callable[[], Awaitable[None]] | None,
        closes_within: float,
        *,
        releases: bool,
    ) -> R | None:
        """Run a served app in this task until it exits; its widgets have `closes_within` seconds to close.

        It is taken apart afterwards if it `releases` its parts.

        It is what `App.run_async` does, but for the loop's task factory: from Python 3.12 on that would make every
        task of the host eager, the tables' too.
        """
        self._thread_init()  # type: ignore[no-untyped-call]
        self._loop = asyncio.get_running_loop()
        with self._context():
            try:
                await self._process_messages(ready_callback=on_ready, terminal_size=size)
            finally:
                parts = parts_of(self._registry)
                async with asyncio.timeout(closes_within):
                    await self._shutdown()
                self._loop = None
                self._thread_id = 0
                if releases:
                    take_apart(parts)
                self._screen_stacks.clear()
                self._driver = None
        error, result = self._exception, self.return_value
        if releases:
            vars(self.animator).clear()  # it and its timer hold each other
            take_apart([self])
            self._driver, self._loop, self._thread_id, self._exit, self._return_value = None, None, 0, True, result
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise asyncio.CancelledError  # Textual's loop takes a cancellation for an exit and says nothing
        if error is not None:
            raise error
        return result

    def may_be_looked_at(self, parts: Iterable[DOMNode]) -> bool:
        """Whether anything still waits that might look at the parts of an ended screen.

        A screen hands what it still has to do to the next one, and on a busy host that may take a while.
        """
        screens = self._screen_stacks.get(self._current_mode, ())  # none once the session has ended
        pumps = [pump for pump in (self, *screens, *parts) if pump._running]
        return any(
            pump._next_callbacks or pump.message_queue_size or getattr(pump, "_callbacks", ()) for pump in pumps
        )

    def _build_driver(self, headless: bool, inline: bool, mouse: bool, size: tuple[int, int] | None) -> Driver:
        if not self.is_served:
            return super()._build_driver(headless, inline, mouse, size)
        self._driver = self.make_driver(mouse=mouse)
        return self._driver

    async def _process_messages(self, *args: Any, **kwargs: Any) -> None:
        if self.is_served:
            await _process_quietly(self, *args, **kwargs)
        else:
            await super()._process_messages(*args, **kwargs)

    def _fatal_error(self) -> None:
        if self.is_served:  # `run_in_task` raises it; a rendered traceback costs everybody 100 ms and is printed here
            self._close_messages_no_wait()
        else:
            super()._fatal_error()

    def _close_messages_no_wait(self) -> None:
        self.breaks()
        super()._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        if self.is_served:
            self._exit_renderables.clear()
        else:
            super()._print_error_renderables()

    async def _replace_screen(self, screen: Screen[Any]) -> Screen[Any]:
        """Do what Textual does, but for painting the next screen once more."""
        screen.post_message(events.ScreenSuspend())
        if any(screen in stack for stack in self._screen_stacks.values()):
            return screen
        parts = parts_of(screen.walk_children(with_self=True))
        self.capture_mouse(None)
        await screen.remove()
        if self.is_served:
            self.screen_ended(parts)
        return screen

    @property
    def _background_screens(self) -> list[Screen[Any]]:
        return []  # each of ours fills the window

    def _get_screen(self, screen: Screen[Any] | str) -> tuple[Screen[Any], AwaitMount]:
        shown, mounted = super()._get_screen(screen)
        if isinstance(shown, HookedScreen) and self.screen_stack:
            mounted._parent = self.screen_stack[0]  # arranged again once this one is mounted, which costs nothing
        return shown, mounted

    def _prune(self, *nodes: Widget, parent: DOMNode | None = None) -> AwaitRemove:
        """End widgets. Nothing is arranged again for a screen that has gone."""
        return super()._prune(*nodes, parent=None if parent is self else parent)

    def _set_pointer_shape(self, shape: str) -> None:
        if not self.is_served:  # a served mouse reports no motion, and old consoles print the sequence
            super()._set_pointer_shape(shape)


def _with_names(function: Any, **names: object) -> Any:
    """Return the same function, for which some names of its module mean something else."""
    return FunctionType(
        function.__code__,
        {**function.__globals__, **names},
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )


# Textual's loop of an app redirects sys.stdout and sys.stderr for the whole process, and puts back what it
# found. If apps end in another order than they began, the capture of an ended one stays there, and every `print`
# and log is lost in it. There is no switch for it, so a served app runs the same loop with redirections that
# do nothing.
_process_quietly = _with_names(App._process_messages, redirect_stdout=nullcontext, redirect_stderr=nullcontext)


# What an ended screen leaves behind.


def parts_of(nodes: Iterable[DOMNode]) -> list[DOMNode]:
    """Return nodes with what Textual keeps for them outside the DOM: scroll bars, and bearers of styles."""
    parts: list[DOMNode] = []
    for node in nodes:
        parts.append(node)
        if isinstance(node, Widget):
            parts += [
                *node._get_virtual_dom(),
                *filter(None, (styles.node for styles in node._component_styles.values())),
            ]
    return parts


def take_apart(parts: Iterable[DOMNode]) -> None:
    """Cut what holds ended screens together, so that counting references frees most of it at once.

    Otherwise only a full collection would, which stops everybody; each screen is some 100 KiB, and each app a MiB.
    """
    for part in parts:
        part.__dict__.clear()
