"""Notes of a session to a browser's page: the keys, whose turn it is, and the guest's location."""

from collections.abc import Sequence

from core.layout.state import NOBODY
from net.client.client import Client, ClientEvent
from net.doors.terminal import BarButton, GuestLocation, GuestName, KeyOffer, KeyOffers, Tell, TurnNotice
from net.storage.record_index import LINK_LENGTH
from net.wire.messages import Entered, Left, Tables, Update
from tui.i18n import capitalize
from tui.model.keys import LABELS, Button, Key, name_of_label
from tui.text.at_table import has_other_players
from tui.text.notices import is_turn, table_path

_INPUT_BY_KEY = {
    "enter": "\r",
    "space": " ",
    "left": "\x1b[D",
    "right": "\x1b[C",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "escape": "\x1b",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "home": "\x1b[H",
    "end": "\x1b[F",
}
"""Input that a terminal sends for a key by Textual's name; for other keys it is their label."""
_LINE_KEYS = ("up", "down", "escape")
"""Keys that also work while text is typed."""


def key_offers(keys: Sequence[Key], buttons: Sequence[Button] = (), *, takes_text: bool) -> KeyOffers:
    """Return the keys that a screen offers; while it takes text, Enter and those of `_LINE_KEYS`."""
    offers = [KeyOffer(_INPUT_BY_KEY["enter"], LABELS["enter"], "")] if takes_text else []
    for key in keys:
        name = key.names[0]
        key_input = _input_of(name)
        if key_input and (not takes_text or name in _LINE_KEYS):
            offers.append(KeyOffer(key_input, key.label or LABELS.get(name, name), key.words()))
    bar = [
        BarButton(_input_of(name_of_label(label)) if label else "", capitalize(words), kind)
        for label, words, kind in buttons
    ]
    return KeyOffers(tuple({offer.key: offer for offer in offers}.values()), takes_text, tuple(bar))


def _input_of(name: str) -> str:
    """Return the input that a terminal sends for a key by Textual's name; empty for a key that is not sent."""
    return _INPUT_BY_KEY.get(name) or LABELS.get(name, name if len(name) == 1 else "")


class PageNotifier:
    """Follows a client and notifies its page."""

    def __init__(self, client: Client, notify: Tell) -> None:
        self._client = client
        self._notify = notify
        self._location: GuestLocation | None = None
        self._was_turn = False

    def handle(self, message: ClientEvent) -> None:
        """Notify the page of what a message changes for it."""
        match message:
            case Entered(name=name, resume=code):
                self._notify(GuestName(f"{name}+{code}" if code else name, code))
            case Update() | Left() | Tables():
                self._notify_changes(self._client.update)

    def _notify_changes(self, update: Update | None) -> None:
        path = _path(update)
        chain_start = update.chain[:LINK_LENGTH] if update is not None else ""
        location = GuestLocation(path, f"/r/{chain_start}" if chain_start else path)
        if location != self._location:
            self._location = location
            self._notify(location)
        is_guest_turn = is_turn(update)
        if is_guest_turn != self._was_turn:
            self._was_turn = is_guest_turn
            self._notify(
                TurnNotice(is_guest_turn, call=is_guest_turn and update is not None and has_other_players(update))
            )


def _path(update: Update | None) -> str:
    """Return the path of the deep link to the guest's location."""
    if update is None:
        return "/"
    return table_path(update.table, watching=update.seat == NOBODY, code=update.code)
