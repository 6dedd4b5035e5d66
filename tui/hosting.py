"""A host: one house behind an SSH port, for guests with a plain `ssh` and for `boneyard join`."""

import asyncio
import contextlib
import gc
import logging
import resource
import secrets
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

from core.records import RecordError
from core.seals import Signing
from core.words import Refusal
from net.admin import administered
from net.client import Client
from net.codes import split_user
from net.house import CLOSING, House
from net.lan import announced, own_addresses
from net.link import Link, memory_pair
from net.lobby import Lobby, Visitor
from net.logs import fields, log_to
from net.looks import looks
from net.metrics import published
from net.register import Register
from net.ssh.guest import Identity, Terminal
from net.ssh.host import HostError, serve
from net.ssh.keys import KeyFileError
from net.ssh.sshsig import signing
from net.store import Store, Unresumed
from net.table import Pace
from themes import load_theme
from tui.app import BoneyardApp
from tui.entrance import Entrance
from tui.local import seeds
from tui.scene import Look
from tui.served import SharedStyles, run_served
from tui.turns import Ears, HeardInTurn, Turns
from tui.words import speak, spoken

GC_THRESHOLDS = (5_000, 1_000_000, 1_000_000)
"""Only the young are collected as they come. What has grown old is walked by `Sweeper` alone: it is some 3000
objects for each session, which take 3 ms, and the whole house would stand still meanwhile."""
YOUNG = 0.025
"""Seconds between looks at the young. Python counts what is made less what is let go, and in a busy house the two
are equal: left to itself it looks seldom, at a hundred thousand at once, and takes 70 ms; so 0.5 ms at a time."""
SAVING_TIMEOUT = 1.5
"""Seconds that a closing host takes to save the last moment; what was told to anybody is safe already."""
FILES = 4096
"""Connections and files that may be open: some three times what one core serves."""
UNSWEPT = 200
"""Ended sessions of which some 100 KiB may lie about while others play."""

log = logging.getLogger(__name__)


async def host_house(
    *,
    bind: str,
    port: int,
    data: Path,
    entrance: Entrance,
    name: str | None,
    announce: bool,
    pace: Pace,
    house_rules: dict[str, dict[str, str | int]],
    log_file: Path | None,
    metrics: int | None,
    theme: str,
    software: str,
    say: Callable[[str], None],
) -> None:
    """Keep a house open until SIGINT or SIGTERM, then tell everybody goodbye.

    Raises `net.ssh.host.HostError`, `net.store.StoreError`, `net.metrics.MetricsError` or OSError, with a sentence,
    when it cannot be opened.
    """
    log_to(log_file)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    _prepare(data)
    looks(software)  # the first call reads a table for 50 ms, and a guest's name shall not be that
    with published(metrics) as numbers, Store(data) as store:
        lobby = _lobby(store, software, pace, house_rules, _signing(data))
        doorman = entrance.doorman(lobby.register)
        reception = Reception(House(lobby, store, numbers), theme, software)
        reception.house.open()
        door = serve(
            bind,
            port,
            data / "host_key",
            reception.on_terminal,
            reception.on_link,
            doorman=doorman,
            limits=entrance.limits,
            metrics=numbers,
        )
        async with door as server:
            collect_rarely()
            label = name or f"{socket.gethostname().partition('.')[0]}"
            if numbers.address:
                say(f"Numbers for Prometheus: {numbers.address}")
            for line in directions(bind, server.port, server.fingerprint, entrance.sentence):
                say(line)
            async with administered(reception.house, data, server.expel):
                if announce:
                    async with announced(label, server.port, [bind] if bind else None):
                        await stop.wait()
                else:
                    await stop.wait()
            say("Closing the house.")
            reception.sweeper.stop()
            await _put_down(reception.house)


def _signing(data: Path) -> Signing:
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
        Register(loaded.people),
        seeds=seeds(None),
        software=software,
        pace=pace,
        house_rules=house_rules,
        last_table=loaded.last_table,
        signing=signing,
    )
    missed = list(loaded.unreadable)
    for kept, lines in loaded.tables:
        try:
            lobby.resume(kept, lines)
        except Exception as error:  # whatever is wrong with one table, the others go on
            reason = str(error) if isinstance(error, RecordError | Refusal) else f"a fault of the program, {error!r}"
            missed.append(Unresumed(kept.id, reason, tuple(chair.token for chair in kept.chairs if chair.token)))
    for one in missed:
        log.error("table-not-resumed", extra=fields(table=one.table, error=one.reason))
        store.set_aside(one)
        lobby.missed.note(one.table, one.tokens)
    return lobby


