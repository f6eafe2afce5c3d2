"""Wild play, in every ruleset: legal and illegal declarations, people who come late or leave, rulings and corrections.

`WildFight` plays one fight, which its ruleset and seed decide, and checks after every command what must hold whatever
people do. To look for failures at length, and to see all that one fight leads to:

    python -m tests.wildplay dnd5e --fights 100 --from 0
    python -m tests.wildplay dnd5e --from 17 --fights 1 --commands
"""

from __future__ import annotations

import argparse
import os
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import Enum
from random import Random
from time import monotonic
from typing import Any, Literal, get_args, get_origin
from uuid import UUID

from pydantic.fields import FieldInfo

from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import Declaration, Opening, Reply
from combatlog.rules.engine.corrections import undo
from combatlog.rules.engine.corrections.amend import Amendment, Forgotten, ForgottenDefence, plan_amend
from combatlog.rules.engine.corrections.fork import begin_fork
from combatlog.rules.engine.corrections.insert import after, before, plan_insert
from combatlog.rules.engine.corrections.plan import Plan, PlanVerdict
from combatlog.rules.engine.corrections.rebase import Impossible, Remedies
from combatlog.rules.engine.declarations.core_actions import CORE
from combatlog.rules.engine.options_and_validation import Part, option_fields
from combatlog.rules.engine.resolution.fight_engine import FightEngine, NewDice
from combatlog.rules.engine.ruleset_types import Defence
from combatlog.rules.verification.dice_fairness import unfair
from combatlog.rules.verification.verify import check_declarations
from ledger.errors import Problem
from ledger.events import ChainModified, Declared, Event, FaceOrigin, Redone, Rolled
from projections.battle.combatant import Combatant
from projections.battle.dice import RollNumbers
from projections.battle.fold import Battle, fold
from projections.battle.timeline import standing
from tests.randomplay import passing, plan_undo_passing
from tests.rules.dnd5e.random_play import LEGEND, MAPS

COMMANDS = 60
"""How many commands a fight has, with those that are refused."""
SHEETS = {
    "dnd5e": tuple(rulesets.find("dnd5e").sheets()),
    "action_points": tuple(rulesets.find("action_points").sheets()),
    "skirmish": tuple(name for name in rulesets.find("skirmish").sheets() if not name.endswith("-player")),
}
RULESETS = tuple(SHEETS)
SIDES = ("heroes", "foes")
PLAYERS = ("rebel-player", "imperial-player")
TYPES = ("fire", "slashing", "poison")
WORDS = ("", "nobody", "gm", "*", "2", "fire", "dex", "perception", "3,3", "gained", "dash", "strike", "attacks")
SECTIONS = {"card": "cards", "ability": "special actions", "item": "items", "skill": "skills"}
"""The section of the menu that has what an option of an action names."""


class Broken(AssertionError):
    """Something does not hold that must hold in every fight."""


