"""Fights at random: whatever is legal is declared, with seeded dice, and people answer at random."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random

from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import Declaration, Opening, Reply
from combatlog.rules.engine.corrections.amend import Amendment, Forgotten, ForgottenDefence, plan_amend
from combatlog.rules.engine.corrections.insert import before, plan_insert
from combatlog.rules.engine.corrections.plan import Plan
from combatlog.rules.engine.corrections.rebase import Impossible, Remedies
from combatlog.rules.engine.corrections.undo import plan_undo
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.ruleset_types import Defence
from ledger.errors import Problem
from ledger.events import Declared, Rolled
from projections.battle.timeline import standing

HEROES = (("fighter", "Rurik", (1, 1)), ("paladin", "Osric", (1, 2)))
FOES = (("goblin", "Snig", (3, 1)), ("goblin", "Grub", (3, 2)))


def plan_undo_passing(fight: FightEngine, what: set[int]) -> Plan:
    """What an undo would mean, with windows that were not there before passed and what is impossible dropped."""
    return passing(lambda remedies: plan_undo(fight, what, by="gm", reason="property", remedies=remedies))


def plan_insert_passing(fight: FightEngine, chance: Random) -> Plan | None:
    """What it would mean if somebody had declared something more at some point, if anything was legal there."""
    declared = [event for event in standing(fight.events) if isinstance(event, Declared)]
    for _ in range(50):
        first = chance.choice(declared[5:] or declared[-1:])
        said = declaration(fight, chance, first.turn or "gm")
        with suppress(Refusal):
            return passing(
                lambda remedies, first=first, said=said: plan_insert(  # type: ignore[misc]
                    fight, before(fight, first.seq), said, by="gm", reason="property", remedies=remedies
                )
            )
    return None


FORGOTTEN = (
    Amendment(add=(Forgotten(what="advantage", source="Bless"),)),
    Amendment(add=(Forgotten(what="1d4", source="Bless"),)),
    Amendment(add=(Forgotten(what="1d6", source="Hex", chain="damage"),)),
    *(Amendment(defences=(ForgottenDefence(defence=defence),)) for defence in Defence),
)


def plan_amend_passing(fight: FightEngine, chance: Random) -> Plan | None:
    """What it would mean if something had been forgotten in some strike, if that could have counted in it."""
    declared = [event for event in standing(fight.events) if isinstance(event, Declared)]
    strikes = [event for event in declared if event.action.endswith("strike")]
    for _ in range(10 if strikes else 0):
        seq, amendment = chance.choice(strikes).seq, chance.choice(FORGOTTEN)
        with suppress(Refusal):
            return passing(
                lambda remedies, seq=seq, amendment=amendment: plan_amend(  # type: ignore[misc]
                    fight, seq, amendment, by="gm", reason="property", remedies=remedies
                )
            )
    return None


def passing(make: Callable[[Remedies], Plan]) -> Plan:
    """A correction with windows that were not there before passed and what is impossible dropped."""
    replies: dict[int, list[Reply]] = {}
    for _ in range(200):
        try:
            return make(Remedies(Impossible.DROP, replies=replies))
        except Problem as problem:
            if problem.code != "correction/needs-answer":
                raise
            seq, reactor = problem.facts["declaration"], problem.facts["who"]
            replies.setdefault(seq, []).append(Reply(reactor=reactor, reaction=None))
    raise AssertionError("it never stops asking")


def correct_at_random(fight: FightEngine, chance: Random, since: int) -> Plan | None:
    """Take back or amend some declaration after an event, in the middle of others. None: there is nothing to do."""
    declared = [event for event in standing(fight.events) if isinstance(event, Declared) and event.seq > since]
    if not declared:
        return None
    rolls = [event for event in standing(fight.events) if isinstance(event, Rolled) and event.declaration > since]
    if rolls and chance.random() < 0.5 and (misread := _misread(chance.choice(rolls), rolls, chance)) is not None:
        seq, amendment = misread
        plan = passing(lambda remedies: plan_amend(fight, seq, amendment, by="gm", reason="misread", remedies=remedies))
    else:
        plan = plan_undo_passing(fight, {chance.choice(declared).seq})
    fight.take_in(plan.new)
    return plan


def _misread(roll: Rolled, rolls: list[Rolled], chance: Random) -> tuple[int, Amendment] | None:
    """Another roll of the same dice shows faces that this one could have shown, too."""
    others = [one.faces for one in rolls if one.notation == roll.notation and one.faces != roll.faces]
    alike = [faces for faces in others if len(faces) == len(roll.faces)]
    return (roll.declaration, Amendment(faces={roll.seq: chance.choice(alike)})) if alike else None


def random_fight(seed: int, steps: int, dice: str | None = None) -> FightEngine:
    """A fight of so many commands, the same for the same seed."""
    chance = Random(seed)
    fight = FightEngine.open(Opening(name=f"random {seed}", dice=dice or f"seed:{seed}"))
    sheets = rulesets.find("dnd5e")
    for side, members in (("heroes", HEROES), ("foes", FOES)):
        for sheet, name, place in members:
            options = {"sheet": sheets.sheet(sheet), "name": name, "position": place, "side": side}
            fight.declare(Declaration(actor="gm", action="core:time:join", options=options))
    fight.declare(Declaration(actor="gm", action="core:time:start"))
    for _ in range(steps):
        step(fight, chance)
    return fight


def step(fight: FightEngine, chance: Random) -> None:
    """One command that is legal; what is refused leaves no trace and something else is tried."""
    for _ in range(50):
        try:
            command(fight, chance)
        except Problem:
            continue
        return


def command(fight: FightEngine, chance: Random) -> None:
    window = fight.battle.window
    if window is not None and window.waiting is not None:
        reaction = chance.choice([*window.waiting.reactions, None])
        fight.answer(Reply(reactor=window.waiting.reactor, reaction=reaction))
        return
    fight.declare(declaration(fight, chance))


def declaration(fight: FightEngine, chance: Random, actor: str | None = None) -> Declaration:
    actor = actor or fight.battle.clock.turn or "gm"
    names = list(fight.battle.combatants)
    match chance.randrange(8):
        case 0:
            return Declaration(actor=actor, action="core:time:end-turn")
        case 1:
            note = {"note": f"note {chance.randrange(100)}", "reason": "random"}
            return Declaration(actor="gm", action="core:ruling:rule", options=note)
        case 2:
            options = {"set": {"hp": chance.randrange(1, 7)}, "reason": "random"}
            return Declaration(actor="gm", action="core:ruling:rule", targets=(chance.choice(names),), options=options)
        case 3:
            place = (chance.randrange(6), chance.randrange(6))
            return Declaration(actor=actor, action="move", destination=place)
        case 4:
            return Declaration(actor=actor, action=chance.choice(["dash", "dodge"]))
        case 5 | 6:
            return Declaration(actor=actor, action="strike", targets=(chance.choice(names),))
        case _:
            return Declaration(actor=actor, action="attack")
