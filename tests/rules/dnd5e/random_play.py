"""Random play: fights between random combatants on random ground, with random declarations, dice and answers."""

from __future__ import annotations

import random
from typing import Any

from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import Declaration, Opening, Reply
from combatlog.rules.engine.grid.squares import grid_of
from combatlog.rules.engine.options_and_validation import Part, option_fields
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.ruleset import Enlistment, Recruit
from ledger.errors import Problem
from ledger.events import Event, Position
from projections.battle.combatant import Combatant

MAPS = (
    None,
    (".........", "..##.....", "..#..~~..", ".....~~..", "...#.....", ".#...#...", "........."),
    ("......", ".####.", "......", "~~~~~~", "......"),
)
HEROES = ("fighter", "dual_wielder", "paladin", "rogue", "monk", "barbarian", "wizard", "cleric", "bard", "warlock")
FOES = ("goblin", "hobgoblin", "orc", "wolf", "skeleton", "zombie", "ogre", "bandit_captain")
MORE_FEATURES = ("sentinel", "lucky", "uncanny_dodge", "pack_tactics", "dueling", "defense", "great_weapon_fighting")
CONDITIONS = tuple(
    f"{name}:3" if name == "exhaustion" else name
    for name in rulesets.find("dnd5e").condition_names()
    if name not in ("dead", "dying", "stable", "unconscious")
)
REMOVABLE = tuple(name.partition(":")[0] for name in CONDITIONS)
BREATH = {"archetype": "area", "range": 30, "shape": "cone", "size": 15, "damage": "3d6", "damage_type": "fire"}
LEGEND: dict[str, Any] = {
    "weapons": [
        {"name": "bite", "damage": "1d10+4", "damage_type": "piercing", "to_hit": 7, "reach": 10, "magical": True},
        {"name": "tail", "damage": "1d6+4", "damage_type": "bludgeoning", "to_hit": 7, "reach": 10},
    ],
    "multiattack": [{"bite": 1, "tail": 2}, {"roar": 1, "bite": 1}],
    "actions": [
        {**BREATH, "name": "breath", "save": "dex", "dc": 13, "uses": 1, "recharge": 5},
        {
            "name": "roar",
            "archetype": "affliction",
            "condition": "frightened",
            "save": "wis",
            "dc": 12,
            "range": 60,
            "targets": 9,
        },
    ],
    "nonmagical_resistances": ["slashing", "piercing"],
    "legendary_actions": 3,
    "legendary": ["tail", "roar", {**BREATH, "name": "wings", "cost": 2, "save": "dex", "dc": 13, "spares": "friends"}],
    "legendary_resistances": 1,
    "lair": ["roar", {**BREATH, "name": "magma", "range": 60, "shape": "sphere", "size": 5, "save": "dex", "dc": 13}],
    "innate": [{"spell": "misty_step", "uses": 1}, {"spell": "fire_bolt"}],
    "innate_ability": "cha",
}
POLICIES = ("ask", "always", "never", "when useful")


