"""How fast events and logs are imported and exported, and a ledger is backed up and restored, and how much memory that
takes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import psycopg

from benchmarks.measure import BenchmarkResult, ProcessCost, empty_ledger, taken_by
from benchmarks.sample_fights import fill, templates
from combatlog.importers.logs.import_logs import import_logs
from combatlog.rules.exchange.importing import import_events
from ledger.exchange.export import export_lines
from ledger.store.ledger import LedgerStore

EXCHANGE_EVENTS = 60_000
EXCHANGE_AIM = 0.25
"""An import takes at most four times as long as the export."""
_EXCHANGE_TURNS = 3


def run_exchange(url: str, seconds: float, events: int = EXCHANGE_EVENTS) -> Iterator[BenchmarkResult]:
    with empty_ledger(url) as source, TemporaryDirectory() as folder:
        file = Path(folder) / "export.jsonl"
        count = fill(source, events, templates())
        turns = [(_export(source, file), _import(url, file)) for _ in range(_EXCHANGE_TURNS)]
    exporting, importing = (median(times) for times in zip(*turns, strict=True))
    yield BenchmarkResult(
        f"import {count:,} events, against exporting them", "events", count / importing, count / exporting, EXCHANGE_AIM
    )


def _export(url: str, file: Path) -> float:
    with LedgerStore.open(url) as ledger, file.open("w", encoding="utf-8") as output:
        start = perf_counter()
        references = [str(listed.encounter) for listed in ledger.list_encounters()]
        output.writelines(f"{line}\n" for line in export_lines(ledger, references))
        output.flush()
        return perf_counter() - start


def _import(url: str, file: Path) -> float:
    with empty_ledger(url) as target, LedgerStore.open(target) as ledger, file.open("rb") as events:
        start = perf_counter()
        import_events(ledger, events)
        return perf_counter() - start


LINES = 100_000
MEASURED = 20_000
"""Lines of the log that speed is measured with; in several turns, that is enough."""
AIM = 0.2
FLAT = 0.9
_TURNS = 3
_ROUNDS = 12
_COPY = "COPY bare_events (originator_id, originator_version, topic, state, hash) FROM STDIN"

_WORK = """
from pathlib import Path
from ledger.store.ledger import LedgerStore
from combatlog.importers.logs.import_logs import import_logs
with LedgerStore.open(sys.argv[1]) as ledger:
    import_logs(ledger, "fireball", [Path(sys.argv[2])])
