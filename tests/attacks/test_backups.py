"""A backup is made when it is needed most: damage is marked, secrets stay, and nobody else's file is written to."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from combatlog.rules.engine.commands import Opening
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.verification.verify import verify
from ledger.errors import Problem
from ledger.exchange.backup import back_up, restore_backup
from ledger.store.ledger import LedgerStore, encounter_id
from tests.attacks.damage import NOTE, plant, play, tamper
from tests.cli.conftest import Run
from tests.cli.conftest import run as run

OF_BRIDGE = f"originator_id = '{encounter_id('bridge')}'"


@pytest.mark.parametrize(
    ("statement", "damaged"),
    [
        (f"UPDATE combatlog.ledger_events SET state = state || ' ' WHERE {OF_BRIDGE} AND originator_version = 2", [2]),
        (f"UPDATE combatlog.ledger_events SET topic = 'poison' WHERE {OF_BRIDGE} AND originator_version = 2", [2]),
        (f"DELETE FROM combatlog.ledger_events WHERE {OF_BRIDGE} AND originator_version = 2", [3]),
        ("UPDATE combatlog.ledger_events SET state = 'x' WHERE topic = 'forked'", [4]),
        (f"UPDATE combatlog.ledger_events SET hash = sha256('x') WHERE {OF_BRIDGE} AND originator_version = 2", [2, 3]),
    ],
    ids=["content", "kind", "deleted", "beginning of a fork", "hash"],
)
def test_damage_is_marked_and_restored_only_knowingly(
    ledger: LedgerStore,
    referee: Referee,
    database: str,
    embedded: str,
    make_database: Callable[[str], str],
    tmp_path: Path,
    statement: str,
    damaged: list[int],
) -> None:
    play(referee, "bridge", "good")
    referee.fork("bridge", 3, "what if", by="gm")
    tamper(database, statement)
    file, other = tmp_path / "ledger.jsonl", make_database(embedded)
    done = back_up(database, file)
    assert [damage.seq for damage in done.damaged] == damaged
    with pytest.raises(Problem) as caught:
        restore_backup(other, file)
    assert (caught.value.code, caught.value.facts["found"]) == ("restore/damaged", len(damaged))
    assert restore_backup(other, file, damaged=True) == done.events
    with LedgerStore.open(other) as copy:
        assert verify(copy, "good").findings == []
        for name in ("bridge", "what if"):
            assert verify(copy, name).findings == verify(ledger, name).findings


def test_an_unreadable_event_with_the_right_hash_is_backed_up(
    ledger: LedgerStore, referee: Referee, database: str, tmp_path: Path
) -> None:
    play(referee, "bridge")
    plant(database, "bridge", "poison", b"\xff")
    assert back_up(database, tmp_path / "ledger.jsonl") == (4, [])


def test_the_command_names_the_damage_and_says_so_with_its_status(
    run: Run, ledger: LedgerStore, referee: Referee, database: str, tmp_path: Path
) -> None:
    play(referee, "bridge")
    tamper(database, "UPDATE combatlog.ledger_events SET state = state || ' ' WHERE originator_version = 2")
    ran = run("db", "backup", str(tmp_path / "ledger.jsonl"))
    assert ran.status == 1
    assert f"Event 2 of encounter {encounter_id('bridge')} is damaged" in ran.out.replace("\n", " ")


def test_only_its_owner_can_read_it_and_seeds_are_in_it_on_request(
    referee: Referee, database: str, tmp_path: Path
) -> None:
    referee.open(Opening(name="bridge", dice="committed"))
    referee.declare("bridge", NOTE)
    for seeds in (False, True):
        file = tmp_path / f"{seeds}.jsonl"
        back_up(database, file, seeds=seeds)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert ("seed_of" in file.read_text()) is seeds


def test_planted_links_are_not_followed(referee: Referee, database: str, tmp_path: Path) -> None:
    play(referee, "bridge")
    victim = tmp_path / "victim"
    victim.write_text("precious")
    for name in ("ledger.jsonl.part", "linked.jsonl"):
        (tmp_path / name).symlink_to(victim)
    (tmp_path / "dangling.jsonl").symlink_to(tmp_path / "nowhere")
    back_up(database, tmp_path / "ledger.jsonl")
    for name in ("linked.jsonl", "dangling.jsonl"):
        with pytest.raises(Problem):
            back_up(database, tmp_path / name)
    assert victim.read_text() == "precious"
    assert not (tmp_path / "nowhere").exists()