class RandomFight:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        options: dict[str, Any] = {"diagonals": "5-10-5"} if self.random.random() < 0.3 else {}
        opening = Opening(name="random", dice=f"seed:{seed}", map=self.random.choice(MAPS), options=options)
        self.fight = FightEngine.open(opening)
        self.rules = self.fight.ruleset
        self.actions = sorted(self.rules.action_refs())
        for side, sheets in (("heroes", HEROES), ("foes", FOES)):
            for number in range(self.random.randint(1, 3)):
                self._join(side, self.random.choice(sheets), f"{side}-{number}")
        self._declare("gm", "core:time:start")

    def command(self) -> list[Event]:
        """One command: an answer if one is waited for, else the end of the turn, a ruling, or some action."""
        window = self.fight.battle.window
        if window is not None and window.waiting is not None:
            offer = window.waiting
            reaction = self.random.choice([None, *offer.reactions])
            return self.fight.answer(Reply(reactor=offer.reactor, reaction=reaction))
        for _ in range(4):
            events = self._try(self._some_declaration())
            if events:
                return events
        return self._try(self._end_of_turn())

    def _some_declaration(self) -> dict[str, Any]:
        chance = self.random.random()
        if chance < 0.1:
            return self._end_of_turn()
        if chance < 0.14:
            return self._ruling()
        return self._some_action()

    def _end_of_turn(self) -> dict[str, Any]:
        return {"actor": self.fight.battle.clock.turn or "gm", "action": "core:time:end-turn"}

    def _ruling(self) -> dict[str, Any]:
        subject = self.fight.battle.combatants[self._somebody()]
        held = [condition.name for condition in subject.conditions.values() if condition.name in REMOVABLE]
        options: dict[str, Any] = {"remove": held} if held else {"add": [self.random.choice(CONDITIONS)]}
        options["reason"] = "chance"
        return {"actor": "gm", "action": "core:ruling:rule", "targets": (subject.id,), "options": options}

    def _some_action(self) -> dict[str, Any]:
        actor = self.fight.battle.combatants[self.fight.battle.clock.turn or self._somebody()]
        enemies = [other.id for other in self.fight.battle.present() if other.side != actor.side]
        enemy = self.random.choice(enemies)
        weapons = [weapon["name"] for weapon in actor.sheet.get("weapons", ())]
        targets = [enemy if self.random.random() < 0.7 else self._somebody()]
        targets += [self._somebody() for _ in range(self.random.choice((0, 0, 0, 1, 2)))]
        said = {
            "targets": tuple(targets),
            "destination": self._place_near(self.fight.battle.combatants[enemy].position),
            "weapon": self.random.choice([None, None, *weapons]),
            "options": self._some_options(),
        }
        action = self._some_action_of(actor)
        return {"actor": actor.id, "action": action, **self._as_taken(actor, action, said)}

    def _as_taken(self, actor: Combatant, action: str, said: dict[str, Any]) -> dict[str, Any]:
        """Only what the action takes: anything else would be refused."""
        ref = self.rules.action_refs(actor).get(action)
        signature = self.rules.signature(ref, actor) if ref is not None else None
        if signature is None:
            return said
        known = option_fields(signature.options)
        options = {name: value for name, value in said["options"].items() if name in known}
        taken = {"targets": Part.TARGET, "destination": Part.DESTINATION, "weapon": Part.WEAPON}
        parts = {name: said[name] for name, part in taken.items() if part in signature.parts}
        if action == "ready":
            parts.pop("destination" if options["action"] == "strike" else "weapon")
        return {**parts, "options": options}

    def _some_action_of(self, actor: Combatant) -> str:
        """Mostly what its menu says it can do; now and then anything."""
        if self.random.random() < 0.1:
            return self.random.choice(self.actions)
        combat, features, now, _, spells = self.rules.menu(self.fight.battle, actor)
        sections = [section.choices for section in (combat, features, now, spells)]
        names = [choice.name for choices in sections for choice in choices if choice.why_not is None]
        open_to = [name for name in names if name != "drop_prone" or self.random.random() < 0.1]
        strikes = [name for name in open_to if "strike" in name or "_attack" in name]
        return self.random.choice(strikes if strikes and self.random.random() < 0.5 else open_to or self.actions)

    def _some_options(self) -> dict[str, Any]:
        options: dict[str, Any] = {
            "trigger": self.random.choice(["approaches", "attacks", "casts"]),
            "action": self.random.choice(["strike", "move"]),
            "as": self.random.choice(["dash", "disengage", "hide"]),
        }
        if self.random.random() < 0.3:
            options["slot"] = self.random.randint(1, 3)
        return options

    def _somebody(self) -> str:
        return self.random.choice(list(self.fight.battle.combatants))

    def _place_near(self, place: tuple[int, int] | None) -> tuple[int, int]:
        x, y = place or (0, 0)
        return (max(0, x + self.random.randint(-2, 2)), max(0, y + self.random.randint(-2, 2)))

    def _join(self, side: str, sheet: str, name: str) -> None:
        data = self.rules.sheet(sheet)
        more = [feature for feature in self.random.sample(MORE_FEATURES, 2) if feature not in data.get("features", ())]
        legend = LEGEND if side == "foes" and self.random.random() < 0.2 else {}
        grid, recruit = grid_of(self.fight.battle.map), self.rules.recruit(Enlistment(sheet=data))
        squares = [(x, y) for y in range(min(7, grid.height)) for x in range(min(7, grid.width))]
        free = [place for place in squares if self._has_room(place, recruit)]
        if not free:  # an ogre finds no room between three heroes on a small map
            return
        options = {
            "sheet": data,
            "name": name,
            "side": side,
            "position": list(self.random.choice(free)),
            "overrides": {"features": [*data.get("features", ()), *more], **legend},
            "policies": {"*": self.random.choice(POLICIES)},
        }
        self._declare("gm", "core:time:join", options=options)

    def _has_room(self, place: Position, recruit: Recruit) -> bool:
        try:
            self.rules.place(self.fight.battle, place, recruit)
        except Problem:
            return False
        return True

    def _declare(self, actor: str, action: str, **more: Any) -> list[Event]:
        return self.fight.declare(Declaration(actor=actor, action=action, **more))

    def _try(self, declaration: dict[str, Any]) -> list[Event]:
        try:
            return self._declare(**declaration)
        except Problem:
            return []
