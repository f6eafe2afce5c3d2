"""Questions to the rules from a seat that does not see everything.

A seat can ask only about its own combatants. Combatants that it does not see are removed before the rules answer, so
that no answer depends on a secret.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.grid.pathfinding import MovePreview, preview_move
from combatlog.rules.engine.menu import counted_or_declined
from combatlog.rules.engine.naming import known_id
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.ruleset_types import Advice, AreaPreview, Choice, ChoiceEffect, ChoiceSection, InReach
from ledger.events import Data, Position
from projections.battle.combatant import Combatant
from projections.battle.journal import JournaledBattle, copy_of
from projections.review.explanation import check_event, look_for, name_in_ref
from projections.views import CombatantOutline, SeatView


def own_id(seen: SeatView, name: str) -> str:
    """The id of one of the seat's own combatants. A combatant that the seat does not see counts as unknown."""
    found = known_id(seen.battle, name)
    if found not in seen.viewer.own:
        raise Refusal("seat/not-yours", "Only this combatant's players can ask about it.", who=found)
    return found


def without_the_unseen(seen: SeatView) -> JournaledBattle:
    """The state without unseen combatants. The others are complete, so answers must be filtered before sending."""
    battle, viewer = copy_of(seen.whole), seen.viewer
    battle.view = None
    shown = seen.battle.combatants
    battle.combatants = {id: _numbered(one, shown[id]) for id, one in battle.combatants.items() if viewer.sees(id)}
    battle.clock.order = [entry for entry in battle.clock.order if viewer.sees(entry.combatant)]
    if battle.clock.turn is not None and not viewer.sees(battle.clock.turn):
        battle.clock.turn = None
    if not seen.sees_wait:
        battle.window = None
    return battle


def _numbered(whole: Combatant, shown: Combatant) -> Combatant:
    """The combatant with the seat's own event numbers, which appear in sentences."""
    return whole if isinstance(shown, CombatantOutline) else replace(whole, economy=shown.economy)


def with_stand_ins(seen: SeatView) -> JournaledBattle:
    """The state with stand-ins for combatants that are known by sight only. Those without a stand-in are removed."""
    battle, shown = without_the_unseen(seen), seen.battle.combatants
    rules = rulesets.find(battle.encounter.ruleset)
    stand_ins = {
        id: rules.stand_in(whole, outline) if isinstance(outline := shown[id], CombatantOutline) else whole
        for id, whole in battle.combatants.items()
    }
    battle.combatants = {id: one for id, one in stand_ins.items() if one is not None}
    battle.clock.order = [entry for entry in battle.clock.order if entry.combatant in battle.combatants]
    return battle


def menu_from(seen: SeatView, actor: str) -> list[ChoiceSection]:
    """What an own combatant can do, without chances to hit others, which would reveal their armour class."""
    id, battle = own_id(seen, actor), without_the_unseen(seen)
    rules, own = rulesets.find(battle.encounter.ruleset), seen.viewer.own
    return [_section(section, own) for section in rules.menu(battle, battle.combatants[id])]


def _section(section: ChoiceSection, own: Iterable[str]) -> ChoiceSection:
    return section.model_copy(update={"choices": [_choice(choice, own) for choice in section.choices]})


def _choice(choice: Choice, own: Iterable[str]) -> Choice:
    return choice.model_copy(update={"effects": [_effect(effect, own) for effect in choice.effects]})


def _effect(effect: ChoiceEffect, own: Iterable[str]) -> ChoiceEffect:
    if effect.in_reach is None:
        return effect
    reach = [one if one.who in own else InReach(who=one.who) for one in effect.in_reach]
    return effect.model_copy(update={"in_reach": reach})


def advice_from(seen: SeatView, actor: str) -> list[Advice]:
    """Advice for an own combatant, based only on what is visible of its opponents."""
    id, battle = own_id(seen, actor), with_stand_ins(seen)
    rules = rulesets.find(battle.encounter.ruleset)
    advice = rules.advise(battle, battle.combatants[id])
    if not advice:
        raise Refusal("advise/none", f"{rules.name} has no advice to give.", who=id, ruleset=rules.name)
    return advice


def aim_from(seen: SeatView, actor: str, action: str, to: Position) -> AreaPreview:
    id, battle = own_id(seen, actor), without_the_unseen(seen)
    rules, combatant = rulesets.find(battle.encounter.ruleset), battle.combatants[id]
    return rules.aim(battle, combatant, rules.action_ref(action, combatant), to)


def way_from(seen: SeatView, actor: str, action: str, to: Position, options: Data | None = None) -> MovePreview:
    """A move past the combatants that the seat sees, ignoring their policies. Possible reactions are listed only for
    combatants that are known or have a stand-in."""
    id, battle, known = own_id(seen, actor), without_the_unseen(seen), with_stand_ins(seen).combatants
    there = battle.combatants.values()
    battle.combatants = {one.id: known.get(one.id) or replace(one, policies={}) for one in there}
    found = preview_move(FightEngine(start=battle), id, action, to, options)
    return found.model_copy(update={"may_react": [one for one in found.may_react if one.who in known]})


def why_not_from(seen: SeatView, number: int, asked: str) -> list[str]:
    """The answer from the seat's own record. If it has none, the reason may be secret, so the question is refused."""
    check_event(seen.seen, number)
    declaration, name = seen.seen[number - 1].declaration, name_in_ref(asked)
    absence = look_for([event for event in seen.seen if event.declaration == declaration], name)
    told = counted_or_declined(absence, name, seen.cast)
    if not told:
        raise Refusal(
            "explain/not-seen",
            f"The visible part of event {number} does not explain why {name!r} did not apply.",
            seq=number,
        )
    return told
