"""Clients that join a host over SSH from within the test, and keep every byte that they receive."""

import asyncio
from contextlib import asynccontextmanager

from net.client.client import Client
from net.ssh.client.connect import connect
from net.wire.link import pack, unpack
from net.wire.messages import Refused, Tables, ToClient
from tests.waiting import until


class Joined(Client):
    """A client, the payloads of all frames that it received, and ways to wait."""

    def __init__(self, link):
        super().__init__(link, "test")
        self.link = link
        self.payloads = []
        self.bye = None
        self._receive_frame, link.receive = link.receive, self._receive

    async def _receive(self):
        payload = await self._receive_frame()
        if payload is not None:
            self.payloads.append(payload)
        return payload

    async def run_to_end(self):
        try:
            self.bye = await self.run()
        finally:
            self.gone = True

    gone = False

    @property
    def received(self):
        return [unpack(payload, ToClient) for payload in self.payloads]

    @property
    def refusals(self):
        return [str(message.reason) for message in self.received if isinstance(message, Refused)]

    async def until(self, check):
        """Wait until a function of this client is true."""
        try:
            await until(lambda: check(self) or self.gone)
        except TimeoutError:
            raise TimeoutError(f"refused: {self.refusals}; {self.update}; {self.tables}") from None
        assert check(self), f"The connection ended: {self.bye}"

    async def wait_for_end(self):
        """Wait for the end of the connection; return the host's last message."""
        await until(lambda: self.gone)
        return self.bye

    def send_message(self, message):
        """Send any message, or the bytes of a payload."""
        self.link.send(message if isinstance(message, bytes) else pack(message))


@asynccontextmanager
async def joined(host, folder, name, enter=True):
    """Join a host with a separate key; with `enter`, wait in its lobby until the first list of tables."""
    async with connect(
        "127.0.0.1",
        host.port,
        name,
        known_hosts=folder / f"{name} known",
        own_key=folder / f"{name} key",
        on_new_host=lambda _, fingerprint: fingerprint == host.fingerprint,
    ) as link:
        client = Joined(link)
        task = asyncio.create_task(client.run_to_end())
        try:
            await client.until(lambda client: client.payloads)
            if enter:
                client.enter(name)
                await client.until(lambda client: Tables in map(type, client.received))
                assert client.name == name
            yield client
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
