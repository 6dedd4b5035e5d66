"""Checks of a machine on which a server is to run, for `boneyard doctor`. Nothing is changed."""

import errno
import http.client
import os
import resource
import shutil
import socket
import time
import urllib.request
from base64 import b64encode
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from net.client.discovery import own_addresses
from net.doors.listener import HostError
from net.options import WebOptions
from net.storage.check import MIN_FREE_BYTES

OK, POOR, BROKEN = "ok", "poor", "broken"
"""States of a check."""
MIN_FILES = 1024
"""Open files that 200 guests need: each takes up to three, and the server some hundred."""
GOOD_FREE_BYTES = 1024**3
"""Free bytes of the disk from which all is well; below `MIN_FREE_BYTES` saving may soon fail."""
RELEASE_TIME = 1_780_000_000
"""Seconds since 1970 before which no clock can be right: this version did not exist."""
FETCH_TIMEOUT = 5.0
"""Seconds for the public page to answer."""
_SYNCHRONIZED = Path("/run/systemd/timesync/synchronized")
_MDNS = 5353


class Check(NamedTuple):
    """The result of one check."""

    part: str
    """`terminal` or `server`."""
    name: str
    state: str
    result: str
    advice: str = ""
    """The remedy; empty if none is needed."""

    @property
    def line(self) -> str:
        """The result as a line of text."""
        advice = f": {self.advice}" if self.advice else ""
        return f"{self.state:6}  {self.part:8}  {self.name}, {self.result}{advice}"


_result = partial(Check, "server")


def check_machine(data: Path, port: int, web: WebOptions) -> Iterator[Check]:
    """Check what a server with its data in `data` needs; `port` is that of SSH, and `web` describes the page."""
    yield _check_port("port for SSH", port)
    yield _check_port("port for browsers", web.port)
    yield _check_files()
    yield _check_disk(data)
    yield _check_clock(time.time(), is_synchronized=_SYNCHRONIZED.exists())
    yield _check_addresses(own_addresses())
    yield _check_multicast()
    if web.cert:
        yield _check_certificate(web)
    if web.url:
        yield _check_public_page(web.url)


def _check_port(name: str, port: int) -> Check:
    result = str(port)
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except PermissionError:
            return _result(name, BROKEN, f"{result} needs privileges", "choose a port above 1023")
        except OSError as error:
            is_taken = error.errno == errno.EADDRINUSE
            result_words = f"{result} is in use" if is_taken else f"{result} cannot be opened ({error.strerror})"
            return _result(
                name, POOR if is_taken else BROKEN, result_words, "a server runs already, or choose another port"
            )
    return _result(name, OK, f"{result} is free")


def _check_files() -> Check:
    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = soft_limit if soft_limit != resource.RLIM_INFINITY else MIN_FILES
    result = f"{soft_limit} (at most {hard_limit})" if soft_limit != resource.RLIM_INFINITY else "without a limit"
    if limit < MIN_FILES:
        return _result("open files", POOR, result, f"ulimit -n {MIN_FILES}, or LimitNOFILE= in the service")
    return _result("open files", OK, result)


def _check_disk(data: Path) -> Check:
    folder = next((folder for folder in (data, *data.parents) if folder.exists()), Path("/"))
    if not os.access(folder, os.W_OK):
        return _result("disk", BROKEN, f"{folder} cannot be written", "choose another --data, or its owner")
    free = shutil.disk_usage(folder).free
    state = OK if free >= GOOD_FREE_BYTES else POOR if free >= MIN_FREE_BYTES else BROKEN
    return _result("disk", state, f"{free / 1024**2:,.0f} MiB free in {folder}", "" if state == OK else "make room")


def _check_clock(now: float, *, is_synchronized: bool) -> Check:
    time_words = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(now))
    if now < RELEASE_TIME:
        return _result("clock", BROKEN, time_words, "set the clock: certificates and bans depend on it")
    return _result("clock", OK, f"{time_words}, synchronized" if is_synchronized else time_words)


def _check_addresses(addresses: list[str]) -> Check:
    if not addresses:
        return _result("addresses", POOR, "none but loopback", "join a network, or others cannot come in")
    return _result("addresses", OK, ", ".join(addresses))


def _check_multicast() -> Check:
    """Check that the port of mDNS can be shared, by which guests on the LAN find the server."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if hasattr(socket, "SO_REUSEPORT"):
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            probe.bind(("", _MDNS))
            membership = socket.inet_aton("224.0.0.251") + socket.inet_aton("0.0.0.0")  # noqa: S104 - any interface
            probe.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
        except OSError as error:
            advice = "guests on the LAN type the address; a firewall or another responder has port 5353"
            return _result("mDNS", POOR, error.strerror or "unavailable", advice)
    return _result("mDNS", OK, "the server can be found on the LAN")


def _check_certificate(web: WebOptions) -> Check:
    try:
        from net.web.door import Certificate  # noqa: PLC0415 - it needs the extra `web`

        Certificate(web)
    except ImportError:
        return _result("certificate", POOR, "not read", "install the extra web")
    except HostError as error:
        return _result("certificate", BROKEN, str(error))
    return _result("certificate", OK, web.cert)


def _check_public_page(url: str) -> Check:
    """Check that the entrance arrives through the proxy, and that the proxy passes WebSockets on."""
    if not url.startswith(("https://", "http://")):
        return _result("public page", BROKEN, url, "--url begins with https://")
    try:
        with urllib.request.urlopen(url, timeout=FETCH_TIMEOUT) as answer:  # noqa: S310 - checked above
            page = answer.read(100_000)
    except (OSError, ValueError) as error:
        return _result("public page", BROKEN, f"{url} does not answer ({error})", "start the server, or the proxy")
    if b'id="entrance"' not in page:
        return _result("public page", BROKEN, f"{url} is another page", "point the proxy to --web")
    if _upgrade_status(url) != http.client.SWITCHING_PROTOCOLS:
        return _result("public page", BROKEN, f"{url} passes no WebSockets on", "see docs/hosting.md, behind a proxy")
    return _result("public page", OK, url)


def _upgrade_status(url: str) -> int:
    """Return the status with which a page answers a request for a WebSocket; 0 without an answer."""
    parts = urlsplit(url)
    connection_type = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = connection_type(parts.netloc, timeout=FETCH_TIMEOUT)
    headers = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": b64encode(b"boneyard doctor!").decode(),
        "Sec-WebSocket-Protocol": "boneyard.1",
        "Origin": f"{parts.scheme}://{parts.netloc}",
    }
    try:
        connection.request("GET", "/ws", headers=headers)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        connection.close()
