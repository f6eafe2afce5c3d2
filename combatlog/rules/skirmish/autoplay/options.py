"""The options of a figure: their possible aims, and whether an aim is legal. `check` runs the rules' own checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import ClassVar

from combatlog.rules.autoplay.option import Option, OptionAim, Tags
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.dry_run import hypothetical
from combatlog.rules.skirmish.actions.abilities import cost_of, specials_of
from combatlog.rules.skirmish.actions.activate import SkirmishActivity
from combatlog.rules.skirmish.attachments import USES, WHILE_ATTACHED, attached_to
from combatlog.rules.skirmish.autoplay.odds import AttackOutlook
from combatlog.rules.skirmish.board import Pose
from combatlog.rules.skirmish.library import LibraryAbility, library_of
from combatlog.rules.skirmish.pieces import PIECES
from combatlog.rules.skirmish.play import Situation
from combatlog.rules.skirmish.sheet import is_in_play, is_player, player_of, speed_of
from combatlog.rules.skirmish.targeting import targets_of
from combatlog.rules.skirmish.vocabulary import ACTIONS, HAND, Need
from ledger.events import Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

IMPROVING = ("applyFocus", "nextAttackBonusPierce", "roundAttackBonusHits", "roundAttackSurgeBonus")
"""Properties that improve the attacks of an activation."""


class SkirmishOption(Option):
    archetype = "plain"
    kinds: ClassVar[tuple[str, ...]] = ()

    def __init__(self, outlook: AttackOutlook, activity: SkirmishActivity) -> None:
        self.outlook = outlook
        self.activity = activity
        self.name = activity.name
        self.actor = outlook.actor.id

    @property
    def tags(self) -> Tags:
        return Tags([*self.kinds, *(f"resource.{resource}" for resource in self.cost)])

    @property
    def cost(self) -> dict[str, int]:
        return dict(self.activity.cost)

    def aims(self) -> Sequence[OptionAim]:
        return [OptionAim()]

    def is_open(self) -> bool:
        try:
            self.activity.check_all(self.outlook.battle, self.outlook.actor)
        except Refusal:
            return False
        return True

    def check(self, aim: OptionAim) -> None:
        battle = self.outlook.battle
        self.activity.check_all(battle, self.outlook.actor)
        declared = hypothetical(
            battle,
            self.actor,
            self.activity.ref,
            targets=aim.targets,
            destination=aim.place,
            options=aim.options,
        )
        self.activity.aim(battle, self.outlook.actor, declared)

    def affected_positions(self, aim: OptionAim) -> list[Position]:
        combatants = self.outlook.battle.combatants
        places = [combatants[name].position for name in aim.targets or (self.actor,)]
        return [place for place in places if place is not None]

    def average_damage(self) -> float:
        return 0.0

    def pose(self, aim: OptionAim) -> Pose | None:
        """The figure's pose afterwards; None if it does not move."""
        return None

    def standing_at(self, place: Position) -> SkirmishOption:
        """The same option: a figure's place only matters for its aims, which are checked."""
        return self


class Attacking(SkirmishOption):
    """The attack action."""

    archetype = "strike"
    kinds = ("attack",)

    def aims(self) -> Sequence[OptionAim]:
        return [OptionAim((target.id,)) for target in targets_of(self.outlook.battle, self.outlook.actor)]


class Moving(SkirmishOption):
    """Going to a place: with an action, or with the movement points that are left."""

    archetype = "move"

    @property
    def points(self) -> int:
        gained = speed_of(self.outlook.actor) if ACTIONS in self.cost else 0
        return self.outlook.points + gained

    def aims(self) -> Sequence[OptionAim]:
        return [self._aim(pose) for pose in self.outlook.places_within(self.points)]

    def _aim(self, pose: Pose) -> OptionAim:
        turns = pose.turned != self.outlook.here.turned
        return OptionAim(place=pose.place, options={"turn": True} if turns else {})

    def pose(self, aim: OptionAim) -> Pose | None:
        if aim.place is None:
            return None
        return Pose(aim.place, self.outlook.here.turned != bool(aim.options.get("turn")))

    def affected_positions(self, aim: OptionAim) -> list[Position]:
        return [aim.place] if aim.place is not None else []


