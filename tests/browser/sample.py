"""A fight that has everything a page shows: areas, reactions, cover, a large creature, somebody hidden, corrections."""

from __future__ import annotations

import combatlog
from combatlog import Undo
from ledger.events import AttackResolved, Declared
from projections.battle.timeline import standing

NAME = "Bridge ambush"
MAP = (
    "....................",
    "..~~......##........",
    "..~~......##........",
    "..............w.....",
    "......#......ww.....",
    "......+......ww.....",
    "......#.....ww......",
    "..............w.....",
    "....~~......##......",
    "....~~......##......",
    "....................",
    "....................",
)
HEROES = (("fighter_3", "Rurik", (3, 4)), ("paladin_3", "Osric", (3, 6)), ("wizard_3", "Mirel", (1, 5)))
FOES = (
    ("goblin", "Snig", (9, 4)),
    ("goblin", "Grub", (9, 6)),
    ("hobgoblin", "Kazra", (11, 7)),
    ("ogre", "Mog", (10, 4)),
)
HIDDEN = "Yip"
ROUNDS = 1


def play(ledger: combatlog.Ledger, name: str = NAME) -> combatlog.RecordedFight:
    fight = ledger.new(name, dice="seed:11", map=MAP)
    for sheet, called, place in HEROES:
        fight.join(sheet, called, place)
    for sheet, called, place in FOES:
        fight.join(sheet, called, place, side="foes", overrides={"hp": 30})
    fight.join("goblin", HIDDEN, (17, 9), side="foes", hidden=True)
    fight.start()
    for _ in fight.auto(rounds=1):
        pass
    fight.apply(fight.plan(Undo(last_attack(fight), reason="it was out of range", impossible="drop")))
    fight.reveal(HIDDEN)
    for _ in fight.auto(rounds=ROUNDS):
        pass
    fight.apply(fight.plan(Undo(last_attack(fight), reason="the shield was forgotten", impossible="drop")))
    fight.hurt("Grub", 100)  # whatever the dice say, somebody falls
    return fight


def last_attack(fight: combatlog.RecordedFight) -> int:
    """The declaration of the last attack that stands."""
    return [event for event in standing(fight.history()) if isinstance(event, AttackResolved)][-1].declaration


def first_taken_back(fight: combatlog.RecordedFight) -> int:
    """A declaration that was taken back."""
    kept = {event.seq for event in standing(fight.history())}
    return next(event.seq for event in fight.history() if isinstance(event, Declared) and event.seq not in kept)
