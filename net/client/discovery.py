"""Hosts on the local network: announcing one by mDNS, and finding those that are announced."""

import asyncio
import fcntl
import logging
import socket
import struct
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from operator import itemgetter
from pathlib import Path

from msgspec import Struct

from net.logs import fields
from net.loop import Tasks, log_failures, run_forever
from net.options import EVERYWHERE, is_loopback
from net.players.text import clean

SERVICE = "_boneyard._tcp.local."
RESOLVE_TIMEOUT = 2000
"""Milliseconds in which a found host must send its address."""
_NAME_LENGTH = 40
_LABEL = 60
"""Bytes of an announced label: the DNS has room for 63, and a taken name gets a number appended."""
ANNOUNCE_TIMEOUT = 10.0
"""Seconds in which a name must be found that no other host on the network claims."""
MAX_HOSTS = 100
"""Hosts stored and looked up at a time: anyone on the network can send names without end."""
MAX_ADDRESSES = 8
"""Addresses tried for one host: a machine has one or two in each of its networks."""
POLL_INTERVAL = 5.0
"""Seconds between two checks of this machine's addresses, which change when it joins another network."""
HEAD_START = 0.25
"""Seconds that an address has before the next is tried: the delay that RFC 8305 recommends."""
REACH_TIMEOUT = 5.0
"""Seconds until one of a host's addresses must accept a connection; on a local network it does at once."""
LOOPBACK = "127.0.0.1"
_UP, _LOOPBACK, _POINT_TO_POINT, _RUNNING = 0x1, 0x8, 0x10, 0x40
_MULTICAST, _GET_FLAGS = (0x1000, 0x8913) if sys.platform == "linux" else (0x8000, 0xC0206911)
"""IFF_MULTICAST and SIOCGIFFLAGS, which the standard library does not name (netdevice(7))."""
_TEMPORARY = 0x1
"""IFA_F_TEMPORARY (rtnetlink(7))."""

log = logging.getLogger(__name__)


class FoundHost(Struct, frozen=True, order=True):
    """A host found on the local network."""

    name: str
    address: str
    """The address to try first."""
    port: int
    others: tuple[str, ...] = ()
    """The other addresses, in the order in which to try them."""

    @property
    def places(self) -> tuple[tuple[str, int], ...]:
        """Addresses of the host, each with the port."""
        return tuple((address, self.port) for address in (self.address, *self.others))


class _Interface(Struct, frozen=True):
    """A network interface of this machine, with the properties by which its addresses are sorted."""

    addresses: tuple[str, ...]
    """Link-local IPv6 addresses have the interface's name, as in `fe80::1%eth0`."""
    networks: tuple[IPv4Network | IPv6Network, ...]
    multicast: bool
    point_to_point: bool
    """True for most VPNs: no friend is at the other end."""
    hardware: bool
    """False for bridges of containers and virtual machines; only Linux tells."""


def _active_interfaces() -> list[_Interface]:
    """Return the interfaces that are up, without loopback. Raises OSError where the system refuses the list."""
    import ifaddr  # noqa: PLC0415

    interfaces = []
    for adapter in ifaddr.get_adapters():
        flags = _interface_flags(adapter.name)
        if flags & _LOOPBACK or ~flags & (_UP | _RUNNING):  # a bridge without guests is up, but does not run
            continue
        texts = [ip.ip if isinstance(ip.ip, str) else ip.ip[0] for ip in adapter.ips]
        prefixes = [ip.network_prefix for ip in adapter.ips]
        addresses = [f"{text}%{adapter.name}" if _is_link_local(text) else text for text in texts]
        interfaces.append(
            _Interface(
                addresses=tuple(filter(_is_usable, addresses)),
                networks=tuple(ip_network(pair, strict=False) for pair in zip(texts, prefixes, strict=True)),
                multicast=bool(flags & _MULTICAST),
                point_to_point=bool(flags & _POINT_TO_POINT),
                hardware=Path("/sys/class/net", adapter.name, "device").exists(),
            )
        )
    return interfaces


