"""Shared dice: a roll waits for a player's link, and its faces follow from that and the host's."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatlog import Amend, Chain, Forgotten, Keeper, Redo, Undo
from combatlog.messages.commands import GiveLink, Sit
from combatlog.rules.engine.dice.dice_notation import Die
from combatlog.rules.engine.dice.shared_dice import host_link, shared_face
from combatlog.rules.verification.dice_fairness import shared_report
from combatlog.rules.verification.verify import check_declarations, check_dice
from combatlog.testing import Drill, all_of, only
from ledger.errors import Problem
from ledger.events import (
    AttackResolved,
    Event,
    FaceOrigin,
    LinkAsked,
    LinkRevealed,
    LinkWithheld,
    Rolled,
)
from projections.battle.dice import HOST
from projections.battle.fold import fold
from projections.battle.snapshots import battle_to_bytes
from tests.effort import examples

D20 = Die.with_sides(20)


@pytest.fixture
def keeper(tmp_path: Path) -> Keeper:
    return Keeper(tmp_path / "chains")


def fight_of(*players: str) -> Drill:
    drill = Drill(dice="shared")
    for place, name in enumerate(players):
        drill.join("fighter", name, (3, 2 + place), overrides={"hp": 500})
    drill.join("goblin", "Snig", (4, 2), side="foes", overrides={"hp": 500})
    return drill


@pytest.fixture
def fight(keeper: Keeper) -> Drill:
    """Rurik's player has sat down, the fight has begun, and the order of turns is set by the GM."""
    drill = fight_of("Rurik")
    keeper.sit(drill, "rurik")
    drill.start(dice=[20, 1])
    drill.do("rurik", "attack")
    return drill


def strike(drill: Drill) -> None:
    drill.do("rurik", "strike", target="snig")


def findings(events: list[Event]) -> list[str]:
    return [*(finding.problem for finding in check_declarations(events)), *(f.problem for f in check_dice(events))]


def test_a_roll_waits_with_the_hosts_link_fixed(fight: Drill) -> None:
    events = fight.do("rurik", "strike", target="snig").events
    asked = only(events, LinkAsked)
    assert (asked.purpose, asked.roller, asked.notation, asked.party) == ("attack", "rurik", "1d20", "rurik")
    assert all_of(events, Rolled) == []
    assert fight["waiting"] == "rurik"
    seed = fight.fight.seed
    assert seed is not None
    assert asked.binding == sha256(host_link(seed, fight.battle.id, asked.seq)).hexdigest()


