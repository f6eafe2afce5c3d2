"""Rules that resolve a stored fight differently have a new version. So `verify` can tell old rules from tampering."""

from __future__ import annotations

import pytest

from combatlog.rules.dnd5e.actions.dash_disengage_dodge_hide import Dodge
from combatlog.rules.engine import ruleset as rulesets
from tests.old_ledgers.resolutions import changed, resolved_now, written_down

RULESETS = ("action_points", "dnd5e", "recorded", "skirmish")


def test_every_stored_fight_resolves_as_this_version_resolved_it() -> None:
    """If one is missing, run `python -m tests.old_ledgers.resolutions`."""
    then, now = written_down(), resolved_now()
    assert changed(then, now) == [], (
        "The rules have changed: raise `Ruleset.version`, and run `python -m tests.old_ledgers.resolutions`"
    )
    missing = [
        f"{version}: {name}" for version, fights in now.items() for name in fights if name not in then.get(version, {})
    ]
    assert missing == []
    assert {version.split()[0] for version in then} == set(RULESETS)


def test_a_changed_rule_is_noticed_until_the_version_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Dodge, "perform", lambda *_: None)
    assert changed(written_down(), resolved_now(only="Old bridge"))
    monkeypatch.setattr(rulesets.find("dnd5e"), "version", "changed")
    assert changed(written_down(), resolved_now(only="Old bridge")) == []
