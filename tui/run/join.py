"""Joining a host over the network, on full screens or in plain lines, and finding hosts on the local network."""

import asyncio
import os
import secrets
import signal
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, aclosing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from net.client.client import Client
from net.client.discovery import FoundHost, address_for_others, discover_hosts, first_reachable
from net.client.untrusted import decode_untrusted
from net.client.verify_match import RecordVerifier
from net.host.thinkers import Thinkers
from net.ssh.client.connect import Invitation, JoinError, LoginKeys, connect, default_keys, run_reconnecting
from net.ssh.keys import KnownHosts
from net.wire.link import Link
from net.wire.messages import Bye
from tui.i18n import _
from tui.model.text_input import TextInput
from tui.records.history import keep_seat
from tui.run.settings import joined_hosts, remember_host, user_name
from tui.solo import ClientSession, Show
from tui.text.names import place_text
from tui.text.notices import Place, proof_at_parting
from tui.version import SOFTWARE

if TYPE_CHECKING:
    from tui.run.local_session import LocalSession
    from tui.terminal.app import TerminalApp

T = TypeVar("T")
CODE_LENGTH = 100
"""Maximum length of an invitation code."""
FIELD_WIDTH = 40
"""Columns of the field for an invitation code."""
ANSWER_TIMEOUT = 1.0
"""Seconds in which a host on this machine must answer."""
LISTEN_SECONDS = 3.0
"""Seconds in which hosts on a local network answer; most need one."""


class Prompts(Protocol):
    """Questions and messages to a player who has not joined the host yet."""

    held_sentences: list[str]
    """Sentences to show once the host is on screen."""

    async def code(self) -> str:
        """Ask for an invitation code; return an empty text if the player has none."""

    def say(self, sentence: str) -> None:
        """Show a sentence to the player."""

    async def wait(self, address: str, connecting: Coroutine[Any, Any, T]) -> T | None:
        """Wait for `connecting` to an address, and return its result; None if the player cancels."""


async def join_host(
    places: Sequence[Place], show: Show, prompts: Prompts, *, data: Path, name: str, invite: str
) -> str:
    """Play on another machine's host until the player leaves; return the last message, or an empty text.

    `show` runs the client. `places` are the addresses of one host, in the order in which to try them; `invite` is its
    invitation code. If the host wants a code and `invite` is empty, ask the player.

    Raises `net.ssh.client.connect.JoinError` if the host cannot be joined.
    """
    invitation, login = Invitation(invite, prompts.code), LoginKeys()
    place = places[0]

    def trust_new_host(host: str, fingerprint: str) -> bool:
        prompts.say(_("{host} is new; its key {fingerprint} is now remembered.", host=host, fingerprint=fingerprint))
        return True

    def connect_to_place() -> AbstractAsyncContextManager[Link]:
        host, port = place
        return connect(
            host,
            port,
            user_name(),
            known_hosts=data / "known_hosts",
            own_key=data / "id_ed25519",
            on_new_host=trust_new_host,
            keys=default_keys(),
            agent=os.environ.get("SSH_AUTH_SOCK"),
            invitation=invitation,
            login=login,
        )

    for sentence in KnownHosts(data / "known_hosts").damage_reports():
        prompts.say(f"boneyard: {sentence}")
    async with AsyncExitStack() as connection:

        async def open_link() -> Link:
            nonlocal place
            place = await first_reachable(places)
            return await connection.enter_async_context(connect_to_place())

        link = await prompts.wait(place_text(*place), open_link())
        if link is None:
            return ""
        remember_host(place)
        client = Client(link, SOFTWARE, entropy=secrets.token_bytes, decode=decode_untrusted)
        client.places = ((address_for_others(place[0]), place[1]),)
        records = data / "records"
        verifier = RecordVerifier(client, records, login, partial(keep_seat, records))

        async def converse() -> Bye:
            try:
                return await run_reconnecting(client, link, connect_to_place)
            except JoinError as error:
                return Bye(error.reason)

        async with aclosing(Thinkers()) as thinkers:
            client_session = ClientSession(client, converse, thinkers, name=name, records=records)
            for sentence in prompts.held_sentences:
                client_session.saver.send(sentence)
            last_word = await show(client_session)
        proof_sentence = proof_at_parting(verifier.last_breach) if verifier.last_breach else ""
        return f"{last_word} {proof_sentence}".strip()


