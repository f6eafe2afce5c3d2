"""Casting a spell: slots, prices, countering, and the start of concentration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any, TypeVar

from pydantic import Field, create_model

from combatlog.rules.dnd5e.attack.targeting import Power
from combatlog.rules.dnd5e.attack.wielding import untrained_armor
from combatlog.rules.dnd5e.combatant_state import afflict, conditions_of, end_condition, end_fleeting, is_hostile
from combatlog.rules.dnd5e.conditions.durations_and_end_of_turn_saves import for_minutes, until_next_turn
from combatlog.rules.dnd5e.contexts import Casting
from combatlog.rules.dnd5e.creatures.sheet import InnateSpell, sheet_of
from combatlog.rules.dnd5e.economy import ACTION, BONUS_ACTION, REACTION, changes_this_turn, in_words, slot, spent_on
from combatlog.rules.dnd5e.pieces import Dnd5eCondition, Reaction
from combatlog.rules.dnd5e.reactions import open_window
from combatlog.rules.engine.options_and_validation import Options, Signature
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.ruleset_types import Price, price
from ledger.events import Data, Declared
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

BEGUN = "spell.begun"
"""A spell is being cast and has not taken effect yet."""
CAST = "spell.cast"
AIMED = "spell.aimed"
CONCENTRATING = "dnd5e:condition:concentrating"
HIGHEST_SLOT = 9


class SlotOptions(Options):
    """The options of a spell that takes a slot."""

    slot: int


@cache
def slot_options(level: int) -> type[SlotOptions]:
    """The options of a spell of this level."""
    meaning = f"the level of the slot to cast it with, {level} to {HIGHEST_SLOT}"
    return create_model("SlotOptions", __base__=SlotOptions, slot=(int, Field(default=level, description=meaning)))


class Spell(Power):
    """A spell. Casting it costs an action, a bonus action or a reaction and, unless it is a cantrip, a slot."""

    type = "spell"
    level: int
    casting: str = ACTION
    concentration: bool = False

    @property
    def signature(self) -> Signature:
        """What its declaration can contain. A cantrip takes no slot."""
        return replace(super().signature, options=slot_options(self.level)) if self.level else super().signature

    def is_held(self, combatant: Combatant) -> bool:
        return sheet_of(combatant).loadout.has(self)

    def price(self, actor: Combatant, options: Data) -> dict[str, int]:
        casting = {} if actor.granted_actions(self.ref) else {self.casting: 1}  # free as part of its multiattack
        innate = sheet_of(actor).innate_spells.get(self.name)
        if innate is not None:
            self._check_own_level(actor, options)
            return casting | innate_price(self.name, innate)
        if self.level == 0:
            return casting
        return casting | {slot(self.slot_level(options)): 1}

    def _check_own_level(self, actor: Combatant, options: Data) -> None:
        if options and self.slot_level(options) != self.level:
            raise Refusal(
                "spell/innate",
                f"{actor.name} casts {self.title} without a slot, at level {self.level}; omit the slot.",
                who=actor.id,
                spell=self.name,
                needed=self.level,
            )

    def slot_level(self, options: Data) -> int:
        """The level it is cast at: that of the named slot, or else its own."""
        level = slot_options(self.level).read(options).slot
        if not self.level <= level <= HIGHEST_SLOT:
            raise Refusal(
                "spell/slot",
                f"{self.title} takes a slot of level {self.level} to {HIGHEST_SLOT}, not {level}.",
                spell=self.name,
                needed=self.level,
                available=list(range(self.level, HIGHEST_SLOT + 1)),
                found=level,
            )
        return level

    def difficulty(self, actor: Combatant) -> int:
        return sheet_of(actor).difficulty_of(self.name)

    def steps(self, options: Data) -> int:
        return self.slot_level(options) - self.level if self.level else 0  # a cantrip takes no slot

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if (hindrance := _hindrance(actor)) is not None:
            raise Refusal(
                "spell/forbidden",
                f"{actor.name} cannot cast spells while {hindrance.title}.",
                who=actor.id,
                spell=self.name,
                condition=hindrance.name,
            )
        if (untrained := untrained_armor(sheet_of(actor))) is not None:
            raise Refusal(
                "spell/armor",
                f"{actor.name} is not proficient with {untrained} and cannot cast spells in it.",
                who=actor.id,
                spell=self.name,
            )
        if self.level > 0 and self.casting == ACTION and _cast_with(battle, actor, BONUS_ACTION):
            raise Refusal(
                "spell/one-a-turn",
                f"{actor.name} has cast a spell as a bonus action this turn; its action can cast only a cantrip.",
                who=actor.id,
                spell=self.name,
            )
        if self.casting == BONUS_ACTION and _cast_with(battle, actor, REACTION):
            raise Refusal(
                "spell/one-a-turn",
                f"{actor.name} has cast a spell as a reaction this turn; its bonus action cannot cast another.",
                who=actor.id,
                spell=self.name,
            )
        if self.casting == BONUS_ACTION and any(spell.level for spell in _cast_with(battle, actor, ACTION)):
            raise Refusal(
                "spell/one-a-turn",
                f"{actor.name} has cast a spell with its action this turn; its bonus action cannot cast another.",
                who=actor.id,
                spell=self.name,
            )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        for grant in actor.granted_actions(self.ref)[:1]:
            table.ungrant(grant, "used")
        if is_interrupted(table, actor, self, self._cast_at(declared.options), declared.targets):
            return
        end_fleeting(table, actor, f"cast {self.title}", harmless=not self.is_harmful(table, actor, declared))
        self.cast(table, actor, declared)
        open_window(table, Casting(table.battle, actor, self.ref, declared.targets), CAST)

    def is_harmful(self, table: Table, actor: Combatant, declared: Declared) -> bool:
        """Whether it affects an enemy of its caster."""
        targets = [table.combatant(name) for name in declared.targets]
        return "harm" in self.tags or any(is_hostile(actor, target) for target in targets)

    def _cast_at(self, options: Data) -> int:
        return self.slot_level(options) if self.level else 0

    def cast(self, table: Table, actor: Combatant, declared: Declared) -> None:
        raise NotImplementedError(f"{self.ref} does nothing")


def _hindrance(caster: Combatant) -> Dnd5eCondition | None:
    """The condition that forbids casting, if any."""
    return next((held for held in conditions_of(caster) if held.forbids_spells), None)


def is_interrupted(table: Table, caster: Combatant, spell: Spell, level: int, targets: tuple[str, ...] = ()) -> bool:
    """Whether the spell is countered while it is being cast."""
    casting = Casting(table.battle, caster, spell.ref, targets, level)
    open_window(table, casting, BEGUN)
    return casting.countered


def hold(table: Table, caster: Combatant, spell: Spell, options: Data) -> bool:
    """Cast a spell and hold it with concentration to release it later. Returns False if it was countered."""
    if is_interrupted(table, caster, spell, spell.slot_level(options) if spell.level else 0):
        return False
    end_fleeting(table, caster, f"cast {spell.title}", harmless=True)
    end_condition(table, caster, CONCENTRATING, f"readied {spell.title}")
    until = until_next_turn(caster)
    afflict(table, caster, CONCENTRATING, source=spell.ref, owner=caster.id, until=until)
    return True


def _cast_with(battle: Battle, actor: Combatant, resource: str) -> list[Spell]:
    """The spells on which this turn's action or bonus action was spent."""
    changes = changes_this_turn(battle, actor, resource)
    spent = [spent_on(battle, change) for change in changes if change.after < change.before]
    return [spell for spell in sheet_of(actor).loadout.spells if spell.ref in spent]


