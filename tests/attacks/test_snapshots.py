"""States that are kept are a cache: they change nothing but time, whoever deletes, spoils or forges them."""

from __future__ import annotations

from random import Random
from uuid import UUID, uuid4

import psycopg
import pytest

from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.corrections import undo
from combatlog.rules.engine.resolution import session_cache
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.verification.verify import verify
from ledger.errors import Problem
from ledger.store.ledger import LedgerStore
from projections.battle.fold import Battle, fold
from projections.battle.snapshots import battle_to_bytes, read_battle
from tests.attacks.bridge import END_TURN, NAME, NOTE, begin
from tests.randomplay import declaration, plan_undo_passing


@pytest.fixture(autouse=True)
def kept_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_cache, "SPAN", 6)


@pytest.fixture
def fight(ledger: LedgerStore) -> str:
    """A fight of some rounds, with a command from a new process each time."""
    begin(Referee(ledger))
    for number in range(12):
        turn = ("snig", "rurik", "osric")[number // 2 % 3]
        Referee(ledger).declare(NAME, Declaration(actor=turn, action=END_TURN) if number % 2 else NOTE)
    return NAME


def kept(database: str) -> list[int]:
    with psycopg.connect(database) as conn:
        return [row[0] for row in conn.execute("SELECT seq FROM combatlog.snapshots ORDER BY seq").fetchall()]


def change(database: str, statement: str, *values: object) -> None:
    with psycopg.connect(database) as conn:
        assert conn.execute(statement, values).rowcount > 0  # type: ignore[arg-type]


def is_recorded(battle: Battle, ledger: LedgerStore) -> bool:
    return battle_to_bytes(battle) == battle_to_bytes(fold(ledger.find(NAME).events))


def test_the_latest_two_are_kept(ledger: LedgerStore, database: str, fight: str) -> None:
    last = ledger.find(NAME).events[-1].seq
    assert len(kept(database)) == 2
    assert last - kept(database)[-1] < 12


def test_a_state_is_the_same_with_and_without_them(ledger: LedgerStore, database: str, fight: str) -> None:
    with_them = read_battle(ledger, NAME)
    assert is_recorded(with_them, ledger)
    change(database, "DELETE FROM combatlog.snapshots")
    assert battle_to_bytes(read_battle(ledger, NAME)) == battle_to_bytes(with_them)
    assert Referee(ledger).declare(NAME, NOTE).state.seq == with_them.seq + 2
    assert kept(database) == [with_them.seq + 2]


@pytest.mark.parametrize("seed", range(4))
def test_a_fight_at_random_from_new_processes(ledger: LedgerStore, seed: int) -> None:
    """Every command and correction comes from a referee that has to read the fight; corrections reach far back."""
    chance = Random(seed)
    begin(Referee(ledger))
    for _ in range(25):
        referee = Referee(ledger)
        window = referee.fight(NAME).battle.window
        try:
            if window is None and chance.random() < 0.7:
                referee.declare(NAME, declaration(referee.fight(NAME), chance))
            else:
                referee.apply(referee.plan(NAME, lambda fight: plan_undo_passing(fight, chosen(fight, chance))))
        except Problem:
            continue
        assert is_recorded(read_battle(ledger, NAME), ledger)
        assert is_recorded(Referee(ledger).fight(NAME).battle, ledger)
    assert verify(ledger, NAME).findings == []


def chosen(fight: FightEngine, chance: Random) -> set[int]:
    standing = [declared.seq for declared in undo.declarations(fight)][-6:]
    return {chance.choice(standing)}


def test_a_correction_that_reaches_back_before_them(ledger: LedgerStore, database: str, fight: str) -> None:
    noted = next(e.seq for e in ledger.find(NAME).events if getattr(e, "options", {}).get("note") == "rain")
    assert noted < kept(database)[0]
    referee = Referee(ledger)
    referee.apply(referee.plan(NAME, lambda f: undo.plan_undo(f, {noted}, by="gm", reason="test")))
    assert is_recorded(read_battle(ledger, NAME), ledger)
    assert kept(database)[-1] == ledger.find(NAME).events[-1].seq  # so that the next command need not read it all


def test_a_command_from_before_them_is_recognised(ledger: LedgerStore, database: str) -> None:
    begin(Referee(ledger))
    command, correction = uuid4(), uuid4()
    Referee(ledger).declare(NAME, NOTE, command=command)
    _take_back_last(ledger, correction)
    for _ in range(12):
        Referee(ledger).declare(NAME, NOTE)
    before = ledger.find(NAME).events
    assert Referee(ledger).declare(NAME, NOTE, command=command).repeated
    assert _take_back_last(ledger, correction)
    assert ledger.find(NAME).events == before


def _take_back_last(ledger: LedgerStore, command: UUID) -> bool:
    referee = Referee(ledger)

    def make(fight: FightEngine) -> undo.Plan:
        return undo.plan_undo(fight, undo.last(fight), by="gm", reason="test", command=command)

    return referee.apply(referee.plan(NAME, make, command=command)).repeated


@pytest.mark.parametrize(
    "spoil",
    [
        "UPDATE combatlog.snapshots SET state = '{}'",
        "UPDATE combatlog.snapshots SET state = 'no JSON at all'",
        "UPDATE combatlog.snapshots SET hash = sha256('another event')",
        "UPDATE combatlog.snapshots SET fold = 'of another version'",
        "UPDATE combatlog.snapshots SET seq = seq + 1000000",
    ],
)
def test_one_that_cannot_be_used_is_not_used(ledger: LedgerStore, database: str, fight: str, spoil: str) -> None:
    change(database, spoil)
    assert is_recorded(read_battle(ledger, NAME), ledger)
    Referee(ledger).declare(NAME, NOTE)
    assert is_recorded(Referee(ledger).fight(NAME).battle, ledger)


def test_verification_does_not_believe_them(ledger: LedgerStore, database: str, fight: str) -> None:
    """Whoever can write them can make a referee believe anything, but not without being found out."""
    change(
        database,
        "UPDATE combatlog.snapshots SET state = convert_to(replace(convert_from(state, 'UTF8'), %s, %s), 'UTF8')",
        '"hp":{"current":12',
        '"hp":{"current":1',
    )
    strike = {"set": {"hp": 3}, "reason": "a ruling on a state that never was"}
    Referee(ledger).declare(
        NAME, Declaration(actor="gm", action="core:ruling:rule", targets=("rurik",), options=strike)
    )
    assert [finding.seq for finding in verify(ledger, NAME).findings]
