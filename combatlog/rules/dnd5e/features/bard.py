"""Features of the bard: Bardic Inspiration and the die it gives, Cutting Words, Jack of All Trades."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.attack.phases import ROLLED
from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import can_see
from combatlog.rules.dnd5e.combatant_state import afflict, can_hear, end_condition, is_dead, is_hostile
from combatlog.rules.dnd5e.conditions.durations_and_end_of_turn_saves import MINUTE
from combatlog.rules.dnd5e.contexts import Attack, Check, Save, feet_between
from combatlog.rules.dnd5e.creatures.sheet import Sheet, sheet_of
from combatlog.rules.dnd5e.economy import BONUS_ACTION, REACTION
from combatlog.rules.dnd5e.enums import AbilityScore
from combatlog.rules.dnd5e.modifiers import adjust, bonus
from combatlog.rules.dnd5e.pieces import ActiveFeature, Dnd5eCondition, Feature, Reaction, piece
from combatlog.rules.dnd5e.saves_and_checks import THROWN
from combatlog.rules.engine.options_and_validation import Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.chain import Modifier
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.ruleset_types import RestKind
from ledger.events import Data, Declared, Until, UntilMoment
from projections.battle.combatant import Combatant

INSPIRATION = "bardic_inspiration"
FONT_OF_INSPIRATION = 5
"""The level from which a short rest restores inspiration."""


def inspirations(sheet: Sheet) -> int:
    return max(1, sheet.modifier(AbilityScore.CHA))


def rest_for_inspiration(sheet: Sheet) -> RestKind:
    return RestKind.SHORT if sheet.level >= FONT_OF_INSPIRATION else RestKind.LONG


def inspiration_die(bard: Combatant) -> int:
    """The number of sides of the bard's inspiration die."""
    level = sheet_of(bard).level
    return 6 if level < 5 else 8 if level < 10 else 10 if level < 15 else 12


INSPIRATION_RANGE = 60
MINUTES = 10
INSPIRED = "dnd5e:condition:inspired"


@piece
class BardicInspiration(ActiveFeature):
    """Spend the bonus action to give an ally within 60 feet a die to add to an attack, save or check."""

    name = "bardic_inspiration"
    cost = {BONUS_ACTION: 1, INSPIRATION: 1}
    tags = ("support",)
    parts = frozenset({Part.TARGET})

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {INSPIRATION: inspirations(sheet)}

    def rest_needed(self, sheet: Sheet) -> RestKind | None:
        return rest_for_inspiration(sheet)

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if len(declared.targets) != 1:
            raise Refusal(
                "bardic-inspiration/one-target",
                "Bardic Inspiration takes one target: an ally.",
                who=actor.id,
                needed=1,
                found=list(declared.targets),
            )
        ally = table.combatant(declared.targets[0])
        why = _why_not(actor, ally)
        if why is not None:
            code, problem = why
            raise Refusal(f"bardic-inspiration/{code}", f"{problem}; name an ally.", who=actor.id, target=ally.id)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        ally = table.combatant(declared.targets[0])
        until = Until(moment=UntilMoment.TURN_START, whose=actor.id, round=table.battle.clock.round + MINUTES * MINUTE)
        data = {"die": inspiration_die(actor)}
        afflict(table, ally, INSPIRED, source=self.ref, owner=actor.id, until=until, data=data)


def _why_not(bard: Combatant, ally: Combatant) -> tuple[str, str] | None:
    if ally is bard or is_hostile(bard, ally) or is_dead(ally):
        return "not-an-ally", f"{bard.name} can inspire only a living ally, not {ally.name}"
    if feet_between(bard, ally) > INSPIRATION_RANGE:
        return "too-far", f"{ally.name} is more than {INSPIRATION_RANGE} feet away from {bard.name}"
    if not can_hear(ally):
        return "deaf", f"{ally.name} cannot hear {bard.name}"
    return ("already", f"{ally.name} is already inspired") if ally.has(INSPIRED) else None


Roll = Attack | Save | Check


