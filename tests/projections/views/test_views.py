"""What players see of a fight: who is there, how they look, and what they do."""

from __future__ import annotations

from functools import partial

import pytest

from combatlog import Undo
from combatlog.testing import Drill, all_of
from ledger.errors import Problem
from ledger.events import (
    CardsMoved,
    Damaged,
    Declared,
    Event,
    ManualResolutionNeeded,
    ReactionChosen,
    Undone,
)
from projections.battle.combatant import Combatant, Vital
from projections.story.event_words import in_words
from projections.story.telling import tell
from projections.views import ApparentHealth, CombatantOutline, Role, Seat, SeatView, redacted
from projections.views.redacted_events import SeenAttack, SeenCards, SeenHurt, SeenInitiative, SeenJoined, health_of
from tests.cases import each
from tests.projections.test_words import sample
from tests.rules.veils_ruleset import by_every_ruleset, conceal, join_unseen, reveal


def drill(ruleset: str = "dnd5e") -> Drill:
    """Rurik beside Snig, who has 7 hp; Grak waits in the dark."""
    made = Drill(ruleset)
    made.join("fighter", "Rurik", (1, 1))
    made.join("goblin", "Snig", (2, 1), side="foes")
    join_unseen(made, "ogre", "Grak", (5, 5))
    made.start(dice=[20, 10, 3])
    return made


def sentences(seen: SeatView) -> list[str]:
    return [in_words(event, seen.cast) for event in seen.seen]


def story(seen: SeatView) -> list[str]:
    return [line.text for line in tell(seen.seen, dict.fromkeys(event.declaration for event in seen.seen), seen.cast)]


@each(
    ("left", "most", "looks"),
    [
        (12, 12, ApparentHealth.UNHURT),
        (11, 12, ApparentHealth.HURT),
        (7, 12, ApparentHealth.HURT),
        (6, 12, ApparentHealth.BLOODIED),
        (4, 12, ApparentHealth.BLOODIED),
        (3, 12, ApparentHealth.NEARLY_DOWN),
        (1, 12, ApparentHealth.NEARLY_DOWN),
        (0, 12, ApparentHealth.DOWN),
        (1, 1, ApparentHealth.UNHURT),
    ],
)
def test_health_has_five_words(left: int, most: int, looks: ApparentHealth) -> None:
    combatant = drill().battle.combatants["snig"]
    combatant.vitals["hp"] = Vital(left, most)
    assert health_of(combatant) is looks


def test_fatigue_does_not_show() -> None:
    made = Drill("action_points")
    made.join(sorted(made.ruleset.sheets())[0], "Mira")
    mira: Combatant = made.battle.combatants["mira"]
    mira.vitals["fat"].current = 0
    assert health_of(mira) is ApparentHealth.UNHURT
    mira.vitals["vit"].current = 0
    assert health_of(mira) is ApparentHealth.DOWN


@pytest.mark.parametrize(
    ("said", "seat"),
    [
        ("gm", Seat(Role.GM)),
        ("players", Seat(Role.PLAYERS, side="heroes")),
        ("players:foes", Seat(Role.PLAYERS, side="foes")),
        ("player: rurik, mira", Seat(Role.PLAYER, frozenset({"rurik", "mira"}))),
        ("spectator", Seat(Role.SPECTATOR)),
        ("auditor", Seat(Role.AUDITOR)),
    ],
)
def test_a_seat_is_said_in_words(said: str, seat: Seat) -> None:
    assert Seat.read(said) == seat


@pytest.mark.parametrize("said", ["", "player", "player:", "gm:rurik", "spectator:foes", "referee", "players:"])
def test_anything_else_is_no_seat(said: str) -> None:
    with pytest.raises(Problem) as problem:
        Seat.read(said)
    assert problem.value.code == "view/unknown-seat"


@by_every_ruleset
def test_foes_are_seen_without_numbers_and_the_hidden_not_at_all(ruleset: str) -> None:
    seen = drill(ruleset).seen_by("players")
    (snig,) = all_of(seen.seen, SeenJoined)
    assert (snig.name, snig.position, snig.health) == ("Snig", (2, 1), ApparentHealth.UNHURT)
    (order,) = all_of(seen.seen, SeenInitiative)
    assert [(place.combatant, place.value) for place in order.order] == [("rurik", 22), ("snig", None)]
    assert list(seen.battle.combatants) == ["rurik", "snig"]
    outline = seen.battle.combatants["snig"]
    assert isinstance(outline, CombatantOutline)
    assert (outline.sheet, outline.vitals, dict(outline.economy)) == ({}, {}, {})
    assert list(seen.cast.names) == ["rurik", "snig"]


