"""The fights that the golden screens show, with given dice: a large one for each ruleset, and small ones."""

from __future__ import annotations

from pathlib import Path

import combatlog
from combatlog import Ledger, RecordedFight
from tests.cli.golden_stories import STORIES, play_stories

FROST = Path(__file__).parents[2] / "docs" / "examples" / "frost"
HALL = "\n".join(["#" * 90, *["#" + "." * 88 + "#"] * 8, "#" * 90])

SCREENS: dict[str, tuple[str, ...]] = {
    "status-dnd5e": ("status", "Frozen hall"),
    "status-before-the-start": ("status", "Ambush"),
    "status-action-points": ("status", "Duel at dawn"),
    "status-skirmish": ("status", "Landing pad"),
    "actions-dnd5e": ("actions", "Frozen hall", "rurik"),
    "actions-dnd5e-caster": ("actions", "The crypt below the old chapel, second night", "mira"),
    "actions-action-points": ("actions", "Duel at dawn", "mira"),
    "actions-skirmish": ("actions", "Landing pad", "scout"),
    "list": ("list",),
    "economy": ("economy", "Frozen hall", "rurik"),
    "advise": ("advise", "Frozen hall", "rurik"),
    "advise-action-points": ("advise", "Duel at dawn", "mira"),
    "stats-hits": ("stats", "hits", "Mill at dusk"),
    "stats-damage-by-source": ("stats", "damage", "Mill at dusk", "--by", "source"),
    "stats-deaths": ("stats", "deaths", "Mill at dusk"),
    "stats-economy": ("stats", "economy", "Duel at dawn"),
    "stats-luck": ("stats", "luck", "Mill at dusk"),
    "report": ("report", "Mill at dusk"),
    **STORIES,
}


def play() -> None:
    with combatlog.open() as ledger:
        _duel(ledger)
        _landing_pad(ledger)
        _frozen_hall(ledger)
        _crypt(ledger)
        _ambush(ledger)
        play_stories(ledger)


def _frozen_hall(ledger: Ledger) -> None:
    """Fourteen combatants: it is Rurik's turn, and he has made the first of his two strikes."""
    fight = ledger.new("Frozen hall", dice="table", packs=[FROST], map=HALL)
    heroes = (("fighter", "Rurik"), ("paladin", "Osric"), ("cleric", "Ilse"), ("wizard", "Mira Amberlight"))
    for number, (sheet, name) in enumerate((*heroes, ("rogue", "Tam"), ("bard", "Lysander of the Green Vale"))):
        overrides = {"level": 5, "multiattack": 2} if name == "Rurik" else None
        fight.join(sheet, name, (3 + number, 3), overrides=overrides, reactions={"*": "never"})
    fight.join("young_frost_dragon", "Skadi", (80, 4), side="frost")
    for number in range(5):
        fight.join("goblin", f"Goblin {number + 1}", (3 + number, 4), side="goblins")
    fight.join("ogre", None, (12, 6), side="goblins")
    fight.join("wolf", None, (14, 7), side="goblins")
    fight.start(dice=[17, 20, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
    fight.do("osric", "dodge")
    fight.end_turn("osric")
    for subject, values, conditions in (
        ("osric", {"hp": 9}, ("poisoned",)),
        ("ilse", {"slot_1": 2, "slot_2": 0}, ("blessed", "concentrating")),
        ("skadi", {"hp": 61, "temp_hp": 7}, ()),
        ("lysander-of-the-green-vale", {"reaction": 0}, ("prone", "restrained")),
        ("goblin-1", {"hp": 3}, ("frightened",)),
        ("goblin-4", {"hp": 0}, ("dead", "prone")),
        ("goblin-5", {"hp": 0}, ("dead",)),
        ("tam", {"hp": 0}, ("unconscious", "prone", "dying")),
    ):
        fight.rule(subject, set=values, add=conditions, reason="to see how it looks")
    fight.leave("wolf", reason="ran away")
    fight.do("rurik", "attack")
    fight.do("rurik", "strike", target="goblin-1", dice=[2])


def _duel(ledger: Ledger) -> None:
    """It is Mira's turn, who has attacked once; Bran waits for what a hit has still to do to him."""
    fight = ledger.new("Duel at dawn", "action_points", dice="table")
    for sheet, name, place, side in (
        ("duelist", "Mira", (2, 2), "heroes"),
        ("hedge_mage", "Old Wen", (1, 2), "heroes"),
        ("brigand", "Bran", (3, 2), "foes"),
        ("archer", "Isolde", (9, 2), "foes"),
        ("guard", "Gatewarden", (4, 3), "foes"),
    ):
        fight.join(sheet, name, place, side=side, reactions={"*": "never"})
    fight.start()
    _go_on_to(fight, "mira")
    fight.do("mira", "attack", target="bran", dice=[1, 1, 0, 0, 4, 5, 6])
    fight.rule("gatewarden", set={"vit": 0}, add=["dead"], reason="to see how it looks")
    fight.rule("old-wen", set={"fat": 2}, add=["hampered"], reason="to see how it looks")


def _landing_pad(ledger: Ledger) -> None:
    """The scout has moved and has one action left."""
    fight = ledger.new("Landing pad", "skirmish", dice="seed:1")
    fight.join("rebel-player", "Rebels", side="rebels")
    fight.join("imperial-player", "Imperials", side="imperials")
    for sheet, name, place, side in (
        ("scout", "Scout", (2, 2), "rebels"),
        ("field-medic", "Medic", (2, 3), "rebels"),
        ("field-captain", "Captain", (1, 2), "rebels"),
        ("trooper", "Trooper", (5, 2), "imperials"),
        ("lancer", "Lancer", (5, 4), "imperials"),
        ("officer", "Officer", (6, 2), "imperials"),
    ):
        fight.join(sheet, name, place, side=side)
    fight.start()
    fight.do("scout", "activate")
    fight.do("scout", "move", to=(3, 2))
    fight.rule("trooper", set={"health": 0}, add=["defeated"], reason="to see how it looks")
    fight.rule("lancer", set={"surge_token": 1}, add=["bleeding"], reason="to see how it looks")


def _crypt(ledger: Ledger) -> None:
    """Mira's turn: Osric is next to her, and skeletons are near and far."""
    fight = ledger.new("The crypt below the old chapel, second night", dice="table", map="\n".join(["." * 30] * 8))
    fight.join("wizard", "Mira", (2, 2))
    fight.join("paladin", "Osric", (3, 2))
    for number, place in enumerate(((4, 2), (9, 4), (25, 6))):
        fight.join("skeleton", f"Skeleton {number + 1}", place, side="undead")
    fight.start(dice=[20, 3, 4, 5, 6])


def _ambush(ledger: Ledger) -> None:
    fight = ledger.new("Ambush", dice="table")
    fight.join("fighter", "Rurik")
    fight.join("goblin", "Snig", side="foes")


def _go_on_to(fight: RecordedFight, who: str) -> None:
    while (turn := fight.state().clock.turn) != who:
        assert turn is not None
        fight.end_turn(turn)
