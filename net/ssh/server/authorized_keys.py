"""The keys that may enter, from a file in OpenSSH's format that its owner may change while the host runs."""

import logging
from pathlib import Path

import asyncssh

from net.logs import fields
from net.ssh.keys import KeyFileError

_KINDS = ("ssh-", "ecdsa-", "sk-")
log = logging.getLogger(__name__)


class ListedKeys:
    """Answers with the fingerprints of the keys listed now: `net.host.access.Access`'s `listed`.

    The file is read again when it has changed. One that has become unreadable or broken meanwhile is logged,
    and the keys of before count on: to lock every friend out, or to let anybody in, would be worse.
    """

    def __init__(self, path: Path) -> None:
        """Raises KeyFileError when the file cannot be read, or has a line that is no key."""
        self._path = path
        self._seen = self._stamp()
        self._keys = _read(path)

    def __call__(self) -> frozenset[str]:
        """The fingerprints, `SHA256:…`."""
        stamp = self._stamp()
        if stamp != self._seen:
            self._seen = stamp
            try:
                self._keys = _read(self._path)
                log.info("keys-read-again", extra=fields(file=self._path, keys=len(self._keys)))
            except KeyFileError as error:
                log.warning("keys-not-read", extra=fields(reason=error))
        return self._keys

    def _stamp(self) -> tuple[int, int, int] | None:
        """What changes when the file does; None while it cannot be seen."""
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino


def _read(path: Path) -> frozenset[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise KeyFileError(f"The file {path} lists no public keys: it is not UTF-8 text.") from None
    except OSError as error:
        raise KeyFileError(f"The keys in {path} cannot be read: {error.strerror or error}.") from None
    found = set()
    for number, line in enumerate(lines, 1):
        entry = line.strip()
        if entry and not entry.startswith("#"):
            found.add(_fingerprint(entry, f"Line {number} of {path}"))
    return frozenset(found)


def _fingerprint(entry: str, where: str) -> str:
    words = entry.split()
    if not words[0].startswith(_KINDS) and any(word.startswith(_KINDS) for word in words[1:]):
        # To pass over `from=` or `expiry-time=` would let in more than its owner thinks.
        raise KeyFileError(
            f"{where} has options before the key, which Boneyard does not support; leave only the key."
        )
    try:
        return asyncssh.import_public_key(entry).get_fingerprint()
    except (asyncssh.KeyImportError, ValueError):
        raise KeyFileError(f"{where} is not a public key; write it as in id_ed25519.pub.") from None
