"""What the shell offers while a command is typed. If a problem occurs, it offers nothing.

`OFFERED` has a function for each kind of word; `cli.options.COMPLETED` says which parameters each is for.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import typer

import combatlog
from cli.context import open_ledger
from cli.render.json_schemas import DOCUMENTS
from combatlog.importers.logs.log_formats import known_formats
from combatlog.rules.content.packs import packs_of
from combatlog.rules.content.reference import ReferenceField, fields_of, forms_called, reference
from combatlog.rules.engine import ruleset
from combatlog.rules.engine.commands import GM
from combatlog.rules.engine.corrections.undo import standing_declaration
from combatlog.rules.engine.declarations.core_actions import core_names, core_ref
from combatlog.rules.engine.naming import id_of
from combatlog.rules.engine.options_and_validation import Options, Signature
from combatlog.rules.engine.pieces import plugin_names
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from ledger.errors import Problem
from ledger.events import ChainModified, Controller, Damaged, Declared, Event, Policy
from ledger.registry import KINDS
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.views.visibility import ShownDetail

Said = Mapping[str, Any]
"""What was typed before, by parameter."""


def offers(kind: str, ctx: typer.Context, incomplete: str) -> list[str]:
    """The words of this kind that begin with what was typed."""
    try:
        found = dict.fromkeys(OFFERED[kind](_said_before(ctx), incomplete))
    except Problem:
        return []
    return [name for name in found if name.startswith(incomplete)]


def _said_before(ctx: typer.Context) -> Said:
    """What was typed before. While an option lacks its value, click has not assigned the arguments yet."""
    arguments = [param.name for param in ctx.command.params if param.param_type_name == "argument"]
    loose = dict(zip(arguments, ctx.args, strict=False))
    return {**loose, **{name: value for name, value in ctx.params.items() if value is not None}}


def _fight(said: Said) -> FightEngine:
    with open_ledger() as ledger:
        return ledger.referee.fight(said.get("encounter") or "")


def _battle(said: Said) -> Battle:
    return _fight(said).battle


def _rules(said: Said, default: str = "dnd5e") -> ruleset.Ruleset:
    return ruleset.find(said.get("ruleset") or default)


def _actor(said: Said, battle: Battle) -> Combatant | None:
    """The combatant whose name was typed before; otherwise the one that has the turn."""
    typed = said.get("actor")
    return battle.combatants.get(id_of(battle, typed) if typed else battle.clock.turn or "")


def _amended(fight: FightEngine, said: Said) -> Declared:
    return standing_declaration(fight, int(said.get("seq") or 0))


def _amended_events(said: Said) -> Sequence[Event]:
    """The events of the declaration that is being amended."""
    fight = _fight(said)
    return fight.course.group(_amended(fight, said).seq)


def _combatants(said: Said, incomplete: str) -> Iterable[str]:
    """Ids, which need no quotes; names once the beginning of one is typed."""
    known = _battle(said).combatants.values()
    by_id = [combatant.id for combatant in known if combatant.id.startswith(incomplete)]
    return by_id or [combatant.name for combatant in known]


def _encounters(said: Said, incomplete: str) -> Iterable[str]:
    with open_ledger() as ledger:
        return ledger.names(incomplete)


def _spells(said: Said, incomplete: str) -> Iterable[str]:
    fight = _fight(said)
    actor = _actor(said, fight.battle)
    return fight.ruleset.spells(actor) if actor is not None else []


def _amended_weapons(said: Said, incomplete: str) -> Iterable[str]:
    fight = _fight(said)
    return _weapons_of(fight.battle.combatants.get(_amended(fight, said).actor))


def _weapons_of(combatant: Combatant | None) -> list[str]:
    held = combatant.sheet.get("weapons") if combatant else None
    if not isinstance(held, Sequence):
        return []
    return [str(weapon.get("name", "") if isinstance(weapon, Mapping) else weapon) for weapon in held]


def _sheets(said: Said, incomplete: str) -> Iterable[str]:
    """The sheets that can join; with an earlier fight, its combatants."""
    if said.get("earlier"):
        return _combatants({"encounter": said["earlier"]}, incomplete)
    fight = _fight(said)
    bestiary = fight.ruleset.bestiary
    installed = bestiary.names() if bestiary is not None and incomplete else ()
    own = [name for pack in packs_of(fight.battle) for name in pack.sheets]
    return [*own, *fight.ruleset.sheets(), *installed]


def _seats(said: Said, incomplete: str) -> Iterable[str]:
    yield from ("gm", "players", "spectator", "auditor")
    everybody = _battle(said).combatants.values()
    yield from (one.id for one in everybody)
    if ":" in incomplete:
        yield from (f"players:{one.side}" for one in everybody)
        yield from (f"player:{one.id}" for one in everybody)


def _damage_dealt(said: Said, incomplete: str) -> Iterable[str]:
    hurt = (event for event in _amended_events(said) if isinstance(event, Damaged))
    return [*(part.damage_type for event in hurt for part in event.parts if part.damage_type), "all"]


def _creatures(said: Said, incomplete: str) -> Iterable[str]:
    rules = _rules(said)
    return [*rules.sheets(), *(rules.bestiary.names() if rules.bestiary is not None else ())]


def _abilities(said: Said, incomplete: str) -> Iterable[str]:
    library = _rules(said, "skirmish").library
    return [entry.id for entry in library.entries()] if library else []


def _archetypes(said: Said, incomplete: str) -> Iterable[str]:
    return [archetype or section for section, archetype, _ in forms_called(_rules(said).pack_sections(), None)]


def _actions(said: Said, incomplete: str) -> Iterable[str]:
    """The menu of the combatant who acts; if no name there fits, all actions of the ruleset."""
    fight = _fight(said)
    actor = _actor(said, fight.battle)
    if said.get("actor") == GM:
        return core_names()
    known = fight.ruleset.action_refs(actor)
    menu = fight.ruleset.menu(fight.battle, actor) if actor else []
    own = [choice.name for section in menu for choice in section.choices if choice.name in known]
    return own if any(name.startswith(incomplete) for name in own) else known


def _reactions(said: Said, incomplete: str) -> Iterable[str]:
    window = _battle(said).window
    waiting = window.waiting if window else None
    return [*(ref.rsplit(":", 1)[1] for ref in waiting.reactions), "pass"] if waiting else []


def _reactors(said: Said, incomplete: str) -> Iterable[str]:
    window = _battle(said).window
    return [window.waiting.reactor] if window and window.waiting else []


def _kept_out(said: Said, incomplete: str) -> Iterable[str]:
    rules = _fight(said).ruleset
    return [*rules.reaction_refs(), *rules.condition_names()]


# NAME=VALUE: first the names, then the values of the name that is typed


def _action_options(said: Said, incomplete: str) -> Iterable[str]:
    fight = _fight(said)
    actor = _actor(said, fight.battle)
    ref = fight.action_ref(core_ref(said.get("action") or said.get("spell") or ""), actor)
    return _options_of(fight.signature(ref, actor.id if actor else ""), incomplete)


def _reaction_options(said: Said, incomplete: str) -> Iterable[str]:
    fight = _fight(said)
    ref = fight.ruleset.reaction_ref(said.get("reaction") or "", fight.battle)
    return _options_of(fight.ruleset.reaction_signature(ref), incomplete)


def _amended_options(said: Said, incomplete: str) -> Iterable[str]:
    fight = _fight(said)
    declared = _amended(fight, said)
    return _options_of(fight.signature(declared.action, declared.actor), incomplete)


def _replies(said: Said, incomplete: str) -> Iterable[str]:
    """COMBATANT=REACTION, in corrections after the number of a declaration: `34:osric=pass`."""
    number, colon, reply = incomplete.rpartition(":")
    fight = _fight(said)
    answers = [*fight.ruleset.reaction_refs(), "pass"]
    return [f"{number}{colon}{one}" for one in _listed(dict.fromkeys(fight.battle.combatants, answers), reply)]


def _policies(said: Said, incomplete: str) -> Iterable[str]:
    settings = [policy.value for policy in Policy]
    return _listed(dict.fromkeys([*_fight(said).ruleset.reaction_refs(), "*"], settings), incomplete)


def _values(said: Said, incomplete: str) -> Iterable[str]:
    """The vitals and resources of the subject of a ruling, with their current values."""
    battle = _battle(said)
    subject = battle.combatants.get(id_of(battle, said.get("subject") or ""))
    known: dict[str, Any] = {**subject.vitals, **subject.economy} if subject is not None else {}
    return _listed({name: [str(one.current)] for name, one in known.items()}, incomplete)


def _options_of(signature: Signature | None, incomplete: str) -> list[str]:
    return pairs(signature.options if signature else None, incomplete)


def pairs(model: type[Options] | None, incomplete: str) -> list[str]:
    fields = fields_of(model, left_out=()) if model is not None else []
    return _listed({field.name: _values_of(field) for field in fields}, incomplete)


def _listed(known: Mapping[str, Sequence[str]], incomplete: str) -> list[str]:
    name, equals, _ = incomplete.partition("=")
    if equals:
        return [f"{name}={value}" for value in known.get(name, ())]
    begins = [one for one in known if one.startswith(name)]
    if len(begins) != 1:
        return [f"{one}=" for one in begins]
    only = begins[0]  # a shell adds a space after a single offer, and `NAME=` must not be followed by one
    return [f"{only}=", *(f"{only}={value}" for value in known[only] or ["VALUE"])]


def _values_of(field: ReferenceField) -> Sequence[str]:
    """The possible values; if they cannot be listed, the default as an example."""
    if field.values:
        return field.values
    return [str(field.default)] if isinstance(field.default, str | int) and field.default != "" else []


OFFERED: dict[str, Callable[[Said, str], Iterable[str]]] = {
    "abilities": _abilities,
    "action_options": _action_options,
    "actions": _actions,
    "amended_options": _amended_options,
    "amended_weapons": _amended_weapons,
    "archetypes": _archetypes,
    "chains": lambda said, _: [one.chain for one in _amended_events(said) if isinstance(one, ChainModified)],
    "combatants": _combatants,
    "conditions": lambda said, _: _fight(said).ruleset.condition_names(),
    "controllers": lambda said, _: [controller.value for controller in Controller],
    "creature_types": lambda said, _: sorted({one.type for one in combatlog.creatures(ruleset=_rules(said).name)}),
    "creatures": _creatures,
    "damage_dealt": _damage_dealt,
    "damage_types": lambda said, _: _fight(said).ruleset.damage_types(),
    "documents": lambda said, _: [document.name for document in DOCUMENTS],
    "encounters": _encounters,
    "event_kinds": lambda said, _: KINDS,
    "kept_out": _kept_out,
    "labels": lambda said, _: ("practice", "archived"),
    "log_formats": lambda said, _: known_formats(),
    "modifiers": lambda said, _: [
        one.source.rsplit(":", 1)[1] for one in _amended_events(said) if isinstance(one, ChainModified)
    ],
    "optional_rules": lambda said, incomplete: pairs(_rules(said).encounter_options, incomplete),
    "pack_formats": lambda said, _: bestiary.formats() if (bestiary := _rules(said).bestiary) else (),
    "policies": _policies,
    "pools": lambda said, _: getattr(_actor(said, _battle(said)), "vitals", ()),
    "reaction_options": _reaction_options,
    "reactions": _reactions,
    "reactors": _reactors,
    "references": lambda said, _: [entry.name for entry in reference(_rules(said))],
    "replies": _replies,
    "resources": lambda said, _: getattr(_actor(said, _battle(said)), "economy", ()),
    "rulesets": lambda said, _: plugin_names(ruleset.GROUP),
    "seats": _seats,
    "sheets": _sheets,
    "shown_to_players": lambda said, _: [*ShownDetail],
    "sides": lambda said, _: [one.side for one in _battle(said).combatants.values()],
    "spells": _spells,
    "values": _values,
    "weapons": lambda said, _: _weapons_of(_actor(said, _battle(said))),
    "whose_turn": lambda said, _: filter(None, [_battle(said).clock.turn]),
}
"""Finds the words that can be typed, given what was typed before and the beginning of the word."""


# Bash breaks words at `=` and `:` and does not quote what it inserts, so typer's output has to be adapted. zsh and fish
# need none of this.

_BREAKS = ("=", ":")


def complete_in_bash(run: Callable[[], object]) -> None:
    """Run the completion with the words as they were typed, and print what Bash should insert into the last one."""
    typed = os.environ.get("COMP_WORDS", "").split("\n")
    current = int(os.environ.get("COMP_CWORD", "0"))
    words = rejoined(typed[: current + 1])
    os.environ["COMP_WORDS"] = "\n".join(words)
    os.environ["COMP_CWORD"] = str(len(words) - 1)
    told = StringIO()
    try:
        with redirect_stdout(told):
            run()
    finally:
        sys.stdout.write("\n".join(inserted(value, words[-1]) for value in told.getvalue().splitlines()))


def rejoined(words: list[str]) -> list[str]:
    """`slot`, `=`, `2` were typed as `slot=2`. An empty word begins after a space."""
    whole: list[str] = []
    for word in words:
        if whole and word and (word in _BREAKS or whole[-1].endswith(_BREAKS)):
            whole[-1] += word
        else:
            whole.append(word)
    return whole


def inserted(value: str, word: str) -> str:
    """The replacement for the part that Bash took for the whole word, escaped unless the word has an open quote."""
    broken = max(word.rfind(mark) for mark in _BREAKS) + 1
    rest = value[broken:] if value.startswith(word[:broken]) else value
    return rest if _has_open_quote(word) else re.sub(r"([^\w@%+=:,./-])", r"\\\1", rest)


def _has_open_quote(word: str) -> bool:
    try:
        shlex.split(word)
    except ValueError:
        return True
    return False
