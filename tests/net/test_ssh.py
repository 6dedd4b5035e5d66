"""The SSH room: who gets in, what is refused, and how frames and terminals travel."""

import asyncio
import logging
import os
import socket
import stat
import subprocess
import sys
from contextlib import asynccontextmanager

import asyncssh
import pytest

from net.ssh.guest import MAX_STUFFED, Terminal, fitting_size, speaks_utf8
from net.ssh.host import HostError, serve
from net.ssh.join import JoinError, connect
from net.ssh.session import SUBSYSTEM
from net.ssh.stream import MAX_UNREAD, MAX_UNSENT, StreamLink
from net.ssh.visit import Limits
from net.wire import MAX_FRAME, WireError, frame

PATIENCE = 10


class Room:
    """A host for tests: terminals echo, links echo, and both are kept to be looked at."""

    def __init__(self):
        self.guests = asyncio.Queue()
        self.players = asyncio.Queue()
        self.gone = asyncio.Queue()

    async def on_terminal(self, identity, terminal):
        echo = Echo(terminal)
        self.guests.put_nowait((identity, terminal))
        terminal.write(f"hello {identity.user}\r\n")
        terminal.attach(echo)
        try:
            await echo.over
            if echo.crash:
                raise RuntimeError("the tile fell off the table")
        finally:
            terminal.write("bye\r\n")
            self.gone.put_nowait(identity)

    async def on_link(self, identity, link):
        self.players.put_nowait((identity, link))
        try:
            while (payload := await link.receive()) is not None:
                link.send(payload[::-1])
        finally:
            self.gone.put_nowait(identity)


class Echo:
    """A listener that writes back what it hears, and ends at "q" or, with a crash, at "!"."""

    def __init__(self, terminal):
        self.terminal = terminal
        self.over = asyncio.get_running_loop().create_future()
        self.crash = False

    def on_data(self, data):
        self.terminal.write(data)
        self.crash = b"!" in data
        if (self.crash or b"q" in data) and not self.over.done():
            self.over.set_result(None)

    def on_resize(self, columns, rows):
        self.terminal.write(f"<{columns}x{rows}>")

    def on_pause(self):
        pass

    def on_resume(self):
        pass

    def on_end(self):
        if not self.over.done():
            self.over.set_result(None)


class Pipe:
    """A line that goes nowhere and remembers."""

    def __init__(self):
        self.sent = b""
        self.reading = True
        self.state = "open"

    def write(self, data):
        self.sent += data

    def pause_reading(self):
        self.reading = False

    def resume_reading(self):
        self.reading = True

    def finish(self):
        self.state = "finished"

    def hang_up(self):
        self.state = "cut"


@pytest.fixture
def room():
    return Room()


@asynccontextmanager
async def opened(room, tmp_path, **more):
    """Open a host, and see that nothing of it is left afterwards."""
    before = asyncio.all_tasks()
    key = tmp_path / "data/host_key"
    async with serve("127.0.0.1", 0, key, room.on_terminal, room.on_link, **more) as server:
        yield server
    left = asyncio.all_tasks() - before - {asyncio.current_task()}  # a fixture ends in another task
    assert not left, f"still running: {left}"


@pytest.fixture
async def server(room, tmp_path):
    async with opened(room, tmp_path) as server:
        yield server


def joining(server, tmp_path, user="bob", **more):
    options = {
        "known_hosts": tmp_path / "mine/known_hosts",
        "own_key": tmp_path / "mine/key",
        "on_new_host": lambda *_: True,
        **more,
    }
    return connect("127.0.0.1", getattr(server, "port", server), user, **options)


