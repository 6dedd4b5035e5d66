"""Undocumented parts of asyncssh: a test that fails after an upgrade names the part that changed, and its purpose."""

import asyncio
import base64
import gc
import inspect
import socket
from contextlib import asynccontextmanager
from weakref import ref

import asyncssh
import pytest
from asyncssh.constants import MSG_IGNORE, MSG_KEX_FIRST, MSG_KEXINIT, MSG_NEWKEYS, MSG_USERAUTH_FAILURE
from asyncssh.packet import Boolean, Byte, String, UInt32
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from net.doors.connections import read_at_most
from net.ssh import asyncssh_private as private
from tests.net.ssh_room import with_timeout
from tests.waiting import until

HOST_KEY, ANN = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))


class Session(asyncssh.SSHServerSession):
    """A session that keeps the received data."""

    def __init__(self):
        self.received = b""
        self.environment = {}

    def connection_made(self, chan):
        self.chan = chan
        private.keep_environment(chan, self.environment)

    def shell_requested(self):
        return True

    def data_received(self, data, _datatype):
        self.received += data


class Host(asyncssh.SSHServer):
    """A server that prepares its connection with the part under test, and accepts every key and no answer."""

    def __init__(self, prepare):
        self.prepare = prepare
        self.session = Session()
        self.proofs = []

    def connection_made(self, conn):
        self.conn = conn
        self.prepare(self)

    def public_key_auth_supported(self):
        return True

    def validate_public_key(self, _username, _key):
        self.proofs.append("key")
        return True

    def kbdint_auth_supported(self):
        return True

    def get_kbdint_challenge(self, *_):
        self.proofs.append("answer")
        return True

    def session_requested(self):
        return self.session


class Client(asyncssh.SSHClient):
    """A client that proves its key, then answers once."""

    has_answered = False

    def kbdint_auth_requested(self):
        is_first, self.has_answered = not self.has_answered, True
        return "" if is_first else None


def serve_socket(host, sock):
    options = asyncssh.SSHServerConnectionOptions(
        server_factory=lambda: host, server_host_keys=[HOST_KEY], encoding=None, line_editor=False, config=None
    )
    return asyncio.ensure_future(asyncssh.run_server(sock, config=None, options=options))


@asynccontextmanager
async def connected(prepare=lambda host: None, factory=Client, **preferred):
    """Yield a real client connection, and the host whose connection `prepare` was called with."""
    client_socket, server_socket = socket.socketpair()
    host = Host(prepare)
    serving = serve_socket(host, server_socket)
    options = {
        **preferred,
        "known_hosts": None,
        "client_keys": [ANN],
        "agent_path": None,
        "config": None,
        "username": "ann",
    }
    async with await with_timeout(
        asyncssh.connect("localhost", sock=client_socket, client_factory=factory, **options)
    ) as client:
        yield client, host
    await with_timeout(host.conn.wait_closed())
    await with_timeout(serving)


@pytest.mark.parametrize(
    ("known", "name"),
    [
        (private.known_exchanges, "curve25519-sha256"),
        (private.known_ciphers, "aes256-gcm@openssh.com"),
        (private.known_macs, "hmac-sha2-256"),
    ],
)
def test_get_kex_algs_get_encryption_algs_and_get_mac_algs_list_all_algorithms(known, name):
    assert known(["from-the-future", name]) == [name]


@pytest.mark.parametrize("name", private._REPLACED)
def test_every_method_that_is_replaced_on_a_connection_is_a_method_of_its_class(name):
    assert inspect.isfunction(getattr(asyncssh.SSHServerConnection, name))


async def test_transport_of_a_connection_reads_its_socket_so_that_reading_can_be_paused():
    async with connected() as (client, host):
        channel, _ = await client.create_session(asyncssh.SSHClientSession, encoding=None)
        transport = private.transport_of(host.conn)
        transport.pause_reading()
        assert not transport.is_reading()
        assert private.resume_reading(host.conn)
        assert transport.is_reading()
        channel.write(b"a word")
        await until(lambda: host.session.received)
        host.conn.abort()
        assert private.transport_of(host.conn) is None
        assert not private.resume_reading(host.conn)


async def test_max_size_of_the_transport_bounds_the_bytes_received_at_once():
    sizes = []

    def prepare(host):
        receive = host.conn.data_received
        read_at_most(private.transport_of(host.conn), 1000)
        host.conn.data_received = lambda data: (sizes.append(len(data)), receive(data))

    async with connected(prepare) as (client, host):
        channel, _ = await client.create_session(asyncssh.SSHClientSession, encoding=None)
        channel.write(b"x" * 20_000)
        await until(lambda: len(host.session.received) == 20_000)
    assert max(sizes) == 1000