def test_the_face_follows_from_both_links(fight: Drill, keeper: Keeper) -> None:
    strike(fight)
    outcome = keeper.answer(fight)[0]
    roll, revealed = all_of(outcome.events, Rolled)[0], only(outcome.events, LinkRevealed)
    assert roll.dice_source is FaceOrigin.SHARED
    assert roll.contributions is not None
    assert [one.party for one in roll.contributions] == [HOST, "rurik"]
    assert roll.contributions[1].secret == revealed.secret
    links = [bytes.fromhex(one.secret) for one in roll.contributions]
    digest = sha256(links[0] + links[1] + bytes(4)).digest()
    assert roll.faces == (1 + int.from_bytes(digest, "big") * 20 // 2**256,)


def test_a_whole_fight_verifies(fight: Drill, keeper: Keeper) -> None:
    strike(fight)
    keeper.answer(fight)
    fight.next_turn()
    fight.do("snig", "attack")
    fight.do("snig", "strike", target="rurik")
    keeper.answer(fight)
    fight.conclude()
    assert len(all_of(fight.history(), AttackResolved)) == 2
    assert findings(fight.history()) == []


def test_every_roll_has_links_of_its_own(fight: Drill, keeper: Keeper) -> None:
    for _ in range(3):
        strike(fight)
        keeper.answer(fight)
        fight.apply(fight.plan(Undo()))
    secrets = [one.secret for roll in all_of(fight.history(), Rolled) for one in roll.contributions or ()]
    assert len(secrets) == len(set(secrets)) >= 6
    assert findings(fight.history()) == []


def test_what_an_undo_takes_back_stays_revealed(fight: Drill, keeper: Keeper) -> None:
    strike(fight)
    keeper.answer(fight)
    spent = all_of(fight.history(), LinkRevealed)[-1].secret
    fight.apply(fight.plan(Undo()))
    assert fight.battle.links.parties["rurik"].last == spent
    strike(fight)
    with pytest.raises(Problem) as refused:
        fight.send(GiveLink("rurik", spent))
    assert refused.value.code == "dice/not-the-next-link"


def test_folding_and_following_know_the_same_links(fight: Drill, keeper: Keeper) -> None:
    strike(fight)
    keeper.answer(fight)
    fight.apply(fight.plan(Undo()))
    assert battle_to_bytes(fold(fight.history())) == battle_to_bytes(fight.battle)


def test_a_correction_keeps_faces_and_links(fight: Drill, keeper: Keeper) -> None:
    strike(fight)
    keeper.answer(fight)
    rolled = all_of(fight.history(), Rolled)[-1]
    fight.apply(fight.plan(Undo()))
    fight.apply(fight.plan(Redo()))
    again = all_of(fight.history(), Rolled)[-1]
    assert again == rolled
    assert findings(fight.history()) == []


def test_the_rest_of_the_table_takes_turns_with_the_gms_dice(keeper: Keeper) -> None:
    drill = fight_of("Rurik", "Mira")
    keeper.sit(drill, "rurik")
    keeper.sit(drill, "mira")
    drill.start(dice=[2, 3, 20])
    asked = []
    for purpose in ("a", "b", "c"):
        drill.roll("1d20", purpose=purpose)
        asked.append(all_of(drill.history(), LinkAsked)[-1].party)
        keeper.answer(drill)
    assert asked == ["rurik", "mira", "rurik"]
    assert findings(drill.history()) == []


def test_a_player_has_a_part_in_the_rolls_of_all_their_combatants(keeper: Keeper) -> None:
    drill = fight_of("Rurik", "Mira")
    keeper.sit(drill, "rurik", "mira")
    drill.start()
    assert [asked.party for asked in all_of(drill.history(), LinkAsked)] == ["rurik"]
    keeper.answer(drill)
    assert {asked.party for asked in all_of(drill.history(), LinkAsked)} == {"rurik"}


def test_withholding_is_on_record(fight: Drill) -> None:
    strike(fight)
    outcome = fight.send(GiveLink("rurik", None, by="gm"))
    withheld, roll = only(outcome.events, LinkWithheld), all_of(outcome.events, Rolled)[0]
    assert withheld.by == "gm"
    assert roll.contributions is not None
    assert [one.party for one in roll.contributions] == [HOST]
    report = shared_report(fight.history(), fight.battle.id)
    assert [(alone.seq, alone.party, alone.withheld_by) for alone in report.alone] == [(roll.seq, "rurik", "gm")]
    assert findings(fight.history()) == []


def test_real_dice_can_take_the_place_of_a_withheld_link(fight: Drill) -> None:
    strike(fight)
    outcome = fight.send(GiveLink("rurik", None, dice=[2], by="gm"))
    roll = only(outcome.events, Rolled)
    assert (roll.faces, roll.dice_source, roll.contributions) == ((2,), FaceOrigin.TABLE, None)
    assert findings(fight.history()) == []


def test_a_link_that_was_never_recorded_leaves_a_gap(fight: Drill, keeper: Keeper) -> None:
    file = keeper.file(fight, "rurik")
    assert file is not None
    file.reveal("ab" * 32)  # to a host who lost it
    strike(fight)
    keeper.answer(fight)
    report = shared_report(fight.history(), fight.battle.id)
    assert [(gap.party, gap.skipped) for gap in report.skipped] == [("rurik", 1)]


def test_a_link_is_revealed_for_one_roll_only(keeper: Keeper) -> None:
    chain = Chain.new(8)
    first = chain.for_roll("aa" * 32)
    assert first.for_roll("aa" * 32) == first
    assert first.for_roll("bb" * 32).revealed == 2
    assert first.for_roll("bb" * 32).for_roll("aa" * 32).revealed == 3
    assert sha256(bytes.fromhex(chain.link(1))).hexdigest() == chain.anchor


def test_a_chain_can_be_used_up() -> None:
    used = Chain.new(1).for_roll("aa" * 32)
    with pytest.raises(Problem, match="new one"):
        used.for_roll("bb" * 32)


def test_chains_are_kept_from_others(fight: Drill, keeper: Keeper) -> None:
    file = keeper.file(fight, "rurik")
    assert file is not None
    assert file.path.stat().st_mode & 0o077 == 0
    assert file.read().secret not in "".join(event.model_dump_json() for event in fight.history())


def test_a_command_id_makes_a_link_harmless_to_repeat(fight: Drill, keeper: Keeper) -> None:
    strike(fight)
    file, window, command = keeper.file(fight, "rurik"), fight.battle.window, uuid4()
    assert file is not None
    assert window is not None
    assert window.binding is not None
    link = file.reveal(window.binding)
    assert not fight.send(GiveLink("rurik", link), command_id=command).repeated
    assert fight.send(GiveLink("rurik", link), command_id=command).repeated


def test_a_player_who_lost_the_chain_sits_down_again(fight: Drill, tmp_path: Path) -> None:
    strike(fight)
    other = Keeper(tmp_path / "another machine")
    other.sit(fight, "rurik")
    assert other.answer(fight)
    report = shared_report(fight.history(), fight.battle.id)
    assert [again.party for again in report.again] == ["rurik"]
    assert findings(fight.history()) == []


@pytest.mark.parametrize(
    ("refused", "code"),
    [
        (lambda drill: drill.send(Sit(["snig"], anchor="ab" * 32)), "dice/not-a-player"),
        (lambda drill: drill.send(Sit(["rurik"], anchor="short")), "message/invalid"),
        (
            lambda drill: drill.send(Sit(["rurik"], anchor=drill.battle.links.parties["rurik"].anchor)),
            "dice/anchor-used",
        ),
        (lambda drill: drill.send(GiveLink("rurik", "ab" * 32)), "declaration/unknown-reaction"),
        (lambda drill: (strike(drill), drill.send(GiveLink("rurik", "ab" * 32))), "dice/not-the-next-link"),
        (lambda drill: (strike(drill), drill.react("rurik", "link")), "declaration/missing-option"),
        (lambda drill: (strike(drill), drill.end_turn("rurik")), "window/waiting"),
        (lambda drill: Drill(dice="heroes=shared,foes=random"), "dice/shared-with-others"),
    ],
)
def test_refusals(fight: Drill, refused: object, code: str) -> None:
    with pytest.raises(Problem) as problem:
        refused(fight)  # type: ignore[operator]
    assert problem.value.code == code


def test_nobody_rolls_before_somebody_sits_down() -> None:
    assert fight_of("Rurik").refusal("gm", "start").code == "dice/nobody-seated"


def test_only_a_fight_with_shared_dice_takes_chains() -> None:
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    assert drill.refusal("rurik", "sit", options={"anchor": "ab" * 32}).code == "dice/not-shared"


def test_a_link_sent_with_the_declaration_is_refused(fight: Drill, keeper: Keeper) -> None:
    """The host would know it before the roll is fixed."""
    file = keeper.file(fight, "rurik")
    assert file is not None
    with pytest.raises(Problem):
        fight.do("rurik", "strike", target="snig", replies={"rurik": "link"})


def test_dice_of_a_correction_that_were_never_rolled_are_real_ones(fight: Drill, keeper: Keeper) -> None:
    strike(fight)
    keeper.answer(fight)
    declared = all_of(fight.history(), Rolled)[-1].declaration
    with pytest.raises(Problem) as refused:
        fight.plan(Amend(declared, add=[Forgotten(what="advantage", source="flanking")]))
    assert refused.value.code == "dice/never-rolled"
    fight.apply(fight.plan(Amend(declared, add=[Forgotten(what="disadvantage", source="smoke")], dice=[1])))
    attack = next(roll for roll in reversed(all_of(fight.history(), Rolled)) if roll.purpose == "attack")
    assert (attack.dice_source, attack.kept) == (FaceOrigin.TABLE, (1,))
    assert findings(fight.history()) == []


def test_a_corrected_roll_keeps_its_faces_its_links_and_its_question(fight: Drill, keeper: Keeper) -> None:
    strike(fight)
    keeper.answer(fight)
    before = next(roll for roll in all_of(fight.history(), Rolled) if roll.purpose == "attack")
    fight.apply(fight.plan(Amend(before.declaration, add=[Forgotten(what="-30", source="curse")])))
    after = next(roll for roll in reversed(all_of(fight.history(), Rolled)) if roll.purpose == "attack")
    assert (after.faces, after.contributions, after.drawn) == (before.faces, before.contributions, before.drawn)
    asked = [asked.first for asked in all_of(fight.history(), LinkAsked) if asked.purpose == "attack"]
    assert asked == [None, before.drawn]
    assert findings(fight.history()) == []


def test_a_correction_of_something_earlier_leaves_a_waiting_roll_waiting(fight: Drill, keeper: Keeper) -> None:
    fight.rule("snig", set={"hp": 400}, reason="a test")
    ruling = fight.history()[-1].declaration
    strike(fight)
    fight.apply(fight.plan(Undo(ruling)))
    assert fight["waiting"] == "rurik"
    keeper.answer(fight)
    assert findings(fight.history()) == []


def test_the_automatic_player_gives_nobodys_links(fight: Drill) -> None:
    steps = list(fight.auto(turns=1))
    assert fight["waiting"] == "rurik"
    assert steps


@examples(60)
@given(st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32), st.integers(0, 255))
def test_any_change_of_a_link_decides_anew(host: bytes, player: bytes, bit: int) -> None:
    """The faces of 64 thousand-sided dice: that none of them changes has a chance of 1 in 10**192."""
    die = Die.with_sides(1000)

    def rolled(*links: bytes) -> list[object]:
        return [shared_face(die, links, index) for index in range(64)]

    def flipped(link: bytes) -> bytes:
        return (int.from_bytes(link, "big") ^ 1 << bit).to_bytes(32, "big")

    faces = rolled(host, player)
    assert faces != rolled(flipped(host), player)
    assert faces != rolled(host, flipped(player))
    assert faces != rolled(host)


def test_every_face_is_equally_likely() -> None:
    """Chi-square over 20,000 rolls of a d20, with 19 degrees of freedom: 43.8 is exceeded once in a thousand times."""
    chain = Chain(secret=sha256(b"a fixed player").hexdigest(), length=20_000)
    seed, encounter = sha256(b"a fixed host").digest(), UUID(int=7)
    links = [bytes.fromhex(link) for link in chain.links()][:20_000]
    faces = Counter(shared_face(D20, [host_link(seed, encounter, n), link], 0) for n, link in enumerate(links))
    assert set(faces) == set(range(1, 21))
    assert sum((count - 1000) ** 2 / 1000 for count in faces.values()) < 43.8
