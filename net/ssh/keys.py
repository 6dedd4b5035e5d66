"""Key files: of the host, of a player, of known hosts and of admitted guests; and signatures made with keys."""

import base64
import binascii
import contextlib
import logging
import os
import shlex
from collections.abc import Callable, Iterator
from hashlib import sha256, sha512
from pathlib import Path

import asyncssh
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key
from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_der_private_key

from core.records import Signature, Signing
from net.logs import fields
from net.ssh.asyncssh_private import public_data_of, sign, verify
from net.storage.atomic import replace_atomically

_ECDSA_INFO = b"boneyard: the ECDSA key beside an ed25519 host key"
_P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Order of the curve P-256: its private keys are the numbers from 1 to one less."""


class KeyFileError(Exception):
    """A key file cannot be used; the sentence says which and why."""


class BadKeyError(ValueError):
    """The text or file is not a usable key; a private key may need a passphrase, which cannot be typed."""


def public_key(text: str) -> asyncssh.SSHKey:
    """Parse a public key in the format of OpenSSH's files. Raises BadKeyError."""
    return _parse_key(lambda: asyncssh.import_public_key(text))


def _private_key(path: Path) -> asyncssh.SSHKey:
    """Read a private key. Raises BadKeyError or OSError."""
    return _parse_key(lambda: asyncssh.read_private_key(path))


def _parse_key(parse: Callable[[], asyncssh.SSHKey]) -> asyncssh.SSHKey:
    """Parse a key. Raises BadKeyError, or OSError if it cannot be read.

    For numbers that no key can have, asyncssh lets any error of its libraries through.
    """
    try:
        return parse()
    except OSError:
        raise
    except Exception as error:
        raise BadKeyError(str(error)) from error


def load_or_create_key(path: Path, comment: str) -> asyncssh.SSHKey:
    """Load the private key at `path`; if there is none, create an ed25519 key and store it there.

    Only this user can read the file (0600) and the folder, if it is created here (0700). Raises KeyFileError.
    """
    try:
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            key = asyncssh.generate_private_key("ssh-ed25519", comment)
            with contextlib.suppress(FileExistsError), replace_atomically(path, overwrite=False) as temporary_file:
                temporary_file.write_bytes(key.export_private_key())
        return _private_key(path)
    except BadKeyError as error:
        if "assphrase" in str(error):  # asyncssh has no error class for that
            raise KeyFileError(
                f"The key file {path} has a passphrase, which cannot be typed here; "
                f"remove the passphrase with: ssh-keygen -p -N '' -f {shlex.quote(str(path))}"
            ) from None
        raise KeyFileError(f"The key file {path} is damaged; restore it, or remove it to get a new key.") from None
    except OSError as error:
        raise KeyFileError(f"The key file {path} cannot be used: {error.strerror or error}.") from None


