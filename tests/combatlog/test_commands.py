"""Commands through the public interface: what they record, and what they return."""

from __future__ import annotations

import json
from pathlib import Path
from uuid import uuid4

import pytest

import combatlog
from combatlog.events import Declared, EncounterOpened, ReactionChosen, ReactionDeclined
from combatlog.messages.commands import Note
from combatlog.messages.ledger_commands import Open
from combatlog.messages.requests import Auto, Fork
from combatlog.testing import Drill, all_of, only


def test_an_outcome_is_its_events_and_a_state_that_stays(fight: combatlog.RecordedFight) -> None:
    first = fight.do("snig", "attack")
    second = fight.do("snig", "strike", target="rurik", dice=[2], replies={"osric": None})
    assert [event.seq for event in first] == [event.seq for event in first.events]
    assert first[-1].seq + 1 == second[0].seq
    assert first.state.combatants["snig"].economy.left("attacks") == 1
    assert second.state.combatants["snig"].economy.left("attacks") == 0
    assert fight.outcome is second


def test_a_window_waits_and_stays_as_it_was(fight: combatlog.RecordedFight) -> None:
    fight.do("snig", "attack")
    paused = fight.do("snig", "strike", target="rurik", dice=[])
    assert paused.window is not None
    answered = fight.react("osric", "protection", dice=[15, 8])
    assert answered.window is None
    assert paused.window.waiting is not None
    assert paused.window.waiting.reactor == "osric"
    assert only(answered, ReactionChosen).by == "osric"


def test_answers_known_beforehand(fight: combatlog.RecordedFight) -> None:
    fight.do("snig", "attack")
    command = uuid4()
    reply = combatlog.Reply(reactor="osric", by="Ann")
    outcome = fight.do("snig", "strike", target="rurik", dice=[2], replies=[reply], command_id=command)
    declined = only(outcome, ReactionDeclined)
    assert (declined.by, declined.command) == ("Ann", only(outcome, Declared).command)


def test_who_said_it_and_under_which_id(fight: combatlog.RecordedFight) -> None:
    command = uuid4()
    once = fight.do("snig", "dodge", by="Ann", command_id=command)
    assert only(once, Declared).by == "Ann"
    twice = fight.do("snig", "dodge", by="Ann", command_id=command)
    assert (once.repeated, twice.repeated, len(twice)) == (False, True, 0)
    assert twice.state.combatants["snig"].conditions


def test_the_commands_of_every_ruleset(fight: combatlog.RecordedFight) -> None:
    fight.end_turn("snig")
    fight.rule("rurik", set={"hp": 5}, add=["prone"], to=(5, 5), note="splash", reason="the bridge gave way")
    rurik = fight.state().combatants["rurik"]
    assert (rurik.vitals["hp"].current, rurik.position) == (5, (5, 5))
    assert [condition.name for condition in rurik.conditions.values()] == ["prone"]
    fight.rule("rurik", remove=["prone"], reason="he got up")
    fight.leave("snig", reason="fled into the reeds")
    assert not fight.state().combatants["snig"].present
    fight.conclude(reason="nobody is left to fight")
    assert fight.state().clock.closed


def test_how_a_fight_is_opened(opened: combatlog.Ledger, tmp_path: Path) -> None:
    (tmp_path / "map.txt").write_text("..#\n...\n")
    drawn = opened.new("drawn", map=tmp_path / "map.txt", options={"diagonals": "5-10-5"}, by="Ann")
    written = opened.new("written", map="..#\n...")
    rows = opened.new("rows", map=["..#", "..."])
    assert [fight.state().encounter.map for fight in (drawn, written, rows)] == [("..#", "...")] * 3
    assert drawn.outcome is not None
    opening = only(drawn.outcome, EncounterOpened)
    assert (opening.by, opening.options["diagonals"]) == ("Ann", "5-10-5")


def test_a_sheet_by_name_from_a_file_or_as_data(opened: combatlog.Ledger, tmp_path: Path) -> None:
    fight = opened.new("guests")
    abilities = {"str": 10, "dex": 10, "con": 10, "int": 10, "wis": 10, "cha": 10}
    sheet = tmp_path / "guard.json"
    sheet.write_text(json.dumps({"name": "Guard", "nature": "monster", "hp": 9, "ac": 12, "abilities": abilities}))
    fight.join(sheet)
    fight.join({"name": "Cook", "nature": "monster", "hp": 5, "ac": 10, "abilities": abilities})
    fight.join("goblin", reactions={"*": "never"}, controller="player")
    hp = {name: combatant.vitals["hp"].current for name, combatant in fight.state().combatants.items()}
    assert hp == {"guard": 9, "cook": 5, "goblin": 7}
    assert fight.state().combatants["goblin"].policies == {"*": "never"}


def test_an_unknown_fight_is_refused_at_once(opened: combatlog.Ledger) -> None:
    with pytest.raises(combatlog.Problem) as caught:
        opened.fight("nowhere")
    assert caught.value.code == "ledger/unknown-encounter"


def test_a_fight_by_name_by_id_and_in_the_list(opened: combatlog.Ledger, fight: combatlog.RecordedFight) -> None:
    assert opened.fight("bridge").id == opened.fight(fight.id).id == opened.fight(fight).id == fight.id
    assert [(listed.name, listed.encounter) for listed in opened.list()] == [("bridge", fight.id)]