async def _put_down(house: House) -> None:
    """Keep every table as it is now, and tell everybody goodbye."""
    house.keep_all()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(SAVING_TIMEOUT):
            await house.settled()
    house.close()


class Reception:
    """Leads whoever comes through the SSH door into the house."""

    def __init__(self, house: House, theme: str, software: str) -> None:
        self.house = house
        self._theme = theme
        self._software = software
        self._styles = SharedStyles()
        self._turns = Turns()
        self._ears = Ears()
        self.sweeper = Sweeper()
        # To open a session takes 40 ms in steps. One at a time, so that players wait for one step and not for
        # one of everybody who comes.
        self._door = asyncio.Lock()

    async def on_terminal(self, identity: Identity, terminal: Terminal) -> None:
        """Serve the screens to a guest with nothing but `ssh`: a client like any other, on a link in memory."""
        speak(next((terminal.env[key] for key in ("LC_ALL", "LC_MESSAGES", "LANG") if key in terminal.env), ""))
        look = Look(load_theme(self._theme), ascii=not terminal.utf8)
        ours, theirs = memory_pair()
        client = Client(HeardInTurn(ours, self._ears), self._software, entropy=secrets.token_bytes)
        with self.sweeper.session():
            async with AsyncExitStack() as opening, asyncio.TaskGroup() as group:
                await opening.enter_async_context(self._door)
                group.create_task(self.house.attend(theirs, visitor(identity)))
                try:
                    last_word = await run_served(
                        lambda: BoneyardApp(client, look, theme=self._theme),
                        terminal,
                        styles=self._styles,
                        turns=self._turns,
                        on_ready=opening.aclose,
                    )
                finally:
                    ours.close()
        if not last_word and self.house.closed:
            last_word = spoken(CLOSING)  # the end of his terminal was faster than the host's goodbye on his link
        if last_word:
            terminal.write(f"{last_word}\r\n")

    async def on_link(self, identity: Identity, link: Link) -> None:
        """Serve a `boneyard join`."""
        await self.house.attend(link, visitor(identity))


def visitor(identity: Identity) -> Visitor:
    """Turn who logged in into who comes to the lobby; who has no key may come back by a code in his user name."""
    user, code = split_user(identity.user)
    return Visitor(user, identity.key or "", "" if identity.key else code, identity.address)


def directions(bind: str, port: int, fingerprint: str, who: str) -> list[str]:
    """What a friend must type to come in."""
    at_hand = bind not in ("", "0.0.0.0", "::")  # noqa: S104 - compared, not bound to
    addresses = [bind] if at_hand else own_addresses() or ["127.0.0.1"]
    lines = ["The house is open. A friend types one of these:", ""]
    for address in addresses:
        joined = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
        lines.append(f"    ssh -p {port} {address}")
        lines.append(f"    boneyard join {address if port == 2222 and ':' not in address else joined}")
    return [*lines, "", who, f"Host key: {fingerprint}", "Ctrl-C closes the house."]


def _prepare(data: Path) -> None:
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    wanted, allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
    if wanted < FILES <= allowed:  # each guest is one; a shell's usual 1,024 are for programs that cannot take more
        resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, allowed))


class Sweeper:
    """Collects what ended sessions leave behind: objects that hold each other, which counting never frees.

    That stops everybody, so it is done when the last guest has left, or else when `UNSWEPT` sessions have ended.
    """

    def __init__(self) -> None:
        self._open = 0
        self._ended = 0
        self._looks = False
        self._stopped = False

    def stop(self) -> None:
        """Collect no more: the process ends soon, and everybody waits for it."""
        self._stopped = True

    @contextmanager
    def session(self) -> Iterator[None]:
        """Count one session for the length of the block."""
        self._open += 1
        if not self._looks:
            self._look()
        try:
            yield
        finally:
            self._open -= 1
            self._ended += 1
            if (not self._open or self._ended >= UNSWEPT) and not self._stopped:
                self._ended = 0
                # Not now: this session's own frames still hold its screens.
                asyncio.get_running_loop().call_soon(gc.collect)

    def _look(self) -> None:
        """Look at the young again and again while anybody is here."""
        self._looks = self._open > 0
        if self._looks:
            gc.collect(0)
            asyncio.get_running_loop().call_later(YOUNG, self._look)


def collect_rarely() -> None:
    """Keep Python's garbage collector out of the players' way (design §4)."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
