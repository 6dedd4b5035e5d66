"""The operator's commands at real nodes of a cluster, typed as an operator types them."""

import asyncio
import os
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from net.client.client import Client
from net.cluster.database import Database, check_keys
from net.cluster.tls import Secret
from net.ssh.client.connect import JoinError, connect
from net.storage.permissions import lock
from net.wire.messages import Bye, Greeting, MakeTable
from scripts.cluster_nodes import Cluster
from tests.forked import COMMAND
from tests.net.ssh.proxying import block, proxy
from tests.ptys import TIMEOUT
from tests.real.proofs import begin
from tests.waiting import until
from tui.cli.main import boneyard


def try_to_start(*words):
    """Try to start a host that must not start; return its exit status and output."""
    with TemporaryDirectory() as folder, Path(folder, "said").open("w+b") as output:
        status = begin(Path(folder, "pid"), [*COMMAND, "host", *words], os.environ, output, output).wait(TIMEOUT)
        output.seek(0)
        return status, output.read().decode().strip()


def admin(data, *words):
    """Run an operator's command; return its exit status and output."""
    result = CliRunner().invoke(boneyard, ["admin", "--data", str(data), *words], prog_name="boneyard")
    return result.exit_code, result.output.strip()


def admin_at(node, *words):
    return admin(node.data, *words)


@pytest.fixture
def cluster(postgres, empty_database, tmp_path):
    cluster = Cluster(empty_database, tmp_path, fast=True, tables=("north",), begin=begin)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


@asynccontextmanager
async def guest(node, name, folder):
    """Yield a guest who has entered through a gateway, and their messages."""
    files = {"known_hosts": folder / f"known {name}", "own_key": folder / f"key {name}"}
    async with connect("127.0.0.1", node.port, name, **files, on_new_host=lambda *_: True) as link:
        client, received = Client(link, "test"), []
        client.subscribe(received.append)
        client.subscribe(lambda message: client.enter(name) if isinstance(message, Greeting) else None)
        running = asyncio.ensure_future(client.run())
        await until(lambda: client.name)
        yield client, received
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_an_operator_works_from_any_node_and_empties_a_gateway(cluster, tmp_path):
    east, west, north = *cluster.gateways.values(), cluster.tables["north"]
    async with guest(east, "ada", tmp_path) as (ada, received), guest(west, "eve", tmp_path) as (_, eve_received):
        while ada.update is None:  # a gateway that has just begun may know no table host yet
            ada.make_table(MakeTable("draw", 2, {}))
            await asyncio.sleep(0.5)
        number = str(ada.update.table.id)
        status = "1 guest is connected to this gateway.\neast  gateway\nnorth  tables  1 table\nwest  gateway"

        async def has_status():
            return await asyncio.to_thread(admin_at, east, "status") == (0, status)

        async def listed():
            text = (await asyncio.to_thread(admin_at, west, "tables"))[1]
            return text if text.startswith(f"{number}  draw") else ""

        await until(has_status)  # the number of a host's tables is sent with its next heartbeat
        assert "  ada  127.0.0.1  SHA256:" in (await asyncio.to_thread(admin_at, east, "guests"))[1]
        assert (await asyncio.to_thread(admin_at, north, "tables"))[1].startswith(f"{number}  draw")
        assert (await until(listed)).endswith("  north")  # the other gateway is notified, but not at once

        assert (await asyncio.to_thread(admin_at, north, "ban", "eve"))[0] == 0
        await until(
            lambda: any(isinstance(message, Bye) and "banned" in str(message.reason) for message in eve_received)
        )
        assert "SHA256:" in (await asyncio.to_thread(admin_at, east, "bans"))[1]

        status, message = await asyncio.to_thread(admin_at, east, "drain")
        assert (status, message) == (
            0,
            "Nobody is let in any more; in 10 seconds 1 guest is told to come in again, and this gateway ends.",
        )
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", east.port)
        assert await asyncio.to_thread(east.wait) == 0
        assert [message.again for message in received if isinstance(message, Bye)] == [True]
    assert (await asyncio.to_thread(admin_at, north, "drain")) == (
        1,
        "boneyard: No other host of this cluster takes tables, so there is nobody to hand them over to.",
    )
    assert (await asyncio.to_thread(admin_at, west, "drain"))[1].endswith("nobody is here, so this gateway ends.")
    assert await asyncio.to_thread(west.wait) == 0


def test_the_secret_is_made_once_and_a_node_without_it_or_beside_another_says_how(tmp_path):
    data = tmp_path / "new data"
    start = ("--cluster", "postgresql://nobody@127.0.0.1:1/x", "--role", "gateway", "--open", "--data", str(data))
    assert try_to_start(*start) == (
        1,
        f"boneyard: There is no secret of the cluster at {data}/cluster.pem; copy that of another node, or make the "
        f"first one with: boneyard admin --data '{data}' secret",
    )
    status, output = admin(data, "secret")
    assert (status, output.split(".")[0]) == (0, f"{data}/cluster")
    assert (data / "cluster.pem").stat().st_mode & 0o777 == 0o600
    assert admin(data, "secret")[0] == 1
    assert "127.0.0.1:1/x cannot be reached" in try_to_start(*start)[1]
    with lock(data):
        assert "Another host is running on" in try_to_start(*start)[1]
    (data / "cluster.pem").chmod(0o644)
    assert "chmod 600" in try_to_start(*start)[1]


@pytest.mark.parametrize("role", ["gateway", "tables"])
def test_a_node_with_another_secret_or_host_key_does_not_start_and_says_so(postgres, empty_database, tmp_path, role):
    async def store_keys():
        async with Database(empty_database) as database:
            await check_keys(database, {Path("cluster.pem"): secret, Path("host_key"): "SHA256:that"})

    data = tmp_path / "data"
    admin(data, "secret")
    secret = Secret(data / "cluster.pem").fingerprint
    asyncio.run(store_keys())
    lines = () if role == "gateway" else ("--lines", "127.0.0.1:0")
    open_to_all = () if role == "tables" else ("--open", "--bind", "127.0.0.1", "--port", "0", "--no-announce")
    start = ("--cluster", empty_database, "--role", role, *lines, *open_to_all, "--data", str(data))
    name = "host_key"
    if role == "tables":
        name = "cluster.pem"
        (data / name).unlink()
        admin(data, "secret")
    status, output = try_to_start(*start)
    assert status == 1
    assert output.startswith(f"boneyard: {data / name} is SHA256:")
    assert output.endswith("; copy it from another node.")


async def test_gateways_of_several_processes_behind_a_proxy_count_together(postgres, empty_database, tmp_path):
    words = ("--workers", "1", "--proxied-by", "127.0.0.0/8", "--limit", "sessions_per_key=1")
    cluster = Cluster(empty_database, tmp_path, tables=(), words=words, begin=begin)
    try:
        await asyncio.to_thread(cluster.start)
        east, west = cluster.gateways.values()
        async with (
            proxy(east.port, block("203.0.113.9")) as port,
            proxy(west.port, block("203.0.113.9")) as other,
            guest(SimpleNamespace(port=port), "ada", tmp_path),
        ):
            assert "  ada  203.0.113.9  SHA256:" in (await asyncio.to_thread(admin_at, east, "guests"))[1]
            (tmp_path / "known ada").unlink()
            with pytest.raises(JoinError, match="Your key already has 1 window open"):
                async with guest(SimpleNamespace(port=other), "ada", tmp_path):
                    pass
    finally:
        await asyncio.to_thread(cluster.stop)
