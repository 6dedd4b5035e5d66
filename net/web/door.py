"""The door for browsers: HTTP on a port of its own, the files of the page, and all valid requests."""

import asyncio
import gzip
import ipaddress
import logging
import re
import shlex
import socket
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from hashlib import sha256
from inspect import ismethod
from mimetypes import guess_type
from pathlib import Path
from time import thread_time
from typing import Any, NamedTuple, Protocol, cast

from aiohttp import web
from cryptography import x509

from net.doors.connections import Admissions, Connections, read_at_most
from net.doors.listener import HTTP, ConnectionHandler, HostError, Proxies, accept_connections
from net.doors.terminal import LinkPreview
from net.host.access import network_of
from net.limits import (
    ADDRESSES_REMEMBERED,
    WEB_BITE,
    WEB_REQUEST_TIMEOUT,
    WEB_REQUESTS_AT_ONCE,
    WEB_REQUESTS_PER_SECOND,
)
from net.logs import fields
from net.loop import log_failure, release_frames
from net.options import DoorOptions, WebOptions
from net.scheduler import Buckets
from net.web.connection import SharedTransport, WebConnection
from net.web.entrance import EntrancePage, PageWords
from net.web.session import WRONG_ADDRESS, PageOrigin, WebSession, new_socket
from net.web.text_pages import PlainPages

HEADERS = {
    # wasm-unsafe-eval is for a decoder of pictures
    "Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "
    "style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "worker-src 'self'; media-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "Server": "Boneyard",
}
"""Headers of every response: no content of other hosts, no inline code, no frame around the page."""
_FOLDER = Path(__file__).parent
_PAGE_FOLDERS = (_FOLDER / "page", _FOLDER / "vendor")
_PAGE_PATH = re.compile(r"/(?:|learn|[tw]/\d{1,13}|r/[\w-]{1,64}|g/[\w-]{1,40})")
"""Paths of the page."""
_PICTURE_PATH = re.compile(r"/picture(/(?:|learn|[tw]/\d{1,13}|r/[\w-]{1,64}|g/[\w-]{1,40}))\.png")
_HOST_HEADER = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?")
"""Host header of a request: an address or a name, perhaps with a port."""
_LINKS_WITH_NAMES = "twr"
"""First letters of deep links whose pages name players."""
_CERTIFICATE_RETRY_DELAY = 5.0
"""Seconds until an invalid certificate is read again: it may have been written before its key."""
_YEAR = 365 * 24 * 3600
_PAGE = "index.html"
LANGUAGE = "lang"
"""The cookie with the language that was chosen on the page, and the parameter that sets it."""
log = logging.getLogger(__name__)
_SILENT_LOG = logging.getLogger(f"{__name__}.aiohttp")
"""Discards aiohttp's messages about invalid requests; bugs of ours are logged by `_handle`."""
_SILENT_LOG.setLevel(logging.CRITICAL + 1)


class Pages(PageWords, Protocol):
    """The host's texts and pictures for its deep links, in all languages of the game."""

    def card(self, path: str, language: str) -> LinkPreview:
        """Return the preview of a deep link, in a language of the game."""

    async def picture(self, path: str) -> bytes:
        """Return a picture of its target, as PNG; empty if there is none."""

    def language(self, accepted: str) -> str:
        """Return the language of the game for an Accept-Language header, as in pt_BR."""


class _File(NamedTuple):
    """A file of the page."""

    content: bytes
    gzipped: bytes
    content_type: str


