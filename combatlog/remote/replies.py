"""Answers given in advance, as a service takes them: it knows by itself who answers, and what they see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from combatlog.base import listed_replies

if TYPE_CHECKING:
    from combatlog.base import Replies


def sent_replies(replies: Replies) -> list[dict[str, Any]]:
    return [reply.model_dump(mode="json", exclude={"by", "as_seen"}) for reply in listed_replies(replies)]
