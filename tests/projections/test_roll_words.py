"""Rolls that are needed, in words: who, which dice, and what for."""

from __future__ import annotations

from typing import Any

from ledger.events import RollMode
from projections.story.rolls_needed import RollNeeded, merged, missing_in_words, roll_in_words
from tests.cases import each

NAMES = {"mira": "Mira", "snig": "Snig", "fang": "Fang"}
STRIKE = "dnd5e:action:strike"
END_TURN = "core:time:end-turn"
DYING, HELD = "dnd5e:condition:dying", "dnd5e:spell:hold_person"


def roll(roller: str, purpose: str, notation: str, **facts: Any) -> RollNeeded:
    return RollNeeded.model_validate(
        {"actor": roller, "action": STRIKE, "dice": ("d20",), "roller": roller, "purpose": purpose}
        | {"notation": notation}
        | facts
    )


@each(
    ("needed", "words"),
    [
        (
            roll(
                "mira", "dex save", "1d20", modifier=2, save="dex", against=12, source="dnd5e:action:net", actor="snig"
            ),
            "Mira: d20+2, Dexterity save against Snig's net (DC 12)",
        ),
        (
            roll("fang", "attack", "1d20", modifier=4, target="mira", weapon="bite", reaction="x:y:opportunity_attack"),
            "Fang: d20+4, opportunity attack on Mira",
        ),
        (
            roll(
                "mira",
                "concentration save",
                "1d20",
                modifier=-1,
                save="con",
                against=10,
                source="dnd5e:condition:concentrating",
            ),
            "Mira: d20−1, concentration save (DC 10)",
        ),
        (
            roll("mira", "con save to end poisoned", "1d20", save="con", against=13, source="dnd5e:action:bite"),
            "Mira: d20, Constitution save to end poisoned (DC 13)",
        ),
        (
            roll("mira", "death save", "1d20", save="death", against=10, source=DYING, actor="snig", action=END_TURN),
            "Mira: d20, death save (DC 10)",
        ),
        (
            roll("mira", "wis save", "1d20", save="wis", against=13, source=HELD, actor="snig", action=END_TURN),
            "Mira: d20, Wisdom save against hold person (DC 13)",
        ),
        (
            roll("mira", "wis save", "1d20", save="wis", against=13, source="x:spell:daze", actor="snig"),
            "Mira: d20, wis save against Snig's daze (against 13)",
        ),
        (
            roll("snig", "stealth check", "2d20kh1", modifier=6, mode=RollMode.ADVANTAGE, against=11),
            "Snig: 2d20+6 with advantage, stealth check (against 11)",
        ),
        (roll("mira", "damage", "1d8+1d6+1d8", modifier=3, target="snig"), "Mira: 2d8+d6+3, damage to Snig"),
        (roll("mira", "healing", "1d8", action="x:spell:cure_wounds"), "Mira: d8, cure wounds healing"),
        (roll("snig", "attack", "4dF+", modifier=3, target="mira"), "Snig: 4dF+ +3, attack on Mira"),
        (roll("nobody-known", "initiative", "red+blue"), "Nobody-known: red+blue, initiative"),
    ],
)
def test_who_what_and_what_for(needed: RollNeeded, words: str) -> None:
    assert roll_in_words(needed, NAMES) == words


def test_one_sentence_for_all() -> None:
    one = roll("snig", "attack", "1d20", modifier=4, target="mira")
    other = roll("snig", "damage", "1d6", target="mira", certain=False)
    assert missing_in_words([one], NAMES) == "A roll is missing: Snig: d20+4, attack on Mira."
    assert missing_in_words([one, other], NAMES) == (
        "Rolls are missing: Snig: d20+4, attack on Mira; Snig: d6, damage to Mira, if it comes to that."
    )


def test_courses_are_merged_in_order_and_what_all_need_is_certain() -> None:
    attack, damage, more = (
        roll("snig", purpose, dice) for purpose, dice in (("a", "1d20"), ("d", "1d6"), ("d", "2d6"))
    )
    last = roll("mira", "save", "1d20")
    found = merged([[attack, last], [attack, damage, last], [attack, more, last], [attack, damage, damage, last]])
    assert [(needed.key, needed.certain) for needed in found] == [
        (attack.key, True),
        (damage.key, False),
        (more.key, False),
        (damage.key, False),
        (last.key, True),
    ]