def _interface_flags(interface: str) -> int:
    """Return the flags of an interface, or the flags of a network card if the system does not tell them."""
    request = struct.pack("16sH22x", interface.encode()[:15], 0)
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            return int(struct.unpack_from("16sH", fcntl.ioctl(probe, _GET_FLAGS, request))[1])
    except OSError:
        return _UP | _RUNNING | _MULTICAST


def _is_usable(address: str) -> bool:
    """Return True if an address can be used yet: IPv6 first looks for duplicates on the network for a second."""
    try:
        family, socket_type, _protocol, _name, socket_address = socket.getaddrinfo(
            address, 0, type=socket.SOCK_DGRAM
        )[0]
        with socket.socket(family, socket_type) as probe:
            probe.bind(socket_address)
    except OSError:
        return False
    return True


def _is_link_local(address: str) -> bool:
    """Return True if an address is a link-local IPv6 address, which needs the name of an interface."""
    return ":" in address and ip_address(address.partition("%")[0]).is_link_local


def own_addresses(*, multicast: bool = False) -> list[str]:
    """Return the addresses at which others may reach this machine, those of the local network first.

    A VPN comes after local networks, even if it is the default route, and link-local addresses come last. `multicast`
    leaves out interfaces without multicast. Privacy extensions give an interface several IPv6 addresses; the list has
    one of them, besides the link-local one. Loopback is never in the list, and no packet is sent.
    """
    routed, temporary = _routed_addresses(), temporary_addresses()
    try:
        interfaces = _active_interfaces()
    except OSError:
        return routed
    ranked: list[tuple[tuple[bool, ...], str]] = []
    for interface in interfaces:
        is_default_route = not set(routed).isdisjoint(interface.addresses)
        global_ipv6 = [address for address in interface.addresses if ":" in address and "%" not in address]
        chosen_ipv6 = min(
            global_ipv6,
            key=lambda text: (text in temporary, text not in routed, ip_address(text).is_global),
            default="",
        )
        for address in interface.addresses:
            if (address in global_ipv6 and address != chosen_ipv6) or (multicast and not interface.multicast):
                continue
            link_local = ip_address(address.partition("%")[0]).is_link_local
            rank = link_local, interface.point_to_point, not is_default_route, not interface.hardware, ":" in address
            ranked.append((rank, address))
    return list(dict.fromkeys(address for _rank, address in sorted(ranked, key=itemgetter(0))))


def temporary_addresses(table: str | None = None) -> set[str]:
    """Return the IPv6 addresses that the system replaces every day for privacy; an empty set where it does not say.

    `table` is the content of /proc/net/if_inet6, by default that of Linux.
    """
    if table is None:
        try:
            table = Path("/proc/net/if_inet6").read_text()
        except OSError:
            return set()
    rows = [line.split() for line in table.splitlines()]
    return {str(IPv6Address(int(row[0], 16))) for row in rows if int(row[4], 16) & _TEMPORARY}


def _routed_addresses() -> list[str]:
    """Return the addresses from which packets leave for the internet."""
    addresses: list[str] = []
    for family, target in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((target, 9))
                address = probe.getsockname()[0]
        except OSError:
            continue
        if not ip_address(address.partition("%")[0]).is_loopback:
            addresses.append(address)
    return addresses


def bound_addresses(bind: str, list_addresses: Callable[[], list[str]] | None = None) -> list[str]:
    """Return the addresses of a host that listens on `bind`; empty, as for sockets, means all.

    `list_addresses` lists all addresses of this machine. A name that is invalid, or of another machine, has no
    address. Raises OSError if the system refuses the list.
    """
    list_addresses = list_addresses or machine_addresses
    match bind:
        case "":
            return list_addresses()
        case "0.0.0.0":  # noqa: S104 - compared, not bound to
            return [address for address in list_addresses() if ":" not in address]
        case "::":
            return [address for address in list_addresses() if ":" in address]
    try:
        return sorted({str(info[4][0]) for info in socket.getaddrinfo(bind, None)})
    except (OSError, UnicodeError):
        return []


def address_for_others(address: str, bind: str = "") -> str:
    """Return an address for invitations: in place of loopback, one of this machine's own, if `bind` includes one."""
    candidates = bound_addresses(bind, own_addresses) if is_loopback(address) else []
    return next((candidate for candidate in candidates if "%" not in candidate), address)


