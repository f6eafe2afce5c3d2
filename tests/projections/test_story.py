"""The story of a fight: one sentence per declaration, worked out by hand from sheets and dice."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog import Undo
from combatlog.testing import Drill
from ledger.events import Event, Ruled
from ledger.registry import KINDS
from projections.review.replay import Selection
from projections.story.event_clauses import PIECES, QUIET
from projections.story.telling import StoryLine, tell
from tests.support import protected_duel


def story(events: Sequence[Event], **wanted: int | str | bool) -> list[StoryLine]:
    return tell(events, Selection(**wanted).declarations(events))  # type: ignore[arg-type]


def last(drill: Drill) -> str:
    return story(drill.history())[-1].text


def test_no_kind_of_event_is_told_and_left_to_the_full_log() -> None:
    assert set(PIECES) | QUIET <= set(KINDS.values())
    assert not set(PIECES) & QUIET


def test_a_shot_a_strike_and_a_reaction() -> None:
    """Snig has +4 with both weapons; Rurik has AC 16. 4 + 4 is 8, and with disadvantage 8 + 4 is 12."""
    drill = protected_duel()
    drill.do("snig", "ranged_attack", target="rurik", weapon="shortbow", dice=[4, 4])
    assert last(drill) == "Snig shoots Rurik with a shortbow: 8 against AC 16, miss"
    drill = protected_duel()
    drill.do("snig", "attack")
    assert last(drill) == "Snig takes the attack action"
    drill.do("snig", "strike", target="rurik")
    assert last(drill) == "Snig declares strike on Rurik: Osric may use protection"
    drill.react("osric", "protection", dice=[15, 8])
    assert last(drill) == "Snig strikes Rurik with a scimitar: Osric uses protection; 12 against AC 16, miss"


def test_display_names_and_headings() -> None:
    drill = Drill()
    drill.join("fighter", "Sister Ilse", (1, 1))
    drill.join("goblin", "Old Snig", (2, 1), side="foes")
    drill.start(dice=[20, 1])
    drill.do("sister-ilse", "dodge")
    drill.end_turn("sister-ilse")
    told = [(line.round, line.turn, line.text) for line in story(drill.history())]
    assert told == [
        (False, False, "“drill” opens under dnd5e 7, with dice rolled at the table"),
        (False, False, "Sister Ilse joins the heroes at 1,1 with 12 hp"),
        (False, False, "Old Snig joins the foes at 2,1 with 7 hp"),
        (False, False, "The fight starts: initiative Sister Ilse 22, Old Snig 3"),
        (True, False, "Round 1"),
        (False, True, "Sister Ilse's turn"),
        (False, False, "Sister Ilse dodges"),
        (False, True, "Old Snig's turn"),
    ]


def test_a_hit_that_kills() -> None:
    """Rurik has +5 and 1d8+3; 10 + 5 hits AC 15, and 4 + 3 is all that Snig has."""
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.start(dice=[20, 1])
    drill.do("rurik", "attack")
    drill.do("rurik", "strike", target="snig", dice=[10, 4])
    assert (
        last(drill) == "Rurik strikes Snig with a longsword: 15 against AC 15, hit; Snig loses 7 hp (0 left) and dies"
    )


def test_a_move_that_provokes_an_opportunity_attack() -> None:
    """Snig leaves Rurik's reach; 2 + 5 misses AC 15."""
    drill = Drill()
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.join("fighter", "Rurik", (1, 1))
    drill.start(dice=[20, 1])
    drill.do("snig", "move", to=(4, 1), replies={"rurik": "opportunity_attack"}, dice=[2])
    assert last(drill) == (
        "Snig moves to 4,1: Rurik makes an opportunity attack and attacks Snig with a longsword (7 against AC 15, miss)"
    )


def test_a_declaration_that_waits_says_for_whom() -> None:
    drill = protected_duel()
    drill.do("snig", "move", to=(4, 1), replies={"rurik": None})
    assert last(drill) == "Snig declares move to 4,1: Osric may use opportunity attack"


def test_a_spell_with_saves_and_one_without() -> None:
    """Ilse's spell save DC is 15; goblins have wis −1."""
    drill = Drill()
    drill.join("cleric", "Ilse", (1, 1))
    drill.join("fighter", "Rurik", (1, 2))
    drill.join("goblin", "Snig", (4, 1), side="foes")
    drill.start(dice=[20, 10, 1])
    drill.do("ilse", "bless", target=["ilse", "rurik"])
    assert last(drill) == "Ilse casts bless on Ilse and Rurik"
    drill.end_turn("ilse")
    drill.end_turn("rurik")
    drill.end_turn("snig")
    drill.do("ilse", "hold_person", target="snig", dice=[3])
    assert last(drill) == (
        "Ilse casts hold person on Snig and is no longer blessed: Rurik is no longer blessed; "
        "Snig fails a wis save (2 against DC 15) and is paralyzed"
    )


def test_rulings_and_corrections_are_told() -> None:
    drill = protected_duel()
    drill.do("gm", "rule", target="rurik", options={"set": {"hp": 5}, "reason": "a fall"})
    assert last(drill) == "The GM rules on Rurik: hp is 5 (a fall)"
    ruling = Selection().declarations(drill.history())[-1]
    drill.apply(drill.plan(Undo(reason="no fall")))
    assert last(drill) == f"The GM takes back declaration {ruling}: no fall"


def test_only_what_counts_in_the_order_of_the_fight() -> None:
    """Without the dodge, one of the two dice decides, and the strike is recorded again after the correction."""
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.start(dice=[20, 1])
    drill.do("rurik", "dodge")
    dodge = drill.history()[-1].declaration
    drill.end_turn("rurik")
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik", dice=[2, 8])
    drill.apply(drill.plan(Undo(dodge, reason="he did not")))
    assert [line.text for line in story(drill.history(), standing=True)][-5:] == [
        "Round 1",
        "Rurik's turn",
        "Snig's turn",
        "Snig takes the attack action",
        "Snig strikes Rurik with a scimitar: 6 against AC 16, miss",
    ]


def test_what_no_piece_knows_is_told_in_the_words_of_the_event() -> None:
    drill = protected_duel()
    drill.do("gm", "rule", target="rurik", options={"note": "it rains", "reason": "weather"})
    assert Ruled not in PIECES
    assert last(drill) == "The GM rules on Rurik: it rains (weather)"


def test_a_duel_with_action_points_is_told_with_what_is_pending() -> None:
    """Ana rolls 0: 12 + 8 − 5 is 15, against Bor's passive 9 + 4 − 5 − 1, which is 7."""
    drill = Drill("action_points")
    drill.join("duelist", "Ana")
    drill.join("brigand", "Bor", side="foes")
    drill.start()
    drill.do("ana", "attack", target="bor", replies={"bor": "passive"}, dice=[0, 0, 0, 0, 2, 3])
    assert last(drill).startswith("Ana attacks Bor with a longsword: ")
    assert "15 against 7, hit; Bor has " in last(drill)
    assert "pending fat damage" in last(drill)


def test_the_tail_of_a_log_tells_where_it_begins() -> None:
    drill = protected_duel()
    drill.do("snig", "dash")
    told = story(drill.history(), latest=1)
    assert [(line.text, line.seq is None) for line in told] == [
        ("Round 1", True),
        ("Snig's turn", True),
        ("Snig dashes", False),
    ]
