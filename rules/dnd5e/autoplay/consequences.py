"""What pieces made from data cause: stances, and conditions after a hit or a failed save."""

from __future__ import annotations

from projections.combatant import Combatant
from rules.autoplay.option import Aim
from rules.dnd5e.archetypes.boons import Stance
from rules.dnd5e.archetypes.hits import HitEffect
from rules.dnd5e.archetypes.parts import Consequence, HitConsequence, Lasting, condition_ref
from rules.dnd5e.autoplay.estimate import save_chance
from rules.dnd5e.autoplay.options import Dnd5eOption
from rules.dnd5e.autoplay.outcome import Affliction, Outcome
from rules.dnd5e.contexts import Attack
from rules.dnd5e.sheet import sheet_of

LASTING = {Lasting.NEXT_TURN: 1, Lasting.MINUTE: 2, Lasting.UNTIL_ENDED: 2}
"""How many turns a condition is counted for; fights are short."""


class MadeStance(Dnd5eOption):
    """A condition that the actor enters itself."""

    archetype = "stance"
    piece: Stance

    def foresee(self, aim: Aim) -> Outcome:
        entered = Affliction(self.actor, condition_ref(self.piece.condition), turns=LASTING[self.piece.lasts])
        return Outcome(afflictions=[entered], opens_up=self.leads_up)


def after_hit(attack: Attack, hit: float, own: HitConsequence | None = None) -> list[Affliction]:
    """The conditions that an attack would cause, given its chance to hit: its own, and those from features."""
    held = [piece for piece in sheet_of(attack.attacker).loadout.contributors if isinstance(piece, HitEffect)]
    following = [piece.then for piece in held if piece.then is not None and piece.counts(attack, attack.attacker)]
    return [_after_hit(attack, hit, then) for then in (*following, own) if then is not None]


def _after_hit(attack: Attack, hit: float, then: HitConsequence) -> Affliction:
    saved = 0.0
    if then.save is not None and then.dc is not None:
        saved = save_chance(attack.battle, attack.target, then.save, then.dc, "dnd5e:choosing:estimate")
    chance = hit * (1 - saved)
    return Affliction(attack.target.id, condition_ref(then.condition), chance=chance, turns=LASTING[then.lasts])


def after_area(then: Consequence, target: Combatant, saved: float) -> Affliction:
    """The condition that an area would cause in a target, given its chance to save."""
    return Affliction(target.id, condition_ref(then.condition), chance=1 - saved, turns=LASTING[then.lasts])
