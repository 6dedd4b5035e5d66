"""Joins a host by SSH: the key of the login, one link of frames, and a sentence for each failure.

After a connection breaks, the client reconnects, with growing pauses, and returns to its place.
"""

import asyncio
import contextlib
import errno
import inspect
import random
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import asyncssh
from msgspec import Struct

from core.records import Signature
from core.words import Refusal, Words, words
from net.client.client import Client, Disconnected
from net.limits import CHAT_LENGTH, DESERTED_FOR
from net.loop import wait_at_most
from net.players.text import clean
from net.ssh.asyncssh_private import abort_connection_of, public_data_of_pair, sign_with_pair
from net.ssh.keys import (
    KeyFileError,
    KnownHosts,
    fingerprint_of,
    load_or_create_key,
    signature_of,
    signed_bytes,
    usable_keys,
)
from net.ssh.server.session import SUBSYSTEM
from net.wire.link import Link, StreamLink
from net.wire.messages import Bye

SIGN_TIMEOUT = 10.0
"""Seconds that an agent may take to sign; it needs a millisecond, unless it asks its user."""


class LoginKeys:
    """The keys of a login, the player's and the host's; `connect` fills it in."""

    def __init__(self) -> None:
        self.host = ""
        """Fingerprint of the host's key; empty before the first login."""
        self._pair: asyncssh.SSHKeyPair | None = None

    def record_login(self, pair: asyncssh.SSHKeyPair | None, host: asyncssh.SSHKey | None) -> None:
        """Record a login; `pair` is None for a guest without a key."""
        self._pair = pair
        self.host = host.get_fingerprint() if host else ""

    def check(self, statement: bytes, signature: Signature) -> str:
        return fingerprint_of(statement, signature)

    async def sign(self, statement: bytes) -> Signature:
        """Sign with the key of the login; empty for a guest without a key, or if the agent is gone or refuses.

        A key on a hardware token is not used: the player would have to touch it without being told, and the end of a
        match would wait for that.
        """
        pair = self._pair
        if pair is None or pair.get_algorithm().startswith("sk-"):
            return Signature()
        try:
            async with asyncio.timeout(SIGN_TIMEOUT):
                raw_signature = await sign_with_pair(pair, signed_bytes(statement))
        except (OSError, ValueError, TimeoutError, asyncssh.Error):
            return Signature()
        return signature_of(public_data_of_pair(pair), raw_signature)


async def key_pairs(paths: Sequence[Path], agent: str | None, own_key: Path) -> list[asyncssh.SSHKeyPair]:
    """Return a player's keys in the order in which they are offered: the agent's, then files; without any, one of our
    own.

    Raises `net.ssh.keys.KeyFileError`.
    """
    pairs = await _agent_keys(agent) if agent else []
    pairs += asyncssh.load_keypairs(usable_keys(list(paths)))
    return pairs or list(asyncssh.load_keypairs([load_or_create_key(own_key, "boneyard player")]))


async def _agent_keys(path: str) -> list[asyncssh.SSHKeyPair]:
    pairs: list[asyncssh.SSHKeyPair] = []
    with contextlib.suppress(OSError, ValueError, asyncssh.Error):
        async with asyncssh.SSHAgentClient(path) as agent:
            pairs += await agent.get_keys()
    return pairs


class JoinError(Refusal):
    """The host cannot be joined; the sentence says why and, if possible, what to do."""


class UnreachableError(JoinError):
    """The host cannot be joined now, but perhaps later."""


def join_error(error: Exception, host: str, endpoint: str) -> JoinError:
    """Return the error for a host that could not be joined at `endpoint`; UnreachableError if it may be temporary."""
    is_final = isinstance(error, asyncssh.PermissionDenied | asyncssh.ChannelOpenError)
    is_full = isinstance(error, asyncssh.ChannelOpenError) and error.code == asyncssh.OPEN_RESOURCE_SHORTAGE
    return (JoinError if is_final and not is_full else UnreachableError)(_failure_words(error, host, endpoint))


