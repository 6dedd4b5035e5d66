"""A host is a list of parts, opened in order and closed in reverse; here those of a standalone host.

Each part is a context manager that is given the host. It adds attributes that later parts need, and cleans up on
every exit: goodbye to guests, last saves.
"""

import asyncio
import logging
import resource
import secrets
import signal
import socket
from collections.abc import AsyncIterator, Callable, Container, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    nullcontext,
    suppress,
)
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace

from core.records import Signing
from core.words import Words, words
from net.client.discovery import POLL_INTERVAL, announce_host, bound_addresses, own_addresses
from net.doors.listener import HostError
from net.doors.terminal import Identity, Terminal, visitor
from net.host.access import Access, Quotas
from net.host.admin import serve_admin
from net.host.guest_server import GuestServer
from net.host.lobby import Lobby
from net.host.metrics import Metrics, publish_metrics
from net.host.server import Server
from net.host.thinkers import Thinkers
from net.hosting.garbage_collector import GarbageCollector
from net.hosting.opening import open_parts
from net.limits import RETURN_WITHIN, Limits, limits_for_return
from net.logs import fields, log_to
from net.loop import LoopScheduler, Tasks, run_forever
from net.options import EVERYWHERE, AccessOptions, DoorOptions, HostOptions, invitation_link
from net.players.accounts import Accounts
from net.players.names_in_use import skeletons
from net.players.text import clean_name
from net.ssh.gateways.messages import GatewayConfig
from net.ssh.gateways.supervisor import Start, serve_through_gateways
from net.ssh.keys import KeyFileError, ListedKeys, signing
from net.ssh.server.listen import OpenPort, serve
from net.storage.check import CLUSTER_FILE
from net.storage.permissions import keep_private
from net.storage.record_index import RecordIndex
from net.storage.sqlite import DATABASE_FILE, RECORDS, QuarantinedTable, Store
from net.wire.link import Link

if TYPE_CHECKING:
    from net.web.door import Pages

MIN_OPEN_FILES = 4096
"""Connections and files that a process may have open: some three times what one core serves."""
RESERVED_FILES = 100
"""Files of these that guests leave free: for the database, records, bots, administration and returning players."""
HOST_KEY = "host_key"
"""File of the host's key in the data directory."""
_CLOSING = words("Shutting down.")
log = logging.getLogger(__name__)


class Sessions(Protocol):
    """Serves SSH sessions in this process."""

    async def on_terminal(self, identity: Identity, terminal: Terminal) -> None:
        """Show screens until the session is over."""

    async def on_link(self, identity: Identity, link: Link) -> None:
        """Serve a `boneyard join`."""

    garbage_collector: GarbageCollector

    @property
    def pages(self) -> "Pages":
        """Source of link previews and other texts for browsers."""


class Screens(Protocol):
    """Draws the screens, of which `net` knows nothing."""

    def sessions(self, server: GuestServer, door: DoorOptions, software: str, scheduler: LoopScheduler) -> Sessions:
        """Return the sessions of this process."""

    @property
    def start(self) -> Start:
        """Function that starts another process that draws."""


