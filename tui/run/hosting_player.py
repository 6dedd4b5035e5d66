"""The player who hosts: a client in the host's own process, over a link in memory."""

import asyncio
import os
import secrets
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

from net.client.client import Client
from net.client.discovery import LOOK_EVERY
from net.host.guest_server import InProcess
from net.host.presence import Visitor
from net.host.server import Server
from net.loop import Breakdowns, Tasks, for_ever, log_fault
from net.ssh.keys import keep_key
from tui.app import BoneyardApp
from tui.draw.look import Look
from tui.i18n import _
from tui.run.alone import user_name
from tui.run.home_driver import at_home
from tui.run.reviewing import Coach
from tui.run.settings import bell_wanted, remember_bell
from tui.run.shown import watched_terminal
from tui.run.terminal import look_here
from tui.terminal.textual_private import failure_of
from tui.text.notices import Bell, Place
from tui.version import SOFTWARE

Play = Callable[[Server, Callable[[], Sequence[Place]], asyncio.Event], Awaitable[None]]
"""Lets somebody play on a server until they leave or the event is set; the function returns its current addresses."""


def player_here(look: Look, looked: Callable[[Look], None], data: Path, *, pictures: bool) -> Play:
    """Show the lobby of the host at the terminal here, to a player who is known by the key in `data`."""

    async def play(server: Server, places: Callable[[], Sequence[Place]], stop: asyncio.Event) -> None:
        key = keep_key(data / "id_ed25519", "boneyard player").get_fingerprint()
        breakdowns, error_message = Breakdowns(), ""
        app: BoneyardApp | None = None

        async def end() -> None:
            await stop.wait()
            if app is not None:
                app.exit()

        async with InProcess(server, Visitor(user_name(), key)) as here, Tasks() as tasks:
            client = Client(here.link, SOFTWARE, entropy=secrets.token_bytes)
            client.places = tuple(places())

            async def follow() -> None:
                await asyncio.sleep(LOOK_EVERY)
                client.places = tuple(places())

            tasks.start(for_ever(follow, "places-not-seen"), "places-not-seen")
            tasks.start(end(), "stop-not-heard", failed=stop.set)
            while not stop.is_set():
                app = BoneyardApp(
                    client,
                    look_here(look, pictures=pictures),
                    error_message=error_message,
                    converse=partial(here.converse, client),
                    thinkers=server.thinkers,
                    find=Coach(server.thinkers.workers).find if server.thinkers else None,
                    looked=looked,
                    hosting=True,
                    terminal=os.environ.get("TERM", ""),
                    bell=Bell(bell_wanted(), remember_bell),
                    records=data / "records",
                )
                with watched_terminal(stop.set):
                    await at_home(app).run_async()
                if (error := failure_of(app)) is None or breakdowns.too_many():
                    stop.set()
                else:  # those who play on this host need not go because a screen here broke
                    log_fault("screen-broke", error)
                    client.unsubscribe_all()
                    error_message = _("Something went wrong here and was logged. You are back where you were.")

    return play
