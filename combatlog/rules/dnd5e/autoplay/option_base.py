"""The base class of all options in dnd5e: their possible aims and foreseen outcomes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar

from combatlog.rules.autoplay.option import Option, OptionAim, Tags
from combatlog.rules.dnd5e.archetypes.boons_and_healing import Stance
from combatlog.rules.dnd5e.archetypes.consequences import Consequence, HitConsequence
from combatlog.rules.dnd5e.archetypes.on_hit_and_gm_rulings import HitEffect
from combatlog.rules.dnd5e.archetypes.registry import ConditionDuration, condition_ref
from combatlog.rules.dnd5e.attack.damage import taken_chain
from combatlog.rules.dnd5e.autoplay.hypothetical_battles import standing_at
from combatlog.rules.dnd5e.autoplay.odds_and_estimates import (
    NOTHING,
    ForeseenCondition,
    ForeseenOutcome,
    Odds,
    area_odds,
    either,
    harm_odds,
    save_chance,
    sum_of,
)
from combatlog.rules.dnd5e.autoplay.outlook import Outlook
from combatlog.rules.dnd5e.contexts import Attack, Harm
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.economy import ACTION, can_pay, slot
from combatlog.rules.dnd5e.modifiers import STAGES, dice
from combatlog.rules.dnd5e.pieces import Activity
from combatlog.rules.dnd5e.spells.casting import HIGHEST_SLOT, Spell
from combatlog.rules.dnd5e.turns_and_rests import check_turn
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.chain import ModifierChain
from combatlog.rules.engine.resolution.dry_run import hypothetical
from ledger.events import Position
from projections.battle.combatant import Combatant


class Dnd5eOption(Option):
    archetype = "plain"
    kinds: ClassVar[tuple[str, ...]] = ()

    def __init__(self, outlook: Outlook, piece: Activity, weapon: str | None = None) -> None:
        self.outlook = outlook
        self.piece = piece
        self.weapon = weapon
        self.name = piece.name
        self.actor = outlook.actor.id
        self._outcomes: dict[tuple[object, ...], ForeseenOutcome] = {}
        self._last: tuple[OptionAim | None, ForeseenOutcome] = (
            None,
            ForeseenOutcome(),
        )  # all metrics ask for the same outcome one after the other

    @property
    def combatant(self) -> Combatant:
        return self.outlook.actor

    @cached_property
    def ways_to_pay(self) -> list[dict[str, Any]]:
        """The options with which it can be declared: for a spell, each remaining slot, lowest first."""
        spell = self.piece
        if not isinstance(spell, Spell) or spell.level == 0 or spell.name in sheet_of(self.combatant).innate_spells:
            return [{}]
        left = [level for level in range(spell.level, HIGHEST_SLOT + 1) if self.combatant.economy.left(slot(level))]
        return [{} if level == spell.level else {"slot": level} for level in left] or [{}]

    @property
    def how(self) -> dict[str, Any]:
        """The cheapest options with which it can be declared: a higher slot if its own level is used up."""
        return self.ways_to_pay[0]

    @cached_property
    def cost(self) -> dict[str, int]:
        return self.piece.price(self.combatant, self.how)

    def cost_at(self, aim: OptionAim) -> dict[str, int]:
        return self.piece.price(self.combatant, aim.options)

    @cached_property
    def tags(self) -> Tags:
        return Tags([*self.piece.tags, *self.kinds, *(resource_tag(resource) for resource in self.cost)])

    def aims(self) -> Sequence[OptionAim]:
        return [OptionAim(options=self.how)]

    def aims_at(self, targets: Iterable[Combatant]) -> list[OptionAim]:
        return [OptionAim((target.id,), options=self.how) for target in targets]

    def is_open(self) -> bool:
        try:
            if not self.outlook.has_turn or not can_pay(self.combatant, self.cost):
                return False
            self.piece.permit(self.outlook.battle, self.combatant, self.how)
        except Refusal:
            return False
        return True

    def check(self, aim: OptionAim) -> None:
        battle = self.outlook.battle
        check_turn(battle, self.combatant)
        self.piece.permit(battle, self.combatant, aim.options)
        declared = hypothetical(
            battle,
            self.actor,
            self.piece.ref,
            targets=aim.targets,
            destination=aim.place,
            weapon=self.weapon,
            options=aim.options,
        )
        self.piece.check(self.outlook.table, self.combatant, declared)

    def affected_positions(self, aim: OptionAim) -> list[Position]:
        combatants = self.outlook.battle.combatants
        places = [combatants[name].position for name in aim.targets or (self.actor,)]
        return [place for place in places if place is not None]

    def average_damage(self) -> float:
        return 0.0

    def standing_at(self, place: Position) -> Dnd5eOption:
        if place == self.combatant.position:
            return self
        battle = standing_at(self.outlook.battle, self.combatant, place)
        there = Outlook(battle, battle.combatants[self.actor], self.outlook.memory)
        return type(self)(there, self.piece, self.weapon)

    def outcome(self, aim: OptionAim) -> ForeseenOutcome:
        if aim is self._last[0]:
            return self._last[1]
        key = (aim, *aim.options.items())
        if key not in self._outcomes:
            self._outcomes[key] = self.foresee(aim)
        self._last = (aim, self._outcomes[key])
        return self._last[1]

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        """The expected outcome, as far as it can be foreseen."""
        return ForeseenOutcome()

    @property
    def leads_up(self) -> float:
        """The worth of the attack from here that can still follow; 0 if this takes the action."""
        return 0.0 if ACTION in self.cost else self.outlook.prospect(self.combatant.position)


def resource_tag(resource: str) -> str:
    """The tag of a resource: for `slot_1`, it is `resource.spellslot.1`."""
    if resource.startswith("slot_"):
        return f"resource.spellslot.{resource.removeprefix('slot_')}"
    return f"resource.{resource}"


LASTING = {
    ConditionDuration.NEXT_TURN: 1,
    ConditionDuration.END_OF_NEXT_TURN: 1,
    ConditionDuration.MINUTE: 2,
    ConditionDuration.HOUR: 2,
    ConditionDuration.UNTIL_ENDED: 1,
}
"""The number of turns for which a condition counts; fights are short."""


class ArchetypeStanceOption(Dnd5eOption):
    """A condition that the actor gives itself."""

    archetype = "stance"
    piece: Stance

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        entered = ForeseenCondition(self.actor, condition_ref(self.piece.condition), turns=LASTING[self.piece.lasts])
        return ForeseenOutcome(afflictions=[entered], opens_up=self.leads_up)


def after_hit(attack: Attack, hit: float, own: HitConsequence | None = None) -> list[ForeseenCondition]:
    """The conditions that an attack would cause, given its chance to hit: its own and those of features."""
    return [
        ForeseenCondition(
            attack.target.id, condition_ref(condition), chance=hit * (1 - saved), turns=LASTING[then.lasts]
        )
        for then, saved in _following(attack, own)
        for condition in then.conditions
    ]


def harm_after_hit(attack: Attack, hit: float, own: HitConsequence | None = None) -> Odds:
    """The additional damage of an attack that allows a save, given its chance to hit."""
    return sum_of(either(hit, _harm(attack, then, saved), NOTHING) for then, saved in _following(attack, own))


def _following(attack: Attack, own: HitConsequence | None) -> Iterator[tuple[HitConsequence, float]]:
    """The consequences of a hit, and the chance that the target saves against each."""
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
    chain = ModifierChain("damage", STAGES, [thrown])
    if then.saved == "nothing":
        return either(saved, NOTHING, harm_odds(chain, taken_chain(harm)))
    return area_odds(harm, chain, saved)


def after_area(then: Consequence, target: Combatant, saved: float) -> list[ForeseenCondition]:
    """The condition that an area would cause in a target, given its chance to save."""
    return [
        ForeseenCondition(target.id, condition_ref(name), chance=1 - saved, turns=LASTING[then.lasts])
        for name in then.threat
    ]
