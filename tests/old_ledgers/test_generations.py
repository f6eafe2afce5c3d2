"""A ledger of every generation is imported as it is, and folds, verifies, replays and is corrected."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import yaml

from combatlog.rules.content.scenario import look_up
from combatlog.rules.engine.commands import Opening
from combatlog.rules.engine.corrections.rebase import Impossible, Remedies
from combatlog.rules.engine.corrections.undo import declarations, plan_undo
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.exchange.import_renaming import Renames
from combatlog.rules.exchange.importing import import_events
from combatlog.rules.verification.verify import check_rows, verify, verify_encounters
from ledger.events import Declared
from ledger.exchange.seal import check_seal, read_seal
from ledger.registry import KINDS, stored_name
from ledger.store.ledger import LedgerStore
from projections.battle.fold import fold
from projections.battle.timeline import standing
from projections.readmodels.session import catch_up
from projections.review.replay import Replay
from tests.old_ledgers.record import LEDGER, SEAL, SEALED, generations, recorded_versions, versions_now

GENERATIONS = generations()


@pytest.fixture(params=GENERATIONS, ids=lambda folder: folder.name)
def generation(request: pytest.FixtureRequest) -> Path:
    folder: Path = request.param
    return folder


@pytest.fixture
def old(generation: Path, ledger: LedgerStore) -> LedgerStore:
    """A ledger that has nothing but what the generation wrote."""
    import_events(ledger, BytesIO(exported(generation)))
    return ledger


def exported(generation: Path) -> bytes:
    return gzip.decompress((generation / LEDGER).read_bytes())


def names(ledger: LedgerStore) -> list[str]:
    return [listed.name for listed in ledger.list_encounters()]


def test_every_kind_is_in_every_generation_in_the_version_of_then(generation: Path) -> None:
    stored = {json.loads(line)["name"] for line in exported(generation).splitlines()}
    assert stored == {stored_name(kind, version) for kind, version in recorded_versions(generation).items()}


def test_the_last_generation_is_of_today() -> None:
    """If this fails, a kind has a new version: `python -m tests.old_ledgers.record` adds the generation."""
    recorded, now = recorded_versions(GENERATIONS[-1]), versions_now()
    assert {kind: now[kind] for kind in recorded} == recorded


def test_a_kind_is_in_a_generation_before_it_changes() -> None:
    """If this fails, a new kind was changed before its first version was kept: record it as it was."""
    new = versions_now().keys() - recorded_versions(GENERATIONS[-1])
    assert {kind for kind in new if KINDS[kind].class_version > 1} == set()


def test_it_folds_to_what_was_reckoned_by_hand(generation: Path, old: LedgerStore) -> None:
    expected = expected_of(generation)
    assert names(old) == list(expected)
    for name, told in expected.items():
        battle = fold(old.find(name).events)
        assert (battle.seq, battle.clock.closed) == (told["events"], told["closed"])
        assert {path: plain(look_up(battle, path)) for path in told["state"]} == told["state"]


def expected_of(generation: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((generation / "expected.yaml").read_text())
    return found


def plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def test_it_verifies_by_hash_by_its_seal_and_by_its_seed(generation: Path, old: LedgerStore) -> None:
    seal = read_seal(generation / SEAL)
    check_seal(seal, {seal.public_key})
    assert verify(old, SEALED, [seal]).committed == expected_of(generation)[SEALED]["committed"]
    for name in names(old):
        assert check_rows(old.history(old.find(name).events[-1].encounter)) is None


def test_resolved_again_it_comes_out_as_recorded(old: LedgerStore) -> None:
    """The rules are those of then. Once a ruleset has a new version, its fights may come out otherwise: see verify."""
    assert [report for report in (verify(old, name) for name in names(old)) if report.findings] == []


def test_imported_under_other_names_it_is_the_same(generation: Path, ledger: LedgerStore) -> None:
    """Every fight of then becomes a copy, in the versions of then; its seals and its dice hold."""
    referee, taken = Referee(ledger), list(expected_of(generation))
    for name in taken:
        referee.open(Opening(name=name))
    done = import_events(ledger, BytesIO(exported(generation)), renames=Renames(taken=True))
    assert {renamed.name: renamed.new_name for renamed in done.renamed} == {name: f"{name} (2)" for name in taken}
    seal = read_seal(generation / SEAL)
    reports = verify_encounters(ledger, [f"{name} (2)" for name in taken], [seal])
    assert [(report.findings, report.seals) for report in reports] == [([], int(name == SEALED)) for name in taken]
    assert verify(ledger, f"{SEALED} (2)").committed == expected_of(generation)[SEALED]["committed"]
    assert import_events(ledger, BytesIO(exported(generation)), renames=Renames(taken=True)).events == 0


def test_every_moment_of_it_can_be_seen(old: LedgerStore) -> None:
    for name in names(old):
        replay = Replay(old.find(name).events)
        assert [replay.state(frame).seq for frame in range(0, len(replay), 10)]
    assert catch_up(old)


NEEDED = {"Old duel": (3,)}
"""Without Ana's first attack her second one hits, and its damage was never rolled."""


def undo_first_action(ledger: LedgerStore, name: str) -> list[str]:
    """Take the first declaration after the start back; the stored names of what that added."""
    referee = Referee(ledger)
    fight = referee.fight(name)
    first = next(declared for declared in declarations(fight) if not declared.action.startswith("core:"))
    before = fight.battle.seq
    make: Callable[[FightEngine], Any] = lambda fight: plan_undo(  # noqa: E731
        fight, {first.seq}, by="gm", reason="test", remedies=Remedies(Impossible.DROP, NEEDED.get(name))
    )
    referee.apply(referee.plan(name, make))
    rows = ledger.history(fight.battle.id)
    assert first.seq not in {e.seq for e in standing(ledger.find(name).events) if isinstance(e, Declared)}
    return [row.name for _, row in rows[before:]]


@pytest.mark.parametrize("name", ["Old duel", "Old skirmish"])
def test_it_can_be_corrected_from_its_beginning(old: LedgerStore, name: str) -> None:
    undo_first_action(old, name)
    assert verify(old, name).findings == []
