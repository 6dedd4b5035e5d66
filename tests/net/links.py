"""A link for tests whose other end is the test: it records the messages that are sent."""

from net.wire.link import unpack
from net.wire.messages import ToClient


class RecordingLink:
    """A link that records the messages sent over it in `sent`, and receives none.

    `kind` is the type of these messages: `ToClient` at a host's end, `ToHost` at a client's; None keeps their bytes.
    """

    def __init__(self, kind=ToClient):
        self.sent = []
        self.closed = False
        self._kind = kind

    def send(self, payload):
        self.sent.append(unpack(payload, self._kind) if self._kind else payload)

    def close(self):
        self.closed = True