class Host:
    """A host that is being opened, or is open: its options, and the results of its parts so far."""

    metrics: Metrics
    thinkers: Thinkers
    stop: asyncio.Event
    """Set when it is time to close."""
    server: Server
    """Server of the tables here."""
    guests: GuestServer
    """Server of the guests."""
    port: OpenPort
    may_return = False
    """True if it may soon be back after it closes."""
    signal = 0
    """The signal that closes it; 0 if there is none."""

    def __init__(
        self,
        options: HostOptions,
        say: Callable[[Words | str], None],
        screens: Screens,
        greet: Callable[["Host"], list[str]],
    ) -> None:
        """`say` prints a line for the operator; `greet` returns the lines to print once guests can connect."""
        self.options = options
        self.say = say
        self.screens = screens
        self.greet = greet
        self.scheduler = LoopScheduler()
        self.is_open = False
        """True once all parts are open."""
        self.quotas: Quotas | None = None
        self.watchers: tuple[logging.Handler, ...] = ()
        """Log handlers in addition to the log."""

    @property
    def door(self) -> DoorOptions:
        """Options of its entrances. Raises ValueError without any."""
        if self.options.door is None:
            raise ValueError("a host without a door lets nobody in")
        return self.options.door

    @property
    def host_key(self) -> Path:
        """File of its key."""
        return self.options.data / HOST_KEY

    @property
    def addresses(self) -> list[str]:
        """Addresses at which others reach the host, likeliest first; empty on a machine without a network."""
        if self.door.address:
            return [self.door.address]
        if self.door.bind not in EVERYWHERE:
            return [self.door.bind]
        addresses = bound_addresses(self.door.bind, own_addresses)
        # interfaces have other names on other machines
        usable_elsewhere = [address for address in addresses if "%" not in address]
        return usable_elsewhere or addresses

    def watch_health(self, server_problem: Callable[[], str] = str) -> None:
        """Let `/healthz` answer what `server_problem` returns or, until all ports are open, that the host starts."""
        self.metrics.set_health_check(lambda: server_problem() or ("" if self.is_open else "The host is starting."))

    async def goodbye(self) -> None:
        """Say goodbye to all guests, while they are still connected."""
        await self.server.aclose()

    def interrupt(self) -> None:
        """Close for good, on Ctrl-C or when the window is closed."""
        self.stop.set()

    def terminate(self) -> None:
        """Close at the request of a supervisor, which may restart the host."""
        self.may_return = True
        self.stop.set()

    async def wait_closed(self) -> None:
        """Wait until it is time to close."""
        await self.stop.wait()


Part = Callable[[Host], AbstractAsyncContextManager[None]]


async def run(host: Host, parts: Sequence[Part]) -> None:
    """Open the parts, and close them when the host is over. Raises as `open_parts`."""
    async with open_parts(host, parts):
        host.is_open = True
        await host.wait_closed()
        host.say(_CLOSING)


@asynccontextmanager
async def process(host: Host) -> AsyncIterator[None]:
    """Part that opens first and closes last: directory, log, signals, metrics, and processes in which bots think."""
    options = host.options
    keep_private()
    options.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    log_to(options.log_file, options.node.name if options.node else "")
    for watcher in host.watchers:
        logging.getLogger().addHandler(watcher)
    host.stop = asyncio.Event()
    _handle_signals(host)
    _fit_connections(host)
    # warm up: the first call reads a table for 50 ms, which a guest's name must not wait for
    skeletons(options.software)
    clean_name("é")  # the same for another table
    with publish_metrics(options.metrics) as host.metrics:
        host.watch_health()
        if host.metrics.address:
            host.say(f"Prometheus metrics: {host.metrics.address}")
        host.thinkers = Thinkers()
        try:
            yield
        finally:
            await host.thinkers.aclose()


@asynccontextmanager
async def standalone_tables(host: Host) -> AsyncIterator[None]:
    """Part: the lobby and the tables of a standalone host, with stored data. Raises HostError and StoreError."""
    data = host.options.data
    if (data / CLUSTER_FILE).exists() and not (data / DATABASE_FILE).exists():
        raise HostError(
            f"{data} belongs to a node of a cluster ({CLUSTER_FILE} is there), whose names and tables are in "
            "PostgreSQL; start it with --cluster and --role, or choose another --data."
        )
    with Store(host.options.data) as store:
        lobby = resume_lobby(store, host.options, signing_of(host))
        host.server = host.guests = server = Server(
            lobby, store, host.metrics, host.scheduler, host.thinkers, RecordIndex(host.options.data / RECORDS)
        )
        host.watch_health(partial(server_problem, server))
        server.open()
        yield


def _expect_players(host: Host) -> None:
    """After a restart, let players return to their seats at a higher rate than strangers may come."""
    if host.guests.listing.has_reserved_seats:
        limits = host.door.access.limits
        host.scheduler.set_limits(limits_for_return(limits))
        asyncio.get_running_loop().call_later(RETURN_WITHIN, host.scheduler.set_limits, limits)