def test_an_attack_on_a_foe_shows_the_roll_and_not_the_armour_class() -> None:
    made = drill()
    made.do("rurik", "attack")
    made.do("rurik", "strike", target="snig", dice=[15, 1])  # 4 of 7 hp: 3 are left, less than half
    seen = made.seen_by("players")
    (attack,) = all_of(seen.seen, SeenAttack)
    assert (attack.total, attack.against, attack.hit) == (20, None, True)
    (hurt,) = all_of(seen.seen, SeenHurt)
    assert hurt.health is ApparentHealth.BLOODIED
    assert story(seen)[-1] == "Rurik strikes Snig with a longsword: 20, hit; Snig takes damage and is bloodied"


def test_a_foes_dice_stay_behind_the_screen() -> None:
    made = drill()
    made.end_turn("rurik")
    made.do("snig", "attack")
    made.do("snig", "strike", target="rurik", dice=[19, 3])  # 3 and 2 for dexterity
    seen = made.seen_by("players")
    (attack,) = all_of(seen.seen, SeenAttack)
    assert (attack.roll, attack.total, attack.against) == (None, None, 16)
    (damaged,) = all_of(seen.seen, Damaged)
    assert (damaged.amount, damaged.left, damaged.parts) == (5, 7, ())
    assert story(seen)[-1] == "Snig strikes Rurik with a scimitar: hit; Rurik loses 5 hp (7 left)"


@by_every_ruleset
def test_a_blow_from_the_dark_has_no_name(ruleset: str) -> None:
    made = drill(ruleset)
    made.end_turn("rurik")
    made.end_turn("snig")
    made.do("grak", "attack")
    made.do("grak", "strike", target="rurik", weapon="javelin", dice=[17, 1, 1])  # 2 and 4 for strength
    seen = made.seen_by("players")
    assert story(seen)[-1] == "Someone unseen attacks Rurik (hit); Rurik loses 6 hp (6 left)"
    assert "grak" not in " ".join(sentences(seen)).lower()
    assert seen.battle.clock.turn is None


@by_every_ruleset
def test_somebody_is_seen_from_the_moment_it_is_revealed(ruleset: str) -> None:
    made = drill(ruleset)
    reveal(made, "grak")
    seen = made.seen_by("players")
    appears = {"dnd5e": "Grak comes into sight", "veiled5e": "Grak is no longer veiled"}
    assert sentences(seen)[-1] == appears[ruleset]
    assert "grak" in seen.battle.combatants
    assert [event for event in all_of(seen.seen, SeenJoined) if event.combatant == "grak"] == []


@by_every_ruleset
def test_what_is_revealed_can_be_concealed_again_and_that_can_be_undone(ruleset: str) -> None:
    made = drill(ruleset)
    conceal(made, "snig")
    assert list(made.seen_by("players").battle.combatants) == ["rurik"]
    made.apply(made.plan(Undo(reason="everybody saw it")))
    assert list(made.seen_by("players").battle.combatants) == ["rurik", "snig"]


@pytest.mark.parametrize(
    ("command", "who", "code"), [("reveal", "snig", "reveal/known"), ("conceal", "grak", "reveal/unrevealed")]
)
def test_nobody_is_revealed_or_concealed_twice(command: str, who: str, code: str) -> None:
    assert drill().refusal("gm", command, target=who).code == code


@by_every_ruleset
def test_players_do_not_see_that_something_unseen_is_taken_back(ruleset: str) -> None:
    made = drill(ruleset)
    made.end_turn("rurik")
    made.end_turn("snig")
    made.do("grak", "move", to=(6, 6))
    before = len(made.seen_by("players").seen)
    made.apply(made.plan(Undo(reason="Grak stays where it is")))
    assert len(made.seen_by("players").seen) == before


@by_every_ruleset
def test_players_see_that_something_seen_is_taken_back_but_not_why(ruleset: str) -> None:
    made = drill(ruleset)
    made.do("rurik", "dodge")
    made.apply(made.plan(Undo(reason="Grak would have seen it")))
    (undone,) = all_of(made.seen_by("players").seen, Undone)
    assert undone.reason == ""
    assert in_words(undone) == f"The GM takes back declaration {undone.retracts[0]}"


@by_every_ruleset
def test_a_player_sees_everything_of_its_side_and_the_gm_everything(ruleset: str) -> None:
    made = drill(ruleset)
    assert list(made.seen_by("player:snig").battle.combatants) == ["rurik", "snig", "grak"]
    assert made.seen_by("gm").seen == made.history()
    assert made.seen_by("auditor").battle.combatants["snig"].sheet


