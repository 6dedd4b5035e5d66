"""The secret of a cluster: one certificate and its key, by which its machines authenticate each other."""

import asyncio
import datetime
import socket
import ssl
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from shlex import quote

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.x509.oid import NameOID

from net.storage.atomic import replace_atomically
from net.trunk import Trunk

CLUSTER_FILE = "cluster.pem"
"""File in the data directory of every machine of a cluster, the same on all."""
HANDSHAKE_TIMEOUT = 2.0
"""Seconds for the TLS handshake; within one building it takes some milliseconds."""
_KEEPALIVE_OPTIONS = {"TCP_KEEPIDLE": 1, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": 2, "TCP_USER_TIMEOUT": 3000}
"""A trunk is broken after three seconds without an acknowledgement; the last value is in milliseconds."""
_VALIDITY = datetime.timedelta(days=100 * 365)
"""Validity of the certificate. Machines compare the certificate itself, so it need never expire."""


class SecretError(Exception):
    """The secret of the cluster cannot be read or created; the sentence says why."""


def make_secret(path: Path) -> bool:
    """Create a certificate and its key in a file that only its owner can read, unless it exists; return True if
    it was created.

    Raises SecretError.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "boneyard cluster")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=2))  # the machines' clocks differ
        .not_valid_after(now + _VALIDITY)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    if path.exists():
        return False
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with replace_atomically(path, overwrite=False) as temporary_file:
            temporary_file.write_bytes(secret + certificate.public_bytes(serialization.Encoding.PEM))
    except OSError as error:
        raise SecretError(f"Cannot write {path}: {error.strerror}.") from error
    return True


class Secret:
    """A loaded secret: TLS contexts for both ends of a trunk, each of which accepts only this certificate."""

    def __init__(self, path: Path) -> None:
        """Raises SecretError, also if others may read the file."""
        try:
            access_of_others = path.stat().st_mode & 0o077
            if access_of_others:
                raise SecretError(f"Others may read {path}; make it yours alone: chmod 600 {path}")
            self._certificate = x509.load_pem_x509_certificate(path.read_bytes()).public_bytes(
                serialization.Encoding.DER
            )
            self.fingerprint = f"SHA256:{b64encode(sha256(self._certificate).digest()).decode().rstrip('=')}"
            """Fingerprint of the certificate: it identifies the secret without revealing it."""
            self.server = self._context(ssl.PROTOCOL_TLS_SERVER, path)
            self.client = self._context(ssl.PROTOCOL_TLS_CLIENT, path)
        except FileNotFoundError:
            raise SecretError(
                f"There is no secret of the cluster at {path}; copy that of another node, or make the first one "
                f"with: boneyard admin --data {quote(str(path.parent))} secret"
            ) from None
        except (ssl.SSLError, ValueError):
            raise SecretError(f"{path} is not the secret of a cluster; copy that of another node, whole.") from None
        except OSError as error:
            raise SecretError(f"Cannot read {path}: {error.strerror}.") from error

    def _context(self, purpose: int, path: Path) -> ssl.SSLContext:
        context = ssl.SSLContext(purpose)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.check_hostname = False
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(cadata=self._certificate)
        context.load_cert_chain(path)
        return context

    def has_same_certificate(self, transport: asyncio.BaseTransport) -> bool:
        """Return True if the other end has this very certificate, not only one that it has signed."""
        tls = transport.get_extra_info("ssl_object")
        return tls is not None and tls.getpeercert(binary_form=True) == self._certificate

    async def open_trunk(self, address: str, trunk: Trunk) -> None:
        """Open a trunk to `HOST:PORT`. Raises OSError, also if the machine does not belong to this cluster."""
        host, _, port = address.rpartition(":")
        if not host or not (port.isascii() and port.isdecimal() and len(port) < 6 and int(port) < 2**16):
            raise OSError(f"{address} is no address.")
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(HANDSHAKE_TIMEOUT):
            transport, _ = await loop.create_connection(
                lambda: trunk, host.strip("[]"), int(port), ssl=self.client, ssl_handshake_timeout=HANDSHAKE_TIMEOUT
            )
        if not self.has_same_certificate(transport):
            transport.abort()
            raise ConnectionRefusedError("That machine does not have the secret of this cluster.")
        _end_when_silent(transport)

    async def accept_trunks(self, host: str, port: int, new_trunk: Callable[[], Trunk]) -> asyncio.Server:
        """Listen for trunks from machines of this cluster; all others get no data. Raises OSError."""
        loop = asyncio.get_running_loop()
        return await loop.create_server(
            lambda: _VerifiedProtocol(self, new_trunk()),
            host,
            port,
            ssl=self.server,
            ssl_handshake_timeout=HANDSHAKE_TIMEOUT,
        )


def _end_when_silent(transport: asyncio.BaseTransport) -> None:
    """Have the system break a trunk whose other end no longer answers, even when it is idle."""
    sock = transport.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE_OPTIONS.items():
        if (option := getattr(socket, name, None)) is not None:  # systems differ
            sock.setsockopt(socket.IPPROTO_TCP, option, value)


class _VerifiedProtocol(asyncio.Protocol):
    """Protocol that passes a connection to the trunk once the other end has proved to be of this cluster."""

    def __init__(self, secret: Secret, trunk: Trunk) -> None:
        self._secret = secret
        self._trunk = trunk

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if not self._secret.has_same_certificate(transport):
            transport.abort() if isinstance(transport, asyncio.Transport) else transport.close()
            return
        if isinstance(transport, asyncio.Transport):
            transport.set_protocol(self._trunk)
        _end_when_silent(transport)
        self._trunk.connection_made(transport)
