"""The hosts that can be joined: those that are heard, and those that were joined before."""

from collections.abc import Sequence

from net.client.discovery import FoundHost
from tui.i18n import _

Place = tuple[str, int]
"""The address of a host, and its port."""


def with_known(heard: Sequence[FoundHost], known: Sequence[Place]) -> list[FoundHost]:
    """The hosts that are heard, and after them those that were joined before and are not among these."""
    here = {(host.address, host.port) for host in heard}
    return [*heard, *(FoundHost(_("joined before"), *place) for place in known if place not in here)]
