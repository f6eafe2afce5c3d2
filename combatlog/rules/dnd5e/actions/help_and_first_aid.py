"""Help an ally, stabilize a dying creature, wake a sleeper, put out flames and stanch wounds."""

from __future__ import annotations

from combatlog.rules.dnd5e.combatant_state import afflict, end_condition, end_instance, is_dead, is_hostile
from combatlog.rules.dnd5e.conditions.durations_and_end_of_turn_saves import until_next_turn
from combatlog.rules.dnd5e.conditions.instances import Instance, instances_of
from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.economy import ACTION
from combatlog.rules.dnd5e.enums import Skill
from combatlog.rules.dnd5e.hit_points import DYING, become_stable
from combatlog.rules.dnd5e.pieces import Ability, piece
from combatlog.rules.dnd5e.saves_and_checks import resolve_check
from combatlog.rules.engine.options_and_validation import Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Declared
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

HELPED = "dnd5e:condition:helped"
HELP_REACH = 5


@piece
class Help(Ability):
    """Spend the action to give an ally advantage on its next attack against an enemy within 5 feet."""

    name = "help"
    cost = {ACTION: 1}
    tags = ("support",)
    parts = frozenset({Part.TARGET})

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        ally, enemy = _ally_and_enemy(table, declared)
        if ally is actor or is_hostile(actor, ally):
            raise Refusal(
                "help/not-an-ally",
                f"{ally.name} is not an ally of {actor.name}; name the ally first, then the enemy.",
                who=actor.id,
                target=ally.id,
            )
        if not is_hostile(actor, enemy) or is_dead(enemy):
            raise Refusal(
                "help/not-an-enemy",
                f"{enemy.name} is not a living enemy of {actor.name}; name the ally first, then the enemy.",
                who=actor.id,
                target=enemy.id,
            )
        feet = feet_between(actor, enemy)
        if feet > HELP_REACH:
            raise Refusal(
                "help/too-far",
                f"{enemy.name} is {feet} feet from {actor.name}, "
                f"who can help only within {HELP_REACH} feet; move closer.",
                who=actor.id,
                target=enemy.id,
                distance=feet,
                reach=HELP_REACH,
            )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        ally, enemy = _ally_and_enemy(table, declared)
        data = {"against": enemy.id}
        afflict(table, ally, HELPED, source=self.ref, owner=actor.id, until=until_next_turn(actor), data=data)


def _ally_and_enemy(table: Table, declared: Declared) -> tuple[Combatant, Combatant]:
    if len(declared.targets) != 2:
        raise Refusal(
            "help/two-targets",
            "Help takes two targets: the ally to help and then the enemy to attack.",
            who=declared.actor,
            needed=2,
            found=list(declared.targets),
        )
    return table.combatant(declared.targets[0]), table.combatant(declared.targets[1])


DIFFICULTY = 10
STABILIZE_REACH = 5


@piece
class Stabilize(Ability):
    """Spend the action to stabilize a dying creature within 5 feet: Medicine against DC 10."""

    name = "stabilize"
    cost = {ACTION: 1}
    tags = ("support", "healing")
    parts = frozenset({Part.TARGET})

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target = _dying_patient(table, declared)
        feet = feet_between(actor, target)
        if feet > STABILIZE_REACH:
            raise Refusal(
                "stabilize/out-of-reach",
                f"{target.name} is {feet} feet away "
                f"and {actor.name} can help only within {STABILIZE_REACH} feet; move closer.",
                who=actor.id,
                target=target.id,
                distance=feet,
                reach=STABILIZE_REACH,
            )
        if not target.has(DYING):
            raise Refusal("stabilize/not-dying", f"{target.name} is not dying.", who=actor.id, target=target.id)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if resolve_check(table, actor, Skill.MEDICINE, DIFFICULTY):
            become_stable(table, _dying_patient(table, declared), f"stabilized by {actor.name}", actor.id)


