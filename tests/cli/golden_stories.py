"""The fights that the golden logs and replays tell, with given dice: one for each ruleset."""

from __future__ import annotations

from combatlog import Ledger, Undo

STORIES: dict[str, tuple[str, ...]] = {
    "log": ("log", "Mill at dusk"),
    "log-all": ("log", "Mill at dusk", "--all", "--last", "40"),
    "log-standing": ("log", "Mill at dusk", "--standing"),
    "log-declaration": ("log", "Mill at dusk", "74"),
    "log-action-points": ("log", "Two blades"),
    "log-skirmish": ("log", "Docking bay"),
    "replay-plain": ("replay", "Mill at dusk", "--plain"),
}


def play_stories(ledger: Ledger) -> None:
    _mill(ledger)
    _two_blades(ledger)
    _docking_bay(ledger)


def _mill(ledger: Ledger) -> None:
    """A blessing, a reaction, a fireball, a ruling, somebody who falls, and two corrections."""
    fight = ledger.new("Mill at dusk", dice="table")
    heroes = (("fighter", "Rurik", (3, 2)), ("paladin", "Sister Osric", (3, 3)), ("cleric", "Ilse", (2, 2)))
    for sheet, name, place in (*heroes, ("wizard", "Mira", (2, 3))):
        fight.join(sheet, name, place)
    for sheet, name, place in (("goblin", "Snig", (6, 2)), ("goblin", "Grub", (6, 3)), ("ogre", "Bonk", (8, 3))):
        fight.join(sheet, name, place, side="goblins")
    fight.start(dice=[14, 5, 20, 12, 16, 8, 9])
    fight.do("ilse", "bless", target=["rurik", "mira", "sister-osric"])
    bless = fight.backend.latest(1)[0].declaration
    fight.end_turn("ilse")
    fight.do("snig", "move", to=(4, 2))
    fight.do("snig", "attack")
    fight.do("snig", "strike", target="rurik", replies={"sister-osric": "protection"}, dice=[15, 8])
    fight.end_turn("snig")
    fight.do("rurik", "attack")
    fight.do("rurik", "strike", target="snig", dice=[3, 2])
    fight.end_turn("rurik")
    fight.do("mira", "fireball", to=(10, 3), dice=[5, 2, 5, 3, 1, 4, 3, 5, 4, 15])
    fight.end_turn("mira")
    fight.do("bonk", "move", to=(4, 3))
    fight.do("bonk", "attack")
    fight.do("bonk", "strike", target="rurik", dice=[17, 6, 5])
    fight.end_turn("bonk")
    fight.rule("bonk", set={"hp": 20}, reason="the water burns him")
    fight.apply(fight.plan(Undo(reason="it did not")))
    fight.apply(fight.plan(Undo(bless, reason="Ilse had been silenced")))
    fight.end_turn("sister-osric")
    fight.do("ilse", "move", to=(3, 1))


def _two_blades(ledger: Ledger) -> None:
    fight = ledger.new("Two blades", "action_points", dice="table")
    fight.join("duelist", "Ana")
    fight.join("brigand", "Bor", side="foes")
    fight.start()
    fight.do("ana", "attack", target="bor", replies={"bor": "passive"}, dice=[0, 0, -1, -1, 2, 3])
    fight.end_turn("ana")
    fight.do("bor", "attack", target="ana", replies={"ana": "dodge"}, dice=[0, 0, 0, 0, 1, 1, 1, 0, 4])
    fight.end_turn("bor")


def _docking_bay(ledger: Ledger) -> None:
    fight = ledger.new("Docking bay", "skirmish", dice="table", options={"hand": 1})
    for name, card in (("Rebels", "Inspiring Speech"), ("Empire", "Parry")):
        fight.join({"kind": "player", "name": name, "deck": [card]}, name, side=name.lower())
    for sheet, name, place, side in (
        ("field-captain", "Captain", (2, 2), "rebels"),
        ("scout", "Scout", (2, 3), "rebels"),
        ("officer", "Officer", (5, 2), "empire"),
    ):
        fight.join(sheet, name, place, side=side)
    fight.start(dice=[1])
    fight.do("captain", "activate")
    fight.do("captain", "move", to=(3, 2))
    fight.do("captain", "attack", target="officer", replies={"empire": "Parry"}, dice=["3/1/1", "1/1/1", "1/0"])
    fight.react("rebels", "damage 1")
    fight.react("rebels", "surge:focus")
    fight.end_turn("captain")
