"""Notifications from the wire, checked as far as this client relies on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .errors import SdkProtocolError

PROTOCOL_VERSION = 1

REASONS = frozenset({"completed", "max-tokens", "blocked", "aborted", "error", "limit", "interrupted"})
STATUSES = frozenset({"idle", "running", "disposed"})


@dataclass(frozen=True)
class Notification:
    """What the server said unasked."""

    method: str
    params: Mapping[str, Any]

    @property
    def session_id(self) -> str | None:
        """Whom it is about: of a child, its parent. None where it does not say."""
        named = self.params.get("sessionId", self.params.get("parent"))
        return named if isinstance(named, str) else None


def _need(value: object, kind: type, path: str) -> Any:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise SdkProtocolError(f"expected {path} to be a {kind.__name__}, found {value!r:.60}")
    return value


def _inserted(data: Mapping[str, Any]) -> None:
    _need(_need(data.get("message"), dict, "message").get("id"), str, "message.id")


def _said(data: Mapping[str, Any]) -> None:
    content = _need(_need(data.get("message"), dict, "message").get("content"), list, "message.content")
    for block in content:
        if _need(block, dict, "message.content[]").get("type") == "text":
            _need(block.get("text"), str, "message.content[].text")


def _discarded(data: Mapping[str, Any]) -> None:
    _need(data.get("ids"), list, "ids")


def _ended(data: Mapping[str, Any]) -> None:
    _need(data.get("turn"), int, "turn")
    kind = _need(data.get("reason"), dict, "reason").get("kind")
    if kind not in REASONS:
        raise SdkProtocolError(f"expected a known reason.kind of turn/end, found {kind!r:.60}")


_EVENTS: Mapping[str, Callable[[Mapping[str, Any]], None]] = {
    "inbox/inserted": _inserted,
    "inbox/discarded": _discarded,
    "assistant/message": _said,
    "turn/end": _ended,
}


def _check_event(params: Mapping[str, Any]) -> None:
    _need(params.get("sessionId"), str, "sessionId")
    event = _need(params.get("event"), dict, "event")
    _need(event.get("seq"), int, "event.seq")
    check = _EVENTS.get(_need(event.get("type"), str, "event.type"))
    data = _need(event.get("data"), dict, "event.data")
    if check is not None:
        check(data)


def _check_status(params: Mapping[str, Any]) -> None:
    _need(params.get("sessionId"), str, "sessionId")
    if params.get("status") not in STATUSES:
        raise SdkProtocolError(f"expected a known status, found {params.get('status')!r:.60}")


def _check_child(params: Mapping[str, Any]) -> None:
    _need(params.get("parent"), str, "parent")
    _need(params.get("child"), str, "child")


_CHECKS: Mapping[str, Callable[[Mapping[str, Any]], None]] = {
    "session.event": _check_event,
    "session.status": _check_status,
    "child.started": _check_child,
    "child.finished": _check_child,
}


def check(notification: Notification) -> bool:
    """Is it a notification of this protocol? Raises SdkProtocolError for a malformed one."""
    rule = _CHECKS.get(notification.method)
    if rule is not None:
        rule(notification.params)
    return rule is not None