O = TypeVar("O")  # noqa: E741 - the context


class ReactionSpell(Spell, Reaction[O]):
    """A spell that is cast as a reaction and cannot be declared."""

    casting = REACTION

    @property
    def signature(self) -> Signature:
        """An empty signature, because it cannot be declared."""
        return Signature(about=self.about)

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        raise Refusal(
            "spell/reaction",
            f"{self.title} is a reaction; {actor.name} can cast it when asked to react.",
            who=actor.id,
            spell=self.name,
        )

    def bar(self, battle: Battle, reactor: Combatant) -> str | None:
        if (hindrance := _hindrance(reactor)) is not None:
            return f"{reactor.name} cannot cast spells while {hindrance.title}"
        if (untrained := untrained_armor(sheet_of(reactor))) is not None:
            return f"{reactor.name} is not proficient with {untrained} and cannot cast spells in it"
        if battle.clock.turn == reactor.id and _cast_with(battle, reactor, BONUS_ACTION):
            return f"{reactor.name} has cast a spell as a bonus action this turn"
        return None

    def reaction_price(self, reactor: Combatant) -> dict[str, int]:
        innate = sheet_of(reactor).innate_spells.get(self.name)
        if innate is not None:
            return {REACTION: 1} | innate_price(self.name, innate)
        return {REACTION: 1, slot(self.lowest_slot(reactor)): 1}

    def react(self, table: Table, context: O, reactor: Combatant, paid: dict[str, int]) -> None:
        level = slot_level(paid, self.level)
        if not is_interrupted(table, reactor, self, level):
            end_fleeting(table, reactor, f"cast {self.title}", harmless="harm" not in self.tags)
            self.respond(table, context, reactor, level)

    def respond(self, table: Table, context: O, reactor: Combatant, level: int) -> None:
        """Carry out the spell, cast at this level."""
        raise NotImplementedError(f"{self.ref} does nothing")

    def lowest_slot(self, caster: Combatant) -> int:
        """The level of the lowest remaining slot that can be used."""
        levels = range(self.level, HIGHEST_SLOT + 1)
        return next((level for level in levels if caster.economy.left(slot(level))), self.level)


