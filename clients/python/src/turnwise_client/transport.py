"""Lines to and from a server: requests matched with their answers, notifications handed on in order."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from .errors import RefusedError, RequestTimeoutError, SdkProtocolError, TransportClosedError
from .wire import Notification


class Transport:
    """One connection. When the other side ends, whatever waits is rejected, and so is whatever is asked later."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        hear: Callable[[Notification], None],
        ended: Callable[[], Awaitable[TransportClosedError]],
        diagnose: Callable[[str], None],
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._hear = hear
        self._ended = ended
        self._diagnose = diagnose
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._asked = 0
        self.failure: TransportClosedError | None = None
        self.closed: asyncio.Task[TransportClosedError] = asyncio.ensure_future(self._read())

    @property
    def pending(self) -> int:
        """Requests without an answer."""
        return len(self._waiting)

    async def ask(self, method: str, params: Mapping[str, Any], timeout: float | None = None) -> Any:
        """Asks the server. Raises RefusedError, RequestTimeoutError, TransportClosedError, SdkProtocolError."""
        if self.failure is not None:
            raise self.failure
        ident = self._asked + 1
        body = {"jsonrpc": "2.0", "id": ident, "method": method, "params": params}
        line = json.dumps(body, ensure_ascii=False, allow_nan=False).encode() + b"\n"
        self._asked = ident
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[ident] = answer
        self._writer.write(line)
        try:
            return await asyncio.wait_for(answer, timeout)
        except asyncio.TimeoutError:
            raise RequestTimeoutError(method, timeout or 0) from None
        finally:
            self._waiting.pop(ident, None)

    def fail(self, error: TransportClosedError) -> None:
        """Rejects everything that waits."""
        if self.failure is None:
            self.failure = error
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(self.failure)
        self._waiting.clear()

    async def _read(self) -> TransportClosedError:
        rest: list[bytes] = []
        try:
            while piece := await self._reader.read(65536):
                *lines, last = piece.split(b"\n")
                for line in lines:
                    rest.append(line)
                    self._take(b"".join(rest))
                    rest.clear()
                rest.append(last)
            self._take(b"".join(rest))
        except OSError:
            pass
        error = await self._ended()
        self.fail(error)
        return error

    def _take(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            body = json.loads(line)
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict) or body.get("jsonrpc") != "2.0":
            self._diagnose("a line of the server was passed over")
            return
        if "method" in body:
            self._take_notification(body)
        else:
            self._take_answer(body)

    def _take_notification(self, body: Mapping[str, Any]) -> None:
        params = body.get("params")
        if isinstance(body["method"], str) and "id" not in body:
            self._hear(Notification(body["method"], params if isinstance(params, dict) else {}))

    def _take_answer(self, body: Mapping[str, Any]) -> None:
        ident = body.get("id")
        answer = self._waiting.get(ident) if isinstance(ident, int) else None
        if answer is None or answer.done():
            return
        if "error" not in body:
            answer.set_result(body.get("result"))
            return
        error = body["error"]
        if not isinstance(error, dict) or not isinstance(error.get("code"), int):
            answer.set_exception(SdkProtocolError(f"expected an error of JSON-RPC, found {error!r:.60}"))
            return
        data = error.get("data")
        told = data if isinstance(data, dict) else {}
        answer.set_exception(RefusedError(error["code"], str(error.get("message", "")), told))
