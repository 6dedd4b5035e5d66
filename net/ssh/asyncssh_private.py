"""All uses of asyncssh beyond its documentation: the only file to check when asyncssh is upgraded.

`pyproject.toml` pins asyncssh exactly. `tests/net/ssh/test_asyncssh_private.py` has a test for each part that is used
here, and `tests/walls/test_private_parts.py` checks that no other file uses any.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, MutableMapping
from functools import partial
from typing import Any, TypeAlias

import asyncssh
from asyncssh.constants import MSG_IGNORE, MSG_KEXINIT, MSG_NEWKEYS
from asyncssh.encryption import get_encryption_algs
from asyncssh.kex import get_kex_algs
from asyncssh.mac import get_mac_algs
from asyncssh.packet import SSHPacket

from net.host.access import is_weak_ed25519

Work: TypeAlias = Coroutine[Any, Any, Any]

_REPLACED = (
    "pause_writing",
    "resume_writing",
    "send_userauth_success",
    "send_packet",
    "create_task",
    "choose_server_host_key",
    "_recv_data",
)
"""Methods that are replaced on the connection object itself, which then refers to the replacements."""
_UNCOMPRESSED = b"\4"
"""First byte of an ECDSA point in uncompressed form, with both coordinates."""
_BOUND_METHOD = "_recv_handler"
"""Attribute in which a connection keeps a bound method, and so a reference to itself."""


# Algorithms. asyncssh refuses names that it does not know; the set depends on the installed OpenSSL.


def _supported(list_algorithms: Callable[[], list[bytes]], names: Iterable[str]) -> list[str]:
    return [name for name in names if name.encode() in list_algorithms()]


known_exchanges, known_ciphers, known_macs = (
    partial(_supported, all_of_them) for all_of_them in (get_kex_algs, get_encryption_algs, get_mac_algs)
)
"""Filters of key exchanges, ciphers and message authentication codes: return those that asyncssh knows, in their
order.
"""


# The socket below a connection


def transport_of(connection: asyncssh.SSHServerConnection) -> asyncio.Transport | None:
    """Return the transport of a connection if reading from it can be paused; None also after the end.

    On uvloop it is no `asyncio.Transport`, but has the same methods.
    """
    inner: Any = connection
    return inner._transport if hasattr(inner._transport, "pause_reading") else None


def resume_reading(connection: asyncssh.SSHServerConnection) -> bool:
    """Read from a connection again; return True if it is still open."""
    transport = transport_of(connection)
    if transport is None or transport.is_closing():
        return False
    transport.resume_reading()
    return True


def send_line(connection: asyncssh.SSHServerConnection, text: str) -> None:
    """Send a line of text before the SSH version, which RFC 4253 allows; `ssh -v` shows it."""
    inner: Any = connection
    if inner._transport is not None:
        inner._transport.write(f"{text}\r\n".encode())


def watch_writing(
    connection: asyncssh.SSHServerConnection, pause: Callable[[], None], resume: Callable[[], None]
) -> None:
    """Call `pause` when the socket's buffer is full, and `resume` when it has room again.

    asyncssh leaves this buffer unbounded. It only pauses a channel, and only when the client's window is full,
    which a client may set to 4 GiB and never read.
    """
    inner: Any = connection
    inner.pause_writing, inner.resume_writing = pause, resume


# Authentication. asyncssh lets a server require only one proof.


def on_proof(
    connection: asyncssh.SSHServerConnection, decide: Callable[[], Awaitable[None]]
) -> Callable[[], Awaitable[None]]:
    """Await `decide` after every valid proof, a signature or a right code alike; return the function that completes
    the login.

    `decide` awaits that function, or calls `ask_for_more`.
    """
    inner: Any = connection
    succeed: Callable[[], Awaitable[None]] = inner.send_userauth_success
    inner.send_userauth_success = decide
    return succeed


def ask_for_more(connection: asyncssh.SSHServerConnection, *, partial: bool) -> None:
    """Tell the client to continue authenticating; `partial` is RFC 4252's partial success."""
    connection.send_userauth_failure(partial)


# CPU time of a connection


def watch_exchanges(
    connection: asyncssh.SSHServerConnection, on_begin: Callable[[], None], on_end: Callable[[], None]
) -> None:
    """Call `on_begin` before our first packet of every key exchange, and `on_end` after our last one.

    Also omit the empty packet that asyncssh sends before every full one. That packet protects ciphers in CBC mode, so
    the server must not offer any: see `CIPHERS` in `net/ssh/server/listen.py`.
    """
    inner: Any = connection
    send = inner.send_packet

    def send_packet(kind: int, *parts: bytes, handler: Any = None) -> None:
        if kind == MSG_IGNORE:
            return
        if kind == MSG_KEXINIT:
            on_begin()
        send(kind, *parts, handler=handler)
        if kind == MSG_NEWKEYS:
            on_end()

    inner.send_packet = send_packet


