"""The reference of what can be declared."""

import pytest

from combatlog.rules.content.reference import ReferenceEntryKind, entries_called, reference
from combatlog.rules.engine.options_and_validation import Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.ruleset import find

RULESETS = ("dnd5e", "action_points", "skirmish")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_action_and_reaction_of_a_ruleset_has_an_entry(ruleset):
    rules = find(ruleset)
    entries = reference(rules)
    by_kind = {kind: {entry.ref for entry in entries if entry.kind is kind} for kind in ReferenceEntryKind}
    assert by_kind[ReferenceEntryKind.ACTION] == set(rules.action_refs().values())
    assert by_kind[ReferenceEntryKind.REACTION] == set(rules.reaction_refs().values())


def test_core_actions_show_their_parts_and_options():
    [ruling] = entries_called(reference(find("dnd5e")), "rule")
    assert ruling.kind is ReferenceEntryKind.CORE_ACTION
    assert ruling.parts == (Part.TARGET,)
    reason = ruling.options[0]
    assert (reason.name, reason.required, reason.takes) == ("reason", True, "text")


def test_what_only_corrections_declare_is_not_shown():
    assert "uphold" not in {entry.name for entry in reference(find("dnd5e"))}


def test_joining_takes_a_name():
    [join] = entries_called(reference(find("dnd5e")), "join")
    assert "name" in {field.name for field in join.options}


@pytest.mark.parametrize("written", ["end-turn", "End Turn", "core:time:end-turn"])
def test_an_entry_is_found_by_its_name_or_ref(written):
    assert [entry.ref for entry in entries_called(reference(find("dnd5e")), written)] == ["core:time:end-turn"]


def test_an_unknown_name_is_refused_with_a_suggestion():
    with pytest.raises(Refusal) as refused:
        entries_called(reference(find("dnd5e")), "stirke")
    assert refused.value.code == "reference/unknown"
    assert refused.value.facts["suggestions"] == ["strike"]
