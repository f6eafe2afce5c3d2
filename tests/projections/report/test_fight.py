"""The report of a fight, with numbers worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from combatlog import Undo
from combatlog.rules.content.scenario import play_in_memory, read_scenario
from combatlog.testing import Drill
from projections.report.fight_report import report_of
from projections.report.models import CombatantShare, FightReport, LuckVerdict, ReactionWorth
from tests.rules.action_points.support import ZERO, attack, duel, next_round
from tests.rules.skirmish.arena import Arena
from tests.rules.skirmish.fights import with_a_drawn_card

BRIDGE = Path(__file__).parents[1] / "statistics" / "bridge.yaml"
"""Rurik has 12 hit points, Osric 20, Snig 20; the comments in the file say what each roll comes to."""


@pytest.fixture(scope="module")
def bridge() -> FightReport:
    fight, _ = play_in_memory(read_scenario(BRIDGE))
    return report_of(fight.events, fight.ruleset)


def share(report: FightReport, who: str) -> CombatantShare:
    return next(row for row in report.shares if row.id == who)


def worth(report: FightReport, who: str, reaction: str) -> ReactionWorth:
    return next(row for row in report.reactions if row.who == who and row.reaction.endswith(f":{reaction}"))


# The bridge


def test_who_won(bridge: FightReport) -> None:
    assert (bridge.result.winner, bridge.result.closed, bridge.rounds) == ("heroes", False, 2)


def test_who_did_what(bridge: FightReport) -> None:
    done = {row.id: (row.dealt, row.taken, row.hits, row.attacks, row.falls) for row in bridge.shares}
    assert done == {"rurik": (20, 6, 2, 2, 0), "osric": (0, 0, 0, 1, 0), "snig": (6, 20, 1, 2, 1)}
    assert [(row.id, row.in_the_fight, row.pools["hp"].current) for row in bridge.shares] == [
        ("rurik", True, 6),
        ("osric", True, 20),
        ("snig", False, 0),
    ]


def test_a_death_with_the_last_blows(bridge: FightReport) -> None:
    (fall,) = bridge.falls
    assert (fall.name, fall.round, fall.conditions, fall.back_in, fall.left) == ("Snig", 2, ["dead"], None, False)
    assert [(blow.by_name, blow.source, blow.amount, blow.left, blow.overkill) for blow in fall.blows] == [
        ("Rurik", "longsword", 8, 12, 0),
        ("Rurik", "longsword", 12, 0, 4),
    ]


def test_a_reaction_and_the_hit_it_prevented(bridge: FightReport) -> None:
    """Of 15 and 8 the 8 counts: 12 misses 16, where 19 had hit. In round 2, Osric let it pass."""
    osric = worth(bridge, "osric", "protection")
    assert (osric.used, osric.declined, osric.missed, osric.hits_prevented, osric.damage) == (1, 0, 1, 1, 0)


def test_luck_with_its_interval(bridge: FightReport) -> None:
    """Rurik needs a 10 twice: 11/20. Snig needs a 12: 9/20, and 81/400 with the lower of two dice.

    Rurik misses twice 20 % of the time and hits twice 30 % of the time, so both are within chance.
    """
    found = {row.who: (row.hits, row.expected, row.low, row.high, row.verdict) for row in bridge.luck}
    assert found["rurik"] == (2, 1.1, 0, 2, LuckVerdict.CHANCE)
    assert found["snig"] == (1, 0.65, 0, 2, LuckVerdict.CHANCE)
    assert next(row.chances for row in bridge.luck if row.who == "snig") == {"81/400": 1, "9/20": 1}
    assert bridge.attacks_without_odds == 0


def test_turning_points_are_the_largest_shifts_of_the_balance(bridge: FightReport) -> None:
    """Heroes 32 of 52; Snig at 12: 32 of 44; Rurik at 6: 26 of 38; Snig dead: 26 of 26."""
    shares = [round(point.shares["heroes"], 4) for point in bridge.balance]
    assert shares == [0.6154, 0.7273, 0.6842, 1.0]
    found = [(turning.side, turning.before, turning.gained, turning.words) for turning in bridge.turning_points]
    assert found == [
        ("heroes", 0.6842, 0.3158, "Rurik declares strike on Snig"),
        ("heroes", 0.6154, 0.1119, "Rurik declares strike on Snig"),
        ("foes", 0.2727, 0.0431, "Snig declares strike on Rurik"),
    ]


# Rulings and corrections


def drill() -> Drill:
    """A wizard and a rogue against an ogre, whose turn it is. Mira has AC 12; the ogre hits with +6."""
    made = Drill()
    made.join("wizard", "Mira", (3, 2))
    made.join("rogue", "Vex", (3, 3))
    made.join("ogre", "Lump", (4, 2), side="foes")
    made.start(dice=[1, 10, 20])
    made.do("lump", "attack")
    return made


def test_a_ruling_is_neither_damage_nor_healing() -> None:
    made = drill()
    made.rule("mira", set={"hp": 10}, reason="a trap")
    made.rule("mira", set={"hp": 25}, reason="a blessing")
    report = made.seen_by().report()
    mira = share(report, "mira")
    assert (mira.taken, mira.recovered, sum(row.dealt + row.healed for row in report.shares)) == (0, 0, 0)
    assert [(ruling.ruling, ruling.reason) for ruling in report.rulings] == [
        ("hp is 10", "a trap"),
        ("hp is 25", "a blessing"),
    ]
    assert report.turning_points[0].words == "The GM makes a ruling on Mira"  # it did shift the balance


def test_temporary_hit_points_do_not_shift_the_balance() -> None:
    made = drill()
    made.rule("mira", set={"temp_hp": 20}, reason="heroism")
    assert len(made.seen_by().report().balance) == 1


def test_healing_is_put_down_to_whoever_cast_it() -> None:
    """Cure wounds heals 1d8 and 3 for charisma: 5 + 3 of the 9 that Rurik lacks."""
    made = Drill()
    made.join("paladin", "Osric", (1, 1))
    made.join("fighter", "Rurik", (1, 2))
    made.join("goblin", "Snig", (5, 5), side="foes")
    made.start(dice=[20, 10, 1])
    made.rule("rurik", set={"hp": 3}, reason="wounded")
    made.do("osric", "cure_wounds", target="rurik", dice=[5])
    report = made.seen_by().report()
    assert (share(report, "osric").healed, share(report, "rurik").recovered) == (8, 8)


def test_what_was_taken_back_does_not_count() -> None:
    made = drill()
    made.do("lump", "strike", target="vex", dice=[15, 5, 6], replies={"vex": None})  # 21 against 15; 5 + 6 + 4
    assert share(made.seen_by().report(), "vex").taken == 15
    made.apply(made.plan(Undo(reason="wrong target")))
    report = made.seen_by().report()
    assert share(report, "vex").taken == 0
    assert (report.luck, report.turning_points) == ([], [])
    (correction,) = report.corrections
    assert (correction.kind, correction.reason, correction.declarations, correction.taken_back) == (
        "undone",
        "wrong target",
        1,
        False,
    )


# Reactions


def test_what_reactions_are_worth() -> None:
    """Shield: 8 + 6 = 14 hits 12 and misses 17. The rogue leaves: 5 + 6 + 4 = 15, halved to 7."""
    made = drill()
    made.do("lump", "strike", target="mira", dice=[8], replies={"mira": "shield"})
    made.end_turn("lump")
    replies = {"vex": "uncanny_dodge", "lump": "opportunity_attack"}
    made.do("vex", "move", to=(8, 8), dice=[15, 5, 6], replies=replies)
    report = made.seen_by().report()
    assert worth(report, "mira", "shield").hits_prevented == 1
    assert worth(report, "vex", "uncanny_dodge").prevented == 8
    lump = worth(report, "lump", "opportunity_attack")
    assert (lump.used, lump.damage, lump.hits_prevented) == (1, 7, 0)
    assert share(report, "lump").dealt == 7


def test_a_shield_that_changed_nothing_prevented_nothing() -> None:
    """3 + 6 = 9 misses 12 without it, so it is not even offered; Mira's shield is not on the list."""
    made = drill()
    made.do("lump", "strike", target="mira", dice=[3])
    assert made.seen_by().report().reactions == []


