"""Opens a list of parts: a host for guests, a node of a cluster, or a solo match.

It imports nothing that a solo match does not need.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import TypeVar

H = TypeVar("H")


@asynccontextmanager
async def open_parts(
    host: H, parts: Sequence[Callable[[H], AbstractAsyncContextManager[None]]]
) -> AsyncIterator[None]:
    """Open the parts in order, and after the block close them in reverse.

    Raises the errors of parts that cannot be opened: of a host HostError, `net.storage.permissions.StoreError`,
    `net.host.metrics.MetricsError` or OSError, with a sentence.
    """
    async with AsyncExitStack() as stack:
        for part in parts:
            await stack.enter_async_context(part(host))
        yield
