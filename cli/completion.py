"""What the shell offers while a command is being typed. It never complains: without an answer, it offers nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

from ledger.errors import Problem

if TYPE_CHECKING:
    from projections.battle import Battle
    from projections.combatant import Combatant
    from rules.content.field_reference import Field
    from rules.engine.fight import Fight
    from rules.engine.options import Options
    from rules.engine.ruleset import Ruleset

Offered = list[str]


def _begun(incomplete: str, find: Callable[[], Iterable[str]]) -> Offered:
    """Those names that begin with what is typed already."""
    try:
        return [name for name in dict.fromkeys(find()) if name.startswith(incomplete)]
    except Problem:
        return []


def _said(ctx: typer.Context) -> dict[str, Any]:
    """What was typed before. While an option lacks its value, click has not told the arguments apart yet."""
    arguments = [param.name for param in ctx.command.params if param.param_type_name == "argument"]
    loose = dict(zip(arguments, ctx.args, strict=False))
    return {**loose, **{name: value for name, value in ctx.params.items() if value is not None}}


def _fight(said: Mapping[str, Any]) -> Fight:
    from cli.context import open_ledger

    with open_ledger() as ledger:
        return ledger.referee.fight(said.get("encounter") or "")


def _actor(said: Mapping[str, Any], battle: Battle) -> Combatant | None:
    return battle.combatants.get(said.get("actor") or "")


# Names


def complete_encounter(incomplete: str) -> Offered:
    from cli.context import open_ledger

    def names() -> Sequence[str]:
        with open_ledger() as ledger:
            return ledger.names(incomplete)

    return _begun(incomplete, names)


def complete_actor(ctx: typer.Context, incomplete: str) -> Offered:
    return _begun(incomplete, lambda: list(_fight(_said(ctx)).battle.combatants))


def complete_reactor(ctx: typer.Context, incomplete: str) -> Offered:
    """Whoever the fight is waiting for; there is nobody else to answer."""

    def asked() -> list[str]:
        window = _fight(_said(ctx)).battle.window
        return [window.waiting.reactor] if window and window.waiting else []

    return _begun(incomplete, asked)


def complete_turn(ctx: typer.Context, incomplete: str) -> Offered:
    """Whose turn it is; no other turn can end."""

    def turn() -> list[str]:
        whose = _fight(_said(ctx)).battle.clock.turn
        return [whose] if whose else []

    return _begun(incomplete, turn)


def complete_weapon(ctx: typer.Context, incomplete: str) -> Offered:
    def weapons() -> list[str]:
        said = _said(ctx)
        actor = _actor(said, _fight(said).battle)
        held = actor.sheet.get("weapons") if actor else None
        return [_name(weapon) for weapon in held] if isinstance(held, Sequence) else []

    return _begun(incomplete, weapons)


def _name(weapon: Any) -> str:
    return str(weapon.get("name", "") if isinstance(weapon, Mapping) else weapon)


def complete_condition(ctx: typer.Context, incomplete: str) -> Offered:
    return _begun(incomplete, lambda: _fight(_said(ctx)).ruleset.condition_names())


def complete_ruleset(incomplete: str) -> Offered:
    from importlib.metadata import entry_points

    from rules.engine.ruleset import GROUP

    return _begun(incomplete, lambda: sorted(entry.name for entry in entry_points(group=GROUP)))


def complete_sheet(ctx: typer.Context, incomplete: str) -> Offered:
    from rules.content.packs import packs_of

    def sheets() -> list[str]:
        fight = _fight(_said(ctx))
        return [*(name for pack in packs_of(fight.battle) for name in pack.sheets), *fight.ruleset.sheets()]

    return _begun(incomplete, sheets)


def complete_kind(incomplete: str) -> Offered:
    from ledger.registry import KINDS

    return _begun(incomplete, lambda: KINDS)


def complete_document(incomplete: str) -> Offered:
    from cli.documents.catalogue import DOCUMENTS

    return _begun(incomplete, lambda: [document.name for document in DOCUMENTS])


# Actions and reactions


def complete_action(ctx: typer.Context, incomplete: str) -> Offered:
    def actions() -> Iterable[str]:
        said = _said(ctx)
        fight = _fight(said)
        return fight.ruleset.action_refs(_actor(said, fight.battle))

    return _begun(incomplete, actions)


def complete_reaction(ctx: typer.Context, incomplete: str) -> Offered:
    """What the open window offers."""

    def offered() -> list[str]:
        window = _fight(_said(ctx)).battle.window
        waiting = window.waiting if window else None
        return [*(ref.rsplit(":", 1)[1] for ref in waiting.reactions), "pass"] if waiting else []

    return _begun(incomplete, offered)


def complete_reference(ctx: typer.Context, incomplete: str) -> Offered:
    from rules.content.action_reference import reference
    from rules.engine import ruleset as rulesets

    return _begun(
        incomplete, lambda: [entry.name for entry in reference(rulesets.find(_said(ctx).get("ruleset") or "dnd5e"))]
    )


# Options: NAME= first, then the values of NAME


def complete_option(ctx: typer.Context, incomplete: str) -> Offered:
    """The options of the action being typed."""

    def options() -> type[Options] | None:
        said = _said(ctx)
        fight = _fight(said)
        ref = fight.ruleset.action_ref(said.get("action") or "", _actor(said, fight.battle))
        signature = fight.signature(ref, said.get("actor") or "")
        return signature.options if signature else None

    return _begun(incomplete, lambda: _pairs(options(), incomplete))


def complete_reaction_option(ctx: typer.Context, incomplete: str) -> Offered:
    """The options of the reaction being typed."""

    def options() -> type[Options] | None:
        said = _said(ctx)
        fight = _fight(said)
        ref = fight.ruleset.reaction_ref(said.get("reaction") or "", fight.battle)
        signature = fight.ruleset.reaction_signature(ref)
        return signature.options if signature else None

    return _begun(incomplete, lambda: _pairs(options(), incomplete))


def complete_encounter_option(ctx: typer.Context, incomplete: str) -> Offered:
    """The optional rules of the ruleset being typed."""
    from rules.engine import ruleset as rulesets

    def rules() -> Ruleset:
        return rulesets.find(_said(ctx).get("ruleset") or "dnd5e")

    return _begun(incomplete, lambda: _pairs(rules().encounter_options, incomplete))


def _pairs(model: type[Options] | None, incomplete: str) -> list[str]:
    from rules.content.field_reference import fields_of

    fields = fields_of(model, left_out=()) if model is not None else []
    name, equals, _ = incomplete.partition("=")
    if equals:
        return [f"{name}={value}" for field in fields if field.name == name for value in _values(field)]
    begun = [field for field in fields if field.name.startswith(name)]
    if len(begun) != 1:
        return [f"{field.name}=" for field in begun]
    only = begun[0]  # a shell ends the word after a single offer, and `NAME=` is not the end of one
    return [f"{only.name}=", *(f"{only.name}={value}" for value in _values(only) or ["VALUE"])]


def _values(field: Field) -> Sequence[str]:
    """Values that can be listed; for others, what is taken if nobody says anything, as an example."""
    if field.values:
        return field.values
    return [str(field.default)] if isinstance(field.default, str | int) and field.default != "" else []