# Falls


def test_somebody_who_comes_back_has_fallen_all_the_same() -> None:
    """Mira drops at 0, and a healing word brings her back; nothing else is said of her conditions then."""
    made = drill()
    made.rule("mira", set={"hp": 3}, reason="tired")
    made.do("lump", "strike", target="mira", dice=[8, 1, 1], replies={"mira": None})  # 14 hits 12: 1 + 1 + 4
    (fall,) = made.seen_by().report().falls
    assert (fall.name, fall.conditions, fall.back_in) == ("Mira", ["dying", "prone", "unconscious"], None)
    assert [(blow.is_ruling, blow.amount, blow.overkill) for blow in fall.blows] == [(True, 29, 0), (False, 3, 3)]
    made.rule("mira", set={"hp": 5}, reason="a potion")
    (fall,) = made.seen_by().report().falls
    assert fall.back_in == 1


def test_leaving_is_no_death() -> None:
    made = drill()
    made.leave("vex")
    report = made.seen_by().report()
    (fall,) = report.falls
    assert (fall.name, fall.left, fall.blows) == ("Vex", True, [])
    assert share(report, "vex").falls == 0
    assert [round(point.shares["heroes"], 4) for point in report.balance] == [0.5426, 0.3516]  # 70/129, 32/91


# The other rulesets


