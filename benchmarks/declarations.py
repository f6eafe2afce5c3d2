"""How fast a declaration is decided, recorded, folded and resolved again after a correction."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from time import perf_counter, process_time
from uuid import uuid4

import psycopg

from benchmarks.measure import BenchmarkResult, compare
from benchmarks.sample_fights import STRIKE, TIRELESS, open_duel
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.corrections import undo
from combatlog.rules.engine.corrections.plan import Plan
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.verification.verify import verify
from ledger.events import Event
from ledger.registry import encode
from ledger.store.ledger import LedgerStore, encounter_id

DECLARE_AIM = 0.6
_PER_ENCOUNTER = 50
"""Strikes before another encounter is taken, as in fights of some length."""
_DECLARE_ENCOUNTERS = 40
"""For each second: more than can be used up. They are opened before, since opening is no strike."""

_COPY = "COPY bare_events (originator_id, originator_version, topic, state, hash) FROM STDIN"


def run_declare(url: str, seconds: float) -> Iterator[BenchmarkResult]:
    with LedgerStore.open(url) as ledger, psycopg.connect(url, autocommit=True) as conn:
        referee = Referee(ledger)
        name = open_duel(referee)
        first = referee.declare(name, STRIKE).events
        rows = ledger.recorder.select_rows(first[0].encounter, after=first[0].seq - 1)
        conn.execute("DROP TABLE IF EXISTS bare_events")
        conn.execute("CREATE TABLE bare_events (LIKE combatlog.ledger_events INCLUDING ALL)")

        fights = iter([open_duel(referee) for _ in range(int(_DECLARE_ENCOUNTERS * seconds) + 1)])

        def declare() -> int:
            encounter = next(fights)
            for _ in range(_PER_ENCOUNTER):
                referee.declare(encounter, STRIKE)
            return _PER_ENCOUNTER

        def copy() -> int:
            encounter = uuid4()
            for number in range(_PER_ENCOUNTER):
                with conn.transaction(), conn.cursor() as cursor, cursor.copy(_COPY) as stream:
                    for place, row in enumerate(rows):
                        stream.write_row((encounter, number * 100 + place + 1, row.name, row.state, row.hash))
            return _PER_ENCOUNTER

        ours, bare = compare(declare, copy, seconds)
        conn.execute("DROP TABLE bare_events")
    what = f"declare a strike with Protection ({len(rows)} events)"
    yield BenchmarkResult(what, "declarations", ours, bare, DECLARE_AIM)


STRIKES_AIM = 0.35
_STRIKES_IN_A_FIGHT = 150
_SAMPLE = 5
"""Fights whose events are built again: one may have more hits than the next, and a hit has more events than a miss."""
_FIGHTS = 60
"""For each second: more than can be used up. They are opened before, since opening is no strike."""


def run_strikes(url: str, seconds: float) -> Iterator[BenchmarkResult]:
    events = [event for _ in range(_SAMPLE) for event in _strike(_ready())]
    fields = [(type(event), event.model_dump()) for event in events]
    fights = [_ready() for _ in range(int(_FIGHTS * seconds) + 2)]
    gc.freeze()  # what was made ready is not garbage; what a strike leaves behind is collected on its account

    def decide() -> int:
        _strike(fights.pop())
        return _STRIKES_IN_A_FIGHT

    def build() -> int:
        for kind, payload in fields:
            encode(kind(**payload))
        return _SAMPLE * _STRIKES_IN_A_FIGHT

    ours, bare = compare(decide, build, seconds, process_time)
    gc.unfreeze()
    yield BenchmarkResult(
        f"strikes in memory, {len(events) / (_SAMPLE * _STRIKES_IN_A_FIGHT):.0f} events each",
        "strikes",
        ours,
        bare,
        STRIKES_AIM,
    )


def _strike(fight: FightEngine) -> Sequence[Event]:
    return [event for _ in range(_STRIKES_IN_A_FIGHT) for event in fight.declare(STRIKE)]


def _ready() -> FightEngine:
    """A goblin next to a fighter, with attacks and hit points that do not run out."""
    fight = FightEngine.open(Opening(name="strikes"))  # with random dice, as most fights
    sheets = rulesets.find("dnd5e")
    for sheet, name, side, place in (("goblin", "Snig", "foes", (2, 1)), ("fighter", "Rurik", "heroes", (1, 1))):
        known = {"sheet": sheets.sheet(sheet), "name": name, "side": side, "position": place}
        options = {**known, "overrides": {"hp": 1000}}
        fight.declare(Declaration(actor="gm", action="core:time:join", options=options))
    fight.declare(Declaration(actor="gm", action="core:time:start"), dice=[20, 1])
    fight.declare(TIRELESS)
    return fight


FOLD_AIM = 0.4
_FOLD_ENCOUNTERS = 10
_STRIKES_TO_FOLD = 100

_SELECT = "SELECT * FROM combatlog.ledger_events WHERE originator_id = %s ORDER BY originator_version"


def run_fold(url: str, seconds: float) -> Iterator[BenchmarkResult]:
    with LedgerStore.open(url) as ledger, psycopg.connect(url, autocommit=True) as conn:
        referee = Referee(ledger)
        names = [_long_fight(referee) for _ in range(_FOLD_ENCOUNTERS)]
        encounters = [encounter_id(name) for name in names]

        def fold() -> int:
            return sum(referee.battle(encounter).seq for encounter in names)

        def select() -> int:
            return sum(len(conn.execute(_SELECT, (encounter,)).fetchall()) for encounter in encounters)

        def select_binary() -> int:
            return sum(len(ledger.recorder.select_rows(encounter)) for encounter in encounters)

        ours, bare = compare(fold, select, seconds)
        _, binary = compare(fold, select_binary, seconds / 2)
        per_fight = select() // _FOLD_ENCOUNTERS
    yield BenchmarkResult(f"fold fights of {per_fight} events", "events", ours, bare, FOLD_AIM)
    yield BenchmarkResult("  the same against a SELECT in binary of what is needed only", "events", ours, binary, 0)


def _long_fight(referee: Referee) -> str:
    name = open_duel(referee)
    for _ in range(_STRIKES_TO_FOLD):
        referee.declare(name, STRIKE)
    return name


REBASE_AIM = 0.5
_NOTE = Declaration(actor="gm", action="core:ruling:rule", options={"note": "taken back later", "reason": "benchmark"})


def run_rebase(url: str, seconds: float) -> Iterator[BenchmarkResult]:
    with LedgerStore.open(url) as ledger:
        short, _ = _costs(ledger, 250)
        correction, verification = _costs(ledger, 1000)
    what = "correct a fight of 1000 declarations, against verifying it"
    yield BenchmarkResult(what, "corrections", 1 / correction, 1 / verification, REBASE_AIM)
    yield BenchmarkResult(
        "  four times the declarations, against four times the time", "", 1 / correction, 1 / (4 * short), 0
    )


def _costs(ledger: LedgerStore, strikes: int) -> tuple[float, float]:
    """Seconds for a correction and for a verification of a fight with so many strikes; the best of three each."""
    corrections, verifications = [], []
    for _ in range(3):
        referee = Referee(ledger)
        name = open_duel(referee)
        noted = referee.declare(name, _NOTE).events[0].seq
        for _ in range(strikes):
            referee.declare(name, STRIKE)
        start = perf_counter()
        assert verify(ledger, name).findings == []
        verifications.append(perf_counter() - start)
        start = perf_counter()
        _take_back(Referee(ledger), name, noted)
        corrections.append(perf_counter() - start)
    return min(corrections), min(verifications)


def _take_back(referee: Referee, name: str, seq: int) -> None:
    def make(fight: FightEngine) -> Plan:
        return undo.plan_undo(fight, {seq}, by="gm", reason="benchmark")

    referee.apply(referee.plan(name, make))
