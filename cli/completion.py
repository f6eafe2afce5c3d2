"""What the shell offers while a command is being typed. It never complains: without an answer, it offers nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

import combatlog
from ledger.errors import Problem

if TYPE_CHECKING:
    from ledger.events import Declared, Event
    from projections.battle import Battle
    from projections.combatant import Combatant
    from rules.engine.fight import Fight
    from rules.engine.ruleset import Ruleset

Offered = list[str]
Said = Mapping[str, Any]
"""What was typed before, by parameter."""


def begun(incomplete: str, find: Callable[[], Iterable[str]]) -> Offered:
    """Those names that begin with what is typed already."""
    try:
        return [name for name in dict.fromkeys(find()) if name.startswith(incomplete)]
    except Problem:
        return []


def completes(find: Callable[[Said], Iterable[str]]) -> Callable[[typer.Context, str], Offered]:
    """Complete with the names that a function finds, given what was typed before."""

    def complete(ctx: typer.Context, incomplete: str) -> Offered:
        return begun(incomplete, lambda: find(said_before(ctx)))

    return complete


def said_before(ctx: typer.Context) -> dict[str, Any]:
    """What was typed before. While an option lacks its value, click has not told the arguments apart yet."""
    arguments = [param.name for param in ctx.command.params if param.param_type_name == "argument"]
    loose = dict(zip(arguments, ctx.args, strict=False))
    return {**loose, **{name: value for name, value in ctx.params.items() if value is not None}}


def fight_of(said: Said) -> Fight:
    from cli.context import open_ledger

    with open_ledger() as ledger:
        return ledger.referee.fight(said.get("encounter") or "")


def battle_of(said: Said) -> Battle:
    return fight_of(said).battle


def rules_of(said: Said, default: str = "dnd5e") -> Ruleset:
    from rules.engine import ruleset as rulesets

    return rulesets.find(said.get("ruleset") or default)


def actor_of(said: Said, battle: Battle) -> Combatant | None:
    """The combatant whose name was typed before, in whatever way; or else whoever has the turn."""
    from rules.engine.naming import id_of

    typed = said.get("actor")
    return battle.combatants.get(id_of(battle, typed) if typed else battle.clock.turn or "")


def amended(fight: Fight, said: Said) -> Declared:
    from rules.engine.corrections.undo import standing_declaration

    return standing_declaration(fight, int(said.get("seq") or 0))


def _amended_events(said: Said) -> Sequence[Event]:
    """The events of the declaration that is amended."""
    fight = fight_of(said)
    return fight.course.group(amended(fight, said).seq)


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
        combatants = battle_of({"encounter": encounter}).combatants.values()
        by_id = [combatant.id for combatant in combatants if combatant.id.startswith(incomplete)]
        return by_id or [combatant.name for combatant in combatants if combatant.name.startswith(incomplete)]

    return begun(incomplete, names)


@completes
def complete_reactor(said: Said) -> Iterable[str]:
    """Whoever the fight is waiting for; there is nobody else to answer."""
    window = battle_of(said).window
    return [window.waiting.reactor] if window and window.waiting else []


@completes
def complete_turn(said: Said) -> Iterable[str]:
    """Whose turn it is; no other turn can end."""
    whose = battle_of(said).clock.turn
    return [whose] if whose else []


@completes
def complete_spell(said: Said) -> Iterable[str]:
    """The spells of whoever acts."""
    fight = fight_of(said)
    actor = actor_of(said, fight.battle)
    return fight.ruleset.spells(actor) if actor is not None else []


@completes
def complete_amended_weapon(said: Said) -> Iterable[str]:
    """The weapons of whoever made the declaration that is amended."""
    fight = fight_of(said)
    return _weapons_of(fight.battle.combatants.get(amended(fight, said).actor))


def _weapons_of(combatant: Combatant | None) -> list[str]:
    held = combatant.sheet.get("weapons") if combatant else None
    return [_name(weapon) for weapon in held] if isinstance(held, Sequence) else []


def _name(weapon: Any) -> str:
    return str(weapon.get("name", "") if isinstance(weapon, Mapping) else weapon)


@completes
def complete_ruleset(said: Said) -> Iterable[str]:
    from rules.engine.plugins import names
    from rules.engine.ruleset import GROUP

    return names(GROUP)


@completes
def complete_log_format(said: Said) -> Iterable[str]:
    from rules.logs.formats import known_formats

    return known_formats()


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


def complete_seat(ctx: typer.Context, incomplete: str) -> Offered:
    def seats() -> Iterable[str]:
        yield from ("gm", "players", "spectator", "auditor")
        everybody = battle_of(said_before(ctx)).combatants.values()
        yield from (one.id for one in everybody)
        if ":" in incomplete:
            yield from (f"players:{one.side}" for one in everybody)
            yield from (f"player:{one.id}" for one in everybody)

    return begun(incomplete, seats)


@completes
def complete_shown(said: Said) -> Iterable[str]:
    from projections.views.secrets import Shown

    return [*Shown]


@completes
def complete_modifier(said: Said) -> Iterable[str]:
    """What counted in the declaration that is amended."""
    from ledger.events import ChainModified

    return [event.source.rsplit(":", 1)[1] for event in _amended_events(said) if isinstance(event, ChainModified)]


@completes
def complete_chain(said: Said) -> Iterable[str]:
    """What the rolls of the declaration that is amended were for."""
    from ledger.events import ChainModified

    return [event.chain for event in _amended_events(said) if isinstance(event, ChainModified)]


@completes
def complete_damage_type(said: Said) -> Iterable[str]:
    """The types of damage that the declaration dealt which is amended, or all of them."""
    from ledger.events import Damaged

    hurt = (event for event in _amended_events(said) if isinstance(event, Damaged))
    return [*(part.damage_type for event in hurt for part in event.parts if part.damage_type), "all"]


@completes
def complete_pool(said: Said) -> Iterable[str]:
    """The pools of whoever is healed."""
    actor = actor_of(said, battle_of(said))
    return actor.vitals if actor else ()


@completes
def complete_resource(said: Said) -> Iterable[str]:
    actor = actor_of(said, battle_of(said))
    return actor.economy if actor else ()


@completes
def complete_why_not(said: Said) -> Iterable[str]:
    """What may not have counted: reactions and conditions."""
    rules = fight_of(said).ruleset
    return [*rules.reaction_refs(), *rules.condition_names()]


@completes
def complete_controller(said: Said) -> Iterable[str]:
    from ledger.events import Controller

    return [controller.value for controller in Controller]


@completes
def complete_archetype(said: Said) -> Iterable[str]:
    from rules.content.field_reference import forms_called

    return [archetype or section for section, archetype, _ in forms_called(rules_of(said).pack_sections(), None)]


@completes
def complete_pack_format(said: Said) -> Iterable[str]:
    bestiary = rules_of(said).bestiary
    return bestiary.formats() if bestiary is not None else []


@completes
def complete_creature(said: Said) -> Iterable[str]:
    rules = rules_of(said)
    return [*rules.sheets(), *(rules.bestiary.names() if rules.bestiary is not None else ())]


@completes
def complete_creature_type(said: Said) -> Iterable[str]:
    return sorted({creature.type for creature in combatlog.creatures(ruleset=said.get("ruleset") or "dnd5e")})


@completes
def complete_ability(said: Said) -> Iterable[str]:
    library = rules_of(said, "skirmish").library
    return [entry.id for entry in library.entries()] if library else []


@completes
def complete_kind(said: Said) -> Iterable[str]:
    from ledger.registry import KINDS

    return KINDS


@completes
def complete_document(said: Said) -> Iterable[str]:
    from cli.documents.catalogue import DOCUMENTS

    return [document.name for document in DOCUMENTS]


complete_weapon = completes(lambda said: _weapons_of(actor_of(said, battle_of(said))))
complete_condition = completes(lambda said: fight_of(said).ruleset.condition_names())
complete_side = completes(lambda said: [one.side for one in battle_of(said).combatants.values()])
complete_damage = completes(lambda said: fight_of(said).ruleset.damage_types())
"""The types of damage that the rules know."""
complete_impossible = completes(lambda said: ("drop", "keep", "stop"))


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


@completes
def complete_reaction(said: Said) -> Iterable[str]:
    """What the open window offers."""
    window = battle_of(said).window
    waiting = window.waiting if window else None
    return [*(ref.rsplit(":", 1)[1] for ref in waiting.reactions), "pass"] if waiting else []


@completes
def complete_reference(said: Said) -> Iterable[str]:
    from rules.content.action_reference import reference

    return [entry.name for entry in reference(rules_of(said))]
