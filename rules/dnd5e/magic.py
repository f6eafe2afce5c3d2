"""Spells: slots, casting and concentration. What each spell does is in `spells`, in `archetypes` and in `data`."""

from __future__ import annotations

from typing import TypeVar

from ledger.events import Data, Declared
from projections.battle import Battle
from projections.combatant import Combatant
from rules.dnd5e.contexts import Casting
from rules.dnd5e.durations import for_a_minute
from rules.dnd5e.economy import ACTION, BONUS_ACTION, REACTION, changes_this_turn, slot, spent_on
from rules.dnd5e.pieces import Reaction
from rules.dnd5e.powers import Power
from rules.dnd5e.reactions import open_window
from rules.dnd5e.sheet import sheet_of
from rules.dnd5e.state import afflict, conditions_of, end_condition
from rules.engine.refusal import Refusal
from rules.engine.table import Table

CAST = "spell.cast"
AIMED = "spell.aimed"
CONCENTRATING = "dnd5e:condition:concentrating"
HIGHEST_SLOT = 9


class Spell(Power):
    """Something that is cast: it costs an action, a bonus action or a reaction, and mostly a slot."""

    type = "spell"
    level: int
    casting: str = ACTION
    concentration: bool = False

    def is_held(self, combatant: Combatant) -> bool:
        return sheet_of(combatant).loadout.has(self)

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

    def difficulty(self, actor: Combatant) -> int:
        return sheet_of(actor).spell_dc

    def steps(self, options: Data) -> int:
        return self.slot_level(options) - self.level if self.level else 0  # a cantrip takes no slot

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        hindrance = next((held for held in conditions_of(actor) if held.forbids_spells), None)
        if hindrance is not None:
            raise Refusal("spell/forbidden", f"{actor.id} cannot cast while {hindrance.title}.")
        if self.level > 0 and self.casting == ACTION and _cast_with(battle, actor, BONUS_ACTION):
            raise Refusal("spell/one-a-turn", f"{actor.id} cast a spell as a bonus action; only a cantrip is left.")
        if self.casting == BONUS_ACTION and any(spell.level for spell in _cast_with(battle, actor, ACTION)):
            raise Refusal("spell/one-a-turn", f"{actor.id} cast a spell this turn; a bonus action cannot cast more.")

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        self.cast(table, actor, declared)
        open_window(table, Casting(table.battle, actor, self.ref, declared.targets), CAST)

    def cast(self, table: Table, actor: Combatant, declared: Declared) -> None:
        raise NotImplementedError(f"{self.ref} does nothing")


def _cast_with(battle: Battle, actor: Combatant, resource: str) -> list[Spell]:
    """The spells that this turn's action or bonus action went into."""
    changes = changes_this_turn(battle, actor, resource)
    spent = [spent_on(battle, change) for change in changes if change.after < change.before]
    return [spell for spell in sheet_of(actor).loadout.spells if spell.ref in spent]


O = TypeVar("O")  # noqa: E741 - the context


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


def concentrate(table: Table, caster: Combatant, spell: Spell) -> None:
    """Begin to keep a spell up; one that was kept up before ends."""
    end_condition(table, caster, CONCENTRATING, f"casts {spell.title}")
    until = for_a_minute(table.battle, caster)
    afflict(table, caster, CONCENTRATING, source=spell.ref, owner=caster.id, until=until)
