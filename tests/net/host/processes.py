"""The worker processes of a test."""

import os
from pathlib import Path

import pytest

_adopted: set[int] = set()
"""Workers of programs that other tests have killed: this process may have become their parent (`tests.forked`)."""


def workers():
    """Return the process ids of the workers that this test has started."""
    return [pid for pid in _all_workers() if pid not in _adopted]


@pytest.fixture(autouse=True)
def adopted_workers():
    """Record the workers that are there before the test."""
    _adopted.clear()
    _adopted.update(_all_workers())


def _all_workers():
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return [int(child) for child in children if b"net.host.workers" in Path(f"/proc/{child}/cmdline").read_bytes()]
