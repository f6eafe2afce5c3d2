"""The data of pages, for one seat: `replay_document` has a whole fight, `Chronicle` follows one that goes on."""

from combatlog.web.document.live import Chronicle
from combatlog.web.document.replay import replay_document

__all__ = ["Chronicle", "replay_document"]