def _failure_words(error: Exception, host: str, endpoint: str) -> Words:
    match error:
        case socket.gaierror():
            return words("There is no server called {name}.", name=host)
        case OSError() if str(errno.ECONNREFUSED) in f"{error.errno or error}":  # or in a list of several attempts
            return words("Nothing answers at {way}; is the server running, and is that its port?", way=endpoint)
        case asyncssh.ChannelOpenError(code=asyncssh.OPEN_RESOURCE_SHORTAGE):
            return _host_sentence(error.reason) or words("{way} has no room for you now.", way=endpoint)
        case asyncssh.DisconnectError(code=asyncssh.DISC_BY_APPLICATION):
            sentence = error.reason.removesuffix(f" (error {error.code})")  # asyncssh's own addition
            return _host_sentence(sentence) or words("{way} did not let you in.", way=endpoint)
        case TimeoutError():
            return words("{way} did not answer in time.", way=endpoint)
        case asyncssh.PermissionDenied():
            return words("{way} did not let you in; perhaps its operator has to add your key first.", way=endpoint)
        case asyncssh.ConnectionLost() | ConnectionResetError():
            return words("{way} closed the connection before the game began; it may be full.", way=endpoint)
        case asyncssh.Error():  # mostly a refused subsystem
            return words("{way} answers, but it is not a Boneyard server.", way=endpoint)
        case OSError():
            return words("{way} cannot be reached: {reason}.", way=endpoint, reason=error.strerror or str(error))
    return words("{way} cannot be joined: {reason}.", way=endpoint, reason=str(error))


def _host_sentence(reason: str) -> Words | None:
    """Return the host's own sentence, if there is one."""
    sentence = clean(reason, CHAT_LENGTH)
    return words("{sentence}", sentence=sentence) if sentence else None


CONNECT_TIMEOUT = 15.0
"""Seconds to connect and log in; a host on another continent needs one."""
KEEPALIVE_INTERVAL = 5
"""Seconds between keepalive messages to a silent host; after three without an answer, 20 seconds, the link ends."""
LEAVE_TIMEOUT = 3.0
"""Seconds to send buffered data on leaving."""
TrustDecision = Callable[[str, str], bool | Awaitable[bool]]
"""Gets a host's name and its key's fingerprint; returns whether to trust it from now on."""


class Invitation:
    """The invitation code of a host: given, or requested from the player when the host wants one, and then kept.

    A second `connect` with the same object does not ask again.
    """

    def __init__(self, code: str = "", ask: Callable[[], str | Awaitable[str]] | None = None) -> None:
        """`ask` returns the code, or an empty text if the player has none; it may wait for the player."""
        self.code = code
        self._ask = ask

    async def ask_code(self) -> bool:
        """Ask for the code if it is not known yet; return True if there is one now."""
        if not self.code and self._ask is not None:
            answer = self._ask()
            self.code = await answer if inspect.isawaitable(answer) else answer
        return bool(self.code)


def default_keys() -> list[Path]:
    """Return the paths of OpenSSH's keys of the player, best first."""
    return [Path.home() / ".ssh" / name for name in ("id_ed25519", "id_ecdsa", "id_rsa")]


@asynccontextmanager
async def connect(
    host: str,
    port: int,
    user: str,
    *,
    known_hosts: Path,
    own_key: Path,
    on_new_host: TrustDecision,
    keys: Sequence[Path] = (),
    agent: str | None = None,
    invitation: Invitation | None = None,
    login: LoginKeys | None = None,
    timeout: float = CONNECT_TIMEOUT,  # noqa: ASYNC109 (for the connection, not for the block)
) -> AsyncIterator[Link]:
    """Join a host and yield the link; leaving the block closes it and the connection.

    A key identifies the player: one of the `agent` (a socket's path), or of `keys` that need no passphrase; if there
    are none, one of our own, created and stored at `own_key`. An unknown host is trusted if `on_new_host` returns
    True, and then stored in `known_hosts`. A host that requires a code gets that of the `invitation`. `login` gets
    the keys of both ends.

    The player is never asked during a login, and a second call with the same files and the same invitation asks
    nothing. Raises JoinError; `timeout` is in seconds.
    """
    hosts = KnownHosts(known_hosts)
    try:
        endpoint = _Endpoint(host, port, user, await key_pairs(keys, agent, own_key), timeout, login or LoginKeys())
        connection = await _connect_invited(endpoint, hosts, on_new_host, invitation or Invitation())
    except KeyFileError as error:
        raise JoinError(words("{sentence}", sentence=str(error))) from None
    try:
        link = await _open_link(connection, endpoint)
        try:
            yield link
        finally:
            link.close()
            await wait_at_most(LEAVE_TIMEOUT, link.session.closed.wait())
    finally:
        connection.abort()
        await connection.wait_closed()


