"""Pasted dice text: what is taken over, what is kept as a note, and what happens to it afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

import combatlog
from combatlog import Amend, Redo, Undo
from combatlog.rules.verification.verify import FindingKind
from ledger.errors import Problem
from ledger.events import CombatantJoined, Declared, FaceOrigin, NoteAbout, Noted, Rolled, RollMode
from projections.battle.timeline import standing
from tests.rules.logs.conftest import Import

SESSION = """\
Rurik: attack 1d20 (15) + 5 = 20
Rurik: damage 1d8 (6) + 3 [slashing] = `9`

[2024-03-01 20:15] Snig: stealth 2d20kl1 (~~15~~, 8) + 4 = 12
"You shall not pass!"
Snig: You missed me.
Osric rolls 1d20+5 = 18
1d20 (4 = broken
"""


def rolls(fight: combatlog.RecordedFight) -> list[Rolled]:
    return [event for event in fight.events() if isinstance(event, Rolled)]


def test_rolls_are_taken_over_with_every_face(opened: combatlog.Ledger, take_in: Import) -> None:
    done = take_in("dice", SESSION, "session.txt", campaign="Riverlands")
    assert (done.fights, done.lines, done.unread) == (1, 7, {"dice text": 1})
    attack, damage, stealth, osric = rolls(opened.fight("session"))
    assert (attack.roller, attack.purpose, attack.notation) == ("rurik", "attack", "1d20")
    assert (attack.faces, attack.kept, attack.total) == ((15,), (15,), 20)
    assert [modifier.amount for modifier in attack.modifiers] == [5]
    assert [modifier.source for modifier in damage.modifiers] == ["recorded:modifier:slashing"]
    assert (stealth.faces, stealth.kept, stealth.mode) == ((15, 8), (8,), RollMode.DISADVANTAGE)
    assert f"{stealth.recorded_at:%Y-%m-%d %H:%M}" == "2024-03-01 20:15"
    assert {roll.dice_source for roll in (attack, damage, stealth, osric)} == {FaceOrigin.RECORDED}


def test_what_the_source_does_not_say_is_absent(opened: combatlog.Ledger, take_in: Import) -> None:
    take_in("dice", SESSION, "session.txt")
    fight = opened.fight("session")
    osric = rolls(fight)[-1]
    assert (osric.roller, osric.faces, osric.kept, osric.total) == ("osric", (), (), 18)
    for joined in (event for event in fight.events() if isinstance(event, CombatantJoined)):
        assert (joined.side, joined.vitals, joined.sheet, joined.position) == ("", {}, {}, None)


def test_each_event_leads_to_its_line(opened: combatlog.Ledger, take_in: Import) -> None:
    take_in("dice", SESSION, "session.txt")
    events = list(opened.fight("session").events())
    lines = {event.seq: event.options["line"] for event in events if isinstance(event, Declared)}
    found = {type(event).__name__: lines[event.declaration] for event in events[1:]}
    assert found["Noted"] == 8
    assert [lines[roll.declaration] for roll in rolls(opened.fight("session"))] == [1, 2, 4, 7]


def test_what_is_no_roll_is_kept_as_it_was_said(opened: combatlog.Ledger, take_in: Import) -> None:
    take_in("dice", SESSION, "session.txt")
    notes = [event for event in opened.fight("session").events() if isinstance(event, Noted)]
    assert [(note.about, note.text) for note in notes] == [
        (NoteAbout.SAID, '"You shall not pass!"'),
        (NoteAbout.SAID, "You missed me."),
        (NoteAbout.UNREAD, "1d20 (4 = broken"),
    ]


def test_importing_again_adds_nothing_and_a_longer_log_goes_on(opened: combatlog.Ledger, take_in: Import) -> None:
    take_in("dice", SESSION, "session.txt")
    before = list(opened.fight("session").events())
    assert take_in("dice", SESSION, "session.txt").events == 0
    longer = take_in("dice", SESSION + "Osric: 1d20 (3) + 5 = 8\n", "session.txt")
    after = list(opened.fight("session").events())
    assert (longer.events, longer.fights) == (2, 1)
    assert after[: len(before)] == before
    assert rolls(opened.fight("session"))[-1].total == 8


def test_labels_and_rulings_in_between_change_nothing_about_that(opened: combatlog.Ledger, take_in: Import) -> None:
    take_in("dice", SESSION, "session.txt")
    opened.fight("session").label("practice")
    assert take_in("dice", SESSION, "session.txt").events == 0
    assert take_in("dice", SESSION + "Osric: 1d20 (3) + 5 = 8\n", "session.txt").events == 2
    assert opened.fight("session").state().labels == ("practice",)


def test_a_dry_run_records_nothing(opened: combatlog.Ledger, take_in: Import) -> None:
    done = take_in("dice", SESSION, "session.txt", dry_run=True)
    assert done.dry_run
    assert done.events == take_in("dice", SESSION, "session.txt").events > 0


def test_a_name_that_another_fight_has_is_left_out(opened: combatlog.Ledger, take_in: Import) -> None:
    opened.new("session", dice="table")
    done = take_in("dice", SESSION, "session.txt")
    assert (done.left_out, done.events) == (["session"], 0)


def test_verify_names_what_the_source_contradicts(opened: combatlog.Ledger, take_in: Import) -> None:
    take_in("dice", "Rurik: 1d20 (4) + 2 = 7\nRurik: 1d6 (9) = 9\nRurik: 1d20 (4) + 2 = 6\n", "odd.txt")
    (report,) = opened.verify(["odd"])
    assert report.stands
    assert [(finding.kind, finding.problem) for finding in report.findings] == [
        (FindingKind.CONTRADICTION, "its dice and modifiers add up to 6, but its total is 7"),
        (FindingKind.CONTRADICTION, "a d6 does not have a 9"),
    ]
    assert report.remark is None


def test_no_rules_means_no_declarations(opened: combatlog.Ledger, take_in: Import) -> None:
    take_in("dice", SESSION, "session.txt")
    fight = opened.fight("session")
    for declare in (lambda: fight.do("rurik", "attack"), fight.start, lambda: fight.join("fighter")):
        with pytest.raises(Problem) as refused:
            declare()
        assert refused.value.code in ("recorded/no-rules", "sheet/unknown")
    with pytest.raises(Problem) as opened_by_hand:
        opened.new("by hand", "recorded")
    assert opened_by_hand.value.code == "recorded/opened-by-import"


def test_a_line_can_be_taken_back_and_the_others_stay(opened: combatlog.Ledger, take_in: Import) -> None:
    take_in("dice", SESSION, "session.txt")
    fight = opened.fight("session")
    attack = rolls(fight)[0]
    fight.apply(fight.plan(Undo(attack.seq, reason="that was a test roll")))
    assert [roll.total for roll in standing(fight.history()) if isinstance(roll, Rolled)] == [9, 12, 18]
    (report,) = opened.verify(["session"])
    assert report.findings == []
    assert take_in("dice", SESSION, "session.txt").events == 0
    fight.apply(fight.plan(Redo(reason="it counts after all")))
    assert len([event for event in standing(fight.history()) if isinstance(event, Rolled)]) == 4


def test_what_the_log_says_cannot_be_amended(opened: combatlog.Ledger, take_in: Import) -> None:
    take_in("dice", SESSION, "session.txt")
    fight = opened.fight("session")
    with pytest.raises(Problem) as refused:
        fight.plan(Amend(rolls(fight)[0].declaration, reason="somebody else", targets=["snig"]))
    assert refused.value.code == "recorded/no-rules"


def test_whoever_is_taken_out_cannot_have_acted(opened: combatlog.Ledger, take_in: Import) -> None:
    take_in("dice", "Rurik: 1d20 (4) = 4\nRurik: 1d20 (5) = 5\n", "duel.txt")
    fight = opened.fight("duel")
    joins = next(event for event in fight.events() if isinstance(event, CombatantJoined))
    plan = fight.plan(Undo(joins.seq))
    assert plan.undecided is None  # rolls need nobody to be there
    assert len(plan.after.combatants) == 0


HOSTILE = [
    b"\x00\x01\x02\xff\xfe",
    b"A" * 100_000,
    b"Rurik: 1d20 (" + b"5, " * 50_000,
    b"Rurik: " + b"(" * 5_000 + b"1d6 (1)" + b")" * 5_000 + b" = 1",
    "\u202eRurik\u202c: 1d20 (5) = 5".encode(),
    b"\x1b[31mRurik: 1d20 (5) = 5",
    b": 1d20 (5) = 5",
    b"[not a date] Rurik: 1d20 (5) = 5",
    b"[9999-12-31] Rurik: 1d20 (5) = 5",
    b"Rurik: 1d999999999 (5) = 999999999",
    b"gm: 1d20 (5) = 5",
    b"::::: 1d20 (5) = 5",
    b"Rurik\x00: 1d20 (5) / 0 = 5",
]


def test_hostile_lines_end_nothing(opened: combatlog.Ledger, take_in: Import) -> None:
    done = take_in("dice", b"\n".join(HOSTILE), "hostile.txt")
    assert done.lines == len(HOSTILE)
    (report,) = opened.verify(["hostile"])
    assert report.stands
    assert opened.sql("SELECT count(*) FROM rolls").rows[0][0] > 5


def test_files_that_are_none_are_refused(opened: combatlog.Ledger, tmp_path: Path) -> None:
    for path in (tmp_path / "missing.txt", Path("/dev/zero")):
        with pytest.raises(Problem) as refused:
            opened.import_log("dice", [path])
        assert refused.value.code == "file/unusable"
    with pytest.raises(Problem) as unknown:
        opened.import_log("dicee", [tmp_path])
    assert (unknown.value.code, unknown.value.facts["suggestions"]) == ("import-log/format", ["dice"])


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("a8098c1a-f86e-11da-bd1a-00112444be1e", "Log a8098c1a-f86e-11da-bd1a-00112444be1e"),
        ("  two   spaces ", "two spaces"),
        ("x" * 200, "x" * 80),
    ],
)
def test_a_file_has_a_name_that_a_fight_can_have(
    opened: combatlog.Ledger, take_in: Import, stem: str, name: str
) -> None:
    take_in("dice", "Rurik: 1d20 (4) = 4\n", f"{stem}.txt")
    assert [entry.name for entry in opened.list()] == [name]
    assert take_in("dice", "Rurik: 1d20 (4) = 4\n", f"{stem}.txt").events == 0
