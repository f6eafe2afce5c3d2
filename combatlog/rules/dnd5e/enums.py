"""The fixed vocabularies of sheets, weapons and damage."""

from __future__ import annotations

from enum import StrEnum


class AbilityScore(StrEnum):
    STR = "str"
    DEX = "dex"
    CON = "con"
    INT = "int"
    WIS = "wis"
    CHA = "cha"


class Nature(StrEnum):
    """At 0 hit points, characters fall unconscious and monsters die."""

    CHARACTER = "character"
    MONSTER = "monster"


class Size(StrEnum):
    TINY = "tiny"
    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"
    HUGE = "huge"
    GARGANTUAN = "gargantuan"

    @property
    def rank(self) -> int:
        return _RANKS[self]

    @property
    def squares(self) -> int:
        """The width of its space in squares; spaces are square."""
        return max(1, self.rank - 1)


_RANKS = {size: rank for rank, size in enumerate(Size)}


class CreatureType(StrEnum):
    ABERRATION = "aberration"
    BEAST = "beast"
    CELESTIAL = "celestial"
    CONSTRUCT = "construct"
    DRAGON = "dragon"
    ELEMENTAL = "elemental"
    FEY = "fey"
    FIEND = "fiend"
    GIANT = "giant"
    HUMANOID = "humanoid"
    MONSTROSITY = "monstrosity"
    OOZE = "ooze"
    PLANT = "plant"
    UNDEAD = "undead"


class Armor(StrEnum):
    NONE = "none"
    LIGHT = "light"
    MEDIUM = "medium"
    HEAVY = "heavy"


class ArmorTraining(StrEnum):
    """Armour that a combatant can be proficient with."""

    LIGHT = "light"
    MEDIUM = "medium"
    HEAVY = "heavy"
    SHIELDS = "shields"


class WeaponCategory(StrEnum):
    """The proficiency that a weapon requires."""

    SIMPLE = "simple"
    MARTIAL = "martial"
    IMPROVISED = "improvised"


class Skill(StrEnum):
    """The skills that these rules use."""

    ACROBATICS = "acrobatics"
    ATHLETICS = "athletics"
    MEDICINE = "medicine"
    PERCEPTION = "perception"
    STEALTH = "stealth"

    @property
    def ability(self) -> AbilityScore:
        """The ability that the skill is based on."""
        return _ABILITIES[self]


_ABILITIES = {
    Skill.ACROBATICS: AbilityScore.DEX,
    Skill.ATHLETICS: AbilityScore.STR,
    Skill.MEDICINE: AbilityScore.WIS,
    Skill.PERCEPTION: AbilityScore.WIS,
    Skill.STEALTH: AbilityScore.DEX,
}


class WeaponProperty(StrEnum):
    AMMUNITION = "ammunition"
    FINESSE = "finesse"
    HEAVY = "heavy"
    LIGHT = "light"
    LOADING = "loading"
    REACH = "reach"
    THROWN = "thrown"
    TWO_HANDED = "two-handed"
    VERSATILE = "versatile"


class DamageType(StrEnum):
    ACID = "acid"
    BLUDGEONING = "bludgeoning"
    COLD = "cold"
    FIRE = "fire"
    FORCE = "force"
    LIGHTNING = "lightning"
    NECROTIC = "necrotic"
    PIERCING = "piercing"
    POISON = "poison"
    PSYCHIC = "psychic"
    RADIANT = "radiant"
    SLASHING = "slashing"
    THUNDER = "thunder"


PHYSICAL = (DamageType.BLUDGEONING, DamageType.PIERCING, DamageType.SLASHING)
