"""Attacks that hurt nobody: grappling and shoving. Each takes the place of one attack of the Attack action."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.economy import ATTACKS
from combatlog.rules.dnd5e.movement import STEP, push
from combatlog.rules.dnd5e.pieces import Action, piece
from combatlog.rules.dnd5e.saves import resolve_contest
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.state import GRAPPLED, afflict, can_act
from combatlog.rules.dnd5e.targeting import check_allowed, check_line, one_target
from combatlog.rules.dnd5e.vitality import PRONE
from combatlog.rules.dnd5e.wielding import free_hands
from combatlog.rules.dnd5e.words import Nature, Skill
from combatlog.rules.engine.options import Options, Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant

REACH = 5
RESISTING = (Skill.ATHLETICS, Skill.ACROBATICS)
STRIKE = "dnd5e:action:strike"


class Hold(Action):
    """Athletics against the target's Athletics or Acrobatics; the target is at most one size larger."""

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
        """Refuse whoever has no hand free for it, if it takes one."""

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        for grant in actor.granted_actions(STRIKE)[:1]:
            table.ungrant(grant, "used")
        target = one_target(table, actor, declared.targets)
        if not can_act(target) or resolve_contest(table, actor, Skill.ATHLETICS, target, RESISTING):
            self.succeed(table, actor, target, declared)

    def succeed(self, table: Table, actor: Combatant, target: Combatant, declared: Declared) -> None:
        raise NotImplementedError


@piece
class Grapple(Hold):
    """Hold somebody within 5 feet with a free hand, if one's Athletics beats its Athletics or Acrobatics."""

    name = "grapple"

    def check_hands(self, table: Table, actor: Combatant) -> None:
        if sheet_of(actor).nature is Nature.CHARACTER and free_hands(table.battle, actor) < 1:
            raise Refusal("grapple/no-free-hand", f"{actor.name} has no free hand to grapple with.", who=actor.id)

    def succeed(self, table: Table, actor: Combatant, target: Combatant, declared: Declared) -> None:
        afflict(table, target, GRAPPLED, source=self.ref, owner=actor.id)


class Manner(StrEnum):
    """What a shove does to its target."""

    PRONE = "prone"
    AWAY = "away"


class ShoveOptions(Options):
    manner: Manner = Field(
        default=Manner.PRONE, alias="as", description="knock the target prone, or push it 5 feet away"
    )


@piece
class Shove(Hold):
    """Knock somebody within 5 feet prone or push it away, if one's Athletics beats its Athletics or Acrobatics."""

    name = "shove"
    options = ShoveOptions

    def succeed(self, table: Table, actor: Combatant, target: Combatant, declared: Declared) -> None:
        if ShoveOptions.read(declared.options).manner is Manner.PRONE:
            afflict(table, target, PRONE, source=self.ref, owner=actor.id)
        elif actor.position is not None:
            push(table, target, actor, STEP)
