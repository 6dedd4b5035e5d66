"""Serves the metrics on 127.0.0.1, and beside them whether all is well. Imported only where somebody wants that."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from socketserver import ThreadingMixIn
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CollectorRegistry, make_wsgi_app

HEALTH = "/healthz"


class _Server(ThreadingMixIn, WSGIServer):
    """Answers everybody in a thread of their own, so that the host goes on while somebody reads."""

    daemon_threads = True


class _Handler(WSGIRequestHandler):
    timeout = 10
    """Seconds for somebody to say what they want."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's word
        """Log nothing."""


@contextmanager
def serving(port: int, registry: CollectorRegistry, wrong: Callable[[], str]) -> Iterator[int]:
    """Serve for the length of the block; give the port. `wrong` says what is not well. Raises OSError."""
    numbers: Callable[..., Iterable[bytes]] = make_wsgi_app(registry)

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if environ.get("PATH_INFO") != HEALTH:
            return numbers(environ, start)
        sentence = wrong()
        start("503 Service Unavailable" if sentence else "200 OK", [("Content-Type", "text/plain; charset=utf-8")])
        return [f"{sentence or 'All is well.'}\n".encode()]

    server = make_server("127.0.0.1", port, answer, _Server, _Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
