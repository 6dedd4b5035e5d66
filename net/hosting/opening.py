"""Opens what is a list of parts: a host that guests come to, a node of a cluster, or a match alone.

It imports nothing that a match alone could do without.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import TypeVar

H = TypeVar("H")


@asynccontextmanager
async def open_parts(
    host: H, parts: Sequence[Callable[[H], AbstractAsyncContextManager[None]]]
) -> AsyncIterator[None]:
    """Open the parts in order, and after the block close what is open in reverse.

    Raises what the parts raise when they cannot be opened: of a host HostError,
    `net.storage.permissions.StoreError`, `net.host.metrics.MetricsError` or OSError, with a sentence.
    """
    async with AsyncExitStack() as stack:
        for part in parts:
            await stack.enter_async_context(part(host))
        yield
