"""A host: one server behind an SSH port, for guests with a plain `ssh` and for `boneyard join`."""

import asyncio
import logging
import signal
import socket
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from core.seals import Signing
from net.client.discovery import announced, own_addresses
from net.host.admin import administered
from net.host.lobby import Lobby
from net.host.metrics import published
from net.host.server import Server
from net.host.thinkers import Thinkers
from net.logs import fields, log_to
from net.moves_first import MovesFirst
from net.players.accounts import Accounts
from net.players.confusables import skeletons
from net.players.text import clean_name
from net.ssh.keys import KeyFileError
from net.ssh.server.listen import HostError, OpenPort
from net.ssh.server.terminal import Identity
from net.ssh.signatures import signing
from net.storage.permissions import keep_private
from net.storage.sqlite import Store, Unresumed
from net.table.table import Pace
from tui.i18n import _
from tui.run.access import AccessOptions
from tui.run.alone import seeds, shut_down
from tui.run.files import allow_many
from tui.run.hosting_player import Play
from tui.run.listening import listening
from tui.run.window import Warnings, Window, told_in
from tui.serve.session_server import visitor
from tui.text.ways import ways_to

log = logging.getLogger(__name__)


async def run_host(
    *,
    bind: str,
    port: int,
    data: Path,
    access_options: AccessOptions,
    name: str | None,
    announce: bool,
    pace: Pace,
    house_rules: dict[str, dict[str, str | int]],
    log_file: Path | None,
    metrics: int | None,
    theme: str,
    pictures: bool = True,
    software: str,
    say: Callable[[str], None],
    play: Play | None = None,
    workers: int = 0,
    window: Window | None = None,
) -> None:
    """Run a host until a signal, or until the one who plays here leaves; then tell everybody goodbye.

    With `workers`, so many other processes speak SSH and draw screens. A `window` is told what happens.

    Raises `net.ssh.server.listen.HostError`, `net.storage.sqlite.StoreError`, `net.host.metrics.MetricsError` or
    OSError, with a sentence, when it cannot be opened.
    """
    keep_private()
    prepare(data)
    log_to(log_file)
    if window is not None:
        logging.getLogger().addHandler(Warnings(window))
    stop = stopped_by_signals()
    skeletons(software)  # the first call reads a table for 50 ms; a guest's name must not be that call
    clean_name("é")  # this reads another
    with published(metrics) as numbers, Store(data) as store:
        lobby = _lobby(store, software, pace, house_rules, signing_with(data))
        access = access_options.access(lobby.accounts)
        moves, thinkers = MovesFirst(), Thinkers()
        server = Server(lobby, store, numbers, moves, thinkers)
        numbers.health(partial(wrong, server))
        server.open()
        opening, garbage_collector = listening(
            server,
            bind=bind,
            port=port,
            key=data / "host_key",
            access=access,
            access_options=access_options,
            theme=theme,
            pictures=pictures,
            software=software,
            log_file=log_file,
            node="",
            workers=workers,
            metrics=numbers,
            expects=partial(_expects, lobby),
            moves=moves,
        )
        async with opening as open_port:
            garbage_collector.begin()
            label = name or f"{socket.gethostname().partition('.')[0]}"
            if numbers.address:
                say(f"Prometheus metrics: {numbers.address}")
            for line in directions(bind, open_port, access_options.sentence):
                say(line)
            if window is not None and log_file is not None:
                say(_("Log: {file}", file=log_file))
                say("")
            announcing = announced(label, open_port.port, [bind] if bind else None) if announce else nullcontext()
            collecting = garbage_collector.session() if workers else nullcontext()  # there are no screens here
            async with administered(server, data, open_port.disconnect), announcing, told_in(window, lobby):
                if play:
                    await play(server, [(address, open_port.port) for address in addresses_at(bind)], stop)
                with collecting:
                    await stop.wait()
            say(_("Shutting down."))
            open_port.refuse()
            garbage_collector.stop()
            await shut_down(server)
            await thinkers.aclose()


def stopped_by_signals() -> asyncio.Event:
    """Return what SIGINT, SIGTERM and SIGHUP set; but who starts a host with SIGHUP ignored wants it to go on."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


def wrong(server: Server) -> str:
    """What is not well with a host; empty when all is."""
    if server.closed:
        return "The host is shutting down."
    return f"Nothing can be saved: {server.storage_error}" if server.storage_error else ""


def _expects(lobby: Lobby, identity: Identity) -> bool:
    """Whether a seat is kept for somebody."""
    return lobby.expects(visitor(identity))


def signing_with(data: Path) -> Signing:
    """Seal records with the host's key."""
    try:
        return signing(data / "host_key")
    except KeyFileError as error:
        raise HostError(str(error)) from None


def _lobby(
    store: Store, software: str, pace: Pace, house_rules: dict[str, dict[str, str | int]], signing: Signing
) -> Lobby:
    """A lobby with all that the host had kept. A table that cannot be taken up stays on disk as it is.

    Its players are told when they come, and its lines become a file for the operator.
    """
    loaded = store.load()
    lobby = Lobby(
        Accounts(loaded.people),
        seeds=seeds(None),
        software=software,
        pace=pace,
        house_rules=house_rules,
        last_table=loaded.last_table,
        signing=signing,
    )
    lost = list(loaded.unreadable)
    for snapshot, lines in loaded.tables:
        try:
            lobby.resume(snapshot, lines)
        except Exception as error:  # whatever is wrong with one table, the others go on
            lost.append(Unresumed.of(snapshot, error))
    for one in lost:
        log.error("table-not-resumed", extra=fields(table=one.table, error=one.reason))
        store.set_aside(one)
        lobby.lost_tables.add(one.table, one.tokens)
    return lobby


def addresses_at(bind: str) -> list[str]:
    """The addresses at which others reach a host that listens on `bind`, likeliest first."""
    at_hand = bind not in ("", "0.0.0.0", "::")  # noqa: S104 - compared, not bound to
    return [bind] if at_hand else own_addresses() or ["127.0.0.1"]


def directions(bind: str, port: OpenPort, who: str) -> list[str]:
    """What a friend must type to come in."""
    lines = [_("The host is running. A friend types one of these:"), ""]
    lines += [f"    {way}" for address in addresses_at(bind) for way in ways_to(address, port.port)]
    return [
        *lines,
        "",
        who,
        _("Host key: {fingerprint}", fingerprint=port.fingerprint),
        *([_("Host key (ECDSA): {fingerprint}", fingerprint=port.ecdsa)] if port.ecdsa else []),
        _("Press Ctrl-C to stop the host."),
    ]


def prepare(data: Path) -> None:
    """Make the data directory, and let this process have as many connections as it may."""
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    allow_many()
