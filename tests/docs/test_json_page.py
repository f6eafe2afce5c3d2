"""What docs/json.md says about values in Python: each writes its document, and every document is accounted for."""

from __future__ import annotations

import re
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, get_args

from cli.render.json_schemas import DOCUMENTS
from combatlog import message_reference
from combatlog.messages.message import Message
from ledger.json_shapes import JsonShape
from tests.cases import each

TEXT = (Path(__file__).parents[2] / "docs" / "json.md").read_text("utf-8").partition("## In Python")[2]
ROWS = re.findall(r"^\| (`[^|]*) \| (`[^|]*) \|$", TEXT, re.MULTILINE)
VALUES = [value for _, values in ROWS for value in re.findall(r"`([^`]+)`", values)]
PUT_TOGETHER_BY_COMMANDS = {
    *("read-models", "lake", "lake-written", "lake-compacted", "database", "rows", "tables"),
    *("abilities", "ability", "library-check"),
}
ANSWERED = [kind for kind in message_reference.messages() if hasattr(kind, "answer")]


@each("value", VALUES)
def test_every_value_writes_its_document(value: str) -> None:
    writes = resolve_name(value).to_json
    assert callable(writes)
    assert writes is not JsonShape.to_json


def types_in(answer: Any) -> list[Any]:
    """The type of an answer, or those that it is a list or a union of."""
    return [part for one in get_args(answer) for part in types_in(one)] or [answer]


@each("kind", ANSWERED, ids=lambda kind: kind.called())
def test_what_a_service_answers_with_is_read_again(kind: type[Message]) -> None:
    for answer in types_in(getattr(kind, "answer")):  # noqa: B009
        if hasattr(answer, "to_json") and not issubclass(answer, Message):
            assert hasattr(answer, "from_json") or hasattr(answer, "model_validate"), answer


def test_every_document_is_accounted_for() -> None:
    told = {name for documents, _ in ROWS for name in re.findall(r"`([^`]+)`", documents)}
    plain = set(re.findall(r"`([a-z_-]+)`", TEXT.rpartition("|\n")[2]))
    assert told | plain | PUT_TOGETHER_BY_COMMANDS >= {document.name for document in DOCUMENTS}
