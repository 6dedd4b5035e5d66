"""A connection to PostgreSQL that is cut at the worst moment: just before or just after a statement is committed."""

import asyncio
import contextlib
from urllib.parse import urlsplit


class CuttingLine:
    """A proxy that forwards connections, and cuts the one over which the next statement is executed."""

    def __init__(self, url):
        self._database = urlsplit(url)
        self._tasks = set()
        self._writers = set()
        self._cut = None
        self.refuse = False
        """True while new connections are refused."""
        self.cuts = 0
        self.only = b""
        """Part of the statement before which the connection is cut."""

    @property
    def url(self):
        port = self._server.sockets[0].getsockname()[1]
        return self._database._replace(
            netloc=f"{self._database.username}:{self._database.password}@127.0.0.1:{port}"
        ).geturl()

    def cut_next(self, *, after):
        """Cut when the next statement is executed: with `after` once PostgreSQL has answered, else before it receives
        it.
        """
        self._cut = "after" if after else "before"

    def cut_all(self):
        """Cut every connection."""
        for writer in self._writers:
            writer.transport.abort()

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_):
        self._server.close()
        self.cut_all()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader, writer):
        self._tasks.add(asyncio.current_task())
        self._writers.add(writer)
        if self.refuse:
            writer.transport.abort()
            return
        with contextlib.suppress(asyncio.CancelledError, ConnectionError):
            server_reader, server_writer = await asyncio.open_connection(self._database.hostname, self._database.port)
            self._writers.add(server_writer)
            await asyncio.gather(
                self._forward(reader, server_writer, writer),
                self._forward_answers(server_reader, writer, server_writer),
            )

    async def _forward(self, reader, server_writer, client_writer):
        """Forward from the client: Execute, of an extended query, is the message that does something and commits."""
        while data := await reader.read(65536):
            execution = is_execution(data) and self.only in data
            if self._cut == "before" and execution:
                self._cut_now(server_writer, client_writer)
                return
            if self._cut == "after" and execution:
                self._cut = client_writer
            server_writer.write(data)
        server_writer.close()

    async def _forward_answers(self, reader, client_writer, server_writer):
        while data := await reader.read(65536):
            if self._cut is client_writer:
                self._cut_now(client_writer, server_writer)
                return
            client_writer.write(data)
        client_writer.close()

    def _cut_now(self, *writers):
        self._cut = None
        self.cuts += 1
        for writer in writers:
            writer.transport.abort()


def is_execution(data):
    """Return True if a message binds and executes a prepared statement with arguments."""
    return data[:1] == b"B"
