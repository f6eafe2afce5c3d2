"""Avrae's recordings: what becomes which event, and what happens to what is missing, broken or hostile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeVar

import pytest

import combatlog
from combatlog import Undo
from combatlog.importers.logs import import_run
from ledger.events import (
    AttackResolved,
    CheckResolved,
    CombatantJoined,
    CombatantLeft,
    ConditionApplied,
    Controller,
    Damaged,
    DamagePart,
    Declared,
    EncounterClosed,
    EncounterOpened,
    Event,
    Gauge,
    Healed,
    InitiativeSet,
    NoteAbout,
    Noted,
    ResourceChanged,
    Rolled,
    RoundStarted,
    SaveResolved,
    TurnStarted,
)
from tests.rules.logs.avrae import (
    NAME,
    RURIK,
    SNIG,
    attack,
    damage,
    fight_of,
    line,
    on,
    run,
    rurik,
    said,
    snig,
    state,
)
from tests.rules.logs.conftest import Import

E = TypeVar("E", bound=Event)


def all_of(ledger: combatlog.Ledger, kind: type[E], name: str = NAME) -> list[E]:
    return [event for event in ledger.fight(name).events() if isinstance(event, kind)]


def one_of(ledger: combatlog.Ledger, kind: type[E], name: str = NAME) -> E:
    (found,) = all_of(ledger, kind, name)
    return found


@pytest.fixture
def whole(opened: combatlog.Ledger, take_in: Import) -> combatlog.ImportedLog:
    return take_in("fireball", fight_of(), campaign="Riverlands")


def test_who_takes_part_and_how_they_are(opened: combatlog.Ledger, whole: combatlog.ImportedLog) -> None:
    hero, goblin = all_of(opened, CombatantJoined)
    assert (hero.combatant, hero.side, hero.controller) == ("rurik", "players", Controller.PLAYER)
    assert hero.vitals == {"hp": Gauge(current=12, maximum=12), "temp_hp": Gauge(current=0)}
    assert hero.sheet == {"id": RURIK, "type": "player"}
    assert (goblin.combatant, goblin.side, goblin.controller) == ("snig", "monsters", Controller.GM)
    assert goblin.vitals["hp"] == Gauge(current=7, maximum=7)
    assert goblin.sheet == {"id": SNIG, "type": "monster", "monster": "Goblin", "ac": 15}


def test_an_attack_with_its_roll_damage_and_weapon(opened: combatlog.Ledger, whole: combatlog.ImportedLog) -> None:
    resolved, lost = one_of(opened, AttackResolved), one_of(opened, Damaged)
    assert (resolved.attacker, resolved.target, resolved.weapon) == ("rurik", "snig", "Longsword")
    assert (resolved.hit, resolved.critical) == (True, False)
    assert (resolved.roll, resolved.total, resolved.against) == (15, 20, 15)
    assert (lost.target, lost.pool, lost.amount, lost.left, lost.source) == ("snig", "hp", 6, 1, "rurik")
    assert lost.parts == (DamagePart(source="recorded:action:attack", amount=6, damage_type="slashing"),)
    rolled = [roll for roll in all_of(opened, Rolled) if roll.purpose in ("attack", "damage")]
    assert [(roll.notation, roll.faces, roll.total) for roll in rolled] == [("1d20", (15,), 20), ("1d8", (3,), 6)]
    assert resolved.cause == rolled[0].seq


def test_a_save_and_its_effect(opened: combatlog.Ledger, whole: combatlog.ImportedLog) -> None:
    resolved, applied = one_of(opened, SaveResolved), one_of(opened, ConditionApplied)
    assert (resolved.saver, resolved.save, resolved.success) == ("rurik", "wis", False)
    assert (resolved.total, resolved.against) == (0, 11)
    assert resolved.source == "recorded:feature:horrible_grin"
    assert (applied.target, applied.condition, applied.owner) == ("rurik", "recorded:condition:frightened", "snig")
    assert applied.data == {"duration": 10}


def test_rounds_turns_and_the_end(opened: combatlog.Ledger, whole: combatlog.ImportedLog) -> None:
    assert [(entry.combatant, entry.value) for entry in one_of(opened, InitiativeSet).order] == [
        ("rurik", 15),
        ("snig", 12),
    ]
    assert one_of(opened, RoundStarted).number == 1
    assert [turn.combatant for turn in all_of(opened, TurnStarted)] == ["rurik", "snig"]
    assert len(all_of(opened, EncounterClosed)) == 1
    initiative = [roll for roll in all_of(opened, Rolled) if roll.purpose.startswith("initiative")]
    assert [(roll.roller, roll.total) for roll in initiative] == [("rurik", 15), ("snig", 12)]


def test_what_people_said_is_kept_with_their_names(opened: combatlog.Ledger, whole: combatlog.ImportedLog) -> None:
    assert [(note.about, note.text, note.by) for note in all_of(opened, Noted)] == [
        (NoteAbout.SAID, "*The goblin jumps out of the reeds.*", "Player 0"),
        (NoteAbout.SAID, "*And that was that.*", "Player 0"),
    ]


def test_each_event_leads_to_its_line_and_its_time(opened: combatlog.Ledger, whole: combatlog.ImportedLog) -> None:
    events = opened.fight(NAME).events()
    source = {event.seq: event.options["line"] for event in events if isinstance(event, Declared)}
    lines = {type(event): source[event.declaration] for event in events[1:]}
    assert (lines[AttackResolved], lines[SaveResolved], lines[EncounterClosed]) == (9, 14, 17)
    assert events[0].recorded_at.year == 2022
    opened_as = one_of(opened, EncounterOpened)
    assert opened_as.options["campaign"] == "Riverlands"
    assert opened_as.options["source"]["format"] == "fireball"


def test_the_events_lead_to_the_states_of_the_source(whole: combatlog.ImportedLog) -> None:
    """There are six. Rurik is compared from the second on, five times; Snig from the third on, four times."""
    assert whole.agreement is not None
    assert (whole.agreement.compared, whole.agreement.agreed, whole.agreement.differences) == (9, 9, {})


BOTH = state(rurik(), snig())


@pytest.mark.parametrize(
    ("after", "differences", "then"),
    [
        (state(rurik(), snig(4)), {"hit points": 1}, ("snig", 4, 0, [])),
        (state(rurik(), snig(7, temporary=3)), {"temporary hit points": 1}, ("snig", 7, 3, [])),
        (state(rurik(), snig(7, ("Prone",))), {"effect began": 1}, ("snig", 7, 0, ["prone"])),
        (state(rurik(), snig(), health="9/12 HP"), {"hit points": 1}, ("rurik", 9, 0, [])),
        (state(rurik(), snig(), health="12/12 HP, 5 temp"), {"temporary hit points": 1}, ("rurik", 12, 5, [])),
        (state(rurik(), snig(), health="12/12 HP> (+5 temp) <"), {"temporary hit points": 1}, ("rurik", 12, 5, [])),
    ],
)
def test_why_states_differ_and_that_the_source_counts(
    opened: combatlog.Ledger, take_in: Import, after: str, differences: dict[str, int], then: Any
) -> None:
    done = take_in("fireball", BOTH + after)
    assert done.agreement is not None
    assert (done.agreement.compared, done.agreement.agreed, done.agreement.differences) == (2, 1, differences)
    who, hp, temporary, conditions = then
    found = opened.fight(NAME).state().combatants[who]
    assert (found.vitals["hp"].current, found.vitals["temp_hp"].current) == (hp, temporary)
    assert [condition.name for condition in found.conditions.values()] == conditions


def test_an_effect_that_ends_by_itself(opened: combatlog.Ledger, take_in: Import) -> None:
    done = take_in("fireball", state(rurik(("Bless",)), snig()) + BOTH)
    assert done.agreement is not None
    assert done.agreement.differences == {"effect ended": 1}
    assert opened.fight(NAME).state().combatants["rurik"].conditions == {}


def test_whoever_is_gone_has_left(opened: combatlog.Ledger, take_in: Import) -> None:
    take_in("fireball", BOTH + state(rurik()))
    assert one_of(opened, CombatantLeft).combatant == "snig"


def test_members_of_groups_take_part(opened: combatlog.Ledger, take_in: Import) -> None:
    band = {"type": "group", "name": "Band", "id": "g", "init": 8, "combatants": [{**snig(), "init": 8}]}
    take_in("fireball", state(rurik(), band, round=1, current=1))
    assert [joined.combatant for joined in all_of(opened, CombatantJoined)] == ["rurik", "snig"]
    assert all_of(opened, TurnStarted) == []  # a group has no turn of its own here


def test_temporary_hit_points_go_first_and_characters_do_not_fall_below_zero(
    opened: combatlog.Ledger, take_in: Import
) -> None:
    before = state(rurik(), snig(), health="12/12 HP, 5 temp")
    done = take_in(
        "fireball",
        before
        + run(snig(), [rurik()], on(RURIK, damage("4d10 (10, 10, 5, 5) [fire] = `30`", 30)))
        + state(rurik(), snig(), health="0/12 HP"),
    )
    assert [(lost.pool, lost.amount, lost.left, lost.overkill) for lost in all_of(opened, Damaged)] == [
        ("temp_hp", 5, 0, 0),
        ("hp", 12, 0, 13),
    ]
    assert done.agreement is not None
    assert done.agreement.differences == {}


def test_monsters_fall_below_zero_in_avrae(opened: combatlog.Ledger, take_in: Import) -> None:
    done = take_in(
        "fireball", BOTH + run(rurik(), [snig(-2)], on(SNIG, damage("9 = `9`", 9))) + state(rurik(), snig(-2))
    )
    assert (one_of(opened, Damaged).amount, one_of(opened, Damaged).left) == (9, -2)
    assert done.agreement is not None
    assert done.agreement.agreed == 2


def test_damage_below_zero_heals_up_to_the_maximum(opened: combatlog.Ledger, take_in: Import) -> None:
    take_in("fireball", state(rurik(), snig(2)) + run(rurik(), [snig()], on(SNIG, damage("-9 = `-9`", -9))))
    healed = one_of(opened, Healed)
    assert (healed.amount, healed.left, healed.source) == (5, 7, "rurik")


def test_checks_counters_and_rolls(opened: combatlog.Ledger, take_in: Import) -> None:
    check = {"type": "check", "skill_key": "athletics", "skill_name": "Athletics", "dc": 12, "did_succeed": True}
    results = [
        on(SNIG, {**check, "check_roll": {"total": 14, "result": "1d20 (14) = `14`"}, "children": []}),
        {"type": "counter", "counter_name": "Rage", "counter_remaining": 2, "used_amount": 1, "requested_amount": 1},
        {"type": "roll", "result": 4, "roll": {"total": 4, "result": "1d4 (4) = `4`"}, "hidden": False},
    ]
    take_in("fireball", BOTH + run(rurik(), [snig()], *results))
    resolved, spent = one_of(opened, CheckResolved), one_of(opened, ResourceChanged)
    assert (resolved.checker, resolved.check, resolved.total, resolved.success) == ("snig", "athletics", 14, True)
    assert (spent.owner, spent.resource, spent.before, spent.after) == ("rurik", "rage", 3, 2)
    assert [roll.purpose for roll in all_of(opened, Rolled)] == ["athletics check", "roll"]


@pytest.mark.parametrize(
    ("result", "why"),
    [
        (attack("1d20 (9) + 5 = `14`", 14, False, ac=None), "attack without a roll, target or armor class"),
        (
            {"type": "attack", "ac": 15, "to_hit_roll": None, "did_hit": True},
            "attack without a roll, target or armor class",
        ),
        ({"type": "save", "dc": 11, "ability": "x", "save_roll": None}, "save without a roll, saver or difficulty"),
        ({"type": "damage", "damage": "much", "damage_roll": {}}, "damage to a target with unknown hit points"),
        ({"type": "sneeze"}, "unknown result"),
        ({"type": "ieffect", "effect": {}}, "effect without a name or target"),
    ],
)
def test_what_leaves_out_too_much_is_a_note_and_nothing_is_made_up(
    opened: combatlog.Ledger, take_in: Import, result: dict[str, Any], why: str
) -> None:
    done = take_in("fireball", BOTH + run(rurik(), [snig()], on(SNIG, result)))
    assert done.incomplete == {why: 1}
    note = one_of(opened, Noted)
    assert (note.about, note.who) == (NoteAbout.INCOMPLETE, "snig")
    assert json.loads(note.text)["type"] == result["type"]
    assert not all_of(opened, AttackResolved)
    assert not all_of(opened, Damaged)


def test_an_attack_on_somebody_who_is_only_a_name(opened: combatlog.Ledger, take_in: Import) -> None:
    hit = attack("1d20 (9) + 5 = `14`", 14, True, damage("1d6 (3) = `3`", 3))
    done = take_in("fireball", BOTH + run(rurik(), ["the door"], on(None, hit)))
    assert sum(done.incomplete.values()) == 2
    assert [roll.total for roll in all_of(opened, Rolled)] == [14, 3]


def test_the_name_of_an_action_without_an_answer_comes_from_the_command(
    opened: combatlog.Ledger, take_in: Import
) -> None:
    hit = on(SNIG, attack("1d20 (9) + 5 = `14`", 14, False))
    take_in("fireball", BOTH + said('!i a "fire bolt" -t snig adv') + run(rurik(), [snig()], hit))
    assert one_of(opened, AttackResolved).weapon == "fire bolt"


# Again, longer, mixed


def test_importing_again_adds_nothing_and_a_longer_log_goes_on(opened: combatlog.Ledger, take_in: Import) -> None:
    lines = fight_of().splitlines(keepends=True)
    for cut in range(1, len(lines) + 1):
        take_in("fireball", "".join(lines[:cut]))
    step_by_step = opened.fight(NAME).events()
    assert take_in("fireball", "".join(lines)).events == 0
    assert [event.kind for event in step_by_step].count("attack_resolved") == 1
    battle = opened.fight(NAME).state()
    assert battle.combatants["snig"].vitals["hp"].current == 1
    assert [condition.name for condition in battle.combatants["rurik"].conditions.values()] == ["frightened"]
    (report,) = opened.verify([NAME])
    assert report.findings == []


def test_a_log_in_two_files_is_one_fight(opened: combatlog.Ledger, take_in: Import) -> None:
    lines = fight_of().splitlines(keepends=True)
    take_in("fireball", "".join(lines[:7]), "first.jsonl")
    take_in("fireball", "".join(lines[7:]), "second.jsonl")
    assert len(all_of(opened, CombatantJoined)) == 2
    assert one_of(opened, AttackResolved).weapon == "Longsword"


def test_mixed_fights_come_apart_however_few_are_kept_open(
    opened: combatlog.Ledger, take_in: Import, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_run, "MOST_OPEN", 2)
    fights = [fight_of(f"fight-{number}").splitlines(keepends=True) for number in range(5)]
    mixed = "".join(text for parts in zip(*fights, strict=True) for text in parts)
    dry = take_in("fireball", mixed, dry_run=True)
    done = take_in("fireball", mixed)
    assert (done.fights, done.events) == (dry.fights, dry.events)
    assert done.fights == 5
    for number in range(5):
        name = f"FIREBALL fight-{number}"
        assert one_of(opened, Damaged, name).left == 1
        assert opened.fight(name).state().clock.closed
    assert all(report.findings == [] for report in opened.verify())


# Broken and hostile


BROKEN = [
    b"not json",
    b'{"combat_id": "x"',
    b"[1, 2]",
    b'"text"',
    b"null",
    b"{}",
    b'{"combat_id": 7, "event_type": "message"}',
    b'{"combat_id": "", "event_type": "message"}',
    b'\xff\xfe{"combat_id"}',
    b"[" * 5_000,
    b'{"a":' * 3_000,
    b'{"combat_id": "1669412158-d5e74f94", "event_type": "message", "timestamp": NaN}',
]


def test_broken_lines_are_counted_and_kept(opened: combatlog.Ledger, take_in: Import) -> None:
    good = fight_of().encode().splitlines()
    done = take_in("fireball", b"\n".join([*good[:9], *BROKEN, *good[9:], good[0][:-20]]))
    assert sum(done.unread.values()) == len(BROKEN) + 1
    assert set(done.unread) == {"not JSON", "no combat_id"}
    unread = [note for note in all_of(opened, Noted) if note.about is NoteAbout.UNREAD]
    assert len(unread) == len(BROKEN) + 1
    assert (done.examples[0].line, done.examples[0].why) == (10, "not JSON")
    assert one_of(opened, Damaged).left == 1


def test_broken_lines_before_any_fight_are_kept_with_the_first(opened: combatlog.Ledger, take_in: Import) -> None:
    done = take_in("fireball", b"\n".join([*BROKEN[:3], fight_of().encode()]))
    assert (done.fights, done.unkept, done.unread) == (1, 0, {"no combat_id": 1, "not JSON": 2})
    unread = [note.text.strip() for note in all_of(opened, Noted) if note.about is NoteAbout.UNREAD]
    assert unread == [line.decode() for line in BROKEN[:3]]


def test_broken_lines_without_any_fight_are_only_counted(take_in: Import) -> None:
    done = take_in("fireball", b"\n".join(BROKEN[:3]))
    assert (done.fights, done.events, done.unkept, done.unread) == (0, 0, 3, {"no combat_id": 1, "not JSON": 2})


def _nested(deep: int) -> dict[str, Any]:
    node: dict[str, Any] = {"type": "text", "text": "deep"}
    for _ in range(deep):
        node = {"type": "condition", "children": [node]}
    return node


HOSTILE = [
    line("message", author_name=None, author_bot=None, content=None),
    line("message", author_name="\x00\x1b[31m\u202e", content="\x00" * 10, embeds=None),
    line("message", author_name="A" * 10_000, content="B" * 50_000, embeds=[]),
    line("message", author_name="Avrae", author_bot=True, content="", embeds=[None, 7, {"title": 7}, {"title": "x!"}]),
    line("combat_state_update", data=None),
    line("combat_state_update", data={"combatants": [None, 7, {}, {"id": 7, "name": 7}], "round": "x", "current": 99}),
    line(
        "combat_state_update",
        data={"combatants": [{**snig(), "hp": 10**30, "init": "first"}], "round": -4, "current": 0},
    ),
    line(
        "combat_state_update",
        data={"combatants": [{**snig(), "name": "gm", "id": "gm"}], "round": 10**12, "current": 0},
    ),
    line(
        "combat_state_update",
        data={"combatants": [{**snig(), "name": "💥", "id": "boom", "effects": [None, {"name": ""}]}]},
    ),
    line(
        "combat_state_update",
        data={"combatants": [{"type": "group", "combatants": [{"type": "group"}]}]},
        human_readable=7,
    ),
    line("automation_run", automation_result=None, caster=None, targets=None),
    line("automation_run", automation_result=_nested(150), caster=[], targets=[None, 7]),
    line("automation_run", automation_result={"type": ["x"], "children": {"a": 1}, "results": [[]]}, caster={"id": []}),
    line("automation_run", automation_result=on(SNIG, attack("1d20 (" * 99, 10**20, True)), caster=rurik()),
    line("sneeze"),
    line("combat_end"),
    line("combat_end"),
    line("button_press", button_label=[1]),
]


def test_hostile_lines_end_nothing(opened: combatlog.Ledger, take_in: Import) -> None:
    done = take_in("fireball", BOTH + "".join(HOSTILE) + fight_of("another"))
    assert done.fights == 2
    assert all(report.stands for report in opened.verify())
    assert one_of(opened, Damaged, "FIREBALL another").left == 1
    assert opened.sql("SELECT count(*) FROM encounters").rows[0][0] == 2
    assert take_in("fireball", BOTH.replace("x", "x"), "nothing.jsonl").unread == {}


def test_a_line_that_is_too_long_is_passed_over(
    opened: combatlog.Ledger, take_in: Import, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_run, "_LONGEST_LINE", 5_000)
    done = take_in("fireball", BOTH + said("A" * 20_000) + fight_of())
    assert done.unread == {"too long": 1}
    assert one_of(opened, Damaged).left == 1


def test_verify_names_rolls_that_do_not_add_up(opened: combatlog.Ledger, take_in: Import) -> None:
    take_in("fireball", BOTH + run(rurik(), [snig()], on(SNIG, attack("1d20 (9) + 5 = `15`", 15, True))))
    (report,) = opened.verify([NAME])
    assert report.stands
    assert [finding.problem for finding in report.findings] == [
        "its dice and modifiers add up to 14, but its total is 15"
    ]


# Next to native fights


def test_imported_and_native_fights_answer_one_question(opened: combatlog.Ledger, whole: combatlog.ImportedLog) -> None:
    fight = opened.new("bridge", dice="table", options={"campaign": "Riverlands"})
    fight.join("fighter", "Rurik", (1, 1))
    fight.join("goblin", "Snig", (2, 1), side="foes")
    fight.start(dice=[20, 10])
    fight.do("rurik", "attack")
    fight.do("rurik", "strike", target="snig", dice=[2])
    (hits,) = opened.statistics("hits", campaign="Riverlands")
    assert [(row.actor, row.attacks, row.hits) for row in hits.rows] == [("rurik", 2, 1)]
    query = "SELECT ruleset, count(*) FROM attacks JOIN encounters USING (encounter) GROUP BY 1 ORDER BY 1"
    assert [tuple(row) for row in opened.sql(query).rows] == [("dnd5e", 1), ("recorded", 1)]


def test_everything_else_works_on_it(opened: combatlog.Ledger, whole: combatlog.ImportedLog, tmp_path: Path) -> None:
    fight = opened.fight(NAME)
    assert fight.seen_by().report().rounds == 1
    assert fight.seen_by().explain(one_of(opened, AttackResolved).seq).path
    assert fight.seal().seq == len(fight.events())
    assert [entry.name for entry in opened.list()] == [NAME]
    fight.label("practice")
    lines = "".join(f"{exported}\n" for exported in opened.export([NAME]))
    (tmp_path / "export.jsonl").write_text(lines)
    with (tmp_path / "export.jsonl").open("rb") as file:
        assert opened.import_events(file).events == 0
    assert opened.export_tables(tmp_path / "tables")
    fork = fight.fork("what if", at=5)
    assert len(fork.events()) > 5


def test_taking_back_that_somebody_joined_takes_what_they_did_with_it(
    opened: combatlog.Ledger, whole: combatlog.ImportedLog
) -> None:
    """Without Snig nobody can be hurt or grin. Whoever corrects the log decides what becomes of such lines."""
    fight = opened.fight(NAME)
    joined = all_of(opened, CombatantJoined)[1]
    undecided = fight.plan(Undo(joined.seq)).undecided
    assert undecided is not None
    assert (undecided.code, undecided.facts["because"]) == ("correction/impossible", "recorded/no-rules")
    fight.apply(fight.plan(Undo(joined.seq, impossible="drop")))
    assert set(fight.state().combatants) == {"rurik"}
    standing = fight.events(standing=True)
    assert [note.text for note in standing if isinstance(note, Noted)][-1] == "*And that was that.*"
    assert not [event for event in standing if isinstance(event, Damaged)]
    (report,) = opened.verify([NAME])
    assert report.findings == []


def test_damage_can_be_taken_back_and_later_numbers_stay_as_the_log_has_them(
    opened: combatlog.Ledger, whole: combatlog.ImportedLog
) -> None:
    fight = opened.fight(NAME)
    fight.apply(fight.plan(Undo(one_of(opened, Damaged).seq, reason="it was a miss")))
    assert fight.state().combatants["snig"].vitals["hp"].current == 7
    assert [condition.name for condition in fight.state().combatants["rurik"].conditions.values()] == ["frightened"]
    (report,) = opened.verify([NAME])
    assert report.findings == []
