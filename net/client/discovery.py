"""Hosts on the local network: announcing one by mDNS, and finding those that are announced."""

import asyncio
import ipaddress
import logging
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from msgspec import Struct

from net.logs import fields
from net.loop import Tasks, contained
from net.players.text import clean

SERVICE = "_boneyard._tcp.local."
RESOLVE = 2000
"""Milliseconds in which a host that was found must send its address."""
_NAME_LENGTH = 40
_LABEL = 60
"""Bytes of a label that is announced: the DNS has room for 63, and a name that is taken gets a number."""
ANNOUNCING = 10.0
"""Seconds in which a name must be found that nobody else on the network claims."""
MOST_HEARD = 100
"""Hosts that are kept and looked up at a time: anybody on the network can send names without end."""

log = logging.getLogger(__name__)


class FoundHost(Struct, frozen=True, order=True):
    """A host that was found."""

    name: str
    address: str
    port: int


def own_addresses() -> list[str]:
    """The addresses under which others on the network can reach this machine, likeliest first; sends no packet."""
    found: list[str] = []
    for family, somewhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((somewhere, 9))
                address = probe.getsockname()[0]
        except OSError:
            continue
        if not ipaddress.ip_address(address.partition("%")[0]).is_loopback:
            found.append(address)
    return found


def bound_addresses(bind: str, every: Callable[[], list[str]] | None = None) -> list[str]:
    """The addresses at which a host is reached that listens on `bind`; an empty one, as for sockets, means all.

    `every` lists all of this machine's. A name that is invalid, or not this machine's, has no address. Raises
    OSError if the system refuses the list.
    """
    every = every or machine_addresses
    match bind:
        case "":
            return every()
        case "0.0.0.0":  # noqa: S104 - compared, not bound to
            return [address for address in every() if ":" not in address]
        case "::":
            return [address for address in every() if ":" in address]
    try:
        return sorted({str(found[4][0]) for found in socket.getaddrinfo(bind, None)})
    except (OSError, UnicodeError):
        return []


def machine_addresses() -> list[str]:
    """All addresses of this machine's interfaces. Raises OSError where the system refuses to list them."""
    import ifaddr  # noqa: PLC0415

    every = (ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips)
    return [ip if isinstance(ip, str) else ip[0] for ip in every]


@asynccontextmanager
async def announced(name: str, port: int, interfaces: Sequence[str] | None = None) -> AsyncIterator[bool]:
    """Announce a host on the local network while the block runs; yield whether that works here.

    `interfaces` are the addresses to announce on, by default all. A network without multicast is only logged.
    """
    from zeroconf import Error, InterfaceChoice, ServiceInfo  # noqa: PLC0415 - a local game need not pay for it
    from zeroconf.asyncio import AsyncZeroconf  # noqa: PLC0415

    addresses = list(interfaces or own_addresses() or ["127.0.0.1"])
    label = _label(clean(name, _NAME_LENGTH)) or "Boneyard"
    machine = socket.gethostname().partition(".")[0]
    try:
        zeroconf = AsyncZeroconf(interfaces=list(interfaces) if interfaces else InterfaceChoice.All)
    except OSError as error:
        log.warning("not-announced", extra=fields(reason=error))
        yield False
        return
    try:
        try:
            info = ServiceInfo(
                SERVICE,
                f"{label}.{SERVICE}",
                port=port,
                parsed_addresses=addresses,
                server=f"{_label(f'boneyard-{port}-{machine}')}.local.",
            )
            async with asyncio.timeout(ANNOUNCING):
                await zeroconf.async_register_service(info, allow_name_change=True)
        except (OSError, Error) as error:
            log.warning("not-announced", extra=fields(reason=str(error) or "others claim every name"))
            yield False
        else:
            yield True
    finally:
        await zeroconf.async_close()


def _label(text: str) -> str:
    """As much of a text as fits into a label of the DNS."""
    return text.replace(".", " ").encode(errors="ignore")[:_LABEL].decode(errors="ignore").strip()


@asynccontextmanager
async def listening(
    on_change: Callable[[list[FoundHost]], None], interfaces: Sequence[str] | None = None
) -> AsyncIterator[None]:
    """Call `on_change` with all hosts that are found, again whenever one comes or goes, while the block runs.

    What is no host is passed over, and so are more than MOST_HEARD. Raises OSError if listening on the network is
    impossible.
    """
    from zeroconf import Error, InterfaceChoice, ServiceStateChange  # noqa: PLC0415
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf  # noqa: PLC0415

    zeroconf = AsyncZeroconf(interfaces=list(interfaces) if interfaces else InterfaceChoice.All)
    heard: dict[str, FoundHost] = {}
    looked_up: set[str] = set()

    async def look_up(name: str) -> None:
        try:
            info = AsyncServiceInfo(SERVICE, name)
            if await info.async_request(zeroconf.zeroconf, RESOLVE) and info.port:
                addresses = info.parsed_scoped_addresses()
                if addresses and (name in heard or len(heard) < MOST_HEARD):
                    label = clean(name.removesuffix(f".{SERVICE}"), _NAME_LENGTH)
                    heard[name] = FoundHost(label, addresses[0], info.port)
                    on_change(sorted(heard.values()))
        except Error as error:  # such as a name that belongs to no host
            log.debug("no-host", extra=fields(name=name, reason=repr(error)))
        finally:
            looked_up.discard(name)

    async with Tasks() as tasks:

        def changed(name: str, state_change: ServiceStateChange, **_: object) -> None:
            if state_change is ServiceStateChange.Removed:
                if heard.pop(name, None):
                    with contained("hosts-not-told"):
                        on_change(sorted(heard.values()))
            elif name not in looked_up and len(looked_up) < MOST_HEARD:
                looked_up.add(name)
                tasks.start(look_up(name), "host-not-looked-up")

        browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[changed])
        try:
            yield
        finally:
            await browser.async_cancel()
            await zeroconf.async_close()
