"""A host with a low limit of open files takes as many guests as fit, and has files left for operator and players."""

import asyncio

import asyncssh
import pytest

from net.hosting import parts
from net.hosting.parts import MIN_OPEN_FILES, RESERVED_FILES, files_for, limits_for, raise_file_limit
from net.limits import Limits
from tests.forked import COMMAND
from tests.real.programs import TIMEOUT, Programs, enter_lobby, open_table

KEY = asyncssh.generate_private_key("ssh-ed25519")


@pytest.mark.parametrize("files", [1024, MIN_OPEN_FILES])
def test_a_usual_limit_of_open_files_keeps_the_limits_of_a_host(files):
    assert limits_for(files, Limits()) == Limits()


@pytest.mark.parametrize("processes", [1, 4])
@pytest.mark.parametrize("files", [50, 128, 256, 300, 600])
def test_all_connections_fit_beside_the_files_that_are_kept(files, processes):
    limits = limits_for(files, Limits(), processes)
    assert limits.connections > 0
    assert limits.unauthenticated > 0
    assert limits.connections + limits.unauthenticated <= max(4, files - RESERVED_FILES) * processes


@pytest.mark.parametrize("processes", [1, 4])
def test_the_limit_of_files_is_raised_as_far_as_the_connections_need(processes, monkeypatch):
    raised = []
    monkeypatch.setattr(parts.resource, "getrlimit", lambda _kind: (1024, 2**20))
    monkeypatch.setattr(parts.resource, "setrlimit", lambda _kind, limit: raised.append(limit))
    limits = Limits(connections=40_000)
    files = raise_file_limit(files_for(limits, processes))
    assert raised == [(files, 2**20)]
    assert limits_for(files, limits, processes) == limits


async def test_with_few_files_a_host_says_how_many_guests_fit_and_lets_a_player_return(tmp_path, client):
    limited = ["sh", "-c", 'ulimit -n 160; exec "$@"', "sh", *COMMAND]
    programs = Programs(tmp_path, limited)
    wide = [f"--limit={name}=1000" for name in ("per_address", "handshakes_per_second", "handshakes_at_once")]
    open_connections = []
    try:
        host = await programs.start_host(
            *wide, "--limit=handshakes_in_all=1000", "--limit=unauthenticated_per_address=1000"
        )
        assert "may open only 160 files, so 45 guests fit instead of 500." in host.said
        key = client.key("ann")[0]
        ann = client.start(host.port, key=key)
        await enter_lobby(ann)
        await open_table(ann)
        await ann.wait_for("Waiting for 1 more player.")
        ann.type("z")
        await ann.wait_for("round 1")
        ann.close()

        options = {"known_hosts": None, "config": None, "agent_path": None, "client_keys": [KEY]}
        for _ in range(60):
            open_connections.append(await asyncssh.connect("127.0.0.1", host.port, **options))
        async with asyncio.timeout(TIMEOUT):  # 45 fit, and the host hangs up on the others
            await asyncio.gather(*(connection.wait_closed() for connection in open_connections[46:]))
        assert host.log.count("reason=host-full") >= 14
        status, out, _ = await programs.run("admin", "--data", host.data, "status", command=COMMAND)
        assert status == 0, out
        ann = client.start(host.port, key=key)
        await ann.wait_for("round 1")  # she goes to the seat that waits for her
        ann.close()
        await host.close_cleanly()
        assert "cannot-accept" not in host.log
    finally:
        for connection in open_connections:
            connection.abort()
        await asyncio.gather(*(connection.wait_closed() for connection in open_connections))
        await programs.close()
