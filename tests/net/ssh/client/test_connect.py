"""Joining a host: the hosts that a player trusts, and every way in which joining can fail."""

import asyncio
import socket
import subprocess
import sys
from contextlib import closing

import asyncssh
import pytest

from net.limits import Limits
from net.ssh.client.connect import JoinError, connect
from tests.net.ssh_room import TIMEOUT, connect_link, serve_room

# Joining


async def test_a_new_host_is_asked_about_once(server, tmp_path):
    questions = []

    async def ask(host, fingerprint):
        questions.append((host, fingerprint))
        return True

    for _ in range(2):
        async with connect_link(server, tmp_path, on_new_host=ask):
            pass
    assert questions == [("127.0.0.1", server.fingerprint)]
    assert (tmp_path / "mine/known_hosts").read_text().startswith(f"[127.0.0.1]:{server.port} ssh-ed25519 ")


async def test_a_new_host_that_is_not_trusted_is_not_joined(server, tmp_path):
    with pytest.raises(JoinError, match="did not trust"):
        async with connect_link(server, tmp_path, on_new_host=lambda *_: False):
            pass
    assert not (tmp_path / "mine/known_hosts").exists()


async def test_a_changed_host_key_stops_a_join_which_names_both_keys_and_the_file(server, room, tmp_path):
    known_hosts = tmp_path / "mine/known_hosts"
    old_key = asyncssh.generate_private_key("ssh-ed25519")
    known_hosts.parent.mkdir()
    known_hosts.write_text(f"[127.0.0.1]:{server.port} {old_key.export_public_key().decode()}")
    with pytest.raises(JoinError) as error:
        async with connect_link(server, tmp_path):
            pass
    for detail in (server.fingerprint, old_key.get_fingerprint(), str(known_hosts)):
        assert detail in str(error.value)
    assert room.players.empty()


def _free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])  # the second may be two addresses
async def test_an_unreachable_host_is_reported_in_one_sentence(tmp_path, name):
    files = {"known_hosts": tmp_path / "k", "own_key": tmp_path / "key"}
    with pytest.raises(JoinError, match="Nothing answers at"):
        async with connect(name, _free_port(), "bob", **files, on_new_host=lambda *_: True):
            pass


async def test_several_failed_attempts_are_reported_in_one_sentence(tmp_path, monkeypatch):
    async def fail(*_, **__):
        raise OSError("Multiple exceptions: [Errno 111] Connect call failed ('::1', 9), [Errno 111] …")

    monkeypatch.setattr(asyncssh, "connect", fail)
    with pytest.raises(JoinError, match="Nothing answers at"):
        async with connect_link(9, tmp_path):
            pass


async def test_an_unknown_host_name_is_reported_in_one_sentence(tmp_path):
    with pytest.raises(JoinError, match="There is no server called"):
        async with connect(
            "no.such.host.invalid", 2222, "bob",
            known_hosts=tmp_path / "k", own_key=tmp_path / "key", on_new_host=lambda *_: True,
        ):  # fmt: skip
            pass


async def test_silence_is_reported_in_one_sentence(tmp_path):
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        pytest.raises(JoinError, match="did not answer in time"),
    ):
        async with connect_link(silent.getsockname()[1], tmp_path, timeout=0.2):
            pass


async def test_another_kind_of_server_is_reported_in_one_sentence(tmp_path):
    async def refuse_request(reader, writer):
        writer.write(b"HTTP/1.0 400 Bad Request\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(refuse_request, "127.0.0.1", 0) as web_server:
        with pytest.raises(JoinError, match=r"not a Boneyard server|closed the connection"):
            async with connect_link(web_server.sockets[0].getsockname()[1], tmp_path):
                pass


async def test_an_ssh_host_without_boneyard_is_reported_in_one_sentence(tmp_path):
    class ShellServer(asyncssh.SSHServer):
        def begin_auth(self, username):
            return False

        def session_requested(self):
            return asyncssh.SSHServerSession()

    key = asyncssh.generate_private_key("ssh-ed25519")
    async with await asyncssh.listen(
        "127.0.0.1", 0, server_factory=ShellServer, server_host_keys=[key]
    ) as ssh_server:
        with pytest.raises(JoinError, match="not a Boneyard server"):
            async with connect_link(ssh_server.get_port(), tmp_path):
                pass


def test_terminals_and_links_do_not_load_asyncssh():
    code = "import net.doors.terminal, net.wire.link, sys; sys.exit('asyncssh' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


class Tunnel:
    """A connection between a player and a host that can stall, as in a tunnel: it stays open, and carries nothing."""

    def __init__(self, port):
        self._port = port
        self._stuck = asyncio.Event()
        self._tasks = []

    async def carry(self, reader, writer):
        host_reader, host_writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._tasks += [
            asyncio.create_task(self._pass(reader, host_writer)),
            asyncio.create_task(self._pass(host_reader, writer)),
        ]

    async def _pass(self, reader, writer):
        with closing(writer):  # since Python 3.12, a server that closes waits for its connections
            while data := await reader.read(65536):
                if not self._stuck.is_set():
                    writer.write(data)

    def stall(self):
        self._stuck.set()


async def test_an_open_but_dead_connection_is_noticed_by_both_ends(room, tmp_path, monkeypatch):
    monkeypatch.setattr("net.ssh.client.connect.KEEPALIVE_INTERVAL", 0.05)
    async with serve_room(room, tmp_path, limits=Limits(keepalive_interval=0.05)) as server:
        tunnel = Tunnel(server.port)
        async with (
            await asyncio.start_server(tunnel.carry, "127.0.0.1", 0) as tunnel_server,
            asyncio.timeout(TIMEOUT),
            connect_link(tunnel_server.sockets[0].getsockname()[1], tmp_path) as link,
        ):
            link.send(b"there?")
            assert await link.receive() == b"?ereht"
            tunnel.stall()
            assert await link.receive() is None, "the player's end notices"
            await room.gone.get()
