"""The data of a replay page: `replay_document` makes it, for one seat."""

from combatlog.web.document.replay import replay_document

__all__ = ["replay_document"]
