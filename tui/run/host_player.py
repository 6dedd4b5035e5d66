"""The player who hosts: a client in the host's own process, over a link in memory."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

from net.client.client import Client
from net.client.discovery import POLL_INTERVAL
from net.host.guest_server import InProcessGuest
from net.host.presence import Visitor
from net.host.reviewing import Coach
from net.host.server import Server
from net.loop import Tasks, run_forever
from net.ssh.keys import load_or_create_key
from tui.app import BoneyardApp, show_again
from tui.run.local_session import LocalSession
from tui.run.settings import remember_bell, remembered_bell, user_name
from tui.text.notices import Bell, Place
from tui.version import SOFTWARE

Play = Callable[[Server, Callable[[], Sequence[Place]], asyncio.Event], Awaitable[None]]
"""Runs a player on a server until they leave or the event is set; the function returns the host's current
addresses.
"""


def make_local_player(session: LocalSession, data: Path) -> Play:
    """Return a function that shows the host's lobby in a session, to a player identified by the key in `data`."""

    async def play(server: Server, places: Callable[[], Sequence[Place]], stop: asyncio.Event) -> None:
        key = load_or_create_key(data / "id_ed25519", "boneyard player").get_fingerprint()
        async with InProcessGuest(server, Visitor(user_name(), key)) as guest, Tasks() as tasks:
            client = Client(guest.link, SOFTWARE, entropy=secrets.token_bytes)
            client.places = tuple(places())

            async def follow() -> None:
                await asyncio.sleep(POLL_INTERVAL)
                client.places = tuple(places())

            async def end() -> None:
                await stop.wait()
                client.goodbye()

            tasks.start(run_forever(follow, "places-not-seen"), "places-not-seen")
            tasks.start(end(), "stop-not-heard", on_failure=stop.set)
            await show_again(
                client,
                lambda error_message: BoneyardApp(
                    client,
                    session.look,
                    error_message=error_message,
                    converse=partial(guest.converse, client),
                    thinkers=server.thinkers,
                    review_worker=Coach(server.thinkers.workers).compute if server.thinkers else None,
                    on_look_changed=session.use_look,
                    hosting=True,
                    terminal=session.terminal.name,
                    bell=Bell(remembered_bell(), remember_bell),
                    records=data / "records",
                ),
                session.show,
                lambda: session.terminal.ended or stop.is_set(),
            )
        stop.set()

    return play
