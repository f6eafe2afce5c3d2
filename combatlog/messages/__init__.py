"""Messages: everything that a person or a program can say or ask, as frozen models."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_MODULES = ("fight_questions", "commands", "questions", "ledger_commands", "corrections", "requests")
"""Those that need the rules come last."""


def made(kind: str, /, **fields: Any) -> Any:
    """A message by the name of its class, from Python values. Its module is loaded when it is first needed."""
    for module in _MODULES:
        if (found := getattr(import_module(f"combatlog.messages.{module}"), kind, None)) is not None:
            return found.of(**fields)
    raise LookupError(kind)
