"""The D&D 5e ruleset: what the engine asks of it, answered by its pieces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ledger.events import Data, Declared, Gauge
from projections.battle import Battle
from projections.combatant import Combatant
from rules.dnd5e import economy, turns
from rules.dnd5e.magic import Spell
from rules.dnd5e.menu import menu
from rules.dnd5e.obstacles import obstacles
from rules.dnd5e.pieces import PIECES, Activity, Condition, Feature, Reaction, pieces_of
from rules.dnd5e.sheet import Sheet, read_sheet, shipped_sheets
from rules.dnd5e.state import can_act, conditions_of
from rules.dnd5e.vitality import HP, TEMP_HP
from rules.pieces import Piece
from rules.refusal import Refusal, choices
from rules.ruleset import Enlistment, Recruit, Ruleset, Section
from rules.table import Table


class Dnd5e(Ruleset):
    name = "dnd5e"
    version = "1"

    def sheets(self) -> dict[str, Data]:
        return shipped_sheets()

    def recruit(self, enlistment: Enlistment) -> Recruit:
        sheet = read_sheet({**enlistment.sheet, **enlistment.overrides})
        _check_known("feature", sheet.features, pieces_of(Feature))
        _check_known("spell", sheet.spells, pieces_of(Spell))
        _check_known("condition", sheet.condition_immunities, pieces_of(Condition))
        return Recruit(
            name=sheet.name,
            controller=sheet.controller,
            sheet=sheet.model_dump(mode="json", exclude_defaults=True),
            vitals={HP: Gauge(current=sheet.hp, maximum=sheet.hp), TEMP_HP: Gauge(current=sheet.temp_hp)},
            resources=_resources(sheet),
        )

    def action_refs(self) -> dict[str, str]:
        return PIECES.refs(Activity)

    def reaction_refs(self) -> dict[str, str]:
        return PIECES.refs(Reaction)

    def condition_ref(self, name: str) -> str:
        return PIECES.find(Condition, name, "rule/unknown-condition").ref

    def condition_names(self) -> list[str]:
        return sorted(pieces_of(Condition))

    def obstacles(self, before: Battle, declared: Declared, name: str) -> list[str]:
        return obstacles(before, declared, name)

    def start(self, table: Table) -> None:
        turns.start(table)

    def end_turn(self, table: Table, combatant: Combatant) -> None:
        turns.end_turn(table, combatant)

    def resolve(self, table: Table, declared: Declared) -> None:
        actor = table.combatant(declared.actor)
        _check_turn(table.battle, actor)
        activity = PIECES[declared.action]
        assert isinstance(activity, Activity)
        activity.declare(table, actor, declared)

    def menu(self, battle: Battle, actor: Combatant) -> list[Section]:
        return menu(battle, actor, _check_turn)


def _check_turn(battle: Battle, actor: Combatant) -> None:
    turn = battle.clock.turn
    if turn is None:
        raise Refusal("turn/not-started", "The fight has not started; `combatlog start` begins it.")
    if turn != actor.id:
        raise Refusal("turn/other", f"It is {turn}'s turn; {actor.id} can act on its own turn, or react when asked.")
    if not can_act(actor):
        held = choices(condition.title for condition in conditions_of(actor) if condition.incapacitates)
        raise Refusal("turn/cannot-act", f"{actor.id} is {held} and cannot act; end its turn.")


def _check_known(what: str, names: Iterable[str], known: Mapping[str, Piece]) -> None:
    for name in names:
        if name not in known:
            raise Refusal(
                f"sheet/unknown-{what}",
                f"The sheet's {what} {name!r} is unknown; there is {choices(sorted(known))}.",
            )


def _resources(sheet: Sheet) -> dict[str, Gauge]:
    """The economy, the pools of its features, and its spell slots."""
    known = pieces_of(Feature)
    pools: dict[str, int] = {}
    for name in sheet.features:
        pools |= known[name].pools(sheet)
    pools |= {economy.slot(level): count for level, count in sorted(sheet.slots.items())}
    return {
        **economy.starting(sheet.speed),
        **{resource: Gauge(current=amount, maximum=amount) for resource, amount in pools.items()},
    }


PIECES.load()
RULESET = Dnd5e()