@piece
class Inspired(Dnd5eCondition, Reaction[Roll]):
    """Can add a bard's die to one attack, save or check after seeing the d20. It takes no reaction."""

    name = "inspired"
    is_single = True
    moments = (ROLLED, THROWN)
    while_incapacitated = True

    def reaction_price(self, reactor: Combatant) -> dict[str, int]:
        return {}

    def prices(self, reactor: Combatant) -> Iterator[tuple[Data, dict[str, int]]]:
        yield {}, {INSPIRED: 1}

    def obstacle(self, context: Roll, reactor: Combatant) -> str | None:
        if context.subject is not reactor:
            return f"the roll is not {reactor.name}'s"
        if "die" not in reactor.conditions[INSPIRED].data:
            return f"a ruling inspired {reactor.name} without giving a die"
        if isinstance(context, Attack):
            return "it would change nothing" if context.hits or context.natural == 1 else None
        return "the roll succeeds anyway" if context.total >= context.against else None

    def is_useful(self, context: Roll, reactor: Combatant) -> bool:
        needed = context.armor_class if isinstance(context, Attack) else context.against
        sides: int = reactor.conditions[INSPIRED].data["die"]
        return context.total + sides >= needed

    def react(self, table: Table, context: Roll, reactor: Combatant, paid: dict[str, int]) -> None:
        sides = reactor.conditions[INSPIRED].data["die"]
        end_condition(table, reactor, INSPIRED, "used")
        rolled = table.roll(self.name, reactor.id, f"1d{sides}")
        adjust(table, context, self.ref, reactor, "Bardic Inspiration", rolled.total)


CUTTING_WORDS_RANGE = 60


@piece
class CuttingWords(Feature, Reaction[Attack | Check]):
    """Subtract an inspiration die from an enemy's attack roll or check, if it hears the mockery and can be charmed.

    It is not offered in contests.
    """

    name = "cutting_words"
    moments = (ROLLED, THROWN)

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {INSPIRATION: inspirations(sheet)}

    def rest_needed(self, sheet: Sheet) -> RestKind | None:
        return rest_for_inspiration(sheet)

    def reaction_price(self, reactor: Combatant) -> dict[str, int]:
        return {REACTION: 1, INSPIRATION: 1}

    def obstacle(self, context: Attack | Check, reactor: Combatant) -> str | None:
        if not isinstance(context, Attack | Check):
            return "it does not help against saves"
        enemy = context.subject
        if not is_hostile(reactor, enemy):
            return f"{enemy.name} is not an enemy"
        if feet_between(reactor, enemy) > CUTTING_WORDS_RANGE or not can_see(context.battle, reactor, enemy):
            return f"{reactor.name} cannot see {enemy.name} within {CUTTING_WORDS_RANGE} feet"
        if not can_hear(enemy):
            return f"{enemy.name} cannot hear {reactor.name}"
        if "charmed" in sheet_of(enemy).condition_immunities:
            return f"{enemy.name} cannot be charmed"
        return None if self._changes(context) else "it would change nothing"

    def _changes(self, context: Attack | Check) -> bool:
        """Whether a lower total could change the outcome. The DC of a contest is not known yet, and given as 0."""
        if isinstance(context, Attack):
            return context.hits and context.natural != 20
        return 0 < context.against <= context.total

    def is_useful(self, context: Attack | Check, reactor: Combatant) -> bool:
        needed = context.armor_class if isinstance(context, Attack) else context.against
        return context.total - inspiration_die(reactor) < needed

    def react(self, table: Table, context: Attack | Check, reactor: Combatant, paid: dict[str, int]) -> None:
        rolled = table.roll(self.name, reactor.id, f"1d{inspiration_die(reactor)}")
        adjust(table, context, self.ref, reactor, "Cutting Words", -rolled.total)


@piece
class JackOfAllTrades(Feature):
    """Add half the proficiency bonus to checks without proficiency, initiative included."""

    name = "jack_of_all_trades"

    def on_check(self, check: Check, owner: Combatant) -> Iterator[Modifier]:
        sheet = sheet_of(owner)
        if check.name is None or not sheet.training(check.name):
            half = sheet.proficiency_bonus // 2
            yield bonus("features", self.ref, owner.id, "Jack of All Trades", half)
