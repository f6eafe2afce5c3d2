from __future__ import annotations

from pydantic import Field

from combatlog.rules.action_points.assault import Assault, resolve
from combatlog.rules.action_points.base_action import Action, Deed
from combatlog.rules.action_points.checks import Attempt, check, opposed_value, skill_of
from combatlog.rules.action_points.damage import deal_damage
from combatlog.rules.action_points.economy import Effort
from combatlog.rules.action_points.pieces import piece
from combatlog.rules.action_points.sheet import sheet_of
from combatlog.rules.action_points.spells_and_items import Opposed, Spell
from combatlog.rules.action_points.targeting import beneficiary, opponent, require_reach
from combatlog.rules.engine.options import Part
from combatlog.rules.engine.refusal import Refusal, choices, suggest
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant


class Casting(Effort):
    spell: str = Field(description="the spell to cast, by its name on the sheet")


@piece
class Cast(Action):
    """Cast a spell that the sheet lists."""

    name = "cast"
    options = Casting
    takes = frozenset({Part.TARGET})

    def require(self, battle: Battle, actor: Combatant) -> None:
        super().require(battle, actor)
        if not sheet_of(actor).spells:
            raise Refusal("cast/no-spells", f"{actor.name} knows no spells.", who=actor.id)

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> Deed:
        casting = Casting.read(declared.options)
        known = sheet_of(actor).grimoire
        if casting.spell not in known:
            raise Refusal(
                "cast/unknown-spell",
                f"{actor.name} does not know the spell {casting.spell!r}; it can cast {choices(known)}.",
                who=actor.id,
                spell=casting.spell,
                available=list(known),
                suggestions=suggest(casting.spell, known),
            )
        spell = known[casting.spell]
        at_opponent = spell.attack or isinstance(spell.tv, Opposed)
        target = (opponent if at_opponent else beneficiary)(table, actor, declared)
        require_reach(actor, target, spell.range, casting.spell)
        if isinstance(spell.tv, Opposed):
            skill_of(target, spell.tv.against)
        ref = f"action_points:spell:{casting.spell.replace(' ', '_')}"
        assault = Assault(actor, target, spell.skill, casting, ref, spell, melee=False)
        if spell.attack:
            return Deed(casting, lambda: _hurl(table, assault))
        return Deed(casting, lambda: _weave(table, assault, spell))


def _hurl(table: Table, assault: Assault) -> None:
    hit = resolve(table, assault)
    if hit is not None:
        deal_damage(table, hit)


def _weave(table: Table, casting: Assault, spell: Spell) -> None:
    """Cast a spell that is not an attack. Its effects apply if the check succeeds."""
    if isinstance(spell.tv, Opposed):
        target_value = opposed_value(table, casting.defender, spell.tv.against)
    else:
        target_value = spell.tv or 0
    done = check(table, Attempt(casting.attacker, spell.skill, "cast", casting.effort), target_value)
    if not done.success:
        return
    with table.because_of(done):
        for effect in spell.effects:
            effect.apply(table, casting.source, casting.attacker, casting.defender)
