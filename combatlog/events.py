"""The event vocabulary. docs/events.md describes every kind."""

from ledger.events import *  # noqa: F403
from ledger.events import __all__ as __all__
