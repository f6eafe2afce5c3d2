"""Options that change the actor's position: walking, teleporting, running and slipping away."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import ClassVar

from combatlog.rules.autoplay.option import Aim
from combatlog.rules.dnd5e.archetypes.strides import SpecialStride
from combatlog.rules.dnd5e.autoplay.leaving import strikers_on_the_way, those_who_hold_fast
from combatlog.rules.dnd5e.autoplay.metrics import FOLLOWING, METRICS
from combatlog.rules.dnd5e.autoplay.options import Dnd5eOption
from combatlog.rules.dnd5e.autoplay.outcome import Outcome
from combatlog.rules.dnd5e.autoplay.outlook import Outlook
from combatlog.rules.dnd5e.economy import ACTION
from combatlog.rules.dnd5e.paths import require_room, usual_gait
from combatlog.rules.dnd5e.powers import Power
from combatlog.rules.dnd5e.space import RIDING
from combatlog.rules.dnd5e.speed import speed_of
from combatlog.rules.dnd5e.striding import reach_of
from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.grid import MAX_SIZE
from combatlog.rules.engine.refusal import Refusal
from ledger.events import Position

NEXT_TURN = 0.5
"""What a better place to attack from is worth if the attack has to wait until next turn: enemies move as well."""

PLACES = 12
"""How many places to slip away to are examined: the safest, and the best to attack from."""


class ToPlace(Dnd5eOption):
    """Something that takes the actor to another place, and the attack that can follow from there."""

    def struck_by(self, place: Position) -> list[str]:
        """Who could attack on the way; nobody, unless overridden."""
        return []

    def affected_positions(self, aim: Aim) -> list[Position]:
        return [aim.place] if aim.place is not None else []

    def foresee(self, aim: Aim) -> Outcome:
        outlook, here = self.outlook, self.combatant.position
        assert aim.place is not None
        assert here is not None
        nearer = self._nearer(aim.place)
        struck_by = self.struck_by(aim.place)
        if ACTION in self.cost:
            better = max(0.0, outlook.capability(aim.place) - self._able_here)
            return Outcome(struck_by=struck_by, place=aim.place, ambush=NEXT_TURN * better, nearer=nearer)
        return Outcome(struck_by=struck_by, place=aim.place, opens_up=outlook.prospect(aim.place), nearer=nearer)

    def bound(self, aim: Aim) -> float | None:
        """What all its metrics come to without opportunity attacks and its cost, which only make it worse."""
        if aim.place is None:
            return None
        outlook, (dangerous, near, following) = self.outlook, self._weights
        total = dangerous * (outlook.danger(aim.place) - self._danger_here)
        if ACTION in self.cost:
            total += following * max(0.0, outlook.capability(aim.place) - self._able_here)
        elif outlook.attacks_left:
            total += following * outlook.capability(aim.place)
        return total + near * self._nearer(aim.place)

    def _nearer(self, place: Position) -> float:
        """Steps closer to the enemy; they count only if there is nobody to attack, here or there."""
        if self._able_here and self.outlook.capability(place):
            return 0.0
        return self._steps_here - self.outlook.steps_to_foes(place)

    @cached_property
    def _able_here(self) -> float:
        return self.outlook.capability(self.combatant.position)

    @cached_property
    def _weights(self) -> tuple[float, float, float]:
        """What counts per hit point in danger, per step to the enemy, and for the attack that can follow."""
        bold = self.outlook.boldness
        later = METRICS["ambush"].weight * NEXT_TURN if ACTION in self.cost else METRICS["opens_up"].weight * FOLLOWING
        return METRICS["danger"].weight / bold, METRICS["distance_to_enemies"].weight * bold, later

    @cached_property
    def _danger_here(self) -> float:
        return self.outlook.danger(self.combatant.position)

    @cached_property
    def _steps_here(self) -> float:
        assert self.combatant.position is not None
        return self.outlook.steps_to_foes(self.combatant.position)

    def look_closer(self, aim: Aim) -> bool:
        """The attack from there may be worse than hoped because of cover or missing allies."""
        outcome = self.outcome(aim)
        if aim.place is None or not outcome.opens_up:
            return False
        for estimate in (self.outlook.at_most, self.outlook.closer):
            found = estimate(aim.place)
            if found < outcome.opens_up:
                outcome.opens_up = found
                return True
        return False


class Walk(ToPlace):
    archetype = "move"
    kinds: ClassVar[tuple[str, ...]] = ("resource.movement",)
    concerns = ("danger", "opportunity_attacks", "opens_up", "distance_to_enemies")

    def aims(self) -> Sequence[Aim]:
        if self.combatant.conditions and self.combatant.has(RIDING):
            return []  # its mount does the walking
        return list(map(_to, self.outlook.reachable))

    def struck_by(self, place: Position) -> list[str]:
        return strikers_on_the_way(self.outlook, place)


@lru_cache(maxsize=MAX_SIZE**2)
def _to(place: Position) -> Aim:
    """Every decision has some dozens of them."""
    return Aim(place=place)


class Teleport(ToPlace):
    archetype = "teleport"
    piece: Power

    def aims(self) -> Sequence[Aim]:
        return [Aim(place=place, options=self.how) for place in self._squares()]

    def _squares(self) -> list[Position]:
        here, grid = self.combatant.position, self.outlook.grid
        if here is None:
            return []
        steps = self.piece.range // 5
        span = range(-steps, steps + 1)
        squares = [(here[0] + x, here[1] + y) for y in span for x in span if x or y]
        return [place for place in squares if grid.is_open(place) and self._has_room(place)]

    def _has_room(self, place: Position) -> bool:
        try:
            require_room(self.outlook.battle, self.combatant, place)
        except Refusal:
            return False
        return True


class Slip(ToPlace):
    """Getting away without opportunity attacks. It is aimed at a place, but the walking comes afterwards."""

    archetype = "slip away"

    def aims(self) -> Sequence[Aim]:
        return slips(self)

    def struck_by(self, place: Position) -> list[str]:
        return those_who_hold_fast(self.outlook, strikers_on_the_way(self.outlook, place))

    def declaration(self, aim: Aim) -> Declaration:
        return super().declaration(_without_place(aim))

    def words(self, aim: Aim) -> str:
        said = super().words(_without_place(aim))
        return f"{said} to get to {aim.place[0]},{aim.place[1]}" if aim.place is not None else said


def _without_place(aim: Aim) -> Aim:
    return Aim(aim.targets, options=aim.options)


def slips(option: Dnd5eOption, **how: str) -> list[Aim]:
    """The best places that cannot be walked to without provoking opportunity attacks."""
    outlook = option.outlook
    if not outlook.is_watched:
        return []
    best_first = sorted(outlook.reachable, key=lambda place: (_exposure(outlook, place), place[1], place[0]))
    watched = (place for place in best_first if strikers_on_the_way(outlook, place))
    return [Aim(place=place, options=how) for place in islice(watched, PLACES)]


def _exposure(outlook: Outlook, place: Position) -> float:
    return outlook.danger(place) - outlook.capability(place)


class Run(Dnd5eOption):
    """Extra movement, for those who cannot attack anybody this turn without it."""

    archetype = "run"

    def foresee(self, aim: Aim) -> Outcome:
        return foresee_run(self)


def foresee_run(option: Dnd5eOption) -> Outcome:
    """The attack it makes possible this turn, or how much closer it gets the actor to enemies that would not come."""
    outlook, here = option.outlook, option.combatant.position
    if here is None or outlook.can_attack:
        return Outcome()
    more = speed_of(option.combatant, usual_gait(outlook.battle, option.combatant))
    farther = outlook.squares_within(outlook.movement_left + more)
    to_attack_from = [] if ACTION in option.cost else [place for place in farther if outlook.prospect(place)]
    if to_attack_from:
        there = max(to_attack_from, key=lambda place: (outlook.prospect(place) - outlook.danger(place), place))
        return Outcome(place=there, opens_up=outlook.prospect(there))
    if not farther or any(outlook.must_come(foe) and outlook.gets_at(foe, here) for foe in outlook.foes):
        return Outcome()
    walked = min(map(outlook.steps_to_foes, (here, *outlook.reachable)))
    there = min(farther, key=lambda place: (outlook.steps_to_foes(place), place))
    return Outcome(place=there, nearer=max(0.0, walked - outlook.steps_to_foes(there)))


class StepOfTheWind(Slip):
    """Running or slipping away, depending on its option."""

    def aims(self) -> Sequence[Aim]:
        return [Aim(options={"as": "dash"}), *slips(self, **{"as": "disengage"})]

    def foresee(self, aim: Aim) -> Outcome:
        return super().foresee(aim) if aim.place is not None else foresee_run(self)


class Charging(ToPlace):
    """Moving towards an enemy with the bonus action, for those who cannot attack anybody this turn by walking."""

    archetype = "move"

    def aims(self) -> Sequence[Aim]:
        if self.outlook.can_attack:
            return []
        return list(map(_to, self.outlook.squares_within(speed_of(self.combatant))))

    def struck_by(self, place: Position) -> list[str]:
        return strikers_on_the_way(self.outlook, place)


class Striding(ToPlace):
    """Movement on top of the turn's, for those who cannot attack anybody this turn by walking."""

    archetype = "move"
    piece: SpecialStride

    def aims(self) -> Sequence[Aim]:
        if self.outlook.can_attack:
            return []
        return list(map(_to, self.outlook.squares_within(self._reach)))

    @property
    def _reach(self) -> int:
        return reach_of(self.outlook.battle, self.combatant, self.piece.stride)

    def struck_by(self, place: Position) -> list[str]:
        return [] if self.piece.slips else strikers_on_the_way(self.outlook, place)
