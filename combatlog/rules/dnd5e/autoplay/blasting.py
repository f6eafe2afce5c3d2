"""The option to blast somebody: damage to one target, less on a successful save."""

from __future__ import annotations

from combatlog.rules.autoplay.option import Aim
from combatlog.rules.dnd5e.archetypes import blasts
from combatlog.rules.dnd5e.autoplay.consequences import after_area
from combatlog.rules.dnd5e.autoplay.estimate import area_odds, harm_odds, save_chance
from combatlog.rules.dnd5e.autoplay.harming import WithoutAttack
from combatlog.rules.dnd5e.autoplay.odds import NOTHING, either
from combatlog.rules.dnd5e.autoplay.outcome import Outcome
from combatlog.rules.dnd5e.contexts import Harm
from combatlog.rules.dnd5e.damage import taken_chain, types_of
from combatlog.rules.dnd5e.powers import damage_of


class Blast(WithoutAttack):
    archetype = "blast"
    piece: blasts.Blast

    @property
    def notation(self) -> str:
        return self.piece.notation(self.combatant, self.how)

    def foresee(self, aim: Aim) -> Outcome:
        (name,) = aim.targets
        blast, caster, battle = self.piece, self.combatant, self.outlook.battle
        target = battle.combatants[name]
        saved = save_chance(battle, target, blast.save, blast.difficulty(caster), blast.ref)
        chain = damage_of(blast, caster, self.notation, blast.damage_type)
        harm = Harm(battle, target, caster, blast.ref, types_of(chain))
        if blast.saved == "nothing":
            odds = either(saved, NOTHING, harm_odds(chain, taken_chain(harm)))
        else:
            odds = area_odds(harm, chain, saved)
        afflictions = after_area(blast.then, target, saved) if blast.then is not None else []
        return Outcome(harm={name: odds}, afflictions=afflictions)