def test_a_side_plays_itself_step_by_step(opened: combatlog.Ledger) -> None:
    fight = opened.new("duel", dice="seed:3")
    fight.join("fighter", "Rurik", (1, 1))
    fight.join("goblin", "Snig", (2, 1), side="foes")
    fight.start()
    turn = fight.battle.clock.turn
    steps = list(fight.auto())
    assert {step.who for step in steps} == {turn}
    assert steps[-1].ends_turn
    assert [event for step in steps for event in step.events] == fight.events(first=steps[0].events[0].seq)
    list(fight.auto(to_end=True))
    assert fight.state().clock.closed


def test_automatic_play_with_a_key_is_done_once(opened: combatlog.Ledger) -> None:
    fight = opened.new("duel", dice="seed:3")
    fight.join("fighter", "Rurik", (1, 1), overrides={"hp": 500})
    fight.join("ogre", "Oog", (2, 1), side="foes", overrides={"hp": 500})
    fight.start()
    key = uuid4()
    first = fight.send(Auto(turns=2), command_id=key)
    fight.note("Somebody speaks meanwhile.")
    before = fight.history()
    for again in (fight.send(Auto(turns=2), command_id=key), [*fight.auto(turns=2, command_id=key)]):
        assert [step.to_json() for step in again] == [step.to_json() for step in first]
    for other in (Auto(turns=1), Auto(sides=["foes"], turns=2), Note("It rains.")):
        with pytest.raises(combatlog.Refusal) as caught:
            fight.send(other, command_id=key)
        assert caught.value.code == "command/key-reused"
    assert fight.history() == before
    assert fight.verify().findings == []


def test_fights_are_opened_and_forked_by_message(opened: combatlog.Ledger) -> None:
    key = uuid4()
    fight = opened.send(Open("Mill", dice="table", labels=["practice"]), command_id=key)
    assert (fight.state().name, fight.state().labels) == ("Mill", ("practice",))
    assert opened.send(Open("Mill", dice="table", labels=["practice"]), command_id=key).outcome.repeated
    fork = opened.send(Fork("What if", at=1), fight="Mill")
    assert (fork.id, fork.state().name) == (opened.fight("What if").id, "What if")
    for refused in (lambda: fight.send(Fork("What if")), lambda: Drill().send(Fork("Nowhere"))):
        with pytest.raises(combatlog.Problem) as caught:
            refused()
        assert caught.value.code in ("ledger/name-taken", "fight/not-recorded")


def test_nobody_plays_itself_with_dice_from_the_table_while_somebody_is_asked(fight: combatlog.RecordedFight) -> None:
    fight.do("snig", "attack")
    fight.do("snig", "strike", target="rurik", dice=[])
    before = fight.history()
    assert fight.battle.window is not None
    with pytest.raises(combatlog.Refusal) as caught:
        list(fight.auto(turns=1))
    assert caught.value.code == "auto/table-dice"
    assert fight.history() == before


def test_what_is_refused_leaves_nothing_and_has_a_code(fight: combatlog.RecordedFight) -> None:
    before = fight.history()
    with pytest.raises(combatlog.Refusal) as caught:
        fight.do("rurik", "strike", target="snig")
    assert caught.value.code == "turn/other"
    assert fight.history() == before


# Other processes


def test_what_another_process_recorded_is_known_to_the_next_command(
    fight: combatlog.RecordedFight, database: str
) -> None:
    """A session that does not know of it would refuse: it thinks that it is still Snig's turn."""
    with combatlog.open(database) as elsewhere:
        elsewhere.fight("bridge").end_turn("snig")
    assert all_of(fight.do("rurik", "dodge"), Declared)[0].turn == "rurik"


def test_what_another_process_recorded_is_known_to_questions(fight: combatlog.RecordedFight, database: str) -> None:
    assert not any(choice.why_not is None for section in fight.seen_by().actions("rurik") for choice in section.choices)
    with combatlog.open(database) as elsewhere:
        elsewhere.fight("bridge").end_turn("snig")
    assert any(choice.why_not is None for section in fight.seen_by().actions("rurik") for choice in section.choices)
    assert fight.state().clock.turn == "rurik"


def test_a_refusal_stands_where_nothing_has_changed(fight: combatlog.RecordedFight, database: str) -> None:
    with combatlog.open(database) as elsewhere:
        elsewhere.fight("bridge").rule(note="no matter", reason="only so that something is new")
    with pytest.raises(combatlog.Refusal) as caught:
        fight.do("rurik", "dodge")
    assert caught.value.code == "turn/other"


def test_a_short_form_that_is_repeated_does_nothing(fight: combatlog.RecordedFight) -> None:
    command = uuid4()
    assert not fight.hit("rurik", dice=[15, 4], replies={"osric": None}, command_id=command).repeated
    again = fight.hit("rurik", dice=[15, 4], replies={"osric": None}, command_id=command)
    assert (again.repeated, again.events) == (True, ())
    with pytest.raises(combatlog.Refusal):
        fight.hit("rurik", dice=[15, 4], command_id=uuid4())
