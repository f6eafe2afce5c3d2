"""Reaction windows: offer the possible reactions and carry out the chosen ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from combatlog.rules.dnd5e.combatant_state import can_act, conditions_of, is_dead
from combatlog.rules.dnd5e.contexts import Attack, Context
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.economy import REACTION, can_pay, pay, require
from combatlog.rules.dnd5e.pieces import PIECES, Feature, Reaction
from combatlog.rules.engine.resolution.chain import Consumption, ModifierChain
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Offer, ReactionLapsed, ReactionUsed
from projections.battle.combatant import Combatant


def open_window(table: Table, context: Context, moment: str) -> None:
    """Ask every combatant who can react, then carry out their choices in initiative order."""
    offers = []
    for reactor in table.battle.combatants.values():  # kept cheap: every attack asks every combatant several times
        loadout = sheet_of(reactor).loadout
        known = (loadout.reactions_at if reactor.conditions else loadout.unconditional_at)[moment]
        if known and reactor.present and (offer := _offer(known, context, reactor)):
            offers.append(offer)
    if offers:
        _ask(table, context, moment, offers)


def _ask(table: Table, context: Context, moment: str, offers: Sequence[Offer]) -> None:
    combatants = table.battle.combatants

    def no_longer(reactor: str, reaction: str) -> str | None:
        return obstacle(_reaction(reaction), context, combatants[reactor])

    for choice in table.window(moment, context.subject.id, offers, no_longer):
        context.said, context.as_seen = choice.options, choice.as_seen
        why = no_longer(choice.reactor, choice.reaction)  # an earlier reaction may have made it impossible
        if why is None:
            _take(table, _reaction(choice.reaction), context, combatants[choice.reactor])
        else:
            table.record(ReactionLapsed, reactor=choice.reactor, reaction=choice.reaction, reason=why, cause=choice.seq)


def _reaction(ref: str) -> Reaction[Any]:
    reaction = PIECES[ref]
    assert isinstance(reaction, Reaction)
    return reaction


def obstacle(reaction: Reaction[Any], context: Context, reactor: Combatant) -> str | None:
    """Why a reaction cannot be used, in words; None if it can."""
    if is_dead(reactor) if reaction.while_incapacitated else not can_act(reactor):
        return f"{reactor.name} cannot act"
    if any(held.forbids_reactions for held in conditions_of(reactor)) and REACTION in reaction.reaction_price(reactor):
        return f"{reactor.name} cannot take reactions"
    if not can_pay(reactor, reaction.reaction_price(reactor)):
        return f"{reactor.name} cannot pay for it"
    return reaction.bar(context.battle, reactor) or reaction.obstacle(context, reactor)


def _offer(known: Iterable[Reaction[Any]], context: Context, reactor: Combatant) -> Offer | None:
    held = [reaction for reaction in known if reaction.is_held(reactor)]
    open_to = [reaction for reaction in held if obstacle(reaction, context, reactor) is None]
    if not open_to:
        return None
    useful = tuple(reaction.ref for reaction in open_to if reaction.is_useful(context, reactor))
    return Offer(reactor=reactor.id, reactions=tuple(reaction.ref for reaction in open_to), useful=useful)


def _take(table: Table, reaction: Reaction[Any], context: Context, reactor: Combatant) -> None:
    if reaction.in_chain:
        assert isinstance(context, Attack)
        context.chosen[reactor.id] = reaction.ref
        return
    used = table.record(ReactionUsed, reactor=reactor.id, reaction=reaction.ref, reason=reaction.title)
    with table.because_of(used):
        price = reaction.price_said(reactor, context.said)
        require(reactor, price)
        pay(table, reactor, price, reaction.name, reaction.ref)
        reaction.react(table, context, reactor, price)


def record_consuming(table: Table, chain: ModifierChain) -> None:
    """Record a chain, then what its modifiers consume."""
    chain.record(table)
    for consumption in chain.reactions_consumed:
        _consume(table, consumption)


def _consume(table: Table, consumption: Consumption) -> None:
    owner = table.battle.combatants[consumption.reactor]
    piece = sheet_of(owner).loadout.by_ref[consumption.reaction]
    if not isinstance(piece, Reaction):
        assert isinstance(piece, Feature)
        pay(table, owner, {piece.name: 1}, consumption.reason, piece.ref)
        return
    used = table.record(ReactionUsed, reactor=owner.id, reaction=consumption.reaction, reason=consumption.reason)
    with table.because_of(used):
        pay(table, owner, piece.reaction_price(owner), piece.name, piece.ref)
