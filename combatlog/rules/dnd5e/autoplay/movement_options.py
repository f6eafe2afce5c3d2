"""Options to move or hide: walking, teleporting, dashing, hiding."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import ClassVar

from combatlog.rules.autoplay.option import OptionAim
from combatlog.rules.dnd5e.actions.dash_disengage_dodge_hide import HIDDEN, keenest_perception
from combatlog.rules.dnd5e.archetypes.extra_movement import SpecialExtraMovement, reach_of
from combatlog.rules.dnd5e.attack.targeting import Power
from combatlog.rules.dnd5e.autoplay.attacks_and_reach import shot_range
from combatlog.rules.dnd5e.autoplay.metrics import FOLLOWING, METRICS, strikers_on_the_way, those_who_hold_fast
from combatlog.rules.dnd5e.autoplay.odds_and_estimates import ForeseenCondition, ForeseenOutcome, check_chance
from combatlog.rules.dnd5e.autoplay.option_base import Dnd5eOption
from combatlog.rules.dnd5e.autoplay.outlook import Outlook
from combatlog.rules.dnd5e.battlemap.paths import require_room, usual_gait
from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import has_line
from combatlog.rules.dnd5e.battlemap.space import RIDING
from combatlog.rules.dnd5e.battlemap.speed_and_terrain import speed_of
from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.economy import ACTION
from combatlog.rules.dnd5e.enums import AbilityScore, Skill
from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.grid.squares import MAX_SIZE
from combatlog.rules.engine.refusal import Refusal
from ledger.events import Position
from projections.battle.combatant import Combatant

NEXT_TURN = 0.5
"""The worth of a better place for an attack next turn. Lower than 1, because enemies move too."""

PLACES = 12
"""The number of places to disengage to that are examined: the safest, and the best to attack from."""


class ToSquareOption(Dnd5eOption):
    """Movement to another place, and the attack that can follow from there."""

    def struck_by(self, place: Position) -> list[str]:
        """The enemies that could attack on the way; none, unless overridden."""
        return []

    def affected_positions(self, aim: OptionAim) -> list[Position]:
        return [aim.place] if aim.place is not None else []

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        outlook, here = self.outlook, self.combatant.position
        assert aim.place is not None
        assert here is not None
        nearer = self._nearer(aim.place)
        struck_by = self.struck_by(aim.place)
        if ACTION in self.cost:
            better = max(0.0, outlook.capability(aim.place) - self._able_here)
            return ForeseenOutcome(struck_by=struck_by, place=aim.place, ambush=NEXT_TURN * better, nearer=nearer)
        return ForeseenOutcome(
            struck_by=struck_by, place=aim.place, opens_up=outlook.prospect(aim.place), nearer=nearer
        )

    def bound(self, aim: OptionAim) -> float | None:
        """The sum of its metrics without opportunity attacks and costs, which can only lower it."""
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
        """Steps closer to the enemy; 0 if the actor can attack both here and there."""
        if self._able_here and self.outlook.capability(place):
            return 0.0
        return self._steps_here - self.outlook.steps_to_foes(place)

    @cached_property
    def _able_here(self) -> float:
        return self.outlook.capability(self.combatant.position)

    @cached_property
    def _weights(self) -> tuple[float, float, float]:
        """The weights of a hit point in danger, of a step to the enemy, and of the attack that can follow."""
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

    def look_closer(self, aim: OptionAim) -> bool:
        """Lower the estimate of the attack from there, which can be worse because of cover or missing allies."""
        outcome = self.outcome(aim)
        if aim.place is None or not outcome.opens_up:
            return False
        for estimate in (self.outlook.at_most, self.outlook.closer):
            found = estimate(aim.place)
            if found < outcome.opens_up:
                outcome.opens_up = found
                return True
        return False


class WalkOption(ToSquareOption):
    archetype = "move"
    kinds: ClassVar[tuple[str, ...]] = ("resource.movement",)
    concerns = ("danger", "opportunity_attacks", "opens_up", "distance_to_enemies")

    def aims(self) -> Sequence[OptionAim]:
        if self.combatant.conditions and self.combatant.has(RIDING):
            return []  # its mount moves instead
        return list(map(_to, self.outlook.reachable))

    def struck_by(self, place: Position) -> list[str]:
        return strikers_on_the_way(self.outlook, place)


@lru_cache(maxsize=MAX_SIZE**2)
def _to(place: Position) -> OptionAim:
    """Cached, because every decision needs dozens of them."""
    return OptionAim(place=place)


class TeleportOption(ToSquareOption):
    archetype = "teleport"
    piece: Power

    def aims(self) -> Sequence[OptionAim]:
        return [OptionAim(place=place, options=self.how) for place in self._squares()]

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


class DisengageOption(ToSquareOption):
    """Getting away without opportunity attacks. It is aimed at a place, but the actual movement comes afterwards."""

    archetype = "slip away"

    def aims(self) -> Sequence[OptionAim]:
        return slips(self)

    def struck_by(self, place: Position) -> list[str]:
        return those_who_hold_fast(self.outlook, strikers_on_the_way(self.outlook, place))

    def declaration(self, aim: OptionAim) -> Declaration:
        return super().declaration(_without_place(aim))

    def words(self, aim: OptionAim) -> str:
        said = super().words(_without_place(aim))
        return f"{said} to get to {aim.place[0]},{aim.place[1]}" if aim.place is not None else said


def _without_place(aim: OptionAim) -> OptionAim:
    return OptionAim(aim.targets, options=aim.options)


def slips(option: Dnd5eOption, **how: str) -> list[OptionAim]:
    """The best places that can be reached only by provoking opportunity attacks."""
    outlook = option.outlook
    if not outlook.is_watched:
        return []
    best_first = sorted(outlook.reachable, key=lambda place: (_exposure(outlook, place), place[1], place[0]))
    watched = (place for place in best_first if strikers_on_the_way(outlook, place))
    return [OptionAim(place=place, options=how) for place in islice(watched, PLACES)]


def _exposure(outlook: Outlook, place: Position) -> float:
    return outlook.danger(place) - outlook.capability(place)


class DashOption(Dnd5eOption):
    """Extra movement, if the actor cannot attack this turn without it."""

    archetype = "run"

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        return foresee_run(self)


def foresee_run(option: Dnd5eOption) -> ForeseenOutcome:
    """The attack that it makes possible this turn, or the approach to enemies that would not come closer."""
    outlook, here = option.outlook, option.combatant.position
    if here is None or outlook.can_attack:
        return ForeseenOutcome()
    more = speed_of(option.combatant, usual_gait(outlook.battle, option.combatant))
    farther = outlook.squares_within(outlook.movement_left + more)
    to_attack_from = [] if ACTION in option.cost else [place for place in farther if outlook.prospect(place)]
    if to_attack_from:
        there = max(to_attack_from, key=lambda place: (outlook.prospect(place) - outlook.danger(place), place))
        return ForeseenOutcome(place=there, opens_up=outlook.prospect(there))
    if not farther or any(outlook.must_come(foe) and outlook.gets_at(foe, here) for foe in outlook.foes):
        return ForeseenOutcome()
    walked = min(map(outlook.steps_to_foes, (here, *outlook.reachable)))
    there = min(farther, key=lambda place: (outlook.steps_to_foes(place), place))
    return ForeseenOutcome(place=there, nearer=max(0.0, walked - outlook.steps_to_foes(there)))


class StepOfTheWindOption(DisengageOption):
    """Dashing or disengaging, depending on its option."""

    def aims(self) -> Sequence[OptionAim]:
        return [OptionAim(options={"as": "dash"}), *slips(self, **{"as": "disengage"})]

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        return super().foresee(aim) if aim.place is not None else foresee_run(self)


class AggressiveOption(ToSquareOption):
    """Moving towards an enemy with the bonus action, if the actor cannot attack this turn by walking."""

    archetype = "move"

    def aims(self) -> Sequence[OptionAim]:
        if self.outlook.can_attack:
            return []
        return list(map(_to, self.outlook.squares_within(speed_of(self.combatant))))

    def struck_by(self, place: Position) -> list[str]:
        return strikers_on_the_way(self.outlook, place)


class ExtraMovementOption(ToSquareOption):
    """Movement on top of the turn's, if the actor cannot attack this turn by walking."""

    archetype = "move"
    piece: SpecialExtraMovement

    def aims(self) -> Sequence[OptionAim]:
        if self.outlook.can_attack:
            return []
        return list(map(_to, self.outlook.squares_within(self._reach)))

    @property
    def _reach(self) -> int:
        return reach_of(self.outlook.battle, self.combatant, self.piece.stride)

    def struck_by(self, place: Position) -> list[str]:
        return [] if self.piece.slips else strikers_on_the_way(self.outlook, place)


