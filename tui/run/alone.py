"""A table in this process: the same server and client as everywhere else, over a link in memory."""

import asyncio
import getpass
import hashlib
import secrets
from collections.abc import Callable
from itertools import count
from pathlib import Path

from net.client.client import Client
from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.host.server import Server
from net.host.thinkers import Thinkers
from net.players.accounts import Accounts
from net.players.text import clean_name
from net.storage.record_file import RecordFile
from net.table.table import AT_ONCE, Pace
from net.wire.link import memory_pair
from net.wire.messages import MakeTable
from tui.run.shown import Show


def seeds(seed: int | None) -> Callable[[], bytes]:
    """The secrets of a server's matches: fresh ones, or for a given number always the same."""
    if seed is None:
        return lambda: secrets.token_bytes(32)
    numbers = count()
    return lambda: hashlib.sha256(f"{seed} {next(numbers)}".encode()).digest()


def user_name() -> str:
    """What to call the player at this machine."""
    try:
        return clean_name(getpass.getuser()) or "you"
    except (OSError, KeyError):
        return "you"


async def play_alone(
    wish: MakeTable,
    show: Show,
    *,
    software: str,
    seed: int | None = None,
    record: Path | None = None,
    pace: bool = True,
) -> str:
    """Play at a table of one's own until it is left; return the last word, if any. `show` shows it.

    Raises OSError when the record cannot be written, be it at once or at the end of a game that went on without.
    """
    record_file = RecordFile(record) if record else None
    lobby = Lobby(Accounts(), seeds=seeds(seed), software=software, pace=Pace() if pace else AT_ONCE)
    thinkers = Thinkers()
    server = Server(lobby, record_file, thinkers=thinkers)
    ours, theirs = memory_pair()
    async with asyncio.TaskGroup() as group:
        group.create_task(server.serve(theirs, Visitor()))
        # A number that fixes all deals leaves no room for a share.
        client = Client(ours, software, entropy=secrets.token_bytes if seed is None else None)
        try:
            last_word = await show(client, client.run, thinkers, wish=wish, name=user_name())
        finally:
            server.close()
            await thinkers.aclose()
            ours.close()
    if record_file:
        record_file.close()
    if record_file and record_file.problem:
        raise record_file.problem
    return last_word
