"""Character and creature sheets, and values derived from them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, field_validator, model_validator

from combatlog.rules.content.files import shipped_folder
from combatlog.rules.dnd5e.creatures.weapons_and_armor import (
    UNARMED_STRIKE,
    SheetPart,
    Suit,
    Weapon,
    described,
    dressed,
)
from combatlog.rules.dnd5e.enums import (
    AbilityScore,
    Armor,
    ArmorTraining,
    CreatureType,
    DamageType,
    Nature,
    Size,
    Skill,
    WeaponProperty,
)
from combatlog.rules.engine.options_and_validation import sheet_as, validated
from ledger.events import Controller, Data
from projections.battle.combatant import Combatant

if TYPE_CHECKING:
    from combatlog.rules.dnd5e.creatures.loadout import Loadout


Speed = Annotated[int, Field(ge=0, le=400, multiple_of=5)]
Feet = Annotated[int, Field(ge=0, le=1000)]


class Speeds(SheetPart):
    """Speeds besides walking, in feet; 0 for none."""

    walk: Speed | None = Field(default=None, description="another way to write the sheet's speed")
    fly: Speed = 0
    swim: Speed = 0
    climb: Speed = 0
    burrow: Speed = 0
    hover: bool = Field(default=False, description="whether it stays in the air when knocked prone or unable to move")


class Senses(SheetPart):
    """Special senses, with their range in feet; 0 for none."""

    darkvision: Feet = 0
    blindsight: Feet = 0
    tremorsense: Feet = 0
    truesight: Feet = 0


class ExtraMovement(SheetPart):
    """Movement outside the creature's turn, or in addition to it."""

    share: Literal["half", "full"] = Field(default="half", description="how much of its speed")
    gait: Literal["walk", "fly", "swim"] | None = Field(default=None, description="mode of movement; any if omitted")
    slips: bool = Field(default=False, description="it provokes no opportunity attacks")
    when: Literal["before", "after"] = Field(default="after", description="before or after the rest of the action")


Score = Annotated[int, Field(ge=1, le=30)]
PACKAGE = "combatlog.rules.dnd5e"
SlotLevel = Annotated[int, Field(ge=1, le=9)]
Bonus = Annotated[int, Field(ge=-10, le=40)]


class Abilities(SheetPart):
    str: Score
    dex: Score
    con: Score
    int: Score
    wis: Score
    cha: Score


class PieceDefinition(BaseModel):
    """A piece defined on the sheet itself: an archetype and its options."""

    model_config = ConfigDict(frozen=True, extra="allow")

    name: str
    archetype: str

    @property
    def options(self) -> Data:
        return self.model_extra or {}


def _tag(entry: Any) -> str:
    return "name" if isinstance(entry, str) else "definition"


Entry = Annotated[
    Annotated[str, Tag("name")] | Annotated[PieceDefinition, Tag("definition")],
    Discriminator(_tag),
]
"""The name of a piece of the ruleset, or a definition."""


class SheetNote(SheetPart):
    """Something that the program does not resolve. It is shown with the sheet, for the GM."""

    name: str = Field(min_length=1, max_length=80)
    text: str = Field(default="", max_length=4000)


class LegendaryEntry(BaseModel):
    """A legendary action and its cost: the name of a weapon or action of the sheet, or a definition."""

    model_config = ConfigDict(frozen=True, extra="allow")

    name: str
    cost: int = Field(default=1, ge=1, le=5, description="how many legendary actions it costs")
    stride: ExtraMovement | None = Field(default=None, description="movement that it includes")
    once: bool = Field(default=False, description="it can be used only once between two of its owner's turns")
    archetype: str | None = None

    @property
    def definition(self) -> PieceDefinition | None:
        if self.archetype is None:
            return None
        return PieceDefinition(name=self.name, archetype=self.archetype, **(self.model_extra or {}))


class InnateSpell(SheetPart):
    """A spell that its owner casts without a slot."""

    spell: Entry
    uses: int | None = Field(default=None, ge=1, le=20, description="how often a day; at will if omitted")


Routine = dict[str, Annotated[int, Field(ge=1, le=9)]]
"""A multiattack: how often it attacks with each of its weapons, or uses one of its actions."""


def name_of(entry: Entry) -> str:
    return entry if isinstance(entry, str) else entry.name


