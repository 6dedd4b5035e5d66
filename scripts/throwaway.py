"""Temporary folders, deleted together with the processes in them, for whatever reason their owner ends."""

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
"""Waits for the end of its input, which the system closes when its parent is gone; then deletes everything.

The folder is moved first: a process that has just been started, and can no longer write its id there, does not run.
"""
PID_WRITER = ("sh", "-c", 'echo $$ > "$0.part" && mv "$0.part" "$0" && exec "$@"')
"""The beginning of the command of such a process; the file for its id follows, then its own command."""
END_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""The signals that ask a program to end."""


class ProcessEnded(SystemExit):
    """This program received a signal to end."""


@contextlib.contextmanager
def temporary(prefix: str) -> Iterator[Path]:
    """Create a folder for the length of the block.

    After it, every process whose id is in a file `*.pid` there is killed, and every PostgreSQL server with its data
    there.
    """
    path = Path(tempfile.mkdtemp(prefix=prefix))
    keeper = subprocess.Popen(["sh", "-c", KEEPER, str(path)], stdin=subprocess.PIPE, start_new_session=True)
    try:
        yield path
    finally:
        with ignore_signals():
            keeper.communicate()


def end_in_order() -> None:
    """Turn the signals that end this program into an exception, so that everything is cleaned up."""

    def end(number: int, _frame: object) -> None:
        raise ProcessEnded(128 + number)

    for number in END_SIGNALS:
        signal.signal(number, end)


@contextlib.contextmanager
def ignore_signals() -> Iterator[None]:
    """Ignore further signals to end during a clean-up. Only the main thread can; in others no signal arrives."""
    try:
        handlers = {number: signal.signal(number, signal.SIG_IGN) for number in END_SIGNALS}
    except ValueError:  # another thread receives no signals
        handlers = {}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
