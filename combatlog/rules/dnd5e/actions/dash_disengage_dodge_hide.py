"""The actions Dash, Disengage, Dodge, Hide and Search, and the option to delay a turn."""

from __future__ import annotations

from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import (
    THREE_QUARTERS_COVER,
    cover,
    has_clear_view,
    has_line,
    perceives,
    senses_invisible,
)
from combatlog.rules.dnd5e.battlemap.speed_and_terrain import dash
from combatlog.rules.dnd5e.combatant_state import afflict, can_act, end_condition, is_blinded, is_hostile
from combatlog.rules.dnd5e.conditions.durations_and_end_of_turn_saves import until_end_of_turn, until_next_turn
from combatlog.rules.dnd5e.economy import ACTION, BONUS_ACTION, MOVEMENT
from combatlog.rules.dnd5e.enums import Skill
from combatlog.rules.dnd5e.hazards_and_optional_rules import allows_delay
from combatlog.rules.dnd5e.pieces import Ability, piece
from combatlog.rules.dnd5e.saves_and_checks import check_total, passive_score
from combatlog.rules.dnd5e.turns_and_rests import later_in_round, pass_turn
from combatlog.rules.engine.options_and_validation import Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.resolution.turns import act_after, require_later, waits_for
from ledger.events import Declared
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle


@piece
class Dash(Ability):
    """Spend the action to gain movement equal to your speed."""

    name = "dash"
    cost = {ACTION: 1}
    tags = ("movement",)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        dash(table, actor)


DISENGAGING = "dnd5e:condition:disengaging"


@piece
class Disengage(Ability):
    """Spend the action to move without provoking opportunity attacks for the rest of the turn."""

    name = "disengage"
    cost = {ACTION: 1}
    tags = ("movement", "defense")

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        disengage(table, actor, self.ref)


def disengage(table: Table, actor: Combatant, source: str) -> None:
    afflict(table, actor, DISENGAGING, source=source, owner=actor.id, until=until_end_of_turn(actor))


DODGING = "dnd5e:condition:dodging"


@piece
class Dodge(Ability):
    """Spend the action to be harder to hit until your next turn."""

    name = "dodge"
    cost = {ACTION: 1}
    tags = ("defense",)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        dodge(table, actor, self.ref)


def dodge(table: Table, actor: Combatant, source: str) -> None:
    afflict(table, actor, DODGING, source=source, owner=actor.id, until=until_next_turn(actor))


@piece
class Delay(Ability):
    """Take your turn later, after the target's turn or last, from this round on. An optional rule."""

    name = "delay"
    parts = frozenset({Part.TARGET})

    def is_offered(self, battle: Battle) -> bool:
        return allows_delay(battle)

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if not self.is_offered(battle):
            raise Refusal(
                "delay/not-allowed",
                "This fight is played without the optional rule to delay turns.",
                who=actor.id,
                option="delay",
            )
        if any(actor.economy[resource].spent for resource in (ACTION, BONUS_ACTION, MOVEMENT)):
            raise Refusal(
                "delay/begun",
                f"{actor.name} has already done something this turn and can no longer delay it.",
                who=actor.id,
            )
        require_later(actor, later_in_round(battle, actor))

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        later = later_in_round(table.battle, actor)
        act_after(table, actor, waits_for(actor, later, declared))
        pass_turn(table, actor, later[0])


HIDDEN = "dnd5e:condition:hidden"
INVISIBLE = "dnd5e:condition:invisible"
STEALTH = "stealth"
"""Data of a hidden combatant: the total of its Stealth check."""


@piece
class Hide(Ability):
    """Spend the action to hide: a Stealth check against the enemies' best passive Perception."""

    name = "hide"
    cost = {ACTION: 1}
    tags = ("defense",)

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        check_unseen(battle, actor)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        hide(table, actor, self.ref)


def check_unseen(battle: Battle, actor: Combatant) -> None:
    """Refuse an actor whom an enemy sees clearly."""
    watcher = next((enemy for enemy in _enemies(battle, actor) if sees_clearly(battle, enemy, actor)), None)
    if watcher is not None:
        raise Refusal(
            "hide/in-plain-sight",
            f"{watcher.name} sees {actor.name} clearly; get behind a wall, a pillar or three-quarters cover first.",
            who=actor.id,
            found=watcher.id,
        )


def hide(table: Table, actor: Combatant, source: str) -> None:
    against = keenest_perception(table.battle, actor)
    stealth = check_total(table, actor, Skill.STEALTH, against)
    if stealth >= against:
        afflict(table, actor, HIDDEN, source=source, owner=actor.id, data={STEALTH: stealth})


def keenest_perception(battle: Battle, actor: Combatant) -> int:
    """The DC of the actor's Stealth check."""
    return max((passive_score(battle, enemy, Skill.PERCEPTION) for enemy in _enemies(battle, actor)), default=0)


def _enemies(battle: Battle, actor: Combatant) -> list[Combatant]:
    return [other for other in battle.present() if is_hostile(actor, other) and can_act(other)]


def sees_clearly(battle: Battle, watcher: Combatant, actor: Combatant) -> bool:
    if watcher.position is None or actor.position is None:
        return False  # without positions, the GM decides who can hide
    if is_blinded(watcher) or not has_line(battle, watcher, actor) or not perceives(battle, watcher, actor):
        return False
    if actor.has(INVISIBLE) and not senses_invisible(watcher, actor):
        return False
    return has_clear_view(battle, watcher, actor) and cover(battle, watcher, actor) < THREE_QUARTERS_COVER


@piece
class SearchAbility(Ability):
    """Spend the action to look for hidden enemies: Perception has to beat the Stealth check of each."""

    name = "search"
    cost = {ACTION: 1}
    tags = ("support",)

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if not _hidden(battle, actor):
            raise Refusal("search/nobody", f"No enemy of {actor.name} is hidden.", who=actor.id)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        hidden = _hidden(table.battle, actor)
        stealth = {enemy.id: _stealth(table.battle, enemy) for enemy in hidden}
        found = check_total(table, actor, Skill.PERCEPTION, min(stealth.values()) + 1)
        for enemy in hidden:
            if stealth[enemy.id] < found:
                end_condition(table, enemy, HIDDEN, f"{actor.name} found it")


def _stealth(battle: Battle, enemy: Combatant) -> int:
    """The total of the check with which it hid, or its passive Stealth if it is hidden without a check."""
    rolled = enemy.conditions[HIDDEN].data.get(STEALTH)
    return passive_score(battle, enemy, Skill.STEALTH) if rolled is None else int(rolled)


def _hidden(battle: Battle, actor: Combatant) -> list[Combatant]:
    return [other for other in battle.present() if is_hostile(actor, other) and other.has(HIDDEN)]
