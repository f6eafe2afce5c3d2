"""The document of a page: folding its changes gives the state at every event."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import combatlog
from combatlog import Undo
from combatlog.rules.content.scenario import play_in_memory, read_scenario
from combatlog.testing import Drill
from combatlog.web.page_state import page_state
from combatlog.web.replay_document import replay_document
from combatlog.web.state_deltas import StateDeltas, applied
from ledger.events import Data, Event
from projections.battle.fold import Battle, fold
from projections.battle.timeline import standing
from projections.views import Seat, SeatView
from tests.cases import each
from tests.effort import examples
from tests.randomplay import correct_at_random, random_fight
from tests.support import protected_duel

SCENARIOS = sorted((Path(__file__).parents[2] / "scenarios").glob("**/*.yaml"))
GM = Seat.read("gm")
SEATS = (GM, Seat.read("players"), Seat.read("spectator"))


def states(document: Data, track: str = "recorded") -> list[Data]:
    """What a page works out: the changes, one after the other."""
    recorded = document["recorded"]
    changes = recorded
    if track == "counting" and "counting" in document:
        order, other = document["counting"]["order"], document["counting"]["changes"]
        other = {int(number): made for number, made in other.items()}
        changes = [other.get(number, recorded[place]) for number, place in enumerate(order)]
    found: list[Data] = []
    state: Data = {}
    for made in changes:
        state = applied(state, made or [], document["paths"])
        found.append(state)
    return found


def seen_after(events: Sequence[Event], seat: Seat) -> list[Data]:
    """The state as the seat sees it after each event that it sees; and without those who are gone unseen after it."""
    onlooker = SeatView(seat)
    found: list[Data] = []
    for event in events:
        is_seen = onlooker.see(event) is not None
        state = page_state(onlooker.battle, onlooker.cast) if is_seen or found else {}
        if is_seen:
            found.append(state)
        elif found and found[-1].get("who", {}).keys() - state.get("who", {}).keys():
            found[-1] = state
    return found


@pytest.mark.slow
@each("path", SCENARIOS[::4], ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_changes_give_the_state_at_every_event(path: Path) -> None:
    events = play_in_memory(read_scenario(path))[0].events
    for seat in SEATS:
        assert states(replay_document(events, seat)) == seen_after(events, seat)


@examples(5)
@given(seed=st.integers(0, 10_000), chance=st.randoms(use_true_random=False))
@example(seed=1321, chance=Random(1))  # an amendment that places two runs: after the first, what is between them counts
def test_both_tracks_of_a_corrected_fight(seed: int, chance: Random) -> None:
    """As it was believed: a fold up to each event. As it counts: what stands, one event after the other."""
    fight = random_fight(seed, 20)
    for _ in range(2):
        correct_at_random(fight, chance, 10)
    events, cast = fight.events, SeatView(GM, fight.events).cast
    document = replay_document(events, GM)
    assert states(document) == [page_state(fold(events[: at + 1]), cast) for at in range(len(events))]
    battle, counting = Battle(), []
    for event in standing(events):
        battle.apply(event)
        counting.append(page_state(battle, cast))
    assert states(document, "counting") == counting


leaves = st.integers(0, 3) | st.sampled_from([[1], [2, 3], "a", True])
parts = st.dictionaries(st.sampled_from("abc"), leaves, max_size=2)
changing = st.dictionaries(st.sampled_from("abc"), leaves | parts | st.fixed_dictionaries({"a": parts}), max_size=3)


@examples(50)
@given(before=changing, after=changing)
def test_changes_lead_from_any_state_to_any_other(before: Data, after: Data) -> None:
    changes = StateDeltas()
    made = changes.between(before, after)
    assert applied(before, made, changes.paths.entries) == after


def strike() -> Drill:
    """Snig strikes Rurik with disadvantage, because Osric protects him."""
    drill = protected_duel()
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik", replies={"osric": "protection"}, dice=[15, 8])
    return drill


def rows(document: Data, kind: str) -> list[Data]:
    """What the events of a kind have besides their envelope, with the sentence."""
    texts = document["texts"]
    found = [row for row in document["events"] if texts[row[1]] == kind]
    return [{"words": texts[row[7]], **(row[8] if len(row) > 8 else {})} for row in found]


def test_a_roll_has_its_faces_and_which_of_them_count() -> None:
    document = strike().seen_by().replay_document()
    notation, purpose, faces, kept, added, total, _, named = rows(document, "rolled")[-1]["dice"]
    assert (document["texts"][notation], document["texts"][purpose]) == ("2d20kl1", "attack")
    assert (faces, kept, added, total, named) == ([15, 8], [0, 1], 4, 12, 0)


def test_a_roll_refers_to_the_modifiers_that_counted() -> None:
    document = strike().seen_by().replay_document()
    texts, by_seq = document["texts"], {row[0]: row for row in document["events"]}
    counted = [by_seq[seq][8]["change"] for seq in rows(document, "rolled")[-1]["counted"]]
    assert [[texts[part] for part in change[1:5]] for change in counted] == [
        ["base", "+2", "dex", "Snig"],
        ["base", "+2", "proficiency", "Snig"],
        ["features", "disadvantage", "protection", "Osric"],
    ]


def test_an_attack_is_drawn_as_a_line_with_its_outcome() -> None:
    assert rows(strike().seen_by().replay_document(), "attack_resolved")[0]["draw"][:4] == [
        "attack",
        "snig",
        "rurik",
        0,
    ]


def test_an_opportunity_attack_is_named_on_the_map() -> None:
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.start(dice=[5, 20])
    drill.do("snig", "move", to=(4, 1), replies={"rurik": "opportunity_attack"}, dice=[3])
    document = drill.seen_by().replay_document()
    attack = rows(document, "attack_resolved")[0]["draw"]
    assert document["texts"][attack[4]] == "opportunity attack"
    assert [row["draw"] for row in rows(document, "moved")] == [
        ["step", "snig", (2, 1), (3, 1), 0],
        ["step", "snig", (3, 1), (4, 1), 0],
    ]


def test_cover_is_named_on_the_line_of_the_attack() -> None:
    """A creature in the way is half cover."""
    drill = Drill()
    drill.join("goblin", "Snig", (0, 1), side="foes")
    drill.join("fighter", "Rurik", (6, 1))
    drill.join("wolf", "Fang", (3, 1))
    drill.start(dice=[20, 2, 1])
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik", weapon="shortbow", dice=[2])
    document = drill.seen_by().replay_document()
    attack = rows(document, "attack_resolved")[0]["draw"]
    assert (document["texts"][attack[4]], attack[5]) == ("cover +2", 1)


def test_a_correction_says_who_why_and_what_it_changed() -> None:
    drill = strike()
    drill.apply(drill.plan(Undo(by="gm", reason="wrong target")))
    document = drill.seen_by().replay_document()
    texts, (correction,) = document["texts"], document["corrections"]
    assert (texts[correction["by"]], texts[correction["reason"]]) == ("gm", "wrong target")
    assert correction["retracts"] == [22]
    assert "Osric gets the reaction back" in [texts[change] for change in correction["changes"]]
    assert {row[8].get("gone") for row in document["events"] if row[2] == 22} == {correction["seq"]}


def test_what_kept_a_reaction_out_is_said_for_each_attack() -> None:
    drill = protected_duel()
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="osric", dice=[2])
    document = drill.seen_by().replay_document()
    texts, said = document["texts"], document["why_not"][22]
    assert "protection" in [texts[number] for number in said[::2]]


def test_what_verifying_found_is_told_and_when(opened: combatlog.Ledger, fight: combatlog.RecordedFight) -> None:
    checked = fight.seen_by().replay_document()["checked"]
    assert (checked["stands"], checked["findings"]) == (True, [])
    assert checked["summary"].endswith("Checked: 17 events, 4 declarations.")
    assert "17" not in fight.seen_by("players").replay_document()["checked"]["summary"]


def test_a_fight_that_another_tool_recorded(opened: combatlog.Ledger, tmp_path: Path) -> None:
    log = tmp_path / "session.txt"
    log.write_text("Rurik: attack 1d20 (15) + 5 = 20\nOsric rolls 1d20+5 = 18\n")
    opened.import_log("dice", [log])
    fight = opened.fight("session")
    document = fight.seen_by().replay_document()
    assert [roll["dice"][2] for roll in rows(document, "rolled")] == [[15], []]
    assert states(document) == seen_after(fight.history(), GM)