class Activating(SkirmishOption):
    """Beginning an activation, when none is in progress."""

    archetype = "activate"


class ConditionRemovalOption(SkirmishOption):
    archetype = "recover"

    def aims(self) -> Sequence[OptionAim]:
        return [OptionAim(options={"condition": name}) for name in ("stunned", "bleeding")]


class UsingAbility(SkirmishOption):
    """A card or a special action."""

    archetype = "ability"

    def __init__(
        self, outlook: AttackOutlook, activity: SkirmishActivity, ability: LibraryAbility, option: str
    ) -> None:
        super().__init__(outlook, activity)
        self.ability = ability
        self.how = {option: ability.id}
        self.weapon = None

    @property
    def id(self) -> str:
        return f"{self.actor}:{self.name}:{self.ability.id}"

    @property
    def cost(self) -> dict[str, int]:
        return cost_of(self.ability)

    def aims(self) -> Sequence[OptionAim]:
        if not self.ability.is_attack:
            return [OptionAim(options=self.how)]
        return [
            OptionAim((target.id,), options=self.how) for target in targets_of(self.outlook.battle, self.outlook.actor)
        ]

    @cached_property
    def changes_something(self) -> bool:
        battle, figure = self.outlook.battle, self.outlook.actor
        return Situation(battle, player_of(battle, figure), self.ability, figure).changes_something

    @property
    def is_for_next_attack(self) -> bool:
        """Whether the ability is wasted if no attack follows in this activation."""
        return any(effect.with_attack for effect in self.ability.effects())

    @property
    def improves_attack(self) -> bool:
        return self.is_for_next_attack or any(name in IMPROVING for name in self.ability.properties) or self._arms

    @property
    def _arms(self) -> bool:
        """Whether the card is attached and improves every attack from then on."""
        inner = self.ability.inner(WHILE_ATTACHED)
        return any(effect.needs is Need.ATTACKER for ability in inner for effect in ability.effects())

    @property
    def hits(self) -> int:
        """The hits that the ability adds to the attack it includes."""
        bonus = self.ability.properties.get("nextAttacksBonusHits")
        return int(bonus["bonus"]) if isinstance(bonus, dict) and self.ability.is_attack else 0


BY_NAME: dict[str, type[SkirmishOption]] = {
    "activate": Activating,
    "attack": Attacking,
    "move": Moving,
    "walk": Moving,
    "shake_off": ConditionRemovalOption,
}


def options_of(battle: Battle, actor: Combatant) -> list[SkirmishOption]:
    """Everything that the figure could do, whether or not it is possible now."""
    if is_player(actor) or not is_in_play(actor):
        return []
    outlook = AttackOutlook(battle, actor)
    activities = PIECES.of(SkirmishActivity)
    simple = [kind(outlook, activities[name]) for name, kind in BY_NAME.items()]
    return [*simple, *_abilities(outlook, activities)]


def _abilities(outlook: AttackOutlook, activities: dict[str, SkirmishActivity]) -> Iterator[SkirmishOption]:
    battle, actor = outlook.battle, outlook.actor
    for name in dict.fromkeys(player_of(battle, actor).pile(HAND)):
        yield UsingAbility(outlook, activities["play"], library_of(battle).card(name), "card")
    for ability in specials_of(battle, actor):
        yield UsingAbility(outlook, activities["special"], ability, "ability")
    for attached in attached_to(battle, actor):
        for how, part in USES.items():
            for inner in attached.ability.inner(part):
                yield UsingAbility(outlook, activities[how], inner, "card")
