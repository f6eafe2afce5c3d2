"""What actions take: `reference` for any ruleset, `actions --options` for a combatant."""

from __future__ import annotations

import json

import pytest

from cli.render.content import print_entries
from combatlog.rules.content.reference import entries_called, reference
from combatlog.rules.engine import ruleset as rulesets
from tests.cli.conftest import Run

RULESETS = ("dnd5e", "action_points", "skirmish")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_reference_lists_everything_of_a_ruleset(run: Run, ruleset: str) -> None:
    listed = run("reference", "--ruleset", ruleset)
    known = reference(rulesets.find(ruleset))
    assert listed.status == 0
    assert [entry.name for entry in known if entry.name not in listed.out] == []
    assert json.loads(run("reference", "--ruleset", ruleset, "--json").out)[0]["name"] == known[0].name


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_entry_can_be_looked_up(ruleset: str, capsys: pytest.CaptureFixture[str]) -> None:
    entries = reference(rulesets.find(ruleset))
    for name in {entry.name for entry in entries}:
        print_entries(entries_called(entries, name))
        shown = capsys.readouterr().out
        assert shown.startswith(name)
        assert "None" not in shown


def test_a_name_may_begin_with_a_hyphen(run: Run) -> None:
    assert run("reference", "--", "-no-such-name").code == "reference/unknown"


def test_an_entry_shows_its_parts_and_options_as_they_are_typed(run: Run) -> None:
    shown = run("reference", "rule").out
    assert "--target COMBATANT" in shown
    assert "text (required): " in shown
    assert "combatlog rule --help" in shown
    (entry,) = json.loads(run("reference", "rule", "--json").out)
    assert entry["parts"] == ["target"]
    assert {"name": "reason", "required": True}.items() <= entry["options"][0].items()


def test_a_mistyped_name_is_answered_with_suggestions(run: Run) -> None:
    refused = run("reference", "magic_misile")
    assert (refused.status, refused.code) == (1, "reference/unknown")
    assert "Did you mean magic_missile?" in refused.err
    assert json.loads(run("reference", "magic_misile", "--json").err)["facts"]["suggestions"] == ["magic_missile"]


def test_an_unknown_ruleset(run: Run) -> None:
    assert run("reference", "--ruleset", "chess").code == "ruleset/unknown"


def test_the_options_of_a_combatants_actions(bridge: Run) -> None:
    plain = bridge("actions", "bridge", "snig")
    with_options = bridge("actions", "bridge", "snig", "--options")
    assert "repeat it for several" not in plain.out
    assert "target; repeat it for several" in with_options.out
    assert "strike" in plain.out
    sections = json.loads(bridge("actions", "bridge", "snig", "--options", "--json").out)
    takes = {choice["name"]: choice["takes"] for section in sections for choice in section["choices"]}
    assert takes["strike"]["ref"] == "dnd5e:action:strike"
    assert takes["strike"]["kind"] == "action"


def test_the_menu_has_the_same_facts_as_fields(bridge: Run) -> None:
    sections = json.loads(bridge("actions", "bridge", "snig", "--json").out)
    choices = {choice["name"]: choice for section in sections for choice in section["choices"]}
    assert list(choices["dash"]) == ["name", "cost", "note", "why_not", "effects", "takes"]
    scimitar = choices["melee_attack"]["effects"][0]
    assert (scimitar["weapon"], scimitar["to_hit"], scimitar["damage"]) == ("scimitar", "+4", "1d6+2 slashing")
    # +4 against 16 needs 12 and more, against 18 it needs 14 and more.
    assert scimitar["in_reach"] == [{"who": "rurik", "chance": 0.45}, {"who": "osric", "chance": 0.35}]


def test_one_action_of_a_combatant(bridge: Run) -> None:
    shown = bridge("actions", "bridge", "snig", "Strike").out
    assert "strike" in shown
    assert "dash" not in shown
    (section,) = json.loads(bridge("actions", "bridge", "snig", "strike", "--json").out)
    assert [choice["name"] for choice in section["choices"]] == ["strike"]
    assert bridge("actions", "bridge", "snig", "strik").code == "reference/unknown"


def test_what_keeps_a_combatant_from_everything_is_said_once(bridge: Run) -> None:
    lines = [line.strip() for line in bridge("actions", "bridge", "rurik").out.splitlines()]
    assert lines.count("It is Snig's turn, not Rurik's.") == 1
    assert lines[lines.index("It is Snig's turn, not Rurik's.") - 1] == "Not now"
    assert lines[lines.index("It is Snig's turn, not Rurik's.") + 1].startswith("attack, dash, disengage, dodge")


def test_with_options_too_a_reason_is_said_once(bridge: Run) -> None:
    shown = bridge("actions", "bridge", "rurik", "--options").out
    assert shown.count("It is Snig's turn, not Rurik's.") == 1
    assert "--target COMBATANT" in shown
