"""Lines as Avrae records them, after the description of the FIREBALL data set."""

from __future__ import annotations

import json
from typing import Any

FIGHT = "1669412158-d5e74f94"
NAME = f"FIREBALL {FIGHT}"
RURIK, SNIG = "id-of-rurik", "id-of-snig"
_SECONDS = iter(range(1_669_412_158, 10**10))


def line(kind: str, fight: str = FIGHT, **fields: Any) -> str:
    return json.dumps({"combat_id": fight, "event_type": kind, "timestamp": next(_SECONDS) + 0.25, **fields}) + "\n"


def said(content: str, author: str = "Player 1", message: int = 1, fight: str = FIGHT) -> str:
    about = {"message_id": message, "author_name": author, "author_bot": False}
    return line("message", fight, **about, content=content, embeds=[])


def bot(title: str | None = None, description: str = "", content: str = "", fight: str = FIGHT) -> str:
    embeds = [{"type": "rich", "title": title, "description": description}] if title else []
    return line("message", fight, message_id=2, author_name="Avrae", author_bot=True, content=content, embeds=embeds)


def rurik(effects: tuple[str, ...] = ()) -> dict[str, Any]:
    """A player's character, whose hit points are not in the data."""
    named = [{"name": name, "duration": 10} for name in effects]
    return {"name": "Rurik", "id": RURIK, "type": "player", "hp": None, "max_hp": None, "init": 15, "effects": named}


def snig(hp: int = 7, effects: tuple[str, ...] = (), temporary: int = 0) -> dict[str, Any]:
    named = [{"name": name, "duration": 10} for name in effects]
    health = {"hp": hp, "max_hp": 7, "temp_hp": temporary, "ac": 15}
    return {
        "name": "Snig",
        "id": SNIG,
        "type": "monster",
        "monster_name": "Goblin",
        "init": 12,
        "effects": named,
    } | health


def state(
    *combatants: dict[str, Any],
    round: int = 0,
    current: int | None = None,
    health: str = "12/12 HP",
    fight: str = FIGHT,
) -> str:
    """The summary has the hit points of Rurik."""
    summary = (
        f"```md\nCurrent initiative: 15 (round {round})\n====\n# 15: Rurik <{health}> (AC 16)\n  12: Snig <7/7 HP>```"
    )
    data = {"combatants": list(combatants), "round": round, "turn": 15, "current": current}
    return line("combat_state_update", fight, probable_interaction_id=1, data=data, human_readable=summary)


def run(
    caster: dict[str, Any], targets: list[Any], *results: dict[str, Any], spell: bool = False, fight: str = FIGHT
) -> str:
    root = {"type": "root", "children": list(results), "is_spell": spell}
    return line(
        "automation_run", fight, interaction_id=1, automation=[], automation_result=root, caster=caster, targets=targets
    )


def on(target: str | None, *results: dict[str, Any]) -> dict[str, Any]:
    iteration = {"type": "target_iteration", "target_type": "each", "is_simple": target is None, "target_id": target}
    return {"type": "target", "results": [{**iteration, "target_index": 0, "results": list(results)}]}


def attack(roll: str, total: int, hit: bool, *children: dict[str, Any], ac: int | None = 15) -> dict[str, Any]:
    about = {"type": "attack", "attack_bonus": 5, "ac": ac, "adv": 0, "did_crit": False}
    return {**about, "to_hit_roll": {"total": total, "result": roll}, "did_hit": hit, "children": list(children)}


def damage(roll: str, amount: int) -> dict[str, Any]:
    return {"type": "damage", "damage": amount, "damage_roll": {"total": amount, "result": roll}, "in_crit": None}


def save(roll: str, total: int, saved: bool, *children: dict[str, Any]) -> dict[str, Any]:
    about = {"type": "save", "dc": 11, "ability": "wisdomSave", "adv": 0, "did_save": saved}
    return {**about, "save_roll": {"total": total, "result": roll}, "children": list(children)}


def effect(name: str) -> dict[str, Any]:
    return {"type": "ieffect", "effect": {"name": name, "duration": 10}, "conc_conflict": []}


def fight_of(fight: str = FIGHT, natural: int = 15) -> str:
    """Rurik hits Snig for 6, Snig frightens Rurik, and combat ends."""
    hit = attack(
        f"1d20 ({natural}) + 5 = `{natural + 5}`", natural + 5, True, damage("1d8 (3) + 3 [slashing] = `6`", 6)
    )
    return "".join(
        (
            said("*The goblin jumps out of the reeds.*", "Player 0", fight=fight),
            line("combat_start", fight),
            state(rurik(), fight=fight),
            bot("Rurik makes an Initiative check!", "1d20 (13) + 2 = `15`", fight=fight),
            state(rurik(), snig(), fight=fight),
            bot(content="Snig was added to combat with initiative 1d20 (10) + 2 = `12`.", fight=fight),
            state(rurik(), snig(), round=1, current=0, fight=fight),
            said("!a longsword -t snig", fight=fight),
            run(rurik(), [snig(1)], on(SNIG, hit), fight=fight),
            state(rurik(), snig(1), round=1, current=0, fight=fight),
            bot("Rurik attacks with a Longsword!", fight=fight),
            line("command", fight, message_id=1, author_name="Player 1", content="!a longsword -t snig"),
            state(rurik(), snig(1), round=1, current=1, fight=fight),
            run(
                snig(1),
                [rurik()],
                on(RURIK, save("1d20 (**1**) - 1 = `0`", 0, False, effect("Frightened"))),
                fight=fight,
            ),
            state(rurik(("Frightened",)), snig(1), round=1, current=1, fight=fight),
            bot("Snig uses a Horrible Grin!", fight=fight),
            line("combat_end", fight),
            said("*And that was that.*", "Player 0", fight=fight),
        )
    )
