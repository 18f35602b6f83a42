"""The interval of one run: from the insertion of its message to quiescence.

Nothing of the result is attributed to the message: it may be replaced, removed, blocked or cut.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .wire import Notification

Event = Mapping[str, Any]
NUMBERS = (
    "inputTokens",
    "outputTokens",
    "totalTokens",
    "reasoningTokens",
    "cacheReadTokens",
    "cacheWriteTokens",
)


@dataclass(frozen=True)
class TurnEnd:
    """A turn that ended in the interval."""

    turn: int
    reason: Mapping[str, Any]
    """``kind`` says how; the other fields depend on it."""


@dataclass(frozen=True)
class RunResult:
    """What happened between the insertion of a message and quiescence."""

    session_id: str
    message_id: str
    final_response: str
    """Last non-empty text that the model committed; empty if there is none."""
    events: Sequence[Event]
    turns: Sequence[TurnEnd]
    usage: Mapping[str, int]
    """Sum over all attempts of the interval."""

    @property
    def last_turn_reason(self) -> Mapping[str, Any] | None:
        """Why the last turn of the interval ended; None where no turn did."""
        return self.turns[-1].reason if self.turns else None


class Interval:
    """Collects what is heard, also before the receipt says which message it is about."""

    def __init__(self, session_id: str, status: str | None) -> None:
        self._session_id = session_id
        self._status = status
        self._events: list[Event] = []
        self._rests: list[int] = []
        self._resting: int | None = None
        self._message_id: str | None = None

    def receive(self, message_id: str) -> None:
        """The message that starts it."""
        self._message_id = message_id

    def hear(self, notification: Notification) -> None:
        if notification.params.get("sessionId") != self._session_id:
            return
        if notification.method == "session.event":
            self._events.append(notification.params["event"])
        elif notification.method == "session.status":
            self._status = notification.params["status"]
            self._resting = None if self._status == "running" else len(self._events)

    def settle(self) -> None:
        """What came together has been heard: an idle among it that still holds is a rest."""
        if self._resting is not None:
            self._rests.append(self._resting)
            self._resting = None

    def result(self) -> RunResult | None:
        """What happened, once it is over."""
        start = self._start()
        if self._message_id is None or start is None:
            return None
        for length in self._rests:
            if length > start:
                return self._result(self._message_id, self._events[start:length])
        # It was dropped before anybody began with it: nothing will come to rest because of it.
        if self._status != "running" and self._dropped(start):
            return self._result(self._message_id, self._events[start:])
        return None

    def _start(self) -> int | None:
        for index, event in enumerate(self._events):
            if event["type"] == "inbox/inserted" and event["data"]["message"]["id"] == self._message_id:
                return index
        return None

    def _dropped(self, start: int) -> bool:
        return any(
            event["type"] == "inbox/discarded" and self._message_id in event["data"].get("ids", ())
            for event in self._events[start:]
        )

    def _result(self, message_id: str, events: Sequence[Event]) -> RunResult:
        turns = [
            TurnEnd(event["data"]["turn"], event["data"]["reason"])
            for event in events
            if event["type"] == "turn/end"
        ]
        return RunResult(
            session_id=self._session_id,
            message_id=message_id,
            final_response=_final_response(events),
            events=tuple(events),
            turns=tuple(turns),
            usage=_usage(events),
        )


def _final_response(events: Sequence[Event]) -> str:
    for event in reversed(events):
        if event["type"] == "assistant/message":
            blocks = event["data"]["message"]["content"]
            text = "".join(block.get("text", "") for block in blocks if block.get("type") == "text")
            if text:
                return text
    return ""


def _usage(events: Sequence[Event]) -> Mapping[str, int]:
    """An attempt is booked once: by its message, by its failure, or by the end of a step that cut it."""
    total: dict[str, int] = {}
    reported: dict[tuple[int, int], dict[str, int]] = {}
    for event in events:
        data = event["data"]
        at = (data.get("turn"), data.get("step"))
        chunk = data.get("chunk", {}) if event["type"] == "assistant/chunk" else {}
        if chunk.get("kind") == "usage":
            reported.setdefault(at, {}).update(chunk["usage"])
        if event["type"] in ("assistant/message", "request/failed", "step/end"):
            streamed = reported.pop(at, {})
            for name, more in (data.get("usage") or streamed).items():
                if name in NUMBERS:
                    total[name] = total.get(name, 0) + more
    return total
