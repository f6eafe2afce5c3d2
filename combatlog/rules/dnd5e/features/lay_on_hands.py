from __future__ import annotations

from pydantic import Field

from combatlog.rules.dnd5e.archetypes.healing import UNHEALABLE
from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.economy import ACTION, require
from combatlog.rules.dnd5e.pieces import ActiveFeature, piece
from combatlog.rules.dnd5e.sheet import Sheet, sheet_of
from combatlog.rules.dnd5e.state import end_condition, is_dead
from combatlog.rules.dnd5e.vitality import HP, heal, maximum_hp
from combatlog.rules.engine.options import Options, Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant

REACH = 5
CURE = 5
"""What ending a poison costs."""
POISONED = "dnd5e:condition:poisoned"


class LayOnHandsOptions(Options):
    points: int | None = Field(
        default=None, ge=1, le=100, description="hit points to restore; as many as are missing if omitted"
    )
    cure: bool = Field(default=False, description="spend 5 points to end a poison instead")


@piece
class LayOnHands(ActiveFeature):
    """Spend the action to touch somebody and restore hit points from a pool, or to end a poison for 5 of them."""

    name = "lay_on_hands"
    cost = {ACTION: 1}
    tags = ("healing",)
    options = LayOnHandsOptions
    parts = frozenset({Part.TARGET})

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {self.name: 5 * sheet.level}

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        require(actor, {self.name: 1})

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        patient, said = _patient(table, actor, declared), LayOnHandsOptions.read(declared.options)
        if said.cure and not patient.has(POISONED):
            raise _in_vain("not-poisoned", f"{patient.name} is not poisoned", actor, patient)
        if not said.cure and not _missing(patient):
            raise _in_vain("unhurt", f"{patient.name} has all of its hit points", actor, patient)
        require(actor, {self.name: self._points(actor, patient, said)})

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        patient, said = _patient(table, actor, declared), LayOnHandsOptions.read(declared.options)
        points = self._points(actor, patient, said)
        table.spend(actor, self.name, points, self.name, self.ref)
        if said.cure:
            end_condition(table, patient, POISONED, "cured")
        else:
            heal(table, patient, points, "Lay on Hands", self.ref)

    def _points(self, actor: Combatant, patient: Combatant, said: LayOnHandsOptions) -> int:
        if said.cure:
            return CURE
        return said.points or min(_missing(patient), actor.economy.left(self.name))


def _missing(patient: Combatant) -> int:
    return max(0, maximum_hp(patient) - patient.vitals[HP].current)


def _patient(table: Table, actor: Combatant, declared: Declared) -> Combatant:
    """Whoever is touched: oneself, unless another target is named."""
    if len(declared.targets) > 1:
        raise Refusal(
            "lay-on-hands/one-target",
            "Lay on Hands takes one target.",
            who=actor.id,
            needed=1,
            found=list(declared.targets),
        )
    patient = table.combatant(declared.targets[0]) if declared.targets else actor
    feet = feet_between(actor, patient)
    if feet > REACH:
        raise Refusal(
            "lay-on-hands/out-of-reach",
            f"{patient.name} is {feet} feet away and has to be touched; move closer.",
            who=actor.id,
            target=patient.id,
            distance=feet,
            reach=REACH,
        )
    if is_dead(patient):
        raise _in_vain("dead", f"{patient.name} is dead", actor, patient)
    kind = sheet_of(patient).creature_type
    if kind in UNHEALABLE:
        raise _in_vain("no-effect", f"{patient.name}'s creature type is {kind}", actor, patient)
    return patient


def _in_vain(code: str, why: str, actor: Combatant, patient: Combatant) -> Refusal:
    return Refusal(f"lay-on-hands/{code}", f"{why}; Lay on Hands does nothing.", who=actor.id, target=patient.id)
