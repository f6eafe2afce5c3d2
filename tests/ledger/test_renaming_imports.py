"""Imports under another name: a fight whose name is taken becomes a copy that can be checked against the original."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest
from psycopg import connect

import combatlog
from combatlog import Undo
from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.exchange.import_renaming import Renames, sealed_here
from combatlog.rules.exchange.importing import ImportedEvents, import_events
from combatlog.rules.verification.seals_and_seat_records import seal_encounter
from combatlog.rules.verification.verify import FindingKind, verify, verify_encounters
from ledger.errors import Problem
from ledger.events import EncounterImported, Event
from ledger.exchange.export import as_imported, export_lines
from ledger.exchange.import_checks import LeftOutReason
from ledger.registry import GENESIS, chained_hash
from ledger.store.ledger import LedgerStore, encounter_id

NOTE = Declaration(actor="gm", action="core:ruling:rule", options={"note": "wet", "reason": "rain"})
"""Two events: the declaration and the ruling."""
ANY = Renames(taken=True)


@pytest.fixture
def other(embedded: str, make_database: Callable[[str], str]) -> Iterator[LedgerStore]:
    with LedgerStore.open(make_database(embedded)) as ledger:
        yield ledger


@pytest.fixture
def third(embedded: str, make_database: Callable[[str], str]) -> Iterator[LedgerStore]:
    with LedgerStore.open(make_database(embedded)) as ledger:
        yield ledger


def play(ledger: LedgerStore, name: str, notes: int = 0) -> None:
    referee = Referee(ledger)
    if not ledger.has(name):
        referee.open(Opening(name=name))
    for _ in range(notes):
        referee.declare(name, NOTE)


def fork(ledger: LedgerStore, parent: str, at: int, name: str) -> None:
    Referee(ledger).fork(parent, at, name, by="gm")


def undo(ledger: LedgerStore, name: str, declaration: int) -> None:
    fight = combatlog.Ledger(ledger).fight(name)
    fight.apply(fight.plan(Undo(declaration, reason="no rain")))


def exported(ledger: LedgerStore, *fights: str) -> list[str]:
    return list(export_lines(ledger, fights or [str(listed.encounter) for listed in ledger.list_encounters()]))


def take(
    ledger: LedgerStore, lines: list[str], renames: Renames = ANY, *, skip_existing: bool = False
) -> ImportedEvents:
    return import_events(ledger, BytesIO("\n".join(lines).encode()), renames=renames, skip_existing=skip_existing)


def as_named(*names: tuple[str, str | None]) -> Renames:
    return Renames(dict(names))


def given(done: ImportedEvents) -> dict[str, str]:
    return {renamed.name: renamed.new_name for renamed in done.renamed}


def names(ledger: LedgerStore) -> set[str]:
    return {listed.name for listed in ledger.list_encounters()}


def check_whole(ledger: LedgerStore, *expected: str) -> None:
    """The ledger has these fights and no other, and each of them verifies."""
    assert names(ledger) == set(expected)
    for name in expected:
        assert verify(ledger, name).findings == []


def content(events: list[Event]) -> list[dict[str, object]]:
    return [event.model_dump(exclude={"encounter", "name", "parent"}) for event in events]


def test_a_fight_whose_name_is_taken_arrives_under_the_name_it_is_given(
    ledger: LedgerStore, other: LedgerStore
) -> None:
    play(ledger, "bridge", 2)
    play(other, "bridge")
    before = other.find("bridge")
    done = take(other, exported(ledger), as_named(("bridge", "bridge at Tom's")))
    assert given(done) == {"bridge": "bridge at Tom's"}
    assert (done.encounters, done.events, done.known, done.left_out) == (1, 6, 0, [])
    assert other.find("bridge") == before
    copy = other.find("bridge at Tom's").events
    assert content(copy[:-1]) == content(ledger.find("bridge").events)
    assert {event.encounter for event in copy} == {encounter_id("bridge at Tom's")}
    check_whole(other, "bridge", "bridge at Tom's")


def test_the_copy_says_what_it_was(ledger: LedgerStore, other: LedgerStore) -> None:
    play(ledger, "bridge", 1)
    play(other, "bridge")
    take(other, exported(ledger))
    imported = other.find("bridge (2)").events[-1]
    assert isinstance(imported, EncounterImported)
    (original,) = imported.originals
    assert (original.here, original.encounter) == (encounter_id("bridge (2)"), encounter_id("bridge"))
    assert (original.name, imported.head) == ("bridge", ledger.find("bridge").head.hex())
    assert as_imported(other.history(encounter_id("bridge (2)")), imported) == ledger.history(encounter_id("bridge"))


@pytest.mark.parametrize("again", [ANY, as_named(("bridge", None)), as_named(("bridge", "another"))])
def test_the_same_file_again_adds_nothing(ledger: LedgerStore, other: LedgerStore, again: Renames) -> None:
    """Whatever name it is given the second time."""
    play(ledger, "bridge", 2)
    fork(ledger, "bridge", 3, "what if")
    play(other, "bridge")
    lines = exported(ledger)
    take(other, lines)
    done = take(other, lines, again)
    assert (done.events, done.known) == (0, 6)
    assert {(renamed.new_name, renamed.new) for renamed in done.renamed} == {("bridge (2)", False), ("what if", False)}
    check_whole(other, "bridge", "bridge (2)", "what if")


def test_an_older_export_of_a_copied_fight_adds_nothing_either(ledger: LedgerStore, other: LedgerStore) -> None:
    play(ledger, "bridge", 1)
    older = exported(ledger)
    play(ledger, "bridge", 1)
    play(other, "bridge")
    take(other, exported(ledger))
    play(other, "bridge (2)", 1)  # it goes on here, which changes nothing of what was copied
    assert (take(other, older).events, take(other, exported(ledger)).events) == (0, 0)


def test_a_fight_that_has_gone_on_since_it_was_copied_conflicts(ledger: LedgerStore, other: LedgerStore) -> None:
    play(ledger, "bridge", 1)
    play(other, "bridge")
    take(other, exported(ledger))
    play(ledger, "bridge", 1)
    with pytest.raises(Problem) as refused:
        take(other, exported(ledger))
    assert (refused.value.code, refused.value.facts["found"]) == ("import/copy-differs", "bridge (2)")
    (left,) = take(other, exported(ledger), skip_existing=True).left_out
    assert (left.name, left.why) == ("bridge", LeftOutReason.COPY_DIFFERS)


def test_without_a_request_nothing_is_renamed(ledger: LedgerStore, other: LedgerStore) -> None:
    for one in (ledger, other):
        play(one, "bridge")
        play(one, "tavern")
    lines = exported(ledger)
    for renames in (Renames(), as_named(("bridge", None))):
        with pytest.raises(Problem) as refused:
            take(other, lines, renames)
        assert refused.value.code == "import/differs"
    done = take(other, lines, as_named(("bridge", None)), skip_existing=True)
    assert given(done) == {"bridge": "bridge (2)"}
    assert [(left.name, left.why) for left in done.left_out] == [("tavern", LeftOutReason.NAME_TAKEN)]
    check_whole(other, "bridge", "tavern", "bridge (2)")


def test_several_fights_of_one_name_are_told_apart(ledger: LedgerStore, other: LedgerStore, third: LedgerStore) -> None:
    for one, notes in ((ledger, 1), (other, 2), (third, 0)):
        play(one, "bridge", notes)
    for _ in range(2):
        assert given(take(third, exported(ledger))) == {"bridge": "bridge (2)"}
        assert given(take(third, exported(other))) == {"bridge": "bridge (3)"}
    check_whole(third, "bridge", "bridge (2)", "bridge (3)")


def test_a_free_name_is_not_too_long(ledger: LedgerStore, other: LedgerStore) -> None:
    for one in (ledger, other):
        play(one, "b" * 100)
    take(other, exported(ledger))
    check_whole(other, "b" * 100, "b" * 96 + " (2)")


def test_a_free_name_is_free_in_the_file_too(ledger: LedgerStore, other: LedgerStore) -> None:
    play(ledger, "bridge")
    play(ledger, "bridge (2)")
    play(other, "bridge")
    assert given(take(other, exported(ledger))) == {"bridge": "bridge (3)"}
    check_whole(other, "bridge", "bridge (2)", "bridge (3)")


def test_forks_follow_the_fight_they_come_from(ledger: LedgerStore, other: LedgerStore) -> None:
    play(ledger, "bridge", 2)
    fork(ledger, "bridge", 3, "what if")
    play(ledger, "what if", 1)
    fork(ledger, "what if", 4, "what if not")
    play(other, "bridge")
    play(other, "what if")
    done = take(other, exported(ledger))
    assert given(done) == {"bridge": "bridge (2)", "what if": "what if (2)", "what if not": "what if not"}
    check_whole(other, "bridge", "what if", "bridge (2)", "what if (2)", "what if not")
    parents = {listed.name: listed.parent for listed in other.list_encounters()}
    assert parents["what if (2)"] == encounter_id("bridge (2)")
    assert parents["what if not"] == encounter_id("what if (2)")
    assert content(other.find("what if not").events[:-1]) == content(ledger.find("what if not").events)


def test_only_a_fork_gets_another_name(ledger: LedgerStore, other: LedgerStore) -> None:
    play(ledger, "bridge", 1)
    take(other, exported(ledger), Renames())
    for one, notes in ((ledger, 1), (other, 2)):
        fork(one, "bridge", 3, "what if")
        play(one, "what if", notes)
    assert given(take(other, exported(ledger))) == {"what if": "what if (2)"}
    check_whole(other, "bridge", "what if", "what if (2)")


def test_the_same_fight_that_went_on_differently_is_not_copied(ledger: LedgerStore, other: LedgerStore) -> None:
    play(ledger, "bridge", 1)
    take(other, exported(ledger), Renames())
    for one in (ledger, other):
        play(one, "bridge", 1)
    fork(ledger, "bridge", 3, "what if")
    for renames in (ANY, as_named(("bridge", "mine"))):
        with pytest.raises(Problem) as refused:
            take(other, exported(ledger), renames)
        assert refused.value.code == "import/differs"
    done = take(other, exported(ledger), skip_existing=True)
    assert {left.name: left.why for left in done.left_out} == {
        "bridge": LeftOutReason.DIVERGED,
        "what if": LeftOutReason.PARENT_LEFT_OUT,
    }


def test_a_fight_keeps_its_name_if_nobody_else_has_it(ledger: LedgerStore, other: LedgerStore) -> None:
    play(ledger, "bridge")
    done = take(other, exported(ledger), as_named(("bridge", "mine")))
    assert done.renamed == []
    check_whole(other, "bridge")


@pytest.mark.parametrize(
    ("renames", "code"),
    [
        (as_named(("brigde", "mine")), "import/rename-unknown"),
        (as_named(("bridge", "tavern")), "import/rename-taken"),
        (as_named(("bridge", "cave")), "import/rename-taken"),
        (as_named(("bridge", "mine"), ("tavern", "mine")), "import/rename-taken"),
        (as_named(("bridge", "bell\a")), "encounter/name"),
    ],
)
def test_names_that_cannot_be_given_are_refused(
    ledger: LedgerStore, other: LedgerStore, renames: Renames, code: str
) -> None:
    for name in ("bridge", "tavern", "cave"):
        play(ledger, name)
    for name in ("bridge", "tavern"):
        play(other, name)
    with pytest.raises(Problem) as refused:
        take(other, exported(ledger), renames)
    assert refused.value.code == code
    assert names(other) == {"bridge", "tavern"}


def test_a_seal_of_the_original_holds_for_the_copy(
    ledger: LedgerStore, other: LedgerStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is about the copy, and says nothing about the fight that has the name here."""
    monkeypatch.setenv("COMBATLOG_HOME", str(tmp_path))
    play(ledger, "bridge", 1)
    seal = seal_encounter(ledger, "bridge")
    play(ledger, "bridge", 1)
    play(other, "bridge", 3)
    take(other, exported(ledger))
    assert sealed_here(other, seal) == encounter_id("bridge (2)")
    own, copy = verify_encounters(other, ["bridge", "bridge (2)"], [seal])
    assert (own.seals, own.findings, copy.seals, copy.findings) == (0, [], 1, [])
    forged = seal.model_copy(update={"head": "0" * 64})
    assert sealed_here(other, forged) == encounter_id("bridge")


