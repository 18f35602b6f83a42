"""What goes wrong between a client and its server. Switch on ``code``, never on messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class TurnwiseError(Exception):
    """Base of every error of this package."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        """Of the table in docs/errors.md, such as ``SESSION_NOT_FOUND``."""


class SdkProtocolError(TurnwiseError):
    """What came over the wire is not what the protocol says. The subscription that needed it is released."""

    def __init__(self, message: str) -> None:
        super().__init__("PROTOCOL_ERROR", message)


class TransportClosedError(TurnwiseError):
    """The process or the connection ended. What was begun may have gone on."""

    def __init__(self, what: str, exit_code: int | None = None, stderr: str = "") -> None:
        how = "" if exit_code is None else f" with exit code {exit_code}"
        said = f"; it said: {stderr.strip()}" if stderr.strip() else ""
        super().__init__("TRANSPORT_CLOSED", f"{what}{how}{said}; what was begun may have gone on")
        self.exit_code = exit_code
        """Of the process, negative for a signal; None for a connection."""
        self.stderr = stderr
        """The end of what the process wrote to standard error."""


class RequestTimeoutError(TurnwiseError):
    """A request was not answered in time. The wait is given up, the work is not."""

    def __init__(self, method: str, timeout: float) -> None:
        super().__init__(
            "REQUEST_TIMEOUT",
            f"{method} was not answered within {timeout:g} s; the wait was given up, the work may go on",
        )
        self.method = method


class RunInProgressError(TurnwiseError):
    """A second run on one session was refused; nothing was sent."""

    def __init__(self, session_id: str) -> None:
        super().__init__("RUN_IN_PROGRESS", f"expected no other run on session {session_id}, found one")


class RefusedError(TurnwiseError):
    """The server refused a request."""

    def __init__(self, rpc_code: int, message: str, data: Mapping[str, Any]) -> None:
        super().__init__(str(data.get("code", "UNKNOWN")), message)
        self.rpc_code = rpc_code
        """Of JSON-RPC, such as -32000."""
        self.data = data
