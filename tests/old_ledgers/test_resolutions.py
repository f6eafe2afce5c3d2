"""Rules that resolve a stored fight differently have a new version. So `verify` can tell old rules from tampering."""

from __future__ import annotations

import pytest

from rules.dnd5e.abilities.dodge import Dodge
from rules.engine import ruleset as rulesets
from tests.old_ledgers.resolutions import changed, resolved_now, written_down

RULESETS = ("action_points", "dnd5e", "recorded", "skirmish")


def test_the_stored_fights_resolve_as_this_version_resolved_them() -> None:
    different = changed(written_down(), resolved_now())
    assert different == [], (
        "The rules have changed: raise `Ruleset.version`, and run `python -m tests.old_ledgers.resolutions`"
    )


def test_every_stored_fight_is_written_down_for_the_version_of_today() -> None:
    """If this fails, run `python -m tests.old_ledgers.resolutions`."""
    then = written_down()
    missing = [
        f"{version}: {name}"
        for version, fights in resolved_now().items()
        for name in fights
        if name not in then.get(version, {})
    ]
    assert missing == []
    assert {version.split()[0] for version in then} == set(RULESETS)


def test_a_changed_rule_is_noticed_until_the_version_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Dodge, "perform", lambda *_: None)
    assert [fight for fight in changed(written_down(), resolved_now()) if "Old bridge" in fight]
    monkeypatch.setattr(rulesets.find("dnd5e"), "version", "changed")
    assert changed(written_down(), resolved_now()) == []