def test_damage_that_takes_effect_later_is_dealt_when_the_blow_lands() -> None:
    """Action points: SV 8 rolls 2d10 = 7, which is 7 FAT and 4 VIT. Half takes effect at the end of the round."""
    made = duel()
    made.rule("bor", set={"vit": 2}, reason="weak")
    attack(made, (*ZERO, 3, 4))
    next_round(made)
    report = made.seen_by().report()
    assert (share(report, "ana").dealt, share(report, "bor").taken) == (11, 6)  # 4 FAT and 2 VIT so far
    (fall,) = report.falls
    assert (fall.name, fall.conditions) == ("Bor", ["dead"])
    assert [(blow.by_name, blow.amount, blow.left) for blow in fall.blows] == [
        ("the GM", 17, 2),
        ("Ana", 7, None),
        ("Ana", 4, None),
    ]
    assert report.result.winner == "heroes"


def test_poison_is_not_dealt_by_whoever_ends_the_turn() -> None:
    made = duel()
    made.rule("ana", add=["poisoned"], reason="a snake")
    made.do("ana", "end-turn")
    made.do("bor", "end-turn")
    report = made.seen_by().report()
    assert share(report, "ana").taken == 1
    assert share(report, "bor").dealt == 0


def test_a_skirmish() -> None:
    """2 hits and a surge of 1: the foe is at 7 of 10. 2 hits less 1 block: the hero is at 9 of 10."""
    made = with_a_drawn_card()
    report = made.seen_by().report()
    assert [(row.id, row.dealt, row.taken) for row in report.shares] == [("hero", 3, 1), ("foe", 1, 3)]
    assert (report.result.winner, report.attacks_without_odds) == (None, 2)
    assert [round(point.shares["rebels"], 4) for point in report.balance] == [0.5, 0.5882, 0.5625]  # 10/17, 9/16


def test_victory_points_win_a_skirmish() -> None:
    arena = Arena(victory=5, others=[("Other", "empire", (1, 1), {})])
    arena.rule("rebels", set={"vp": 2})
    arena.rule("foe", set={"health": 1})
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe", dice=["0/3/0", "0/0"])
    report = arena.seen_by().report()
    assert (report.result.winner, report.result.closed) == ("rebels", True)
    assert [(fall.name, fall.conditions) for fall in report.falls] == [("Foe", ["defeated"])]


def test_a_fight_that_has_not_begun() -> None:
    made = Drill()
    report = made.seen_by().report()
    assert (report.result.winner, report.rounds, report.shares, report.balance) == (None, 0, [], [])


def test_a_report_survives_json(bridge: FightReport) -> None:
    assert FightReport.model_validate_json(bridge.model_dump_json()) == bridge
