"""Spells: slots, targets, areas, saves and concentration. What each spell does is in the folder `spells`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from ledger.events import Data, Declared, Position
from projections.battle import Battle
from projections.combatant import Combatant
from rules.chain import Chain
from rules.dnd5e.areas import Shape, affect
from rules.dnd5e.damage import inflict, roll_damage, taken_chain, types_of
from rules.dnd5e.durations import for_a_minute
from rules.dnd5e.economy import ACTION, BONUS_ACTION, REACTION, changes_this_turn, slot
from rules.dnd5e.modifiers import STAGES, dice
from rules.dnd5e.occasions import Casting, Harm, feet_between
from rules.dnd5e.pieces import Activity, Reaction
from rules.dnd5e.reactions import open_window
from rules.dnd5e.saves import resolve_save
from rules.dnd5e.sheet import sheet_of
from rules.dnd5e.sight import in_line_of_sight
from rules.dnd5e.state import afflict, conditions_of, end_condition, is_dead
from rules.dnd5e.targeting import check_allowed, check_line
from rules.dnd5e.words import AbilityScore, DamageType
from rules.grid import distance, grid_of
from rules.refusal import Refusal
from rules.table import Table

CAST = "spell.cast"
CONCENTRATING = "dnd5e:condition:concentrating"
HIGHEST_SLOT = 9


class Spell(Activity):
    """Something that is cast: it costs an action, a bonus action or a reaction, and mostly a slot."""

    type = "spell"
    level: int
    casting: str = ACTION
    range: int
    concentration: bool = False

    def is_held(self, combatant: Combatant) -> bool:
        return sheet_of(combatant).kit.has(self)

    def price(self, actor: Combatant, options: Data) -> dict[str, int]:
        if self.level == 0:
            return {self.casting: 1}
        return {self.casting: 1, slot(self.slot_level(options)): 1}

    def slot_level(self, options: Data) -> int:
        """The level it is cast at: its own, or that of the slot that is named."""
        level = options.get("slot", self.level)
        if not str(level).isdecimal() or not self.level <= int(level) <= HIGHEST_SLOT:
            raise Refusal(
                "spell/slot", f"{self.title} takes a slot of level {self.level} to {HIGHEST_SLOT}, not {level!r}."
            )
        return int(level)

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        hindrance = next((held for held in conditions_of(actor) if held.forbids_spells), None)
        if hindrance is not None:
            raise Refusal("spell/forbidden", f"{actor.id} cannot cast while {hindrance.title}.")
        if self.level > 0 and self.casting == ACTION and _cast_with(battle, actor, BONUS_ACTION):
            raise Refusal("spell/one-a-turn", f"{actor.id} cast a spell as a bonus action; only a cantrip is left.")
        if self.casting == BONUS_ACTION and any(spell.level for spell in _cast_with(battle, actor, ACTION)):
            raise Refusal("spell/one-a-turn", f"{actor.id} cast a spell this turn; a bonus action cannot cast more.")

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        self.cast(table, actor, declared, self.slot_level(declared.options))
        open_window(table, Casting(table.battle, actor, self.ref, declared.targets), CAST)

    def cast(self, table: Table, actor: Combatant, declared: Declared, level: int) -> None:
        raise NotImplementedError(f"{self.ref} does nothing")


def _cast_with(battle: Battle, actor: Combatant, resource: str) -> list[Spell]:
    """The spells that this turn's action or bonus action went into."""
    spent = [change.why for change in changes_this_turn(battle, actor, resource) if change.after < change.before]
    return [spell for spell in sheet_of(actor).kit.spells if spell.name in spent]


O = TypeVar("O")  # noqa: E741 - the occasion


class ReactionSpell(Spell, Reaction[O]):
    """A spell that is cast in a window of somebody else's doing, never on one's own."""

    casting = REACTION

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        raise Refusal("spell/reaction", f"{self.title} is cast as a reaction, when {actor.id} is asked.")

    def reaction_price(self, reactor: Combatant) -> dict[str, int]:
        return {REACTION: 1, slot(self.lowest_slot(reactor)): 1}

    def lowest_slot(self, caster: Combatant) -> int:
        """The level of the least slot that is left and will do."""
        levels = range(self.level, HIGHEST_SLOT + 1)
        return next((level for level in levels if caster.economy.left(slot(level))), self.level)


def slot_level(paid: dict[str, int]) -> int:
    """The level of the slot that was spent."""
    return next(level for level in range(1, HIGHEST_SLOT + 1) if slot(level) in paid)


# Targets