def derive_ecdsa_key(key: asyncssh.SSHKey) -> asyncssh.SSHKey | None:
    """Return the ECDSA key of a host with an ed25519 key, for clients that do not support that; None for other keys.

    It is derived from the host's own key, which it does not reveal. So it is the same wherever that is restored: from
    a backup, and on all nodes of a cluster.
    """
    if key.get_algorithm() != "ssh-ed25519":
        return None
    ed25519 = load_der_private_key(key.export_private_key("pkcs8-der"), None)
    seed = ed25519.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
    key_material = HKDF(SHA512(), length=48, salt=None, info=_ECDSA_INFO).derive(seed)
    ecdsa = derive_private_key(int.from_bytes(key_material) % (_P256_ORDER - 1) + 1, SECP256R1())
    return asyncssh.import_private_key(ecdsa.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def usable_keys(paths: list[Path]) -> list[asyncssh.SSHKey]:
    """Load a player's private keys, except those that do not exist or need a passphrase."""
    keys = []
    for path in paths:
        with contextlib.suppress(OSError, BadKeyError):
            keys.append(_private_key(path))
    return keys


class KnownHosts:
    """The hosts that a player knows, in a file in OpenSSH's format."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def keys_of(self, host: str, port: int) -> list[asyncssh.SSHKey]:
        """Return the keys of a known host; none for an unknown one.

        Raises KeyFileError, also for a damaged line about this host: a host whose key was lost must not count as
        unknown.
        """
        known_hosts = asyncssh.import_known_hosts("")
        for number, line, problem in self._read_lines():
            if not problem:
                known_hosts.load(line)
            elif f"[{host}]:{port}" in _split(line)[0].split(","):
                raise KeyFileError(f"Line {number} of {self.path}, about {host}, is damaged; correct or remove it.")
        return list(known_hosts.match(host, "", port)[0])

    def host_with_key(self, fingerprint: str) -> str:
        """Return the host that has a key, as written in the file; empty if it is unknown or there is no file."""
        with contextlib.suppress(KeyFileError):
            for _number, line, problem in self._read_lines():
                host, key = _split(line)
                if not problem and public_key(key).get_fingerprint() == fingerprint:
                    return host
        return ""

    def damage_reports(self) -> list[str]:
        """Return a sentence for every invalid line, which is ignored."""
        with contextlib.suppress(KeyFileError):
            return [
                f"Line {number} of {self.path} is not a host and its key; it was passed over."
                for number, _line, problem in self._read_lines()
                if problem
            ]
        return []

    def _read_lines(self) -> Iterator[tuple[int, str, bool]]:
        """Yield every line that is not blank or a comment, its number, and True if it is damaged. Raises
        KeyFileError.
        """
        try:
            text = self.path.read_text(encoding="utf-8", errors="replace") if self.path.exists() else ""
        except OSError as error:
            raise KeyFileError(f"The file {self.path} cannot be read: {error.strerror or error}.") from None
        for number, line in enumerate(map(str.strip, text.splitlines()), 1):
            if line and not line.startswith("#"):
                try:
                    public_key(_split(line)[1])
                    asyncssh.import_known_hosts(line)
                except ValueError:
                    yield number, line, True
                else:
                    yield number, line, False

    def remember(self, host: str, port: int, key: asyncssh.SSHKey) -> None:
        """Add a host. Raises KeyFileError."""
        entry = f"[{host}]:{port} ".encode() + key.export_public_key("openssh")
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self.path.open("ab+") as file:
                if file.tell():
                    file.seek(-1, os.SEEK_END)
                    if file.read(1) != b"\n":  # an editor may have removed the last newline
                        entry = b"\n" + entry
                file.write(entry)
        except OSError as error:
            raise KeyFileError(f"The file {self.path} cannot be written: {error.strerror or error}.") from None


def _split(line: str) -> tuple[str, str]:
    """Return the host field of a line, and the key; a marker in front is ignored."""
    fields = line.split(None, 2 if line.startswith("@") else 1)[-2:]
    return fields[0], fields[1] if len(fields) == 2 else ""


NAMESPACE = b"boneyard-record"
"""Domain separation: a signature made here is invalid for a commit, a mail or a login, and vice versa."""
MAX_TEXT_LENGTH = 16 * 1024
"""Characters of a key or a signature; longer ones are invalid. The largest RSA key has 2,800."""
_MAGIC = b"SSHSIG"
_VERSION = (1).to_bytes(4, "big")
_HASHES = {b"sha256": sha256, b"sha512": sha512}


def signing(host_key: Path) -> Signing:
    """Load the key of a host, created if there is none, for signing. Raises KeyFileError."""
    key = load_or_create_key(host_key, "boneyard host")

    def sign_statement(statement: bytes) -> Signature:
        return signature_of(public_data_of(key), sign(key, signed_bytes(statement)))

    return Signing(sign_statement, fingerprint_of)


def signed_bytes(statement: bytes) -> bytes:
    """Return the bytes that a key signs."""
    return _MAGIC + _pack_strings(NAMESPACE, b"", b"sha512", sha512(statement).digest())


def signature_of(public_data: bytes, raw_signature: bytes) -> Signature:
    """Encode a public key, and its signature of `signed_bytes`, as text."""
    blob = _MAGIC + _VERSION + _pack_strings(public_data, NAMESPACE, b"", b"sha512", raw_signature)
    kind, _rest = _split_string(public_data)
    return Signature(f"{kind.decode()} {base64.b64encode(public_data).decode()}", base64.b64encode(blob).decode())


def fingerprint_of(statement: bytes, signature: Signature) -> str:
    """Return the fingerprint of the key that signed a statement; empty if the signature is invalid.

    Each signature has only one valid encoding, so that every changed letter makes it invalid.
    """
    kind, _space, text = signature.key.partition(" ")
    try:
        public_data, blob = _decode_base64(text), _decode_base64(signature.signature)
        if _split_string(public_data)[0] != kind.encode():  # before asyncssh guesses the kind of key
            return ""
        key = public_key(f"{kind} {text}")
        signer, namespace, reserved, name, raw_signature = _split_blob(blob)
    except (ValueError, KeyError):
        return ""
    if (signer, namespace, reserved, public_data_of(key)) != (public_data, NAMESPACE, b"", public_data):
        return ""
    if name not in _HASHES:
        return ""
    is_valid = verify(
        key, _MAGIC + _pack_strings(NAMESPACE, b"", name, _HASHES[name](statement).digest()), raw_signature
    )
    return key.get_fingerprint() if is_valid else ""


def armour(signature: Signature) -> str:
    """Return a signature as the file that `ssh-keygen -Y` reads."""
    text = signature.signature
    rows = [text[start : start + 70] for start in range(0, len(text), 70)]
    return "\n".join(["-----BEGIN SSH SIGNATURE-----", *rows, "-----END SSH SIGNATURE-----", ""])


def _decode_base64(text: str) -> bytes:
    """Decode base64. Raises ValueError unless the text is canonical."""
    if len(text) > MAX_TEXT_LENGTH:
        raise ValueError("too long")
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data).decode() != text:
        raise binascii.Error("bits that nobody reads")
    return data


def _split_blob(blob: bytes) -> tuple[bytes, ...]:
    """Return the public key, namespace, reserved field, hash and signature. Raises ValueError."""
    header = _MAGIC + _VERSION
    if not blob.startswith(header):
        raise ValueError("no SSHSIG")
    parts, remaining = [], blob[len(header) :]
    for _ in range(5):
        part, remaining = _split_string(remaining)
        parts.append(part)
    if remaining:
        raise ValueError("more than an SSHSIG")
    return tuple(parts)


def _pack_strings(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def _split_string(data: bytes) -> tuple[bytes, bytes]:
    """Return the first string in SSH's encoding, and the rest. Raises ValueError."""
    length = int.from_bytes(data[:4], "big")
    if len(data) < 4 + length:
        raise ValueError("cut off")
    return data[4 : 4 + length], data[4 + length :]


_KINDS = ("ssh-", "ecdsa-", "sk-")
log = logging.getLogger(__name__)


class ListedKeys:
    """Returns the fingerprints of the keys in a file: the `listed_keys` of `net.host.access.Access`.

    The file is reloaded when it has changed. An invalid line admits nobody, and is logged. If the file has become
    unreadable, or has no valid key any more, that is logged and the former keys stay valid: to lock every friend out
    would be worse.
    """

    def __init__(self, path: Path) -> None:
        """Raises KeyFileError if the file cannot be read, or has lines but no valid key."""
        self._path = path
        self._read_stamp = self._stamp()
        self._keys = _read_fingerprints(path)

    def __call__(self) -> frozenset[str]:
        """Return the fingerprints, `SHA256:…`."""
        stamp = self._stamp()
        if stamp != self._read_stamp:
            self._read_stamp = stamp
            try:
                self._keys = _read_fingerprints(self._path)
                log.info("keys-read-again", extra=fields(file=self._path, keys=len(self._keys)))
            except KeyFileError as error:
                log.warning("keys-not-read", extra=fields(reason=error))
        return self._keys

    def _stamp(self) -> tuple[int, int, int] | None:
        """Return a stamp that changes with the file; None while it cannot be read."""
        try:
            stat = self._path.stat()
        except OSError:
            return None
        return stat.st_mtime_ns, stat.st_size, stat.st_ino


def _read_fingerprints(path: Path) -> frozenset[str]:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise KeyFileError(f"The keys in {path} cannot be read: {error.strerror or error}.") from None
    fingerprints: set[str] = set()
    problems: list[KeyFileError] = []
    for number, line in enumerate(lines, 1):
        entry = line.strip()
        if entry and not entry.startswith("#"):
            try:
                fingerprints.add(_fingerprint(entry, f"Line {number} of {path}"))
            except KeyFileError as error:
                problems.append(error)
    if problems and not fingerprints:  # more likely another file than a list of friends with one mistake
        raise problems[0]
    for problem in problems:
        log.warning("keys-line-passed-over", extra=fields(reason=problem))
    return frozenset(fingerprints)


def _fingerprint(entry: str, place: str) -> str:
    """Return the fingerprint of a key in a list; `place` is its line and file, for errors. Raises KeyFileError."""
    fields = entry.split()
    if not fields[0].startswith(_KINDS) and any(word.startswith(_KINDS) for word in fields[1:]):
        # Accepting the key without its `from=` or `expiry-time=` would admit more than its owner intends.
        raise KeyFileError(
            f"{place} has options before the key, which Boneyard does not support; leave only the key."
        )
    try:
        return public_key(entry).get_fingerprint()
    except BadKeyError:
        raise KeyFileError(f"{place} is not a public key; write it as in id_ed25519.pub.") from None