def slot_level(paid: dict[str, int], least: int) -> int:
    """The level of the slot that was spent; `least` if none was."""
    return next((level for level in range(1, HIGHEST_SLOT + 1) if slot(level) in paid), least)


def innate_pool(spell: str) -> str:
    return f"innate_{spell}"


def innate_price(spell: str, innate: InnateSpell) -> dict[str, int]:
    """The cost of an innate spell besides its casting time: one use, or nothing if it is cast at will."""
    return {} if innate.uses is None else {innate_pool(spell): 1}


def concentrate(table: Table, caster: Combatant, spell: Power) -> None:
    """Start to concentrate on a spell; concentration on any other spell ends."""
    end_condition(table, caster, CONCENTRATING, f"cast {spell.title}")
    until = for_minutes(table.battle, caster, spell.minutes)
    afflict(table, caster, CONCENTRATING, source=spell.ref, owner=caster.id, until=until)


def with_other_slots(reaction: Reaction[Any], reactor: Combatant, lowest: int) -> Iterator[tuple[Data, dict[str, int]]]:
    """The usual price with the lowest remaining slot, and then with each higher one."""
    yield {}, reaction.reaction_price(reactor)
    for level in range(lowest + 1, HIGHEST_SLOT + 1):
        if reactor.economy.left(slot(level)):
            said: Data = {"slot": level}
            yield said, reaction.price_said(reactor, said)


def prices_of(reaction: Reaction[Any], reactor: Combatant) -> list[Price]:
    return [price(costs, _words, said) for said, costs in reaction.prices(reactor)]


def _words(resource: str, amount: int) -> str:
    name = in_words(resource.rsplit(":", 1)[-1])
    return f"{amount} {name}" + ("s" if amount > 1 and not name.endswith("s") else "")
