"""What a host shows browsers besides its screens: what a link leads to, in words and as a picture."""

from typing import TYPE_CHECKING

from net.host.guest_server import GuestServer
from net.storage.published import Published

if TYPE_CHECKING:
    from aiohttp.web import BaseRequest, StreamResponse

    from net.web.door import Card


class WebPages:
    """The `net.web.door.Pages` of a host."""

    def __init__(self, server: GuestServer, records: Published | None) -> None:
        self._server = server
        self._records = records

    def card(self, path: str) -> "Card":
        """What a link leads to."""
        from net.web.door import Card  # noqa: PLC0415

        return Card("Boneyard", path)

    async def picture(self, path: str) -> bytes:  # noqa: ARG002
        """A picture of that, as PNG."""
        return b""

    async def plain(self, request: "BaseRequest", address: str) -> "StreamResponse":  # noqa: ARG002
        """Answer a request for the page without a terminal."""
        from aiohttp.web import Response  # noqa: PLC0415

        return Response(text="not yet")
