"""The one switch for what is done for speed alone, where one process shows the screens of many guests."""

from msgspec import Struct
from textual.app import App


class Fast(Struct, frozen=True):
    """What a session does past Textual to be fast. With all of it off, every screen works and looks the same."""

    keys: bool = False
    """A key that only chooses goes from the driver to the screen in front, past Textual's queues and timers, and what
    was one key before is not parsed again."""
    paint: bool = False
    """A screen writes itself to the terminal, past Textual's compositor, unless a line to type in lies over it."""
    release: bool = False
    """Ended screens and apps are taken apart, so that a collection need not find them."""
    styles: bool = False
    """Style sheets are parsed once for all sessions."""
    collector: bool = False
    """`GarbageCollector` decides when garbage is collected, not Python."""


PLAIN = Fast()
"""Nothing: on one's own terminal."""
FAST = Fast(keys=True, paint=True, release=True, styles=True, collector=True)
"""Everything: for guests over ssh."""


def fast_of(app: App[object]) -> Fast:
    """Return what an app does to be fast."""
    fast = getattr(app, "fast", PLAIN)
    return fast if isinstance(fast, Fast) else PLAIN
