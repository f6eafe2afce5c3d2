"""How a declaration begins its sentence, by what kind of action it is."""

from __future__ import annotations

from collections.abc import Callable

from ledger.events import Declared, Moved, Rolled
from projections.phrases import a, name_of, place
from projections.story.attacks import Attack, verb_of, with_weapon
from projections.story.clauses import WAYS_TO_MOVE
from projections.story.scene import Clause, Scene
from projections.text import and_list, short

Opening = Callable[[Declared, Scene], Clause | None]


def opening_of(scene: Scene) -> Clause | None:
    """The declaration itself. None: what followed from it says everything."""
    declared = scene.declared
    if declared is None:
        return Clause(None, scene.words(scene.root))
    if declared.action in _SILENT:
        return None
    own = next((e for e in scene.attacks if e.attacker == declared.actor), None)
    if own is not None and short(declared.action) in _ATTACKS:
        return _attack(declared, own, scene)
    kind = declared.action.split(":")[1]
    named = None if kind in _UNNAMED else _BY_NAME.get(short(declared.action))
    opening = named or _BY_TYPE.get(kind)
    return opening(declared, scene) if opening is not None else Clause(None, scene.words(declared))


_SILENT = {
    "core:time:join",
    "core:time:end-turn",
    "core:time:leave",
    "core:time:close",
    "core:time:label",
    "core:time:reveal",
    "core:time:conceal",
    "core:reaction:policies",
    "core:ruling:rule",
    "core:ruling:uphold",
    "skirmish:action:activate",
    "recorded:source:said",
    "recorded:source:unread",
    "recorded:source:state",
    "recorded:source:end",
    "recorded:source:joins",
}
_ATTACKS = {
    "attack": None,
    "melee attack": None,
    "ranged attack": None,
    "strike": "strikes",
    "off hand strike": "strikes",
    "flurry strike": "strikes",
}
"""Ways to attack, each with a verb of its own if it has one."""


def _attack(declared: Declared, own: Attack, scene: Scene) -> Clause:
    verb = verb_of(own, scene)
    if verb == "attacks":
        verb = _ATTACKS[short(declared.action)] or verb
    return Clause(declared.actor, verb, f"{_names(declared.targets, scene)}{with_weapon(own.weapon)}")


def _names(combatants: tuple[str, ...], scene: Scene) -> str:
    return and_list([scene.name(combatant) for combatant in combatants])


def _at(declared: Declared, scene: Scene) -> str:
    """Whom or what it is aimed at, with a space before it."""
    on = f" on {_names(declared.targets, scene)}" if declared.targets else ""
    has_moved = any(step.mover == declared.actor for step in scene.all_of(Moved))
    return on + (f" at {place(declared.destination)}" if declared.destination and not has_moved else "")


def _move(declared: Declared, scene: Scene) -> Clause | None:
    steps = [step for step in scene.all_of(Moved) if step.mover == declared.actor and not step.forced]
    if not steps or declared.destination is None:
        return Clause(None, scene.words(declared))
    reached = steps[-1].to
    aim = "" if reached == declared.destination else f" on the way to {place(declared.destination)}"
    return Clause(declared.actor, WAYS_TO_MOVE[short(declared.action)], f"to {place(reached)}{aim}")


def _cast(declared: Declared, scene: Scene) -> Clause:
    spell = declared.options.get("spell") or short(declared.action)
    return Clause(declared.actor, "casts", f"{name_of(str(spell))}{_at(declared, scene)}")


def _use(declared: Declared, scene: Scene) -> Clause:
    return Clause(declared.actor, "uses", f"{short(declared.action)}{_at(declared, scene)}")


def _roll(declared: Declared, scene: Scene) -> Clause:
    totals = and_list([str(roll.total) for roll in scene.all_of(Rolled)])
    return Clause(declared.actor, "rolls", f"{totals} for {short(declared.action)}")


def _use_item(declared: Declared, scene: Scene) -> Clause:
    return Clause(declared.actor, "uses", f"{a(name_of(str(declared.options.get('item'))))}{_at(declared, scene)}")


def _play(declared: Declared, scene: Scene) -> Clause:
    return Clause(declared.actor, "plays", f"{declared.options.get('card')}{_at(declared, scene)}")


def _does(verb: str) -> Opening:
    def does(declared: Declared, scene: Scene) -> Clause:
        return Clause(declared.actor, verb, _names(declared.targets, scene))

    return does


def _starts(declared: Declared, scene: Scene) -> Clause:
    return Clause(None, "The fight starts")


_BY_NAME: dict[str, Opening] = {
    "start": _starts,
    "attack": _does("takes the attack action"),
    "dash": _does("dashes"),
    "disengage": _does("disengages"),
    "dodge": _does("dodges"),
    "help": _does("helps"),
    "hide": _does("tries to hide"),
    "escape": _does("tries to escape"),
    "ready": _does("readies an action"),
    "stand up": _does("stands up"),
    "drop prone": _does("drops prone"),
    "defend": _does("defends"),
    "rest": _does("rests"),
    "knockback": _does("tries to knock back"),
    "disarm": _does("tries to disarm"),
    "rearm": _does("picks up the weapon"),
    "shake off": _does("shakes it off"),
    "cast": _cast,
    "use item": _use_item,
    "play": _play,
    **dict.fromkeys(WAYS_TO_MOVE, _move),
}
"""By the name of the action, whatever the ruleset."""


def _aside(declared: Declared, scene: Scene) -> Clause:
    """A note, or a roll that the rules do not ask for, with what came up."""
    totals = and_list([str(roll.total) for roll in scene.all_of(Rolled)])
    return Clause(None, scene.words(declared) + (f": {totals}" if totals else ""))


_BY_TYPE: dict[str, Opening] = {"spell": _cast, "feature": _use, "roll": _roll, "note": _aside}
"""By the type of the action, for the many that have no line of their own."""

_UNNAMED = {"roll", "note"}
"""Types whose names are any words of a log, and say nothing about what is done."""
