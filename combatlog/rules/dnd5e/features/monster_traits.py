"""Traits of monsters: Aggressive, Flyby, Pack Tactics, Parry, Reactive, swarms, special senses, Undead Fortitude."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.attack.phases import ROLLED
from combatlog.rules.dnd5e.attack.targeting import ally_beside
from combatlog.rules.dnd5e.battlemap.movement import check_can_move, check_steps, path_costs, speed_of, walk
from combatlog.rules.dnd5e.battlemap.paths import path_declared
from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import can_see
from combatlog.rules.dnd5e.battlemap.space import steps_from
from combatlog.rules.dnd5e.combatant_state import is_dead, is_hostile
from combatlog.rules.dnd5e.contexts import Attack, Harm
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.economy import BONUS_ACTION, REACTION, renew
from combatlog.rules.dnd5e.enums import AbilityScore, DamageType
from combatlog.rules.dnd5e.hit_points import heal
from combatlog.rules.dnd5e.modifiers import advantage, bonus
from combatlog.rules.dnd5e.pieces import ActiveFeature, Feature, Reaction, piece
from combatlog.rules.dnd5e.saves_and_checks import resolve_save
from combatlog.rules.engine.options_and_validation import Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.chain import Modifier
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Declared, Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle


@piece
class Aggressive(ActiveFeature):
    """Spend the bonus action to move up to your speed towards an enemy in sight."""

    name = "aggressive"
    cost = {BONUS_ACTION: 1}
    tags = ("movement",)
    parts = frozenset({Part.DESTINATION})

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        check_can_move(actor)

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        battle, path = table.battle, path_declared(table.battle, actor, declared)
        check_steps(battle, actor, path)
        cost, speed = sum(path_costs(battle, actor, path)), speed_of(actor)
        if cost > speed:
            raise Refusal(
                "aggressive/too-far",
                f"That path costs {cost} feet and {actor.name}'s speed is {speed}; choose a nearer square.",
                who=actor.id,
                needed=cost,
                available=speed,
            )
        if not _comes_nearer(battle, actor, path[-1]):
            raise Refusal(
                "aggressive/not-nearer",
                f"{actor.name} has to move closer to an enemy in sight; choose a square nearer to one.",
                who=actor.id,
                destination=path[-1],
            )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        walk(table, actor, path_declared(table.battle, actor, declared), self.name, pays=False)


def _comes_nearer(battle: Battle, actor: Combatant, to: Position) -> bool:
    here = actor.position
    if here is None:
        return False
    enemies = [other for other in battle.present() if is_hostile(actor, other) and not is_dead(other)]
    seen = [enemy for enemy in enemies if enemy.position is not None and can_see(battle, actor, enemy)]
    return any(steps_from(to, actor, enemy) < steps_from(here, actor, enemy) for enemy in seen)


@piece
class Flyby(Feature):
    """Provoke no opportunity attacks when moving out of an enemy's reach."""

    name = "flyby"

    def slips_away(self, owner: Combatant) -> bool:
        return True


@piece
class PackTactics(Feature):
    """Advantage on attacks against a target that has one of the attacker's allies next to it."""

    name = "pack_tactics"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        ally = ally_beside(attack, owner)
        if attack.attacker is owner and ally is not None:
            yield advantage(owner.id, self.ref, f"{ally.name} is next to {attack.target.name}", stage="features")


@piece
class Parry(Feature, Reaction[Attack]):
    """Add your proficiency bonus to your armour class against a melee attack that would hit."""

    name = "parry"
    moments = (ROLLED,)

    def obstacle(self, context: Attack, reactor: Combatant) -> str | None:
        if context.target is not reactor:
            return f"{reactor.name} is not the target"
        if not context.melee:
            return "only melee attacks can be parried"
        if not context.hits:
            return "the attack misses anyway"
        if not any(not weapon.is_ranged and not weapon.is_unarmed for weapon in sheet_of(reactor).weapons):
            return f"{reactor.name} has no melee weapon"
        if not can_see(context.battle, reactor, context.attacker):
            return f"{reactor.name} cannot see {context.attacker.name}"
        return None

    def is_useful(self, context: Attack, reactor: Combatant) -> bool:
        return context.natural != 20 and context.total < context.armor_class + _added(reactor)

    def react(self, table: Table, context: Attack, reactor: Combatant, paid: dict[str, int]) -> None:
        context.chosen[reactor.id] = self.ref

    def on_armor_class(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.chosen.get(owner.id) == self.ref:
            yield bonus("features", self.ref, owner.id, "Parry", _added(owner))


def _added(owner: Combatant) -> int:
    """The bonus of a parry: for all printed creatures, it equals the proficiency bonus."""
    return sheet_of(owner).proficiency_bonus


@piece
class Reactive(Feature):
    """Have one reaction per turn instead of one per round."""

    name = "reactive"

    def at_any_turn_start(self, table: Table, owner: Combatant) -> None:
        renew(table, owner, REACTION, 1)


@piece
class DevilsSight(Feature):
    """Magical darkness does not impede its darkvision."""

    name = "devils_sight"


@piece
class Echolocation(Feature):
    """Blindsight does not work while deafened."""

    name = "echolocation"


@piece
class Amorphous(Feature):
    """Squeeze into narrow spaces without any drawback."""

    name = "amorphous"


@piece
class Swarm(Feature):
    """Share a space with other creatures; cannot regain hit points."""

    name = "swarm"


@piece
class Formless(Feature):
    """Enter the space of an enemy and stop there."""

    name = "formless"


@piece
class IncorporealMovement(Feature):
    """Move through creatures, walls and doors as if they were difficult terrain, but not stop in one."""

    name = "incorporeal_movement"


@piece
class UndeadFortitude(Feature):
    """A Constitution save (DC 5 plus the damage) keeps it at 1 hit point instead of 0.

    There is no save against critical hits and radiant damage.
    """

    name = "undead_fortitude"

    def keeps_standing(self, table: Table, harm: Harm, owner: Combatant) -> bool:
        if harm.critical or DamageType.RADIANT in harm.types:
            return False
        if not resolve_save(table, owner, AbilityScore.CON, 5 + harm.amount, self.ref, f"{self.key} save"):
            return False
        heal(table, owner, 1, "Undead Fortitude", self.ref)
        return True
