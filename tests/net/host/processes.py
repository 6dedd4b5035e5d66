"""The worker processes of a test."""

from anyio import to_process


def workers():
    """Their process ids."""
    return [process.pid for process in to_process._process_pool_workers.get(set())]
