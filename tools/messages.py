"""Writes docs/messages.md: every message of the table, for people who write a program.

python -m tools.messages
python -m tools.messages --check
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from combatlog import message_reference
from combatlog.messages.message import Message
from combatlog.messages.questions import LedgerMessage, LedgerQuestion

PAGE = Path(__file__).parents[1] / "docs" / "messages.md"
HEAD = """# Messages

Whatever a person or a program can say or ask is one value: a message, with its fields. It is the same in Python
(`fight.send(combatlog.Undo(18))`), over HTTP (the body of a request), in a proposal to the table and in the forms of
the page. [python.md](python.md) and [http.md](http.md) say how to send one; `combatlog reference --messages` lists
those of your plug-ins as well.

Made by `python -m tools.messages`; a test fails if a field says nothing about its meaning.
"""


def page(*, with_plugins: bool = False) -> str:
    """The page of this release; with those of the plug-ins that are installed, for their authors."""
    groups: dict[str, list[type[Message]]] = {"Said in a fight": [], "Said to the ledger": [], "Asked": []}
    for kind in message_reference.messages():
        if with_plugins or kind.__module__.startswith("combatlog."):
            groups[_group(kind)].append(kind)
    parts = [HEAD]
    for title, kinds in groups.items():
        parts.append(f"## {title}\n")
        for kind in kinds:
            parts += _message(kind)
    return "\n".join(parts).rstrip() + "\n"


def _group(kind: type[Message]) -> str:
    if issubclass(kind, LedgerQuestion):
        return "Asked"
    return "Said to the ledger" if issubclass(kind, LedgerMessage) else "Said in a fight"


def _message(kind: type[Message]) -> Iterator[str]:
    told = message_reference.described(kind)
    yield f"### `{told['name']}` ({kind.__name__})\n"
    yield " ".join(filter(None, (told["summary"], told["about"]))) + "\n"
    yield f"`{told['method']} {told['address']}`, for a seat that may {told['right']}.\n"
    if fields := message_reference.fields_of(kind):
        yield "| field | takes | meaning |\n|---|---|---|"
        yield from map(_row, fields)
        yield ""
    for example in told["fields"].get("examples", []):
        yield f"```json\n{json.dumps(example)}\n```\n"


def _row(field: message_reference.MessageField) -> str:
    if not field.meaning:
        raise ValueError(f"The field {field.name} has no meaning; give it a description.")
    default = f"default: `{json.dumps(field.default)}`" if field.default else "optional"
    needed = "required" if field.required else default
    such = f", such as `{json.dumps(field.example)}`" if field.example is not None else ""
    return f"| `{field.name}` | {field.takes}; {needed} | {field.meaning}{such} |".replace("|  ", "| ")


def main(arguments: list[str]) -> int:
    text = page()
    if arguments == ["--check"]:
        stale = not PAGE.exists() or PAGE.read_text("utf-8") != text
        sys.stdout.write(f"{PAGE.name} is {'stale: run python -m tools.messages' if stale else 'up to date'}\n")
        return int(stale)
    PAGE.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