def test_a_copy_that_is_none_is_found_out(ledger: LedgerStore, other: LedgerStore, database: str) -> None:
    """Somebody writes the whole chain anew, so that every hash is right."""
    play(other, "bridge", 1)
    play(ledger, "bridge")
    take(ledger, exported(other))
    encounter, head = encounter_id("bridge (2)"), GENESIS
    with connect(database) as conn:
        conn.execute("ALTER TABLE combatlog.ledger_events DISABLE TRIGGER USER")
        for row in ledger.recorder.select_rows(encounter):
            state = row.state.replace(b"rain", b"snow")
            head = chained_hash(head, encounter, row.seq, row.name, state)
            conn.execute(
                "UPDATE combatlog.ledger_events SET state = %s, hash = %s"
                " WHERE originator_id = %s AND originator_version = %s",
                (state, head, encounter, row.seq),
            )
    (finding,) = verify(ledger, "bridge (2)").findings
    assert (finding.seq, finding.kind) == (4, FindingKind.TAMPERED)


def test_a_copy_of_a_copy_says_all_it_was(ledger: LedgerStore, other: LedgerStore, third: LedgerStore) -> None:
    play(ledger, "bridge", 1)
    play(other, "bridge")
    play(third, "bridge (2)")
    fork(ledger, "bridge", 3, "what if")
    take(other, exported(ledger))
    take(third, exported(other, "bridge (2)", "what if"))
    check_whole(third, "bridge (2)", "bridge (2) (2)", "what if")
    first, second = (event for event in third.find("bridge (2) (2)").events if isinstance(event, EncounterImported))
    assert (first.originals[0].name, second.originals[0].name) == ("bridge", "bridge (2)")


