"""A table in this process: the same server and client as everywhere else, over a link in memory."""

import getpass
import hashlib
import secrets
from collections.abc import Callable
from contextlib import aclosing
from functools import partial
from itertools import count
from pathlib import Path
from typing import NamedTuple

from core.records import RecordError
from core.words import Refusal, words
from net.client.client import Client
from net.client.in_process import InProcess
from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.host.server import Server
from net.host.thinkers import Thinkers
from net.players.accounts import Accounts
from net.players.text import clean_name
from net.storage.match_storage import MatchStorage, NotKeptError
from net.storage.record_file import RecordFile
from net.table.table import AT_ONCE, Pace
from net.wire.messages import MakeTable, Sit
from tui.i18n import _
from tui.run.shown import Keeping, Show, Visit

PLAYER = "alone"
"""Tells the server that the player of this machine is always the same one; nobody else can reach it."""
MOST_REMATCHES = 10_000
"""Matches in a row at one table for which a number fixes the deals, also after a break."""


def seeds(seed: int | None, current: bytes = b"") -> Callable[[], bytes]:
    """The secrets of a server's matches: fresh ones, or for a given number always the same.

    With a number they begin with the `current` one, if there is one: that of a match that was taken up.
    """
    if seed is None:
        return lambda: secrets.token_bytes(32)

    def secret(number: int) -> bytes:
        return hashlib.sha256(f"{seed} {number}".encode()).digest()

    first = next((number for number in range(MOST_REMATCHES) if secret(number) == current), 0) if current else 0
    return map(secret, count(first)).__next__


def user_name() -> str:
    """What to call the player at this machine."""
    try:
        return clean_name(getpass.getuser()) or "you"
    except (OSError, KeyError):
        return "you"


class Ended(NamedTuple):
    """How playing alone ended."""

    last_word: str
    """What the player is told; empty for nothing."""
    kept: bool
    """Whether the match can be taken up again."""
    lost: str = ""
    """Why a match that was left before its end is lost, in a sentence; empty if it is not."""


class _Keeping(Keeping):
    """What whoever shows a match alone need know of how it is kept."""

    def __init__(self, server: Server, storage: MatchStorage) -> None:
        super().__init__()
        self.begun = False
        """Whether there was a match to keep when all ended."""
        self._server, self._storage = server, storage

    def keeps(self) -> bool:
        return not self._storage.problem

    async def close(self) -> None:
        await self._server.aclose()
        self.begun = any(table.recorded.under_way for table in self._server.lobby.tables.values())
        self._storage.close(keep=self.begun)


async def play_alone(
    wish: MakeTable | Path,
    show: Show,
    *,
    data: Path,
    software: str,
    seed: int | None = None,
    record: Path | None = None,
    pace: bool = True,
) -> Ended:
    """Play at a new table of one's own, or go on with a match that was kept at a path, until it is left.

    `show` shows it. The match is kept in `data`. Raises OSError when the `record` cannot be written, be it at once or
    at the end of a game that went on without; and `net.storage.match_storage.NotKeptError` when the match cannot be
    taken up.
    """
    storage = MatchStorage(
        data, lambda reason: keeping.tell(_not_kept(reason)), path=wish if isinstance(wish, Path) else None, seed=seed
    )
    record_file = RecordFile(record, storage) if record else None
    lobby, sits = _lobby(wish, storage, software, Pace() if pace else AT_ONCE)
    thinkers = Thinkers()
    server = Server(lobby, record_file or storage, thinkers=thinkers)
    keeping = _Keeping(server, storage)
    server.open()
    async with InProcess(server, Visitor(resume=PLAYER)) as here, aclosing(thinkers):
        # A number that fixes all deals leaves no room for a share.
        client = Client(here.link, software, entropy=secrets.token_bytes if storage.seed is None else None)
        last_word = await show(Visit(client, partial(here.converse, client), thinkers, sits, user_name(), keeping))
    if record_file:
        record_file.close()
    if record_file and record_file.problem:
        raise record_file.problem
    lost = _not_kept(storage.problem) if keeping.begun and storage.problem else ""
    return Ended(last_word, keeping.begun and not storage.problem, lost)


def _not_kept(reason: str) -> str:
    return _("This match is not kept: {reason}.", reason=reason)


def _lobby(wish: MakeTable | Path, storage: MatchStorage, software: str, pace: Pace) -> tuple[Lobby, MakeTable | Sit]:
    """A lobby with the match that was kept, if one is wished for; also how to get to the table."""
    if isinstance(wish, MakeTable):
        return Lobby(Accounts(), seeds=seeds(storage.seed), software=software, pace=pace), wish
    snapshot, lines = storage.load()
    lobby = Lobby(Accounts(), seeds=seeds(storage.seed, snapshot.secret), software=software, pace=pace)
    try:
        lobby.resume(snapshot, lines)
    except (RecordError, Refusal) as error:
        storage.close(keep=True)
        raise NotKeptError(
            words("That match cannot be taken up: {reason}.", reason=str(error).rstrip("."))
        ) from error
    return lobby, Sit(snapshot.id)
