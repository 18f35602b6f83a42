"""The asynchronous client: it owns a server process, or shares a server that somebody else runs."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Literal

from .errors import RunInProgressError, SdkProtocolError, TransportClosedError, TurnwiseError
from .interval import Interval, RunResult
from .line import Graces, Line, ProcessLine, SocketLine
from .subscription import Subscription
from .transport import Transport
from .wire import PROTOCOL_VERSION, Notification, check

Blocks = Sequence[Mapping[str, Any]]
Observer = Callable[[Notification], None]
ConcurrentRuns = Literal["queue", "reject"]


class AsyncClient:
    """Drives the sessions of a server.

    One of ``command`` (a process of its own, such as ``["turnwise", "serve", "--stdio"]``), ``socket`` (the path of a
    Unix socket) and ``port`` (of 127.0.0.1, with ``token``) says where it is. One ``initialize`` is sent to each
    process; a process that refuses it is ended, and the next start takes a fresh one. After ``close`` nothing is
    started any more.
    """

    def __init__(
        self,
        command: Sequence[str] | None = None,
        *,
        socket: str | None = None,
        port: int | None = None,
        host: str = "127.0.0.1",
        token: str | None = None,
        provider: str,
        model: str,
        max_tokens: int | None = None,
        cwd: str | None = None,
        server_cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        start_timeout: float = 60.0,
        request_timeout: float | None = None,
        concurrent_runs: ConcurrentRuns = "queue",
        graces: Graces = Graces(),
        on_diagnostic: Callable[[str], None] = lambda message: None,
    ) -> None:
        if sum(place is not None for place in (command, socket, port)) != 1:
            raise TurnwiseError("INVALID_OPTION", "expected one of command, socket and port")
        self._command = command
        self._socket = socket
        self._port = port
        self._host = host
        self._server_cwd = server_cwd
        self._env = env
        self._start_timeout = start_timeout
        self._request_timeout = request_timeout
        self._concurrent_runs = concurrent_runs
        self._graces = graces
        self._on_diagnostic = on_diagnostic
        self._asked: dict[str, Any] = {
            "protocolVersion": PROTOCOL_VERSION,
            "cwd": os.getcwd() if cwd is None else cwd,
            "provider": provider,
            "model": model,
        }
        if max_tokens is not None:
            self._asked["maxTokens"] = max_tokens
        if token is not None:
            self._asked["token"] = token
        self._starting: asyncio.Task[Mapping[str, Any]] | None = None
        self._ending: asyncio.Task[None] | None = None
        self._line: Line | None = None
        self._transport: Transport | None = None
        self._failure: Exception | None = None
        self._readers: dict[Subscription | _Watch, str | None] = {}
        self._statuses: dict[str, str] = {}
        self._parents: dict[str, str] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._runs: dict[str, int] = {}
        self._identified = False

    async def start(self) -> Mapping[str, Any]:
        """Starts the process, or connects, and initializes; what is started already is shared."""
        if self._transport is not None and self._transport.failure is not None:
            # Whoever starts in the same tick shares what is started now.
            self._starting = self._transport = None
        return await self._started()

    async def call(
        self, method: str, params: Mapping[str, Any] | None = None, *, timeout: float | None = None
    ) -> Any:
        """Asks the server, and starts it if need be. See docs/json-rpc.md for the methods."""
        await self._started()
        assert self._transport is not None
        limit = self._request_timeout if timeout is None else timeout
        return await self._transport.ask(method, params or {}, limit)

    async def prompt(self, session_id: str, content: str | Blocks, **more: Any) -> str:
        """Sends a prompt. Returns its receipt: the id of the message, and nothing about what becomes of it."""
        params = {"sessionId": session_id, "contentBlocks": _blocks(content), **more}
        return _message_id(await self.call("session/prompt", params))

    async def cancel(self, session_id: str, **options: Any) -> Mapping[str, Any]:
        """Cancels what runs and discards what waits; see session/cancel for ``keepInbox``, ``resume`` and ``turn``."""
        answer: Mapping[str, Any] = await self.call("session/cancel", {"sessionId": session_id, **options})
        return answer

    def subscribe(self, within: str | None = None) -> Subscription:
        """What the server says from now on; about one session and its descendants, or about all."""
        subscription = Subscription()
        subscription.on_close = lambda: self._leave(subscription)
        if self._failure is not None:
            subscription.fail(self._failure)
        else:
            self._readers[subscription] = within
        return subscription

    async def run(
        self,
        session_id: str,
        content: str | Blocks,
        *,
        message_id: str | None = None,
        observer: Observer | None = None,
        timeout: float | None = None,
        concurrent_runs: ConcurrentRuns | None = None,
    ) -> RunResult:
        """Sends a prompt and waits until its session is at rest.

        ``timeout`` (seconds) gives up waiting, not the work. What ``observer`` raises rejects the run; it sees the
        session and its descendants. Two runs on one session do not overlap: the second waits, or is refused with
        RunInProgressError.
        """
        before = self._runs.get(session_id, 0)
        if before > 0 and (concurrent_runs or self._concurrent_runs) == "reject":
            raise RunInProgressError(session_id)
        self._runs[session_id] = before + 1
        lock = self._locks.setdefault(session_id, asyncio.Lock())
        run = asyncio.ensure_future(self._run(lock, session_id, content, message_id, observer))
        run.add_done_callback(lambda _: self._ran(session_id))
        try:
            return await asyncio.wait_for(asyncio.shield(run), timeout)
        except asyncio.TimeoutError:
            if run.done():
                raise
            run.add_done_callback(_look)
            message = f"the run on session {session_id} took longer than {timeout:g} s; the work goes on"
            raise TurnwiseError("RUN_TIMEOUT", message) from None
        except asyncio.CancelledError:
            run.cancel()
            raise

    async def close(self) -> None:
        """Ends the process by rungs (shutdown, end of input, SIGTERM, SIGKILL), or the connection. Can be repeated."""
        if self._ending is None:
            self._ending = asyncio.ensure_future(self._end())
        await asyncio.shield(self._ending)

    async def __aenter__(self) -> AsyncClient:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def _run(
        self,
        lock: asyncio.Lock,
        session_id: str,
        content: str | Blocks,
        message_id: str | None,
        observer: Observer | None,
    ) -> RunResult:
        async with lock:
            await self._started()
            interval = Interval(session_id, self._statuses.get(session_id))
            watch = _Watch(interval, observer)
            # It listens before it sends: the insertion may come before the receipt that names it.
            if self._failure is not None:
                raise self._failure
            self._readers[watch] = session_id
            try:
                more = {} if message_id is None else {"messageId": message_id}
                prompt = asyncio.ensure_future(self.prompt(session_id, content, **more))
                prompt.add_done_callback(watch.receive)
                return await watch.settled
            finally:
                self._leave(watch)

    def _ran(self, session_id: str) -> None:
        self._runs[session_id] -= 1
        if self._runs[session_id] == 0:
            del self._runs[session_id], self._locks[session_id]

    async def _started(self) -> Mapping[str, Any]:
        if self._ending is not None:
            raise _closed()
        if self._starting is None:
            self._starting = asyncio.ensure_future(self._begin())
        return await asyncio.shield(self._starting)

    async def _begin(self) -> Mapping[str, Any]:
        self._failure = None
        self._identified = False
        self._statuses.clear()
        line: Line | None = None
        try:
            line = await self._open()
            if self._ending is not None:
                raise _closed()
            transport = Transport(line.reader, line.writer, self._hear, line.ended, self._diagnose)
            self._line, self._transport = line, transport
            transport.closed.add_done_callback(lambda task: self._lost(transport, task.result()))
            identity = await transport.ask("initialize", self._asked, self._start_timeout)
            if not isinstance(identity, dict) or not isinstance(identity.get("serverInfo"), dict):
                raise SdkProtocolError("expected the identity of a server in the answer to initialize")
            self._identified = True
            return identity
        except BaseException:
            self._line = self._transport = None
            self._starting = None
            if line is not None:
                await line.end(None)
            raise

    async def _open(self) -> Line:
        if self._command is not None:
            return await ProcessLine.start(self._command, self._server_cwd, self._env, self._graces)
        return await SocketLine.open(path=self._socket, host=self._host, port=self._port)

    async def _end(self) -> None:
        if self._starting is not None:
            # An answer to initialize that is still missing is not waited for.
            if self._transport is not None and not self._identified:
                self._transport.fail(_closed())
            await asyncio.wait([self._starting])
        line, transport = self._line, self._transport
        if line is not None and transport is not None:
            await line.end(lambda: transport.ask("shutdown", {}))
            transport.fail(_closed())
            await transport.closed
        self._fail(_closed())

    def _lost(self, transport: Transport, error: TransportClosedError) -> None:
        # A later process is not to blame for an earlier one.
        if self._transport is transport:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._failure = self._failure or error
        for reader in list(self._readers):
            self._leave(reader)
            reader.fail(self._failure)

    def _leave(self, reader: Subscription | _Watch) -> None:
        self._readers.pop(reader, None)

    def _hear(self, notification: Notification) -> None:
        try:
            if not check(notification):
                return
        except SdkProtocolError as error:
            self._diagnose(str(error))
            for reader in self._readers_of(notification):
                self._leave(reader)
                reader.fail(error)
            return
        params = notification.params
        if notification.method == "child.started":
            self._parents[params["child"]] = params["parent"]
        if notification.method == "session.status":
            self._statuses[params["sessionId"]] = params["status"]
        for reader in self._readers_of(notification):
            reader.hear(notification)

    def _diagnose(self, message: str) -> None:
        try:
            self._on_diagnostic(message)
        except Exception:  # noqa: BLE001 -- nobody is left to tell
            pass

    def _readers_of(self, notification: Notification) -> list[Subscription | _Watch]:
        about = notification.session_id
        return [
            reader
            for reader, within in self._readers.items()
            if within is None or about is None or self._is_within(within, about)
        ]

    def _is_within(self, root: str, session_id: str) -> bool:
        seen: set[str] = set()
        at: str | None = session_id
        while at is not None and at not in seen:
            if at == root:
                return True
            seen.add(at)
            at = self._parents.get(at)
        return False


class _Watch:
    """Follows one run until it is over."""

    def __init__(self, interval: Interval, observer: Observer | None) -> None:
        self._interval = interval
        self._observer = observer
        self.settled: asyncio.Future[RunResult] = asyncio.get_running_loop().create_future()

    def hear(self, notification: Notification) -> None:
        if self.settled.done():
            return
        try:
            if self._observer is not None:
                self._observer(notification)
        except Exception as error:  # noqa: BLE001 -- it belongs to whoever runs
            self.fail(error)
            return
        self._follow(lambda: self._interval.hear(notification))
        asyncio.get_running_loop().call_soon(self._settle)

    def fail(self, error: Exception) -> None:
        # What was over before stays so.
        self._settle()
        if not self.settled.done():
            self.settled.set_exception(error)

    def receive(self, receipt: asyncio.Future[str]) -> None:
        error = None if receipt.cancelled() else receipt.exception()
        if isinstance(error, Exception):
            self.fail(error)
        elif not receipt.cancelled():
            self._follow(lambda: self._interval.receive(receipt.result()))
            self._settle()

    def _settle(self) -> None:
        if not self.settled.done():
            self._follow(self._look)

    def _look(self) -> None:
        self._interval.settle()
        result = self._interval.result()
        if result is not None:
            self.settled.set_result(result)

    def _follow(self, step: Callable[[], None]) -> None:
        try:
            step()
        except Exception as error:  # noqa: BLE001 -- checked as far as it was looked at, and wrong further inside
            odd = SdkProtocolError(f"expected events that can be read, but {error!r}")
            odd.__cause__ = error
            if not self.settled.done():
                self.settled.set_exception(odd)


def _blocks(content: str | Blocks) -> Blocks:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _message_id(answer: object) -> str:
    named = answer.get("messageId") if isinstance(answer, dict) else None
    if isinstance(named, str) and named:
        return named
    raise SdkProtocolError("expected a receipt with the id of the message, found none")


def _closed() -> TransportClosedError:
    return TransportClosedError("the client was closed")


def _look(run: asyncio.Future[RunResult]) -> None:
    """Nobody waits for it any more, so what went wrong concerns nobody."""
    if not run.cancelled():
        run.exception()
