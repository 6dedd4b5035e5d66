"""How others come to a host, and how a guest without a key comes back: the lines to type."""

from collections.abc import Sequence
from shlex import quote

from net.client.client import Client
from net.client.discovery import FoundHost
from tui.i18n import _
from tui.text.ways import ways_to

Place = tuple[str, int]
"""The address of a host, and its port."""


def with_known(heard: Sequence[FoundHost], known: Sequence[Place]) -> list[FoundHost]:
    """The hosts that are heard, and after them those that were joined before and are not among these."""
    here = {(host.address, host.port) for host in heard}
    return [*heard, *(FoundHost(_("joined before"), *place) for place in known if place not in here)]


def way_back(client: Client) -> str:
    """What a guest without a key types to have their seat again; empty for everybody else.

    The host does not know under which name it is reached, so `HOST` stands for it. A name that begins with a hyphen
    would be an option of `ssh`.
    """
    if not (client.resume and client.port):
        return ""
    return f"ssh -p {client.port} " + quote(f"{client.name.lstrip('-')}+{client.resume}@HOST")


def ways_in(client: Client) -> tuple[str, ...]:
    """What others type to come to this host; empty in a game alone. A guest over ssh knows its port only."""
    known = tuple(way for place in client.places for way in ways_to(*place))
    return known or ((f"ssh -p {client.port} HOST",) if client.port else ())


def to_come_back(client: Client) -> str:
    """The same as a sentence; empty for who needs none."""
    line = way_back(client)
    return _("To come back: {line}", line=line) if line else ""


def parting(client: Client, last_word: str) -> str:
    """The last word to a guest, and under it how to come back."""
    return "\r\n".join(filter(None, (last_word, to_come_back(client))))
