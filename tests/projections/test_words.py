"""Every kind of event is one plain sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ledger.events import Change, ChangeOp, Event, Until
from ledger.registry import KINDS, decode, stored_name
from projections.story.event_words import WORDS, in_words
from projections.story.phrases import change_in_words, counted, effect_on, or_list, until_in_words, verb
from tests.cases import each

SAMPLES = Path(__file__).parent.parent / "samples"


def sample(kind: str, **differing: Any) -> Event:
    """The recorded sample of a kind, with some fields changed."""
    version = KINDS[kind].class_version
    event = decode(stored_name(kind, version), (SAMPLES / f"{kind}.{version}.json").read_bytes())
    return type(event).model_validate(event.model_dump() | differing)


def test_every_kind_has_words() -> None:
    assert set(WORDS) == set(KINDS.values())


@each("kind", KINDS)
def test_a_sample_of_every_kind_is_a_sentence(kind: str) -> None:
    sentence = in_words(sample(kind))
    assert sentence.isprintable()
    assert sentence[0].isupper() or sentence[0] == "“"
    assert "None" not in sentence
    assert "<" not in sentence
    assert len(sentence) > 10


@each(
    ("kind", "differing", "sentence"),
    [
        ("encounter_opened", {}, "“Bridge ambush” opens under dnd5e 1, with dice rolled at the table"),
        ("encounter_opened", {"dice": "seed:7"}, "“Bridge ambush” opens under dnd5e 1, with dice from seed 7"),
        (
            "encounter_opened",
            {"dice": "random", "options": {"packs": [{"name": "frost"}]}},
            "“Bridge ambush” opens under dnd5e 1, with random dice and the pack frost",
        ),
        ("combatant_joined", {}, "Osric joins the heroes at 3,3 with 20 hp"),
        ("combatant_left", {}, "Grub leaves the fight (fled into the reeds)"),
        ("turn_started", {}, "Snig's turn begins"),
        ("encounter_labelled", {}, "The fight is labelled practice and riverlands (only the new players)"),
        ("encounter_labelled", {"labels": (), "why": None}, "The fight has no labels any more"),
        ("encounter_closed", {}, "The fight is over (the goblins fled)"),
        (
            "declared",
            {"options": {"slot": 2, "reckless": True, "careful": False, "route": ["a", "b"]}},
            "Snig declares strike on Rurik with a scimitar to 4,2 (slot 2, reckless, not careful, route a and b)",
        ),
        (
            "declared",
            {"actor": "gm", "action": "core:time:start", "targets": (), "weapon": None, "destination": None},
            "The GM starts the fight",
        ),
        (
            "chain_modified",
            {},
            "Osric's protection imposes disadvantage on the attack (Protection fighting style reaction)",
        ),
        (
            "rolled",
            {},
            "Snig rolls 2d20kl1 for attack: 15 and 8, keeps 8 (disadvantage) +2 dex +2 proficiency = 12",
        ),
        (
            "rolled",
            {"notation": "1d2", "mode": "normal", "faces": (1,), "kept": (1,), "modifiers": (), "total": 1},
            "Snig rolls 1d2 for attack: 1",
        ),
        (
            "rolled",
            {"notation": "blue", "mode": "normal", "faces": ("3/1/1",), "kept": ("3/1/1",), "total": 0},
            "Snig rolls blue for attack: 3/1/1 +2 dex +2 proficiency",
        ),
        ("reaction_window_opened", {}, "Osric may react to Snig with protection (attack declared)"),
        (
            "reaction_window_opened",
            {"subject": "osric", "offers": ({"reactor": "osric", "reactions": ("x:y:a", "x:y:b", "x:y:c")},)},
            "Osric may react with a, b or c (attack declared)",
        ),
        ("reaction_chosen", {"decided_by": "policy"}, "Osric reacts with protection (automatic)"),
        ("reaction_declined", {}, "Osric does not react"),
        ("attack_resolved", {}, "Snig misses Rurik with a scimitar: 12 against 16"),
        (
            "attack_resolved",
            {"hit": True, "critical": True},
            "Snig critically hits Rurik with a scimitar: 12 against 16",
        ),
        ("save_resolved", {}, "Grub fails a dex save against fireball: 9 against 13"),
        (
            "save_resolved",
            {"save": "int", "success": True},
            "Grub succeeds on an int save against fireball: 9 against 13",
        ),
        ("check_resolved", {}, "Mira succeeds on a stealth check: 17 against 12 (good)"),
        ("damaged", {}, "Snig loses 7 hp, 0 left, overkill 1 (longsword +5 slashing, str +3 slashing)"),
        ("healed", {}, "Rurik regains 5 hp, now 12 (cure wounds)"),
        (
            "condition_applied",
            {"condition": "dnd5e:condition:exhaustion", "level": 3, "until": None},
            "Rurik has exhaustion, level 3 (dodge)",
        ),
        ("condition_removed", {}, "Rurik is no longer dodging (turn start)"),
        (
            "condition_removed",
            {"condition": "dnd5e:condition:exhaustion"},
            "Rurik no longer has exhaustion (turn start)",
        ),
        ("resource_changed", {}, "Snig's attacks go from 1 to 0 (strike at rurik)"),
        ("resource_changed", {"resource": "ap", "after": 1}, "Snig's ap stays at 1 (strike at rurik)"),
        (
            "resource_changed",
            {"resource": "bonus_action", "locked": 1},
            "Snig's bonus action goes from 1 to 0, 1 locked (strike at rurik)",
        ),
        ("moved", {}, "Snig moves from 8,2 to 7,2 (cost 5)"),
        ("moved", {"forced": True, "cost": 0}, "Snig is moved from 8,2 to 7,2"),
        (
            "area_affected",
            {"squares": ((1, 1),), "caught": ()},
            "Mila's burning hands fills a cone of 1 square from 1,5 and catches nobody",
        ),
        ("cards_moved", {"to": None}, "Rebels moves Blitz and Planning from the deck out of the game (starting hand)"),
        ("ruled", {}, "The GM rules on Rurik: hp is 9 (the bridge gave way under him)"),
        ("undone", {"retracts": (34,)}, "The GM takes back declaration 34: Protection was forgotten"),
        ("undone", {}, "The GM takes back declarations 34 and 46: Protection was forgotten"),
        ("redone", {}, "The GM takes back correction 100: it was right after all"),
    ],
)
def test_sentences(kind: str, differing: dict[str, Any], sentence: str) -> None:
    assert in_words(sample(kind, **differing)) == sentence


@pytest.mark.parametrize(
    ("until", "words"),
    [
        (None, ""),
        (Until(moment="turn_start", whose="rurik"), " until the start of Rurik's next turn"),
        (Until(moment="turn_end", whose="rurik"), " until the end of Rurik's turn"),
        (Until(moment="turn_start", whose="rurik", round=11), " until the start of Rurik's turn in round 11"),
        (Until(moment="turn_start"), " until the start of the next turn"),
        (Until(moment="round_end"), " until the end of the round"),
        (Until(moment="round_end", round=3), " until the end of round 3"),
    ],
)
def test_how_long_something_lasts(until: Until | None, words: str) -> None:
    assert until_in_words(until) == words


@pytest.mark.parametrize(
    ("change", "alone", "on_its_chain"),
    [
        (Change(op="bonus", amount=2), "+2", "adds +2 to the damage"),
        (Change(op="bonus", amount=-5), "−5", "subtracts 5 from the damage"),
        (Change(op="dice", dice="1d6", label="fire"), "1d6 fire", "adds 1d6 fire to the damage"),
        (Change(op="advantage"), "advantage", "gives advantage on the damage"),
        (Change(op="critical_from", amount=19), "critical from 19", "makes the damage critical from 19"),
        (Change(op="multiply", amount=2, label="fire"), "×2 fire", "multiplies the fire damage by 2"),
        (Change(op="divide", amount=2), "÷2", "divides the damage by 2"),
        (Change(op="flag", label="sneak_attack"), "sneak attack", "marks the damage: sneak attack"),
    ],
)
def test_modifiers(change: Change, alone: str, on_its_chain: str) -> None:
    assert change_in_words(change) == alone
    assert effect_on("damage", change) == on_its_chain


@each("op", ChangeOp)
def test_a_modifier_without_its_parts_is_still_words(op: ChangeOp) -> None:
    assert "None" not in change_in_words(Change(op=op)) + effect_on("attack", Change(op=op))


def test_small_words() -> None:
    assert counted(1, "event") == "1 event"
    assert counted(0, "reply", "replies") == "0 replies"
    assert [or_list(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a or b", "a, b or c"]


@pytest.mark.parametrize(
    ("noun", "be", "go"),
    [("attacks", "are", "go"), ("hp", "is", "goes"), ("weakness", "is", "goes")],
)
def test_verbs_agree_with_what_they_are_about(noun: str, be: str, go: str) -> None:
    assert (verb(noun, "be"), verb(noun, "go")) == (be, go)
