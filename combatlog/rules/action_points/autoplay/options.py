"""The possible declarations of a combatant. The pieces themselves check whether they are legal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cached_property

from combatlog.rules.action_points.autoplay.odds import attack_worth, healing_worth, nearest_way
from combatlog.rules.action_points.checks import PaidAction
from combatlog.rules.action_points.economy_and_vitality import (
    AP,
    FAT,
    METRES,
    BoostOptions,
    Payment,
    PointCost,
    fat_of,
    is_dead,
    require_payable,
)
from combatlog.rules.action_points.equipment import ActionPointsSpell, ActionPointsWeapon, Harmful, HealEffect, Item
from combatlog.rules.action_points.pieces import PIECES, ActionPointsActivity
from combatlog.rules.action_points.sheet import sheet_of
from combatlog.rules.action_points.tables_and_formulas import (
    AIM,
    FREE_METRES,
    HALVES_PER_ROUND,
    SPRINT_METRES,
    ap_recovery,
)
from combatlog.rules.action_points.targeting_and_movement import FISTS, held_weapons
from combatlog.rules.action_points.turns import halves_for, later_in_round
from combatlog.rules.autoplay.option import Option, OptionAim, Tags
from combatlog.rules.engine.dice.dice_sources import TableDice
from combatlog.rules.engine.grid.squares import distance
from combatlog.rules.engine.resolution.dry_run import hypothetical
from combatlog.rules.engine.resolution.table import Circumstances, Table
from combatlog.rules.engine.resolution.turns import require_turn
from ledger.events import Data, Declared, Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

NEVER = datetime(1970, 1, 1, tzinfo=UTC)


class PointsOption(Option):
    """A piece, and the worth of declaring it."""

    archetype = "plain"

    def __init__(self, battle: Battle, actor: Combatant, name: str) -> None:
        self.battle = battle
        self.combatant = actor
        self.name = name
        self.actor = actor.id
        self.piece = PIECES.of(ActionPointsActivity)[name]

    @property
    def tags(self) -> Tags:
        return Tags([self.archetype, *(f"resource.{resource}" for resource in self.cost)])

    @property
    def cost(self) -> dict[str, int]:
        return {}

    def aims(self) -> Sequence[OptionAim]:
        return [OptionAim()]

    def check(self, aim: OptionAim) -> None:
        require_turn(self.battle, self.actor)
        self.piece.require(self.battle, self.combatant)
        if isinstance(self.piece, PaidAction):
            table = Table(self.battle, Circumstances(dice=TableDice(()), now=NEVER))
            self.piece.prepare(table, self.combatant, self._declared(aim))

    def _declared(self, aim: OptionAim) -> Declared:
        return hypothetical(
            self.battle,
            self.actor,
            self.piece.ref,
            targets=aim.targets,
            destination=aim.place,
            weapon=self.weapon,
            options=aim.options,
        )

    def affected_positions(self, aim: OptionAim) -> list[Position]:
        places = [self.battle.combatants[name].position for name in aim.targets or (self.actor,)]
        return [place for place in places if place is not None]

    def average_damage(self) -> float:
        return 0.0

    def standing_at(self, place: Position) -> Option:
        return self

    # For the metrics

    def harm(self, aim: OptionAim) -> float:
        return 0.0

    def healing(self, aim: OptionAim) -> float:
        return 0.0

    def closer(self, aim: OptionAim) -> float:
        return 0.0

    def effort(self, aim: OptionAim) -> float:
        """The effort for the actor; FAT is expensive when little is left."""
        return 0.0


class PaidOption(PointsOption):
    """An action, with either payment."""

    @property
    def cost(self) -> dict[str, int]:
        return self.cost_at(OptionAim())

    def cost_at(self, aim: OptionAim) -> dict[str, int]:
        cost = BoostOptions.read(aim.options).cost
        return {AP: cost.ap, FAT: cost.fat} if cost.fat else {AP: cost.ap}

    def check(self, aim: OptionAim) -> None:
        super().check(aim)
        _require_affordable(self.combatant, self.cost_at(aim))

    def effort(self, aim: OptionAim) -> float:
        cost, left = self.cost_at(aim), fat_of(self.combatant)
        dear = sum(LOW_FAT.get(left - spent, USUAL_FAT) for spent in range(1, cost.get(FAT, 0) + 1))
        return dear + max(0, cost[AP] - 1 - self.spare_ap) * EXTRA_AP

    @property
    def spare_ap(self) -> int:
        """AP that would be lost at the end of the round if there is no better use for it."""
        return 0


MOST_BOOSTS = 6
"""The most FAT to put into one attack. AP is worth more for the next action, if there is one."""
LOW_FAT = {0: 8.0, 1: 4.0, 2: 3.0, 3: 2.0}
USUAL_FAT = 0.3
EXTRA_AP = 0.8
"""The price of the last points of FAT, of any other FAT, and of a second AP."""


def _require_affordable(actor: Combatant, cost: dict[str, int]) -> None:
    require_payable(actor, PointCost(cost[AP], cost.get(FAT, 0)))


class Striking(PaidOption):
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

    def aims(self) -> Sequence[OptionAim]:
        said = [
            {**self.said, **({} if pay is Payment.STANDARD else {"pay": pay.value}), **boosts}
            for pay in Payment
            for boosts in ({}, *self._boosts)
        ]
        return [OptionAim((enemy.id,), options=one) for enemy in enemies(self.battle, self.combatant) for one in said]

    @cached_property
    def _boosts(self) -> list[Data]:
        """Boosts with FAT, up to the limit below which a Focus check is needed, and with AP that would be lost."""
        affordable = min(MOST_BOOSTS, fat_of(self.combatant) - 1 - max(LOW_FAT))
        with_fat: list[Data] = [{"boost_fat": amount} for amount in range(1, affordable + 1)]
        return [*with_fat, *({"boost_ap": amount} for amount in range(1, self.spare_ap + 1))]

    @cached_property
    def spare_ap(self) -> int:
        """With a weapon that shoots once per round, the AP above the maximum, which would be lost."""
        if not isinstance(self.means, ActionPointsWeapon) or halves_for(self.combatant, self.means) < HALVES_PER_ROUND:
            return 0
        pool = self.combatant.economy[AP]
        kept = pool.current - 1 + ap_recovery(fat_of(self.combatant))
        return max(0, min(pool.current - 1, kept - (pool.maximum or kept)))

    def harm(self, aim: OptionAim) -> float:
        target, effort = self.battle.combatants[aim.targets[0]], BoostOptions.read(aim.options)
        boosts = effort.boost_ap + effort.boost_fat
        return attack_worth(self.battle, self.combatant, target, self.skill, self.means, boosts)


class TakingAim(PaidOption):
    """Aiming while the weapon cools down, for a better shot in the next round."""

    archetype = "aim"

    def __init__(self, battle: Battle, actor: Combatant, weapon: ActionPointsWeapon) -> None:
        super().__init__(battle, actor, "aim")
        self.means = weapon
        self.weapon = weapon.name

    def aims(self) -> Sequence[OptionAim]:
        return [OptionAim((enemy.id,)) for enemy in enemies(self.battle, self.combatant)]

    def harm(self, aim: OptionAim) -> float:
        """The gain of the aimed shot, reduced for the risk of losing the aim."""
        target = self.battle.combatants[aim.targets[0]]
        aimed, plain = (
            attack_worth(self.battle, self.combatant, target, self.means.skill, self.means, bonus) for bonus in (AIM, 0)
        )
        return KEEPS_AIM * (aimed - plain)

    def effort(self, aim: OptionAim) -> float:
        """Aiming costs an action that the combatant may need for its defence."""
        return super().effort(aim) + EXTRA_AP


TO_GO_AND_STRIKE = 2
"""The AP needed to move to an enemy and attack."""
KEEPS_AIM = 0.7
"""The assumed chance of keeping the aim until the shot."""


class DelayOption(PointsOption):
    """Delaying the turn, if the combatant cannot both move and attack and an enemy is about to approach."""

    archetype = "wait"

    def aims(self) -> Sequence[OptionAim]:
        if self.combatant.economy.left(AP) >= TO_GO_AND_STRIKE:
            return []
        coming = [enemy for enemy in later_in_round(self.battle, self.combatant) if self._will_come(enemy)]
        return [OptionAim((coming[-1].id,))] if coming else []

    def _will_come(self, enemy: Combatant) -> bool:
        """Whether a hostile melee fighter will be able to come into reach in its turn, but is not there yet."""
        if enemy.side == self.combatant.side or any(not weapon.is_melee for weapon in held_weapons(enemy)):
            return False
        if self.combatant.position is None or enemy.position is None:
            return False
        apart = distance(self.combatant.position, enemy.position)
        return FREE_METRES + 1 < apart <= FREE_METRES + SPRINT_METRES

    def closer(self, aim: OptionAim) -> float:
        """Worth as much as a sprint, without its price."""
        return float(SPRINT_METRES)


class Restoring(PaidOption):
    """A spell or an item that heals."""

    archetype = "healing"

    def __init__(
        self, battle: Battle, actor: Combatant, name: str, said: Data, content: ActionPointsSpell | Item
    ) -> None:
        super().__init__(battle, actor, name)
        self.said = said
        self.content = content

    @property
    def id(self) -> str:
        return f"{super().id}:{next(iter(self.said.values()))}"

    def aims(self) -> Sequence[OptionAim]:
        friends = [other for other in self.battle.present() if other.side == self.combatant.side and not is_dead(other)]
        return [OptionAim((friend.id,), options=dict(self.said)) for friend in friends]

    def healing(self, aim: OptionAim) -> float:
        return healing_worth(self.battle.combatants[aim.targets[0]], self.content)


class RestOption(PointsOption):
    archetype = "rest"

    @property
    def cost(self) -> dict[str, int]:
        return {AP: self.combatant.economy.left(AP)}

    def aims(self) -> Sequence[OptionAim]:
        return [OptionAim(options={"ap": left})] if (left := self.combatant.economy.left(AP)) else []

    def healing(self, aim: OptionAim) -> float:
        """Resting is only worthwhile at low FAT, when other actions need a Focus check."""
        return float(aim.options["ap"]) if fat_of(self.combatant) <= max(LOW_FAT) + 1 else 0.0


class Approaching(PointsOption):
    """A step or a sprint towards the nearest enemy, if none is in reach."""

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

    def aims(self) -> Sequence[OptionAim]:
        return [OptionAim(place=self._way[0])] if self._way else []

    def closer(self, aim: OptionAim) -> float:
        return float(self._way[1]) if self._way else 0.0

    def effort(self, aim: OptionAim) -> float:
        return 0.0 if self.name == "step" else 1.0


def enemies(battle: Battle, actor: Combatant) -> list[Combatant]:
    return [other for other in battle.present() if other.side != actor.side and not is_dead(other)]


def options_of(battle: Battle, actor: Combatant) -> list[Option]:
    return [
        *_attacks(battle, actor),
        *_spells(battle, actor),
        *_items(battle, actor),
        *_preparations(battle, actor),
        RestOption(battle, actor, "rest"),
        Approaching(battle, actor, "step"),
        Approaching(battle, actor, "move"),
    ]


def _preparations(battle: Battle, actor: Combatant) -> Iterator[Option]:
    for weapon in held_weapons(actor):
        if not weapon.is_melee:
            yield TakingAim(battle, actor, weapon)
    if nearest_way(battle, actor, enemies(battle, actor), FREE_METRES):
        yield DelayOption(battle, actor, "delay")


def _attacks(battle: Battle, actor: Combatant) -> Iterator[Option]:
    for weapon in [*held_weapons(actor), FISTS]:
        option = Striking(battle, actor, "attack", weapon, weapon.skill)
        option.weapon = weapon.name
        yield option


def _spells(battle: Battle, actor: Combatant) -> Iterator[Option]:
    for name, spell in sheet_of(actor).grimoire.items():
        if spell.attack:
            yield Striking(battle, actor, "cast", spell, spell.skill, {"spell": name})
        elif any(isinstance(effect, HealEffect) for effect in spell.effects):
            yield Restoring(battle, actor, "cast", {"spell": name}, spell)


def _items(battle: Battle, actor: Combatant) -> Iterator[Option]:
    for name, item in sheet_of(actor).bag.items():
        if actor.economy.left(name) and any(isinstance(effect, HealEffect) for effect in item.effects):
            yield Restoring(battle, actor, "use_item", {"item": name}, item)