class WildFight:
    def __init__(self, ruleset: str, seed: int, *, dice: str | None = None) -> None:
        self.chance = Random(f"{ruleset} {seed}")
        self.ruleset = rulesets.find(ruleset)
        committed = self.chance.random() < 0.5 if dice is None else dice == "committed"
        self.secret = self.chance.randbytes(32) if committed else None
        self.said: list[str] = []
        self.counts: Counter[str] = Counter()
        self._joined = 0
        self._forks = 0
        options = {"terminals": ["5,0", "1,1"]} if ruleset == "skirmish" else {}
        setting = "committed" if committed else dice or f"seed:{seed}"
        opening = Opening(name="wild", ruleset=ruleset, dice=setting, map=self.chance.choice(MAPS[:2]), options=options)
        self.fight = FightEngine.open(opening, UUID(int=1), seed=self.secret)
        self._command = 1
        self._assemble()

    # What people do

    def play(self, commands: int = COMMANDS) -> None:
        for _ in range(commands):
            self.command()
        self.close()
        self.check_all()

    def command(self) -> None:
        """One command of some kind, and what must hold after it."""
        do = self._some_command()
        known, before = len(self.fight.events), state_of(self.fight.battle)
        try:
            do()
        except Problem as problem:
            self._note(f"  refused: {problem.code}", "refused")
            if len(self.fight.events) != known or state_of(self.fight.battle) != before:
                raise Broken(f"{self.said[-2]}, which was refused, left a trace") from problem
        else:
            self._note(f"  {len(self.fight.events) - known} events", "done")
        self.check()
        self._read()

    def close(self) -> None:
        """The end of the fight, which makes the seed of committed dice public. A declaration that cannot go on with the
        answers that were given is taken back."""
        for _ in range(50):
            if self.fight.battle.clock.closed:
                return
            try:
                if self._asked is not None:
                    self.fight.answer(Reply(reactor=self._asked.reactor), command=self._id())
                else:
                    self._declare("gm", "core:time:close")
            except Problem as problem:
                window = self.fight.battle.window
                if window is None:
                    raise Broken(f"the fight cannot be closed: {problem.sentence}") from problem
                self._note(f"taken back, because it cannot go on: {problem.sentence}", "stuck")
                self.fight.take_in(plan_undo_passing(self.fight, {window.declaration}).new)

    @property
    def _asked(self) -> Any:
        window = self.fight.battle.window
        return window.waiting if window is not None else None

    def _some_command(self) -> Callable[[], object]:
        kinds: dict[Callable[[], object], int] = {
            self._act: 45,
            self._end_turn: 10,
            self._rule: 6,
            self._join: 3,
            self._leave: 1,
            self._core: 5,
            self._undo: 5,
            self._redo: 2,
            self._amend: 6,
            self._insert: 4,
            self._fork: 1,
            self._start: 1,
        }
        if self._asked is not None:
            kinds |= {
                self._answer: 40,
                self._act: 3,
                self._end_turn: 2,
                self._rule: 12,
                self._undo: 12,
                self._amend: 12,
            }
        if not self.fight.battle.clock.started:
            kinds[self._start] = 20
        return self.chance.choices(list(kinds), list(kinds.values()))[0]

    def _assemble(self) -> None:
        if self.ruleset.name == "skirmish":
            for side, sheet in zip(SIDES, PLAYERS, strict=True):
                self._enlist(side, sheet, side, None)
        for number in range(self.chance.randint(3, 7)):
            try:
                self._join(SIDES[number % 2])
            except Problem:
                continue
        with suppress(Problem):
            self._start()

    def _join(self, side: str | None = None) -> None:
        self._joined += 1
        sheet = self.chance.choice(SHEETS[self.ruleset.name])
        if self.ruleset.name == "skirmish" and side is None and self.chance.random() < 0.1:
            sheet = self.chance.choice(PLAYERS)
        place = (self.chance.randint(2, 5), self.chance.randint(1, 4)) if self.chance.random() < 0.97 else None
        side = side or self.chance.choice((*SIDES, *SIDES, "others"))
        self._enlist(side, sheet, f"{sheet.replace('_', '-')}-{self._joined}", place)

    def _enlist(self, side: str, sheet: str, name: str, place: tuple[int, int] | None) -> None:
        more: dict[str, Any] = {"hidden": True} if self.chance.random() < 0.15 else {}
        if self.chance.random() < 0.7:
            more["policies"] = {"*": self.chance.choice(("ask", "ask", "ask", "always", "never", "when useful"))}
        if self.ruleset.name == "dnd5e" and self.chance.random() < 0.1:
            more["overrides"] = LEGEND
        if sheet not in PLAYERS and self.ruleset.name == "skirmish" and self.chance.random() < 0.3:
            more["overrides"] = {"group": f"{sheet}s"}
        if self.chance.random() < 0.1:
            more["count"] = 2
        options = {"sheet": self.ruleset.sheet(sheet), "name": name, "side": side, "position": place, **more}
        self._declare("gm", "core:time:join", options={key: value for key, value in options.items() if value})

    def _start(self) -> None:
        self._declare("gm", "core:time:start")

    def _end_turn(self) -> None:
        turn = self.fight.battle.clock.turn
        self._declare(
            turn if turn is not None and self.chance.random() < 0.9 else self._anybody(), "core:time:end-turn"
        )

    def _leave(self) -> None:
        self._declare(self._anybody(), "core:time:leave")

    def _rule(self) -> None:
        subject = self.fight.battle.combatants.get(self._anybody())
        match self.chance.randrange(5):
            case 0 if subject is not None:
                pools = [*subject.vitals, *subject.economy]
                said: dict[str, Any] = {"set": {self.chance.choice(pools): self.chance.randrange(12)}} if pools else {}
            case 1 if subject is not None and subject.conditions:
                said = {"remove": [self.chance.choice([held.name for held in subject.conditions.values()])]}
            case 2:
                said = {"add": [self.chance.choice(self.ruleset.condition_names())]}
            case 3:
                said = {"to": (self.chance.randrange(9), self.chance.randrange(6))}
            case _:
                said = {"note": "rain"}
        if self.chance.random() < 0.1:
            said["side"] = self.chance.choice((*SIDES, "others"))
        targets = (subject.id,) if subject is not None else ()
        self._declare("gm", "core:ruling:rule", targets=targets, options={**said, "reason": "chance"})

    def _core(self) -> None:
        """Something that can be declared in every ruleset."""
        everybody, amount = [self._anybody(), self._anybody()], self.chance.randrange(1, 9)
        targets = tuple(everybody[: self.chance.randrange(3)])
        match self.chance.randrange(9):
            case 0 | 1:
                kind = {"type": self.chance.choice(TYPES)} if self.chance.random() < 0.3 else {}
                self._declare("gm", "core:gm:hurt", targets=targets, options={"amount": amount, **kind})
            case 2:
                self._declare("gm", "core:gm:heal", targets=targets, options={"amount": amount})
            case 3:
                self._declare("gm", "core:time:initiative", options={"values": dict.fromkeys(everybody, amount)})
            case 4:
                self._declare("gm", "core:time:reveal", targets=targets)
            case 5:
                self._declare("gm", "core:time:conceal", targets=targets)
            case 6:
                policies = {"*": self.chance.choice(("ask", "always", "never", "when useful"))}
                self._declare(everybody[0], "core:reaction:policies", options={"policies": policies})
            case 7:
                action = self.chance.choice([ref for ref, core in CORE.items() if core.for_people])
                self._declare(self._anybody(), action, **self._filled(action, None))
            case _:
                self._declare("gm", "core:time:close" if self.chance.random() < 0.2 else "core:gm:recuperate")

    def _act(self) -> None:
        """Something that somebody can do; now and then what is refused is all."""
        for _ in range(self.chance.choice((0, 3, 3))):
            with suppress(Problem):
                self._say(self._some_act())
                return
            self._note("  refused", "refused")
        self._say(self._some_act())

    def _some_act(self) -> Declaration:
        """Mostly what the menu of somebody who can act now says is possible; else anything of anybody."""
        able = self.ruleset.to_act(self.fight.battle)
        actor = self.chance.choice(able) if able and self.chance.random() < 0.95 else None
        if actor is None:
            name = self._anybody()
            return self._declaration_of(name, self.chance.choice(self._actions(self.fight.battle.combatants.get(name))))
        if self.chance.random() < 0.08:
            return self._declaration_of(actor.id, self.chance.choice(self._actions(actor)))
        if self.chance.random() < (0.6 if self.ruleset.name == "skirmish" else 0.4):
            options = list(self.ruleset.options(self.fight.battle, actor))
            option = self.chance.choice(options) if options else None
            aims = list(option.aims()) if option is not None and option.is_open() else []
            for aim in self.chance.sample(aims, min(len(aims), 4)):
                if option is not None and option.permits(aim):
                    return option.declaration(aim)
        refs = self.ruleset.action_refs(actor)
        menu = self.ruleset.menu(self.fight.battle, actor)
        possible = [choice.name for section in menu for choice in section.choices if choice.why_not is None]
        named = [name for name in possible if name in refs] or self._actions(actor)
        strikes = [name for name in named if "strike" in name or "attack" in name]
        name = self.chance.choice(strikes if strikes and self.chance.random() < 0.6 else named)
        return self._declaration_of(actor.id, name)

    def _actions(self, actor: Combatant | None) -> list[str]:
        return sorted(self.ruleset.action_refs(actor))

    def _declaration_of(self, actor: str, action: str) -> Declaration:
        combatant = self.fight.battle.combatants.get(actor)
        ref = self.ruleset.action_refs(combatant).get(action, action)
        return Declaration(actor=actor, action=action, **self._filled(ref, combatant))

    def _filled(self, ref: str, actor: Combatant | None) -> dict[str, Any]:
        """Something for all that an action can say."""
        try:
            signature = self.fight.signature(ref, actor.id if actor is not None else "gm")
        except Problem:
            signature = None
        if signature is None:
            return {}
        said: dict[str, Any] = {"options": {}}
        if Part.TARGET in signature.parts and self.chance.random() < 0.95:
            said["targets"] = tuple(self._somebody_for(actor) for _ in range(self.chance.choice((1, 1, 1, 1, 1, 2))))
        if Part.DESTINATION in signature.parts and self.chance.random() < 0.9:
            x, y = actor.position if actor is not None and actor.position is not None else (3, 3)
            said["destination"] = (
                max(0, x + self.chance.randint(-2, 2)),
                max(0, y + self.chance.randint(-2, 2)),
            )
        if Part.WEAPON in signature.parts and actor is not None and self.chance.random() < 0.3:
            said["weapon"] = self.chance.choice([*self.ruleset.weapons(actor), "club"])
        for name, field in option_fields(signature.options).items():
            if field.is_required() or self.chance.random() < 0.2:
                said["options"][name] = self._value(name, field, actor)
        return said

    def _value(self, name: str, field: FieldInfo, actor: Combatant | None) -> Any:
        known = [*self._choices(field.annotation)]
        if known:
            return self.chance.choice(known)
        kinds = {str(field.annotation), *map(str, get_args(field.annotation))}
        if str(int) in kinds:
            return self.chance.randrange(1, 4)
        if str(bool) in kinds:
            return self.chance.random() < 0.5
        return self.chance.choice(self._words(name, actor) or WORDS)

    def _choices(self, annotation: Any) -> Iterator[Any]:
        if get_origin(annotation) is Literal:
            yield from get_args(annotation)
        elif isinstance(annotation, type) and issubclass(annotation, Enum):
            yield from (one.value for one in annotation)
        else:
            for inner in get_args(annotation):
                yield from self._choices(inner)

    def _words(self, name: str, actor: Combatant | None) -> list[str]:
        if self.chance.random() < 0.05:
            return list(WORDS)
        if name == "condition":
            return [held.name for held in actor.conditions.values()] if actor is not None else []
        if name == "spell":
            return self.ruleset.spells(actor) if actor is not None else []
        if name in SECTIONS and actor is not None:
            menu = self.ruleset.menu(self.fight.battle, actor)
            return [one.name for part in menu for one in part.choices if part.title == SECTIONS[name]]
        return [*self.fight.battle.combatants, *WORDS]

    def _answer(self) -> None:
        offer = self._asked
        reaction = self.chance.choice([*offer.reactions, *offer.reactions, None])
        reactor = offer.reactor if self.chance.random() < 0.95 else self._anybody()
        options: dict[str, Any] = {}
        signature = self.ruleset.reaction_signature(reaction) if reaction is not None else None
        for name, field in option_fields(signature.options).items() if signature is not None else ():
            if field.is_required() or self.chance.random() < 0.2:
                options[name] = self._value(name, field, self.fight.battle.combatants.get(reactor))
        self._note(f"answer: {reactor} {reaction} {options or ''}", "answer")
        self.fight.answer(Reply(reactor=reactor, reaction=reaction, options=options), command=self._id())

    # Corrections

    def _undo(self) -> None:
        kinds: dict[str, Callable[[], set[int]]] = {
            "last": lambda: undo.last(self.fight),
            "one": lambda: undo.one(self.fight, self._some_seq()),
            "turn": lambda: undo.turn(self.fight),
            "round": lambda: undo.round_(self.fight),
            "back to": lambda: undo.back_to(self.fight, self._some_seq(recent=True)),
        }
        kind = self.chance.choices(list(kinds), (5, 6, 1, 1, 1))[0]
        what = kinds[kind]()
        self._correct(
            f"undo {kind}: {sorted(what)}", lambda r: undo.plan_undo(self.fight, what, remedies=r, **self._by)
        )

    def _redo(self) -> None:
        self._correct("redo", lambda r: undo.plan_redo(self.fight, **self._by))

    def _amend(self) -> None:
        declared = self._some_declared()
        amendment = self._some_amendment(declared)
        said = f"amend {declared.seq}: {amendment.model_dump(exclude_defaults=True)}"
        self._correct(said, lambda r: plan_amend(self.fight, declared.seq, amendment, remedies=r, **self._by))

    def _some_amendment(self, declared: Declared) -> Amendment:
        group = self.fight.course.group(declared.seq)
        rolls = [event for event in group if isinstance(event, Rolled)]
        match self.chance.randrange(11):
            case 0 | 5 | 6 if rolls:
                roll = self.chance.choice(rolls)
                known = [one for one in self.fight.events if isinstance(one, Rolled) and one.notation == roll.notation]
                alike = [one for one in known if len(one.faces) == len(roll.faces)]
                return Amendment(faces={roll.seq: self.chance.choice(alike).faces})
            case 1:
                filled = self._filled(declared.action, self.fight.battle.combatants.get(declared.actor))
                return Amendment(options=filled.get("options", {}), targets=filled.get("targets"))
            case 2:
                return Amendment(targets=(self._anybody(),))
            case 3:
                return Amendment(defences=(ForgottenDefence(defence=self.chance.choice(list(Defence))),))
            case 4:
                return Amendment(drop=(self.chance.choice(WORDS),))
            case _:
                what = self.chance.choice(("advantage", "disadvantage", "+2", "-3", "1d4", "2d6", "+99"))
                modified = [one.chain for one in group if isinstance(one, ChainModified)]
                named = [one.chain for one in rolls if one.chain is not None]
                chain = self.chance.choice([*modified, *named, *named, "attack", "damage", "save", "damage_taken"])
                return Amendment(add=(Forgotten(what=what, source="Bless", chain=chain),))

    def _insert(self) -> None:
        declared = self._some_declared()
        first = before(self.fight, declared.seq) if self.chance.random() < 0.7 else after(self.fight, declared.seq)
        said = self._some_act()
        self._correct(
            f"insert before {first}: {said}",
            lambda r: plan_insert(self.fight, first, said, remedies=r, **self._by),
        )

    def _fork(self) -> None:
        self._forks += 1
        at = self._some_seq() if self.chance.random() < 0.5 else None
        self._note(f"fork at {at}", "fork")
        secret = self.chance.randbytes(32) if self.secret is not None else None
        now = self.fight.now()
        shared = self.fight.events
        forked = begin_fork(shared, at, f"wild {self._forks}", by="gm", command=self._id(), now=now, seed=secret)
        self.secret = secret
        self.fight = FightEngine([*shared[: forked.at], forked], seed=secret)

    def _correct(self, said: str, make: Callable[[Remedies], Plan]) -> None:
        self._note(said, said.split()[0])
        impossible = self.chance.choice((Impossible.DROP, Impossible.DROP, Impossible.KEEP, Impossible.STOP))
        self.fight.new_dice = self.chance.choice((NewDice.SHOWN, NewDice.SHOWN, NewDice.HIDDEN))
        unchanged = state_of(self.fight.battle)
        try:
            plan = passing(lambda remedies: make(Remedies(impossible, replies=remedies.replies)))
            if state_of(self.fight.battle) != unchanged:
                raise Broken(f"planning {said} left a trace")
            if plan.needs is not None:
                plan.require_decided()
                self.fight.new_dice = NewDice.ROLLED
                plan = passing(lambda remedies: make(Remedies(impossible, replies=remedies.replies)))
        finally:
            self.fight.new_dice = NewDice.SHOWN
        if state_of(self.fight.battle) != unchanged:
            raise Broken(f"planning {said} left a trace")
        plan.require_decided()
        was = {event.seq: event for event in self.fight.events}
        self.fight.take_in(plan.new)
        if difference := differing_parts(plan.after, self.fight.battle):
            raise Broken(f"{said}: the plan promised another state: {difference}")
        if not isinstance(plan.correction, Redone):
            self._check_dice_kept(plan, was)

    def _check_dice_kept(self, plan: Plan, was: dict[int, Event]) -> None:
        """Every roll that is made again keeps its faces, as far as its dice have them."""
        for entry in plan.entries:
            if entry.verdict not in (PlanVerdict.KEPT, PlanVerdict.CHANGED, PlanVerdict.AMENDED):
                continue
            if entry.replaced_by == entry.declared.seq:
                continue
            misread = getattr(plan.correction, "changes", {}).get("faces", {})
            old = _rolls(event for event in was.values() if event.declaration == entry.declared.seq)
            new = _rolls(event for event in plan.new if event.declaration == entry.replaced_by)
            for key, rolls in new.items():
                for one, other in zip(old.get(key, ()), rolls, strict=False):
                    together = min(len(one.faces), len(other.faces))
                    is_read_again = str(one.seq) in map(str, misread)
                    same_dice = one.notation.split("k")[0] == other.notation.split("k")[0]
                    if same_dice and not is_read_again and one.faces[:together] != other.faces[:together]:
                        raise Broken(f"roll {one.seq} ({key}) was {one.faces} and is {other.faces} as {other.seq}")

    # What everything is made of

    @property
    def _by(self) -> dict[str, Any]:
        return {"by": "gm", "reason": "chance", "command": self._id()}

    def _id(self) -> UUID:
        self._command += 1
        return UUID(int=self._command + (self._forks << 32))

    def _anybody(self) -> str:
        if self.chance.random() < 0.03:
            return self.chance.choice(("gm", "nobody"))
        return self.chance.choice([*self.fight.battle.combatants] or ["nobody"])

    def _somebody_for(self, actor: Combatant | None) -> str:
        """Mostly an enemy."""
        others = [one.id for one in self.fight.battle.present() if actor is None or one.side != actor.side]
        return self.chance.choice(others) if others and self.chance.random() < 0.75 else self._anybody()

    def _some_declared(self) -> Declared:
        declared = undo.declarations(self.fight)
        acts = [one for one in declared if not one.action.startswith("core:")]
        rolls = {event.declaration for event in standing(self.fight.events) if isinstance(event, Rolled)}
        rolling = [one for one in declared if one.seq in rolls]
        return self.chance.choice(self.chance.choice((rolling, rolling, acts, declared)) or declared)

    def _some_seq(self, recent: bool = False) -> int:
        last = self.fight.battle.seq
        if recent:
            return self.chance.randint(max(1, last - 30), last)
        return self.chance.choice([event.seq for event in standing(self.fight.events)])

    def _declare(self, actor: str, action: str, **more: Any) -> list[Event]:
        return self._say(Declaration(actor=actor, action=action, **more))

    def _say(self, said: Declaration) -> list[Event]:
        shown = {**said.options, "sheet": "..."} if "sheet" in said.options else said.options
        told = said.model_copy(update={"options": shown}).model_dump(exclude_defaults=True)
        self._note(" ".join(f"{value}" for value in told.values()), said.action)
        return self.fight.declare(said, command=self._id())

    def _note(self, words: str, kind: str) -> None:
        self.said.append(words)
        self.counts[kind] += 1

    # What must hold

    def check(self) -> None:
        """The state kept step by step is the fold of the events, in every part."""
        if difference := differing_parts(fold(self.fight.events), self.fight.battle):
            raise Broken(f"the state is not the fold of the events: {difference}")
        self._check_numbers()

    def check_all(self) -> None:
        """The fight verifies: each declaration resolves as it is recorded, and committed dice are as they must be."""
        for finding in (*check_declarations(self.fight.events),):
            raise Broken(f"verify: {finding.model_dump(exclude_none=True)}")
        for seq, problem in unfair(self.fight.events):
            raise Broken(f"verify: {seq}: {problem}")

    def _check_numbers(self) -> None:
        """No two rolls that count have the same number of committed dice."""
        rolls = [event for event in standing(self.fight.events) if isinstance(event, Rolled)]
        own = [one for one in rolls if one.encounter == self.fight.battle.id and one.contributions is None]
        numbers = [roll.drawn for roll in own if roll.drawn is not None]
        if len(numbers) != len(set(numbers)):
            raise Broken(f"a number is held twice: {numbers}")
        if any(roll.drawn is None and roll.faces for roll in own if roll.dice_source is FaceOrigin.COMMITTED):
            raise Broken("a committed roll has no number")

    def _read(self) -> None:
        """Pages and clients ask this after every command."""
        battle = self.fight.battle
        if not battle.clock.started and self.chance.random() < 0.5:
            return
        one = self.fight.battle.combatants.get(self._anybody())
        if one is None:
            return
        questions: list[Callable[[], object]] = [
            lambda: self.ruleset.menu(battle, one),
            lambda: self.ruleset.glance(battle, one),
            lambda: self.ruleset.to_act(battle),
        ]
        if self.chance.random() < 0.15:
            questions.append(lambda: self.ruleset.advise(battle, one))
        for ask in questions:
            with suppress(Problem):
                ask()


