"""Which unauthenticated connection is closed for a new one when there are as many as there may be."""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol, TypeVar


class Unauthenticated(Protocol):
    """A connection that has not authenticated yet."""

    network: str
    """The network that its address belongs to, which limits count as one client."""
    read_since: float
    """When the host began to read from it; infinite before that."""

    @property
    def exchanged(self) -> bool:
        """Whether it has exchanged keys, and so is a client that answers."""


U = TypeVar("U", bound=Unauthenticated)


def choose_to_evict(unauthenticated: Sequence[U], network: str, silent_since: float) -> U | None:
    """Choose which connection to close for a new one from a network; None means the new one.

    First choice is one that has exchanged no keys although the host has read from it since before `silent_since`.
    Otherwise it is one of the network with the most connections, if that network will still have as many as the new
    one's. So a few addresses that open silent connections cannot keep others out.
    """
    silent = [one for one in unauthenticated if not one.exchanged and one.read_since < silent_since]
    if not silent:
        held = Counter(one.network for one in unauthenticated)
        most = max(held, key=lambda each: held[each], default=network)
        if held[most] <= held[network] + 1:
            return None
        silent = [one for one in unauthenticated if one.network == most]
    return min(silent, key=lambda one: (one.exchanged, one.read_since))
