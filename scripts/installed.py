"""The package `boneyard_dominoes` of the wheel: it holds Boneyard's own packages, and makes them importable."""

import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # first, because another package might be named `core`


def main() -> None:
    """Run the command `boneyard`."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C during the imports just ends the process
    from tui.cli.main import main as boneyard  # noqa: PLC0415 - they can be imported since the line above

    boneyard()
