"""A link for tests whose other end is the test: it records the messages that are sent."""

from net.wire.link import unpack
from net.wire.messages import ToClient


class RecordingLink:
    """A link that records the messages sent over it in `sent`, and receives none.

    `message_type`: `ToClient` at a host's end, `ToHost` at a client's; with None, `sent` has the bytes.
    """

    def __init__(self, message_type=ToClient):
        self.sent = []
        self.closed = False
        self._message_type = message_type

    def send(self, payload):
        self.sent.append(unpack(payload, self._message_type) if self._message_type else payload)

    def close(self):
        self.closed = True