async def _connect_invited(
    endpoint: "_Endpoint", known_hosts: KnownHosts, on_new_host: TrustDecision, invitation: Invitation
) -> asyncssh.SSHClientConnection:
    """Connect; ask for a code between two attempts, so that no login waits meanwhile. A wrong code is discarded."""
    try:
        if not invitation.code:
            with contextlib.suppress(_CodeRequiredError):
                return await _connect_known(endpoint, known_hosts, on_new_host, "")
            if not await invitation.ask_code():
                raise JoinError(
                    words("{way} requires an invitation code; ask its operator for it.", way=str(endpoint))
                )
        return await _connect_known(endpoint, known_hosts, on_new_host, invitation.code)
    except _WrongCodeError:
        invitation.code = ""
        raise


async def _connect_known(
    endpoint: "_Endpoint", known_hosts: KnownHosts, on_new_host: TrustDecision, code: str
) -> asyncssh.SSHClientConnection:
    """Connect to a host whose key is trusted.

    If the host is new, ask the user between two attempts, so that the server's login timeout does not run meanwhile.
    """
    trusted = known_hosts.keys_of(endpoint.host, endpoint.port)
    first_result = await _connect_once(endpoint, trusted, code)
    if isinstance(first_result, asyncssh.SSHClientConnection):
        return first_result
    if trusted:
        raise JoinError(
            words(
                "{way} has a different key than before ({now} instead of {before}): it was reinstalled, or somebody "
                "is intercepting the connection. If its operator confirms the new key, remove the server's line from "
                "{path}.",
                way=str(endpoint),
                now=first_result.get_fingerprint(),
                before=trusted[0].get_fingerprint(),
                path=str(known_hosts.path),
            )
        )
    answer = on_new_host(endpoint.host, first_result.get_fingerprint())
    if not (await answer if inspect.isawaitable(answer) else answer):
        raise JoinError(words("You did not trust {way}, so you did not join it.", way=str(endpoint)))
    known_hosts.remember(endpoint.host, endpoint.port, first_result)
    second_result = await _connect_once(endpoint, [first_result], code)
    if isinstance(second_result, asyncssh.SSHClientConnection):
        return second_result
    raise JoinError(
        words("{way} showed two different keys; somebody may be intercepting the connection.", way=str(endpoint))
    )


async def _connect_once(
    endpoint: "_Endpoint", trusted: list[asyncssh.SSHKey], code: str
) -> asyncssh.SSHClientConnection | asyncssh.SSHKey:
    """Return the connection, or the key of a host that is not among the trusted.

    Raises JoinError, or _CodeRequiredError if the host requires a code and there is none.
    """
    client = _Client(code, endpoint.keys)
    try:
        async with asyncio.timeout(endpoint.seconds):
            connection = await asyncssh.connect(
                endpoint.host,
                endpoint.port,
                username=endpoint.user,
                client_factory=lambda: client,
                known_hosts=(trusted, [], []),
                client_keys=None,  # `_Client` offers them one by one, so that it knows which was accepted
                agent_path=None,
                config=None,  # only our own files; ~/.ssh/config is written for shells
                x509_trusted_certs=None,
                preferred_auth=["publickey", "keyboard-interactive"],
                keepalive_interval=KEEPALIVE_INTERVAL,
                keepalive_count_max=3,
                compression_algs=None,
                gss_host=None,
            )
            endpoint.login.record_login(client.offered_key, connection.get_server_host_key())
            return connection
    except Exception as error:
        if isinstance(error, asyncssh.HostKeyNotVerifiable) and client.host_keys:
            return client.host_keys[-1]
        if isinstance(error, asyncssh.PermissionDenied) and client.was_asked_for_code:
            if not code:
                raise _CodeRequiredError from None
            raise _WrongCodeError(
                words("{way} did not accept this invitation; is the code right?", way=str(endpoint))
            ) from error
        raise join_error(error, endpoint.host, str(endpoint)) from error


async def _open_link(connection: asyncssh.SSHClientConnection, endpoint: "_Endpoint") -> "_ClientLink":
    session = _ClientSession()
    try:
        async with asyncio.timeout(endpoint.seconds):
            await connection.create_session(lambda: session, subsystem=SUBSYSTEM, encoding=None)
    except Exception as error:
        raise join_error(error, endpoint.host, str(endpoint)) from error
    return session.link


class _Endpoint(Struct, frozen=True):
    """Address and user name of a login, with the player's keys."""

    host: str
    port: int
    user: str
    keys: list[asyncssh.SSHKeyPair]
    seconds: float
    login: LoginKeys

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class _WrongCodeError(JoinError):
    """The code was wrong."""


