from __future__ import annotations

from combatlog.rules.dnd5e.economy import ACTION
from combatlog.rules.dnd5e.light import perceives
from combatlog.rules.dnd5e.pieces import Ability, piece
from combatlog.rules.dnd5e.saves import passive_score, resolve_check
from combatlog.rules.dnd5e.sight import THREE_QUARTERS_COVER, cover, has_clear_view, has_line
from combatlog.rules.dnd5e.state import afflict, can_act, is_blinded, is_hostile
from combatlog.rules.dnd5e.words import Skill
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant

HIDDEN = "dnd5e:condition:hidden"


@piece
class Hide(Ability):
    """Spend the action to hide: Stealth against the enemies' best passive Perception."""

    name = "hide"
    cost = {ACTION: 1}
    tags = ("defense",)

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        check_unseen(battle, actor)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        hide(table, actor, self.ref)


def check_unseen(battle: Battle, actor: Combatant) -> None:
    """Refuse to hide anybody whom an enemy sees clearly."""
    watcher = next((enemy for enemy in _enemies(battle, actor) if sees_clearly(battle, enemy, actor)), None)
    if watcher is not None:
        raise Refusal(
            "hide/in-plain-sight",
            f"{watcher.name} sees {actor.name} clearly; get behind a wall, a pillar or three-quarters cover first.",
            who=actor.id,
            found=watcher.id,
        )


def hide(table: Table, actor: Combatant, source: str) -> None:
    if resolve_check(table, actor, Skill.STEALTH, keenest_perception(table.battle, actor)):
        afflict(table, actor, HIDDEN, source=source, owner=actor.id)


def keenest_perception(battle: Battle, actor: Combatant) -> int:
    """What the actor's Stealth check has to reach."""
    return max((passive_score(battle, enemy, Skill.PERCEPTION) for enemy in _enemies(battle, actor)), default=0)


def _enemies(battle: Battle, actor: Combatant) -> list[Combatant]:
    return [other for other in battle.present() if is_hostile(actor, other) and can_act(other)]


def sees_clearly(battle: Battle, watcher: Combatant, actor: Combatant) -> bool:
    if watcher.position is None or actor.position is None:
        return False  # without positions, the GM decides who can hide
    if is_blinded(watcher) or not has_line(battle, watcher, actor) or not perceives(battle, watcher, actor):
        return False
    return has_clear_view(battle, watcher, actor) and cover(battle, watcher, actor) < THREE_QUARTERS_COVER