class TypedPrompts:
    """Asks in plain lines, before a conversation begins."""

    def __init__(self) -> None:
        self.held_sentences: list[str] = []

    async def code(self) -> str:
        """Ask for the code without an echo. Ctrl-C and Ctrl-D mean that there is none."""
        # asyncio's own handler would wait for the event loop, which this call blocks.
        previous_handler = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return str(
                click.prompt(_("Invitation code"), default="", hide_input=True, show_default=False, err=True)
            ).strip()
        except click.Abort:
            return ""
        finally:
            signal.signal(signal.SIGINT, previous_handler)

    def say(self, sentence: str) -> None:
        """Print the sentence on stderr."""
        click.echo(sentence, err=True)

    async def wait(self, _address: str, connecting: Coroutine[Any, Any, T]) -> T | None:
        """Wait for the connection; only Ctrl-C can cancel it."""
        return await connecting


class ScreenPrompts:
    """Asks on the screens of a session."""

    def __init__(self, session: "LocalSession") -> None:
        self._session = session
        self._app: TerminalApp[None] | None = None
        self.held_sentences: list[str] = []

    async def code(self) -> str:
        """Ask for the code in front of the waiting screen; without such a screen, return an empty text."""
        if self._app is None:
            return ""  # a reconnection to a host that has begun to want a code: the host refuses it
        from tui.screens.asking import AskScreen  # noqa: PLC0415 - plain lines need no Textual

        code_future: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()

        def answer(code: str | None) -> None:
            if not code_future.done():
                code_future.set_result(code)

        field = TextInput("", CODE_LENGTH)
        screen = AskScreen(self._session.look, _("welcome"), _("Invitation code"), field, FIELD_WIDTH)
        self._app.call_later(self._app.push_screen, screen, answer)
        return await code_future or ""

    def say(self, sentence: str) -> None:
        """Keep the sentence until the host is on screen."""
        self.held_sentences.append(sentence)

    async def wait(self, address: str, connecting: Coroutine[Any, Any, T]) -> T | None:
        """Show the address while waiting; Escape cancels."""
        from tui.screens.asking import WaitScreen  # noqa: PLC0415 - plain lines need no Textual
        from tui.screens.base import SingleScreenApp  # noqa: PLC0415

        sentence = _("Connecting to {address} …", address=address)
        self._app = app = SingleScreenApp(WaitScreen(self._session.look, _("welcome"), sentence))
        task = asyncio.create_task(connecting)

        def exit_app(_: object) -> None:
            if self._app is not None:
                app.call_later(app.exit)

        task.add_done_callback(exit_app)
        try:
            await self._session.show(lambda: app)
        finally:
            self._app = None
            task.cancel()
        await asyncio.wait([task])
        return None if task.cancelled() else task.result()


async def join_on_screens(
    session: "LocalSession", places: tuple[Place, ...], *, data: Path, name: str = "", invite: str = ""
) -> str:
    """Play in a session on another machine's host; without `places`, first choose one on the local network.

    Returns and raises as `join_host`.
    """
    from tui.screens.hosts import HostsScreen  # noqa: PLC0415 - plain lines need no Textual

    chosen = places or await session.show_screen(HostsScreen(session.look, joined_hosts()))
    if not chosen:
        return ""
    prompts = ScreenPrompts(session)
    try:
        return await join_host(chosen, session.play, prompts, data=data, name=name, invite=invite)
    except JoinError:
        for sentence in prompts.held_sentences:  # printed once the full screen is left
            click.echo(sentence, err=True)
        raise


async def is_host(place: Place) -> bool:
    """Return True if a Boneyard host answers at an address."""
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(ANSWER_TIMEOUT):
            reader, writer = await asyncio.open_connection(*place)
            try:
                return b"Boneyard" in await reader.readline()
            finally:
                writer.close()
    return False


async def hosts_nearby() -> list[FoundHost]:
    """Return the hosts that announce themselves on the local network within `LISTEN_SECONDS`.

    Raises OSError without a network.
    """
    hosts: list[FoundHost] = []

    def replace_hosts(announced: list[FoundHost]) -> None:
        hosts[:] = announced

    async with discover_hosts(replace_hosts):
        await asyncio.sleep(LISTEN_SECONDS)
    return hosts


async def list_hosts(say: Callable[[str], None]) -> None:
    """Print the hosts on the local network. Raises OSError without a network."""
    hosts = await hosts_nearby()
    places = await asyncio.gather(*(first_reachable(host.places) for host in hosts))
    for host, place in zip(hosts, places, strict=True):
        say(f"{host.name}\tboneyard join {place_text(*place)}")
    if not hosts:
        say(_("No servers found on the local network; join one by its address."))
