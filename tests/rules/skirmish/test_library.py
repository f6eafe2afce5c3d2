"""Library files: entry by entry, every problem by name; and a status that is derived."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from combatlog.rules.content.bestiary import Wiring
from combatlog.rules.skirmish import RULESET
from combatlog.rules.skirmish.library import (
    AbilityType,
    LibraryAbility,
    library_from,
    parts_of,
    shipped_library,
    with_own,
)
from combatlog.rules.skirmish.library_checks import parse_library, status_of
from combatlog.rules.skirmish.vocabulary import Symbol
from combatlog.testing import Drill
from ledger.errors import Problem
from tests.cases import each

SHIPPED = library_from(shipped_library())


def file_with(**abilities: Any) -> str:
    return json.dumps({"source": "test", "abilities": abilities})


def card(**properties: Any) -> dict[str, Any]:
    return {"type": "ccEffect", "label": "a card", **properties}


@each(
    ("text", "where"),
    [
        (file_with(Bad={"type": 1}), ("Bad", "type")),
        (file_with(Bad={"type": "\x1b[31m"}), ("Bad", "type")),
        (file_with(Bad={"label": "no type"}), ("Bad", "type")),
        (file_with(Bad="draw"), ("Bad", None)),
        (file_with(Bad=card(draw="two")), ("Bad", "draw")),
        (file_with(Bad=card(draw=True)), ("Bad", "draw")),
        (file_with(Bad=card(draw=-1)), ("Bad", "draw")),
        (file_with(Bad=card(cost=-1)), ("Bad", "cost")),
        (file_with(Bad=card(applyFocus="yes")), ("Bad", "applyFocus")),
        (file_with(Bad=card(timing="whenever")), ("Bad", "timing")),
        (file_with(Bad=card(attackBonusDice=1, attackBonusDiceColor="pink")), ("Bad", "attackBonusDiceColor")),
        (file_with(Bad=card(nextAttacksBonusHits={"count": 1})), ("Bad", "nextAttacksBonusHits")),
        (file_with(Bad=card(nextAttacksBonusHits={"count": 1, "bonus": -2})), ("Bad", "nextAttacksBonusHits")),
        (
            file_with(Bad=card(nextAttacksBonusConditions={"count": 1, "conditions": ["Sleep"]})),
            ("Bad", "nextAttacksBonusConditions"),
        ),
        (file_with(Bad=card(attackBonusSurgeAbilities=["damage -1"])), ("Bad", "attackBonusSurgeAbilities")),
        (file_with(Bad=card(draw=1, timing="endOfRound", mpBonus=1)), ("Bad", "mpBonus")),
        (file_with(Bad={"type": "passive", "label": "p", "draw": 1}), ("Bad", "draw")),
        (file_with(**{"damage -1": {"type": "surge"}}), ("damage -1", None)),
        (file_with(**{"damage 1": {"type": "surge", "surgeCost": 0}}), ("damage 1", "surgeCost")),
        (file_with(blitz=card(draw=1)), ("blitz", None)),  # there is a Blitz
        ('{"abilities": {"Bad": {"type": "ccEffect"}, "Bad": {"type": "ccEffect"}}}', ("Bad", None)),
        ('{"abilities": {"Bad": {"type": "ccEffect", "draw": 1, "draw": 2}}}', ("Bad", "draw")),
        (file_with(**{"???": card(draw=1)}), ("???", None)),
        (file_with(Bad=card(attackBonusSurgeAbilities=["!"])), ("Bad", "attackBonusSurgeAbilities")),
        (file_with(Bad=card(reach=float("nan"))), ("Bad", None)),
        ('{"abilities": {"Bad": {"type": "ccEffect", "label": "\\ud800"}}}', ("Bad", None)),
        ('{"abilities": {}, "abilities": {}}', ("the file", "abilities")),
        ('{"abilities": {"Bad": {"type": "ccEffect", "draw": ' + "9" * 5000 + "}}}", ("the file", None)),
        ('{"abilities": []}', ("the file", None)),
        ("[]", ("the file", None)),
        ("{", ("the file", None)),
        ("[" * 100_000, ("the file", None)),
        ('{"abilities": {}, "cards": {}}', ("the file", "cards")),
    ],
)
def test_a_file_without_a_sound_entry_is_refused_with_every_problem(text: str, where: tuple[str, str | None]) -> None:
    report = RULESET.library.check(text)
    assert where in [(finding.ability, finding.field) for finding in report.problems]
    assert report.entries == ()
    with pytest.raises(Problem) as refused:
        parse_library(text)
    assert refused.value.code == "library/invalid"
    assert refused.value.facts == {
        "problems": [finding.sentence for finding in report.problems],
        "count": len(report.problems),
    }


def test_the_rest_of_a_file_with_broken_entries_is_used() -> None:
    text = file_with(
        One=card(draw=-1, mpBonus="far"), Two="draw", Good=card(draw=1), good=card(draw=2), Odd={"type": "dcSpecial"}
    )
    report = RULESET.library.check(text)
    assert report.problems == ()
    assert [(finding.ability, finding.field) for finding in report.left_out] == [
        ("One", "draw"),
        ("One", "mpBonus"),
        ("Two", None),
        ("good", None),
    ]
    assert [entry.id for entry in report.entries] == ["Good", "Odd"]
    assert parse_library(text)["left_out"] == ["One", "Two", "good"]


BREAKAGES: list[Any] = ["draw", {"label": "no type"}, card(draw=-1), card(cost="dear"), card(timing="whenever")]


def seed_library(entries: int, broken: int) -> dict[str, Any]:
    """A library in the shape of the document: surges, cards of every shipped kind, and broken entries among them."""
    shipped = [entry for entry in shipped_library()["abilities"].values() if entry["type"] == "ccEffect"]
    abilities: dict[str, Any] = {f"damage {number}": {"type": "surge", "surgeCost": 1} for number in range(1, 21)}
    for number in range(entries - len(abilities)):
        is_broken = number % 19 == 0 and number < 19 * broken
        entry = BREAKAGES[number % len(BREAKAGES)] if is_broken else shipped[number % len(shipped)]
        abilities[f"cc:card_{number}"] = entry
    return {"source": "generated", "abilities": abilities}


def test_a_library_of_400_entries_with_20_broken_ones_loads_the_other_380() -> None:
    report = RULESET.library.check(json.dumps(seed_library(400, 20)))
    assert (len(report.entries), len({finding.ability for finding in report.left_out})) == (380, 20)
    fight = Drill(ruleset="skirmish", options={"library": seed_library(400, 20)}).fight
    library = fight.battle.encounter.options["library"]
    assert (
        len(library["abilities"].keys() - shipped_library()["abilities"].keys()) == 380 - 4
    )  # damage 1 to 4 are shipped
    assert len(library["left_out"]) == 20


def test_a_deck_with_a_card_that_was_left_out_is_refused_with_the_reason() -> None:
    options = {"library": {"abilities": {"Broken": card(draw=-1), "Fine": card(draw=1)}}}
    drill = Drill(ruleset="skirmish", options=options)
    for side, deck in (("one", ["Broken"]), ("two", ["Fine"])):
        drill.join({"kind": "player", "name": side, "deck": deck}, side, side=side)
    drill.join("scout", "Scout", (1, 1), side="one")
    drill.join("trooper", "Trooper", (3, 3), side="two")
    assert drill.refusal("gm", "start").code == "card/left-out"


@pytest.mark.parametrize(
    "entry",
    [
        card(draw=0),
        card(mpBonusFromSpeed=0),
        card(nextAttacksBonusHits={"count": 1, "bonus": 0}),
        card(powerTokenGain=1, powerTokenGainIfDamagedGte={"3": 0}),
    ],
)
def test_zero_is_a_value(entry: dict[str, Any]) -> None:
    (shown,) = RULESET.library.check(file_with(Zero=entry)).entries
    assert shown.status is Wiring.WIRED


@pytest.mark.parametrize(
    "entry",
    [
        {"type": "dcSpecial", "label": "Prowl", "applyHide": True},
        card(focusGainToUpToNFigures=3, vpCondition={"selfHasAtMost": 8}),  # without its condition: another effect
        card(nextAttacksBonusHits={"count": 1, "bonus": 1, "against": "DROID"}),
    ],
)
def test_unknown_types_and_shapes_are_kept_and_left_to_people(entry: dict[str, Any]) -> None:
    (shown,) = RULESET.library.check(file_with(Kept=entry)).entries
    assert (shown.type, shown.status) == (entry["type"], Wiring.UNWIRED)
    assert not any(part.by_engine for part in shown.parts)


def test_unknown_properties_are_named_and_left_to_people() -> None:
    report = RULESET.library.check(file_with(Odd=card(draw=1, teleport=3), Odder=card(dance=True), Fine=card(draw=1)))
    assert report.problems == ()
    assert report.unknown == [("Odd", "teleport"), ("Odder", "dance")]
    assert {entry.id: entry.status for entry in report.entries} == {
        "Odd": Wiring.PARTIAL,
        "Odder": Wiring.UNWIRED,
        "Fine": Wiring.WIRED,
    }


@each(
    ("entry", "status"),
    [
        (card(draw=1), Wiring.WIRED),
        (card(draw=1, drawIfTrait="SPY"), Wiring.WIRED),
        (card(drawIfTrait="SPY"), Wiring.UNWIRED),  # it refines nothing
        (card(draw=1, attackBonusDiceColor="red"), Wiring.PARTIAL),
        (card(draw=1, logMessage="do it"), Wiring.PARTIAL),
        (card(draw=1, informational=False), Wiring.WIRED),
        (card(logMessage="do it"), Wiring.UNWIRED),
        (card(informational=True), Wiring.UNWIRED),
        (card(), Wiring.UNWIRED),
        (card(wiredStatus="wired"), Wiring.UNWIRED),
        (card(draw=1, wiredStatus="testready"), Wiring.WIRED),
        (card(draw=1, wiredStatus="partial"), Wiring.PARTIAL),
        (card(draw=1, wiredStatus="unwired"), Wiring.PARTIAL),
        (card(draw=1, label="Draw 1 (the rest manual)"), Wiring.PARTIAL),
        (card(mpBonus=2, label="Push a figure (2 MP honor)", wiredStatus="wired"), Wiring.PARTIAL),
        (card(mpBonus=2, label="Move; apply Stun manually"), Wiring.PARTIAL),
        (card(draw=1, label="Consult the manuals of honorable men"), Wiring.WIRED),
        ({"type": "specialAction", "label": "s", "recoverDamage": 2}, Wiring.WIRED),
        ({"type": "triggered", "label": "t", "recoverDamage": 2}, Wiring.UNWIRED),
    ],
)
def test_the_status_is_derived_from_what_the_engine_can_do(entry: dict[str, Any], status: Wiring) -> None:
    (shown,) = RULESET.library.check(file_with(Entry=entry)).entries
    assert shown.status is status


@pytest.mark.parametrize(
    ("key", "status"),
    [
        ("damage 1", Wiring.WIRED),
        ("+1 hit, stun", Wiring.WIRED),
        ("damage 1, push", Wiring.PARTIAL),
        ("push", Wiring.UNWIRED),
    ],
)
def test_the_status_of_a_surge_key_is_derived_from_its_parts(key: str, status: Wiring) -> None:
    assert status_of(LibraryAbility(key, AbilityType.SURGE, key)) is status


@each(
    ("key", "parts"),
    [
        ("damage 4", [(Symbol.DAMAGE, 4, None)]),
        ("+1 hit, stun", [(Symbol.DAMAGE, 1, None), (None, 0, "skirmish:condition:stunned")]),
        ("accuracy 2, surge 1", [(Symbol.ACCURACY, 2, None), (Symbol.SURGE, 1, None)]),
        ("pierce 1, weaken", [(Symbol.PIERCE, 1, None), (None, 0, "skirmish:condition:weakened")]),
        ("blast 1", [(Symbol.BLAST, 1, None)]),
        ("recover 2", [(Symbol.RECOVER, 2, None)]),
        ("Cleave 2, Bleed", [(Symbol.CLEAVE, 2, None), (None, 0, "skirmish:condition:bleeding")]),
        ("stun 2", [(None, 0, None)]),
        ("damage", [(None, 0, None)]),
    ],
)
def test_surge_keys(key: str, parts: list[tuple[Symbol | None, int, str | None]]) -> None:
    assert [(part.symbol, part.amount, part.condition) for part in parts_of(key)] == parts


def test_the_shipped_library_is_sound_and_has_every_surge_key_of_the_document() -> None:
    assert RULESET.library.check(json.dumps(shipped_library())).problems == ()
    keys = {"damage 1", "pierce 2", "damage 4", "cleave 1", "cleave 2", "pierce 1, weaken"}
    keys |= {"+1 hit, stun", "accuracy 2, surge 1"}
    assert keys <= set(SHIPPED.abilities)
    assert SHIPPED.surge("damage 4").surge_cost == 2


def test_listing_by_status() -> None:
    counted = {status: len(RULESET.library.entries(status=status)) for status in Wiring}
    assert sum(counted.values()) == len(RULESET.library.entries())
    partial = [entry.id for entry in RULESET.library.entries(status=Wiring.PARTIAL)]
    assert "Heavy Ordnance" in partial
    assert "Blitz" not in partial


def test_showing_one_entry() -> None:
    shown = RULESET.library.entry("heavy ordnance")
    assert [(part.name, part.value, part.by_engine) for part in shown.parts] == [
        ("attackBonusHits", 1, True),
        ("logMessage", "Against an object it is +2 Hits and Pierce 2.", False),
    ]
    assert RULESET.library.entry("Focus").type == AbilityType.CC_EFFECT
    assert RULESET.library.entry("focus").type == AbilityType.SURGE


def test_what_is_within_a_property_is_shown_under_both_names() -> None:
    shown = RULESET.library.entry("Lock On")
    inner = [(part.name, part.value, part.by_engine) for part in shown.parts if "." in part.name]
    assert inner == [
        ("chooseOne.attackAccuracyBonus", 3, True),
        ("chooseOne.dodgeReduction", 1, True),
        ("chooseOne.evadeReduction", 1, True),
    ]


@each(
    ("entry", "status", "unknown"),
    [
        ({"chooseOne": [{"label": "Gain 1", "mpBonus": 1}, {"label": "Focus", "applyFocus": True}]}, "wired", ()),
        ({"chooseOne": [{"label": "Gain 1", "mpBonus": 1}, {"label": "Dance (manually)"}]}, "partial", ()),
        ({"chooseOne": [{"label": "Fly", "teleport": 1}]}, "unwired", ("teleport",)),
        ({"attach": "self", "whileAttached": {"attackBonusHits": 1}}, "wired", ()),
        ({"attach": "self", "exhaustTo": {"teleport": 1}}, "partial", ("teleport",)),
        ({"mpBonus": 1, "label": "You gain 1, others too (you auto)"}, "partial", ()),
        ({"onlyIfTrait": ["SPY"], "mpBonus": 1}, "wired", ()),
        ({"onlyIfTrait": ["SPY"]}, "unwired", ("onlyIfTrait",)),
    ],
)
def test_the_status_of_an_entry_counts_what_is_within_it(
    entry: dict[str, Any], status: str, unknown: tuple[str, ...]
) -> None:
    (found,) = RULESET.library.check(file_with(Tested=card(**entry))).entries
    assert (found.status, found.unknown) == (status, unknown)


@each(
    ("entry", "field"),
    [
        ({"attach": "moon"}, "attach"),
        ({"chooseOne": []}, "chooseOne"),
        ({"chooseOne": [{"label": "many", "mpBonus": "many"}]}, "chooseOne.mpBonus"),
        (
            {"chooseOne": [{"label": "late", "timing": "endOfRound", "attackBonusHits": 1}], "timing": "endOfRound"},
            "chooseOne.attackBonusHits",
        ),
        ({"attach": "self", "exhaustTo": {"timing": "tomorrow", "mpBonus": 1}}, "exhaustTo.timing"),
        ({"timing": "endOfRound", "mpCost": 2, "applyFocus": True}, "mpCost"),
        ({"chooseAdjacentHostileThen": {"damage": -1}}, "chooseAdjacentHostileThen"),
        ({"chooseAdjacentHostileThen": {"conditions": ["sleep"]}}, "chooseAdjacentHostileThen"),
    ],
)
def test_what_is_within_an_entry_is_checked(entry: dict[str, Any], field: str) -> None:
    report = RULESET.library.check(file_with(Bad=card(**entry), Good=card(mpBonus=1)))
    assert field in [finding.field for finding in report.left_out]


def test_an_entry_that_does_not_exist_is_refused_with_what_was_probably_meant() -> None:
    with pytest.raises(Problem) as refused:
        RULESET.library.entry("blizzard")
    assert refused.value.code == "ability/unknown"
    assert refused.value.facts == {"ability": "blizzard", "suggestions": ["Blitz"]}


def test_only_so_many_problems_are_listed() -> None:
    text = file_with(**{f"Bad {number}": card(draw=-1) for number in range(25)})
    with pytest.raises(Problem) as refused:
        parse_library(text)
    assert (len(refused.value.facts["problems"]), refused.value.facts["count"]) == (20, 25)


def test_the_shipped_library_is_shown_with_ones_own_file() -> None:
    own = RULESET.library.entries(file_with(Mine=card(draw=1)))
    assert {entry.id for entry in own} - {entry.id for entry in RULESET.library.entries()} == {"Mine"}


def test_ones_own_entries_are_added_and_replace_the_shipped_ones() -> None:
    merged = with_own({"source": "mine", "abilities": {"Mine": card(draw=1), "Blitz": card(attackSurgeBonus=5)}})
    assert merged["source"] == "Combat Ledger + mine"
    assert (merged["abilities"]["Blitz"]["attackSurgeBonus"], "Rally" in merged["abilities"]) == (5, True)


def test_a_fight_keeps_the_library_it_was_opened_with() -> None:
    plain, own = (
        Drill(ruleset="skirmish"),
        Drill(ruleset="skirmish", options={"library": {"abilities": {"Mine": card(draw=1)}}}),
    )
    assert plain.fight.battle.encounter.options["library"] == shipped_library()
    assert own.fight.battle.encounter.options["library"]["abilities"]["Mine"]["draw"] == 1


@each(
    "options",
    [
        {"library": {"abilities": {"Bad": {}}}},
        {"library": {"abilities": {"blitz": card(draw=1)}}},  # there is a Blitz
        {"library": {"abilities": {1: card(draw=1)}}},
        {"library": {"abilities": {"Bad": {1: 2}}}},
        {"library": {"abilities": {"Bad": card(since=date(2026, 1, 1))}}},
        {"library": "ability-library.json"},
        {"hand": -1},
        {"victory": 0},
        {"no_such_rule": 1},
    ],
)
def test_a_fight_is_not_opened_with_options_that_are_wrong(options: dict[str, Any]) -> None:
    with pytest.raises(Problem):
        Drill(ruleset="skirmish", options=options)


@each("name", sorted(Drill(ruleset="skirmish").ruleset.sheets()))
def test_every_shipped_sheet_can_join(name: str) -> None:
    drill = Drill(ruleset="skirmish")
    drill.join(name, "Somebody", (1, 1))
    sheet = drill.fight.battle.combatants["somebody"].sheet
    library = drill.fight.battle.encounter.options["library"]["abilities"]
    assert set(sheet.get("deck", [])) | set(sheet.get("surges", [])) | set(sheet.get("abilities", [])) <= set(library)


@pytest.mark.parametrize(
    "change",
    [{"health": 0}, {"attack": ["black"]}, {"defense": ["red"]}, {"speed": -1}, {"wings": 2}, {"surges": ["!"]}],
)
def test_a_sheet_that_is_wrong_is_refused(change: dict[str, Any]) -> None:
    drill = Drill(ruleset="skirmish")
    options = {"sheet": drill.ruleset.sheet("trooper"), "overrides": change}
    assert drill.refusal("gm", "join", options=options).code == "sheet/invalid"