class _CodeRequiredError(Exception):
    """The host asked for a code and there was none."""


class _Client(asyncssh.SSHClient):
    """Records an untrusted host's key, the player's key that was accepted, and whether a code was requested."""

    def __init__(self, code: str, keys: Sequence[asyncssh.SSHKeyPair]) -> None:
        self._keys = iter(keys)
        self.offered_key: asyncssh.SSHKeyPair | None = None
        self.host_keys: list[asyncssh.SSHKey] = []
        self.was_asked_for_code = False
        self._code = code
        self._has_tried_kbdint = False

    def validate_host_public_key(self, _host: str, _addr: str, _port: int, key: asyncssh.SSHKey) -> bool:
        """Trust no key here, as asking the player takes too long; see `_connect_known`."""
        self.host_keys.append(key)
        return False

    def public_key_auth_requested(self) -> list[asyncssh.SSHKeyPair] | None:
        """Offer the next key, since the host refused the previous one."""
        self.offered_key = next(self._keys, None)
        return [self.offered_key] if self.offered_key else None

    def kbdint_auth_requested(self) -> str | None:
        """Log in as a guest without a key, or with the code; only once, since a second try would be the same."""
        if self._has_tried_kbdint:
            return None
        self._has_tried_kbdint = True
        return ""

    def kbdint_challenge_received(
        self, _name: str, _text: str, _lang: str, prompts: Sequence[object]
    ) -> list[str] | None:
        """Answer the one question that a Boneyard host may ask, and no other."""
        if not prompts:
            return []
        self.was_asked_for_code = True
        return [self._code] if self._code and len(prompts) == 1 else None


class _ClientLink(StreamLink):
    """A link that knows its channel, to wait for the last byte."""

    def __init__(self, session: "_ClientSession") -> None:
        super().__init__(session)
        self.session = session


class _ClientSession(asyncssh.SSHClientSession[bytes]):
    """The player's end of the subsystem: a `net.wire.link.Transport` that also feeds its link."""

    def __init__(self) -> None:
        self.link = _ClientLink(self)
        self.closed = asyncio.Event()

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        self._chan = chan

    def data_received(self, data: bytes, _datatype: int | None) -> None:
        self.link.feed(data)

    def eof_received(self) -> bool:
        self.link.eof()
        return True

    def pause_writing(self) -> None:
        self.link.pause()

    def resume_writing(self) -> None:
        self.link.resume()

    def connection_lost(self, _exc: Exception | None) -> None:
        self.link.end()
        self.closed.set()

    def write(self, data: bytes) -> None:
        if not self._chan.is_closing():
            self._chan.write(data)

    def pause_reading(self) -> None:
        self._chan.pause_reading()

    def resume_reading(self) -> None:
        self._chan.resume_reading()

    def finish(self) -> None:
        self._chan.close()

    def hang_up(self) -> None:
        abort_connection_of(self._chan)


RECONNECT_DELAYS = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
"""Seconds before each try; the last value repeats. Most interruptions are short. A random fifth more or less spreads
the load on a host that comes back.
"""
RECONNECT_TIMEOUT = DESERTED_FOR
"""Seconds after which reconnecting stops: the table is kept no longer than this."""

OpenLink = Callable[[], AbstractAsyncContextManager[Link]]


async def run_reconnecting(
    client: Client, link: Link, reconnect: OpenLink, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> Bye:
    """Run a client on a link, and on new ones that `reconnect` opens, until the host sends a final goodbye.

    The client's listeners receive `Disconnected` before each pause, and `Reconnected` when everything is restored.
    Raises JoinError if reconnecting is impossible, and `net.wire.link.WireError` if the host sends something invalid.
    """
    bye = await client.run(link)
    loop = asyncio.get_running_loop()
    lost_at, attempts = loop.time(), 0
    while bye is None or bye.again:
        if loop.time() - lost_at > RECONNECT_TIMEOUT:
            raise UnreachableError(words("The server did not come back."))
        pause = RECONNECT_DELAYS[min(attempts, len(RECONNECT_DELAYS) - 1)] * random.uniform(0.8, 1.2)
        attempts += 1
        client.publish(Disconnected())
        await sleep(pause)
        try:
            async with reconnect() as new_link:
                former_reconnects = client.reconnects
                bye = await client.run(new_link)
        except UnreachableError:
            continue
        if client.reconnects != former_reconnects:
            lost_at, attempts = loop.time(), 0
    return bye
