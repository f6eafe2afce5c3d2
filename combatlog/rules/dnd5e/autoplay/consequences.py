"""What pieces made from data cause: stances, and conditions after a hit or a failed save."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.autoplay.option import Aim
from combatlog.rules.dnd5e.archetypes.aftermath import Consequence
from combatlog.rules.dnd5e.archetypes.boons import Stance
from combatlog.rules.dnd5e.archetypes.consequences import HitConsequence
from combatlog.rules.dnd5e.archetypes.hits import HitEffect
from combatlog.rules.dnd5e.archetypes.parts import Lasting, condition_ref
from combatlog.rules.dnd5e.autoplay.estimate import area_odds, harm_odds, save_chance
from combatlog.rules.dnd5e.autoplay.odds import NOTHING, Odds, either, sum_of
from combatlog.rules.dnd5e.autoplay.options import Dnd5eOption
from combatlog.rules.dnd5e.autoplay.outcome import Affliction, Outcome
from combatlog.rules.dnd5e.contexts import Attack, Harm
from combatlog.rules.dnd5e.damage import taken_chain
from combatlog.rules.dnd5e.modifiers import STAGES, dice
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.engine.chain import Chain
from projections.combatant import Combatant

LASTING = {
    Lasting.NEXT_TURN: 1,
    Lasting.END_OF_NEXT_TURN: 1,
    Lasting.MINUTE: 2,
    Lasting.HOUR: 2,
    Lasting.UNTIL_ENDED: 1,
}
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
    return [
        Affliction(attack.target.id, condition_ref(condition), chance=hit * (1 - saved), turns=LASTING[then.lasts])
        for then, saved in _following(attack, own)
        for condition in then.conditions
    ]


def harm_after_hit(attack: Attack, hit: float, own: HitConsequence | None = None) -> Odds:
    """The damage after a save that an attack would deal, given its chance to hit."""
    return sum_of(either(hit, _harm(attack, then, saved), NOTHING) for then, saved in _following(attack, own))


def _following(attack: Attack, own: HitConsequence | None) -> Iterator[tuple[HitConsequence, float]]:
    """What would follow a hit, and the chance that the target saves against it."""
    held = [piece for piece in sheet_of(attack.attacker).loadout.contributors if isinstance(piece, HitEffect)]
    following = [piece.then for piece in held if piece.then is not None and piece.counts(attack, attack.attacker)]
    for then in (*following, own):
        if then is not None and then.concerns(attack.target):
            yield then, _saved(attack, then)


def _saved(attack: Attack, then: HitConsequence) -> float:
    if then.save is None or then.dc is None:
        return 0.0
    return save_chance(attack.battle, attack.target, then.save, then.dc, "dnd5e:choosing:estimate")


def _harm(attack: Attack, then: HitConsequence, saved: float) -> Odds:
    if then.damage is None or then.damage_type is None:
        return NOTHING
    harm = Harm(attack.battle, attack.target, attack.attacker, "dnd5e:choosing:estimate", (then.damage_type,))
    thrown = dice("base", harm.source, attack.attacker.id, "after a hit", then.damage, then.damage_type)
    chain = Chain("damage", STAGES, [thrown])
    if then.saved == "nothing":
        return either(saved, NOTHING, harm_odds(chain, taken_chain(harm)))
    return area_odds(harm, chain, saved)


def after_area(then: Consequence, target: Combatant, saved: float) -> list[Affliction]:
    """The condition that an area would cause in a target, given its chance to save."""
    return [
        Affliction(target.id, condition_ref(name), chance=1 - saved, turns=LASTING[then.lasts]) for name in then.threat
    ]