class _HttpProtocol(web.RequestHandler):
    """Speaks HTTP on one connection. aiohttp closes it if no complete request comes in time."""

    __slots__ = ("connection",)

    def __init__(self, server: web.Server, connection: WebConnection) -> None:
        super().__init__(
            server,
            loop=asyncio.get_running_loop(),
            keepalive_timeout=WEB_REQUEST_TIMEOUT,
            access_log=cast(logging.Logger, None),  # the host does not log requests
            logger=_SILENT_LOG,
            auto_decompress=False,  # a small body may unpack to a large one
            lingering_time=0,
            max_headers=64,
        )
        self.connection = connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        meter = self.connection.meter
        meter.transport = cast(asyncio.Transport, transport)
        read_at_most(transport, WEB_BITE)
        super().connection_made(cast(asyncio.Transport, SharedTransport(meter.transport, meter)))
        if self.connection.is_gone:  # it was banned, or evicted, during the handshake
            meter.transport.abort()

    def data_received(self, data: bytes) -> None:
        cpu_start, connection = thread_time(), self.connection
        super().data_received(data)
        if connection.session is not None:
            connection.session.count_received(len(data))
        connection.meter.charge(
            thread_time() - cpu_start, connection.network, is_stranger=connection.identity is None
        )

    def connection_lost(self, exc: BaseException | None) -> None:
        super().connection_lost(exc)
        meter = self.connection.meter
        transport, meter.transport = meter.transport, None
        self.connection.close_lost()
        _release(self)
        loop = asyncio.get_running_loop()
        for ended_object in filter(None, (transport, self.connection.socket)):
            loop.call_soon(_release, ended_object)  # not now: asyncio and aiohttp are still using them
        self.connection.socket = None


def _release(ended_object: object) -> None:
    """Remove all bound methods and timers of an ended object, so that reference counting frees it.

    Strangers cause many. A timer, which aiohttp starts again for the last frame, would hold all for 45 seconds; and
    an object that one garbage collection misses stays for minutes on a busy host.
    """
    slots = [name for kind in type(ended_object).__mro__ for name in getattr(kind, "__slots__", ())]
    for name in (*getattr(ended_object, "__dict__", ()), *slots):
        value = getattr(ended_object, name, None)
        if isinstance(value, asyncio.Handle):
            value.cancel()
        if isinstance(value, asyncio.Handle) or ismethod(value):
            setattr(ended_object, name, None)


