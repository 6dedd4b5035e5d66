"""Serves the metrics and a health check on 127.0.0.1. Imported only if metrics are enabled."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from socketserver import ThreadingMixIn
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CollectorRegistry, make_wsgi_app

HEALTH = "/healthz"
LOOP_TIMEOUT = 5.0
"""Seconds for the event loop to answer; a healthy one is never busy for a tenth of one."""


class _Server(ThreadingMixIn, WSGIServer):
    """Answers each request in a thread of its own, so that a slow reader does not block others."""

    daemon_threads = True


class _Handler(WSGIRequestHandler):
    timeout = 10
    """Seconds for a client to send its request."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's word
        """Log nothing."""


@contextmanager
def serve_metrics(port: int, registry: CollectorRegistry, refresh: Callable[[], str]) -> Iterator[int]:
    """Serve for the length of the block; yield the port. Raises OSError.

    Before every answer, `refresh` updates the values and returns the problem, or "". Within an event loop it is
    called on the thread of the loop, whose data other threads must not read.
    """
    metrics_app: Callable[..., Iterable[bytes]] = make_wsgi_app(registry)
    refresh_on_loop = _on_loop(refresh)

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        try:
            problem = refresh_on_loop()
        except TimeoutError:
            problem = f"The host has done nothing for {LOOP_TIMEOUT:g} seconds."
        if environ.get("PATH_INFO") != HEALTH:
            return metrics_app(environ, start)
        start("503 Service Unavailable" if problem else "200 OK", [("Content-Type", "text/plain; charset=utf-8")])
        return [f"{problem or 'All is well.'}\n".encode()]

    server = make_server("127.0.0.1", port, answer, _Server, _Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _on_loop(refresh: Callable[[], str]) -> Callable[[], str]:
    """Return `refresh` as a thread-safe function; it raises TimeoutError if the loop does not answer in time."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return refresh

    async def refresh_in_loop() -> str:
        return refresh()

    return lambda: asyncio.run_coroutine_threadsafe(refresh_in_loop(), loop).result(LOOP_TIMEOUT)
