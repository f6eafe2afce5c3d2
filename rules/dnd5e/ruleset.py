"""The D&D 5e ruleset: what the engine asks of it, answered by its pieces."""

from __future__ import annotations

from ledger.events import Data, Declared, Gauge
from projections.combatant import Combatant
from rules.dnd5e import economy, turns
from rules.dnd5e.pieces import PIECES, Activity, Condition, Feature, Reaction, load_pieces, pieces_of
from rules.dnd5e.sheet import read_sheet, shipped_sheets
from rules.dnd5e.vitality import HP, can_act
from rules.refusal import Refusal, choices
from rules.ruleset import Enlistment, Recruit, Ruleset
from rules.table import Table


class Dnd5e(Ruleset):
    name = "dnd5e"
    version = "1"

    def sheets(self) -> dict[str, Data]:
        return shipped_sheets()

    def recruit(self, enlistment: Enlistment) -> Recruit:
        sheet = read_sheet({**enlistment.sheet, **enlistment.overrides})
        known = pieces_of(Feature)
        for name in sheet.features:
            if name not in known:
                raise Refusal(
                    "sheet/unknown-feature",
                    f"The sheet's feature {name!r} is unknown; there is {choices(sorted(known))}.",
                )
        return Recruit(
            name=sheet.name,
            controller=sheet.controller,
            sheet=sheet.model_dump(mode="json", exclude_defaults=True),
            vitals={HP: Gauge(current=sheet.hp, maximum=sheet.hp)},
            resources=economy.starting(sheet.speed),
        )

    def action_refs(self) -> dict[str, str]:
        return {name: activity.ref for name, activity in pieces_of(Activity).items()}

    def reaction_refs(self) -> dict[str, str]:
        return {name: reaction.ref for name, reaction in pieces_of(Reaction).items()}

    def condition_ref(self, name: str) -> str:
        known = pieces_of(Condition)
        if name not in known:
            raise Refusal(
                "rule/unknown-condition",
                f"dnd5e has no condition {name!r}; it has {choices(sorted(known))}.",
            )
        return known[name].ref

    def start(self, table: Table) -> None:
        turns.start(table)

    def end_turn(self, table: Table, combatant: Combatant) -> None:
        turns.end_turn(table, combatant)

    def resolve(self, table: Table, declared: Declared) -> None:
        actor = table.combatant(declared.actor)
        self._check_turn(table, actor)
        activity = PIECES[declared.action]
        assert isinstance(activity, Activity)
        activity.declare(table, actor, declared)

    def _check_turn(self, table: Table, actor: Combatant) -> None:
        turn = table.battle.clock.turn
        if turn is None:
            raise Refusal("turn/not-started", "The fight has not started; `combatlog start` begins it.")
        if turn != actor.id:
            raise Refusal(
                "turn/other", f"It is {turn}'s turn; {actor.id} can act on its own turn, or react when asked."
            )
        if not can_act(actor):
            raise Refusal("turn/cannot-act", f"{actor.id} is down and cannot act; end its turn.")


load_pieces()
RULESET = Dnd5e()
