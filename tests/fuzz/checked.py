"""The check of the fuzz targets, and their event loop."""

import asyncio

from tests.faults import FailureLog


class Fault(AssertionError):  # noqa: N818 - it is one
    """An invariant of a target is violated."""


def check(holds: object, words: str) -> None:
    """Raise `Fault` unless a condition holds."""
    if not holds:
        raise Fault(words)


_loop: asyncio.AbstractEventLoop | None = None


def run(coroutine):
    """Run a coroutine on one loop for all inputs: making a loop costs more than most inputs."""
    global _loop  # noqa: PLW0603
    _loop = _loop or asyncio.new_event_loop()
    with FailureLog() as failures:
        result = _loop.run_until_complete(coroutine)
    failures.check()
    return result


def close_loop() -> None:
    """Close that loop, if there is one."""
    global _loop  # noqa: PLW0603
    if _loop is not None:
        _loop.close()
        _loop = None
        asyncio.set_event_loop(None)
