"""A way to a server: a process of one's own, or a socket of one that somebody else runs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from .errors import TransportClosedError

STDERR_TAIL = 2000


@dataclass(frozen=True)
class Graces:
    """Seconds for each rung of the ladder: the answer to shutdown, the end of input, SIGTERM."""

    shutdown: float = 10.0
    input: float = 5.0
    term: float = 5.0


class Line(Protocol):
    """A way to a server, and how it is given up."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def ended(self) -> TransportClosedError: ...

    async def end(self, shutdown: Callable[[], Awaitable[object]] | None) -> None: ...


class ProcessLine:
    """Ends by rungs, each bounded; returns when the process is gone. A process that has exited gets no signal."""

    def __init__(self, process: asyncio.subprocess.Process, graces: Graces) -> None:
        assert process.stdin and process.stdout and process.stderr
        self.reader = process.stdout
        self.writer = process.stdin
        self._process = process
        self._graces = graces
        self._stderr = b""
        self._draining = asyncio.ensure_future(self._drain(process.stderr))

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        cwd: str | None,
        env: Mapping[str, str] | None,
        graces: Graces,
    ) -> ProcessLine:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd, env=env
        )
        return cls(process, graces)

    async def _drain(self, stderr: asyncio.StreamReader) -> None:
        while piece := await stderr.read(4096):
            self._stderr = (self._stderr + piece)[-STDERR_TAIL:]

    async def ended(self) -> TransportClosedError:
        code = await self._process.wait()
        await asyncio.wait([self._draining], timeout=1)
        return TransportClosedError("the server ended", code, self._stderr.decode(errors="replace"))

    async def end(self, shutdown: Callable[[], Awaitable[object]] | None) -> None:
        process = self._process
        if shutdown is not None and process.returncode is None:
            await self._within(self._graces.shutdown, shutdown)
        if self.writer.can_write_eof() and not self.writer.is_closing():
            self.writer.close()
        if await self._gone_within(self._graces.input):
            return
        self._signal(process.terminate)
        if await self._gone_within(self._graces.term):
            return
        self._signal(process.kill)
        await process.wait()

    @staticmethod
    def _signal(send: Callable[[], None]) -> None:
        try:
            send()
        except ProcessLookupError:
            pass  # It went in this very moment.

    async def _gone_within(self, seconds: float) -> bool:
        return await self._within(seconds, self._process.wait)

    @staticmethod
    async def _within(seconds: float, wait: Callable[[], Awaitable[object]]) -> bool:
        try:
            await asyncio.wait_for(wait(), seconds)
        except asyncio.TimeoutError:
            return False
        except Exception:  # noqa: BLE001 -- a refused or cut shutdown is followed by the next rung
            return True
        return True


class SocketLine:
    """The server belongs to somebody else: it is left running."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def open(cls, *, path: str | None, host: str, port: int | None) -> SocketLine:
        if path is not None:
            return cls(*await asyncio.open_unix_connection(path))
        return cls(*await asyncio.open_connection(host, port))

    async def ended(self) -> TransportClosedError:
        self.writer.close()
        return TransportClosedError("the connection to the server ended")

    async def end(self, shutdown: Callable[[], Awaitable[object]] | None) -> None:
        del shutdown
        self.writer.close()
        try:
            await self.writer.wait_closed()
        except OSError:
            pass
