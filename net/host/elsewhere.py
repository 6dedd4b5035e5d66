"""What is counted beyond the connections of one host: by all gateways of a cluster together. The interface."""

from typing import Protocol


class Elsewhere(Protocol):
    """Whoever counts the sessions of each key and the wrong codes from each network in more than one place."""

    async def claim_session(self, key: str) -> bool:
        """Count one more session of a key, unless it has as many as it may in all places together."""

    def release_session(self, key: str) -> None:
        """Count out a session that was claimed."""

    async def try_code(self, network: str) -> bool:
        """Count a try at an invitation code; False if there were too many wrong ones from that network."""

    def forgive_code(self, network: str) -> None:
        """Note that the code that was tried last was right, so that it does not count."""


class Nowhere:
    """An `Elsewhere` of a host that is alone: its own counts are all there is."""

    async def claim_session(self, _key: str) -> bool:
        """Allow it."""
        return True

    def release_session(self, _key: str) -> None:
        """Count nothing."""

    async def try_code(self, _network: str) -> bool:
        """Allow it."""
        return True

    def forgive_code(self, _network: str) -> None:
        """Count nothing."""
