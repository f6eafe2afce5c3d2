"""Answers as JSON: written by the service and the command line, and read by the remote client."""

from __future__ import annotations

from typing import Any

from rules.engine.validation import adapter


def written(answer: Any) -> Any:
    """What Python gives, as a document."""
    kind: Any = type(answer)
    return adapter(kind).dump_python(answer, mode="json")
