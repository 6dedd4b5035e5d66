"""A conversation under test: what a host sends goes in, what is said and sent comes out, and there is no socket."""

from net.client.client import Client
from net.wire.link import unpack
from net.wire.messages import ToHost
from tui.plain.conversation import Conversation


class Deaf:
    """A link that keeps what is sent over it."""

    def __init__(self):
        self.sent = []

    def send(self, frame):
        self.sent.append(unpack(frame, ToHost))

    def close(self):
        pass


class Talk:
    """A conversation, everything that it has said, and everything that its client has sent."""

    def __init__(self, **options):
        self.link = Deaf()
        self.client = Client(self.link, "test")
        self.all = []
        self.conversation = Conversation(self.client, self.all.append, **options)

    def hears(self, *messages):
        """Let a host send something; return what is said of it."""
        before = len(self.all)
        for message in messages:
            self.client._note(message)
            self.client.publish(message)
        return self.all[before:]

    def types(self, *lines):
        """Type something; return what is said of it."""
        before = len(self.all)
        for line in lines:
            self.conversation.typed(line)
        return self.all[before:]

    @property
    def sent(self):
        """What the client has sent since one last looked."""
        sent, self.link.sent = self.link.sent, []
        return sent
