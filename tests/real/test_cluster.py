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
    remaining_files = [file.name for file in folder.iterdir()]
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    assert remaining_files == []


async def run_cluster_script(temporary, *words):
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
        output, _ = await process.communicate()
    return process.returncode, output.decode()


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


async def wait_until_nothing_is_left(folder):
    """Wait until no process is left."""
    await until(lambda: not (list(folder.iterdir()) or processes_in(folder)), interval=0.02)


async def test_a_match_survives_the_death_of_its_table_host_and_its_record_is_verified(temporary):
    status, output = await wait_until_ended(await run_cluster_script(temporary, "check", "--short"))
    assert status == 0, output
    assert "after its host was killed" in output.splitlines()[-1]
    await wait_until_nothing_is_left(temporary)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
async def test_a_check_that_is_interrupted_leaves_nothing_behind(temporary, number):
    process = await run_cluster_script(temporary, "check", "--short")
    await until(lambda: list(temporary.glob("boneyard-cluster-*/east.out")))
    process.send_signal(number)
    status, output = await wait_until_ended(process)
    assert status == (-number if number == signal.SIGKILL else 128 + number), output
    assert "Traceback" not in output
    await wait_until_nothing_is_left(temporary)


async def test_a_cluster_that_is_stopped_leaves_no_process_and_no_file(temporary):
    status, output = await wait_until_ended(await run_cluster_script(temporary, "up"))
    assert status == 0, output
    ports = [line.split()[2] for line in output.splitlines() if "ssh -p" in line]
    assert len(set(ports)) == 2
    for port in ports:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(port))
        assert (await reader.readline()).startswith(b"SSH-2.0-")
        writer.close()
    assert await wait_until_ended(await run_cluster_script(temporary, "up")) == (0, output)

    status, output = await wait_until_ended(await run_cluster_script(temporary, "down"))
    assert (status, output) == (0, "The cluster is down, and nothing of it is left.\n")
    await wait_until_nothing_is_left(temporary)
    assert (await wait_until_ended(await run_cluster_script(temporary, "down")))[1] == "No cluster is up.\n"