def chosen_targets(table: Table, actor: Combatant, spell: Spell, declared: Declared, most: int) -> list[Combatant]:
    """Those who were named, each once: not too many, alive, in range and in sight."""
    targets = [table.combatant(name) for name in dict.fromkeys(declared.targets)]
    if not 1 <= len(targets) <= most:
        raise Refusal("spell/targets", f"{spell.title} takes 1 to {most} targets; name them with --target.")
    for target in targets:
        check_target(table.battle, actor, spell, target)
    return targets


def check_target(battle: Battle, actor: Combatant, spell: Spell, target: Combatant) -> None:
    feet = feet_between(actor, target)
    if feet > spell.range:
        raise Refusal("spell/out-of-range", f"{target.id} is {feet} feet away and {spell.title} reaches {spell.range}.")
    if is_dead(target):
        raise Refusal("spell/dead", f"{target.id} is dead; name somebody else with --target.")
    if target is not actor:
        check_line(battle, actor, target)


def check_harmful(actor: Combatant, targets: Sequence[Combatant]) -> None:
    for target in targets:
        check_allowed(actor, target)


def chosen_place(battle: Battle, actor: Combatant, spell: Spell, place: Position | None) -> Position:
    """The square that was named: on the map, in range and in sight."""
    grid = grid_of(battle.encounter.map)
    if place is None or actor.position is None:
        raise Refusal("spell/no-place", f"Say where {spell.title} goes with --to COLUMN,ROW; its caster needs a place.")
    if place not in grid or not grid.is_open(place):
        raise Refusal("spell/place", f"{place[0]},{place[1]} is not an open square of the map; choose another.")
    if 5 * distance(actor.position, place) > spell.range:
        raise Refusal("spell/out-of-range", f"{spell.title} reaches {spell.range} feet; choose a nearer square.")
    if not in_line_of_sight(grid, actor.position, place):
        raise Refusal("target/no-line-of-sight", f"{actor.id} does not see {place[0]},{place[1]}; choose another.")
    return place


# Effects


class AreaSpell(Spell):
    """Damage over an area, half of it for those who save. Friends are not spared."""

    shape: ClassVar[Shape]
    size: ClassVar[int]
    damage_type: ClassVar[DamageType]
    save: ClassVar[AbilityScore]
    damage_dice: ClassVar[int]
    die: ClassVar[int]
    tags = ("spell", "area", "harm")

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        place = chosen_place(table.battle, actor, self, declared.destination)
        if self.shape is not Shape.SPHERE and place == actor.position:
            raise Refusal("spell/direction", f"Aim {self.title} at another square than {actor.id}'s own.")

    def cast(self, table: Table, actor: Combatant, declared: Declared, level: int) -> None:
        place = chosen_place(table.battle, actor, self, declared.destination)
        caught = affect(table, actor, self.ref, self.shape, place, self.size)
        if not caught:
            return
        chain = spell_damage(self, actor, self.notation(level), self.damage_type)
        chain.record(table)
        parts = roll_damage(table, actor.id, chain)
        for target in caught:
            saved = resolve_save(table, target, self.save, sheet_of(actor).spell_dc, self.ref)
            harm = Harm(table.battle, target, actor, self.ref, types_of(chain), saved=saved)
            taken = taken_chain(harm)
            taken.record(table)
            inflict(table, harm, parts, taken)
            if not saved:
                self.after_failed_save(table, actor, target)

    def notation(self, level: int) -> str:
        """The damage of a slot of this level."""
        return f"{self.damage_dice + level - self.level}d{self.die}"

    def after_failed_save(self, table: Table, actor: Combatant, target: Combatant) -> None:
        """What else happens to those who fail."""


def spell_damage(spell: Spell, caster: Combatant, notation: str, kind: DamageType) -> Chain:
    return Chain("damage", STAGES, [dice("base", spell.ref, caster.id, spell.title, notation, kind)])


def harm_one(table: Table, harm: Harm, chain: Chain, purpose: str = "damage") -> None:
    """Roll a spell's damage for one target and have it take what gets through."""
    chain.record(table)
    taken = taken_chain(harm)
    taken.record(table)
    inflict(table, harm, roll_damage(table, harm.dealer.id, chain, purpose), taken)


def concentrate(table: Table, caster: Combatant, spell: Spell) -> None:
    """Begin to keep a spell up; one that was kept up before ends."""
    end_condition(table, caster, CONCENTRATING, f"casts {spell.title}")
    until = for_a_minute(table.battle, caster)
    afflict(table, caster, CONCENTRATING, source=spell.ref, owner=caster.id, until=until)
