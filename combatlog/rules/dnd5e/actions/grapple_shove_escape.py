"""Grapple and shove, which each replace one attack, and the action to escape a grapple."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from combatlog.rules.dnd5e.attack.targeting import check_allowed, check_line, one_target
from combatlog.rules.dnd5e.attack.wielding import free_hands
from combatlog.rules.dnd5e.battlemap.grapples_and_mounts import held_by
from combatlog.rules.dnd5e.battlemap.movement import STEP, push
from combatlog.rules.dnd5e.combatant_state import GRAPPLED, RESTRAINED, afflict, can_act, end_hold, end_instance
from combatlog.rules.dnd5e.conditions.instances import BY_STRENGTH, ESCAPE, Instance, instances_of
from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.economy import ACTION, ATTACKS
from combatlog.rules.dnd5e.enums import AbilityScore, Nature, Skill
from combatlog.rules.dnd5e.hit_points import PRONE
from combatlog.rules.dnd5e.pieces import Ability, Action, piece
from combatlog.rules.dnd5e.saves_and_checks import resolve_ability_check, resolve_check, resolve_contest
from combatlog.rules.engine.options_and_validation import Options, Part
from combatlog.rules.engine.refusal import Refusal, choices
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Declared
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

REACH = 5
RESISTING = (Skill.ATHLETICS, Skill.ACROBATICS)
STRIKE = "dnd5e:action:strike"


class ContestedHold(Action):
    """Athletics against the target's Athletics or Acrobatics; the target can be at most one size larger."""

    cost = {ATTACKS: 1}
    tags = ("attack", "melee")
    parts = frozenset({Part.TARGET})

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target = one_target(table, actor, declared.targets)
        feet = feet_between(actor, target)
        if feet > REACH:
            raise Refusal(
                f"{self.name}/out-of-reach",
                f"{target.name} is {feet} feet away, out of {actor.name}'s reach; move closer.",
                who=actor.id,
                target=target.id,
                distance=feet,
                reach=REACH,
            )
        if sheet_of(target).size.rank > sheet_of(actor).size.rank + 1:
            raise Refusal(
                f"{self.name}/too-large",
                f"{target.name} is more than one size larger than {actor.name}; name another target.",
                who=actor.id,
                target=target.id,
            )
        self.check_hands(table, actor)
        check_line(table.battle, actor, target)
        check_allowed(actor, target)

    def check_hands(self, table: Table, actor: Combatant) -> None:
        """Refuse an actor without the free hand that it takes, if it takes one."""

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        for grant in actor.granted_actions(STRIKE)[:1]:
            table.ungrant(grant, "used")
        target = one_target(table, actor, declared.targets)
        if not can_act(target) or resolve_contest(table, actor, Skill.ATHLETICS, target, RESISTING):
            self.succeed(table, actor, target, declared)

    def succeed(self, table: Table, actor: Combatant, target: Combatant, declared: Declared) -> None:
        raise NotImplementedError


@piece
class Grapple(ContestedHold):
    """Hold a target within 5 feet with a free hand, if your Athletics beats its Athletics or Acrobatics."""

    name = "grapple"

    def check_hands(self, table: Table, actor: Combatant) -> None:
        if sheet_of(actor).nature is Nature.CHARACTER and free_hands(table.battle, actor) < 1:
            raise Refusal("grapple/no-free-hand", f"{actor.name} has no free hand to grapple with.", who=actor.id)

    def succeed(self, table: Table, actor: Combatant, target: Combatant, declared: Declared) -> None:
        afflict(table, target, GRAPPLED, source=self.ref, owner=actor.id)


@piece
class LetGo(Action):
    """Release the creatures that you hold, or only the named ones, at no cost."""

    name = "let_go"
    tags = ("support",)
    parts = frozenset({Part.TARGET})

    def is_offered(self, battle: Battle) -> bool:
        return any(other.has(GRAPPLED) for other in battle.present())

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if not held_by(battle, actor):
            raise Refusal("let-go/nobody", f"{actor.name} holds no creature.", who=actor.id)

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        held = held_by(table.battle, actor)
        for target in map(table.combatant, declared.targets):
            if target not in held:
                raise Refusal(
                    "let-go/not-held",
                    f"{actor.name} does not hold {target.name}; name {choices([one.id for one in held])}.",
                    who=actor.id,
                    target=target.id,
                    available=[one.id for one in held],
                )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        released = [table.combatant(name) for name in declared.targets] or held_by(table.battle, actor)
        for target in released:
            held = target.conditions.get(GRAPPLED)
            for hold in instances_of(held) if held is not None else ():
                if hold.owner == actor.id:
                    end_hold(table, target, hold, f"{actor.name} lets go")


class ShoveEffect(StrEnum):
    """What a shove does to its target."""

    PRONE = "prone"
    AWAY = "away"


class ShoveOptions(Options):
    manner: ShoveEffect = Field(
        default=ShoveEffect.PRONE, alias="as", description="knock the target prone, or push it 5 feet away"
    )


@piece
class Shove(ContestedHold):
    """Knock a target within 5 feet prone or push it away, if your Athletics beats its Athletics or Acrobatics."""

    name = "shove"
    options = ShoveOptions

    def succeed(self, table: Table, actor: Combatant, target: Combatant, declared: Declared) -> None:
        if ShoveOptions.read(declared.options).manner is ShoveEffect.PRONE:
            afflict(table, target, PRONE, source=self.ref, owner=actor.id)
        elif actor.position is not None:
            push(table, target, actor, STEP)


@piece
class Escape(Ability):
    """Spend the action to escape a grapple: Athletics or Acrobatics against the grappler's Athletics."""

    name = "escape"
    cost = {ACTION: 1}
    tags = ("movement", "defense")

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if not actor.has(GRAPPLED) and not _snares(actor):
            raise Refusal("escape/not-grappled", f"{actor.name} is not grappled.", who=actor.id)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if not actor.has(GRAPPLED):
            snare = _snares(actor)[0]
            if resolve_ability_check(table, actor, AbilityScore.STR, snare.data[ESCAPE]):
                end_instance(table, actor, RESTRAINED, snare, "escaped")
            return
        skill = max((Skill.ATHLETICS, Skill.ACROBATICS), key=sheet_of(actor).skill_modifier)
        hold = instances_of(actor.conditions[GRAPPLED])[0]
        if _breaks_free(table, actor, skill, hold):
            end_hold(table, actor, hold, "escaped")


def _snares(actor: Combatant) -> list[Instance]:
    """The restraints that a Strength check breaks, such as webs."""
    held = actor.conditions.get(RESTRAINED)
    return [one for one in instances_of(held) if BY_STRENGTH in one.data] if held is not None else []


def _breaks_free(table: Table, actor: Combatant, skill: Skill, hold: Instance) -> bool:
    """A hold with an escape DC takes a check against it; any other hold takes a contest."""
    if ESCAPE in hold.data:
        return resolve_check(table, actor, skill, hold.data[ESCAPE])
    grappler = table.battle.combatants.get(hold.owner)
    return grappler is None or resolve_contest(table, actor, skill, grappler, (Skill.ATHLETICS,))
