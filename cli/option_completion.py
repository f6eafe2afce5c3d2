"""Completing NAME=VALUE: the names first, and then the values of the one that is typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import typer

from cli.completion import Offered, Said, actor_of, amended, battle_of, begun, fight_of, rules_of, said_before

if TYPE_CHECKING:
    from rules.content.field_reference import Field
    from rules.engine.options import Options, Signature

    Model = type[Options] | None
Values = Mapping[str, Sequence[str]]


def _completes_pairs(find: Callable[[Said], Model]) -> Callable[[typer.Context, str], Offered]:
    """Complete NAME=VALUE by the fields of a model that a function finds, given what was typed before."""

    def complete(ctx: typer.Context, incomplete: str) -> Offered:
        return begun(incomplete, lambda: _pairs(find(said_before(ctx)), incomplete))

    return complete


def _completes_listed(find: Callable[[Said], Values]) -> Callable[[typer.Context, str], Offered]:
    """The same by a list of the values of each name."""

    def complete(ctx: typer.Context, incomplete: str) -> Offered:
        return begun(incomplete, lambda: _listed(find(said_before(ctx)), incomplete))

    return complete


def _options(signature: Signature | None) -> Model:
    return signature.options if signature else None


@_completes_pairs
def complete_option(said: Said) -> Model:
    """The options of the action being typed."""
    from rules.engine.core_actions import core_ref

    fight = fight_of(said)
    actor = actor_of(said, fight.battle)
    ref = fight.action_ref(core_ref(said.get("action") or said.get("spell") or ""), actor)
    return _options(fight.signature(ref, actor.id if actor else ""))


@_completes_pairs
def complete_reaction_option(said: Said) -> Model:
    """The options of the reaction being typed."""
    fight = fight_of(said)
    ref = fight.ruleset.reaction_ref(said.get("reaction") or "", fight.battle)
    return _options(fight.ruleset.reaction_signature(ref))


@_completes_pairs
def complete_encounter_option(said: Said) -> Model:
    """The optional rules of the ruleset being typed."""
    return rules_of(said).encounter_options


@_completes_pairs
def complete_amended_option(said: Said) -> Model:
    """The options of the declaration that is amended."""
    fight = fight_of(said)
    declared = amended(fight, said)
    return _options(fight.signature(declared.action, declared.actor))


def complete_reply(ctx: typer.Context, incomplete: str) -> Offered:
    """Who may be asked, and what they can answer; in corrections after the number of a declaration: `34:osric=pass`."""
    number, colon, reply = incomplete.rpartition(":")

    def replies() -> list[str]:
        fight = fight_of(said_before(ctx))
        answers = [*fight.ruleset.reaction_refs(), "pass"]
        return [f"{number}{colon}{one}" for one in _listed(dict.fromkeys(fight.battle.combatants, answers), reply)]

    return begun(incomplete, replies)


@_completes_listed
def complete_policy(said: Said) -> Values:
    """Reactions, and when they are used."""
    from ledger.events import Policy

    settings = [policy.value for policy in Policy]
    return dict.fromkeys([*fight_of(said).ruleset.reaction_refs(), "*"], settings)


@_completes_listed
def complete_value(said: Said) -> Values:
    """The vitals and resources of whom a ruling is about, with what they are now."""
    from rules.engine.naming import id_of

    battle = battle_of(said)
    subject = battle.combatants.get(id_of(battle, said.get("subject") or ""))
    if subject is None:
        return {}
    vitals = {name: [str(vital.current)] for name, vital in subject.vitals.items()}
    return {**vitals, **{name: [str(resource.current)] for name, resource in subject.economy.items()}}


def _pairs(model: Model, incomplete: str) -> list[str]:
    from rules.content.field_reference import fields_of

    fields = fields_of(model, left_out=()) if model is not None else []
    return _listed({field.name: _values(field) for field in fields}, incomplete)


def _listed(values: Values, incomplete: str) -> list[str]:
    name, equals, _ = incomplete.partition("=")
    if equals:
        return [f"{name}={value}" for value in values.get(name, ())]
    begins = [known for known in values if known.startswith(name)]
    if len(begins) != 1:
        return [f"{known}=" for known in begins]
    only = begins[0]  # a shell ends the word after a single offer, and `NAME=` is not the end of one
    return [f"{only}=", *(f"{only}={value}" for value in values[only] or ["VALUE"])]


def _values(field: Field) -> Sequence[str]:
    """Values that can be listed; for others, what is taken if nobody says anything, as an example."""
    if field.values:
        return field.values
    return [str(field.default)] if isinstance(field.default, str | int) and field.default != "" else []
