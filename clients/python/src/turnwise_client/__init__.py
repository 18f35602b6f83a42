"""Drives turnwise agents from Python: a client of ``turnwise serve``, on the standard library alone."""

from .client import AsyncClient
from .errors import (
    RefusedError,
    RequestTimeoutError,
    RunInProgressError,
    SdkProtocolError,
    TransportClosedError,
    TurnwiseError,
)
from .interval import RunResult, TurnEnd
from .subscription import Subscription
from .sync import Client

__all__ = [
    "AsyncClient",
    "Client",
    "RefusedError",
    "RequestTimeoutError",
    "RunInProgressError",
    "RunResult",
    "SdkProtocolError",
    "Subscription",
    "TransportClosedError",
    "TurnEnd",
    "TurnwiseError",
]
