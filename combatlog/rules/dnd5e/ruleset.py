"""The D&D 5e ruleset: implements the engine's interface with the pieces."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING

from combatlog.rules.autoplay.player import ranked_advice
from combatlog.rules.dnd5e import economy, turns_and_rests
from combatlog.rules.dnd5e.actions.dash_disengage_dodge_hide import HIDDEN
from combatlog.rules.dnd5e.actions.ready import READIED
from combatlog.rules.dnd5e.archetypes.registry import ARCHETYPES, load_made
from combatlog.rules.dnd5e.attack.damage import forgotten_defence, hurt, typed
from combatlog.rules.dnd5e.attack.wielding import ammunition_of
from combatlog.rules.dnd5e.battlemap.movement import make_room, require_space
from combatlog.rules.dnd5e.battlemap.space import AIRBORNE, RIDDEN, RIDING, SQUEEZING, occupant_of
from combatlog.rules.dnd5e.combatant_state import DEAD, NEUTRAL, afflict, end_condition, is_dead, let_go
from combatlog.rules.dnd5e.conditions.durations_and_end_of_turn_saves import lasting_conditions
from combatlog.rules.dnd5e.creatures.loadout import activities_of, check_name, piece_of
from combatlog.rules.dnd5e.creatures.sheet import Sheet, read_sheet, sheet_of, shipped_sheets
from combatlog.rules.dnd5e.creatures.summary_and_stat_card import summarize_combatant
from combatlog.rules.dnd5e.creatures.weapons_and_armor import Weapon, check_weapon
from combatlog.rules.dnd5e.enums import DamageType
from combatlog.rules.dnd5e.hazards_and_optional_rules import Dnd5eOptions
from combatlog.rules.dnd5e.hit_points import HP, TEMP_HP, die, gain_temporary, heal, set_hit_points
from combatlog.rules.dnd5e.pieces import PIECES, Activity, Dnd5eCondition, Reaction, pieces_of
from combatlog.rules.dnd5e.spells.casting import CONCENTRATING, innate_pool, prices_of
from combatlog.rules.dnd5e.turns_and_rests import rest
from combatlog.rules.engine.commands import GM, Declaration
from combatlog.rules.engine.options_and_validation import Signature
from combatlog.rules.engine.pieces import Piece, what_it_does
from combatlog.rules.engine.refusal import Refusal, choices, suggest
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.resolution.turns import take_places
from combatlog.rules.engine.ruleset import Enlistment, Recruit, Ruleset, known_pool, looked_up
from combatlog.rules.engine.ruleset_types import (
    Advice,
    AreaPreview,
    CarriedCondition,
    ChoiceSection,
    Defence,
    PackSection,
    Price,
    RestKind,
)
from combatlog.rules.engine.summary import CombatantSummary
from ledger.events import Change, Data, Declared, Event, Gauge, InitiativeEntry, Position
from projections.battle import combatant as state
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.views import CombatantOutline
from projections.views.visibility import Concealing

if TYPE_CHECKING:
    from combatlog.rules.autoplay.option import Option
    from combatlog.rules.autoplay.scoring import Metrics
    from combatlog.rules.content.bestiary import Bestiary

LEFT = "left the fight"
ABOUT_ROOM = (AIRBORNE, SQUEEZING, RIDING, RIDDEN)
"""Conditions that let a combatant share a space or squeeze into a smaller one."""


class Dnd5e(Ruleset):
    name = "dnd5e"
    version = "7"
    encounter_options = Dnd5eOptions
    concealing = Concealing(unseen=frozenset({HIDDEN}), unnoticed=frozenset({READIED}))
    reinforcements_roll = True

    def pack_sections(self) -> Sequence[PackSection]:
        return (
            PackSection("weapons", "weapons to strike, shoot or throw with", check_weapon, {"": Weapon}),
            *map(_made_section, ARCHETYPES.types),
        )

    def sheets(self) -> dict[str, Data]:
        return shipped_sheets()

    def sheet(self, name: str) -> Data:
        """A shipped sheet or, if none has this name, a creature of the SRD, if that is installed."""
        shipped = shipped_sheets().get(looked_up(name))
        found = shipped if shipped is not None else self.bestiary.installed(name)
        return found if found is not None else self._no_sheet(name)

    def _no_sheet(self, name: str) -> Data:
        try:
            return super().sheet(name)
        except Refusal as refusal:
            meant = refusal.facts["suggestions"] or suggest(looked_up(name), self.bestiary.names())
            raise Refusal(refusal.code, refusal.sentence, **{**refusal.facts, "suggestions": meant}) from refusal

    @cached_property
    def bestiary(self) -> Bestiary:
        from combatlog.rules.dnd5e.creatures.bestiary import Dnd5eBestiary

        return Dnd5eBestiary()

    def recruit(self, enlistment: Enlistment) -> Recruit:
        sheet = read_sheet({**enlistment.sheet, **enlistment.overrides})
        _check_immunities(sheet)
        return Recruit(
            name=sheet.name,
            controller=sheet.controller,
            sheet=sheet.model_dump(mode="json", exclude_defaults=True),
            vitals={HP: Gauge(current=sheet.hp, maximum=sheet.hp), TEMP_HP: Gauge(current=sheet.temp_hp)},
            resources=_resources(sheet),
        )

    def action_refs(self, actor: Combatant | None = None) -> dict[str, str]:
        return sheet_of(actor).loadout.declared if actor is not None else _refs(Activity)

    def reaction_refs(self) -> dict[str, str]:
        return _refs(Reaction)

    def signature(self, action: str, actor: Combatant | None = None) -> Signature | None:
        piece = piece_of(actor, action) if actor is not None else PIECES.get(action)
        return piece.signature if isinstance(piece, Activity) else None

    def reaction_signature(self, reaction: str) -> Signature | None:
        piece = PIECES.get(reaction)
        return piece.reaction_signature if isinstance(piece, Reaction) else None

    def reaction_prices(self, battle: Battle, reactor: Combatant, reaction: str) -> list[Price]:
        piece = PIECES.get(reaction)
        return prices_of(piece, reactor) if isinstance(piece, Reaction) else []

    def condition_ref(self, name: str) -> str:
        return PIECES.find(Dnd5eCondition, name, "rule/unknown-condition").ref

    def condition_names(self) -> list[str]:
        return sorted(pieces_of(Dnd5eCondition))

    def condition_about(self, name: str) -> str | None:
        condition = pieces_of(Dnd5eCondition).get(name)
        return what_it_does(condition) if condition is not None else None

    def set_vital(self, table: Table, subject: Combatant, vital: str, value: int, why: str) -> None:
        if vital == HP:
            set_hit_points(table, subject, value, why)
        else:
            super().set_vital(table, subject, vital, value, why)

    def begin_condition(self, table: Table, subject: Combatant, condition: str, level: int | None) -> None:
        check_not_immune(subject, condition)
        if condition == DEAD:
            die(table, subject, "gm")
        else:
            afflict(table, subject, condition, source=f"{self.name}:ruling:gm", owner="gm", level=level)

    def end_condition(self, table: Table, subject: Combatant, condition: str, why: str) -> None:
        end_condition(table, subject, condition, why)
        if condition in ABOUT_ROOM:
            make_room(table, subject)

    def before_leaving(self, table: Table, combatant: Combatant) -> None:
        end_condition(table, combatant, CONCENTRATING, LEFT)
        let_go(table, combatant, LEFT)
        for condition in (RIDING, RIDDEN):
            end_condition(table, combatant, condition, LEFT)

    def obstacles(self, before: Battle, declared: Declared, name: str) -> list[str]:
        from combatlog.rules.dnd5e.creatures.loadout import obstacles

        return obstacles(before, declared, name)

    def place(self, battle: Battle, position: Position, who: Recruit | Combatant) -> None:
        require_space(battle, position, who)

    def occupant(self, battle: Battle, position: Position) -> Combatant | None:
        return occupant_of(battle, position)

    def aim(self, battle: Battle, actor: Combatant, action: str, place: Position) -> AreaPreview:
        from combatlog.rules.dnd5e.creatures.loadout import aim

        return aim(battle, actor, action, place)

    def damage_types(self) -> Sequence[str]:
        return [kind.value for kind in DamageType]

    def hurt(self, table: Table, target: Combatant, amount: int, kind: str | None) -> None:
        hurt(table, target, amount, kind)

    def heal(self, table: Table, target: Combatant, amount: int, pool: str | None, why: str) -> None:
        if is_dead(target):
            raise Refusal("heal/dead", f"{target.name} is dead and cannot be healed.", who=target.id)
        if known_pool(target, pool) == TEMP_HP:
            gain_temporary(table, target, amount, why, GM)
        else:
            heal(table, target, amount, why, GM)

    def forgotten_modifier(self, chain: str, change: Change, recorded: Sequence[Event]) -> Change:
        return typed(chain, change, recorded)

    def forgotten_defence(self, defence: Defence, against: str | None) -> tuple[str, Change]:
        return forgotten_defence(defence, against)

    def start(self, table: Table) -> None:
        turns_and_rests.start(table)

    def reinforce(self, table: Table, newcomers: Sequence[str], initiative: int | None) -> None:
        take_places(table, self, [turns_and_rests.initiative_of(table, newcomer, initiative) for newcomer in newcomers])

    def initiative_rank(self, battle: Battle, entry: InitiativeEntry) -> tuple[int, ...]:
        return turns_and_rests.rank(battle, entry)

    def end_turn(self, table: Table, combatant: Combatant) -> None:
        turns_and_rests.end_turn(table, combatant)

    def resolve(self, table: Table, declared: Declared) -> None:
        actor = table.combatant(declared.actor)
        activity = piece_of(actor, declared.action)
        turns_and_rests.check_turn(table.battle, actor, activity if isinstance(activity, Activity) else None)
        if not isinstance(activity, Activity):
            raise _unknown_action(actor, declared.action.rsplit(":", 1)[1])
        activity.declare(table, actor, declared)

    def options(self, battle: Battle, actor: Combatant) -> Sequence[Option]:
        from combatlog.rules.dnd5e.autoplay.option_table import options_of

        return options_of(battle, actor)

    def metrics(self) -> Metrics:
        from combatlog.rules.dnd5e.autoplay.metrics import METRICS

        return METRICS

    def in_the_fight(self, battle: Battle) -> list[Combatant]:
        from combatlog.rules.dnd5e.autoplay.outlook import is_up

        return [one for one in battle.present() if is_up(one) and one.side != NEUTRAL]

    def lasting_resources(self, combatant: Combatant) -> list[str]:
        each_turn = {feature.name for feature in sheet_of(combatant).loadout.features if feature.once_a_turn}
        return [name for name in combatant.economy if name not in economy.PASSING and name not in each_turn]

    def is_dead(self, combatant: Combatant) -> bool:
        return is_dead(combatant)

    def lasting_conditions(self, combatant: Combatant) -> list[state.Condition]:
        return lasting_conditions(combatant)

    def rest(self, table: Table, combatant: Combatant, kind: RestKind, hit_dice: int) -> None:
        rest(table, combatant, kind, hit_dice)

    def carry_condition(self, table: Table, subject: Combatant, carried: CarriedCondition) -> None:
        source, level, data = carried.source, carried.level, carried.data
        afflict(table, subject, carried.condition, source=source, owner=GM, level=level, data=data)

    def advise(self, battle: Battle, actor: Combatant) -> list[Advice]:
        turns_and_rests.check_turn(battle, actor)
        return ranked_advice(self, battle, actor)

    def stand_in(self, whole: Combatant, shown: CombatantOutline) -> Combatant:
        from combatlog.rules.dnd5e.autoplay.generic_opponent import generic_opponent

        return generic_opponent(whole, shown)

    def weapons(self, actor: Combatant) -> list[str]:
        return [weapon.name for weapon in dict.fromkeys(sheet_of(actor).arms)]

    def spells(self, actor: Combatant) -> list[str]:
        return [spell.name for spell in sheet_of(actor).loadout.spells if isinstance(spell, Activity)]

    def hitting(
        self, battle: Battle, actor: Combatant, target: Combatant, weapon: str | None
    ) -> Sequence[Sequence[Declaration]]:
        from combatlog.rules.dnd5e.attack.wielding import ways_to_hit

        return ways_to_hit(actor, target, weapon)

    def glance(self, battle: Battle, combatant: Combatant) -> CombatantSummary:
        return summarize_combatant(battle, combatant)

    def menu(self, battle: Battle, actor: Combatant) -> list[ChoiceSection]:
        from combatlog.rules.dnd5e.creatures.menu import menu

        return menu(battle, actor, turns_and_rests.check_turn)


def check_not_immune(subject: Combatant, condition: str) -> None:
    name = condition.rsplit(":", 1)[1]
    if name in sheet_of(subject).condition_immunities:
        raise Refusal(
            "rule/immune",
            f"{subject.name} is immune to the condition {name}; choose another one.",
            who=subject.id,
            condition=name,
        )


def _unknown_action(actor: Combatant, name: str) -> Refusal:
    held = [activity.name for activity in activities_of(actor) if activity.is_held(actor)]
    return Refusal(
        "declaration/unknown-action",
        f"{actor.name} does not have {name}; choose an action that it has.",
        who=actor.id,
        what=name,
        available=held,
        suggestions=suggest(name, held),
    )


def _made_section(section: str) -> PackSection:
    def check(name: str, entry: Data) -> None:
        check_name(name)
        ARCHETYPES.made_from(section, name, entry)

    return PackSection(section, _ABOUT[section], check, ARCHETYPES.of(section), also_in=_ALSO_IN.get(section, {}))


_ABOUT = {
    "spells": "spells that take a slot, and cantrips",
    "features": "features that are always on, and features to use",
    "actions": "special actions, for sheets that list them",
}


_ALSO_IN: dict[str, dict[str, str | None]] = {
    "spells": {"innate": "spell"},
    "actions": {"legendary": None, "lair": None},
}


@cache
def _refs(kind: type[Piece]) -> dict[str, str]:
    """Call it only once all pieces are loaded."""
    return PIECES.refs(kind)


def _check_immunities(sheet: Sheet) -> None:
    known = pieces_of(Dnd5eCondition)
    for name in sheet.condition_immunities:
        if name not in known:
            raise Refusal(
                "sheet/unknown-condition",
                f"The sheet is immune to an unknown condition {name!r}; choose {choices(sorted(known))}.",
                what=name,
                available=sorted(known),
                suggestions=suggest(name, known),
            )


def _resources(sheet: Sheet) -> dict[str, Gauge]:
    """The economy, the pools of the sheet's features and actions, and its spell slots."""
    pools: dict[str, int] = {}
    for feature in (*sheet.loadout.features, *sheet.loadout.actions):
        for name, amount in feature.pools(sheet).items():
            if pools.setdefault(name, amount) != amount:
                raise Refusal(
                    "sheet/pool-twice",
                    f"The sheet has two pools called {name!r}; rename {feature.name!r}.",
                    resource=name,
                    what=feature.name,
                )
    pools |= {ammunition_of(own): own.ammunition for own in sheet.weapons if own.ammunition is not None}
    _check_pools(sheet, pools)
    pools |= {innate_pool(name): own.uses for name, own in sheet.innate_spells.items() if own.uses is not None}
    pools |= {economy.slot(level): count for level, count in sorted(sheet.slots.items())}
    return {
        **economy.starting(sheet.fastest),
        **{resource: Gauge(current=amount, maximum=amount) for resource, amount in pools.items()},
    }


def _check_pools(sheet: Sheet, pools: dict[str, int]) -> None:
    """Refuse a sheet with a feature that spends from a pool that does not exist."""
    for feature in (*sheet.loadout.features, *sheet.loadout.actions):
        for name in feature.pools_needed():
            if name not in pools:
                raise Refusal(
                    "sheet/no-pool",
                    f"{feature.title} spends {name!r}, but the sheet has no such pool; give it a number of uses.",
                    resource=name,
                    what=feature.name,
                    available=sorted(pools),
                )


PIECES.load()
load_made()
RULESET = Dnd5e()
