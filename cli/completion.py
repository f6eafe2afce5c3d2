"""What the shell offers while a command is being typed. It never complains: without an answer, it offers nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

from ledger.errors import Problem

if TYPE_CHECKING:
    from ledger.events import Declared
    from projections.battle import Battle
    from projections.combatant import Combatant
    from rules.engine.fight import Fight

Offered = list[str]


def begun(incomplete: str, find: Callable[[], Iterable[str]]) -> Offered:
    """Those names that begin with what is typed already."""
    try:
        return [name for name in dict.fromkeys(find()) if name.startswith(incomplete)]
    except Problem:
        return []


def said_before(ctx: typer.Context) -> dict[str, Any]:
    """What was typed before. While an option lacks its value, click has not told the arguments apart yet."""
    arguments = [param.name for param in ctx.command.params if param.param_type_name == "argument"]
    loose = dict(zip(arguments, ctx.args, strict=False))
    return {**loose, **{name: value for name, value in ctx.params.items() if value is not None}}


def fight_of(said: Mapping[str, Any]) -> Fight:
    from cli.context import open_ledger

    with open_ledger() as ledger:
        return ledger.referee.fight(said.get("encounter") or "")


def actor_of(said: Mapping[str, Any], battle: Battle) -> Combatant | None:
    """The combatant whose name was typed before, in whatever way; or else whoever has the turn."""
    from rules.engine.naming import id_of

    typed = said.get("actor")
    return battle.combatants.get(id_of(battle, typed) if typed else battle.clock.turn or "")


# Names


def complete_encounter(incomplete: str) -> Offered:
    from cli.context import open_ledger

    def names() -> Sequence[str]:
        with open_ledger() as ledger:
            return ledger.names(incomplete)

    return begun(incomplete, names)


def complete_actor(ctx: typer.Context, incomplete: str) -> Offered:
    return complete_actor_of(said_before(ctx).get("encounter"), incomplete)


def complete_actor_of(encounter: str | None, incomplete: str) -> Offered:
    """Ids, which need no quotes; names for those who have begun to type one."""

    def names() -> Offered:
        combatants = fight_of({"encounter": encounter}).battle.combatants.values()
        by_id = [combatant.id for combatant in combatants if combatant.id.startswith(incomplete)]
        return by_id or [combatant.name for combatant in combatants if combatant.name.startswith(incomplete)]

    return begun(incomplete, names)


def complete_reactor(ctx: typer.Context, incomplete: str) -> Offered:
    """Whoever the fight is waiting for; there is nobody else to answer."""

    def asked() -> list[str]:
        window = fight_of(said_before(ctx)).battle.window
        return [window.waiting.reactor] if window and window.waiting else []

    return begun(incomplete, asked)


def complete_turn(ctx: typer.Context, incomplete: str) -> Offered:
    """Whose turn it is; no other turn can end."""

    def turn() -> list[str]:
        whose = fight_of(said_before(ctx)).battle.clock.turn
        return [whose] if whose else []

    return begun(incomplete, turn)


def complete_weapon(ctx: typer.Context, incomplete: str) -> Offered:
    def weapons() -> list[str]:
        said = said_before(ctx)
        return _weapons_of(actor_of(said, fight_of(said).battle))

    return begun(incomplete, weapons)


def complete_spell(ctx: typer.Context, incomplete: str) -> Offered:
    """The spells of whoever acts."""

    def spells() -> list[str]:
        fight = fight_of(said := said_before(ctx))
        actor = actor_of(said, fight.battle)
        return fight.ruleset.spells(actor) if actor is not None else []

    return begun(incomplete, spells)


def complete_amended_weapon(ctx: typer.Context, incomplete: str) -> Offered:
    """The weapons of whoever made the declaration that is amended."""

    def weapons() -> list[str]:
        fight = fight_of(said := said_before(ctx))
        return _weapons_of(fight.battle.combatants.get(amended(fight, said).actor))

    return begun(incomplete, weapons)


def _weapons_of(combatant: Combatant | None) -> list[str]:
    held = combatant.sheet.get("weapons") if combatant else None
    return [_name(weapon) for weapon in held] if isinstance(held, Sequence) else []


def amended(fight: Fight, said: Mapping[str, Any]) -> Declared:
    from rules.engine.corrections.undo import standing_declaration

    return standing_declaration(fight, int(said.get("seq") or 0))


def _name(weapon: Any) -> str:
    return str(weapon.get("name", "") if isinstance(weapon, Mapping) else weapon)


def complete_condition(ctx: typer.Context, incomplete: str) -> Offered:
    return begun(incomplete, lambda: fight_of(said_before(ctx)).ruleset.condition_names())


def complete_ruleset(incomplete: str) -> Offered:
    from rules.engine.plugins import names
    from rules.engine.ruleset import GROUP

    return begun(incomplete, lambda: names(GROUP))


def complete_log_format(incomplete: str) -> Offered:
    from rules.logs.formats import known_formats

    return begun(incomplete, known_formats)


def complete_sheet(ctx: typer.Context, incomplete: str) -> Offered:
    from rules.content.packs import packs_of

    said = said_before(ctx)
    if said.get("earlier"):
        return complete_actor_of(said["earlier"], incomplete)

    def sheets() -> list[str]:
        fight = fight_of(said)
        bestiary = fight.ruleset.bestiary
        installed = bestiary.names() if bestiary is not None and incomplete else ()
        own = [name for pack in packs_of(fight.battle) for name in pack.sheets]
        return [*own, *fight.ruleset.sheets(), *installed]

    return begun(incomplete, sheets)


def complete_side(ctx: typer.Context, incomplete: str) -> Offered:
    return begun(incomplete, lambda: [one.side for one in fight_of(said_before(ctx)).battle.combatants.values()])


def complete_seat(ctx: typer.Context, incomplete: str) -> Offered:
    def seats() -> Iterable[str]:
        yield from ("gm", "players", "spectator", "auditor")
        everybody = fight_of(said_before(ctx)).battle.combatants.values()
        yield from (one.id for one in everybody)
        if ":" in incomplete:
            yield from (f"players:{one.side}" for one in everybody)
            yield from (f"player:{one.id}" for one in everybody)

    return begun(incomplete, seats)


def complete_shown(ctx: typer.Context, incomplete: str) -> Offered:
    from projections.views.secrets import Shown

    return begun(incomplete, lambda: [*Shown])


def complete_resource(ctx: typer.Context, incomplete: str) -> Offered:
    def resources() -> Iterable[str]:
        said = said_before(ctx)
        actor = actor_of(said, fight_of(said).battle)
        return actor.economy if actor else ()

    return begun(incomplete, resources)


def complete_modifier(ctx: typer.Context, incomplete: str) -> Offered:
    """What counted in the declaration that is amended."""
    from ledger.events import ChainModified

    def sources() -> list[str]:
        fight = fight_of(said := said_before(ctx))
        group = fight.course.group(amended(fight, said).seq)
        return [event.source.rsplit(":", 1)[1] for event in group if isinstance(event, ChainModified)]

    return begun(incomplete, sources)


def complete_chain(ctx: typer.Context, incomplete: str) -> Offered:
    """What the rolls of the declaration that is amended were for."""
    from ledger.events import ChainModified

    def chains() -> list[str]:
        fight = fight_of(said := said_before(ctx))
        group = fight.course.group(amended(fight, said).seq)
        return [event.chain for event in group if isinstance(event, ChainModified)]

    return begun(incomplete, chains)


def complete_damage_type(ctx: typer.Context, incomplete: str) -> Offered:
    """The types of damage that the declaration dealt which is amended, or all of them."""
    from ledger.events import Damaged

    def types() -> list[str]:
        fight = fight_of(said := said_before(ctx))
        hurt = (event for event in fight.course.group(amended(fight, said).seq) if isinstance(event, Damaged))
        return [*(part.damage_type for event in hurt for part in event.parts if part.damage_type), "all"]

    return begun(incomplete, types)


def complete_damage(ctx: typer.Context, incomplete: str) -> Offered:
    """The types of damage that the rules know."""
    return begun(incomplete, lambda: fight_of(said_before(ctx)).ruleset.damage_types())


def complete_pool(ctx: typer.Context, incomplete: str) -> Offered:
    """The pools of whoever is healed."""

    def pools() -> Iterable[str]:
        said = said_before(ctx)
        actor = actor_of(said, fight_of(said).battle)
        return actor.vitals if actor else ()

    return begun(incomplete, pools)


def complete_why_not(ctx: typer.Context, incomplete: str) -> Offered:
    """What may not have counted: reactions and conditions."""

    def names() -> list[str]:
        rules = fight_of(said_before(ctx)).ruleset
        return [*rules.reaction_refs(), *rules.condition_names()]

    return begun(incomplete, names)


def complete_impossible(incomplete: str) -> Offered:
    return begun(incomplete, lambda: ("drop", "keep", "stop"))


def complete_controller(incomplete: str) -> Offered:
    from ledger.events import Controller

    return begun(incomplete, lambda: [controller.value for controller in Controller])


def complete_archetype(ctx: typer.Context, incomplete: str) -> Offered:
    from rules.content.field_reference import forms_called
    from rules.engine import ruleset as rulesets

    def forms() -> list[str]:
        sections = rulesets.find(said_before(ctx).get("ruleset") or "dnd5e").pack_sections()
        return [archetype or section for section, archetype, _ in forms_called(sections, None)]

    return begun(incomplete, forms)


def complete_pack_format(ctx: typer.Context, incomplete: str) -> Offered:
    from rules.engine import ruleset as rulesets

    def formats() -> list[str]:
        bestiary = rulesets.find(said_before(ctx).get("ruleset") or "dnd5e").bestiary
        return list(bestiary.formats()) if bestiary is not None else []

    return begun(incomplete, formats)


def complete_creature(ctx: typer.Context, incomplete: str) -> Offered:
    from rules.engine import ruleset as rulesets

    def names() -> list[str]:
        rules = rulesets.find(said_before(ctx).get("ruleset") or "dnd5e")
        return [*rules.sheets(), *(rules.bestiary.names() if rules.bestiary is not None else ())]

    return begun(incomplete, names)


def complete_creature_type(ctx: typer.Context, incomplete: str) -> Offered:
    import combatlog

    def types() -> list[str]:
        found = combatlog.creatures(ruleset=said_before(ctx).get("ruleset") or "dnd5e")
        return sorted({creature.type for creature in found})

    return begun(incomplete, types)


def complete_ability(ctx: typer.Context, incomplete: str) -> Offered:
    from rules.engine import ruleset as rulesets

    def abilities() -> list[str]:
        library = rulesets.find(said_before(ctx).get("ruleset") or "skirmish").library
        return [entry.id for entry in library.entries()] if library else []

    return begun(incomplete, abilities)


def complete_kind(incomplete: str) -> Offered:
    from ledger.registry import KINDS

    return begun(incomplete, lambda: KINDS)


def complete_document(incomplete: str) -> Offered:
    from cli.documents.catalogue import DOCUMENTS

    return begun(incomplete, lambda: [document.name for document in DOCUMENTS])


# Actions and reactions


def complete_action(ctx: typer.Context, incomplete: str) -> Offered:
    """What this combatant has on its menu; for whoever types something else, what its ruleset knows."""

    def actions() -> Iterable[str]:
        from rules.engine.commands import GM
        from rules.engine.core_actions import core_names

        said = said_before(ctx)
        fight = fight_of(said)
        actor = actor_of(said, fight.battle)
        if said.get("actor") == GM:
            return core_names()
        known = fight.ruleset.action_refs(actor)
        menu = fight.ruleset.menu(fight.battle, actor) if actor else []
        own = [choice.name for section in menu for choice in section.choices if choice.name in known]
        return own if any(name.startswith(incomplete) for name in own) else known

    return begun(incomplete, actions)


def complete_reaction(ctx: typer.Context, incomplete: str) -> Offered:
    """What the open window offers."""

    def offered() -> list[str]:
        window = fight_of(said_before(ctx)).battle.window
        waiting = window.waiting if window else None
        return [*(ref.rsplit(":", 1)[1] for ref in waiting.reactions), "pass"] if waiting else []

    return begun(incomplete, offered)


def complete_reference(ctx: typer.Context, incomplete: str) -> Offered:
    from rules.content.action_reference import reference
    from rules.engine import ruleset as rulesets

    return begun(
        incomplete,
        lambda: [entry.name for entry in reference(rulesets.find(said_before(ctx).get("ruleset") or "dnd5e"))],
    )