def stranger(server):
    """Connect with a client that may ask for anything."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    return asyncssh.connect("127.0.0.1", server.port, known_hosts=None, client_keys=[key], config=None)


async def soon(awaitable):
    async with asyncio.timeout(PATIENCE):
        return await awaitable


# The door


async def test_the_host_key_is_made_once_for_its_owner_alone(room, tmp_path):
    async with opened(room, tmp_path) as first:
        pass
    path = tmp_path / "data/host_key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert os.listdir(path.parent) == ["host_key"]
    async with opened(room, tmp_path) as second:
        assert second.fingerprint == first.fingerprint


async def test_a_damaged_host_key_is_told_in_one_sentence(room, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data/host_key").write_text("-----BEGIN NONSENSE-----")
    with pytest.raises(HostError, match="host_key is damaged"):
        async with opened(room, tmp_path):
            pass


async def test_a_host_key_that_is_a_folder_is_told_in_one_sentence(room, tmp_path):
    (tmp_path / "data/host_key").mkdir(parents=True)
    with pytest.raises(HostError, match="cannot be used"):
        async with opened(room, tmp_path):
            pass


@pytest.mark.parametrize(
    ("bind", "port", "words"),
    [
        ("127.0.0.1", None, "Another program is using port"),
        ("192.0.2.1", 0, "none of this machine's"),
        ("127.0.0.1", 99999, "There is no port 99999"),
    ],
)
async def test_a_door_that_cannot_open_says_why(server, tmp_path, bind, port, words):
    with pytest.raises(HostError, match=words):
        async with serve(bind, server.port if port is None else port, tmp_path / "key", print, print):
            pass


async def test_a_crash_in_the_block_comes_out_as_it_was(room, tmp_path):
    with pytest.raises(LookupError, match="undressed"):
        async with opened(room, tmp_path):
            raise LookupError("undressed")


# Who it is


@pytest.mark.real
async def test_a_guest_without_a_key_walks_in_unasked(client, room, server):
    ann = client.plays(server.port)
    await ann.sees("hello ann")
    identity, terminal = await soon(room.guests.get())
    assert (identity.user, identity.key, identity.address) == ("ann", None, "127.0.0.1")
    assert (terminal.name, terminal.size, terminal.utf8) == ("xterm-256color", (80, 24), True)
    ann.types("q")
    assert await ann.leaves() == 0
    assert b"bye" in ann.raw


@pytest.mark.real
async def test_a_guest_with_a_key_is_known_by_its_fingerprint(client, room, server):
    path, fingerprint = client.key("ann")
    client.plays(server.port, key=path)
    identity, _ = await soon(room.guests.get())
    assert identity.key == fingerprint


@pytest.mark.real
async def test_a_key_that_was_only_offered_is_nobodys(client, room, server):
    path, _ = client.key("victim")
    path.unlink()  # the thief has only victim.pub, which anybody may see
    thief = client.plays(server.port, key=path)
    identity, _ = await soon(room.guests.get())
    assert identity.key is None
    thief.types("q")
    await thief.leaves()


@pytest.mark.real
async def test_the_host_decides_whom_it_admits(client, room, tmp_path):
    path, fingerprint = client.key("ann")
    async with opened(room, tmp_path, admits=lambda identity: identity.key == fingerprint) as server:
        status, _, err = await client.runs(server.port, "127.0.0.1")
        assert status == 255
        assert "Permission denied" in err
        client.plays(server.port, key=path)
        identity, _ = await soon(room.guests.get())
        assert identity.key == fingerprint


@pytest.mark.real
async def test_no_other_way_in_is_offered(client, server):
    _, _, err = await client.runs(server.port, "-v", "127.0.0.1")
    offered = {line.split(": ", 2)[2].strip() for line in err.splitlines() if "can continue" in line}
    assert offered == {"publickey,keyboard-interactive"}


# What is refused


@pytest.mark.real
async def test_commands_are_refused_in_words(client, server):
    status, out, err = await client.runs(server.port, "127.0.0.1", "rm -rf /")
    assert (status, out) == (1, "")
    assert "runs no commands" in err


@pytest.mark.real
async def test_without_a_terminal_there_is_advice(client, server):
    status, _, err = await client.runs(server.port, "127.0.0.1")
    assert status == 1
    assert "needs a terminal; try ssh -t" in err


@pytest.mark.real
async def test_a_terminal_that_cannot_show_a_screen_is_told_so(client, server):
    ann = client.plays(server.port, TERM="dumb")
    assert await ann.leaves() == 1
    assert b"cannot show one" in ann.raw


@pytest.mark.real
@pytest.mark.parametrize("program", ["sftp", "scp"])
async def test_files_are_not_moved(client, server, program):
    what = ["x@127.0.0.1"] if program == "sftp" else ["/etc/hostname", "x@127.0.0.1:"]
    status, _, err = await client.runs(server.port, "-P", str(server.port), *what, program=program)
    assert status != 0
    assert "subsystem request failed" in err


@pytest.mark.real
@pytest.mark.parametrize(
    ("option", "value"), [("-R", "0:127.0.0.1:9"), ("-R", "/tmp/boneyard-never:127.0.0.1:9")]
)
async def test_the_host_listens_for_nobody(client, server, option, value):
    status, _, err = await client.runs(
        server.port, option, value, "-o", "ExitOnForwardFailure=yes", "-N", "127.0.0.1"
    )
    assert status == 255
    assert "remote port forwarding failed" in err


@pytest.mark.real
async def test_the_host_is_no_way_to_elsewhere(client, server, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as elsewhere:
        status, out, err = await client.runs(
            server.port, "-W", f"127.0.0.1:{elsewhere.getsockname()[1]}", "127.0.0.1"
        )
    assert (status != 0, out) == (True, "")
    assert "stdio forwarding failed" in err


async def test_sockets_and_x11_are_refused(server):
    async with stranger(server) as connection:
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.open_unix_connection("/run/anything.sock")
        with pytest.raises(asyncssh.ChannelOpenError, match="X11"):
            await connection.create_session(
                asyncssh.SSHClientSession, term_type="xterm", x11_forwarding=True, x11_display=":0"
            )


async def test_one_connection_opens_a_few_sessions_only(server):
    async with stranger(server) as connection:
        for _ in range(Limits().sessions):
            await connection.create_session(asyncssh.SSHClientSession, term_type="xterm")
        with pytest.raises(asyncssh.ChannelOpenError, match="refused"):
            await connection.create_session(asyncssh.SSHClientSession, term_type="xterm")


@pytest.mark.real
async def test_agent_and_x11_wishes_do_no_harm_and_get_nothing(client, room, server):
    ann = client.plays(server.port, "-A", "-X", "127.0.0.1", DISPLAY=":0")
    await ann.sees("hello ann")
    assert "SSH_AUTH_SOCK" not in (await soon(room.guests.get()))[1].env


async def test_only_a_few_variables_are_kept_of_what_is_sent(room, server):
    async with stranger(server) as connection:
        sent = {"LANG": "de_DE.UTF-8", "COLORTERM": "truecolor" * 100, "PATH": "/evil"}
        await connection.create_session(asyncssh.SSHClientSession, term_type="xterm", env=sent)
        _, terminal = await soon(room.guests.get())
        assert terminal.env == {"LANG": "de_DE.UTF-8", "COLORTERM": ("truecolor" * 100)[:64]}


async def test_one_address_cannot_take_every_place(room, tmp_path):
    async with opened(room, tmp_path, limits=Limits(per_address=2)) as server:
        async with joining(server, tmp_path), joining(server, tmp_path):
            with pytest.raises(JoinError, match="hung up before"):
                async with joining(server, tmp_path):
                    pass
        await soon(room.gone.get())
        await soon(room.gone.get())
        async with joining(server, tmp_path) as link:
            link.send(b"ab")
            assert await soon(link.receive()) == b"ba"


async def test_who_says_nothing_is_shown_out(room, tmp_path):
    async with opened(room, tmp_path, limits=Limits(login_timeout=0.1)) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        await soon(reader.read())  # ends with the host's goodbye
        writer.close()


@pytest.mark.real
async def test_who_logs_in_and_opens_nothing_is_shown_out(client, room, tmp_path):
    async with opened(room, tmp_path, limits=Limits(idle_timeout=0.1)) as server:
        status, _, _ = await client.runs(server.port, "-N", "127.0.0.1")
        assert status == 255


# Terminals


@pytest.mark.real
async def test_sizes_and_their_changes_arrive_sane(client, room, server):
    ann = client.plays(server.port, size=(100, 30))
    await ann.sees("hello")
    _, terminal = await soon(room.guests.get())
    assert terminal.size == (100, 30)
    ann.resizes(120, 40)
    await ann.sees("<120x40>")
    ann.resizes(9999, 9999)
    await ann.sees(lambda player: b"<500x200>" in player.raw)


async def test_a_client_with_a_boundless_window_that_never_reads_pauses_the_terminal(server, room):
    async with stranger(server) as connection:
        await connection.create_session(asyncssh.SSHClientSession, term_type="xterm", window=2**31)
        _, terminal = await soon(room.guests.get())
        connection._transport.pause_reading()
        for _ in range(1000):
            if terminal.paused:
                break
            terminal.write(b"x" * 16384)
            await asyncio.sleep(0)
        assert terminal.paused
        connection._transport.resume_reading()
        connection.abort()


@pytest.mark.real
async def test_a_crash_ends_one_session_and_leaves_the_next_untouched(client, room, server, caplog):
    ann, bob = client.plays(server.port), client.plays(server.port)
    await ann.sees("hello")
    await bob.sees("hello")
    with caplog.at_level(logging.ERROR, "net.ssh"):
        ann.types("!")
        assert await ann.leaves() == 1
    assert b"Something broke" in ann.raw
    assert "the tile fell off the table" in caplog.text
    bob.types("still here")
    await bob.sees("still here")


@pytest.mark.real
async def test_a_host_that_closes_lets_its_guests_finish(client, room, tmp_path):
    async with opened(room, tmp_path) as server:
        ann = client.plays(server.port)
        await ann.sees("hello")
    await ann.leaves()
    assert b"bye" in ann.raw
    assert (await soon(room.gone.get())).user == "ann"


@pytest.mark.real
async def test_a_client_that_vanishes_ends_its_session(client, room, server):
    ann = client.plays(server.port)
    await ann.sees("hello")
    ann.close()
    await soon(room.gone.get())


async def test_a_cancelled_host_leaves_nothing_running(tmp_path, room):
    before = asyncio.all_tasks()
    up = asyncio.get_running_loop().create_future()

    async def host():
        async with serve("127.0.0.1", 0, tmp_path / "key", room.on_terminal, room.on_link) as server:
            up.set_result(server)
            await asyncio.Event().wait()

    task = asyncio.create_task(host())
    async with joining(await soon(up), tmp_path) as link:
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await soon(task)
        assert await soon(link.receive()) is None
    assert asyncio.all_tasks() == before


async def test_a_session_that_will_not_end_is_cancelled(tmp_path, room):
    stuck = asyncio.Event()

    async def deaf(identity, terminal):
        stuck.set()
        await asyncio.Event().wait()

    room.on_terminal = deaf
    async with opened(room, tmp_path, limits=Limits(leave_timeout=0.1)) as server:
        connection = await stranger(server)
        await connection.create_session(asyncssh.SSHClientSession, term_type="xterm")
        await soon(stuck.wait())
    await soon(connection.wait_closed())


def test_sizes_are_clipped_or_refused():
    assert fitting_size(2**32 - 1, 2**32 - 1) == (500, 200)
    assert fitting_size(0, 24) is None
    assert Terminal(Pipe(), "xterm", (0, 0), {}).size == (80, 24)


@pytest.mark.parametrize(
    ("name", "env", "speaks"),
    [
        ("xterm", {}, True),
        ("linux", {}, True),
        ("vt100", {}, False),
        ("vt100", {"LANG": "de_DE.utf8@euro"}, True),
        ("xterm", {"LANG": "en_US.UTF-8", "LC_ALL": "C"}, False),
        ("xterm", {"LANG": "C.UTF-8"}, True),
    ],
)
def test_utf8_is_spoken_by_whom_says_so_and_by_most_who_do_not(name, env, speaks):
    assert speaks_utf8(name, env) is speaks


def test_what_is_typed_ahead_is_heard_and_a_flood_of_it_is_not():
    terminal = Terminal(Pipe(), "xterm", (80, 24), {})
    terminal.feed(b"ab")
    for _ in range(100):
        terminal.feed(b"x" * 1000)
    heard = []
    listener = type("L", (), {"on_data": lambda self, data: heard.append(data)})()
    terminal.attach(listener)
    assert heard[0].startswith(b"abx")
    assert len(heard[0]) == 4096


def test_old_terminals_get_question_marks_for_what_they_cannot_show():
    pipe = Pipe()
    Terminal(pipe, "vt100", (80, 24), {}).write("6|4 ⚅")
    assert pipe.sent == b"6|4 ?"


def test_a_paused_terminal_that_is_stuffed_is_cut():
    pipe = Pipe()
    terminal = Terminal(pipe, "xterm", (80, 24), {})
    terminal.pause()
    for _ in range(MAX_STUFFED // 1024):
        terminal.write(b"x" * 1024)
    assert pipe.state == "open"
    terminal.write(b"x")
    assert pipe.state == "cut"


# Links


async def test_frames_travel_both_ways_whole_and_in_order(server, room, tmp_path):
    async with joining(server, tmp_path) as link:
        payloads = [b"", b"\x00\x01", os.urandom(MAX_FRAME), *(bytes([n]) * n for n in range(256))]
        for payload in payloads:
            link.send(payload)
        for payload in payloads:
            assert await soon(link.receive()) == payload[::-1]
        identity, _ = await soon(room.players.get())
        assert identity.user == "bob"
    await soon(room.gone.get())


async def test_a_joined_player_keeps_one_key(server, room, tmp_path):
    for _ in range(2):
        async with joining(server, tmp_path):
            pass
    (one, _), (two, _) = await soon(room.players.get()), await soon(room.players.get())
    assert one.key == two.key == asyncssh.read_private_key(tmp_path / "mine/key").get_fingerprint()
    assert stat.S_IMODE((tmp_path / "mine/key").stat().st_mode) == 0o600


@pytest.mark.real
async def test_a_joined_player_with_ssh_keys_is_the_same_by_both_doors(client, server, room, tmp_path):
    path, fingerprint = client.key("ann")
    async with joining(server, tmp_path, keys=[client.home / "missing", path]):
        identity, _ = await soon(room.players.get())
    assert identity.key == fingerprint
    assert not (tmp_path / "mine/key").exists()


async def test_what_is_sent_last_still_arrives(server, room, tmp_path):
    async with joining(server, tmp_path) as link:
        _, host = await soon(room.players.get())
        host.send(b"goodbye")
        host.close()
        assert await soon(link.receive()) == b"goodbye"
        assert await soon(link.receive()) is None
        assert await soon(link.receive()) is None


@pytest.mark.real
async def test_openssh_can_carry_frames_and_nonsense_is_a_wire_error(client, room, tmp_path):
    errors = asyncio.Queue()

    async def picky(identity, link):
        try:
            while (payload := await link.receive()) is not None:
                link.send(payload)
        except WireError as error:
            errors.put_nowait(error)

    room.on_link = picky
    async with opened(room, tmp_path) as server:
        good = frame(b"6|4")
        _, out, _ = await client.runs(server.port, "-s", "127.0.0.1", SUBSYSTEM, stdin=good)
        assert out.encode() == good
        await client.runs(server.port, "-s", "127.0.0.1", SUBSYSTEM, stdin=b"GET / HTTP/1.0\r\n")
        assert "longer than" in str(await soon(errors.get()))


async def test_a_reader_who_does_not_read_is_dropped_and_the_others_play_on(server, room, tmp_path):
    async with joining(server, tmp_path, "sleeper"), joining(server, tmp_path) as player:
        (_, first), (_, second) = await soon(room.players.get()), await soon(room.players.get())
        for number in range(200):  # 12 MiB, of which `sleeper` reads nothing and `player` all
            for link in (first, second):
                link.send(bytes([number]) * 65536)
            assert await soon(player.receive()) == bytes([number]) * 65536
        assert (await soon(room.gone.get())).user == "sleeper"
        player.send(b"ab")
        assert await soon(player.receive()) == b"ba"


def test_a_link_holds_no_more_than_its_cap_for_a_paused_line():
    pipe = Pipe()
    link = StreamLink(pipe)
    link.pause()
    for _ in range(MAX_UNSENT // 65536 - 1):
        link.send(b"x" * 65536)
    assert (pipe.state, pipe.sent) == ("open", b"")
    link.send(b"x" * 65536)
    assert pipe.state == "cut"
    link.send(b"more")
    assert pipe.sent == b""


def test_what_waited_for_a_paused_line_follows_in_order():
    pipe = Pipe()
    link = StreamLink(pipe)
    link.send(b"one")
    link.pause()
    link.send(b"two")
    link.send(b"three")
    assert pipe.sent == frame(b"one")
    link.resume()
    assert pipe.sent == frame(b"one") + frame(b"two") + frame(b"three")


async def test_a_sender_is_held_back_until_somebody_reads():
    pipe = Pipe()
    link = StreamLink(pipe)
    size = MAX_UNREAD // 2
    link.feed(frame(b"x" * size) + frame(b"y" * size))
    assert not pipe.reading
    await link.receive()
    await link.receive()
    assert pipe.reading


# Joining


async def test_a_new_host_is_asked_about_once(server, tmp_path):
    asked = []

    async def ask(host, fingerprint):
        asked.append((host, fingerprint))
        return True

    for _ in range(2):
        async with joining(server, tmp_path, on_new_host=ask):
            pass
    assert asked == [("127.0.0.1", server.fingerprint)]
    assert (tmp_path / "mine/known_hosts").read_text().startswith(f"[127.0.0.1]:{server.port} ssh-ed25519 ")


async def test_a_new_host_that_is_not_trusted_is_not_joined(server, tmp_path):
    with pytest.raises(JoinError, match="was not trusted"):
        async with joining(server, tmp_path, on_new_host=lambda *_: False):
            pass
    assert not (tmp_path / "mine/known_hosts").exists()


async def test_a_changed_host_key_stops_and_names_both_and_the_file(server, room, tmp_path):
    known = tmp_path / "mine/known_hosts"
    old = asyncssh.generate_private_key("ssh-ed25519")
    known.parent.mkdir()
    known.write_text(f"[127.0.0.1]:{server.port} {old.export_public_key().decode()}")
    with pytest.raises(JoinError) as caught:
        async with joining(server, tmp_path):
            pass
    for words in (server.fingerprint, old.get_fingerprint(), str(known)):
        assert words in str(caught.value)
    assert room.players.empty()


def _free_port():
    with socket.create_server(("127.0.0.1", 0)) as once:
        return once.getsockname()[1]


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])  # the second may be two addresses
async def test_nobody_at_home_is_told_in_one_sentence(tmp_path, name):
    files = {"known_hosts": tmp_path / "k", "own_key": tmp_path / "key"}
    with pytest.raises(JoinError, match="Nobody listens at"):
        async with connect(name, _free_port(), "bob", **files, on_new_host=lambda *_: True):
            pass


async def test_the_tale_of_several_failed_attempts_is_told_in_one_sentence(tmp_path, monkeypatch):
    async def fail(*_, **__):
        raise OSError("Multiple exceptions: [Errno 111] Connect call failed ('::1', 9), [Errno 111] …")

    monkeypatch.setattr(asyncssh, "connect", fail)
    with pytest.raises(JoinError, match="Nobody listens at"):
        async with joining(9, tmp_path):
            pass


async def test_a_host_without_a_name_is_told_in_one_sentence(tmp_path):
    with pytest.raises(JoinError, match="There is no host called"):
        async with connect(
            "no.such.host.invalid", 2222, "bob",
            known_hosts=tmp_path / "k", own_key=tmp_path / "key", on_new_host=lambda *_: True,
        ):  # fmt: skip
            pass


async def test_silence_is_told_in_one_sentence(tmp_path):
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        pytest.raises(JoinError, match="did not answer in time"),
    ):
        async with joining(silent.getsockname()[1], tmp_path, timeout=0.2):
            pass


async def test_another_kind_of_server_is_told_in_one_sentence(tmp_path):
    async def web(reader, writer):
        writer.write(b"HTTP/1.0 400 Bad Request\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(web, "127.0.0.1", 0) as other:
        with pytest.raises(JoinError, match=r"no Boneyard host|hung up"):
            async with joining(other.sockets[0].getsockname()[1], tmp_path):
                pass


async def test_an_ssh_host_without_boneyard_is_told_in_one_sentence(tmp_path):
    class Other(asyncssh.SSHServer):
        def begin_auth(self, username):
            return False

        def session_requested(self):
            return asyncssh.SSHServerSession()

    key = asyncssh.generate_private_key("ssh-ed25519")
    async with await asyncssh.listen("127.0.0.1", 0, server_factory=Other, server_host_keys=[key]) as other:
        with pytest.raises(JoinError, match="no Boneyard host"):
            async with joining(other.get_port(), tmp_path):
                pass


def test_the_cheap_parts_do_not_load_asyncssh():
    code = "import net.ssh.guest, net.ssh.stream, sys; sys.exit('asyncssh' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
