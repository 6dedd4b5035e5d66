"""The SSH server: how it opens its port, which clients can log in, and which requests are refused."""

import asyncio
import os
import socket
import stat
import subprocess

import asyncssh
import pytest

from net.doors.listener import HostError
from net.host.access import Access
from net.limits import Limits
from net.ssh.server.listen import serve
from tests.net.ssh_room import connect_stranger, serve_room, with_timeout

# Connecting


async def test_the_host_key_is_made_once_for_its_owner_alone(room, tmp_path):
    async with serve_room(room, tmp_path) as first_server:
        pass
    path = tmp_path / "data/host_key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert os.listdir(path.parent) == ["host_key"]
    async with serve_room(room, tmp_path) as second_server:
        assert second_server.fingerprint == first_server.fingerprint


async def test_a_damaged_host_key_is_reported_in_one_sentence(room, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data/host_key").write_text("-----BEGIN NONSENSE-----")
    with pytest.raises(HostError, match="host_key is damaged"):
        async with serve_room(room, tmp_path):
            pass


async def test_a_host_key_that_is_a_folder_is_reported_in_one_sentence(room, tmp_path):
    (tmp_path / "data/host_key").mkdir(parents=True)
    with pytest.raises(HostError, match="cannot be used"):
        async with serve_room(room, tmp_path):
            pass


@pytest.mark.parametrize(
    ("bind", "port", "words"),
    [
        ("127.0.0.1", None, "Another program is already using port"),
        ("192.0.2.1", 0, "does not have the address"),
        ("127.0.0.1", 99999, "There is no port 99999"),
    ],
)
async def test_a_door_that_cannot_open_says_why(server, tmp_path, bind, port, words):
    with pytest.raises(HostError, match=words):
        async with serve(bind, server.port if port is None else port, tmp_path / "key", print, print):
            pass


async def test_an_exception_in_the_block_is_raised_unchanged(room, tmp_path):
    with pytest.raises(LookupError, match="of the block"):
        async with serve_room(room, tmp_path):
            raise LookupError("of the block")


# Identity of the host


async def test_a_guest_without_a_key_enters_without_a_question(client, room, server):
    ann = client.start(server.port)
    await ann.wait_for("hello ann")
    identity, terminal = await with_timeout(room.guests.get())
    assert (identity.user, identity.key, identity.address) == ("ann", None, "127.0.0.1")
    assert (terminal.name, terminal.size, terminal.utf8) == ("xterm-256color", (80, 24), True)
    ann.type("q")
    assert await ann.wait_for_exit() == 0
    assert b"bye" in ann.raw


async def test_a_guest_with_a_key_is_known_by_its_fingerprint(client, room, server):
    path, fingerprint = client.key("ann")
    client.start(server.port, key=path)
    identity, _ = await with_timeout(room.guests.get())
    assert identity.key == fingerprint


async def test_a_key_that_was_only_offered_identifies_no_guest(client, room, server):
    path, _ = client.key("victim")
    path.unlink()  # the thief has only victim.pub, which is public
    thief = client.start(server.port, key=path)
    identity, _ = await with_timeout(room.guests.get())
    assert identity.key is None
    thief.type("q")
    await thief.wait_for_exit()


def fingerprints(known):
    """Return the fingerprints in a file of known hosts."""
    return subprocess.run(["ssh-keygen", "-lf", known], capture_output=True, text=True, check=True).stdout


@pytest.fixture
def log_in(client, room, server):
    """Return a function that logs ann in without an alarm about the host key, and returns her known hosts."""
    path = client.key("ann")[0]

    async def log_in(*options):
        process = asyncio.ensure_future(client.run(server.port, "-tt", *options, "127.0.0.1", key=path, stdin=b"q"))
        await with_timeout(room.guests.get())
        status, _, errors = await process
        assert status == 0, errors
        assert "CHANGED" not in errors
        return (client.home / "known").read_text()

    return log_in


async def test_a_known_host_key_raises_no_alarm(client, server, log_in):
    known_hosts = await log_in()
    assert "ssh-ed25519" in known_hosts
    assert "ecdsa" not in known_hosts
    assert await log_in() == known_hosts
    assert server.fingerprint in fingerprints(client.home / "known")


async def test_a_client_with_only_ecdsa_logs_in_and_keeps_the_ecdsa_key(client, server, log_in):
    known_hosts = await log_in("-o", "HostKeyAlgorithms=ecdsa-sha2-nistp256")
    assert "ecdsa-sha2-nistp256" in known_hosts
    assert server.ecdsa in fingerprints(client.home / "known")
    assert await log_in() == known_hosts, "the client asks for the key that it knows"


async def test_a_client_that_tried_too_many_keys_is_told_how_to_try_one(client, room, tmp_path):
    async with serve_room(room, tmp_path, access=Access(listed_keys=set), limits=Limits(login_attempts=2)) as server:
        identity_options = [word for name in "abc" for word in ("-o", f"IdentityFile={client.key(name)[0]}")]
        status, _, errors = await client.run(server.port, *identity_options, "127.0.0.1")
    assert status == 255
    assert "Too many failed attempts" in errors
    assert "ssh -o IdentitiesOnly=yes -i KEY" in errors


async def test_other_ways_to_log_in_are_not_offered(client, server):
    _, _, err = await client.run(server.port, "-v", "127.0.0.1")
    offered = {line.split(": ", 2)[2].strip() for line in err.splitlines() if "can continue" in line}
    assert offered == {"publickey,keyboard-interactive"}


# Refusals


async def test_commands_are_refused_in_words(client, server):
    status, out, err = await client.run(server.port, "127.0.0.1", "rm -rf /")
    assert (status, out) == (1, "")
    assert (
        "The only commands here are plain, ascii, no-pictures and no-mouse; "
        "connect without a command to play on screens." in err
    )


async def test_a_session_without_a_terminal_gets_advice(client, server):
    status, _, err = await client.run(server.port, "127.0.0.1")
    assert status == 1
    assert "needs a terminal; try ssh -t. Or add the word plain to your ssh command, for lines of text." in err


async def test_a_terminal_that_cannot_show_a_screen_is_refused_with_the_reason(client, server):
    ann = client.start(server.port, TERM="dumb")
    assert await ann.wait_for_exit() == 1
    assert b"needs a full-screen terminal" in ann.raw
    assert b"Or add the word plain to your ssh command" in ann.raw


@pytest.mark.parametrize("program", ["sftp", "scp"])
async def test_file_transfers_are_refused(client, server, program):
    targets = ["x@127.0.0.1"] if program == "sftp" else ["/etc/hostname", "x@127.0.0.1:"]
    status, _, err = await client.run(server.port, "-P", str(server.port), *targets, program=program)
    assert status != 0
    assert "subsystem request failed" in err


@pytest.mark.parametrize(("option", "value"), [("-R", "0:127.0.0.1:9"), ("-R", "/tmp/boneyard-never:127.0.0.1:9")])
async def test_remote_port_forwarding_is_refused(client, server, option, value):
    status, _, err = await client.run(server.port, option, value, "-o", "ExitOnForwardFailure=yes", "-N", "127.0.0.1")
    assert status == 255
    assert "remote port forwarding failed" in err


async def test_local_port_forwarding_is_refused(client, server, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as target:
        status, out, err = await client.run(server.port, "-W", f"127.0.0.1:{target.getsockname()[1]}", "127.0.0.1")
    assert (status != 0, out) == (True, "")
    assert "stdio forwarding failed" in err


async def test_unix_sockets_are_refused(server):
    async with connect_stranger(server) as connection:
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.open_unix_connection("/run/anything.sock")


async def test_x11_forwarding_is_refused(server):
    async with connect_stranger(server) as connection:
        with pytest.raises(asyncssh.ChannelOpenError, match="X11"):
            await connection.create_session(
                asyncssh.SSHClientSession, term_type="xterm", x11_forwarding=True, x11_display=":0"
            )


async def test_agent_and_x11_requests_get_nothing(client, room, server):
    ann = client.start(server.port, "-A", "-X", "127.0.0.1", DISPLAY=":0")
    await ann.wait_for("hello ann")
    assert not {"SSH_AUTH_SOCK", "DISPLAY"} & set((await with_timeout(room.guests.get()))[1].env)


OPENSSH_2014 = ["aes256-gcm@openssh.com", "aes128-gcm@openssh.com", "aes256-ctr", "aes192-ctr", "aes128-ctr"]


@pytest.mark.parametrize("cipher", OPENSSH_2014)
@pytest.mark.parametrize("mac", ["hmac-sha2-256-etm@openssh.com", "hmac-sha2-256", "hmac-sha2-512"])
async def test_every_openssh_of_the_last_ten_years_finds_a_cipher_that_it_knows(server, cipher, mac):
    async with connect_stranger(server, encryption_algs=[cipher], mac_algs=[mac]) as connection:
        assert connection.get_extra_info("recv_cipher") == cipher


@pytest.mark.parametrize("old_algorithm", [{"encryption_algs": ["aes256-cbc"]}, {"mac_algs": ["hmac-sha1"]}])
async def test_a_cipher_in_cbc_mode_and_sha_1_are_not_offered(server, old_algorithm):
    with pytest.raises(asyncssh.KeyExchangeFailed):
        await with_timeout(connect_stranger(server, **{"encryption_algs": ["aes256-ctr"], **old_algorithm}))


async def test_only_a_few_sent_variables_are_kept(room, server):
    async with connect_stranger(server) as connection:
        environment = {
            "LANG": "de_DE.UTF-8",
            "COLORTERM": "truecolor" * 100,
            "BONEYARD_ANSWERS_WITHIN": "5",
            "PATH": "/evil",
        }
        await connection.create_session(asyncssh.SSHClientSession, term_type="xterm", env=environment)
        _, terminal = await with_timeout(room.guests.get())
        assert terminal.env == {
            "LANG": "de_DE.UTF-8",
            "COLORTERM": ("truecolor" * 100)[:64],
            "BONEYARD_ANSWERS_WITHIN": "5",
        }


def test_a_host_works_on_the_event_loop_of_uvloop(tmp_path):
    uvloop = pytest.importorskip("uvloop")

    async def greet(_identity, terminal):
        terminal.write("welcome")

    async def connect_once():
        async with (
            serve("127.0.0.1", 0, tmp_path / "key", greet, print) as server,
            connect_stranger(server) as connection,
        ):
            process = await with_timeout(connection.create_process(term_type="xterm", term_size=(80, 24)))
            assert await with_timeout(process.stdout.readexactly(7)) == "welcome"

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(connect_once())


async def test_a_host_that_stops_accepting_keeps_the_guests_present(room, tmp_path):
    async with serve_room(room, tmp_path) as server, connect_stranger(server) as connection:
        server.refuse()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", server.port)
        process = await with_timeout(connection.create_process(term_type="xterm", term_size=(80, 24)))
        process.close()
