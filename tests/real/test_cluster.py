"""`scripts/cluster`: a whole cluster on one machine, which ends without a trace, however it is ended."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from tests.databases import need_postgres
from tests.ptys import TIMEOUT
from tests.waiting import until

ROOT = Path(__file__).parents[2]


@pytest.fixture
def temporary(tmp_path):
    """Return a place for temporary files; PostgreSQL runs as a user who may not look into ours."""
    need_postgres()
    folder = Path(f"/tmp/by-{os.getpid()}-{tmp_path.name[-8:]}")
    folder.mkdir(mode=0o755)
    yield folder
    left = [file.name for file in folder.iterdir()]
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    assert left == []


async def cluster(temporary, *words):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)}
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "scripts/cluster.py", *words),
        env=environment,
        cwd=ROOT,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )


async def wait_until_ended(process):
    """Return the exit status and the output of a process."""
    async with asyncio.timeout(4 * TIMEOUT):
        said, _ = await process.communicate()
    return process.returncode, said.decode()


def processes_in(folder):
    """Return the processes with this folder in their command or environment."""
    running = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            described = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
        except OSError:
            continue
        if str(folder).encode() in described:
            running.append(described.replace(b"\0", b" ").decode(errors="replace")[:200])
    return running


async def gone(folder):
    """Wait until no process is left."""
    await until(lambda: not (list(folder.iterdir()) or processes_in(folder)), interval=0.02)


async def test_a_match_survives_the_death_of_its_table_host_and_its_record_is_verified(temporary):
    status, said = await wait_until_ended(await cluster(temporary, "check", "--short"))
    assert status == 0, said
    assert "after its host was killed" in said.splitlines()[-1]
    await gone(temporary)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
async def test_a_check_that_is_interrupted_leaves_nothing_behind(temporary, number):
    process = await cluster(temporary, "check", "--short")
    await until(lambda: list(temporary.glob("boneyard-cluster-*/east.out")))
    process.send_signal(number)
    status, said = await wait_until_ended(process)
    assert status == (-number if number == signal.SIGKILL else 128 + number), said
    assert "Traceback" not in said
    await gone(temporary)


async def test_a_cluster_that_is_stopped_leaves_no_process_and_no_file(temporary):
    status, said = await wait_until_ended(await cluster(temporary, "up"))
    assert status == 0, said
    ports = [line.split()[2] for line in said.splitlines() if "ssh -p" in line]
    assert len(set(ports)) == 2
    for port in ports:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(port))
        assert (await reader.readline()).startswith(b"SSH-2.0-")
        writer.close()
    assert await wait_until_ended(await cluster(temporary, "up")) == (0, said)

    status, said = await wait_until_ended(await cluster(temporary, "down"))
    assert (status, said) == (0, "The cluster is down, and nothing of it is left.\n")
    await gone(temporary)
    assert (await wait_until_ended(await cluster(temporary, "down")))[1] == "No cluster is up.\n"
