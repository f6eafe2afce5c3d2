"""Corrections of a skirmish: the dice stay, and cards that were never drawn are not played."""

from __future__ import annotations

from combatlog.rules.content.scenario import look_up
from combatlog.rules.engine.corrections import undo
from combatlog.rules.engine.corrections.amend import Amendment, Forgotten, plan_amend
from combatlog.rules.engine.corrections.plan import Plan, PlanVerdict
from combatlog.rules.engine.corrections.rebase import Impossible, Remedies
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.verification.verify import check_declarations
from projections.views.state import battle_state
from tests.rules.skirmish.arena import Arena
from tests.rules.skirmish.fights import declaration, with_a_drawn_card, with_a_rich_attack


def apply(arena: Arena, plan: Plan) -> FightEngine:
    corrected = FightEngine([*arena.fight.events, *plan.new])
    assert battle_state(corrected.battle) == battle_state(plan.after)
    assert list(check_declarations(corrected.events)) == []
    return corrected


def amended(arena: Arena, seq: int, **what: object) -> FightEngine:
    plan = plan_amend(arena.fight, seq, Amendment.model_validate(what), by="gm", reason="it was otherwise")
    return apply(arena, plan)


def test_undo_of_a_drawn_card_in_the_middle_rebases_what_came_after() -> None:
    arena = with_a_drawn_card()
    assert (arena["foe.health"], arena["hero.health"]) == (7, 9)
    drawn = undo.one(arena.fight, declaration(arena, "hero", "play"))
    plan = undo.plan_undo(arena.fight, drawn, by="gm", reason="not my card")
    corrected = apply(arena, plan)
    verdicts = [(entry.declared.action.rsplit(":", 1)[1], entry.verdict) for entry in plan.entries]
    assert verdicts == [
        ("play", PlanVerdict.TAKEN_BACK),
        ("attack", PlanVerdict.CHANGED),
        ("end-turn", PlanVerdict.KEPT),
        ("activate", PlanVerdict.KEPT),
        ("attack", PlanVerdict.KEPT),
    ]
    assert plan.dice_added == 0
    now = {path: look_up(corrected.battle, path) for path in ("foe.health", "hero.health", "rebels.pile.hand")}
    assert now == {"foe.health": 8, "hero.health": 9, "rebels.pile.hand": ("There is Another",)}
    assert look_up(corrected.battle, "rebels.pile.deck") == ("Blitz", "Focus")


def test_a_card_that_was_never_drawn_can_be_upheld() -> None:
    """What it did stands by a ruling; the card itself stays where it is."""
    arena = Arena(hand=["There is Another"], pile=["Fleet Footed"])
    arena.do("hero", "activate")
    arena.play("hero", "There is Another")
    arena.play("hero", "Fleet Footed")
    taken_back = undo.one(arena.fight, declaration(arena, "hero", "play") - 1)
    remedies = Remedies(impossible=Impossible.KEEP)
    corrected = apply(arena, undo.plan_undo(arena.fight, taken_back, by="gm", reason="not so", remedies=remedies))
    assert look_up(corrected.battle, "hero.mp") == 1
    assert look_up(corrected.battle, "rebels.pile.deck") == ("Fleet Footed",)
    assert look_up(corrected.battle, "rebels.pile.discard") == ()


def test_an_upheld_card_goes_where_it_went_if_it_still_can() -> None:
    """Without the action that Focus takes it is no longer legal, but the card is still in hand."""
    arena = Arena(hand=["Rally", "Focus"])
    arena.do("hero", "activate")
    arena.do("hero", "move")
    arena.play("hero", "Focus")
    taken_back = undo.one(arena.fight, declaration(arena, "hero", "activate"))
    remedies = Remedies(impossible=Impossible.KEEP)
    corrected = apply(arena, undo.plan_undo(arena.fight, taken_back, by="gm", reason="not so", remedies=remedies))
    assert look_up(corrected.battle, "rebels.pile.discard") == ("Focus",)
    assert look_up(corrected.battle, "hero.conditions") == ["focused"]


def test_a_ruling_that_answered_a_question_can_be_taken_back() -> None:
    arena = Arena(hand=["Heavy Ordnance"])
    arena.do("hero", "activate")
    arena.do("hero", "attack", target="foe", dice=["0/2/0", "0/0"], replies={"rebels": "Heavy Ordnance"})
    (question,) = arena.fight.battle.questions
    arena.rule("foe", set={"health": 6}, answers=question)
    corrected = apply(arena, undo.plan_undo(arena.fight, undo.last(arena.fight), by="gm", reason="not so"))
    assert list(corrected.battle.questions) == [question]
    assert look_up(corrected.battle, "foe.health") == 7  # 2 hits and 1 of the card


def test_a_misread_die_is_amended() -> None:
    arena = with_a_drawn_card()
    seq = declaration(arena, "foe", "attack")
    roll = next(event.seq for event in arena.fight.events if event.seq > seq and event.kind == "rolled")
    corrected = amended(arena, seq, faces={roll: ("0/3/0",)})
    assert look_up(corrected.battle, "hero.health") == 8


def test_a_forgotten_modifier_is_added() -> None:
    arena = with_a_drawn_card()
    forgotten = Forgotten(what="+2", source="high ground", owner="hero", label="damage")
    corrected = amended(arena, declaration(arena, "hero", "attack"), add=(forgotten,))
    assert look_up(corrected.battle, "foe.health") == 5


def test_a_modifier_that_must_not_count_is_dropped() -> None:
    arena, damaged = with_a_rich_attack()
    assert (damaged.amount, damaged.left) == (6, 4)
    seq = declaration(arena, "hero", "attack")
    health = {
        drop: look_up(amended(arena, seq, drop=(drop,)).battle, "foe.health")
        for drop in ("positioning_advantage", "skirmish:token:hit", "damage_1", "focused")
    }
    assert health == {"positioning_advantage": 5, "skirmish:token:hit": 5, "damage_1": 5, "focused": 6}


def test_every_part_of_a_damage_is_on_record() -> None:
    _, damaged = with_a_rich_attack()
    assert [(part.source.removeprefix("skirmish:"), part.amount) for part in damaged.parts] == [
        ("die:red", 2),
        ("die:green", 2),
        ("card:positioning_advantage", 1),
        ("token:hit", 1),
        ("surge:damage_1", 1),
        ("result:block", -1),
    ]
