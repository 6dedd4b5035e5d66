"""The PostgreSQL to throw away: it answers, starts again after any end, and goes with whoever asked for it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import scripts.postgres
from scripts.postgres import NoPostgres, programs, throwaway
from tests.databases import asked, ordered

ROOT = Path(__file__).parents[1]


def number(connection):
    return connection.fetchval("SELECT n FROM kept")


@pytest.fixture(scope="module")
def server(postgres):
    """A server of this file's own; without `postgres` it would not be skipped."""
    with throwaway(durable=True) as server:
        yield server


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT, signal.SIGKILL])
def test_what_it_keeps_is_there_after_any_end(server, how):
    ordered(server, "DROP TABLE IF EXISTS kept", f"CREATE TABLE kept AS SELECT {how:d} AS n")
    server.stop(how)
    server.start()

    assert asked(server.url(), number) == how


def test_it_listens_on_this_machine_alone_and_wants_a_password(server):
    assert asked(server.url(), lambda db: db.fetchval("SHOW listen_addresses")) == "127.0.0.1"
    with pytest.raises(Exception, match="password authentication failed"):
        asked(server.url().replace(server.password, "guessed"), number)


def test_nothing_of_it_is_left_behind():
    try:
        with throwaway() as server:
            folder = server.folder
            assert folder.exists()
    except NoPostgres as error:
        pytest.skip(str(error))
    assert not folder.exists()


STARTS = "from scripts.postgres import throwaway\nwith throwaway() as s: print(s.folder, s.port, flush=True); input()"


def test_it_ends_even_when_whoever_asked_for_it_is_killed(postgres):
    with subprocess.Popen(
        [sys.executable, "-c", STARTS], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as starter:
        folder, _port = starter.stdout.readline().split()
        pid = int((Path(folder) / "data" / "postmaster.pid").read_text().split()[0])
        starter.kill()

    end = time.monotonic() + 20
    while time.monotonic() < end and (Path(folder).exists() or Path(f"/proc/{pid}").exists()):
        time.sleep(0.05)
    assert not Path(folder).exists()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_without_any_it_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(scripts.postgres, "PLACES", ())
    monkeypatch.setattr(scripts.postgres, "find_spec", lambda _: None)

    with pytest.raises(NoPostgres, match="apt install postgresql"):
        programs()
