"""Completing NAME=VALUE: the names first, and then the values of the one that is typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import typer

from cli.completion import Offered, actor_of, amended, begun, fight_of, said_before

if TYPE_CHECKING:
    from rules.content.field_reference import Field
    from rules.engine.options import Options
    from rules.engine.ruleset import Ruleset


def complete_option(ctx: typer.Context, incomplete: str) -> Offered:
    """The options of the action being typed."""
    from rules.engine.core_actions import core_ref

    def options() -> type[Options] | None:
        said = said_before(ctx)
        fight = fight_of(said)
        actor = actor_of(said, fight.battle)
        ref = fight.action_ref(core_ref(said.get("action") or said.get("spell") or ""), actor)
        signature = fight.signature(ref, actor.id if actor else "")
        return signature.options if signature else None

    return begun(incomplete, lambda: _pairs(options(), incomplete))


def complete_reaction_option(ctx: typer.Context, incomplete: str) -> Offered:
    """The options of the reaction being typed."""

    def options() -> type[Options] | None:
        said = said_before(ctx)
        fight = fight_of(said)
        ref = fight.ruleset.reaction_ref(said.get("reaction") or "", fight.battle)
        signature = fight.ruleset.reaction_signature(ref)
        return signature.options if signature else None

    return begun(incomplete, lambda: _pairs(options(), incomplete))


def complete_encounter_option(ctx: typer.Context, incomplete: str) -> Offered:
    """The optional rules of the ruleset being typed."""
    from rules.engine import ruleset as rulesets

    def rules() -> Ruleset:
        return rulesets.find(said_before(ctx).get("ruleset") or "dnd5e")

    return begun(incomplete, lambda: _pairs(rules().encounter_options, incomplete))


def complete_amended_option(ctx: typer.Context, incomplete: str) -> Offered:
    """The options of the declaration that is amended."""

    def options() -> type[Options] | None:
        fight = fight_of(said := said_before(ctx))
        declared = amended(fight, said)
        signature = fight.signature(declared.action, declared.actor)
        return signature.options if signature else None

    return begun(incomplete, lambda: _pairs(options(), incomplete))


def complete_reply(ctx: typer.Context, incomplete: str) -> Offered:
    """Who may be asked, and what they can answer; in corrections after the number of a declaration: `34:osric=pass`."""
    number, colon, reply = incomplete.rpartition(":")

    def replies() -> list[str]:
        fight = fight_of(said_before(ctx))
        answers = [*fight.ruleset.reaction_refs(), "pass"]
        return [f"{number}{colon}{one}" for one in _listed(dict.fromkeys(fight.battle.combatants, answers), reply)]

    return begun(incomplete, replies)


def complete_policy(ctx: typer.Context, incomplete: str) -> Offered:
    """Reactions, and when they are used."""
    from ledger.events import Policy

    def policies() -> list[str]:
        settings = [policy.value for policy in Policy]
        names = [*fight_of(said_before(ctx)).ruleset.reaction_refs(), "*"]
        return _listed(dict.fromkeys(names, settings), incomplete)

    return begun(incomplete, policies)


def complete_value(ctx: typer.Context, incomplete: str) -> Offered:
    """The vitals and resources of whom a ruling is about, with what they are now."""
    from rules.engine.naming import id_of

    def values() -> list[str]:
        said = said_before(ctx)
        battle = fight_of(said).battle
        subject = battle.combatants.get(id_of(battle, said.get("subject") or ""))
        if subject is None:
            return []
        vitals = {name: [str(vital.current)] for name, vital in subject.vitals.items()}
        resources = {name: [str(resource.current)] for name, resource in subject.economy.items()}
        return _listed({**vitals, **resources}, incomplete)

    return begun(incomplete, values)


def _pairs(model: type[Options] | None, incomplete: str) -> list[str]:
    from rules.content.field_reference import fields_of

    fields = fields_of(model, left_out=()) if model is not None else []
    return _listed({field.name: _values(field) for field in fields}, incomplete)


def _listed(values: Mapping[str, Sequence[str]], incomplete: str) -> list[str]:
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
