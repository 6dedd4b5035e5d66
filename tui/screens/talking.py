"""The line in which people talk, at the table and in the lobby: five phrases are said by one key each."""

from collections.abc import Callable

from textual import events

from net.limits import CHAT_LENGTH
from tui.i18n import _
from tui.screens.base import Line

PHRASES: tuple[Callable[[], str], ...] = (
    lambda: _("Hello!"),
    lambda: _("Well played!"),
    lambda: _("One moment!"),
    lambda: _("Good game!"),
    lambda: _("I must go!"),
)
"""By the keys 1 to 5, as long as nothing else was typed."""


class TalkLine(Line):
    """Is submitted with a phrase, too."""

    def __init__(self, told: str) -> None:
        """`told` is what is said above it: who hears what is typed."""
        phrases = "  ".join(f"{number} {phrase()}" for number, phrase in enumerate(PHRASES, 1))
        super().__init__(told=told, placeholder=phrases, max_length=CHAT_LENGTH)

    def on_key(self, event: events.Key) -> None:
        character = event.character or ""
        if not self.value and character.isascii() and character.isdigit() and 0 < int(character) <= len(PHRASES):
            event.stop()
            event.prevent_default()
            self.post_message(self.Submitted(self, PHRASES[int(character) - 1]()))
