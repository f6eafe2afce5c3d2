"""Why a reaction or feature played no part in a declaration, for each combatant that has it."""

from __future__ import annotations

from typing import Any

from combatlog.rules.dnd5e.attack import DECLARED, make_attack
from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.economy import in_words
from combatlog.rules.dnd5e.loadout import piece_of
from combatlog.rules.dnd5e.pieces import Activity, Dnd5ePiece, Feature, Reaction, pieces_of
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.state import can_act
from combatlog.rules.dnd5e.targeting import weapon_named
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.why_not import spent_at
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant


def obstacles(before: Battle, declared: Declared, name: str) -> list[str]:
    """In sentences; empty if nobody has anything by this name."""
    present = before.by_initiative(before.present())
    return [_of(before, declared, piece, one) for one in present for piece in _called(name, one)]


def _called(name: str, combatant: Combatant) -> list[Dnd5ePiece]:
    """The reactions and features with this name that the combatant has."""
    general = pieces_of(Reaction).get(name)
    held = [piece for piece in sheet_of(combatant).loadout.by_ref.values() if piece.name == name]
    pieces = held or ([general] if general is not None and general.is_held(combatant) else [])
    return [piece for piece in pieces if isinstance(piece, Reaction | Feature)]


def _of(before: Battle, declared: Declared, piece: Dnd5ePiece, one: Combatant) -> str:
    if isinstance(piece, Reaction):
        return _of_reaction(before, declared, piece, one)
    return f"{one.name} has {piece.title}, but it contributed nothing to this declaration."


def _of_reaction(before: Battle, declared: Declared, reaction: Reaction[Any], reactor: Combatant) -> str:
    if not can_act(reactor):
        return f"{reactor.name} could not act."
    for resource, amount in reaction.reaction_price(reactor).items():
        if reactor.economy.left(resource) < amount:
            return f"{reactor.name}'s {in_words(resource)} was spent{spent_at(reactor, resource)}."
    attack = _attack(before, declared)
    why = reaction.obstacle(attack, reactor) if attack and DECLARED in reaction.moments else None
    if why is not None:
        return f"{reactor.name} was not offered {reaction.title}: {why}."
    return f"{reactor.name} was not offered {reaction.title}: its moment did not come, or it would not have helped."


def _attack(before: Battle, declared: Declared) -> Attack | None:
    """The attack that was declared, if it was a weapon attack."""
    actor = before.combatants.get(declared.actor)
    activity = piece_of(actor, declared.action) if actor else None
    if not isinstance(activity, Activity) or "weapon" not in activity.tags or actor is None:
        return None
    target = before.combatants.get(declared.targets[0]) if declared.targets else None
    try:
        return make_attack(before, actor, target, weapon_named(actor, declared.weapon)) if target else None
    except Refusal:
        return None