def machine_addresses() -> list[str]:
    """Return all addresses of this machine's interfaces. Raises OSError if the system refuses to list them."""
    import ifaddr  # noqa: PLC0415

    addresses = (ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips)
    return [ip if isinstance(ip, str) else ip[0] for ip in addresses]


@asynccontextmanager
async def announce_host(name: str, port: int, bind: str = "") -> AsyncIterator[None]:
    """Announce a host on the local network while the block runs, again whenever the machine's addresses change.

    `bind` is the address on which the host listens. A network without multicast is only logged.
    """
    list_addresses = partial(bound_addresses, bind, partial(own_addresses, multicast=True))

    async def announce() -> None:
        addresses = list_addresses()
        async with _announcement(name, port, addresses, _mdns_interfaces(bind, addresses)):
            await _wait_for_change(list_addresses, addresses)

    async with Tasks() as tasks:
        tasks.start(run_forever(announce, "not-announced"), "not-announced")
        yield


async def _wait_for_change(list_addresses: Callable[[], list[str]], former_addresses: list[str] | None) -> None:
    """Poll until the addresses differ from `former_addresses`: systems have no common way to report a change."""
    while list_addresses() == former_addresses:  # noqa: ASYNC110
        await asyncio.sleep(POLL_INTERVAL)


def _mdns_interfaces(bind: str, addresses: list[str]) -> list[str]:
    """Return the interfaces on which to speak mDNS, each by one of its addresses of each family.

    Loopback is among them for the players on this machine, unless the host listens only on another address.
    """
    interfaces = [address for address in addresses if ":" not in address or _is_link_local(address)] or addresses
    return [*interfaces, LOOPBACK] if bind in EVERYWHERE else interfaces


@asynccontextmanager
async def _announcement(name: str, port: int, addresses: list[str], interfaces: list[str]) -> AsyncIterator[None]:
    """Announce a host at `addresses` while the block runs; at loopback if there are none."""
    from zeroconf import Error, ServiceInfo  # noqa: PLC0415 - a local game need not pay for it
    from zeroconf.asyncio import AsyncZeroconf  # noqa: PLC0415

    label = _label(clean(name, _NAME_LENGTH)) or "Boneyard"
    machine = socket.gethostname().partition(".")[0]
    try:
        zeroconf = AsyncZeroconf(interfaces=interfaces)
    except OSError as error:
        log.warning("not-announced", extra=fields(reason=error))
        yield
        return
    try:
        try:
            info = ServiceInfo(
                SERVICE,
                f"{label}.{SERVICE}",
                port=port,
                parsed_addresses=[address.partition("%")[0] for address in addresses or [LOOPBACK]],
                server=f"{_label(f'boneyard-{port}-{machine}')}.local.",
            )
            async with asyncio.timeout(ANNOUNCE_TIMEOUT):
                await zeroconf.async_register_service(info, allow_name_change=True)
        except (OSError, Error) as error:
            log.warning("not-announced", extra=fields(reason=str(error) or "others claim every name"))
        yield
    finally:
        await zeroconf.async_close()


def _label(text: str) -> str:
    """Return the part of a text that fits into a label of the DNS."""
    return text.replace(".", " ").encode(errors="ignore")[:_LABEL].decode(errors="ignore").strip()


@asynccontextmanager
async def discover_hosts(on_change: Callable[[list[FoundHost]], None], bind: str = "") -> AsyncIterator[None]:
    """Call `on_change` with all hosts found, again whenever one appears or disappears, while the block runs.

    Listens on the interfaces of `bind` (empty: all), and starts again whenever they change. Ignores names that belong
    to no host, and hosts beyond MAX_HOSTS. Raises OSError if listening on the network is impossible.
    """
    list_addresses = partial(bound_addresses, bind, partial(own_addresses, multicast=True))
    first_addresses = list_addresses()
    listened_addresses: list[str] | None = first_addresses

    async def listen_again() -> None:
        nonlocal listened_addresses
        await _wait_for_change(list_addresses, listened_addresses)
        await stack.aclose()
        listened_addresses, addresses = None, list_addresses()  # if listening fails now, the next step tries again
        on_change([])
        await stack.enter_async_context(_browse_interfaces(on_change, _mdns_interfaces(bind, addresses)))
        listened_addresses = addresses

    async with AsyncExitStack() as stack:
        await stack.enter_async_context(_browse_interfaces(on_change, _mdns_interfaces(bind, first_addresses)))
        async with Tasks() as tasks:
            tasks.start(run_forever(listen_again, "hosts-not-heard"), "hosts-not-heard")
            yield


