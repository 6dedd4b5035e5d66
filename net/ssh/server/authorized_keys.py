"""The keys that may enter, from a file in OpenSSH's format that its owner may change while the host runs."""

import logging
from pathlib import Path

from net.logs import fields
from net.ssh.keys import BadKeyError, KeyFileError, public_key

_KINDS = ("ssh-", "ecdsa-", "sk-")
log = logging.getLogger(__name__)


class ListedKeys:
    """Answers with the fingerprints of the keys listed now: `net.host.access.Access`'s `listed`.

    The file is read again when it has changed. A line that is no key lets nobody in, and is logged. A file that has
    become unreadable meanwhile, or without a single key, is logged, and the keys of before count on: to lock every
    friend out would be worse.
    """

    def __init__(self, path: Path) -> None:
        """Raises KeyFileError when the file cannot be read, or has lines of which none is a key."""
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
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise KeyFileError(f"The keys in {path} cannot be read: {error.strerror or error}.") from None
    found: set[str] = set()
    problems: list[KeyFileError] = []
    for number, line in enumerate(lines, 1):
        entry = line.strip()
        if entry and not entry.startswith("#"):
            try:
                found.add(_fingerprint(entry, f"Line {number} of {path}"))
            except KeyFileError as error:
                problems.append(error)
    if problems and not found:  # more likely another file than a list of friends with one mistake
        raise problems[0]
    for problem in problems:
        log.warning("keys-line-passed-over", extra=fields(reason=problem))
    return frozenset(found)


def _fingerprint(entry: str, where: str) -> str:
    words = entry.split()
    if not words[0].startswith(_KINDS) and any(word.startswith(_KINDS) for word in words[1:]):
        # To take the key without its `from=` or `expiry-time=` would let in more than its owner thinks.
        raise KeyFileError(
            f"{where} has options before the key, which Boneyard does not support; leave only the key."
        )
    try:
        return public_key(entry).get_fingerprint()
    except BadKeyError:
        raise KeyFileError(f"{where} is not a public key; write it as in id_ed25519.pub.") from None
