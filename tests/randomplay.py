"""Fights at random: whatever is legal is declared, with seeded dice, and people answer at random."""

from __future__ import annotations

from random import Random

from ledger.errors import Problem
from rules import ruleset as rulesets
from rules.fight import Declaration, Fight, Opening, Reply

HEROES = (("fighter", "Rurik", (1, 1)), ("paladin", "Osric", (1, 2)))
FOES = (("goblin", "Snig", (3, 1)), ("goblin", "Grub", (3, 2)))


def random_fight(seed: int, steps: int, dice: str | None = None) -> Fight:
    """A fight of so many commands, the same for the same seed."""
    chance = Random(seed)
    fight = Fight.open(Opening(name=f"random {seed}", dice=dice or f"seed:{seed}"))
    sheets = rulesets.find("dnd5e")
    for side, members in (("heroes", HEROES), ("foes", FOES)):
        for sheet, name, place in members:
            options = {"sheet": sheets.sheet(sheet), "name": name, "position": place, "side": side}
            fight.declare(Declaration(actor="gm", action="core:time:join", options=options))
    fight.declare(Declaration(actor="gm", action="core:time:start"))
    for _ in range(steps):
        step(fight, chance)
    return fight


def step(fight: Fight, chance: Random) -> None:
    """One command that is legal; what is refused leaves no trace and something else is tried."""
    for _ in range(50):
        try:
            command(fight, chance)
        except Problem:
            continue
        return


def command(fight: Fight, chance: Random) -> None:
    window = fight.battle.window
    if window is not None and window.waiting is not None:
        reaction = chance.choice([*window.waiting.reactions, None])
        fight.react(Reply(reactor=window.waiting.reactor, reaction=reaction))
        return
    fight.declare(declaration(fight, chance))


def declaration(fight: Fight, chance: Random) -> Declaration:
    actor = fight.battle.clock.turn or "gm"
    names = list(fight.battle.combatants)
    match chance.randrange(8):
        case 0:
            return Declaration(actor="gm", action="core:time:end-turn")
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
