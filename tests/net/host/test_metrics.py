"""The metrics of a host, and their format."""

import asyncio
import socket
import subprocess
import sys
from urllib.request import urlopen

import asyncssh
import pytest
from prometheus_client.parser import text_string_to_metric_families as parse

from net.doors.terminal import Terminal
from net.host.access import Quotas
from net.host.metrics import Metrics, MetricsError, SessionKind, publish_metrics
from net.limits import Limits
from net.ssh.client.connect import JoinError
from tests.net.ssh_room import Pipe, connect_link, connect_stranger, open_terminal, serve_room, with_timeout
from tests.waiting import until


def read(metrics):
    """Fetch the metrics and return them by name and labels."""
    with urlopen(metrics.address, timeout=10) as answer:
        families = list(parse(answer.read().decode()))
    return {
        (sample.name.removeprefix("boneyard_"), *sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
    }


def test_metrics_are_read_as_they_were_counted():
    with publish_metrics(0) as metrics:
        metrics.add_session(SessionKind.LINK)
        metrics.add_session(SessionKind.TERMINAL)
        metrics.remove_session(SessionKind.TERMINAL)
        metrics.count_denial("banned")
        metrics.count_action()
        metrics.count_action()
        metrics.count_refusal()
        metrics.record_repaint(0.004)
        metrics.set_sources(tables=lambda: 7, pending_saves=lambda: 3)
        metrics_read = read(metrics)
    assert metrics_read["sessions", "link"] == 1
    assert metrics_read["sessions", "terminal"] == 0
    assert metrics_read["connections_refused_total", "banned"] == 1
    assert metrics_read["actions_total",] == 2
    assert metrics_read["refusals_total",] == 1
    assert metrics_read["repaint_seconds_count",] == 1
    assert metrics_read["repaint_seconds_bucket", "0.005"] == 1
    assert metrics_read["repaint_seconds_bucket", "0.002"] == 0
    assert (metrics_read["tables",], metrics_read["pending_saves",]) == (7, 3)


def test_two_hosts_in_one_process_count_separately():
    with publish_metrics(0) as first, publish_metrics(0) as other:
        first.count_action()
        assert (read(first)["actions_total",], read(other)["actions_total",]) == (1, 0)


def test_without_a_port_nothing_is_served_and_every_count_is_accepted():
    with publish_metrics(None) as metrics:
        assert metrics.address == ""
        for name in [name for name in vars(Metrics) if not name.startswith("_") and name != "address"]:
            assert getattr(type(metrics), name) is getattr(Metrics, name)
        metrics.count_action()
        metrics.set_sources(tables=lambda: 1)


def test_metrics_are_served_to_this_machine_only():
    with publish_metrics(0) as metrics:
        assert metrics.address.startswith("http://127.0.0.1:")
        port = int(metrics.address.rpartition(":")[2].partition("/")[0])
        with socket.socket() as stranger:
            stranger.settimeout(30)
            assert stranger.connect_ex(("127.0.0.2", port)) != 0


def test_an_occupied_port_is_reported_in_one_sentence():
    with publish_metrics(0) as metrics:
        port = int(metrics.address.rpartition(":")[2].partition("/")[0])
        sentence = rf"^Another program is already using port {port} of 127\.0\.0\.1\.$"
        with pytest.raises(MetricsError, match=sentence), publish_metrics(port):
            pass


def test_a_solo_player_does_not_load_the_library():
    code = "import net.host.metrics, tui.cli.main, sys; sys.exit('prometheus_client' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


async def test_the_door_counts_sessions_waiting_connections_and_denials(room, tmp_path):
    with publish_metrics(0) as metrics:
        limits = Limits(per_address=3)
        async with serve_room(room, tmp_path, metrics=metrics, limits=limits) as server:
            async with connect_link(server, tmp_path), connect_stranger(server) as connection:
                await open_terminal(connection)
                await with_timeout(room.guests.get())
                _, writer = await asyncio.open_connection("127.0.0.1", server.port)
                with pytest.raises(JoinError):
                    async with connect_link(server, tmp_path):
                        pass
                metrics_read = await asyncio.to_thread(read, metrics)
                writer.close()
            assert metrics_read["sessions", "link"] == metrics_read["sessions", "terminal"] == 1
            assert metrics_read["unauthenticated",] == 1
            assert metrics_read["connections_refused_total", "address-full"] == 1
            await with_timeout(room.gone.get())
            await with_timeout(room.gone.get())
        metrics_read = await asyncio.to_thread(read, metrics)
        assert metrics_read["sessions", "link"] == metrics_read["sessions", "terminal"] == 0


async def test_bytes_that_wait_for_a_slow_reader_are_counted(room, tmp_path):
    with publish_metrics(0) as metrics:
        async with serve_room(room, tmp_path, metrics=metrics) as server, connect_stranger(server) as connection:
            await open_terminal(connection, window=1024)
            _, terminal = await with_timeout(room.guests.get())
            channel = next(iter(connection._channels.values()))
            channel.pause_reading()
            terminal.write(b"x" * 100_000)

            async def unsent():
                return (await asyncio.to_thread(read, metrics))["unsent_bytes",]

            assert 50_000 < await until(unsent) <= 100_000  # gateways report once a second
            connection.abort()


async def test_a_wrong_invitation_that_ends_in_a_closed_door_is_counted(room, tmp_path):
    limits = Limits(wrong_invitations=1, wrong_invitation_forgiven=1e6)
    quotas = Quotas(limits)
    await quotas.try_code("127.0.0.1")
    with publish_metrics(0) as metrics:
        async with serve_room(room, tmp_path, metrics=metrics, limits=limits, quotas=quotas) as server:
            with pytest.raises(asyncssh.DisconnectError, match="Too many wrong invitations"):
                await with_timeout(connect_stranger(server))
            metrics_read = await asyncio.to_thread(read, metrics)
    assert metrics_read["connections_refused_total", "guessing"] == 1


def test_a_repaint_is_timed_from_the_first_key_to_the_first_byte(monkeypatch):
    now, times = [100.0], []
    monkeypatch.setattr("net.doors.terminal.time.monotonic", lambda: now[0])
    terminal = Terminal(Pipe(), "xterm", (80, 24), {}, on_repaint=times.append)
    terminal.write("painted by itself")
    terminal.feed(b"a")
    now[0] += 0.25
    terminal.feed(b"b")
    now[0] += 0.25
    terminal.write("the answer")
    terminal.write("more of it")
    terminal.feed(b"a key that changes nothing")
    now[0] += 60
    terminal.write("somebody else moved")
    assert times == [0.5]