@asynccontextmanager
async def ssh_door(host: Host) -> AsyncIterator[None]:
    """Part: the ports for guests, served here or by workers, until all guests got a goodbye."""
    door, access = host.door, access_of(host.door.access, lambda: host.guests.bans)
    if door.web:
        from net.web.door import accept_browsers, serve_web  # noqa: PLC0415 - it needs packages that few hosts have

    async def has_reserved_seat(identity: Identity) -> bool:
        return await host.guests.has_reserved_seat(visitor(identity))

    if door.workers:
        config = GatewayConfig(
            number=0,
            software=host.options.software,
            house_rules=host.options.house_rules,
            host_key=str(host.host_key),
            log_file=str(host.options.log_file or ""),
            node=host.options.node.name if host.options.node else "",
            door=door,
        )
        open_door = serve_through_gateways(
            config,
            host.screens.start,
            host.guests,
            access,
            host.metrics,
            has_reserved_seat,
            host.quotas,
            second_door=partial(accept_browsers, door) if door.web else None,
        )
        garbage_collector = GarbageCollector(host.scheduler)
        collector_session: AbstractContextManager[None] = (
            garbage_collector.count_session()
        )  # there are no screens here
    else:
        sessions = host.screens.sessions(host.guests, door, host.options.software, host.scheduler)
        garbage_collector, collector_session = sessions.garbage_collector, nullcontext()
        open_door = serve(
            door.bind,
            door.port,
            host.host_key,
            sessions.on_terminal,
            sessions.on_link,
            access=access,
            limits=door.access.limits,
            metrics=host.metrics,
            has_reserved_seat=has_reserved_seat,
            scheduler=host.scheduler,
            quotas=host.quotas,
            proxied_by=door.access.proxied_by,
            second_door=partial(serve_web, door, sessions.pages) if door.web else None,
        )
    async with open_door as host.port:
        _expect_players(host)
        garbage_collector.begin()
        host.guests.offer_link(invitation_link(door, host.port.web))
        for line in host.greet(host):
            host.say(line)
        try:
            with collector_session:
                yield
        finally:
            host.port.refuse()
            garbage_collector.stop()
            host.guests.returns = host.may_return
            await host.goodbye()


@asynccontextmanager
async def announcement(host: Host) -> AsyncIterator[None]:
    """Part: announces the host on the local network, and tells the operator when the machine's addresses change."""
    label = host.door.name or socket.gethostname().partition(".")[0]
    addresses = host.addresses

    async def check() -> None:
        nonlocal addresses
        await asyncio.sleep(POLL_INTERVAL)
        if (current_addresses := host.addresses) != addresses:
            addresses = current_addresses
            log.info("addresses-changed", extra=fields(addresses=" ".join(current_addresses)))
            host.say(words("The addresses of this machine have changed."))
            for line in host.greet(host):
                host.say(line)

    async with (
        Tasks() as tasks,
        announce_host(label, host.port.port, host.door.bind) if host.door.announce else nullcontext(),
    ):
        tasks.start(run_forever(check, "addresses-not-seen"), "addresses-not-seen")
        yield


@asynccontextmanager
async def administration(host: Host) -> AsyncIterator[None]:
    """Part: the operator's commands."""
    async with serve_admin(host.server, host.options.data, host.port.disconnect):
        yield


STANDALONE: tuple[Part, ...] = (process, standalone_tables, ssh_door, administration, announcement)
"""Parts of `boneyard host`."""


def raise_file_limit(target: int = MIN_OPEN_FILES) -> int:
    """Raise the limit of open files to `target` if allowed, and return the limit: each connection is a file."""
    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard_limit != resource.RLIM_INFINITY:
        target = min(target, hard_limit)
    if soft_limit == resource.RLIM_INFINITY:
        return target
    if soft_limit < target:
        with suppress(OSError, ValueError):  # macOS allows fewer than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard_limit))
            soft_limit = target
    return soft_limit


