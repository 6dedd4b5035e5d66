"""Options of a host: values that the command creates once and passes on unchanged."""

from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from core.variant import Value
from net.limits import Limits

if TYPE_CHECKING:
    from net.table.table import Pace


EVERYWHERE = ("", "0.0.0.0", "::")  # noqa: S104 - compared, not bound to
"""Bind addresses that stand for all addresses of this machine."""


def is_loopback(address: str) -> bool:
    """Return True if an address or a name reaches only programs on the same machine."""
    with suppress(ValueError):
        return ip_address(address).is_loopback
    return address == "localhost"


class AccessOptions(Struct, frozen=True):
    """Rules of access. Everybody may enter, unless there is an invitation or a list of keys."""

    invite: str = ""
    """Invitation code; empty if there is none."""
    keys: str = ""
    """File with the list of keys; empty if there is none."""
    limits: Limits = Limits()
    proxied_by: tuple[str, ...] = ()
    """Networks of proxies, whose PROXY headers name the clients' addresses."""
    returning: bool = False
    """True if guests without a key get their seat back from the same address without the return code."""


class WebOptions(Struct, frozen=True):
    """Entrance for browsers."""

    bind: str
    """Address to listen on; empty for all."""
    port: int
    cert: str = ""
    """Files of a certificate and its key; empty for plain HTTP, or behind a proxy that terminates TLS."""
    key: str = ""
    url: str = ""
    """URL of the host in browsers, without the path: https://dominoes.example; empty where they connect directly."""


def origin_at(web: WebOptions, address: str, port: int) -> str:
    """Return the URL of a host's pages, without a path, at an address of its machine."""
    url_host = f"[{address}]" if ":" in address else address
    return web.url or f"{'https' if web.cert else 'http'}://{url_host}:{port}"


class DoorOptions(Struct, frozen=True):
    """Entrances for guests, and the look of the host."""

    bind: str = ""
    """Address to listen on; empty for all."""
    port: int = 0
    access: AccessOptions = AccessOptions()
    name: str = ""
    """Name on the local network; empty for that of the machine."""
    announce: bool = True
    address: str = ""
    """Address that guests type to reach the host; empty where it is one of the machine's own."""
    theme: str = ""
    pictures: bool = True
    web: WebOptions | None = None
    """None without an entrance for browsers."""
    workers: int = 0
    """Processes that speak SSH and draw screens; with 0 this process does."""


def invitation_link(door: DoorOptions, port: int = 0) -> str:
    """Return the URL of a host's pages as in `Greeting.link`, with the `port` that is open, if it is known."""
    web = door.web
    if web is None or not (web.url or web.port or port):
        return ""
    address = door.address if web.bind in EVERYWHERE else web.bind
    return "" if is_loopback(address) and not web.url else origin_at(web, address, port or web.port)


class NodeOptions(Struct, frozen=True):
    """Identity of one node of a cluster."""

    url: str
    """URL of the cluster's database."""
    name: str
    address: str = ""
    """Address at which gateways reach this node's tables: it listens there and publishes it; empty for a gateway."""
    port: int = 0


class HostOptions(Struct, frozen=True, kw_only=True):
    """All options of one host."""

    data: Path
    software: str
    pace: "Pace"
    house_rules: dict[str, dict[str, Value]] = {}
    log_file: Path | None = None
    metrics: int | None = None
    """Port for metrics; None if the host has no metrics."""
    door: DoorOptions | None = None
    """None for a node that only runs tables."""
    node: NodeOptions | None = None
    """None for a standalone host."""
