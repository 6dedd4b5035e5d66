"""Which unauthenticated connection is closed for a new one when there are as many as there may be."""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol, TypeVar


class Unauthenticated(Protocol):
    """A connection that has not authenticated yet."""

    network: str
    """Who is counted as one with him: his address, or its network."""
    read_since: float
    """Since when the host reads what he sends; infinite while it does not yet."""

    @property
    def exchanged(self) -> bool:
        """Whether keys were exchanged with him; else nothing is known of him but that he is there."""


U = TypeVar("U", bound=Unauthenticated)


def choose_to_evict(unauthenticated: Sequence[U], network: str, silent_since: float) -> U | None:
    """Choose which connection is closed for a new one from a network; None when the new one must be.

    One that is read since before `silent_since` and has exchanged no keys goes first. Else one goes of the network
    that has the most, if it will still have as many as the new one's: so a few addresses that open silent connections
    keep nobody out from another one.
    """
    silent = [one for one in unauthenticated if not one.exchanged and one.read_since < silent_since]
    if not silent:
        held = Counter(one.network for one in unauthenticated)
        most = max(held, key=lambda each: held[each], default=network)
        if held[most] <= held[network] + 1:
            return None
        silent = [one for one in unauthenticated if one.network == most]
    return min(silent, key=lambda one: (one.exchanged, one.read_since))
