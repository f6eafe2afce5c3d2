"""What the GM does to combatants by the rules: the floor burns, a potion heals.

Unlike a ruling, which sets a value, it goes through the rules: resistances, concentration, falling, waking up.
"""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from combatlog.rules.engine.options import Options
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.ruleset import Ruleset
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant

HURT, HEAL = "core:gm:hurt", "core:gm:heal"


class Hurting(Options):
    amount: int = Field(ge=1, le=9999, description="points of damage")
    type: str | None = Field(default=None, max_length=40, description="the type of damage, such as fire")
    reason: str = Field(default="", max_length=2000, description="what hurts")


class Healing(Options):
    amount: int = Field(ge=1, le=9999, description="points that are healed")
    pool: str | None = Field(default=None, max_length=40, description="what is healed, if there are several pools")
    reason: str = Field(default="", max_length=2000, description="what heals")


def hurt(table: Table, rules: Ruleset, declared: Declared) -> None:
    hurting = Hurting.read(declared.options)
    for target in _targets(table, declared):
        rules.hurt(table, target, hurting.amount, hurting.type)
    rules.after_hurting(table)


def heal(table: Table, rules: Ruleset, declared: Declared) -> None:
    healing = Healing.read(declared.options)
    for target in _targets(table, declared):
        rules.heal(table, target, healing.amount, healing.pool, healing.reason or "the GM heals")


def _targets(table: Table, declared: Declared) -> Iterator[Combatant]:
    if not declared.targets:
        raise Refusal("target/nobody", "Name whom it is about.")
    return (table.combatant(target) for target in declared.targets)
