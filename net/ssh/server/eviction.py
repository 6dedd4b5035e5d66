"""Who gives way in a full hall: those who have not proved who they are leave room for whoever comes next."""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol, TypeVar


class Waiting(Protocol):
    """One who has not proved yet who he is."""

    home: str
    """Who is counted as one with him: his address, or its network."""
    heard_at: float
    """Since when the host reads what he sends; infinite while it does not yet."""

    @property
    def exchanged(self) -> bool:
        """Whether keys were exchanged with him; else nothing is known of him but that he is there."""


W = TypeVar("W", bound=Waiting)


def gives_way(hall: Sequence[W], home: str, silent_since: float) -> W | None:
    """Choose who leaves a full hall for a newcomer from an address; None when it is the newcomer who must.

    Who is heard since before `silent_since` and has exchanged no keys goes first. Else somebody goes from the
    address that holds the most places, if it will still hold as many as the newcomer's: so a few addresses that fill
    the hall with silence keep nobody out from another one.
    """
    silent = [one for one in hall if not one.exchanged and one.heard_at < silent_since]
    if not silent:
        held = Counter(one.home for one in hall)
        most = max(held, key=lambda each: held[each], default=home)
        if held[most] <= held[home] + 1:
            return None
        silent = [one for one in hall if one.home == most]
    return min(silent, key=lambda one: (one.exchanged, one.heard_at))
