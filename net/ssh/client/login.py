"""The key with which a player logs in to a host, and what it signs afterwards."""

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path

import asyncssh

from core.records import Signature
from net.ssh.asyncssh_private import public_data_of_pair, sign_with_pair
from net.ssh.keys import keep_key, usable_keys
from net.ssh.signatures import fingerprint_of, signature_of, to_be_signed

SIGN_TIMEOUT = 10.0
"""Seconds that an agent may take to sign; it needs a millisecond, unless it asks its user."""


class Login:
    """The keys of a login, the player's and the host's; `net.ssh.client.connect.connect` fills it in."""

    def __init__(self) -> None:
        self.host = ""
        """The fingerprint of the host's key; empty before the first login."""
        self._pair: asyncssh.SSHKeyPair | None = None

    def note(self, pair: asyncssh.SSHKeyPair | None, host: asyncssh.SSHKey | None) -> None:
        """Remember a login; `pair` is None for a guest without a key."""
        self._pair = pair
        self.host = host.get_fingerprint() if host else ""

    def check(self, statement: bytes, signature: Signature) -> str:
        """Return the fingerprint of the key that signed a statement; empty if the signature is invalid."""
        return fingerprint_of(statement, signature)

    async def sign(self, statement: bytes) -> Signature:
        """Sign with the key of the login; empty for a guest without a key, or if the agent is gone or refuses.

        A key on a hardware token is not used: the player would have to touch it without being told, and the end of
        a match would wait for that.
        """
        pair = self._pair
        if pair is None or pair.get_algorithm().startswith("sk-"):
            return Signature()
        try:
            async with asyncio.timeout(SIGN_TIMEOUT):
                raw = await sign_with_pair(pair, to_be_signed(statement))
        except (OSError, ValueError, TimeoutError, asyncssh.Error):
            return Signature()
        return signature_of(public_data_of_pair(pair), raw)


async def key_pairs(paths: Sequence[Path], agent: str | None, own_key: Path) -> list[asyncssh.SSHKeyPair]:
    """A player's keys in the order in which they are offered: the agent's, then files; if there are none, our own.

    Raises `net.ssh.keys.KeyFileError`.
    """
    pairs = await _agents(agent) if agent else []
    pairs += asyncssh.load_keypairs(usable_keys(list(paths)))
    return pairs or list(asyncssh.load_keypairs([keep_key(own_key, "boneyard player")]))


async def _agents(path: str) -> list[asyncssh.SSHKeyPair]:
    pairs: list[asyncssh.SSHKeyPair] = []
    with contextlib.suppress(OSError, ValueError, asyncssh.Error):
        async with asyncssh.SSHAgentClient(path) as agent:
            pairs += await agent.get_keys()
    return pairs
