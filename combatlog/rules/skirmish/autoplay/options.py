"""The options of a figure: what each can be aimed at, and whether that is legal. `check` runs the rules' own checks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

from combatlog.rules.autoplay.option import Aim, Option
from combatlog.rules.autoplay.tags import Tags
from combatlog.rules.engine.imagined import imagined
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.skirmish.ability import Ability
from combatlog.rules.skirmish.actions.abilities import cost_of
from combatlog.rules.skirmish.activity import Activity
from combatlog.rules.skirmish.attachments import WHILE_ATTACHED
from combatlog.rules.skirmish.autoplay.outlook import Outlook
from combatlog.rules.skirmish.footprint import Pose
from combatlog.rules.skirmish.play import Situation
from combatlog.rules.skirmish.sheet import player_of, speed_of
from combatlog.rules.skirmish.targeting import targets_of
from combatlog.rules.skirmish.vocabulary import ACTIONS, Need
from ledger.events import Position

IMPROVING = ("applyFocus", "nextAttackBonusPierce", "roundAttackBonusHits", "roundAttackSurgeBonus")
"""Properties that make the attacks of an activation better."""


class SkirmishOption(Option):
    archetype = "plain"
    kinds: ClassVar[tuple[str, ...]] = ()

    def __init__(self, outlook: Outlook, activity: Activity) -> None:
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

    def aims(self) -> Sequence[Aim]:
        return [Aim()]

    def is_open(self) -> bool:
        try:
            self.activity.check_all(self.outlook.battle, self.outlook.actor)
        except Refusal:
            return False
        return True

    def check(self, aim: Aim) -> None:
        battle = self.outlook.battle
        self.activity.check_all(battle, self.outlook.actor)
        declared = imagined(
            battle,
            self.actor,
            self.activity.ref,
            targets=aim.targets,
            destination=aim.place,
            options=aim.options,
        )
        self.activity.aim(battle, self.outlook.actor, declared)

    def affected_positions(self, aim: Aim) -> list[Position]:
        combatants = self.outlook.battle.combatants
        places = [combatants[name].position for name in aim.targets or (self.actor,)]
        return [place for place in places if place is not None]

    def average_damage(self) -> float:
        return 0.0

    def pose(self, aim: Aim) -> Pose | None:
        """Where the figure would end up; None if it stays where it is."""
        return None

    def standing_at(self, place: Position) -> SkirmishOption:
        """The same option: where a figure stands makes a difference only to its aims, which are checked."""
        return self


class Attacking(SkirmishOption):
    """The attack action."""

    archetype = "strike"
    kinds = ("attack",)

    def aims(self) -> Sequence[Aim]:
        return [Aim((target.id,)) for target in targets_of(self.outlook.battle, self.outlook.actor)]


class Moving(SkirmishOption):
    """Going to a place: by an action, or with movement points that are left."""

    archetype = "move"

    @property
    def points(self) -> int:
        gained = speed_of(self.outlook.actor) if ACTIONS in self.cost else 0
        return self.outlook.points + gained

    def aims(self) -> Sequence[Aim]:
        return [self._aim(pose) for pose in self.outlook.places_within(self.points)]

    def _aim(self, pose: Pose) -> Aim:
        turns = pose.turned != self.outlook.here.turned
        return Aim(place=pose.place, options={"turn": True} if turns else {})

    def pose(self, aim: Aim) -> Pose | None:
        if aim.place is None:
            return None
        return Pose(aim.place, self.outlook.here.turned != bool(aim.options.get("turn")))

    def affected_positions(self, aim: Aim) -> list[Position]:
        return [aim.place] if aim.place is not None else []


class Activating(SkirmishOption):
    """Beginning an activation, when none is in progress."""

    archetype = "activate"


class ShakingOff(SkirmishOption):
    archetype = "recover"

    def aims(self) -> Sequence[Aim]:
        return [Aim(options={"condition": name}) for name in ("stunned", "bleeding")]


class UsingAbility(SkirmishOption):
    """A card or a special action."""

    archetype = "ability"

    def __init__(self, outlook: Outlook, activity: Activity, ability: Ability, option: str) -> None:
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

    def aims(self) -> Sequence[Aim]:
        if not self.ability.is_attack:
            return [Aim(options=self.how)]
        return [Aim((target.id,), options=self.how) for target in targets_of(self.outlook.battle, self.outlook.actor)]

    @cached_property
    def changes_something(self) -> bool:
        battle, figure = self.outlook.battle, self.outlook.actor
        return Situation(battle, player_of(battle, figure), self.ability, figure).changes_something

    @property
    def is_for_next_attack(self) -> bool:
        """Whether it is wasted if no attack follows in this activation."""
        return any(effect.with_attack for effect in self.ability.effects())

    @property
    def improves_attack(self) -> bool:
        return self.is_for_next_attack or any(name in IMPROVING for name in self.ability.properties) or self._arms

    @property
    def _arms(self) -> bool:
        """Whether it is attached and improves every attack from then on."""
        inner = self.ability.inner(WHILE_ATTACHED)
        return any(effect.needs is Need.ATTACKER for ability in inner for effect in ability.effects())

    @property
    def hits(self) -> int:
        """The hits that it adds to the attack it includes."""
        bonus = self.ability.properties.get("nextAttacksBonusHits")
        return int(bonus["bonus"]) if isinstance(bonus, dict) and self.ability.is_attack else 0