def test_a_copy_can_be_played_on_corrected_and_forked(ledger: LedgerStore, other: LedgerStore) -> None:
    play(ledger, "bridge", 2)
    play(other, "bridge")
    take(other, exported(ledger))
    play(other, "bridge (2)", 1)
    undo(other, "bridge (2)", 2)
    fork(other, "bridge (2)", 6, "what if")
    check_whole(other, "bridge", "bridge (2)", "what if")


def test_something_written_in_another_way_is_refused(ledger: LedgerStore, other: LedgerStore) -> None:
    """Its hashes are right, but its fields stand where nobody here would put them."""
    play(ledger, "bridge")
    play(other, "bridge")
    (line,) = map(json.loads, exported(ledger))
    state = json.dumps(json.loads(line["state"])).encode()
    hashed = chained_hash(GENESIS, encounter_id("bridge"), 1, line["name"], state)
    with pytest.raises(Problem) as refused:
        take(other, [json.dumps({**line, "state": state.decode(), "hash": hashed.hex()})])
    assert refused.value.code == "import/not-as-written"
    check_whole(other, "bridge")


def test_an_open_window_is_answered_in_the_copy(ledger: LedgerStore, other: LedgerStore) -> None:
    """The declaration goes on over its tape, with the import between its events."""
    fight = combatlog.Ledger(ledger).new("bridge", dice="table")
    fight.join("fighter", name="Rurik", at=(3, 2))
    fight.join("paladin", name="Osric", at=(3, 3))
    fight.join("goblin", name="Snig", side="foes", at=(4, 2))
    fight.start(dice=[11, 6, 17])
    fight.do("snig", "attack")
    fight.do("snig", "strike", target="rurik")
    play(other, "bridge")
    take(other, exported(ledger))
    copy = combatlog.Ledger(other).fight("bridge (2)")
    copy.react("osric", "protection", dice=[15, 8])
    assert [event.kind for event in copy.history()][-2:] == ["rolled", "attack_resolved"]
    check_whole(other, "bridge", "bridge (2)")


def test_committed_dice_are_checked_with_the_id_they_were_rolled_for(
    ledger: LedgerStore, other: LedgerStore, third: LedgerStore
) -> None:
    fight = combatlog.Ledger(ledger).new("bridge", dice="committed")
    fight.join("fighter", name="Rurik", at=(3, 2))
    fight.join("goblin", name="Snig", side="foes", at=(4, 2))
    fight.start()
    fork(ledger, "bridge", len(fight.history()), "what if")
    fight.conclude()
    what_if = combatlog.Ledger(ledger).fight("what if")
    what_if.conclude()
    play(other, "bridge")
    take(other, exported(ledger))
    assert verify(other, "bridge (2)").committed == verify(ledger, "bridge").committed == 2
    check_whole(other, "bridge", "bridge (2)", "what if")
    for name in ("bridge (2)", "what if"):
        play(third, name)
    take(third, exported(other))
    check_whole(third, "bridge", "bridge (2)", "bridge (2) (2)", "what if", "what if (2)")
