"""Avrae's recordings, as in the FIREBALL data set: one JSON document per line.

An automation run, a tree of results, comes before the message that names its action, so it is held until that message
or the end of the command. Everything in between is held with it to preserve the order. The table `RESULTS` in
`avrae_automation` says which function writes which result.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from combatlog.importers.logs.avrae_automation import write_automation
from combatlog.importers.logs.avrae_states import title_of, write_rolls, write_state
from combatlog.importers.logs.fight_writer import END, SAID, FightWriter, LogLine
from combatlog.importers.logs.import_run import LogImport
from combatlog.importers.logs.log_formats import LogFormat, moment, name, records
from ledger.events import EncounterClosed, NoteAbout

Entry = tuple[LogLine, dict[str, Any]]
_MOST_HELD = 8
"""The most lines to hold for the name of an action, which usually comes with the second one."""


class AvraeLog(LogFormat):
    name = "fireball"
    about = "recordings of Avrae, as in the FIREBALL data set (JSON lines)"

    def read(self, path: Path, desk: LogImport) -> None:
        with path.open("rb") as file:
            for number, text in desk.lines(file):
                self._line(desk, number, text)

    def _line(self, desk: LogImport, number: int, text: bytes) -> None:
        line = LogLine(number, blake2b(text.strip(), digest_size=16).hexdigest())
        try:
            data = from_json(text, allow_inf_nan=False)
        except ValueError:
            desk.unread(line, text.decode("utf-8", "replace"), "not JSON")
            return
        fight = data.get("combat_id") if isinstance(data, dict) else None
        if not isinstance(fight, str) or not fight:
            desk.unread(line, text.decode("utf-8", "replace"), "no combat_id")
            return
        at = moment(data.get("timestamp"))
        scribe = desk.fight(fight, f"FIREBALL {fight}", at)
        if scribe is not None:
            arrive(desk, scribe, (line._replace(at=at, by=name(data.get("author_name")) or "system"), data))
            desk.written(scribe)

    def finish(self, desk: LogImport, scribe: FightWriter) -> None:
        _release(desk, scribe)


def arrive(desk: LogImport, scribe: FightWriter, entry: Entry) -> None:
    """Hold a line, or write it."""
    held: list[Entry] = scribe.memory.setdefault("held", [])
    kind = entry[1].get("event_type")
    if held and kind == "automation_run":
        _release(desk, scribe)
    if held or kind == "automation_run":
        held.append(entry)
        if _names_the_action(entry[1]) or len(held) > _MOST_HELD:
            _release(desk, scribe)
    else:
        _write(desk, scribe, entry)


def _names_the_action(data: dict[str, Any]) -> bool:
    return data.get("event_type") in ("command", "combat_end") or title_of(data) is not None


def _release(desk: LogImport, scribe: FightWriter) -> None:
    held: list[Entry] = scribe.memory.get("held") or []
    titles = (title for _, data in held if (title := title_of(data)) is not None)
    scribe.memory["title"] = next(titles, None)
    waiting = list(held)
    held.clear()
    for entry in waiting:
        _write(desk, scribe, entry)


def _write(desk: LogImport, scribe: FightWriter, entry: Entry) -> None:
    kind = entry[1].get("event_type")
    write = WRITERS.get(kind) if isinstance(kind, str) else None
    if write is None:
        desk.unread(entry[0], str(entry[1]), "unknown event_type")
    else:
        write(desk, scribe, *entry)


def _message(desk: LogImport, scribe: FightWriter, line: LogLine, data: dict[str, Any]) -> None:
    """People's messages are commands or speech; the bot's are rolls, or repeat what other lines say in more detail."""
    content = data.get("content")
    if not isinstance(content, str):
        desk.unread(line, str(data), "message without content")
    elif data.get("author_bot") is True:
        write_rolls(scribe, line, content, records(data.get("embeds")))
    elif content.lstrip().startswith("!"):
        scribe.memory["asked"] = data.get("message_id"), content.strip()
    elif content.strip() and scribe.begins(line, SAID):
        scribe.note(NoteAbout.SAID, content)


def _button(desk: LogImport, scribe: FightWriter, line: LogLine, data: dict[str, Any]) -> None:
    scribe.memory["asked"] = data.get("interaction_id"), str(data.get("button_label") or "")


def _end(desk: LogImport, scribe: FightWriter, line: LogLine, data: dict[str, Any]) -> None:
    if not scribe.battle.clock.closed and scribe.begins(line, END):
        scribe.record(EncounterClosed, why="the log says that combat ended")


def _nothing(desk: LogImport, scribe: FightWriter, line: LogLine, data: dict[str, Any]) -> None:
    """Skip a line that only repeats other lines."""


WRITERS: dict[str, Callable[[LogImport, FightWriter, LogLine, dict[str, Any]], None]] = {
    "message": _message,
    "button_press": _button,
    "automation_run": write_automation,
    "combat_state_update": write_state,
    "combat_end": _end,
    "combat_start": _nothing,
    "command": _nothing,
    "alias_resolution": _nothing,
    "snippet_resolution": _nothing,
}


__all__ = ["AvraeLog"]
