"""The proof of a browser's key: the text that a page signs, and the key in OpenSSH's format."""

import base64
import secrets
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from msgspec import Struct

from net.host.access import is_weak_ed25519

NONCE_BYTES = 32
"""Random bytes of a nonce."""
_KEY_PREFIXES = {"ed25519": (b"ssh-ed25519",), "p256": (b"ecdsa-sha2-nistp256", b"nistp256")}
"""The strings before the public key in OpenSSH's format."""
_NUMBER_BYTES = 32
"""Bytes of each of the two numbers of a P-256 signature."""
_POINT_BYTES, _UNCOMPRESSED = 65, 4
"""Length and first byte of a P-256 key in SSH's format. The shorter form would give a key a second fingerprint."""


class BadProofError(ValueError):
    """The message of a page proves no key."""


class Proof(Struct, frozen=True):
    """A public key and the signature that proves it, as WebCrypto returns them."""

    kind: str
    public: bytes
    signature: bytes


class Challenge:
    """The text that a page has to sign: valid for this host, this page and one login."""

    def __init__(self, origin: str, host_key: str) -> None:
        """`origin` is that of the page, `host_key` the fingerprint of the host's SSH key."""
        self.nonce = secrets.token_urlsafe(NONCE_BYTES)
        self._statement = f"boneyard web 1\n{self.nonce}\n{origin}\n{host_key}".encode()

    def key_of(self, proof: Proof) -> str:
        """Return the proved public key in OpenSSH's format. Raises BadProofError."""
        public, signature = proof.public, proof.signature
        try:
            match proof.kind:
                case "ed25519" if not is_weak_ed25519(public):
                    Ed25519PublicKey.from_public_bytes(public).verify(signature, self._statement)
                case "p256" if (
                    len(signature) == 2 * _NUMBER_BYTES and len(public) == _POINT_BYTES and public[0] == _UNCOMPRESSED
                ):
                    r, s = (
                        int.from_bytes(half, "big") for half in (signature[:_NUMBER_BYTES], signature[_NUMBER_BYTES:])
                    )
                    curve = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), public)
                    curve.verify(encode_dss_signature(r, s), self._statement, ECDSA(SHA256()))
                case _:
                    raise BadProofError("no kind of key that we know")
        except (ValueError, InvalidSignature) as error:
            raise BadProofError("the signature does not fit") from error
        kind, *rest = _KEY_PREFIXES[proof.kind]
        blob = b"".join(len(part).to_bytes(4, "big") + part for part in (kind, *rest, public))
        return f"{kind.decode()} {base64.b64encode(blob).decode()}"


def fingerprint_of(key: str) -> str:
    """Return the SHA256 fingerprint of a public key in OpenSSH's format."""
    digest = sha256(base64.b64decode(key.split()[1])).digest()
    return "SHA256:" + base64.b64encode(digest).decode().rstrip("=")
