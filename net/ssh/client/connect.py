"""Joins a host by SSH: one link of frames, and a sentence for every way in which that can fail."""

import asyncio
import contextlib
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import asyncssh
from msgspec import Struct

from core.words import words
from net.ssh.asyncssh_private import abort_connection_of
from net.ssh.client.errors import JoinError, failure
from net.ssh.client.login import Login, key_pairs
from net.ssh.frames import StreamLink
from net.ssh.keys import KeyFileError, KnownHosts
from net.ssh.server.session import SUBSYSTEM
from net.wire.link import Link

CONNECT_TIMEOUT = 15.0
"""Seconds to connect and log in; a host on another continent needs one."""
KEEPALIVE = 5
"""Seconds between keepalive messages to a silent host; after three without an answer, 20 seconds, the link ends."""
LEAVE_TIMEOUT = 3.0
"""Seconds to send what is queued on leaving."""
Ask = Callable[[str, str], bool | Awaitable[bool]]
"""Gets a host's name and its key's fingerprint; returns whether to trust it from now on."""


class Invitation:
    """The invitation code of a host: given, or asked for when the host wants one, and then remembered.

    A second `connect` with the same object does not ask again.
    """

    def __init__(self, code: str = "", ask: Callable[[], str | Awaitable[str]] | None = None) -> None:
        """`ask` returns the code, or nothing if the player has none; it may wait for the player."""
        self.code = code
        self._ask = ask

    async def wanted(self) -> bool:
        """Ask for the code if it is not known yet; say whether there is one now."""
        if not self.code and self._ask is not None:
            answer = self._ask()
            self.code = await answer if inspect.isawaitable(answer) else answer
        return bool(self.code)


def default_keys() -> list[Path]:
    """List where OpenSSH keeps a player's keys, best first."""
    return [Path.home() / ".ssh" / name for name in ("id_ed25519", "id_ecdsa", "id_rsa")]


@asynccontextmanager
async def connect(
    host: str,
    port: int,
    user: str,
    *,
    known_hosts: Path,
    own_key: Path,
    on_new_host: Ask,
    keys: Sequence[Path] = (),
    agent: str | None = None,
    invitation: Invitation | None = None,
    login: Login | None = None,
    timeout: float = CONNECT_TIMEOUT,  # noqa: ASYNC109 (for the connection, not for the block)
) -> AsyncIterator[Link]:
    """Join a host and yield the link; leaving the block closes it and the connection.

    A key identifies the player: one of the `agent` (a socket's path), or of `keys` that need no passphrase; if
    there are none, one of our own, made and stored at `own_key`. An unknown host is trusted if `on_new_host` says
    so, and then stored in `known_hosts`. A host that wants a code gets that of the `invitation`. `login` is told
    the keys of both ends.
    No question is open while a login waits, and a second call with the same files and the same invitation asks
    nothing. Raises JoinError; `timeout` is in seconds.
    """
    known = KnownHosts(known_hosts)
    try:
        way = _Way(host, port, user, await key_pairs(keys, agent, own_key), timeout, login or Login())
        connection = await _connect_invited(way, known, on_new_host, invitation or Invitation())
    except KeyFileError as error:
        raise JoinError(words("{sentence}", sentence=str(error))) from None
    try:
        link = await _open(connection, way)
        try:
            yield link
        finally:
            link.close()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LEAVE_TIMEOUT):
                    await link.line.closed.wait()
    finally:
        connection.abort()
        await connection.wait_closed()


async def _connect_invited(
    way: "_Way", known: KnownHosts, on_new_host: Ask, invitation: Invitation
) -> asyncssh.SSHClientConnection:
    """Connect. Ask for a code between two attempts, so that no login waits meanwhile. Forget a wrong one."""
    try:
        if not invitation.code:
            with contextlib.suppress(_CodeWanted):
                return await _connect_known(way, known, on_new_host, "")
            if not await invitation.wanted():
                raise JoinError(words("{way} requires an invitation code; ask its owner for it.", way=str(way)))
        return await _connect_known(way, known, on_new_host, invitation.code)
    except _WrongCodeError:
        invitation.code = ""
        raise


async def _connect_known(way: "_Way", known: KnownHosts, on_new_host: Ask, code: str) -> asyncssh.SSHClientConnection:
    """Connect to a known host. Ask about a new one between two attempts, so that no login waits meanwhile."""
    trusted = known.keys_of(way.host, way.port)
    first = await _attempt(way, trusted, code)
    if isinstance(first, asyncssh.SSHClientConnection):
        return first
    if trusted:
        raise JoinError(
            words(
                "{way} has a different key than before ({now} instead of "
                "{before}): it was reinstalled, or somebody is intercepting the connection. "
                "If its owner confirms the new key, remove the host's line from {path}.",
                way=str(way),
                now=first.get_fingerprint(),
                before=trusted[0].get_fingerprint(),
                path=str(known.path),
            )
        )
    answer = on_new_host(way.host, first.get_fingerprint())
    if not (await answer if inspect.isawaitable(answer) else answer):
        raise JoinError(words("You did not trust {way}, so you did not join it.", way=str(way)))
    known.remember(way.host, way.port, first)
    second = await _attempt(way, [first], code)
    if isinstance(second, asyncssh.SSHClientConnection):
        return second
    raise JoinError(
        words("{way} showed two different keys; somebody may be intercepting the connection.", way=str(way))
    )


