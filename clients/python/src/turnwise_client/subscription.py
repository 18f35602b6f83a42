"""Notifications for one reader, in order, kept until they are read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from .wire import Notification


class Subscription:
    """An asynchronous iterator. What was delivered before the end can still be read after it; then it raises why."""

    def __init__(self) -> None:
        self._kept: asyncio.Queue[Notification | Exception | None] = asyncio.Queue()
        self._over = False
        self.on_close: Callable[[], None] = lambda: None

    def hear(self, notification: Notification) -> None:
        if not self._over:
            self._kept.put_nowait(notification)

    def fail(self, error: Exception) -> None:
        if not self._over:
            self._over = True
            self._kept.put_nowait(error)

    def close(self) -> None:
        """Nothing more is kept."""
        self._over = True
        self._kept.put_nowait(None)
        self.on_close()

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> Notification:
        if self._over and self._kept.empty():
            raise StopAsyncIteration
        said = await self._kept.get()
        if said is None or isinstance(said, Exception):
            # Whoever else waits here learns that it is over.
            self._kept.put_nowait(None)
        if said is None:
            raise StopAsyncIteration
        if isinstance(said, Exception):
            raise said
        return said