"""


def run_import_logs(url: str, seconds: float, lines: int = LINES) -> Iterator[BenchmarkResult]:
    with TemporaryDirectory() as folder:
        log = Path(folder) / "log.jsonl"
        count = write_log(log, min(lines, MEASURED))
        turns = [_turn(url, log) for _ in range(_TURNS)]
        ours, bare = (median(times) for times in zip(*turns, strict=True))
        what = f"import {count:,} lines of Avrae, against json.loads and a COPY of the same rows"
        yield BenchmarkResult(what, "lines", count / ours, count / bare, AIM)
        write_log(log, lines // 4)
        few = _memory(url, log)
        write_log(log, lines)
        yield BenchmarkResult(
            "  memory (KiB) of a quarter, against all of it", "", few.kib, _memory(url, log).kib, FLAT
        )


def _memory(url: str, log: Path) -> ProcessCost:
    with empty_ledger(url) as target:
        return taken_by(_WORK, target, str(log))


def _turn(url: str, log: Path) -> tuple[float, float]:
    """The seconds of an import, and of the same without anything that the import adds."""
    with empty_ledger(url) as target, LedgerStore.open(target) as ledger:
        start = perf_counter()
        import_logs(ledger, "fireball", [log])
        ours = perf_counter() - start
        with psycopg.connect(target) as conn:
            return ours, _bare(conn, log)


def _bare(conn: psycopg.Connection[Any], log: Path) -> float:
    rows = conn.execute(
        "SELECT originator_id, originator_version, topic, state, hash FROM combatlog.ledger_events"
    ).fetchall()
    conn.execute(
        "CREATE TABLE bare_events (originator_id uuid, originator_version bigint, topic text, state bytea, hash bytea,"
        " PRIMARY KEY (originator_id, originator_version))"
    )
    conn.commit()
    start = perf_counter()
    with log.open("rb") as file:
        for line in file:
            json.loads(line)
    with conn.transaction(), conn.cursor() as cursor, cursor.copy(_COPY) as stream:
        for row in rows:
            stream.write_row(row)
    return perf_counter() - start


# The log


def write_log(path: Path, lines: int) -> int:
    """Fights of the same kind, one after the other, until there are enough lines. Returns how many there are."""
    written = number = 0
    with path.open("w", encoding="utf-8") as file:
        while written < lines:
            fight = list(_fight(f"1669412158-{number:08}", 1_600_000_000 + 10_000 * number))
            file.writelines(f"{json.dumps(line)}\n" for line in fight)
            written, number = written + len(fight), number + 1
    return written


def _fight(fight: str, began: int) -> Iterator[dict[str, Any]]:
    hp = [30] * 6
    for second, line in enumerate(_lines(hp)):
        yield {"combat_id": fight, "timestamp": began + second + 0.5, **line}


def _lines(hp: list[int]) -> Iterator[dict[str, Any]]:
    yield {"event_type": "combat_start"}
    yield _state(hp, 0, None)
    for turn in range(6 * _ROUNDS):
        actor, number = turn % 6, turn // 6 + 1
        target = (actor + 1 + turn % 3) % 6
        yield _state(hp, number, actor)
        yield _said(
            "Player 3", False, "*They step forward, and the blade comes down in a wide arc, slow and sure.* " * 3
        )
        yield _said("Player 3", False, f"!a longsword -t c{target}")
        natural = turn * 7 % 20 + 1
        damage = turn % 3 + 1 if natural > 9 else None
        hp[target] -= damage or 0
        yield _run(actor, target, natural, damage)
        yield _state(hp, number, actor)
        yield _said("Avrae", True, "", [{"title": f"C{actor} attacks with a Longsword!", "description": "x" * 400}])
        yield {"event_type": "command", "message_id": turn, "content": "!a longsword", "caster": _combatant(actor, hp)}
    yield {"event_type": "combat_end"}


def _said(author: str, bot: bool, content: str, embeds: list[Any] | None = None) -> dict[str, Any]:
    about = {"event_type": "message", "message_id": 7, "author_id": "1", "author_name": author, "author_bot": bot}
    return {**about, "content": content, "embeds": embeds or [], "components": [], "referenced_message_id": None}


def _combatant(place: int, hp: list[int]) -> dict[str, Any]:
    skills = {f"skill{number}": {"value": number, "prof": 1} for number in range(18)}
    health = {"ac": 14, "max_hp": 30, "hp": hp[place], "temp_hp": 0, "init": 20 - place, "type": "monster"}
    effects = [{"name": "Bless", "duration": 10, "effects": {"attack": "1d4"}, "desc": "y" * 120}]
    attacks = [{"name": "Longsword", "automation": [{"type": "target", "effects": []}]}]
    about = {"name": f"C{place}", "id": f"id-{place}", "skills": skills, "attacks": attacks, "effects": effects}
    return {**about, **health}


def _state(hp: list[int], number: int, current: int | None) -> dict[str, Any]:
    data = {"combatants": [_combatant(place, hp) for place in range(6)], "round": number, "current": current}
    summary = "\n".join(f"  {20 - place}: C{place} <{hp[place]}/30 HP> (AC 14)" for place in range(6))
    return {"event_type": "combat_state_update", "data": data, "human_readable": f"```md\n{summary}```"}


def _run(actor: int, target: int, natural: int, damage: int | None) -> dict[str, Any]:
    dealt = {"type": "damage", "damage": damage, "in_crit": None}
    roll = {"total": damage, "result": f"1d3 ({damage}) [slashing] = `{damage}`"}
    attack = {
        "type": "attack",
        "attack_bonus": 5,
        "ac": 14,
        "to_hit_roll": {"total": natural + 5, "result": f"1d20 ({natural}) + 5 = `{natural + 5}`"},
        "did_hit": damage is not None,
        "did_crit": False,
        "children": [{**dealt, "damage_roll": roll}] if damage is not None else [],
    }
    iteration = {"type": "target_iteration", "target_type": "each", "target_id": f"id-{target}", "results": [attack]}
    result = {"type": "root", "children": [{"type": "target", "results": [iteration]}], "is_spell": False}
    hp = [30] * 6
    about = {"event_type": "automation_run", "interaction_id": 7, "automation": [{"type": "target"}]}
    return {**about, "automation_result": result, "caster": _combatant(actor, hp), "targets": [_combatant(target, hp)]}


BACKUP_EVENTS = 100_000
BACKUP_FLAT = 0.9

_BACKUP_WORK = """
from pathlib import Path
from ledger.exchange.backup import restore_backup
from ledger.exchange.backup import back_up
{"backup": back_up, "restore": restore_backup}[sys.argv[1]](sys.argv[2], Path(sys.argv[3]))
"""


def run_backup(url: str, seconds: float, events: int = BACKUP_EVENTS) -> Iterator[BenchmarkResult]:
    fights = templates()
    with empty_ledger(url) as source, TemporaryDirectory() as folder:
        fill(source, events // 4, fights)
        small = _there_and_back(url, source, Path(folder) / "small.jsonl")
        count = fill(source, events - events // 4, fights) + events // 4
        large = _there_and_back(url, source, Path(folder) / "large.jsonl")
        bare = _bare_copy(source)
    for what, few, all_ in zip(("backup", "restore"), small, large, strict=True):
        yield BenchmarkResult(
            f"{what} of {count:,} events, against a COPY", "events", count / all_.seconds, count / bare, 0
        )
        yield BenchmarkResult(
            f"  memory (KiB) of a {what} at a quarter, against all of it", "", few.kib, all_.kib, BACKUP_FLAT
        )


def _there_and_back(url: str, source: str, file: Path) -> tuple[ProcessCost, ProcessCost]:
    with empty_ledger(url) as target:
        return taken_by(_BACKUP_WORK, "backup", source, str(file)), taken_by(_BACKUP_WORK, "restore", target, str(file))


def _bare_copy(url: str) -> float:
    query = "COPY combatlog.ledger_events TO STDOUT (FORMAT BINARY)"
    start = perf_counter()
    with psycopg.connect(url) as conn, conn.cursor() as cursor, cursor.copy(query) as stream:
        for _ in stream:
            pass
    return perf_counter() - start