def _rolls(events: Any) -> dict[tuple[str, str], list[Rolled]]:
    found: dict[tuple[str, str], list[Rolled]] = {}
    for event in events:
        if isinstance(event, Rolled):
            found.setdefault((event.purpose, event.roller), []).append(event)
    return found


UNFOLDED = ("view", "_journal", "_noted")
"""What a battle holds besides its state."""


def state_of(battle: Battle) -> dict[str, Any]:
    """Every part of the state, with its order, without the rulesets' views of it."""
    return {name: _plain(value) for name, value in vars(battle).items() if name not in UNFOLDED}


def differing_parts(one: Battle, other: Battle) -> dict[str, Any]:
    left, right = state_of(one), state_of(other)
    return {name: (left.get(name), right.get(name)) for name in left if left.get(name) != right.get(name)}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return [(key, _plain(inner)) for key, inner in value.items()]
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    if isinstance(value, RollNumbers):  # the same numbers can be kept in several ways
        return value.copy()
    if isinstance(value, Event):
        return value.seq
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    if slots and type(value).__module__.startswith("projections."):
        return [(name, _plain(getattr(value, name, None))) for name in slots if name not in ("view", "sheet")]
    return value


def failure(ruleset: str, seed: int, commands: int = COMMANDS) -> tuple[WildFight | None, BaseException | None]:
    """Play one fight. What went wrong in it, if anything did."""
    fight = None
    try:
        fight = WildFight(ruleset, seed)
        fight.play(commands)
    except Exception as error:
        return fight, error
    return fight, None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ruleset", choices=RULESETS)
    parser.add_argument("--fights", type=int, default=100)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=60.0, help="begin no fight after so many")
    parser.add_argument("--commands", action="store_true", help="print what was said in the fights that fail")
    asked = parser.parse_args()
    found: Counter[str] = Counter()
    end, played = monotonic() + 60 * asked.minutes, 0
    for seed in range(asked.first, asked.first + asked.fights):
        if monotonic() > end:
            break
        played += 1
        fight, error = failure(asked.ruleset, seed)
        if error is None:
            continue
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = "" if isinstance(error, Broken) else f" at {os.path.relpath(frame.filename)}:{frame.lineno}"
        found[f"{type(error).__name__}{where}"] += 1
        print(f"{asked.ruleset} {seed}: {type(error).__name__}{where}: {str(error)[:400]}", flush=True)
        if asked.commands and fight is not None:
            print("\n".join(fight.said))
            traceback.print_exception(error)
    print(f"{played} fights, {found.total()} failed", dict(found))


if __name__ == "__main__":
    main()
