"""Foundry VTT with the dnd5e system: chat messages, and the combats that are still in the world.

The chat does not say which fight a message belongs to, so a session of play is one fight. A combat is deleted when it
is over; each remaining one is a fight of its own, with its combatants and initiative.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import datetime
from html import unescape
from pathlib import Path
from typing import Any

from combatlog.importers.logs.fight_writer import SAID, STATE, FightWriter, LogLine, PlaySessions, joined
from combatlog.importers.logs.foundry_documents import (
    FoundryDocument,
    FoundryRoll,
    documents,
    record_foundry_roll,
    rolls_of,
)
from combatlog.importers.logs.import_run import LogImport
from combatlog.importers.logs.log_formats import LogFormat, moment, name, record, records, slug, whole
from ledger.events import (
    UNRECORDED,
    AttackResolved,
    CheckResolved,
    Event,
    InitiativeEntry,
    InitiativeSet,
    NoteAbout,
    Rolled,
    RoundStarted,
    SaveResolved,
    TurnStarted,
)

_TAG = re.compile(r"<[^<>]{0,2000}>")
_MOST_TARGETS = 100


class FoundryLog(LogFormat):
    name = "foundry"
    about = "Foundry VTT with the system dnd5e: chat and combats (JSON export, .db file, or a world's data folder)"

    def read(self, path: Path, desk: LogImport) -> None:
        sessions = PlaySessions()
        for document in documents(path, desk):
            for data in _listed(document):
                self._document(desk, sessions, document._replace(data=data), _world(path))

    def _document(self, desk: LogImport, sessions: PlaySessions, document: FoundryDocument, world: str) -> None:
        data, number = document.data, document.number
        identity = data.get("_id") if isinstance(data, dict) else None
        if not isinstance(identity, str) or not identity:
            text = document.text or json.dumps(data, default=str)[:4_000]
            desk.unread(LogLine(number, f"{number}:{text[:500]}"), text, "no document")
            return
        if isinstance(data.get("combatants"), list):
            _combat(desk, LogLine(number, identity, id=identity[:40]), data)
            return
        at = _milliseconds(data.get("timestamp"))
        session = sessions.of(at)
        scribe = desk.fight(f"{world} {session}", f"Foundry {world} {session}", at)
        if scribe is not None:
            _message(desk, scribe, LogLine(number, identity, at, _author(data), identity[:40]), data)
            desk.written(scribe)


def _milliseconds(value: Any) -> datetime | None:
    return moment(value / 1000) if isinstance(value, int | float) and abs(value) < 1e15 else None


def _world(path: Path) -> str:
    """The name of a world: of its export, or of the folder around its databases."""
    while path.is_dir() and path.name in ("messages", "combats", "data"):
        path = path.resolve().parent
    return path.stem


def _listed(document: FoundryDocument) -> list[Any]:
    """The documents in an export: a single one, or lists by kind as in `{"messages": [...], "combats": [...]}`."""
    data = document.data
    if isinstance(data, dict) and "_id" not in data and ("messages" in data or "combats" in data):
        return [*_list(data.get("combats")), *_list(data.get("messages"))]
    return [data]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _author(data: dict[str, Any]) -> str:
    return name(record(data.get("speaker")).get("alias")) or name(data.get("author") or data.get("user")) or "system"


# Messages


def _message(desk: LogImport, scribe: FightWriter, line: LogLine, data: dict[str, Any]) -> None:
    rolls = rolls_of(data)
    flags = record(record(data.get("flags")).get("dnd5e"))
    who = name(record(data.get("speaker")).get("alias"))
    if rolls:
        _rolls(desk, scribe, line, data, flags, who, rolls)
        return
    if record(flags.get("item")) or flags.get("messageType") == "usage":
        _usage(scribe, line, data, flags, who)
        return
    text = _text(data.get("content"))
    if text and scribe.begins(line, SAID, joined(scribe, line, who) if scribe.named(who) else "gm"):
        scribe.note(NoteAbout.SAID, text)


def _text(html: Any) -> str:
    return " ".join(unescape(_TAG.sub(" ", html)).split()) if isinstance(html, str) else ""


def _usage(scribe: FightWriter, line: LogLine, data: dict[str, Any], flags: dict[str, Any], who: str | None) -> None:
    """Write the use of an item, a spell or a feature. Its effects are in later messages."""
    actor = joined(scribe, line, who)
    targets = [target for target, _ in _targets(scribe, line, flags)]
    kind = "spell" if record(flags.get("item")).get("type") == "spell" else "feature"
    scribe.begins(line, f"recorded:{kind}:{slug(_called(data, flags))}", actor, targets=targets)


def _called(data: dict[str, Any], flags: dict[str, Any]) -> str:
    """The name of the item that is used, or that the roll is for."""
    item = name(record(record(flags.get("item")).get("data")).get("name"))
    flavor = _text(data.get("flavor")) or _text(data.get("title")) or _text(data.get("content"))[:60]
    return item or name(flavor.partition(" - ")[0]) or "unnamed"


def _targets(scribe: FightWriter, line: LogLine, flags: dict[str, Any]) -> list[tuple[str, int | None]]:
    """The ids of the targets, with their armor class if the message has it."""
    named = [(name(target.get("name")), target) for target in records(flags.get("targets"))[:_MOST_TARGETS]]
    return [(joined(scribe, line, called), whole(target.get("ac"))) for called, target in named if called is not None]


def _rolls(
    desk: LogImport,
    scribe: FightWriter,
    line: LogLine,
    data: dict[str, Any],
    flags: dict[str, Any],
    who: str | None,
    rolls: list[FoundryRoll | None],
) -> None:
    roll_flags = record(flags.get("roll"))
    kind = str(roll_flags.get("type") or "roll")
    roller = joined(scribe, line, who)
    targets = _targets(scribe, line, flags)
    is_attack = kind == "attack"
    action = "recorded:action:attack" if is_attack else f"recorded:roll:{slug(_purpose(kind, roll_flags, data))}"
    weapon = name(_called(data, flags)) if is_attack or kind == "damage" else None
    if not scribe.begins(line, action, roller, targets=[target for target, _ in targets], weapon=weapon):
        return
    for roll in rolls:
        if roll is None:
            desk.incomplete("unreadable roll")
            scribe.note(NoteAbout.INCOMPLETE, json.dumps(data.get("rolls"), default=str), None)
            continue
        rolled = record_foundry_roll(scribe, roller, _purpose(kind, roll_flags, data), roll)
        resolve = _RESOLVERS.get(kind)
        if resolve is not None:
            resolve(scribe, roller, roll, rolled, roll_flags, targets, weapon)


def _purpose(kind: str, roll_flags: dict[str, Any], data: dict[str, Any]) -> str:
    """The purpose of a roll: `attack`, `dex save`, `ste check`."""
    named = (roll_flags.get(field) for field in ("skillId", "skill", "ability", "abilityId"))
    about = next(filter(None, named), None)
    said = slug(str(about)).replace("_", " ") if about else ""
    if kind == "save":
        return f"{said or 'unknown'} save"
    if kind in ("skill", "check", "ability", "tool"):
        return f"{said or kind} check"
    if kind == "roll":
        return slug(_text(data.get("flavor")) or "roll").replace("_", " ")
    return slug(kind).replace("_", " ")


def _attack(
    scribe: FightWriter,
    roller: str,
    roll: FoundryRoll,
    rolled: Rolled,
    roll_flags: dict[str, Any],
    targets: list[tuple[str, int | None]],
    weapon: str | None,
) -> None:
    """Write attacks. Foundry shows hits by comparing with the armor class that it stores with the message."""
    natural = roll.natural
    for target, against in targets:
        if against is None or natural is None:
            continue  # the roll is recorded, but its target number is unknown
        hit = roll.is_critical or (roll.total >= against and not roll.is_fumble)
        scribe.record(
            AttackResolved,
            attacker=roller,
            target=target,
            weapon=weapon,
            hit=hit,
            critical=roll.is_critical,
            roll=natural,
            total=roll.total,
            against=against,
            cause=rolled,
        )


def _save(
    scribe: FightWriter, roller: str, roll: FoundryRoll, rolled: Rolled, roll_flags: dict[str, Any], *_: object
) -> None:
    against = whole(roll.options.get("target"))
    if against is not None:
        success = roll_flags.get("forceSuccess") is True or roll.total >= against
        scribe.record(
            SaveResolved,
            saver=roller,
            save=rolled.purpose.removesuffix(" save"),
            success=success,
            total=roll.total,
            against=against,
            source=UNRECORDED,
            cause=rolled,
        )


def _check(
    scribe: FightWriter, roller: str, roll: FoundryRoll, rolled: Rolled, roll_flags: dict[str, Any], *_: object
) -> None:
    against = whole(roll.options.get("target"))
    if against is not None:
        scribe.record(
            CheckResolved,
            checker=roller,
            check=rolled.purpose.removesuffix(" check"),
            success=roll.total >= against,
            total=roll.total,
            against=against,
            cause=rolled,
        )


_RESOLVERS: dict[str, Callable[..., Event | None]] = {
    "attack": _attack,
    "save": _save,
    **dict.fromkeys(("skill", "check", "ability", "tool"), _check),
}


# Combats


def _combat(desk: LogImport, line: LogLine, data: dict[str, Any]) -> None:
    """Write the participants, their initiative, and the round and turn at the time of the export."""
    at = _milliseconds(record(data.get("_stats")).get("createdTime"))
    scribe = desk.fight(line.key, f"Foundry combat {line.key}", at)
    if scribe is None:
        return
    order = []
    for one in records(data.get("combatants"))[:_MOST_TARGETS]:
        called, initiative = name(one.get("name")), whole(_rounded(one.get("initiative")))
        if called is None:
            continue
        who = joined(scribe, line._replace(key=f"{line.key}:{one.get('_id')}", at=at), called)
        if initiative is not None:
            order.append((initiative, who))
    number = whole(data.get("round")) or 0
    order.sort(key=lambda one: -one[0])
    entries = tuple(InitiativeEntry(combatant=who, value=value) for value, who in order)
    state = f"{line.key}:{number}:{data.get('turn')}:{order}"
    if entries and scribe.begins(line._replace(key=state, at=at), STATE):
        _clock(scribe, entries, number, whole(data.get("turn")))
    desk.written(scribe)


def _rounded(value: Any) -> Any:
    """An initiative without the decimals that break ties."""
    return int(value) if type(value) is float and abs(value) < 10_000 else value


def _clock(scribe: FightWriter, entries: tuple[InitiativeEntry, ...], number: int, turn: int | None) -> None:
    if list(entries) != scribe.battle.clock.order:
        scribe.record(InitiativeSet, order=entries)
    if number > scribe.battle.clock.round:
        scribe.record(RoundStarted, number=number)
    if number and turn is not None and 0 <= turn < len(entries) and scribe.battle.clock.turn != entries[turn].combatant:
        scribe.record(TurnStarted, combatant=entries[turn].combatant)


__all__ = ["FoundryLog"]
