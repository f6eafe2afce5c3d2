"""How the outcome of an attack is told."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.events import AttackResolved
from projections.phrases import a, name_of
from projections.story.scene import Clause, Scene
from projections.views.seen import SeenAttack
from projections.views.words import SOMEBODY, numbers_of

_AGAINST = {"dnd5e": "{total} against AC {against}", "skirmish": "accuracy {total} at distance {against}"}
"""What the two numbers of an attack are, by ruleset; for others the numbers stand alone."""


Attack = AttackResolved | SeenAttack


def attack(e: Attack, scene: Scene) -> Iterator[Clause]:
    declared = scene.declared
    if e.attacker is None:
        yield Clause(None, f"{SOMEBODY} attacks {scene.name(e.target)} ({_outcome(e, scene)})")
    elif declared is None or e.attacker != declared.actor:
        yield Clause(
            e.attacker, verb_of(e, scene), f"{scene.name(e.target)}{with_weapon(e.weapon)} ({_outcome(e, scene)})"
        )
    elif declared.targets == (e.target,):
        yield Clause(None, _outcome(e, scene))
    else:
        numbers = _numbers(e, scene)
        yield Clause(e.target, "is", ("hit" if e.hit else "missed") + (f" ({numbers})" if numbers else ""))


def verb_of(e: Attack, scene: Scene) -> str:
    return "shoots" if e.weapon and e.attacker and scene.cast.shoots_with(e.attacker, e.weapon) else "attacks"


def with_weapon(weapon: str | None) -> str:
    return f" with {a(name_of(weapon))}" if weapon else ""


def _outcome(e: Attack, scene: Scene) -> str:
    how = "critical hit" if e.critical else "hit" if e.hit else "miss"
    return ", ".join(part for part in (_numbers(e, scene), how) if part)


def _numbers(e: Attack, scene: Scene) -> str:
    if isinstance(e, SeenAttack):
        return numbers_of(e)
    if scene.cast.ruleset == "skirmish" and not e.against:
        return ""  # an attack at close quarters needs no accuracy
    wording = _AGAINST.get(scene.cast.ruleset, "{total} against {against}")
    return wording.format(total=e.total, against=e.against)