def ignore_wrong_guesses(connection: asyncssh.SSHServerConnection) -> None:
    """Ignore the first packet of a key exchange if the client guessed its algorithms wrongly (RFC 4253, section 7.1).

    A guess is right if both lists begin with the same key exchange and the same host key algorithm. asyncssh compares
    with the chosen algorithm instead: it took Dropbear's guess for the exchange, and the exchange for a violation.
    """
    inner: Any = connection
    choose: Callable[[Any], bool] = inner.choose_server_host_key

    def choose_server_host_key(algorithms: Any) -> bool:
        guess, has_guessed = _preferred_algorithms(inner._client_kexinit)
        preferred, _ = _preferred_algorithms(inner._server_kexinit)
        inner._ignore_first_kex = has_guessed and guess != preferred
        return choose(algorithms)

    inner.choose_server_host_key = choose_server_host_key


def _preferred_algorithms(kexinit: bytes) -> tuple[tuple[bytes, ...], bool]:
    """Return the preferred key exchange and host key algorithm of a KEXINIT, and whether a guess follows it."""
    packet = SSHPacket(kexinit)
    packet.get_bytes(17)  # message number and cookie
    exchanges, host_keys, *_others = (packet.get_namelist() for _ in range(10))
    return (*exchanges[:1], *host_keys[:1]), packet.get_boolean()


def watch_work(
    connection: asyncssh.SSHServerConnection, run: Callable[[Callable[[], None]], None], wrap: Callable[[Work], Work]
) -> None:
    """Call `run` with the function that handles received bytes, and pass every task through `wrap`."""
    inner: Any = connection
    receive, create = inner._recv_data, inner.create_task

    def create_task(work: Work, logger: Any = None) -> Any:
        return create(wrap(work), logger)

    inner._recv_data, inner.create_task = partial(run, receive), create_task


def release(connection: asyncssh.SSHServerConnection) -> None:
    """Remove the reference cycles of an ended connection, so that reference counting frees it.

    Call it in a later iteration of the event loop than `connection_lost`, because asyncssh may still use them before.
    """
    attributes = vars(connection)
    for name in (*_REPLACED, _BOUND_METHOD):
        attributes.pop(name, None)


# Channels


def keep_environment(channel: asyncssh.SSHServerChannel[bytes], environment: MutableMapping[bytes, bytes]) -> None:
    """Have asyncssh store the client's environment variables in `environment`, which may drop some."""
    inner: Any = channel
    inner._env = environment


def abort_connection_of(channel: asyncssh.SSHClientChannel[bytes]) -> None:
    """Close the connection of a channel at once."""
    channel.get_connection().abort()


# Keys. The documentation tells how to create, read and write them, not how to sign.


def public_data_of(key: asyncssh.SSHKey) -> bytes:
    """Return a public key as SSH sends it (RFC 4253)."""
    return key.public_data


def is_sound(key: asyncssh.SSHKey) -> bool:
    """Return True if only the owner of a public key can sign for it, and it has a single fingerprint.

    asyncssh also accepts ECDSA points in their short form, and Ed25519 points of small order.
    """
    algorithm, packet = key.get_algorithm(), SSHPacket(key.public_data)
    packet.get_string()  # the algorithm again
    if "ed25519" in algorithm:
        return not is_weak_ed25519(packet.get_string())
    if "ecdsa" in algorithm:
        packet.get_string()  # the curve
        return packet.get_string()[:1] == _UNCOMPRESSED
    return True


def public_data_of_pair(pair: asyncssh.SSHKeyPair) -> bytes:
    """Return the public key of a pair as SSH sends it, without a certificate."""
    return pair.key_public_data


def sign(key: asyncssh.SSHKey, data: bytes) -> bytes:
    """Return the signature of a private key, as SSH sends it."""
    return key.sign(data, key.sig_algorithms[0])


async def sign_with_pair(pair: asyncssh.SSHKeyPair, data: bytes) -> bytes:
    """Return the signature of a key pair, as SSH sends it; an agent makes its own.

    Raises OSError, ValueError or asyncssh.Error if an agent is gone or refuses.
    """
    return await pair.sign_async(data) if isinstance(pair, asyncssh.SSHAgentKeyPair) else pair.sign(data)


def verify(key: asyncssh.SSHKey, data: bytes, signature: bytes) -> bool:
    """Return True if a signature was made over `data` with a key."""
    return key.verify(data, signature)
