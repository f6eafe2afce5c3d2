"""What a combatant could declare. Whether it is legal is asked of the pieces themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cached_property

from ledger.events import Data, Declared, Position
from projections.battle import Battle
from projections.combatant import Combatant
from rules.action_points.autoplay.estimate import attack_worth, healing_worth, nearest_way
from rules.action_points.base_action import Action
from rules.action_points.economy import AP, COSTS, METRES, Cost, Payment, require_payable
from rules.action_points.equipment import Harmful
from rules.action_points.pieces import PIECES, Activity
from rules.action_points.sheet import sheet_of
from rules.action_points.spells_and_items import Heal, Item, Spell
from rules.action_points.tables import SPRINT_METRES
from rules.action_points.targeting import FISTS, held_weapons
from rules.action_points.vitality import FAT, fat_of, is_dead
from rules.autoplay.option import Aim, Option
from rules.autoplay.tags import Tags
from rules.engine.dice import TableDice
from rules.engine.imagined import imagined
from rules.engine.table import Circumstances, Table
from rules.engine.turns import require_turn

NEVER = datetime(1970, 1, 1, tzinfo=UTC)


class PointsOption(Option):
    """A piece, and what declaring it would be worth."""

    archetype = "plain"

    def __init__(self, battle: Battle, actor: Combatant, name: str) -> None:
        self.battle = battle
        self.combatant = actor
        self.name = name
        self.actor = actor.id
        self.piece = PIECES.of(Activity)[name]

    @property
    def tags(self) -> Tags:
        return Tags([self.archetype, *(f"resource.{resource}" for resource in self.cost)])

    @property
    def cost(self) -> dict[str, int]:
        return {}

    def aims(self) -> Sequence[Aim]:
        return [Aim()]

    def check(self, aim: Aim) -> None:
        require_turn(self.battle, self.actor)
        self.piece.require(self.battle, self.combatant)
        if isinstance(self.piece, Action):
            table = Table(self.battle, Circumstances(dice=TableDice(()), now=NEVER))
            self.piece.prepare(table, self.combatant, self._declared(aim))

    def _declared(self, aim: Aim) -> Declared:
        return imagined(
            self.battle,
            self.actor,
            self.piece.ref,
            targets=aim.targets,
            destination=aim.place,
            weapon=self.weapon,
            options=aim.options,
        )

    def affected_positions(self, aim: Aim) -> list[Position]:
        places = [self.battle.combatants[name].position for name in aim.targets or (self.actor,)]
        return [place for place in places if place is not None]

    def average_damage(self) -> float:
        return 0.0

    def standing_at(self, place: Position) -> Option:
        return self

    # What the metrics ask

    def harm(self, aim: Aim) -> float:
        return 0.0

    def healing(self, aim: Aim) -> float:
        return 0.0

    def closer(self, aim: Aim) -> float:
        return 0.0

    def effort(self, aim: Aim) -> float:
        """What it takes out of the actor: FAT is dear when there is little of it."""
        return 0.0


class Paid(PointsOption):
    """An action, with either payment."""

    @property
    def cost(self) -> dict[str, int]:
        return self.cost_at(Aim())

    def cost_at(self, aim: Aim) -> dict[str, int]:
        cost = COSTS[Payment(aim.options.get("pay", Payment.STANDARD))]
        return {AP: cost.ap, FAT: cost.fat} if cost.fat else {AP: cost.ap}

    def check(self, aim: Aim) -> None:
        super().check(aim)
        _require_affordable(self.combatant, self.cost_at(aim))

    def effort(self, aim: Aim) -> float:
        cost = self.cost_at(aim)
        left = fat_of(self.combatant) - cost.get(FAT, 0)
        dear = LOW_FAT.get(left, USUAL_FAT) if cost.get(FAT) else 0.0
        return dear + (cost[AP] - 1) * EXTRA_AP


LOW_FAT = {0: 8.0, 1: 4.0, 2: 3.0, 3: 2.0}
USUAL_FAT = 0.3
EXTRA_AP = 0.8
"""What the last FAT, any other FAT, and a second AP are worth."""


def _require_affordable(actor: Combatant, cost: dict[str, int]) -> None:
    require_payable(actor, Cost(cost[AP], cost.get(FAT, 0)))


class Striking(Paid):
    """An attack with a weapon or a spell."""

    archetype = "attack"

    def __init__(
        self, battle: Battle, actor: Combatant, name: str, means: Harmful, skill: str, said: Data | None = None
    ) -> None:
        super().__init__(battle, actor, name)
        self.means = means
        self.skill = skill
        self.said = said or {}

    @property
    def id(self) -> str:
        return f"{super().id}:{self.said.get('spell', '')}"

    @property
    def tags(self) -> Tags:
        return super().tags | (["attack.weapon"] if self.weapon else ["attack.spell"])

    def aims(self) -> Sequence[Aim]:
        return [
            Aim((enemy.id,), options={**self.said, **({} if pay is Payment.STANDARD else {"pay": pay.value})})
            for enemy in enemies(self.battle, self.combatant)
            for pay in Payment
        ]

    def harm(self, aim: Aim) -> float:
        target = self.battle.combatants[aim.targets[0]]
        return attack_worth(self.battle, self.combatant, target, self.skill, self.means)


class Restoring(Paid):
    """A spell or an item that heals."""

    archetype = "healing"

    def __init__(self, battle: Battle, actor: Combatant, name: str, said: Data, content: Spell | Item) -> None:
        super().__init__(battle, actor, name)
        self.said = said
        self.content = content

    @property
    def id(self) -> str:
        return f"{super().id}:{next(iter(self.said.values()))}"

    def aims(self) -> Sequence[Aim]:
        friends = [other for other in self.battle.present() if other.side == self.combatant.side and not is_dead(other)]
        return [Aim((friend.id,), options=dict(self.said)) for friend in friends]

    def healing(self, aim: Aim) -> float:
        return healing_worth(self.battle.combatants[aim.targets[0]], self.content)


class Resting(PointsOption):
    archetype = "rest"

    @property
    def cost(self) -> dict[str, int]:
        return {AP: self.combatant.economy.left(AP)}

    def aims(self) -> Sequence[Aim]:
        return [Aim(options={"ap": left})] if (left := self.combatant.economy.left(AP)) else []

    def healing(self, aim: Aim) -> float:
        """Resting is for those who would otherwise have to focus in order to act."""
        return float(aim.options["ap"]) if fat_of(self.combatant) <= max(LOW_FAT) + 1 else 0.0


class Approaching(PointsOption):
    """A step or a sprint towards the nearest enemy, for those who reach nobody."""

    archetype = "move"

    @cached_property
    def metres(self) -> int:
        return self.combatant.economy.left(METRES) if self.name == "step" else SPRINT_METRES

    @property
    def cost(self) -> dict[str, int]:
        return {METRES: 0} if self.name == "step" else {AP: 1, FAT: 1}

    @cached_property
    def _way(self) -> tuple[Position, int] | None:
        return nearest_way(self.battle, self.combatant, enemies(self.battle, self.combatant), self.metres)

    def aims(self) -> Sequence[Aim]:
        return [Aim(place=self._way[0])] if self._way else []

    def closer(self, aim: Aim) -> float:
        return float(self._way[1]) if self._way else 0.0

    def effort(self, aim: Aim) -> float:
        return 0.0 if self.name == "step" else 1.0


def enemies(battle: Battle, actor: Combatant) -> list[Combatant]:
    return [other for other in battle.present() if other.side != actor.side and not is_dead(other)]


def options_of(battle: Battle, actor: Combatant) -> list[Option]:
    return [
        *_attacks(battle, actor),
        *_spells(battle, actor),
        *_items(battle, actor),
        Resting(battle, actor, "rest"),
        Approaching(battle, actor, "step"),
        Approaching(battle, actor, "move"),
    ]


def _attacks(battle: Battle, actor: Combatant) -> Iterator[Option]:
    for weapon in [*held_weapons(actor), FISTS]:
        option = Striking(battle, actor, "attack", weapon, weapon.skill)
        option.weapon = weapon.name
        yield option


def _spells(battle: Battle, actor: Combatant) -> Iterator[Option]:
    for name, spell in sheet_of(actor).grimoire.items():
        if spell.attack:
            yield Striking(battle, actor, "cast", spell, spell.skill, {"spell": name})
        elif any(isinstance(effect, Heal) for effect in spell.effects):
            yield Restoring(battle, actor, "cast", {"spell": name}, spell)


def _items(battle: Battle, actor: Combatant) -> Iterator[Option]:
    for name, item in sheet_of(actor).bag.items():
        if actor.economy.left(name) and any(isinstance(effect, Heal) for effect in item.effects):
            yield Restoring(battle, actor, "use_item", {"item": name}, item)
