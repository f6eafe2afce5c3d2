"""Mounting and dismounting: each takes half of one's speed."""

from __future__ import annotations

from pydantic import Field

from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.economy import MOVEMENT
from combatlog.rules.dnd5e.mounts import get_off, get_on
from combatlog.rules.dnd5e.movement import settle
from combatlog.rules.dnd5e.pieces import Action, piece
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.space import RIDDEN, RIDING
from combatlog.rules.dnd5e.speed import Gait, check_can_move, speed_of
from combatlog.rules.dnd5e.state import can_act, is_hostile
from combatlog.rules.dnd5e.vitality import PRONE
from combatlog.rules.engine.options import Options, Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant


class MountOptions(Options):
    independent: bool = Field(default=False, description="whether the mount acts as it likes, in its own turns")


class Saddle(Action):
    tags = ("movement",)

    def price(self, actor: Combatant, options: dict[str, object]) -> dict[str, int]:
        return {MOVEMENT: speed_of(actor, Gait.WALK) // 2}


@piece
class Mount(Saddle):
    """Get on a willing creature within 5 feet that is at least one size larger, for half one's speed."""

    name = "mount"
    parts = frozenset({Part.TARGET})
    options = MountOptions

    def is_offered(self, battle: Battle) -> bool:
        turn = battle.combatants.get(battle.clock.turn or "")
        return turn is not None and any(fits(turn, other) for other in battle.present())

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        check_can_move(actor)
        if actor.has(RIDING):
            raise Refusal("mount/riding", f"{actor.name} is on a mount already; it can dismount.", who=actor.id)

        if actor.has(PRONE):
            raise Refusal("mount/prone", f"{actor.name} has to stand up before it can mount.", who=actor.id)

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target = _mount(table, actor, declared)
        if not fits(actor, target):
            raise Refusal(
                "mount/unfit",
                f"{actor.name} cannot ride {target.name}; a mount is willing, free, standing and at least "
                "one size larger.",
                who=actor.id,
                target=target.id,
            )
        if feet_between(actor, target) > 5:
            sentence = f"{target.name} is more than 5 feet away; move closer."
            raise Refusal("mount/too-far", sentence, who=actor.id, target=target.id)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        independent = MountOptions.read(declared.options).independent
        get_on(table, actor, table.combatant(declared.targets[0]), self.ref, independent=independent)


def _mount(table: Table, actor: Combatant, declared: Declared) -> Combatant:
    if len(declared.targets) != 1:
        sentence = f"{actor.name} can mount one creature; name it."
        raise Refusal("mount/one-target", sentence, who=actor.id, needed=1, found=list(declared.targets))
    return table.combatant(declared.targets[0])


def fits(rider: Combatant, mount: Combatant) -> bool:
    larger = sheet_of(mount).size.rank > sheet_of(rider).size.rank
    free = not mount.has(RIDDEN) and not mount.has(PRONE) and can_act(mount)
    return larger and free and mount is not rider and not is_hostile(rider, mount)


@piece
class Dismount(Saddle):
    """Get off one's mount, for half one's speed."""

    name = "dismount"
    parts = frozenset()

    def is_offered(self, battle: Battle) -> bool:
        turn = battle.combatants.get(battle.clock.turn or "")
        return turn is not None and turn.has(RIDING)

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if not actor.has(RIDING):
            raise Refusal("mount/not-riding", f"{actor.name} is not on a mount.", who=actor.id)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        get_off(table, actor, "dismounted")
        if actor.position is not None:
            settle(table, actor, actor.position)
