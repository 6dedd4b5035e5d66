"""The secret of a cluster: machines that have it connect to each other, all others receive nothing."""

import asyncio
import contextlib
import socket
import ssl

import pytest

from net.cluster.tls import CLUSTER_FILE, Secret, SecretError, make_secret
from net.host.presence import Visitor
from net.trunk import DECODERS, AttachGuest, ToFront, ToGuest, ToTables, Trunk
from tests.net.ssh_room import with_timeout
from tests.waiting import until

ATTACH_ADA = AttachGuest(1, Visitor("ada", "SHA256:ada", address="2001:db8::1"), "Ada", "SHA256:ada")


class End:
    """End of a trunk, and the messages that it received."""

    def __init__(self, message_types):
        self.received, self.over = asyncio.Queue(), asyncio.Event()
        self.trunk = Trunk(DECODERS[message_types].decode, self.received.put_nowait, self.over.set)


@pytest.fixture
def secret(tmp_path):
    make_secret(tmp_path / CLUSTER_FILE)
    return Secret(tmp_path / CLUSTER_FILE)


@pytest.fixture
async def listening(secret):
    """Yield a port where trunks are accepted, and a queue of their ends."""
    ends = []

    def new_trunk():
        ends.append(End(ToTables))
        return ends[-1].trunk

    server = await secret.accept_trunks("127.0.0.1", 0, new_trunk)
    yield server.sockets[0].getsockname()[1], ends
    server.close()


async def test_the_system_breaks_a_silent_connection(secret, listening):
    port, ends = listening
    gateway = End(ToFront)
    await secret.open_trunk(f"127.0.0.1:{port}", gateway.trunk)
    await until(lambda: ends and ends[0].trunk._transport)
    for trunk in (gateway.trunk, ends[0].trunk):
        sock = trunk._transport.get_extra_info("socket")
        assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 3000
    gateway.trunk.close()


async def test_two_machines_of_a_cluster_exchange_messages(secret, listening):
    port, ends = listening
    gateway = End(ToFront)
    await secret.open_trunk(f"127.0.0.1:{port}", gateway.trunk)
    gateway.trunk.send(ATTACH_ADA)
    await until(lambda: ends)

    assert await with_timeout(ends[0].received.get()) == ATTACH_ADA
    ends[0].trunk.send(ToGuest(1, b"x" * 200_000))
    assert await with_timeout(gateway.received.get()) == ToGuest(1, b"x" * 200_000)
    gateway.trunk.close()
    await with_timeout(ends[0].over.wait())


async def test_a_machine_with_another_secret_is_refused_before_any_message(tmp_path, listening):
    port, ends = listening
    make_secret(tmp_path / "other.pem")
    stranger = End(ToFront)

    with pytest.raises(ssl.SSLError):
        await Secret(tmp_path / "other.pem").open_trunk(f"127.0.0.1:{port}", stranger.trunk)

    assert all(end.received.empty() for end in ends)


async def test_a_machine_without_a_certificate_is_refused(listening):
    port, ends = listening
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
    writer.write(b"hello")
    answer = b""
    with contextlib.suppress(OSError):
        answer = await reader.read(1)
    writer.transport.abort()
    assert answer == b""

    assert all(end.received.empty() for end in ends)


async def test_nonsense_ends_a_trunk_and_plain_text_is_refused(secret, listening):
    port, ends = listening
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"\x00" * 5000)
    writer.close()
    gateway = End(ToFront)
    await secret.open_trunk(f"127.0.0.1:{port}", gateway.trunk)
    gateway.trunk.send(ToGuest(1, b"a table host does not hear that"))

    await with_timeout(gateway.over.wait())
    assert all(end.received.empty() for end in ends)


@pytest.mark.parametrize("address", ["", "nonsense", "127.0.0.1:", "127.0.0.1:port", "127.0.0.1:1"])
async def test_an_unreachable_or_invalid_address_is_an_error(secret, address):
    with pytest.raises(OSError, match=r"no address|Connect"):
        await secret.open_trunk(address, End(ToFront).trunk)


def test_a_secret_is_readable_by_its_owner_alone_and_never_changes(tmp_path):
    path = tmp_path / CLUSTER_FILE
    assert make_secret(path)
    bytes_before = path.read_bytes()
    assert not make_secret(path)
    assert path.read_bytes() == bytes_before
    assert path.stat().st_mode & 0o777 == 0o600

    path.chmod(0o640)
    with pytest.raises(SecretError, match="chmod 600"):
        Secret(path)


def test_an_invalid_secret_is_refused_in_a_sentence(tmp_path):
    path = tmp_path / CLUSTER_FILE
    with pytest.raises(SecretError, match=r"no secret of the cluster .* boneyard admin --data .* secret$"):
        Secret(path)
    make_secret(path)
    whole = path.read_text()
    key, certificate = whole[: whole.index("-----BEGIN CERT")], whole[whole.index("-----BEGIN CERT") :]
    for text in ("not a certificate", "", "\0" * 9, key, certificate, whole[:-200], certificate + key[:-99]):
        path.write_text(text)
        with pytest.raises(SecretError, match="is not the secret of a cluster"):
            Secret(path)
    path.unlink()
    path.mkdir(mode=0o700)
    with pytest.raises(SecretError, match=r"Cannot read .*: Is a directory"):
        Secret(path)
    (path / "file").touch()
    with pytest.raises(SecretError, match="Cannot write"):
        make_secret(path / "file" / CLUSTER_FILE)
