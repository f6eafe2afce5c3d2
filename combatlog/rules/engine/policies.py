"""Changing during a fight what a combatant does with reactions that it is offered."""

from __future__ import annotations

from pydantic import Field

from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.naming import known_id
from combatlog.rules.engine.options import Options
from combatlog.rules.engine.ruleset import Ruleset
from combatlog.rules.engine.table import Table
from ledger.events import Declared, PoliciesSet, Policy
from projections.battle import Battle

POLICIES = "core:reaction:policies"
ALL = "*"
"""All reactions that have no policy of their own."""


class Policies(Options):
    policies: dict[str, Policy] = Field(
        min_length=1, description="its policy for reactions from now on, by name; `*` for all others"
    )


def policy_name(rules: Ruleset, reaction: str) -> str:
    return reaction if reaction == ALL else rules.policy_name(reaction)


def settle_policies(battle: Battle, rules: Ruleset, said: Declaration, among: Battle) -> Declaration:
    known_id(battle, said.actor)
    given = Policies.read(said.options).policies
    policies = {policy_name(rules, one): policy.value for one, policy in given.items()}
    return said.model_copy(update={"options": {"policies": policies}})


def set_policies(table: Table, rules: Ruleset, declared: Declared) -> None:
    combatant = table.combatant(declared.actor)
    table.record(PoliciesSet, combatant=combatant.id, policies=Policies.read(declared.options).policies)