async def test_transport_can_send_a_reason_before_the_version_is_sent():
    def prepare(host):
        private.send_line(host.conn, "Full.")

    client_socket, server_socket = socket.socketpair()
    host = Host(prepare)
    with client_socket:
        serving = serve_socket(host, server_socket)
        client_socket.setblocking(False)
        received = b""
        while received.count(b"\n") < 2:
            received += await with_timeout(asyncio.get_running_loop().sock_recv(client_socket, 1000))
        host.conn.abort()
        private.send_line(host.conn, "Nobody reads this.")
    assert received.startswith(b"Full.\r\nSSH-2.0-")
    await with_timeout(serving)


async def test_pause_writing_and_resume_writing_are_called_when_the_socket_is_full():
    calls = []

    def prepare(host):
        private.watch_writing(host.conn, lambda: calls.append("pause"), lambda: calls.append("resume"))

    async with connected(prepare) as (client, host):
        reading = private.transport_of(client)
        reading.pause_reading()
        for _ in range(1000):
            if calls:
                break
            host.conn.send_debug("x" * 30_000)
        assert calls == ["pause"]
        reading.resume_reading()
        await until(lambda: calls == ["pause", "resume"])


async def test_send_userauth_success_is_called_for_every_proof_so_that_two_can_be_required():
    partial = []

    def prepare(host):
        async def decide():
            if "answer" in host.proofs:
                await succeed()
            else:
                private.ask_for_more(host.conn, partial=True)

        succeed = private.on_proof(host.conn, decide)
        send = host.conn.send_packet

        def send_packet(packet_type, *parts, **options):
            if packet_type == MSG_USERAUTH_FAILURE:
                partial.append(parts[-1] == b"\1")
            send(packet_type, *parts, **options)

        host.conn.send_packet = send_packet

    async with connected(prepare) as (_, host):
        assert host.proofs[-2:] == ["key", "answer"]
        assert partial[-1], "send_userauth_failure reports the partial success of the key"


async def test_a_connection_without_enough_proofs_is_never_authenticated():
    def prepare(host):
        async def decide():
            private.ask_for_more(host.conn, partial=False)

        private.on_proof(host.conn, decide)

    with pytest.raises(asyncssh.PermissionDenied):
        async with connected(prepare):
            pass


async def test_send_packet_begins_and_ends_every_key_exchange_so_that_they_can_be_counted():
    events = []

    def prepare(host):
        private.watch_exchanges(host.conn, lambda: events.append("begun"), lambda: events.append("done"))

    async with connected(prepare):
        assert events == ["begun", "done"]


@pytest.mark.parametrize("watched", [False, True])
async def test_send_packet_sends_an_empty_packet_before_every_full_one_unless_overridden(watched):
    packet_types = []

    def prepare(host):
        send = host.conn.send_packet

        def send_packet(packet_type, *parts, **options):
            packet_types.append(packet_type)
            send(packet_type, *parts, **options)

        host.conn.send_packet = send_packet
        if watched:
            private.watch_exchanges(host.conn, lambda: None, lambda: None)

    async with connected(prepare):
        assert {MSG_KEXINIT, MSG_NEWKEYS} <= set(packet_types)
        assert (MSG_IGNORE in packet_types) is not watched


class Guesser(Client):
    """A client that sends a first packet for its preferred algorithms, before it knows those of the host."""

    def connection_made(self, conn):
        send = conn.send_packet

        def send_packet(packet_type, *parts, handler=None):
            if packet_type == MSG_KEXINIT:
                parts = [parts[0][:-5] + Boolean(True) + UInt32(0)]
                conn._client_kexinit = Byte(packet_type) + parts[0]
            send(packet_type, *parts, handler=handler)
            if packet_type == MSG_KEXINIT:
                send(MSG_KEX_FIRST, String(bytes(range(32))))

        conn.send_packet = send_packet


@pytest.mark.parametrize(
    "preferred",
    [{"kex_algs": ["ecdh-sha2-nistp256"]}, {"server_host_key_algs": ["rsa-sha2-256", "ssh-ed25519"]}],
    ids=["key exchange", "host key"],
)
async def test_ignore_first_kex_passes_over_a_guess_unless_both_ends_prefer_the_same(preferred):
    async with connected(lambda host: private.ignore_wrong_guesses(host.conn), factory=Guesser, **preferred) as (
        client,
        host,
    ):
        assert client.get_extra_info("username") == "ann"
        assert host.proofs[-1] == "key"