def _dying_patient(table: Table, declared: Declared) -> Combatant:
    if len(declared.targets) != 1:
        raise Refusal(
            "stabilize/one-target",
            "Stabilize takes one target: a dying creature.",
            who=declared.actor,
            needed=1,
            found=list(declared.targets),
        )
    return table.combatant(declared.targets[0])


ASLEEP = "dnd5e:condition:asleep"
WAKE_REACH = 5


@piece
class Wake(Ability):
    """Spend the action to shake a sleeper within 5 feet awake."""

    name = "wake"
    cost = {ACTION: 1}
    tags = ("support",)
    parts = frozenset({Part.TARGET})

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        near = (other for other in battle.present() if other is not actor and feet_between(actor, other) <= WAKE_REACH)
        if not any(other.has(ASLEEP) for other in near):
            raise Refusal(
                "wake/nobody", f"No creature within {WAKE_REACH} feet of {actor.name} is asleep.", who=actor.id
            )

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target = _sleeper(table, declared)
        if not target.has(ASLEEP):
            raise Refusal("wake/not-asleep", f"{target.name} is not asleep.", who=actor.id, target=target.id)
        feet = feet_between(actor, target)
        if feet > WAKE_REACH:
            raise Refusal(
                "wake/out-of-reach",
                f"{target.name} is {feet} feet away "
                f"and {actor.name} can wake only within {WAKE_REACH} feet; move closer.",
                who=actor.id,
                target=target.id,
                distance=feet,
                reach=WAKE_REACH,
            )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        end_condition(table, _sleeper(table, declared), ASLEEP, f"woken by {actor.name}")


def _sleeper(table: Table, declared: Declared) -> Combatant:
    if len(declared.targets) != 1:
        raise Refusal(
            "wake/one-target",
            "Wake takes one target: a sleeper.",
            who=declared.actor,
            needed=1,
            found=list(declared.targets),
        )
    return table.combatant(declared.targets[0])


SUFFERING = "dnd5e:condition:suffering"
PUT_OUT_REACH = 5


@piece
class PutOut(Ability):
    """Spend the action to put out flames or stanch a wound, on yourself or a creature within 5 feet."""

    name = "put_out"
    cost = {ACTION: 1}
    tags = ("support",)
    parts = frozenset({Part.TARGET})

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        near = [other for other in battle.present() if feet_between(actor, other) <= PUT_OUT_REACH]
        if not any(curable(other) for other in near):
            raise Refusal(
                "put-out/nobody",
                f"No creature within {PUT_OUT_REACH} feet of {actor.name} is burning or bleeding.",
                who=actor.id,
            )

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target = _burning_patient(table, actor, declared)
        feet = feet_between(actor, target)
        if feet > PUT_OUT_REACH:
            raise Refusal(
                "put-out/out-of-reach",
                f"{target.name} is {feet} feet away "
                f"and {actor.name} can help only within {PUT_OUT_REACH} feet; move closer.",
                who=actor.id,
                target=target.id,
                distance=feet,
                reach=PUT_OUT_REACH,
            )
        if not curable(target):
            raise Refusal(
                "put-out/not-suffering",
                f"{target.name} does not suffer from anything that an action can end.",
                who=actor.id,
                target=target.id,
            )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target = _burning_patient(table, actor, declared)
        instance = curable(target)[0]
        difficulty = instance.data.get("difficulty")
        if difficulty is None or resolve_check(table, actor, Skill.MEDICINE, difficulty):
            end_instance(table, target, SUFFERING, instance, f"put out by {actor.name}")


def curable(combatant: Combatant) -> list[Instance]:
    """The afflictions that an action can end."""
    held = combatant.conditions.get(SUFFERING)
    return [one for one in instances_of(held) if one.data.get("put_out")] if held is not None else []


def _burning_patient(table: Table, actor: Combatant, declared: Declared) -> Combatant:
    """The named target, or else the actor."""
    if len(declared.targets) > 1:
        raise Refusal(
            "put-out/one-target",
            "Put Out takes one target, or none to help the actor itself.",
            who=actor.id,
            needed=1,
            found=list(declared.targets),
        )
    return table.combatant(declared.targets[0]) if declared.targets else actor
