"""Walking step by step: what each step costs, who may answer it, and what stops a figure on its way."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.activity import why_held
from combatlog.rules.skirmish.conditions.this_activation import OVERRUNNING
from combatlog.rules.skirmish.footprint import occupant_of, occupants_of, pose_of, spaces_of
from combatlog.rules.skirmish.moments import answered_by_opponent
from combatlog.rules.skirmish.movement import Step
from combatlog.rules.skirmish.pushing import push_aside
from combatlog.rules.skirmish.sheet import figure_sheet, figures_in_play, is_in_play
from combatlog.rules.skirmish.targeting import is_adjacent
from combatlog.rules.skirmish.vitality import suffer
from combatlog.rules.skirmish.vocabulary import MOVEMENT, TURNED, Timing, ref
from ledger.events import DamagePart, Event, Position
from projections.battle import Battle
from projections.combatant import Combatant

TURN = ref("rule", "turn")


def walk(table: Table, actor: Combatant, steps: Sequence[Step], *, is_free: bool = False) -> None:
    """Take these steps with movement points; for free if a card moves the figure."""
    for step in steps:
        before = spaces_of(actor)
        with table.because_of(_take(table, actor, step)):
            if not is_free:
                table.spend(actor, MOVEMENT, step.cost, "walk")
            _overrun(table, actor, before)
            _come_near(table, actor)
        if _is_stopped(table.battle, actor):
            break
    if figure_sheet(actor).massive and is_in_play(actor):
        push_aside(table, actor)


def _overrun(table: Table, actor: Combatant, before: list[Position]) -> None:
    """Hostile figures whose spaces it has just entered suffer damage, if a card says so."""
    held = actor.conditions.get(OVERRUNNING)
    entered = [space for space in spaces_of(actor) if space not in before]
    under = occupants_of(table.battle, entered, actor) if held is not None else []
    for figure in under:
        if held is not None and figure.side != actor.side:
            suffer(table, figure, [DamagePart(source=held.source, amount=held.data["damage"])], actor.id)


def _come_near(table: Table, actor: Combatant) -> None:
    """The other player can play cards for figures that are next to the one that has moved."""
    hostile = [figure for figure in figures_in_play(table.battle) if figure.side != actor.side]
    near = [figure for figure in hostile if is_adjacent(table.battle, figure, actor)]
    if near:
        answered_by_opponent(table, Timing.HOSTILE_ENTERS_ADJACENT, actor, near)


def _is_stopped(battle: Battle, actor: Combatant) -> bool:
    """Whether somebody it came near has stopped it. It cannot stay in a space with others, so it goes on."""
    if not is_in_play(actor):
        return True
    return why_held(battle, actor) is not None and occupant_of(battle, spaces_of(actor), actor) is None


def _take(table: Table, actor: Combatant, step: Step) -> Event:
    """Take a step. A quarter turn may leave the upper left space where it is."""
    if step.pose.turned == pose_of(actor).turned:
        return table.move(actor, step.pose.place, step.cost)
    turned = _turn(table, actor)
    with table.because_of(turned):
        is_elsewhere = step.pose.place != actor.position
        return table.move(actor, step.pose.place, step.cost) if is_elsewhere else turned


def _turn(table: Table, actor: Combatant) -> Event:
    if actor.has(TURNED):
        return table.remove_condition(actor, TURNED, "it turns back")
    return table.apply_condition(actor, TURNED, source=TURN, owner=actor.id)
