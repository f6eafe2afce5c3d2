"""What the shell offers while a command is typed. Problems are not reported; the shell then offers nothing.

Each function up to `pairs` finds the words for one kind of parameter, given what was typed before and the beginning of
the word. `cli.options.COMPLETED` says which parameters each is for.
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
    """The names that the function of this kind finds and that begin with what was typed."""
    try:
        found = dict.fromkeys(globals()[kind](_said_before(ctx), incomplete))
    except Problem:
        return []
    return [name for name in found if name.startswith(incomplete)]


def _said_before(ctx: typer.Context) -> Said:
    """What was typed before. While an option lacks its value, click has not told the arguments apart yet."""
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
    """The combatant whose name was typed before, in whatever way; or else whoever has the turn."""
    typed = said.get("actor")
    return battle.combatants.get(id_of(battle, typed) if typed else battle.clock.turn or "")


def _amended(fight: FightEngine, said: Said) -> Declared:
    return standing_declaration(fight, int(said.get("seq") or 0))


def _amended_events(said: Said) -> Sequence[Event]:
    """The events of the declaration that is amended."""
    fight = _fight(said)
    return fight.course.group(_amended(fight, said).seq)


# Names


def encounters(said: Said, incomplete: str) -> Iterable[str]:
    with open_ledger() as ledger:
        return ledger.names(incomplete)


def combatants(said: Said, incomplete: str) -> Iterable[str]:
    """Ids, which need no quotes; names for those who have begun to type one."""
    known = _battle(said).combatants.values()
    by_id = [combatant.id for combatant in known if combatant.id.startswith(incomplete)]
    return by_id or [combatant.name for combatant in known]


def spells(said: Said, incomplete: str) -> Iterable[str]:
    """The spells of whoever acts."""
    fight = _fight(said)
    actor = _actor(said, fight.battle)
    return fight.ruleset.spells(actor) if actor is not None else []


def amended_weapons(said: Said, incomplete: str) -> Iterable[str]:
    """The weapons of whoever made the declaration that is amended."""
    fight = _fight(said)
    return _weapons_of(fight.battle.combatants.get(_amended(fight, said).actor))


def _weapons_of(combatant: Combatant | None) -> list[str]:
    held = combatant.sheet.get("weapons") if combatant else None
    if not isinstance(held, Sequence):
        return []
    return [str(weapon.get("name", "") if isinstance(weapon, Mapping) else weapon) for weapon in held]


def rulesets(said: Said, incomplete: str) -> Iterable[str]:
    return plugin_names(ruleset.GROUP)


def log_formats(said: Said, incomplete: str) -> Iterable[str]:
    return known_formats()


def sheets(said: Said, incomplete: str) -> Iterable[str]:
    """With an earlier fight, the combatants of that one."""
    if said.get("earlier"):
        return combatants({"encounter": said["earlier"]}, incomplete)
    fight = _fight(said)
    bestiary = fight.ruleset.bestiary
    installed = bestiary.names() if bestiary is not None and incomplete else ()
    own = [name for pack in packs_of(fight.battle) for name in pack.sheets]
    return [*own, *fight.ruleset.sheets(), *installed]


def seats(said: Said, incomplete: str) -> Iterable[str]:
    yield from ("gm", "players", "spectator", "auditor")
    everybody = _battle(said).combatants.values()
    yield from (one.id for one in everybody)
    if ":" in incomplete:
        yield from (f"players:{one.side}" for one in everybody)
        yield from (f"player:{one.id}" for one in everybody)


def shown_to_players(said: Said, incomplete: str) -> Iterable[str]:
    return [*ShownDetail]


def modifiers(said: Said, incomplete: str) -> Iterable[str]:
    """What counted in the declaration that is amended."""
    return [event.source.rsplit(":", 1)[1] for event in _amended_events(said) if isinstance(event, ChainModified)]


def chains(said: Said, incomplete: str) -> Iterable[str]:
    """What the rolls of the declaration that is amended were for."""
    return [event.chain for event in _amended_events(said) if isinstance(event, ChainModified)]


def damage_dealt(said: Said, incomplete: str) -> Iterable[str]:
    """The types of damage that the declaration dealt which is amended, or all of them."""
    hurt = (event for event in _amended_events(said) if isinstance(event, Damaged))
    return [*(part.damage_type for event in hurt for part in event.parts if part.damage_type), "all"]


def conditions(said: Said, incomplete: str) -> Iterable[str]:
    return _fight(said).ruleset.condition_names()


def controllers(said: Said, incomplete: str) -> Iterable[str]:
    return [controller.value for controller in Controller]


def archetypes(said: Said, incomplete: str) -> Iterable[str]:
    return [archetype or section for section, archetype, _ in forms_called(_rules(said).pack_sections(), None)]


def event_kinds(said: Said, incomplete: str) -> Iterable[str]:
    return KINDS


def documents(said: Said, incomplete: str) -> Iterable[str]:
    return [document.name for document in DOCUMENTS]


def creatures(said: Said, incomplete: str) -> Iterable[str]:
    rules = _rules(said)
    return [*rules.sheets(), *(rules.bestiary.names() if rules.bestiary is not None else ())]


def abilities(said: Said, incomplete: str) -> Iterable[str]:
    library = _rules(said, "skirmish").library
    return [entry.id for entry in library.entries()] if library else []


def creature_types(said: Said, incomplete: str) -> Iterable[str]:
    return sorted({one.type for one in combatlog.creatures(ruleset=_rules(said).name)})


def damage_types(said: Said, incomplete: str) -> Iterable[str]:
    return _fight(said).ruleset.damage_types()


def pack_formats(said: Said, incomplete: str) -> Iterable[str]:
    bestiary = _rules(said).bestiary
    return bestiary.formats() if bestiary is not None else ()


def labels(said: Said, incomplete: str) -> Iterable[str]:
    return ("practice", "archived")


def ways_with_the_impossible(said: Said, incomplete: str) -> Iterable[str]:
    return ("drop", "keep", "stop")


def pools(said: Said, incomplete: str) -> Iterable[str]:
    """The pools of the combatant who acts, such as hit points."""
    return getattr(_actor(said, _battle(said)), "vitals", ())


def resources(said: Said, incomplete: str) -> Iterable[str]:
    return getattr(_actor(said, _battle(said)), "economy", ())


def sides(said: Said, incomplete: str) -> Iterable[str]:
    return [one.side for one in _battle(said).combatants.values()]


def whose_turn(said: Said, incomplete: str) -> Iterable[str]:
    return filter(None, [_battle(said).clock.turn])


def weapons(said: Said, incomplete: str) -> Iterable[str]:
    return _weapons_of(_actor(said, _battle(said)))


# Actions and reactions


def actions(said: Said, incomplete: str) -> Iterable[str]:
    """What this combatant has on its menu; for whoever types something else, what its ruleset knows."""
    fight = _fight(said)
    actor = _actor(said, fight.battle)
    if said.get("actor") == GM:
        return core_names()
    known = fight.ruleset.action_refs(actor)
    menu = fight.ruleset.menu(fight.battle, actor) if actor else []
    own = [choice.name for section in menu for choice in section.choices if choice.name in known]
    return own if any(name.startswith(incomplete) for name in own) else known


def reactors(said: Said, incomplete: str) -> Iterable[str]:
    """Whoever the fight is waiting for; there is nobody else to answer."""
    window = _battle(said).window
    return [window.waiting.reactor] if window and window.waiting else []


def reactions(said: Said, incomplete: str) -> Iterable[str]:
    """What the open window offers."""
    window = _battle(said).window
    waiting = window.waiting if window else None
    return [*(ref.rsplit(":", 1)[1] for ref in waiting.reactions), "pass"] if waiting else []


def kept_out(said: Said, incomplete: str) -> Iterable[str]:
    """Reactions and conditions, which `explain --why-not` asks about."""
    rules = _fight(said).ruleset
    return [*rules.reaction_refs(), *rules.condition_names()]


def references(said: Said, incomplete: str) -> Iterable[str]:
    return [entry.name for entry in reference(_rules(said))]


# NAME=VALUE: the names first, and then the values of the one that is typed


def action_options(said: Said, incomplete: str) -> Iterable[str]:
    """The options of the action being typed."""
    fight = _fight(said)
    actor = _actor(said, fight.battle)
    ref = fight.action_ref(core_ref(said.get("action") or said.get("spell") or ""), actor)
    return _options_of(fight.signature(ref, actor.id if actor else ""), incomplete)


def reaction_options(said: Said, incomplete: str) -> Iterable[str]:
    """The options of the reaction being typed."""
    fight = _fight(said)
    ref = fight.ruleset.reaction_ref(said.get("reaction") or "", fight.battle)
    return _options_of(fight.ruleset.reaction_signature(ref), incomplete)


def amended_options(said: Said, incomplete: str) -> Iterable[str]:
    """The options of the declaration that is amended."""
    fight = _fight(said)
    declared = _amended(fight, said)
    return _options_of(fight.signature(declared.action, declared.actor), incomplete)


def optional_rules(said: Said, incomplete: str) -> Iterable[str]:
    """The optional rules of the ruleset being typed."""
    return pairs(_rules(said).encounter_options, incomplete)


def replies(said: Said, incomplete: str) -> Iterable[str]:
    """Who may be asked, and what they can answer; in corrections after the number of a declaration: `34:osric=pass`."""
    number, colon, reply = incomplete.rpartition(":")
    fight = _fight(said)
    answers = [*fight.ruleset.reaction_refs(), "pass"]
    return [f"{number}{colon}{one}" for one in _listed(dict.fromkeys(fight.battle.combatants, answers), reply)]


def policies(said: Said, incomplete: str) -> Iterable[str]:
    """Reactions, and when they are used."""
    settings = [policy.value for policy in Policy]
    return _listed(dict.fromkeys([*_fight(said).ruleset.reaction_refs(), "*"], settings), incomplete)


def values(said: Said, incomplete: str) -> Iterable[str]:
    """The vitals and resources of whom a ruling is about, with what they are now."""
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
    only = begins[0]  # a shell ends the word after a single offer, and `NAME=` is not the end of one
    return [f"{only}=", *(f"{only}={value}" for value in known[only] or ["VALUE"])]


def _values_of(field: ReferenceField) -> Sequence[str]:
    """Values that can be listed; for others, what is taken if nobody says anything, as an example."""
    if field.values:
        return field.values
    return [str(field.default)] if isinstance(field.default, str | int) and field.default != "" else []


# Bash breaks words at `=` and `:` and quotes nothing that it inserts; what typer prints has to be made to fit. zsh and
# fish need none of this.

_BREAKS = ("=", ":")


def complete_in_bash(run: Callable[[], object]) -> None:
    """Run the completion with words as they were typed, and print what is to be inserted into the last one."""
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
    """`slot`, `=`, `2` were typed as `slot=2`. An empty word is one that begins after a space."""
    whole: list[str] = []
    for word in words:
        if whole and word and (word in _BREAKS or whole[-1].endswith(_BREAKS)):
            whole[-1] += word
        else:
            whole.append(word)
    return whole


def inserted(value: str, word: str) -> str:
    """What replaces the part of the word that Bash took for all of it, escaped unless the word has an open quote."""
    broken = max(word.rfind(mark) for mark in _BREAKS) + 1
    rest = value[broken:] if value.startswith(word[:broken]) else value
    return rest if _has_open_quote(word) else re.sub(r"([^\w@%+=:,./-])", r"\\\1", rest)


def _has_open_quote(word: str) -> bool:
    try:
        shlex.split(word)
    except ValueError:
        return True
    return False
