"""A conversation under test, without a socket: messages of a host go in, sentences and the client's messages come
out.
"""

from net.client.client import Client
from net.wire.messages import ToHost
from tests.net.links import RecordingLink
from tui.plain.conversation import Conversation


class Talk:
    """A conversation, everything that it has printed, and everything that its client has sent."""

    def __init__(self, **options):
        self.link = RecordingLink(ToHost)
        self.client = Client(self.link, "test")
        self.all = []
        self.conversation = Conversation(self.client, self.all.append, **options)

    def receive(self, *messages):
        """Receive messages of a host; return the printed lines."""
        before = len(self.all)
        for message in messages:
            self.client._record_answer(message)
            self.client.publish(message)
        return self.all[before:]

    def type(self, *lines):
        """Type lines; return the printed lines."""
        before = len(self.all)
        for line in lines:
            self.conversation.handle_line(line)
        return self.all[before:]

    @property
    def sent(self):
        """Messages that the client has sent since the last access."""
        sent, self.link.sent = self.link.sent, []
        return sent
