"""Options of a host: values that the command makes once, and that are passed on whole."""

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from core.variant import Value
from net.limits import Limits

if TYPE_CHECKING:
    from net.table.table import Pace


class AccessOptions(Struct, frozen=True):
    """Who may enter: everybody, unless there is an invitation or a list of keys; and what all may cost."""

    invite: str = ""
    keys: str = ""
    """The file with the list; empty for none."""
    limits: Limits = Limits()
    proxied_by: tuple[str, ...] = ()
    """The networks of proxies, which say where their connections come from."""
    returning: bool = False
    """Whether guests without a key may have their seat again from the same address without their code."""


class WebOptions(Struct, frozen=True):
    """Where browsers come in."""

    bind: str
    """The address to listen on; empty for all."""
    port: int
    cert: str = ""
    """The files of a certificate and its key; empty where HTTP is spoken in the clear, or a proxy does the rest."""
    key: str = ""
    url: str = ""
    """What browsers show in front of the path, as in https://dominoes.example; empty where they come directly."""


class DoorOptions(Struct, frozen=True):
    """How guests come in, and what they see."""

    bind: str = ""
    """The address to listen on; empty for all."""
    port: int = 0
    access: AccessOptions = AccessOptions()
    name: str = ""
    """On the local network; empty for that of the machine."""
    announce: bool = True
    address: str = ""
    """What guests type to reach the host; empty where that is one of the machine's own addresses."""
    theme: str = ""
    pictures: bool = True
    web: WebOptions | None = None
    """None where no browser comes in."""
    workers: int = 0
    """Processes that speak SSH and draw screens; with 0 this one does."""


class NodeOptions(Struct, frozen=True):
    """Which node of a cluster it is."""

    url: str
    """Of the cluster's database."""
    name: str
    address: str = ""
    """Where gateways reach this node's tables: where it listens, and what it tells them; empty for a gateway."""
    port: int = 0


class HostOptions(Struct, frozen=True, kw_only=True):
    """All options of one host."""

    data: Path
    software: str
    pace: "Pace"
    house_rules: dict[str, dict[str, Value]] = {}
    log_file: Path | None = None
    metrics: int | None = None
    """The port of the numbers; None for none."""
    door: DoorOptions | None = None
    """None for a node that only runs tables."""
    node: NodeOptions | None = None
    """None for a host that is alone."""
