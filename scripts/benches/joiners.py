"""Joined clients for a benchmark: links without a screen, at tables of four, that act on their turn."""

import asyncio
import time
from typing import Any

import asyncssh
import msgpack
from guests import log_in

from net.wire.link import Unframer, frame, pack
from net.wire.messages import PROTOCOL, Enter, Hello, MakeTable, Ready, Sit

CIPHER = "aes128-gcm@openssh.com"
"""The cheapest cipher for the core that all clients share; the host's part costs the same as ever."""
_TIMEOUT = 10.0
_RETRY_INTERVAL = 0.2


class Joiner(asyncssh.SSHClientSession[bytes]):
    """A client: the last messages that it received, and an event for the next."""

    def __init__(self) -> None:
        self.update: dict[str, Any] = {}
        self.received_at = 0.0
        self.greeted = self.entered = False
        self.table_count = 0
        """Number of tables."""
        self.resume = ""
        self.refusal_count = 0
        self._received = asyncio.Event()
        self._unframer = Unframer()

    def connection_made(self, chan: Any) -> None:
        """Store the channel."""
        self._chan = chan

    def data_received(self, data: bytes, _datatype: int | None) -> None:
        """Record the time, then the messages."""
        now = time.perf_counter()
        for payload in self._unframer.feed(data):
            message = msgpack.unpackb(payload)
            match message["type"]:
                case "update":
                    self.update, self.received_at = message, now
                case "greeting":
                    self.greeted = True
                case "entered":
                    self.resume = message["resume"]
                case "tables":
                    self.entered, self.table_count = True, message.get("total", 0)
                case "refused":
                    self.refusal_count += 1
        self._received.set()

    async def come(self, port: int, name: str, address: str, return_code: str = "", *, enter: bool = True) -> None:
        """Log in, open a link and enter, optionally with the return code of an earlier session, or stop at the
        greeting.
        """
        address_options = {"host": "127.0.0.1", "port": port, "local_addr": (address, 0)}
        self._connection = await log_in(
            f"{name}+{return_code}" if return_code else name,
            **address_options,
            encryption_algs=[CIPHER],
            compression_algs=None,
        )
        await self._connection.create_session(lambda: self, subsystem="boneyard", encoding=None)
        self.send(Hello(PROTOCOL, "load"))
        if not enter:
            return await self.wait_until(lambda: self.greeted)
        self.send(Enter(name))
        return await self.wait_until(lambda: self.entered)

    def send(self, message: Any) -> None:
        """Send a message."""
        self._chan.write(frame(pack(message)))

    async def sit_down(self, table: int) -> None:
        """Sit down as soon as the table is known here: gateways of a cluster learn of a new one in half a second."""
        while not self.update:
            refusal_count = self.refusal_count
            self.send(Sit(table))
            await self.wait_until(
                lambda refusal_count=refusal_count: self.update or self.refusal_count > refusal_count
            )
            if not self.update:
                await asyncio.sleep(_RETRY_INTERVAL)

    def act(self) -> None:
        """Take the first legal action."""
        action = self.update["match"]["play"]["legal"][0]
        self._chan.write(frame(msgpack.packb({"type": "act", "number": self.number, "action": action})))

    async def wait_until(self, condition: Any) -> None:
        """Wait until `condition` holds. Raises TimeoutError."""
        async with asyncio.timeout(_TIMEOUT):
            while not condition():
                self._received.clear()
                await self._received.wait()

    async def wait_for_update(self, number: int) -> float:
        """Return the time at which an update of this number, or a later one, was received."""
        await self.wait_until(lambda: self.number >= number)
        return self.received_at

    @property
    def number(self) -> int:
        """Number of the newest update."""
        return int(self.update.get("number", -1))

    @property
    def can_act(self) -> bool:
        """True if it is this client's turn."""
        match = self.update.get("match")
        return bool(match and match["play"]["legal"])

    def go(self) -> None:
        """Hang up."""
        self._connection.abort()


class JoinerLog:
    """The measurements of a period of playing; all in seconds."""

    def __init__(self) -> None:
        self.act_delays: list[float] = []
        """From an action until the client that acted was told of it, and so until it was on disk."""
        self.errors = 0


class JoinedTables:
    """Four clients at a table."""

    def __init__(self, clients: list[Joiner]) -> None:
        self.clients = clients

    async def gather(self) -> None:
        """Sit down together."""
        founder, *others = self.clients
        founder.send(MakeTable("block", len(self.clients), {}))
        await founder.wait_until(lambda: founder.update)
        for other in others:
            await other.sit_down(founder.update["table"]["id"])
        for client in self.clients:
            await client.wait_until(lambda client=client: client.update.get("match"))

    async def play(self, log: JoinerLog, end_time: float, interval: float, delay: float) -> None:
        """Act until the clock shows `end_time`: after `delay` seconds, then `interval` seconds after each answer."""
        next_act_time = time.perf_counter() + delay
        while next_act_time < end_time:
            await asyncio.sleep(max(0.0, next_act_time - time.perf_counter()))
            try:
                await self._act_once(log)
            except TimeoutError:
                log.errors += 1
            next_act_time += interval

    async def _act_once(self, log: JoinerLog) -> None:
        client_on_turn = next((client for client in self.clients if client.can_act), None)
        if client_on_turn is None:  # a round is over
            for client in self.clients:
                client.send(Ready())
            for client in self.clients:
                await client.wait_until(lambda client=client: client.update["match"]["play"]["turn"] >= 0)
            return
        update_number, send_time = client_on_turn.number + 1, time.perf_counter()
        client_on_turn.act()
        log.act_delays.append(await client_on_turn.wait_for_update(update_number) - send_time)
        for client in self.clients:
            await client.wait_for_update(update_number)