async def test_recv_data_and_create_task_do_all_work_so_that_cpu_time_can_be_measured():
    runs, tasks = [], []

    def prepare(host):
        def run(receive):
            runs.append(receive)
            receive()

        def wrap(work):
            tasks.append(work)
            return work

        private.watch_work(host.conn, run, wrap)

    async with connected(prepare) as (client, host):
        channel, _ = await client.create_session(asyncssh.SSHClientSession, encoding=None)
        assert any("auth" in work.__qualname__.lower() for work in tasks), "signatures are checked in a task"
        runs_before = len(runs)
        channel.write(b"a word")
        await until(lambda: host.session.received)
        assert len(runs) > runs_before


async def test_recv_handler_and_the_replaced_parts_are_all_that_keep_an_ended_connection(fresh_heap):
    def prepare(host):
        conn = host.conn
        private.watch_writing(conn, lambda: conn, lambda: conn)
        private.watch_exchanges(conn, lambda: None, lambda: None)
        private.watch_work(conn, lambda receive: receive(), lambda work: work)

    async with connected(prepare) as (_, host):
        assert private._BOUND_METHOD in vars(host.conn)
    weak_connection = ref(host.conn)
    gc.collect()
    gc.disable()
    try:
        private.release(host.conn)
        assert not {*private._REPLACED, private._BOUND_METHOD} & set(vars(host.conn))
        del host.conn, host
        await until(lambda: weak_connection() is None)
    finally:
        gc.enable()


async def test_env_of_a_channel_is_where_asyncssh_stores_the_variables_that_a_client_sends():
    async with connected() as (client, host):
        await client.create_session(asyncssh.SSHClientSession, env={"LANG": "de_DE"}, encoding=None)
        assert host.session.environment == {b"LANG": b"de_DE"}
        assert dict(host.session.chan.get_environment()) == {"LANG": "de_DE"}


async def test_get_connection_of_a_channel_lets_a_client_hang_up():
    async with connected() as (client, _):
        channel, _ = await client.create_session(asyncssh.SSHClientSession, encoding=None)
        private.abort_connection_of(channel)
        await with_timeout(client.wait_closed())


@pytest.mark.parametrize("algorithm", ["ssh-ed25519", "ecdsa-sha2-nistp256", "ssh-rsa"])
async def test_public_data_sig_algorithms_sign_and_verify_make_and_check_signatures(algorithm):
    key = asyncssh.generate_private_key(algorithm)
    (pair,) = asyncssh.load_keypairs([key])
    public = asyncssh.import_public_key(key.export_public_key())
    for signature in (private.sign(key, b"data"), await private.sign_with_pair(pair, b"data")):
        assert private.verify(public, b"data", signature)
        assert not private.verify(public, b"other data", signature)
    assert b"ssh-rsa" not in private.sign(key, b"data"), "that would be SHA-1"
    assert private.public_data_of(public) == private.public_data_of_pair(pair)
    assert private.public_data_of(public).startswith(len(algorithm).to_bytes(4, "big") + algorithm.encode())


async def test_sign_async_of_an_agents_key_asks_the_agent():
    class Agent:
        async def sign(self, blob, data, _flags):
            return blob + data

    pair = asyncssh.SSHAgentKeyPair(Agent(), b"ssh-ed25519", ANN.public_data, b"in an agent")
    assert await private.sign_with_pair(pair, b"data") == ANN.public_data + b"data"


@pytest.mark.parametrize("algorithm", ["ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp521", "ssh-rsa"])
def test_public_data_of_an_honest_key_is_sound(algorithm):
    assert private.is_sound(asyncssh.generate_private_key(algorithm).convert_to_public())


def test_public_data_shows_weak_keys_and_second_forms_of_a_key():
    neutral = ssh_string(b"ssh-ed25519") + ssh_string(bytes([1]) + bytes(31))
    assert not private.is_sound(public_key("ssh-ed25519", neutral))
    key = generate_private_key(SECP256R1()).public_key()
    for form, sound in ((PublicFormat.UncompressedPoint, True), (PublicFormat.CompressedPoint, False)):
        point = key.public_bytes(Encoding.X962, form)
        data = ssh_string(b"ecdsa-sha2-nistp256") + ssh_string(b"nistp256") + ssh_string(point)
        assert private.is_sound(public_key("ecdsa-sha2-nistp256", data)) is sound


def ssh_string(data):
    return len(data).to_bytes(4, "big") + data


def public_key(algorithm, data):
    return asyncssh.import_public_key(f"{algorithm} {base64.b64encode(data).decode()}")
