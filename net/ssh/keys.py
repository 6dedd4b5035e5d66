"""Keys on disk: the host's own, a player's own, and those of the hosts that a player knows."""

import contextlib
import os
from pathlib import Path

import asyncssh

from net.storage.atomic import whole


class KeyFileError(Exception):
    """A key file cannot be used; the sentence says which and why."""


def keep_key(path: Path, comment: str) -> asyncssh.SSHKey:
    """Load the private key at `path`; if there is none, make an ed25519 key and store it there.

    Only this user can read the file (0600) and the folder, if it is made here (0700). Raises KeyFileError.
    """
    try:
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            key = asyncssh.generate_private_key("ssh-ed25519", comment)
            with contextlib.suppress(FileExistsError), whole(path, overwrite=False) as part:
                part.write_bytes(key.export_private_key())
        return asyncssh.read_private_key(path)
    except asyncssh.KeyImportError:  # also for a key with a passphrase, since nobody is there to type it
        raise KeyFileError(f"The key file {path} is damaged; restore it, or remove it to get a new key.") from None
    except OSError as error:
        raise KeyFileError(f"The key file {path} cannot be used: {error.strerror or error}.") from None


def usable_keys(paths: list[Path]) -> list[asyncssh.SSHKey]:
    """Load a player's private keys, except those that do not exist or need a passphrase."""
    keys = []
    for path in paths:
        with contextlib.suppress(OSError, asyncssh.KeyImportError):
            keys.append(asyncssh.read_private_key(path))
    return keys


class KnownHosts:
    """The hosts that a player knows, in a file in OpenSSH's format."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def keys_of(self, host: str, port: int) -> list[asyncssh.SSHKey]:
        """Return the keys of a known host; none for an unknown one. Raises KeyFileError."""
        try:
            known = self.path.read_bytes() if self.path.exists() else b""
            return list(asyncssh.match_known_hosts(known, host, "", port)[0])
        except OSError as error:
            raise KeyFileError(f"The file {self.path} cannot be read: {error.strerror or error}.") from None
        except ValueError as error:
            raise KeyFileError(f"The file {self.path} is damaged: {error}.") from None

    def named(self, fingerprint: str) -> str:
        """Return the host that has a key, as written in the file; empty if it is unknown or there is no file."""
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
                    if file.read(1) != b"\n":  # an editor may have removed the last line's end
                        entry = b"\n" + entry
                file.write(entry)
        except OSError as error:
            raise KeyFileError(f"The file {self.path} cannot be written: {error.strerror or error}.") from None