class WebDoor:
    """Answers requests of browsers, in one process."""

    def __init__(self, door: DoorOptions, connections: Connections, pages: Pages, key: str, gateway: int = 0) -> None:
        """`key` is the fingerprint of the host's SSH key, `gateway` the number of this gateway, if the host has any.

        Raises HostError.
        """
        if door.web is None:
            raise ValueError("a door without the web lets no browser in")
        self._options = options = door.web
        self._connections = connections
        self._pages = pages
        self._key = key
        machine = socket.gethostname()
        self._name = door.name or machine.partition(".")[0]
        self._names = {name.lower() for name in ("localhost", machine, f"{machine}.local", door.address) if name}
        self._plain_pages = PlainPages(connections, pages.translate, self._name, gateway)
        self._gateway = gateway
        self._proxies = trusted_proxies(door)
        self._has_logged_unclear_proxy = False
        self._certificate = Certificate(options)
        self._server = web.Server(self._handle)
        self._request_budgets = Buckets(WEB_REQUESTS_PER_SECOND, WEB_REQUESTS_AT_ONCE, ADDRESSES_REMEMBERED)
        self._files = dict(_load_files())
        all_content = b"".join(file.content for file in self._files.values())
        self._version = sha256(all_content).hexdigest()[:16]
        self._static_path = f"/static/{self._version}"
        if _PAGE not in self._files or "xterm.mjs" not in self._files:
            raise HostError("The files of the web page are missing.")  # `need_page` has a longer sentence, earlier
        self._entrance = EntrancePage(self._files[_PAGE].content.decode(), pages, self._name, self._static_path)

    def handle_connection(self, connection: socket.socket, address: str) -> None:
        """Speak HTTP on an accepted connection."""
        self._connections.start_login(self._serve_connection(connection, address), address)

    async def aclose(self) -> None:
        """Finish running requests, once all connections are closed."""
        await self._server.shutdown(1.0)

    async def _serve_connection(self, connection: socket.socket, address: str) -> None:
        browser = WebConnection(address, self._connections, proxied=address in self._proxies)
        if self._connections.admit(browser) is not None:
            browser.close_lost()
            connection.close()
            return
        tls = self._certificate.context()
        if tls:  # `read_at_most` has no effect below TLS
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WEB_BITE)
        try:
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: _HttpProtocol(self._server, browser),
                connection,
                ssl=tls,
                ssl_handshake_timeout=WEB_REQUEST_TIMEOUT if tls else None,
            )
        except BaseException as error:
            browser.close_lost()
            connection.close()
            if not isinstance(error, OSError):  # not TLS
                raise

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        connection = getattr(request.protocol, "connection", None)
        if not isinstance(connection, WebConnection):
            raise web.HTTPInternalServerError
        connection.note_request_start()
        try:
            response = await self._answer(request, connection, self._client_address(request, connection))
        except web.HTTPException as error:
            response = error
        except TimeoutError:
            response = web.Response(status=408, text="That took too long.")
        except OSError:  # the browser has disconnected
            response = web.Response(status=408)
        except Exception as error:
            log_failure("request-failed", error, path=request.path[:80])
            response = web.Response(status=500, text="Something went wrong here and was logged.")
        may_wait = connection.note_request_end()
        if not response.prepared:
            response.headers.update(HEADERS)
            if self._options.cert or self._options.url.startswith("https:"):
                response.headers["Strict-Transport-Security"] = f"max-age={_YEAR}"
            if not may_wait or (self._gateway and connection.proxied):
                response.force_close()  # behind a proxy, the next request may be for another gateway
        return response

    async def _answer(self, request: web.BaseRequest, connection: WebConnection, address: str) -> web.StreamResponse:
        if not address:
            return web.Response(status=400, text="The proxy of this host does not say where you come from.")
        if connection.proxied and connection.session is None:
            connection.network = network_of(address)  # attribute the connection to the address behind the proxy
        if not self._request_budgets.take(network_of(address), asyncio.get_running_loop().time()):
            response = web.Response(status=429, text="Too many requests from your address; wait a moment.")
            response.force_close()
            return response
        path, origin = request.path, self._origin(request)
        if not origin:
            return web.Response(status=421, text=WRONG_ADDRESS)
        if path == "/ws" and request.method == "GET":
            return await self._serve_session(request, connection, address, origin)
        if path == "/no-websocket":
            self._connections.log_handshake_failure(address, "pages come through, but no WebSocket")
            return web.Response(status=204)
        if path.startswith("/plain"):
            async with asyncio.timeout(2 * WEB_REQUEST_TIMEOUT):
                return await self._plain_pages.answer(
                    request, connection, address, self._static_path, origin, self._language(request)
                )
        if request.method not in ("GET", "HEAD"):
            return web.Response(status=405, headers={"Allow": "GET, HEAD"}, text="Only GET is known here.")
        if path.startswith("/static/") or (path.count("/") == 1 and path[1:] in self._files):
            return self._file_response(request, path)
        if _PAGE_PATH.fullmatch(path):
            if (language := request.query.get("lang")) in self._pages.languages:
                return _choose_language(request, str(language))
            return self._page_response(request, origin, self._language(request))
        if (link := _PICTURE_PATH.fullmatch(path)) and (
            picture := await self._pages.picture(self._preview_of(link[1]))
        ):
            return web.Response(
                body=picture, content_type="image/png", headers={"Cache-Control": "public, max-age=60"}
            )
        return web.Response(status=404, text=f"There is no page {path[:80]} here. The table is at {origin}/")

    def _language(self, request: web.BaseRequest) -> str:
        """Return the language of the game for a request: one chosen on the page, or that the browser wants."""
        chosen = request.cookies.get(LANGUAGE, "")
        accepted_languages = request.headers.get("Accept-Language", "")
        return chosen if chosen in self._pages.languages else self._pages.language(accepted_languages)

    def _origin(self, request: web.BaseRequest) -> str:
        """Return the origin of the page that a request belongs to; empty if another site's name points to our
        address.
        """
        if self._options.url:
            return self._options.url
        host = request.host.lower()
        host_match = _HOST_HEADER.fullmatch(host)
        name = (host_match[1] or host_match[2]) if host_match else ""
        if name not in self._names and not _is_address(name):
            return ""
        return f"{'https' if self._options.cert else 'http'}://{host}"

    def _client_address(self, request: web.BaseRequest, connection: WebConnection) -> str:
        """Return the address of a guest: that of the connection, or the one that the proxies of this host name.

        Empty if they name none: with one address for all, a ban would be a ban of all guests. A request for a page
        without such a header counts as the proxy's own health check.
        """
        if not connection.proxied:
            return connection.address
        hops = ",".join(request.headers.getall("X-Forwarded-For", ())).split(",")
        if hops == [""]:
            hops = [forwarding.get("for", "") for forwarding in request.forwarded]
        if not hops and request.method in ("GET", "HEAD") and not request.path.startswith(("/ws", "/plain")):
            return connection.address
        address = self._proxies.guest_address(hops)
        if not address and not self._has_logged_unclear_proxy:
            self._has_logged_unclear_proxy = True
            reason = f"no address in {', '.join(hops)[:200]!r}" if hops else "no X-Forwarded-For and no Forwarded"
            log.warning("no-proxy-header", extra=fields(address=connection.address, error=reason))
        return address

    async def _serve_session(
        self, request: web.BaseRequest, connection: WebConnection, address: str, origin: str
    ) -> web.StreamResponse:
        if request.headers.get("Origin", "").lower() != origin.lower():
            log.info("foreign-page", extra=fields(address=connection.address, origin=request.headers.get("Origin")))
            return web.Response(status=403, text=WRONG_ADDRESS)
        websocket = new_socket()
        try:
            can_open = websocket.can_prepare(request).ok
        except ValueError:  # its headers are not text, or its key is invalid
            can_open = False
        if not can_open:
            return web.Response(status=426, text="This is for the page alone.")
        if address != connection.address and (reason := self._connections.set_client_address(connection, address)):
            return web.Response(status=503, text=reason.sentence)
        async with connection.limit_wait(self._connections.limits.login_timeout):
            await connection.wait_for_turn()  # opening a socket costs a millisecond, like a part of an SSH handshake
        websocket.headers.update({"Server": HEADERS["Server"]})
        await websocket.prepare(request)
        connection.socket = websocket
        session = connection.session = WebSession(
            connection, self._connections, websocket, PageOrigin(origin, self._name, self._key)
        )
        try:
            await session.run()
        finally:
            connection.session = None  # a reference cycle
            await websocket.close()  # if the session has not; aiohttp would do it later, and keep the error
            if (error := websocket.exception()) is not None:
                release_frames(error)  # another cycle: an error and its frames
        return websocket

    def _file_response(self, request: web.BaseRequest, path: str) -> web.StreamResponse:
        """Return a file of the page: cached as immutable under a versioned path, otherwise `no-cache`."""
        folder, _slash, name = path.rpartition("/")
        file = self._files.get(name)
        if file is None or name == _PAGE:
            return web.Response(status=404, text="There is no such file.")
        is_versioned = folder == self._static_path
        headers = {
            "ETag": f'"{self._version}"',
            "Cache-Control": f"public, max-age={_YEAR}, immutable" if is_versioned else "no-cache",
            "Vary": "Accept-Encoding",
        }
        if request.headers.get("If-None-Match") == headers["ETag"]:
            return web.Response(status=304, headers=headers)
        accepts_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
        if accepts_gzip:
            headers["Content-Encoding"] = "gzip"
        return web.Response(
            body=file.gzipped if accepts_gzip else file.content, headers=headers | {"Content-Type": file.content_type}
        )

    def _preview_of(self, path: str) -> str:
        """Return the deep link whose preview strangers get for `path`: on a closed host, none that names players."""
        return path if self._connections.access.is_open or path[1:2] not in _LINKS_WITH_NAMES else "/"

    def _page_response(self, request: web.BaseRequest, origin: str, language: str) -> web.StreamResponse:
        path = request.path
        preview = self._pages.card(self._preview_of(path), language)
        if not self._connections.access.is_open:
            main_row = None if path == "/" else preview.main
            preview = preview._replace(tables=(), main=main_row)  # names are for guests alone
        text = self._entrance.html(preview, request, origin, language, is_full=self._connections.full)
        headers = {"Cache-Control": "no-cache", "Vary": "Accept-Language, Cookie"}
        return web.Response(text=text, content_type="text/html", headers=headers)


