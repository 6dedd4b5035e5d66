"""The player who hosts: a client in the host's own process, over a link in memory."""

import asyncio
import os
import secrets
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from net.client.client import Client
from net.host.presence import Visitor
from net.host.server import Server
from net.ssh.keys import keep_key
from net.wire.link import memory_pair
from tui.app import BoneyardApp
from tui.draw.look import Look
from tui.run.alone import user_name
from tui.run.reviewing import Coach
from tui.run.settings import bell_wanted, remember_bell
from tui.run.shown import watched_terminal
from tui.run.terminal import at_home, with_pictures
from tui.text.attention import Bell
from tui.text.hosts import Place

Play = Callable[[Server, Sequence[Place], asyncio.Event], Awaitable[None]]
"""Lets somebody play on a server that is reached at some places, until they leave or an event is set."""


def player_here(look: Look, looked: Callable[[Look], None], data: Path, software: str, *, pictures: bool) -> Play:
    """Show the lobby of the host at the terminal here, to a player who is known by the key in `data`."""

    async def play(server: Server, places: Sequence[Place], stop: asyncio.Event) -> None:
        key = keep_key(data / "id_ed25519", "boneyard player").get_fingerprint()
        ours, theirs = memory_pair()
        client = Client(ours, software, entropy=secrets.token_bytes)
        client.places = tuple(places)
        app = BoneyardApp(
            client,
            with_pictures(look, wanted=pictures),
            thinkers=server.thinkers,
            find=Coach(server.thinkers.workers).find if server.thinkers else None,
            looked=looked,
            hosting=True,
            terminal=os.environ.get("TERM", ""),
            bell=Bell(bell_wanted(), remember_bell),
        )
        async with asyncio.TaskGroup() as group:
            group.create_task(server.serve(theirs, Visitor(user_name(), key)))
            stopped = group.create_task(stop.wait())
            stopped.add_done_callback(lambda _done: app.exit())
            try:
                with watched_terminal(stop.set):
                    await at_home(app).run_async()
            finally:
                stop.set()
                ours.close()

    return play