STAYS_HIDDEN = 0.5
"""The chance that hiding lasts until the next turn; any enemy that walks to a clear view ends it."""


class HideOption(Dnd5eOption):
    archetype = "stealth"

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        if self.combatant.has(HIDDEN) or not self._in_sight:
            return ForeseenOutcome()  # no enemy can shoot at it here, and stepping out to attack would reveal it
        if ACTION in self.cost:
            return ForeseenOutcome(ambush=self._chance * STAYS_HIDDEN * self._gain, spared=self._spared)
        follows = self.leads_up + self._chance * self._gain if self.outlook.attacks_left else 0.0
        return ForeseenOutcome(opens_up=follows, spared=self._spared)

    @cached_property
    def _in_sight(self) -> list[Combatant]:
        """The enemies with a line of sight to the actor, which can shoot at it and be shot at."""
        return [foe for foe in self.outlook.foes if has_line(self.outlook.battle, self.combatant, foe)]

    @property
    def _gain(self) -> float:
        return self.outlook.gain_here(HIDDEN)

    @property
    def _chance(self) -> float:
        battle, actor = self.outlook.battle, self.combatant
        return check_chance(battle, actor, Skill.STEALTH, AbilityScore.DEX, keenest_perception(battle, actor))

    @property
    def _spared(self) -> float:
        """The expected loss to enemy shots that hiding would prevent."""
        hidden = ForeseenCondition(self.actor, HIDDEN)
        shooters = [foe for foe in self._in_sight if feet_between(self.combatant, foe) <= shot_range(foe)]
        pairs = [(foe.id, self.actor) for foe in shooters]
        less = sum(self.outlook.threat(*pair) - self.outlook.threat_after(hidden, *pair) for pair in pairs)
        return self._chance * STAYS_HIDDEN * less


class CunningActionOption(StepOfTheWindOption):
    """Dashing, hiding or disengaging, depending on its option."""

    def aims(self) -> Sequence[OptionAim]:
        return [*super().aims(), OptionAim(options={"as": "hide"})]

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        if aim.options.get("as") == "hide":
            return HideOption(self.outlook, self.piece).foresee(aim)
        return super().foresee(aim)


class NimbleEscapeOption(DisengageOption):
    """Hiding or disengaging, depending on its option."""

    archetype = "nimble escape"

    def aims(self) -> Sequence[OptionAim]:
        return [OptionAim(options={"as": "hide"}), *slips(self, **{"as": "disengage"})]

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        return super().foresee(aim) if aim.place is not None else HideOption(self.outlook, self.piece).foresee(aim)