def files_for(limits: Limits, processes: int = 1) -> int:
    """Return the number of files that each of `processes` must be able to open, so that all connections of `limits`
    fit.
    """
    return max(MIN_OPEN_FILES, -(-(limits.connections + limits.unauthenticated) // processes) + RESERVED_FILES)


def limits_for(files: int, limits: Limits, processes: int = 1) -> Limits:
    """Return `limits` with no more connections than fit in `processes` that may each have `files` open.

    `RESERVED_FILES` stay free in each of them. At most a quarter of the rest is for connections before their login.
    """
    available = max(4, files - RESERVED_FILES) * processes
    strangers = min(limits.unauthenticated, available // 4)
    return replace(limits, unauthenticated=strangers, connections=min(limits.connections, available - strangers))


def _fit_connections(host: Host) -> None:
    """Lower the limits on connections to fit the limit of open files, and tell the operator."""
    if (door := host.options.door) is None:
        raise_file_limit()
        return
    requested, processes = door.access.limits, max(1, door.workers)
    required_files = files_for(requested, processes)
    file_limit = raise_file_limit(required_files)
    limits = limits_for(file_limit, requested, processes)
    host.options = replace(host.options, door=replace(door, access=replace(door.access, limits=limits)))
    if limits.connections == requested.connections:
        return
    log.warning(
        "few-files", extra=fields(files=file_limit, connections=limits.connections, asked=requested.connections)
    )
    host.say(
        words(
            "This process may open only {files} files, so {count} guests fit instead of {asked}. "
            "Raise the limit: ulimit -n {wanted}, or LimitNOFILE={wanted} in a systemd unit.",
            files=file_limit,
            count=limits.connections,
            asked=requested.connections,
            wanted=required_files,
        )
    )


def access_of(options: AccessOptions, bans: Callable[[], Container[str]] = frozenset) -> Access:
    """Create the rules of access. Raises HostError if the list of keys cannot be used."""
    try:
        listed_keys = ListedKeys(Path(options.keys)) if options.keys else None
    except KeyFileError as error:
        raise HostError(str(error)) from error
    return Access(invite=options.invite, listed_keys=listed_keys, bans=bans, limits=options.limits)


def signing_of(host: Host) -> Signing:
    """Load the host's key, which seals records. Raises HostError."""
    try:
        return signing(host.host_key)
    except KeyFileError as error:
        raise HostError(str(error)) from None


def server_problem(server: Server) -> str:
    """Return the problem of a host; empty if it is healthy."""
    if server.closed:
        return "The host is shutting down."
    return f"Nothing can be saved: {server.storage_error}" if server.storage_error else ""


new_secret = partial(secrets.token_bytes, 32)
"""Returns the secret of a match."""


def _handle_signals(host: Host) -> None:
    """Have signals close a host; SIGHUP is ignored if it was ignored at the start.

    The loop's own handlers would end with the loop, and another Ctrl-C just then would interrupt the cleanup.
    """
    loop = asyncio.get_running_loop()
    handlers = {signal.SIGINT: host.interrupt, signal.SIGTERM: host.terminate, signal.SIGHUP: host.interrupt}

    def on_signal(number: int, _frame: object) -> None:
        host.signal = number
        if not loop.is_closed():
            loop.call_soon_threadsafe(handlers[signal.Signals(number)])

    for number in handlers:
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, on_signal)


def resume_lobby(store: Store, options: HostOptions, signing: Signing) -> Lobby:
    """Return a lobby with all stored data. Tables that cannot be resumed are quarantined.

    Their players are told when they connect, and the lines of their matches become a file for the operator.
    """
    stored = store.load()
    lobby = Lobby(
        Accounts(stored.account_entries),
        new_secret=new_secret,
        software=options.software,
        pace=options.pace,
        house_rules=options.house_rules,
        last_table=stored.last_table,
        signing=signing,
        returning=options.door is not None and options.door.access.returning,
    )
    quarantined_tables = list(stored.unreadable)
    for snapshot, lines in stored.tables:
        try:
            lobby.resume(snapshot, lines)
        except Exception as error:  # one broken table must not stop the others
            quarantined_tables.append(QuarantinedTable.of(snapshot, error))
    for quarantined in quarantined_tables:
        log.error("table-not-resumed", extra=fields(table=quarantined.table, error=quarantined.reason))
        store.quarantine(quarantined)
        lobby.quarantined_tables.add(quarantined.table, quarantined.tokens)
    return lobby
