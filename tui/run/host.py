"""A host run by a person: its messages to them, the screens of its guests, and a player on the same terminal."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import click

from core.words import Words
from net.hosting.parts import STANDALONE, Host, run
from net.loop import Tasks, run_forever
from net.options import EVERYWHERE, AccessOptions, HostOptions, origin_at
from tui.i18n import _, several, translate
from tui.run.gateway import Terminals
from tui.run.host_player import Play
from tui.run.operator_window import POLL_SECONDS, LobbyObserver, Warnings, Window
from tui.text.names import join_commands
from tui.text.notices import Place

CONFIRM_SECONDS = 60.0
"""Seconds in which a second Ctrl-C confirms the first."""


async def run_host(
    options: HostOptions,
    say: Callable[[str], None] = click.echo,
    play: Play | None = None,
    window: Window | None = None,
    *,
    qr: bool = False,
) -> int:
    """Run a host, or a node of a cluster, until a signal, which is returned, or until the local player leaves.

    `window` gets reports of events; `qr` also prints the first link as a QR code. Raises as `net.hosting.parts.run`.
    """
    if options.node is not None:
        from net.hosting.cluster import ROLES, Node  # noqa: PLC0415 - needs asyncpg

        greet = partial(join_lines, qr=qr)
        node = Node(options, partial(_say, say), Terminals(), greet)
        await run(node, ROLES[node.role])
        return node.signal
    host = _PlayableHost(options, partial(_say, say), Terminals(), partial(join_lines, qr=qr))
    host.play = play
    if window is None:
        await run(host, STANDALONE)
    else:
        host.watchers = (Warnings(window),)
        await run(host, (*STANDALONE, partial(report_company, window)))
    return host.signal


class _PlayableHost(Host):
    """A host run by a person, who may play there as well."""

    play: Play | None = None
    _warned_at = -CONFIRM_SECONDS

    def interrupt(self) -> None:
        """Close; if people are playing and somebody can answer, only on a second Ctrl-C within `CONFIRM_SECONDS`."""
        now, can_ask = asyncio.get_running_loop().time(), sys.stdin.isatty() and self.play is None
        if (
            self.stop.is_set()
            or not can_ask
            or now - self._warned_at < CONFIRM_SECONDS
            or not (people := self._player_count())
        ):
            super().interrupt()
            return
        self._warned_at = now
        self.say(
            several(
                "{count} person is playing. Press Ctrl-C again to close the server.",
                "{count} people are playing. Press Ctrl-C again to close the server.",
                people,
            )
        )

    def _player_count(self) -> int:
        """Return the number of people who sit at a table."""
        lobby = self.server.lobby
        return len(
            {
                presence.guest.token
                for number, presence in lobby.present.items()
                if presence.guest and lobby.is_playing(number)
            }
        )

    def _addresses(self) -> list[Place]:
        return [(address, self.port.port) for address in self.addresses]

    async def wait_closed(self) -> None:
        """Return when it is time to close; with a local player, once that player has left."""
        if self.play:
            await self.play(self.server, self._addresses, self.stop)
        await super().wait_closed()


@asynccontextmanager
async def report_company(window: Window, host: Host) -> AsyncIterator[None]:
    """Report arrivals and departures in the window."""
    if host.options.log_file is not None:
        host.say(_("Server log: {file}", file=host.options.log_file))
        host.say("")
    observer = LobbyObserver(host.server.lobby, window)

    async def poll() -> None:
        observer.poll()
        await asyncio.sleep(POLL_SECONDS)

    async with Tasks() as tasks:
        tasks.start(run_forever(poll, "company-not-told"), "company-not-told")
        yield


def join_lines(host: Host, *, qr: bool = False) -> list[str]:
    """Return the commands with which friends join; with `qr` also the link as a QR code of half blocks, light on
    dark.
    """
    port, addresses = host.port, host.addresses
    lines = []
    if not addresses:
        lines = [_("This machine is in no network now: only players on this machine can join."), ""]
        addresses = ["localhost"]
    if web := host.door.web:
        link_addresses = addresses if web.bind in EVERYWHERE else [web.bind]
        links = dict.fromkeys(f"{origin_at(web, address, port.web)}/" for address in link_addresses)
        lines += [_("The server is running. Send a friend this link:"), "", *(f"    {link}" for link in links), ""]
        if qr:
            from tui.draw.invitation import qr_code_rows  # noqa: PLC0415 - few hosts ask for it

            lines += [*(f"    {row}" for row in qr_code_rows(next(iter(links)), dark=True)), ""]
    lines += [
        _("A friend can also type one of these:")
        if web
        else _("The server is running. A friend types one of these:"),
        "",
    ]
    lines += [f"    {line}" for address in addresses for line in join_commands(address, port.port)]
    return [
        *lines,
        "",
        who_may_join(host.door.access),
        _("Host key: {fingerprint}", fingerprint=port.fingerprint),
        *([_("Host key (ECDSA): {fingerprint}", fingerprint=port.ecdsa)] if port.ecdsa else []),
        _("Press Ctrl-C to stop the server."),
    ]


def who_may_join(access: AccessOptions) -> str:
    """Return who may join the host, in a sentence for the operator."""
    if access.keys and access.invite:
        return _("Who may join: the keys in {file}, and anybody with the invitation code.", file=access.keys)
    if access.keys:
        return _("Who may join: the keys in {file}.", file=access.keys)
    return _("Who may join: anybody with the invitation code.") if access.invite else _("Who may join: everybody.")


def _say(say: Callable[[str], None], line: Words | str) -> None:
    say(translate(line) if isinstance(line, Words) else line)