class Sheet(SheetPart):
    name: str = Field(min_length=1, max_length=60)
    nature: Nature
    creature_type: CreatureType = CreatureType.HUMANOID
    size: Size = Size.MEDIUM
    level: int = Field(default=1, ge=1, le=20)
    abilities: Abilities
    ac: int = Field(ge=1, le=30, description="including armour and shield, but not features; computed if omitted")
    armor: Armor = Field(default=Armor.NONE, description="its category, or a suit of armour such as chain mail")
    suit: Suit | None = Field(default=None, description="the suit of armour it wears, as named by armor")
    unarmored_defense: AbilityScore | None = Field(
        default=None, description="the ability added to the armour class without armour"
    )
    hp: int = Field(ge=1, le=1000)
    temp_hp: int = Field(default=0, ge=0, le=1000)
    hit_die: Literal[4, 6, 8, 10, 12, 20] = Field(
        default=8, description="the size of its hit dice; it has one for each level"
    )
    speed: int = Field(default=30, ge=0, le=200, multiple_of=5)
    speeds: Speeds = Field(default=Speeds(), description="speeds besides walking")
    senses: Senses = Field(default=Senses(), description="senses besides ordinary sight")
    proficiency: int | None = Field(default=None, ge=2, le=9, description="by level if omitted")
    saves: tuple[AbilityScore, ...] = Field(default=(), description="saving throws it is proficient in")
    skills: tuple[Skill, ...] = Field(default=(), description="skills it is proficient in")
    expertise: tuple[Skill, ...] = Field(default=(), description="skills with twice the proficiency bonus")
    save_bonuses: dict[AbilityScore, Bonus] = Field(
        default_factory=dict, description="printed bonuses, used instead of computed ones"
    )
    skill_bonuses: dict[Skill, Bonus] = Field(
        default_factory=dict, description="printed bonuses, used instead of computed ones"
    )
    shield: bool = False
    weapons: tuple[Weapon, ...] = ()
    off_hand: str | None = Field(default=None, description="the light weapon in the off hand")
    weapon_proficiencies: tuple[str, ...] | None = Field(
        default=None, description="simple, martial, improvised or names of weapons; if omitted, all its weapons"
    )
    armor_proficiencies: tuple[ArmorTraining, ...] | None = Field(
        default=None, description="armour it is proficient with; if omitted, whatever it wears"
    )
    multiattack: Annotated[int, Field(ge=1, le=9)] | tuple[Routine, ...] = Field(
        default=1,
        description="the attacks of its Attack action: a number, or tables of weapons and actions to choose from",
    )
    features: tuple[Entry, ...] = ()
    actions: tuple[Entry, ...] = Field(default=(), description="special actions, besides the common ones")
    spellcasting: AbilityScore | None = None
    spell_dc: int | None = Field(default=None, ge=1, le=40, description="printed DC, used instead of a computed one")
    spell_attack: Bonus | None = Field(default=None, description="the printed bonus, used instead of a computed one")
    spells: tuple[Entry, ...] = ()
    slots: dict[SlotLevel, Annotated[int, Field(ge=0, le=9)]] = Field(default_factory=dict)
    pact_magic: bool = Field(default=False, description="whether a short rest restores its slots")
    resistances: tuple[DamageType, ...] = ()
    vulnerabilities: tuple[DamageType, ...] = ()
    immunities: tuple[DamageType, ...] = ()
    condition_immunities: tuple[str, ...] = ()
    cr: float | None = Field(default=None, ge=0, le=30, description="challenge rating; fractions as 0.125, 0.25, 0.5")
    xp: int | None = Field(default=None, ge=0, le=1_000_000, description="the experience points for defeating it")
    source: str | None = Field(default=None, max_length=1000, description="its source: licence, attribution")
    notes: tuple[SheetNote, ...] = Field(default=(), description="effects left to the GM to resolve")
    nonmagical_resistances: tuple[DamageType, ...] = Field(default=(), description="from nonmagical attacks")
    nonmagical_immunities: tuple[DamageType, ...] = Field(default=(), description="from nonmagical attacks")
    except_silvered: bool = Field(default=False, description="silvered weapons count like magical ones against it")
    except_adamantine: bool = Field(default=False, description="adamantine weapons count like magical ones against it")
    legendary_actions: int = Field(default=0, ge=0, le=9, description="how many it has between two of its turns")
    legendary: tuple[LegendaryEntry, ...] = Field(default=(), max_length=20, description="its legendary actions")
    legendary_resistances: int = Field(
        default=0, ge=0, le=9, description="failed saves a day that it can turn into successes"
    )
    lair: tuple[Entry, ...] = Field(default=(), max_length=20, description="lair actions, on initiative count 20")
    innate: tuple[InnateSpell, ...] = Field(default=(), max_length=60, description="spells it casts without slots")
    innate_ability: AbilityScore | None = Field(default=None, description="the ability of its innate spells")
    innate_dc: int | None = Field(
        default=None, ge=1, le=30, description="the printed DC; computed from its ability if omitted"
    )

    @field_validator("legendary", mode="before")
    @classmethod
    def _name_legendary(cls, entries: Any) -> Any:
        """Accept the bare name of a weapon or action as a legendary action."""
        if not isinstance(entries, list | tuple):
            return entries
        return [{"name": entry} if isinstance(entry, str) else entry for entry in entries]

    @model_validator(mode="before")
    @classmethod
    def _look_up_weapons(cls, data: Any) -> Any:
        """Replace the names of weapons with their descriptions."""
        if isinstance(data, dict) and isinstance(data.get("weapons"), list | tuple):
            return {**data, "weapons": [described(entry) for entry in data["weapons"]]}
        return data

    @model_validator(mode="before")
    @classmethod
    def _put_on_armor(cls, data: Any) -> Any:
        """Replace the name of a suit of armour with its description, and compute the armour class if it is omitted."""
        return dressed(data) if isinstance(data, dict) else data

    @model_validator(mode="before")
    @classmethod
    def _walk_at_one_speed(cls, data: Any) -> Any:
        """Accept a walking speed among the other speeds as the sheet's speed."""
        speeds = data.get("speeds") if isinstance(data, dict) else None
        if not isinstance(speeds, dict) or speeds.get("walk") is None:
            return data
        walk = speeds["walk"]
        if data.get("speed", walk) != walk:
            raise ValueError(f"its speed is {data['speed']}, but speeds.walk is {walk}; give one of them")
        return {**data, "speed": walk, "speeds": {name: feet for name, feet in speeds.items() if name != "walk"}}

    @model_validator(mode="after")
    def _refuse_duplicates(self) -> Sheet:
        """Features, actions and spells are identified by name alone, so no two can share a name.
        A weapon can be listed twice, one for each hand, but two different weapons cannot share a name.
        """
        _refuse_twice("weapon", [weapon.name for weapon in dict.fromkeys(self.weapons)])
        innate = [one.spell for one in self.innate]
        features, actions = list(map(name_of, self.features)), list(map(name_of, self.actions))
        spells = list(map(name_of, (*self.spells, *innate)))
        _refuse_twice("feature", features)
        _refuse_twice("action", [*features, *actions])
        _refuse_twice("spell", [*features, *actions, *spells])
        return self

    @model_validator(mode="after")
    def _check_hands(self) -> Sheet:
        if self.off_hand is None:
            return self
        held = self.weapon(self.off_hand)
        if held is None or WeaponProperty.LIGHT not in held.properties:
            raise ValueError(f"off_hand is {self.off_hand!r}, but it has to be one of the sheet's light weapons")
        if self.shield:
            raise ValueError("a shield leaves no hand free for an off_hand weapon")
        return self

    @model_validator(mode="after")
    def _check_casting(self) -> Sheet:
        if self.spells and self.spellcasting is None:
            raise ValueError("spells need a spellcasting ability, such as spellcasting: int")
        if self.innate and self.innate_ability is None:
            raise ValueError("innate spells need an ability, such as innate_ability: cha")
        return self

    @model_validator(mode="after")
    def _check_legendary(self) -> Sheet:
        if self.legendary and not self.legendary_actions:
            raise ValueError("legendary needs legendary_actions, the number it has between its turns")
        return self

    @model_validator(mode="after")
    def _check_routines(self) -> Sheet:
        """Refuse a multiattack with weapons or actions that are not on the sheet."""
        cast = (*self.spells, *(innate.spell for innate in self.innate))
        known = {*(weapon.name for weapon in self.arms), *map(name_of, (*self.actions, *self.features, *cast))}
        for name in (name for routine in self.routines for name in routine):
            if name not in known:
                raise ValueError(f"multiattack names {name!r}, which is neither a weapon nor an action of the sheet")
        if self.multiattack == () or any(not routine for routine in self.routines):
            raise ValueError("multiattack needs a number, or tables that name at least one weapon or action each")
        return self

    @cached_property
    def loadout(self) -> Loadout:
        """Its features, actions and spells as pieces. Cached, because every chain asks for them."""
        from combatlog.rules.dnd5e.creatures.loadout import loadout_of

        return loadout_of(self)

    @property
    def controller(self) -> Controller:
        return Controller.PLAYER if self.nature is Nature.CHARACTER else Controller.GM

    @property
    def routines(self) -> tuple[Routine, ...]:
        """The multiattacks to choose from; empty if it is just a number of attacks."""
        return () if isinstance(self.multiattack, int) else self.multiattack

    @property
    def proficiency_bonus(self) -> int:
        return self.proficiency if self.proficiency is not None else 2 + (self.level - 1) // 4

    @property
    def casting_dc(self) -> int:
        """The DC of saves against its spells."""
        return self.spell_dc if self.spell_dc is not None else 8 + self.proficiency_bonus + self.casting_modifier

    @property
    def casting_modifier(self) -> int:
        return self.modifier(self.spellcasting) if self.spellcasting else 0

    @cached_property
    def innate_spells(self) -> dict[str, InnateSpell]:
        """Its innate spells by name."""
        return {name_of(innate.spell): innate for innate in self.innate}

    def casting_ability(self, spell: str) -> AbilityScore | None:
        """The ability with which it casts a spell."""
        return self.innate_ability if spell in self.innate_spells else self.spellcasting

    def difficulty_of(self, spell: str) -> int:
        """The DC of saves against a spell."""
        if spell not in self.innate_spells or self.innate_ability is None:
            return self.casting_dc
        if self.innate_dc is not None:
            return self.innate_dc
        return 8 + self.proficiency_bonus + self.modifier(self.innate_ability)

    def training(self, skill: Skill) -> int:
        """The proficiency part of a skill bonus; expertise doubles it. Of a printed bonus, all but the modifier."""
        if skill in self.skill_bonuses:
            return self.skill_bonuses[skill] - self.modifier(skill.ability)
        if skill in self.expertise:
            return 2 * self.proficiency_bonus
        return self.proficiency_bonus if skill in self.skills else 0

    def skill_modifier(self, skill: Skill) -> int:
        return self.modifier(skill.ability) + self.training(skill)

    def save_training(self, ability: AbilityScore) -> int:
        """The proficiency part of a saving throw bonus. Of a printed bonus, all but the modifier."""
        if ability in self.save_bonuses:
            return self.save_bonuses[ability] - self.modifier(ability)
        return self.proficiency_bonus if ability in self.saves else 0

    def modifier(self, score: AbilityScore) -> int:
        return self._modifiers[score]

    @cached_property
    def _modifiers(self) -> dict[AbilityScore, int]:
        return {score: (cast(int, getattr(self.abilities, score)) - 10) // 2 for score in AbilityScore}

    @cached_property
    def fastest_gait(self) -> str:
        """Its fastest gait; walking, unless another one is faster."""
        ways = ("fly", "swim", "climb", "burrow")
        fastest = max(ways, key=lambda way: cast(int, getattr(self.speeds, way)))
        return fastest if getattr(self.speeds, fastest) > self.speed else "walk"

    @property
    def fastest(self) -> int:
        """The speed of its fastest gait, in feet."""
        return self.speed if self.fastest_gait == "walk" else cast(int, getattr(self.speeds, self.fastest_gait))

    @cached_property
    def squares(self) -> int:
        """The width of its space in squares."""
        return self.size.squares

    @cached_property
    def is_swarm(self) -> bool:
        return "swarm" in self.features

    @cached_property
    def shares_space(self) -> bool:
        """Whether it can stop in another creature's space."""
        return self.is_swarm or "formless" in self.features

    @cached_property
    def is_incorporeal(self) -> bool:
        return "incorporeal_movement" in self.features

    @cached_property
    def is_amorphous(self) -> bool:
        return "amorphous" in self.features

    @cached_property
    def arms(self) -> tuple[Weapon, ...]:
        """Everything it can strike with: each of its weapons once, and unarmed strikes."""
        own = dict.fromkeys(self.weapons)
        held = tuple(own) if any(weapon.is_unarmed for weapon in own) else (*own, UNARMED_STRIKE)
        return self._practised(held)

    def _practised(self, weapons: tuple[Weapon, ...]) -> tuple[Weapon, ...]:
        """The weapons as a monk uses them, unless armour or a shield prevents that."""
        from combatlog.rules.dnd5e.creatures.weapons_and_armor import MARTIAL_ARTS, practised

        is_monk = MARTIAL_ARTS in map(name_of, self.features) and self.armor is Armor.NONE and not self.shield
        return tuple(practised(weapon, self.level) for weapon in weapons) if is_monk else weapons

    @cached_property
    def usual_arms(self) -> tuple[Weapon, ...]:
        """The weapons it would use: unarmed strikes only if the sheet lists them or has no other melee weapon."""
        listed = [weapon.name for weapon in self.weapons]
        own = tuple(weapon for weapon in self.arms if weapon.name in listed)
        return own if any(not weapon.is_ranged for weapon in own) else self.arms

    def weapon(self, name: str) -> Weapon | None:
        return next((weapon for weapon in self.arms if weapon.name == name), None)

    def has_two(self, name: str) -> bool:
        """Whether it has two weapons of this name."""
        return [weapon.name for weapon in self.weapons].count(name) > 1


def _refuse_twice(what: str, names: list[str]) -> None:
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ValueError(f"the {what} {min(twice)!r} appears twice")


def read_sheet(data: Data) -> Sheet:
    return validated(Sheet, data, "sheet/invalid", "The sheet's")


def sheet_of(combatant: Combatant) -> Sheet:
    """The sheet of a combatant. Read once and cached, because it is needed constantly."""
    known: Sheet | None = combatant.view
    return known if known is not None else sheet_as(Sheet, combatant)


def shipped_sheets() -> dict[str, Data]:
    return shipped_folder(PACKAGE, "sheets")