@asynccontextmanager
async def _browse_interfaces(
    on_change: Callable[[list[FoundHost]], None], interfaces: list[str]
) -> AsyncIterator[None]:
    """Call `on_change` with the hosts found on `interfaces`, whenever they change."""
    from zeroconf import Error, ServiceStateChange  # noqa: PLC0415
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf  # noqa: PLC0415

    zeroconf = AsyncZeroconf(interfaces=interfaces)
    hosts: dict[str, FoundHost] = {}
    pending_lookups: set[str] = set()

    async def look_up(name: str) -> None:
        try:
            info = AsyncServiceInfo(SERVICE, name)
            if await info.async_request(zeroconf.zeroconf, RESOLVE_TIMEOUT) and info.port:
                addresses = _nearest_first(info.parsed_scoped_addresses())[:MAX_ADDRESSES]
                if addresses and (name in hosts or len(hosts) < MAX_HOSTS):
                    label = clean(name.removesuffix(f".{SERVICE}"), _NAME_LENGTH)
                    hosts[name] = FoundHost(label, addresses[0], info.port, tuple(addresses[1:]))
                    on_change(sorted(hosts.values()))
        except Error as error:  # such as a name that belongs to no host
            log.debug("no-host", extra=fields(name=name, reason=repr(error)))
        finally:
            pending_lookups.discard(name)

    async with Tasks() as tasks:

        def on_service_change(name: str, state_change: ServiceStateChange, **_: object) -> None:
            if state_change is ServiceStateChange.Removed:
                if hosts.pop(name, None):
                    with log_failures("hosts-not-told"):
                        on_change(sorted(hosts.values()))
            elif name not in pending_lookups and len(pending_lookups) < MAX_HOSTS:
                pending_lookups.add(name)
                tasks.start(look_up(name), "host-not-looked-up")

        browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[on_service_change])
        try:
            yield
        finally:
            await browser.async_cancel()
            await zeroconf.async_close()


def _nearest_first(addresses: list[str]) -> list[str]:
    """Sort the addresses of a host: those in a network of this machine first, and this machine's own last.

    A bridge for containers has the same address on many machines: from here, it leads to this machine.
    """
    try:
        interfaces = _active_interfaces()
    except OSError:
        return addresses
    local_addresses = {address for interface in interfaces for address in interface.addresses}
    networks = [network for interface in interfaces for network in interface.networks]

    def distance(address: str) -> int:
        text = address.partition("%")[0]
        is_near = not _is_link_local(text) and any(ip_address(text) in network for network in networks)
        return 2 if address in local_addresses else 0 if is_near else 1

    return sorted(addresses, key=distance)


async def first_reachable(endpoints: Sequence[tuple[str, int]]) -> tuple[str, int]:
    """Return the first of a host's addresses and ports that accepts a connection; if none does, the first of all.

    The next is tried HEAD_START seconds after the one before (RFC 8305, Happy Eyeballs).
    """
    if len(endpoints) == 1:
        return endpoints[0]

    async def try_endpoint(number: int, endpoint: tuple[str, int]) -> tuple[str, int]:
        await asyncio.sleep(number * HEAD_START)
        _reader, writer = await asyncio.open_connection(*endpoint)
        writer.close()
        return endpoint

    async with Tasks() as tasks:
        attempts = {asyncio.create_task(try_endpoint(number, endpoint)) for number, endpoint in enumerate(endpoints)}
        tasks.adopt(attempts)
        with suppress(TimeoutError):
            async with asyncio.timeout(REACH_TIMEOUT):
                for finished_attempt in asyncio.as_completed(attempts):
                    with suppress(OSError):
                        return await finished_attempt
    return endpoints[0]
