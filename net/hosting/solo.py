"""A solo match: a host of one guest, without a door, with a store of its own."""

import hashlib
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager, nullcontext
from functools import partial
from itertools import count
from pathlib import Path

from msgspec import Struct

from core.records import RecordError
from core.words import Refusal, words
from net.client.client import Client
from net.host.guest_server import InProcessGuest
from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.host.server import Server
from net.host.thinkers import Thinkers
from net.players.accounts import Accounts
from net.storage.solo_storage import MatchStorage, NotResumableError, RecordFile
from net.table.table import Pace
from net.wire.messages import Bye, MakeTable, Sit

PLAYER = "alone"
"""Return code of the only player; no other guest can reach this server."""
MAX_REMATCHES = 10_000
"""Matches in a row at one table for which a seed fixes the deals, also after a break."""


class SoloOptions(Struct, frozen=True, kw_only=True):
    """Options of a solo match."""

    table_or_path: MakeTable | Path
    """A new table, or the directory of a saved match."""
    data: Path
    """Directory in which matches are saved."""
    software: str
    pace: Pace
    seed: int | None = None
    """Fixes all deals."""
    record: Path | None = None
    """File for the record, in addition to the saved match."""
    thinkers: Thinkers | None = None
    """Processes in which bots think; None: the match starts its own."""


class SoloMatch:
    """A solo match that is being opened, or is open: its options, and the results of its parts so far."""

    storage: MatchStorage
    record: RecordFile | None = None
    server: Server
    thinkers: Thinkers
    client: Client
    table_request: MakeTable | Sit
    """Message with which the player gets to the table."""

    def __init__(self, options: SoloOptions, on_problem: Callable[[str], None]) -> None:
        """`on_problem` is called with the reason if the match cannot be saved."""
        self.options = options
        self.on_problem = on_problem
        self.is_unfinished = False
        """True if there was a match to save at the end."""

    async def converse(self) -> Bye | None:
        """Run the client."""
        return await self._guest.converse(self.client)

    async def close(self) -> None:
        """Save the match and end all play. Harmless when it is closed already."""
        if not self.server.closed:
            await self.server.aclose()
            self.is_unfinished = any(table.recorded.in_progress for table in self.server.lobby.tables.values())
            self.storage.close(keep=self.is_unfinished)

    def sit(self, guest: InProcessGuest) -> None:
        """Create the player's client."""
        self._guest = guest
        # With a seed that fixes all deals, the client must not contribute random bytes.
        entropy = secrets.token_bytes if self.storage.seed is None else None
        self.client = Client(guest.link, self.options.software, entropy=entropy)


@asynccontextmanager
async def open_storage(match: SoloMatch) -> AsyncIterator[None]:
    """Part: the storage of the match, and the file of its record.

    Raises OSError if the record cannot be written, immediately or at the end.
    """
    options, table_or_path = match.options, match.options.table_or_path
    path = table_or_path if isinstance(table_or_path, Path) else None
    match.storage = MatchStorage(options.data, match.on_problem, path=path, seed=options.seed)
    if options.record is None:
        yield
        return
    record = match.record = RecordFile(options.record, match.storage)
    try:
        yield
    finally:
        record.close()
    if record.problem:
        raise record.problem


@asynccontextmanager
async def own_table(match: SoloMatch) -> AsyncIterator[None]:
    """Part: the table in this process. Raises `NotResumableError` if the match cannot be resumed."""
    lobby, match.table_request = _lobby(match.options, match.storage)
    shared_thinkers = match.options.thinkers
    async with nullcontext(shared_thinkers) if shared_thinkers else aclosing(Thinkers()) as match.thinkers:
        match.server = Server(lobby, match.record or match.storage, thinkers=match.thinkers)
        match.server.open()
        yield


@asynccontextmanager
async def one_guest(match: SoloMatch) -> AsyncIterator[None]:
    """Part: the player, until they leave; then the match is saved."""
    async with InProcessGuest(match.server, Visitor(resume=PLAYER)) as guest:
        match.sit(guest)
        try:
            yield
        finally:
            await match.close()


SOLO_MATCH = (open_storage, own_table, one_guest)
"""Parts of `boneyard play`."""


def secret_source(seed: int | None, resumed_secret: bytes = b"") -> Callable[[], bytes]:
    """Return a function for the secrets of a server's matches: random, or with a `seed` always the same sequence.

    With a seed the sequence begins with `resumed_secret`, the secret of a match that is resumed, if there is one.
    """
    if seed is None:
        return partial(secrets.token_bytes, 32)

    def secret_of(number: int) -> bytes:
        return hashlib.sha256(f"{seed} {number}".encode()).digest()

    first_number = (
        next((number for number in range(MAX_REMATCHES) if secret_of(number) == resumed_secret), 0)
        if resumed_secret
        else 0
    )
    return map(secret_of, count(first_number)).__next__


def _lobby(options: SoloOptions, storage: MatchStorage) -> tuple[Lobby, MakeTable | Sit]:
    """Return a lobby, with the saved match if that is to be resumed, and the message that gets the player to the
    table.
    """

    def create_lobby(resumed_secret: bytes = b"") -> Lobby:
        new_secret = secret_source(storage.seed, resumed_secret)
        return Lobby(Accounts(), new_secret=new_secret, software=options.software, pace=options.pace)

    if isinstance(options.table_or_path, MakeTable):
        return create_lobby(), options.table_or_path
    snapshot, lines = storage.load()
    lobby = create_lobby(snapshot.secret)
    try:
        lobby.resume(snapshot, lines)
    except (RecordError, Refusal) as error:
        storage.close(keep=True)
        reason = str(error).rstrip(".")
        raise NotResumableError(words("That match cannot be resumed: {reason}.", reason=reason)) from error
    return lobby, Sit(snapshot.id)
