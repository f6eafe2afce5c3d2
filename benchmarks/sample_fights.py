"""The fights that are measured: one duel that goes on and on, and a large ledger of copied simulated fights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import cycle
from typing import NamedTuple
from uuid import UUID, uuid4

import psycopg

from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.resolution.referee import Referee
from ledger.events import EncounterOpened, Event
from ledger.registry import GENESIS, chained_hash, encode
from ledger.store.ledger import encounter_id

_ENOUGH = 1_000_000
STRIKE = Declaration(actor="snig", action="strike", targets=("rurik",))
READY = Declaration(
    actor="gm",
    action="core:ruling:rule",
    targets=("osric",),
    options={"set": {"reaction": _ENOUGH}, "reason": "so that Protection can be used again"},
)
TIRELESS = Declaration(
    actor="gm",
    action="core:ruling:rule",
    targets=("snig",),
    options={"set": {"attacks": _ENOUGH}, "reason": "so that there is always another strike"},
)


def open_duel(referee: Referee) -> str:
    """A new encounter where it is the goblin's turn, with attacks and reactions that do not run out."""
    name = f"duel {uuid4()}"
    sheets = rulesets.find("dnd5e")
    referee.open(Opening(name=name, dice="seed:1"))
    for sheet, who, side, place, more in (
        ("goblin", "Snig", "foes", (2, 1), {}),
        ("fighter", "Rurik", "heroes", (1, 1), {"overrides": {"hp": 1000, "ac": 30}}),
        ("paladin", "Osric", "heroes", (1, 2), {"policies": {"protection": "always"}}),
    ):
        options = {"sheet": sheets.sheet(sheet), "name": who, "side": side, "position": place, **more}
        referee.declare(name, Declaration(actor="gm", action="core:time:join", options=options))
    referee.declare(name, Declaration(actor="gm", action="core:time:start"), dice=[20, 2, 1])
    referee.declare(name, TIRELESS)
    referee.declare(name, READY)
    return name


_TEMPLATES = 20
_ROUNDS = 6
_PEOPLE: tuple[tuple[str, str, str, tuple[int, int], str, dict[str, object]], ...] = (
    ("goblin", "Snig", "foes", (2, 1), "rurik", {}),
    ("fighter", "Rurik", "heroes", (1, 1), "snig", {}),
    ("paladin", "Osric", "heroes", (1, 2), "snig", {"policies": {"protection": "always"}}),
)
_COLUMNS = "originator_id, originator_version, topic, state, hash"
_COPY = f"COPY combatlog.ledger_events ({_COLUMNS}) FROM STDIN WITH (FORMAT BINARY)"
STORED = f"SELECT {_COLUMNS} FROM combatlog.ledger_events ORDER BY notification_id"


StoredRow = tuple[UUID, int, str, bytes, bytes]


class Template(NamedTuple):
    """A fight as bytes: its id and its name are replaced for every copy."""

    name: str
    encounter: UUID
    rows: list[tuple[str, bytes]]


def templates(count: int = _TEMPLATES) -> list[Template]:
    """Fights that differ by what was rolled."""
    return [_template(_fight(seed).events) for seed in range(count)]


def fill(url: str, events: int, fights: list[Template]) -> int:
    """At least so many more events in the ledger; how many it were."""

    def rows() -> Iterator[StoredRow]:
        added, in_turn = 0, cycle(fights)
        while added < events:
            one = list(copy_of(next(in_turn)))
            added += len(one)
            yield from one

    added = record(url, rows())
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("VACUUM ANALYZE combatlog.ledger_events")
    return added


def record(url: str, rows: Iterable[StoredRow]) -> int:
    """Put rows into the ledger in this order; how many it were."""
    count = 0
    with psycopg.connect(url) as conn, conn.cursor() as cursor, cursor.copy(_COPY) as stream:
        stream.set_types(["uuid", "int8", "text", "bytea", "bytea"])
        for row in rows:
            stream.write_row(row)
            count += 1
    return count


def copy_of(fight: Template) -> Iterator[StoredRow]:
    """The rows of a fight under a name of its own."""
    name = f"{fight.name} {uuid4()}"
    encounter, head = encounter_id(name), GENESIS
    old, new = str(fight.encounter).encode(), str(encounter).encode()
    for seq, (topic, state) in enumerate(fight.rows, 1):
        state = state.replace(old, new)
        if seq == 1:
            state = state.replace(fight.name.encode(), name.encode())
        head = chained_hash(head, encounter, seq, topic, state)
        yield encounter, seq, topic, state, head


def _template(events: list[Event]) -> Template:
    opened = events[0]
    assert isinstance(opened, EncounterOpened)
    return Template(opened.name, opened.encounter, [encode(event) for event in events])


def _fight(seed: int) -> FightEngine:
    """Rounds in which everybody attacks; nobody falls."""
    sheets = rulesets.find("dnd5e")
    fight = FightEngine.open(
        Opening(name=f"fight of seed {seed}", dice=f"seed:{seed}", options={"campaign": str(seed % 4)})
    )
    for sheet, name, side, place, _, more in _PEOPLE:
        known = {"sheet": sheets.sheet(sheet), "name": name, "side": side, "position": place}
        options = {**known, "overrides": {"hp": 500}, **more}
        fight.declare(Declaration(actor="gm", action="core:time:join", options=options))
    fight.declare(Declaration(actor="gm", action="core:time:start"))
    for _ in range(_ROUNDS * len(_PEOPLE)):
        _turn(fight)
    return fight


def _turn(fight: FightEngine) -> None:
    actor = fight.battle.clock.turn or ""
    target = next(target for _, name, _, _, target, _ in _PEOPLE if name.lower() == actor)
    fight.declare(Declaration(actor=actor, action="attack"))
    fight.declare(Declaration(actor=actor, action="strike", targets=(target,)))
    fight.declare(Declaration(actor=actor, action="core:time:end-turn"))