async def _attempt(
    way: "_Way", trusted: list[asyncssh.SSHKey], code: str
) -> asyncssh.SSHClientConnection | asyncssh.SSHKey:
    """Return the connection, or the key of a host that is not among the trusted.

    Raises JoinError, or _CodeWanted when there is no code and the host wants one.
    """
    client = _Client(code, way.keys)
    try:
        async with asyncio.timeout(way.seconds):
            connection = await asyncssh.connect(
                way.host,
                way.port,
                username=way.user,
                client_factory=lambda: client,
                known_hosts=(trusted, [], []),
                client_keys=None,  # `_Client` offers them one by one, so that it knows which was taken
                agent_path=None,
                config=None,  # our own files alone; ~/.ssh/config is written for shells
                x509_trusted_certs=None,
                preferred_auth=["publickey", "keyboard-interactive"],
                keepalive_interval=KEEPALIVE,
                keepalive_count_max=3,
                compression_algs=None,
                gss_host=None,
            )
            way.login.note(client.offered, connection.get_server_host_key())
            return connection
    except Exception as error:
        if isinstance(error, asyncssh.HostKeyNotVerifiable) and client.shown:
            return client.shown[-1]
        if isinstance(error, asyncssh.PermissionDenied) and client.asked:
            if not code:
                raise _CodeWanted from None
            raise _WrongCodeError(
                words("{way} did not take this invitation; is the code right?", way=str(way))
            ) from error
        raise failure(error, way.host, str(way)) from error


async def _open(connection: asyncssh.SSHClientConnection, way: "_Way") -> "_ClientLink":
    line = _ClientLine()
    try:
        async with asyncio.timeout(way.seconds):
            await connection.create_session(lambda: line, subsystem=SUBSYSTEM, encoding=None)
    except Exception as error:
        raise failure(error, way.host, str(way)) from error
    return line.link


class _Way(Struct, frozen=True):
    """Where to connect, and as whom."""

    host: str
    port: int
    user: str
    keys: list[asyncssh.SSHKeyPair]
    seconds: float
    login: Login

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class _WrongCodeError(JoinError):
    """The code was wrong."""


class _CodeWanted(Exception):  # noqa: N818 - a turn of the way, and nobody's error
    """The host asked for a code and there was none."""


class _Client(asyncssh.SSHClient):
    """Notes an untrusted host's key, the player's key that was accepted, and whether a code was asked for."""

    def __init__(self, code: str, keys: Sequence[asyncssh.SSHKeyPair]) -> None:
        self._keys = iter(keys)
        self.offered: asyncssh.SSHKeyPair | None = None
        self.shown: list[asyncssh.SSHKey] = []
        self.asked = False
        self._code = code
        self._tried = False

    def validate_host_public_key(self, _host: str, _addr: str, _port: int, key: asyncssh.SSHKey) -> bool:
        """Trust nothing here, as asking the player takes too long; see `_connect_known`."""
        self.shown.append(key)
        return False

    def public_key_auth_requested(self) -> list[asyncssh.SSHKeyPair] | None:
        """Offer the next key, since the host refused the one before."""
        self.offered = next(self._keys, None)
        return [self.offered] if self.offered else None

    def kbdint_auth_requested(self) -> str | None:
        """Log in as a guest without a key, or with the code; once only, since a second try would be the same."""
        if self._tried:
            return None
        self._tried = True
        return ""

    def kbdint_challenge_received(
        self, _name: str, _text: str, _lang: str, prompts: Sequence[object]
    ) -> list[str] | None:
        """Answer the one question that a Boneyard host may ask, and no other."""
        if not prompts:
            return []
        self.asked = True
        return [self._code] if self._code and len(prompts) == 1 else None


class _ClientLink(StreamLink):
    """A link that knows its line, to wait for the last byte."""

    def __init__(self, line: "_ClientLine") -> None:
        super().__init__(line)
        self.line = line


class _ClientLine(asyncssh.SSHClientSession[bytes]):
    """The player's end of the subsystem: a `net.ssh.frames.Transport`, and what feeds its link."""

    def __init__(self) -> None:
        self.link = _ClientLink(self)
        self.closed = asyncio.Event()

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        """Take the channel."""
        self._chan = chan

    def data_received(self, data: bytes, _datatype: int | None) -> None:
        """Pass on what came."""
        self.link.feed(data)

    def eof_received(self) -> bool:
        """Pass on that the host sends no more."""
        self.link.eof()
        return True

    def pause_writing(self) -> None:
        """Pass on that the channel is full."""
        self.link.pause()

    def resume_writing(self) -> None:
        """Pass on that it has room."""
        self.link.resume()

    def connection_lost(self, _exc: Exception | None) -> None:
        """Pass on that the channel is closed."""
        self.link.end()
        self.closed.set()

    def write(self, data: bytes) -> None:
        """Send bytes, or drop them when the channel is gone."""
        if not self._chan.is_closing():
            self._chan.write(data)

    def pause_reading(self) -> None:
        """Receive nothing until `resume_reading`."""
        self._chan.pause_reading()

    def resume_reading(self) -> None:
        """Receive again."""
        self._chan.resume_reading()

    def finish(self) -> None:
        """Close after the last byte."""
        self._chan.close()

    def hang_up(self) -> None:
        """Close the connection now."""
        abort_connection_of(self._chan)
