"""The option to speak a power word: no save, if its target has few enough hit points."""

from __future__ import annotations

from combatlog.rules.autoplay.option import Aim
from combatlog.rules.dnd5e.archetypes.parts import condition_ref
from combatlog.rules.dnd5e.archetypes.power_words import PowerWord
from combatlog.rules.dnd5e.autoplay.harming import WithoutAttack
from combatlog.rules.dnd5e.autoplay.odds import throw
from combatlog.rules.dnd5e.autoplay.outcome import Affliction, Outcome
from combatlog.rules.dnd5e.autoplay.supporting import LASTING
from combatlog.rules.dnd5e.autoplay.threats import hit_points


class SpeakingPowerWord(WithoutAttack):
    archetype = "curse"
    piece: PowerWord  # type: ignore[assignment]

    @property
    def notation(self) -> str:
        return self.piece.damage or "0"

    def foresee(self, aim: Aim) -> Outcome:
        (name,) = aim.targets
        word, target = self.piece, self.outlook.battle.combatants[name]
        if not word.is_enough_for(target):
            return Outcome(harm={name: throw(word.damage)}) if word.damage is not None else Outcome()
        if word.condition is None:
            return Outcome(harm={name: {hit_points(target): 1.0}})
        return Outcome(afflictions=[Affliction(name, condition_ref(word.condition), turns=LASTING)])
