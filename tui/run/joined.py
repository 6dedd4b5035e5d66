"""Joining a host over the network with the screens drawn here, or in plain lines, and finding hosts nearby."""

import asyncio
import os
import secrets
import signal
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, aclosing
from functools import partial
from pathlib import Path

import click

from net.client.client import Client
from net.client.discovery import FoundHost, first_reachable, listening
from net.client.untrusted import decode_untrusted
from net.client.verify_match import RecordVerifier
from net.host.thinkers import Thinkers
from net.loop import run
from net.ssh.client.connect import Invitation, JoinError, Login, connect, default_keys, run_reconnecting
from net.ssh.keys import KnownHosts
from net.wire.link import Link
from net.wire.messages import Bye
from tui.draw.look import Look
from tui.i18n import _
from tui.records.history import keep_seat
from tui.run.alone import user_name
from tui.run.settings import joined_hosts, remember_host
from tui.run.shown import Show, Visit, shown_here
from tui.text.names import typed_place
from tui.text.notices import Place, proof_at_parting
from tui.version import SOFTWARE

LISTEN_FOR = 3.0
"""Seconds in which the hosts on a local network have answered, most of them within one."""


async def join_host(places: Sequence[Place], show: Show, *, data: Path, name: str, invite: str) -> str:
    """Play on another machine's host until it is left; return the last word, if any. `show` shows it.

    `places` are the addresses of one host, in the order in which to try them.

    `invite` is its invitation code; where one is wanted and it is empty, the player is asked.

    Raises `net.ssh.client.connect.JoinError` when the host cannot be joined.
    """
    place = host, port = await first_reachable(places)
    invitation, login = Invitation(invite, ask_for_code), Login()

    def way_in() -> AbstractAsyncContextManager[Link]:
        return connect(
            host,
            port,
            user_name(),
            known_hosts=data / "known_hosts",
            own_key=data / "id_ed25519",
            on_new_host=trust_and_tell,
            keys=default_keys(),
            agent=os.environ.get("SSH_AUTH_SOCK"),
            invitation=invitation,
            login=login,
        )

    for sentence in KnownHosts(data / "known_hosts").damaged():
        click.echo(f"boneyard: {sentence}", err=True)
    async with way_in() as link:
        remember_host(place)
        client = Client(link, SOFTWARE, entropy=secrets.token_bytes, decode=decode_untrusted)
        client.places = (place,)
        records = data / "records"
        verifier = RecordVerifier(client, records, login, partial(keep_seat, records))

        async def converse() -> Bye:
            try:
                return await run_reconnecting(client, link, way_in)
            except JoinError as error:
                return Bye(error.reason)

        thinkers = Thinkers()
        async with aclosing(thinkers):
            last_word = await show(Visit(client, converse, thinkers, name=name, records=records))
        parting = proof_at_parting(verifier.named) if verifier.named else ""
        return f"{last_word} {parting}".strip()


def trust_and_tell(host: str, fingerprint: str) -> bool:
    """Trust a host that was never met, and say which key it has."""
    click.echo(
        _("{host} is new; its key {fingerprint} is now remembered.", host=host, fingerprint=fingerprint), err=True
    )
    return True


def ask_for_code() -> str:
    """Ask for the code of an invitation, before any screen opens; what is typed is not shown."""
    # asyncio's own handler would wait for the event loop, which waits for this.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return str(
            click.prompt(_("Invitation code"), default="", hide_input=True, show_default=False, err=True)
        ).strip()
    except click.Abort:  # Ctrl-C, Ctrl-D
        return ""
    finally:
        signal.signal(signal.SIGINT, before)


def choose_host(look: Look) -> tuple[Place, ...] | None:
    """Show the hosts heard on the local network as they come and go; return the places of the chosen host."""
    from tui.screens.base import OneScreen  # noqa: PLC0415 - plain lines need no Textual
    from tui.screens.hosts import HostsScreen  # noqa: PLC0415 - plain lines need no Textual

    return run(shown_here(OneScreen(HostsScreen(look, joined_hosts()))))


async def hosts_nearby() -> list[FoundHost]:
    """The hosts heard on the local network within a few seconds. Raises OSError without a network."""
    found: list[FoundHost] = []

    def changed(heard: list[FoundHost]) -> None:
        found[:] = heard

    async with listening(changed):
        await asyncio.sleep(LISTEN_FOR)
    return found


async def list_hosts(say: Callable[[str], None]) -> None:
    """Print the hosts heard on the local network within a few seconds. Raises OSError without a network."""
    found = await hosts_nearby()
    places = await asyncio.gather(*(first_reachable(host.places) for host in found))
    for host, place in zip(found, places, strict=True):
        say(f"{host.name}\tboneyard join {typed_place(*place)}")
    if not found:
        say(_("No hosts found on the local network; join one by its address."))
