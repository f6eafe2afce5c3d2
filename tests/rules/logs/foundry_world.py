"""Documents as Foundry VTT stores them with the system dnd5e, after its documentation and source."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

_IDS = count(1)
EVENING = 1_704_657_600_000  # 2024-01-07 20:00 UTC


def die(
    faces: int, *results: int | tuple[int, bool], number: int = 1, modifiers: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Results with False were rolled and do not count."""
    rolled = [result if isinstance(result, tuple) else (result, True) for result in results]
    found = [{"result": face, "active": active} for face, active in rolled]
    return {"class": "Die", "number": number, "faces": faces, "modifiers": list(modifiers), "results": found}


def plus(number: int, flavor: str | None = None) -> list[dict[str, Any]]:
    operator = {"class": "OperatorTerm", "operator": "+" if number >= 0 else "-"}
    return [operator, {"class": "NumericTerm", "number": abs(number), "options": {"flavor": flavor} if flavor else {}}]


def roll(total: int, *terms: Any, formula: str = "", **options: Any) -> str:
    """A roll is JSON within the JSON of its message."""
    return json.dumps(
        {"class": "D20Roll", "formula": formula, "terms": list(terms), "total": total, "options": options}
    )


def message(
    who: str | None, *rolls: Any, content: str = "", flavor: str = "", minutes: float = 0, **dnd5e: Any
) -> dict[str, Any]:
    return {
        "_id": f"message{next(_IDS):09}",
        "type": "base",
        "timestamp": EVENING + int(minutes * 60_000),
        "speaker": {"alias": who} if who else {},
        "author": "gamemaster",
        "flavor": flavor,
        "content": content,
        "rolls": list(rolls),
        "flags": {"dnd5e": dnd5e} if dnd5e else {},
    }


SNIG = {"name": "Snig", "uuid": "Scene.a.Token.b.Actor.c", "ac": 15}


def evening() -> list[dict[str, Any]]:
    attack = roll(20, die(20, 15), *plus(5), formula="1d20 + 5", advantageMode=0)
    damage = roll(9, die(8, 6), *plus(3, "strength"), formula="1d8 + 3", type="slashing")
    save = roll(7, die(20, (17, False), 7, number=2, modifiers=("kl",)), formula="2d20kl", target=12, advantageMode=-1)
    item = {"item": {"type": "weapon", "id": "x"}, "activity": {"type": "attack", "id": "y"}, "targets": [SNIG]}
    return [
        message("Rurik", content="<p>For the <b>king</b>!</p>", minutes=0),
        message("Rurik", content="card", flavor="Longsword", minutes=1, messageType="usage", **item),
        message("Rurik", attack, flavor="Longsword - Attack Roll", minutes=2, roll={"type": "attack"}, **item),
        message("Rurik", damage, flavor="Longsword - Damage Roll", minutes=3, roll={"type": "damage"}, **item),
        message("Snig", save, flavor="Wisdom Saving Throw", minutes=4, roll={"type": "save", "ability": "wis"}),
    ]


def combat() -> dict[str, Any]:
    fighters = [
        {"_id": "c1", "name": "Snig", "initiative": 12},
        {"_id": "c2", "name": "Rurik", "initiative": 15.02},
        {"_id": "c3", "name": "Late", "initiative": None},
    ]
    return {
        "_id": "combat0000000001",
        "round": 2,
        "turn": 1,
        "combatants": fighters,
        "_stats": {"createdTime": EVENING},
    }
