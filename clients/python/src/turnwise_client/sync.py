"""The synchronous client: the asynchronous one, on an event loop in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Mapping
from types import TracebackType
from typing import Any, TypeVar

from .client import AsyncClient, Blocks
from .interval import RunResult

T = TypeVar("T")


class Client:
    """Drives the sessions of a server. Takes what AsyncClient takes; observers are called in the thread of its loop."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self._client = AsyncClient(*args, **options)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="turnwise", daemon=True)
        self._thread.start()
        self._closing = threading.Lock()

    def start(self) -> Mapping[str, Any]:
        """Starts the process, or connects, and initializes."""
        return self._await(self._client.start())

    def call(
        self, method: str, params: Mapping[str, Any] | None = None, *, timeout: float | None = None
    ) -> Any:
        """Asks the server, and starts it if need be."""
        return self._await(self._client.call(method, params, timeout=timeout))

    def prompt(self, session_id: str, content: str | Blocks, **more: Any) -> str:
        """Sends a prompt. Returns its receipt."""
        return self._await(self._client.prompt(session_id, content, **more))

    def cancel(self, session_id: str, **options: Any) -> Mapping[str, Any]:
        """Cancels what runs and discards what waits."""
        return self._await(self._client.cancel(session_id, **options))

    def run(self, session_id: str, content: str | Blocks, **options: Any) -> RunResult:
        """Sends a prompt and waits until its session is at rest. Options are those of AsyncClient.run."""
        return self._await(self._client.run(session_id, content, **options))

    def close(self) -> None:
        """Ends the process, or the connection, and the thread. Can be repeated."""
        with self._closing:
            if self._loop.is_closed():
                return
            self._await(self._client.close())
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def __enter__(self) -> Client:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _await(self, work: Coroutine[Any, Any, T]) -> T:
        if self._loop.is_closed():
            work.close()
            raise RuntimeError("the client was closed")
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()