def _choose_language(request: web.BaseRequest, language: str) -> web.StreamResponse:
    """Return to the page without its language, which the browser stores."""
    response = web.Response(status=303, headers={"Location": str(request.rel_url.without_query_params("lang"))})
    response.set_cookie(LANGUAGE, language, max_age=_YEAR, samesite="Lax", httponly=True)
    return response


def _is_address(text: str) -> bool:
    """Return True if a text is an IP address."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


class Certificate:
    """The certificate of the door, read again when its file changes, so that a renewal needs no restart."""

    def __init__(self, options: WebOptions) -> None:
        """Raises HostError if it cannot be used."""
        self._options = options
        self._modification_times = (0.0, 0.0)
        """Modification times of the two files in use."""
        self._retry_at = 0.0
        self._context: ssl.SSLContext | None = None
        if options.cert:
            self._read_certificate()

    def context(self) -> ssl.SSLContext | None:
        """Return the TLS context; None for plain HTTP. The former one stays if the files cannot be read."""
        now = asyncio.get_running_loop().time()
        if self._options.cert and now >= self._retry_at:
            try:
                self._read_certificate()
            except HostError as error:
                self._retry_at = now + _CERTIFICATE_RETRY_DELAY
                log.warning("bad-certificate", extra=fields(error=error))
        return self._context

    def _read_certificate(self) -> None:
        cert, key = Path(self._options.cert), Path(self._options.key)
        try:
            modification_times = cert.stat().st_mtime, key.stat().st_mtime
            if modification_times == self._modification_times:
                return
            certificate, now = x509.load_pem_x509_certificate(cert.read_bytes()), datetime.now(UTC)
            begins, ends = certificate.not_valid_before_utc, certificate.not_valid_after_utc
            if ends < now:
                raise HostError(f"The certificate {cert} ended on {ends.date()}; renew it.")
            if begins > now:
                raise HostError(
                    f"The certificate {cert} is not valid before {begins:%Y-%m-%d %H:%M} UTC; "
                    "wait, use another one, or correct this machine's clock."
                )
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(cert, key, lambda: _no_passphrase(key))
        except (ssl.SSLError, ValueError):
            raise HostError(f"The certificate {cert} cannot be used with the key {key}.") from None
        except OSError as error:
            path = error.filename or f"{cert} or {key}"
            raise HostError(f"The certificate cannot be read: {path}: {error.strerror or error}.") from None
        self._context, self._modification_times = context, modification_times


def _no_passphrase(key: Path) -> str:
    """Refuse a key with a passphrase, which OpenSSL would ask for at the terminal. Raises HostError."""
    raise HostError(
        f"The key {key} has a passphrase, which cannot be typed here; write one without it: "
        f"openssl pkey -in {shlex.quote(str(key))} -out NEW"
    )


def trusted_proxies(door: DoorOptions) -> Proxies:
    """Return the proxies whose headers are trusted: none, unless the host has a URL of its own."""
    is_behind_proxy = door.web is not None and door.web.url
    return Proxies(("127.0.0.0/8", "::1/128", *door.access.proxied_by) if is_behind_proxy else ())


@asynccontextmanager
async def serve_web(door: DoorOptions, pages: Pages, connections: Connections, key: str) -> AsyncIterator[int]:
    """Serve browsers until the block ends; `key` is the fingerprint of the host's. Yields the port.

    Raises HostError.
    """
    web = WebDoor(door, connections, pages, key)
    async with accept_browsers(door, connections, web.handle_connection) as port:
        try:
            yield port
        finally:
            await web.aclose()


@asynccontextmanager
async def accept_browsers(
    door: DoorOptions, admissions: Admissions[Any], handler: ConnectionHandler
) -> AsyncIterator[int]:
    """Listen for browsers, and hand their connections to `handler`. Yields the port. Raises HostError."""
    options = door.web
    if options is None:
        raise ValueError("a door without the web lets no browser in")
    Certificate(options)  # report a problem now, even if only workers use it
    uncounted = trusted_proxies(door)
    async with accept_connections(
        options.bind, options.port, admissions, handler, kind=HTTP, uncounted=uncounted
    ) as port:
        try:
            yield port.port
        finally:
            port.refuse()


def _load_files() -> Iterator[tuple[str, _File]]:
    for folder in _PAGE_FOLDERS:
        for path in sorted(folder.glob("*")):
            if path.is_file():
                content = path.read_bytes()
                content_type = (
                    _CONTENT_TYPES.get(path.suffix) or guess_type(path.name)[0] or "application/octet-stream"
                )
                yield path.name, _File(content, gzip.compress(content, 9, mtime=0), content_type)


_CONTENT_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
}
