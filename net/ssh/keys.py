"""Keys on disk: the host's own, a player's own, and the hosts that a player has met."""

import contextlib
import os
from pathlib import Path

import asyncssh

from net.storage.atomic import whole


class KeyFileError(Exception):
    """A key file cannot be used; the sentence says which and why."""


def keep_key(path: Path, comment: str) -> asyncssh.SSHKey:
    """Load the private key at `path`; the first time, make an ed25519 key and keep it there.

    The file is for its owner alone (0600), as is a folder made for it (0700). Raises KeyFileError.
    """
    try:
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            key = asyncssh.generate_private_key("ssh-ed25519", comment)
            with contextlib.suppress(FileExistsError), whole(path, overwrite=False) as part:
                part.write_bytes(key.export_private_key())
        return asyncssh.read_private_key(path)
    except asyncssh.KeyImportError:  # a passphrase counts too: nobody is there to type it
        raise KeyFileError(f"The key file {path} is damaged; restore it, or remove it to get a new key.") from None
    except OSError as error:
        raise KeyFileError(f"The key file {path} cannot be used: {error.strerror or error}.") from None


def usable_keys(paths: list[Path]) -> list[asyncssh.SSHKey]:
    """Load those of a player's private keys that are there and need no passphrase."""
    keys = []
    for path in paths:
        with contextlib.suppress(OSError, asyncssh.KeyImportError):
            keys.append(asyncssh.read_private_key(path))
    return keys


class KnownHosts:
    """The hosts a player has met, in a file that OpenSSH could read too."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def keys_of(self, host: str, port: int) -> list[asyncssh.SSHKey]:
        """Return the keys a host is known by; none at all is a host never met. Raises KeyFileError."""
        try:
            known = self.path.read_bytes() if self.path.exists() else b""
            return list(asyncssh.match_known_hosts(known, host, "", port)[0])
        except OSError as error:
            raise KeyFileError(f"The file {self.path} cannot be read: {error.strerror or error}.") from None
        except ValueError as error:
            raise KeyFileError(f"The file {self.path} is damaged: {error}.") from None

    def named(self, fingerprint: str) -> str:
        """Return the host that has a key, as it stands in the file; empty for one never met, or without a file."""
        try:
            rows = self.path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return ""
        for row in rows:
            host, _space, key = row.strip().partition(" ")
            with contextlib.suppress(asyncssh.KeyImportError):
                if key and asyncssh.import_public_key(key).get_fingerprint() == fingerprint:
                    return host
        return ""

    def remember(self, host: str, port: int, key: asyncssh.SSHKey) -> None:
        """Add a host. Raises KeyFileError."""
        entry = f"[{host}]:{port} ".encode() + key.export_public_key("openssh")
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self.path.open("ab+") as file:
                if file.tell():
                    file.seek(-1, os.SEEK_END)
                    if file.read(1) != b"\n":  # a player's editor may have left the last line open
                        entry = b"\n" + entry
                file.write(entry)
        except OSError as error:
            raise KeyFileError(f"The file {self.path} cannot be written: {error.strerror or error}.") from None