@by_every_ruleset
def test_a_spectator_sees_everybody_by_sight(ruleset: str) -> None:
    seen = drill(ruleset).seen_by("spectator")
    assert [type(combatant) for combatant in seen.battle.combatants.values()] == [CombatantOutline, CombatantOutline]


def test_players_are_not_told_the_seed_of_the_dice() -> None:
    made = Drill(dice="seed:4711")
    seen = made.seen_by("players")
    assert "4711" not in repr(seen.seen) + repr(seen.battle.encounter)


@by_every_ruleset
def test_what_the_gm_says_when_somebody_joins_is_not_for_players(ruleset: str) -> None:
    seen = drill(ruleset).seen_by("players")
    joins = [event for event in all_of(seen.seen, Declared) if event.action == "core:time:join"]
    assert [event.options for event in joins] == [{}, {}]


def cards(owner: str, origin: str | None, to: str | None) -> Event:
    return sample("cards_moved", owner=owner, cards=("Parry", "Lunge"), origin=origin, to=to)


@pytest.mark.parametrize(
    ("owner", "origin", "to", "names"),
    [
        ("rurik", "deck", "hand", True),
        ("rurik", None, "deck", False),
        ("snig", "deck", "hand", False),
        ("snig", "hand", "discard", True),
    ],
)
def test_cards_are_seen_where_they_lie_face_up(owner: str, origin: str | None, to: str, names: bool) -> None:
    seen = redacted(cards(owner, origin, to), drill().seen_by("players").viewer)
    assert isinstance(seen, CardsMoved if names else SeenCards)
    if isinstance(seen, SeenCards):
        assert seen.count == 2


@pytest.mark.parametrize(
    ("seat", "reaction"),
    [
        ("players", "skirmish:secret:unknown"),
        ("players:foes", "skirmish:secret:blitz"),
        ("gm", "skirmish:secret:blitz"),
    ],
)
def test_what_somebody_chooses_face_down_is_not_seen_by_others(seat: str, reaction: str) -> None:
    chosen = sample("reaction_chosen", reactor="snig", reaction="skirmish:secret:blitz")
    seen = redacted(chosen, drill().seen_by(seat).viewer)
    assert isinstance(seen, ReactionChosen)
    assert seen.reaction == reaction


def test_whoever_hides_is_out_of_sight_until_it_attacks() -> None:
    made = Drill(map=["....", ".##.", "...."])
    made.join("fighter", "Rurik", (0, 0))
    made.join("goblin", "Snig", (2, 2), side="foes")
    made.start(dice=[1, 20])
    made.do("snig", "hide", dice=[20])
    assert list(made.seen_by("players").battle.combatants) == ["rurik"]
    assert list(made.seen_by("players:foes").battle.combatants) == ["rurik", "snig"]


@by_every_ruleset
@pytest.mark.parametrize(("hidden", "seen"), [(True, 0), (False, 2)])
def test_a_ruling_that_settles_what_somebody_unseen_did_is_not_seen(ruleset: str, hidden: bool, seen: int) -> None:
    """If the bat is seen, so are the declaration of the ruling and the ruling."""
    change = {"name": "change", "archetype": "by_hand", "text": "It turns into a bat."}
    made = Drill(ruleset)
    made.join("fighter", "Rurik", (1, 1))
    join = join_unseen if hidden else partial(Drill.join, side="foes")
    join(made, "ogre", "Grak", (5, 5), overrides={"actions": [change]})
    made.start(dice=[1, 20])
    (question,) = all_of(made.do("grak", "change"), ManualResolutionNeeded)
    before = made.seen_by("players").last
    made.rule(note="it flies away", answers=question.seq, reason="why not")
    assert made.seen_by("players").last - before == seen


@by_every_ruleset
def test_what_somebody_unseen_did_is_not_seen_when_a_correction_keeps_it_as_a_ruling(ruleset: str) -> None:
    """Grak dashes and runs 50 feet; the dash is taken back, and the run stands."""
    made = drill(ruleset)
    made.end_turn("rurik")
    made.end_turn("snig")
    before = made.seen_by("players").last
    (dash, *_) = made.do("grak", "dash")
    made.do("grak", "move", to=(5, 15))
    made.apply(made.plan(Undo(dash.seq, reason="it walked", impossible="keep")))
    assert "core:ruling:uphold" in [event.action for event in made.history() if isinstance(event, Declared)]
    assert made.battle.combatants["grak"].position == (5, 15)
    assert made.seen_by("players").last == before
