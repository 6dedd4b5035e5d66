"""Folders to throw away, together with the processes in them, however the process that asked for one ends."""

import contextlib
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

KEEPER = """
read -r _ || true
gone=$0.gone
mv "$0" "$gone"
for _ in $(seq 100); do
    for note in "$gone"/*.pid "$gone"/data/postmaster.pid; do
        [ -e "$note" ] || continue
        how=KILL
        case "$note" in */postmaster.pid) how=QUIT ;; esac
        kill -$how "$(head -n 1 "$note")" 2>/dev/null
    done
    rm -rf "$gone" 2>/dev/null && break
    sleep 0.2
done
"""
"""Waits until its input ends, which the system sees to when whoever started it is gone; then throws all away.

The folder is moved first: a process that has just been started, and cannot note its id there any more, does not run.
"""
NOTED = ("sh", "-c", 'echo $$ > "$0.part" && mv "$0.part" "$0" && exec "$@"')
"""The beginning of the command of such a process; the file for its id follows, then its own command."""
ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What asks a program to end."""


class ProcessEnded(SystemExit):
    """Somebody asked this program to end."""


@contextlib.contextmanager
def temporary(prefix: str) -> Iterator[Path]:
    """Have a folder for the length of the block.

    After it, every process goes whose id is noted there in a file `*.pid`, and every PostgreSQL with its data there.
    """
    path = Path(tempfile.mkdtemp(prefix=prefix))
    keeper = subprocess.Popen(["sh", "-c", KEEPER, str(path)], stdin=subprocess.PIPE, start_new_session=True)
    try:
        yield path
    finally:
        with unhurried():
            keeper.communicate()


def end_in_order() -> None:
    """Have whatever asks this program to end unwind it, so that everything is put away."""

    def end(number: int, _frame: object) -> None:
        raise ProcessEnded(128 + number)

    for number in ENDS:
        signal.signal(number, end)


@contextlib.contextmanager
def unhurried() -> Iterator[None]:
    """Put things away without being interrupted by one who asks again; this must be the main thread, or none asks."""
    try:
        before = {number: signal.signal(number, signal.SIG_IGN) for number in ENDS}
    except ValueError:  # another thread hears no signals
        before = {}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
