"""Signatures of hosts and players, in the format of `ssh-keygen -Y` (OpenSSH's PROTOCOL.sshsig)."""

import base64
import binascii
from hashlib import sha256, sha512
from pathlib import Path

from core.records import Signature, Signing
from net.ssh.asyncssh_private import public_data_of, sign, verify
from net.ssh.keys import keep_key, public_key

NAMESPACE = b"boneyard-record"
"""Keeps a signature made here from being valid for a commit, a mail or a login, and the other way round."""
LONGEST = 16 * 1024
"""Characters of a key or a signature; longer ones are invalid. Those of the largest RSA key have 2,800."""
_MAGIC = b"SSHSIG"
_VERSION = (1).to_bytes(4, "big")
_HASHES = {b"sha256": sha256, b"sha512": sha512}


def signing(host_key: Path) -> Signing:
    """Sign with the key of a host, which is made if there is none. Raises `net.ssh.keys.KeyFileError`."""
    key = keep_key(host_key, "boneyard host")

    def signed(statement: bytes) -> Signature:
        return signature_of(public_data_of(key), sign(key, to_be_signed(statement)))

    return Signing(signed, fingerprint_of)


def to_be_signed(statement: bytes) -> bytes:
    """Return the bytes over which a key makes its signature."""
    return _MAGIC + _strings(NAMESPACE, b"", b"sha512", sha512(statement).digest())


def signature_of(public_data: bytes, raw: bytes) -> Signature:
    """Encode a public key, and its signature of `to_be_signed`, as text."""
    blob = _MAGIC + _VERSION + _strings(public_data, NAMESPACE, b"", b"sha512", raw)
    kind, _rest = _string(public_data)
    return Signature(f"{kind.decode()} {base64.b64encode(public_data).decode()}", base64.b64encode(blob).decode())


def fingerprint_of(statement: bytes, signature: Signature) -> str:
    """Return the fingerprint of the key that signed a statement; empty if the signature is invalid.

    Each signature has only one valid encoding, so that every changed letter makes it invalid.
    """
    kind, _space, text = signature.key.partition(" ")
    try:
        public_data, blob = _unpacked(text), _unpacked(signature.signature)
        if _string(public_data)[0] != kind.encode():  # before asyncssh guesses the kind of key
            return ""
        key = public_key(f"{kind} {text}")
        shown, namespace, reserved, name, raw = _parts(blob)
    except (ValueError, KeyError):
        return ""
    if (shown, namespace, reserved, public_data_of(key)) != (public_data, NAMESPACE, b"", public_data):
        return ""
    if name not in _HASHES:
        return ""
    holds = verify(key, _MAGIC + _strings(NAMESPACE, b"", name, _HASHES[name](statement).digest()), raw)
    return key.get_fingerprint() if holds else ""


def armoured(signature: Signature) -> str:
    """Return a signature as the file that `ssh-keygen -Y` reads."""
    text = signature.signature
    rows = [text[at : at + 70] for at in range(0, len(text), 70)]
    return "\n".join(["-----BEGIN SSH SIGNATURE-----", *rows, "-----END SSH SIGNATURE-----", ""])


def _unpacked(text: str) -> bytes:
    """Raises ValueError for what is not base64 in its one canonical form."""
    if len(text) > LONGEST:
        raise ValueError("too long")
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data).decode() != text:
        raise binascii.Error("bits that nobody reads")
    return data


def _parts(blob: bytes) -> tuple[bytes, ...]:
    """Public key, namespace, reserved, hash and signature. Raises ValueError."""
    head = _MAGIC + _VERSION
    if not blob.startswith(head):
        raise ValueError("no SSHSIG")
    parts, rest = [], blob[len(head) :]
    for _ in range(5):
        part, rest = _string(rest)
        parts.append(part)
    if rest:
        raise ValueError("more than an SSHSIG")
    return tuple(parts)


def _strings(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def _string(data: bytes) -> tuple[bytes, bytes]:
    """The first string in SSH's encoding, and what follows it. Raises ValueError."""
    length = int.from_bytes(data[:4], "big")
    if len(data) < 4 + length:
        raise ValueError("cut off")
    return data[4 : 4 + length], data[4 + length :]
