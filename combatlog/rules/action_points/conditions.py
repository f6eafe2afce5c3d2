"""Conditions: temporary states of a combatant, and their effects."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.action_points.checks import SkillAttempt, bonus
from combatlog.rules.action_points.economy_and_vitality import AIMED, FAT, PENDING_DAMAGE, lose_fat
from combatlog.rules.action_points.pieces import ActionPointsCondition, piece
from combatlog.rules.action_points.tables_and_formulas import AIM, WOUND, WOUND_ROUNDS
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.chain import Modifier
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Until, UntilMoment
from projections.battle import combatant as state
from projections.battle.combatant import Combatant


@piece
class ActionPointsDead(ActionPointsCondition):
    """VIT is 0. The dead are refused before conditions are checked, so this one has no effects."""

    name = "dead"


@piece
class ActionPointsUnconscious(ActionPointsCondition):
    """Unconscious at FAT 0, until the end of a round in which there is FAT again."""

    name = "unconscious"
    lasts = True

    def forbids_acting(self, owner: Combatant) -> Refusal | None:
        return Refusal(
            "state/unconscious",
            f"{owner.name} has passed out and wakes up at the end of a round in which it has FAT.",
            who=owner.id,
        )


@piece
class Unfocused(ActionPointsCondition):
    """Has failed a Focus check in this turn. Actions that need Focus are refused until the turn ends."""

    name = "unfocused"


@piece
class Delayed(ActionPointsCondition):
    """Has delayed its turn, which is possible once per round."""

    name = "delayed"


@piece
class RestingThisRound(ActionPointsCondition):
    """Resting for the rest of the round."""

    name = "resting"

    def forbids_acting(self, owner: Combatant) -> Refusal | None:
        return Refusal("rest/resting", f"{owner.name} is resting and can act again in the next round.", who=owner.id)


@piece
class Sprinting(ActionPointsCondition):
    """Sprinting for the whole round, with no time for anything else."""

    name = "sprinting"

    def forbids_acting(self, owner: Combatant) -> Refusal | None:
        return Refusal(
            "move/sprinting",
            f"{owner.name} is sprinting for the whole round and can act again in the next one.",
            who=owner.id,
        )


@piece
class Parrying(ActionPointsCondition):
    """In parry mode, in which the reaction `parry` is free."""

    name = "parrying"


@piece
class Disarmed(ActionPointsCondition):
    """Has lost the weapons named in its data."""

    name = "disarmed"


@piece
class Wounded(ActionPointsCondition):
    """Its level is the number of wounds. Each hinders every skill and costs FAT at the end of every second round."""

    name = "wounded"
    lasts = True

    def on_skill(self, attempt: SkillAttempt, held: state.Condition) -> Iterator[Modifier]:
        wounds = held.level or 1
        reason = "a wound" if wounds == 1 else f"{wounds} wounds"
        yield bonus("wounds", "condition:wounded", attempt.user, reason, WOUND * wounds)

    def at_round_end(self, table: Table, owner: Combatant, held: state.Condition) -> None:
        if table.battle.clock.round % WOUND_ROUNDS == 0:
            lose_fat(table, owner, held.level or 1, self.ref)


@piece
class ActionPointsBlessed(ActionPointsCondition):
    """A bonus to every skill equal to its level."""

    name = "blessed"

    def on_skill(self, attempt: SkillAttempt, held: state.Condition) -> Iterator[Modifier]:
        yield bonus("effects", "condition:blessed", attempt.user, self.name, held.level or 1)


@piece
class Hampered(ActionPointsCondition):
    """A penalty to every skill equal to its level."""

    name = "hampered"

    def on_skill(self, attempt: SkillAttempt, held: state.Condition) -> Iterator[Modifier]:
        yield bonus("effects", "condition:hampered", attempt.user, self.name, -(held.level or 1))


@piece
class OffBalance(ActionPointsCondition):
    """A penalty to attacks equal to its level, after a blow with too little strength."""

    name = "off_balance"

    def on_skill(self, attempt: SkillAttempt, held: state.Condition) -> Iterator[Modifier]:
        if attempt.purpose == "attack":
            yield bonus("effects", "condition:off_balance", attempt.user, "off balance", -(held.level or 1))


@piece
class ActionPointsPoisoned(ActionPointsCondition):
    """Adds its level to the pending FAT damage at the end of each round."""

    name = "poisoned"
    lasts = True

    def at_round_end(self, table: Table, owner: Combatant, held: state.Condition) -> None:
        table.gain(owner, PENDING_DAMAGE[FAT], held.level or 1, self.name, self.ref)


@piece
class Aiming(ActionPointsCondition):
    """Aiming at the target named in its data. At the end of the round, this becomes `aimed`."""

    name = "aiming"

    def at_round_end(self, table: Table, owner: Combatant, held: state.Condition) -> None:
        table.remove_condition(owner, held.ref, "the aim is taken")
        until = Until(moment=UntilMoment.ROUND_END, round=table.battle.clock.round + 1)
        table.apply_condition(owner, AIMED, source=held.source, owner=owner.id, until=until, data=held.data)


@piece
class Aimed(ActionPointsCondition):
    """A bonus to a shot at the target named in its data. Any other action and any damage end it."""

    name = "aimed"

    def on_skill(self, attempt: SkillAttempt, held: state.Condition) -> Iterator[Modifier]:
        is_shot = attempt.purpose == "attack" and attempt.weapon is not None and not attempt.weapon.is_melee
        if is_shot and attempt.target is not None and attempt.target.id == held.data.get("target"):
            yield bonus("effects", "condition:aimed", attempt.user, f"aimed at {attempt.target.id}", AIM)
