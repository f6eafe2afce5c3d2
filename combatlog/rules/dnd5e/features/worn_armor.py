from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.contexts import Attack, Check, Save, Throw
from combatlog.rules.dnd5e.modifiers import bonus, disadvantage
from combatlog.rules.dnd5e.pieces import Feature, piece
from combatlog.rules.dnd5e.proficiency import untrained_armor
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.words import AbilityScore, Skill
from combatlog.rules.engine.chain import Modifier
from projections.combatant import Combatant

SLOWER = 10
HAMPERED = (AbilityScore.STR, AbilityScore.DEX)


@piece
class WornArmor(Feature):
    """What armour does to its wearer: it makes noise, it weighs on the weak, and it hampers whoever is not used to it.

    Nobody has to list it: everybody whose armour does any of this has it.
    """

    name = "worn_armor"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.attacker is owner:
            yield from self._hampering(attack, attack.ability, owner)

    def on_save(self, save: Save, owner: Combatant) -> Iterator[Modifier]:
        yield from self._hampering(save, save.ability, owner)

    def on_check(self, check: Check, owner: Combatant) -> Iterator[Modifier]:
        yield from self._hampering(check, check.ability, owner)
        suit = sheet_of(owner).suit
        if suit is not None and suit.noisy and check.name is Skill.STEALTH:
            yield disadvantage(owner.id, self.ref, f"{suit.name} makes noise", stage="equipment")

    def _hampering(self, throw: Throw, ability: AbilityScore | None, owner: Combatant) -> Iterator[Modifier]:
        untrained = untrained_armor(sheet_of(owner))
        if untrained is not None and ability in HAMPERED:
            yield disadvantage(owner.id, self.ref, f"{owner.name} is not used to {untrained}", stage="equipment")

    def on_speed(self, owner: Combatant) -> Iterator[Modifier]:
        sheet = sheet_of(owner)
        if sheet.suit is not None and sheet.suit.strength is not None and sheet.abilities.str < sheet.suit.strength:
            yield bonus("equipment", self.ref, owner.id, f"{sheet.suit.name} is too heavy", -SLOWER)
