"""Shared dice under attack, by a host who rewrites the record and gets every hash right.

Each attack changes events of a fight that was played in order, and the check of the dice names the event.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from combatlog import Chain, Keeper, Undo
from combatlog.rules.engine.dice.shared_dice import shared_faces
from combatlog.rules.verification.dice_fairness import unfair
from combatlog.rules.verification.retracted_rolls import retracted_rolls
from combatlog.testing import Drill, all_of
from ledger.events import (
    EncounterClosed,
    EncounterOpened,
    Event,
    FaceOrigin,
    LinkAsked,
    LinkRevealed,
    LinksCommitted,
    LinkWithheld,
    Rolled,
)

OTHER = sha256(b"another secret").hexdigest()


@pytest.fixture
def events(tmp_path: Path) -> list[Event]:
    """Two players have sat down; Rurik strikes, Snig strikes back, and the fight is closed."""
    keeper, drill = Keeper(tmp_path), Drill(dice="shared")
    for place, name in enumerate(("Rurik", "Mira")):
        drill.join("fighter", name, (3, 2 + place), overrides={"hp": 500})
        keeper.sit(drill, name)
    drill.join("goblin", "Snig", (4, 2), side="foes", overrides={"hp": 500})
    drill.start(dice=[20, 1, 10])
    for who, whom in (("rurik", "snig"), ("snig", "rurik")):
        drill.do(who, "attack")
        drill.do(who, "strike", target=whom)
        keeper.answer(drill)
        drill.end_turn(who)
    drill.roll("1d20", "luck", who="rurik")  # whatever was hit, Rurik's player reveals twice
    keeper.answer(drill)
    drill.conclude()
    assert list(unfair(drill.history())) == []
    return drill.history()


def change(events: list[Event], kind: type[Event], **changes: object) -> int:
    """Change the first event of a kind, as somebody who can make new hashes would. Returns its number."""
    at = next(at for at, event in enumerate(events) if isinstance(event, kind) and _is_shared(event))
    events[at] = events[at].model_copy(update=changes)
    return at + 1


def _is_shared(event: Event) -> bool:
    return not isinstance(event, Rolled) or event.dice_source is FaceOrigin.SHARED


def first_roll(events: list[Event]) -> Rolled:
    return next(roll for roll in all_of(events, Rolled) if roll.contributions)


def another_face(events: list[Event]) -> int:
    face = first_roll(events).faces[0]
    return change(events, Rolled, faces=(face % 20 + 1 if isinstance(face, int) else face,))


def another_face_and_the_host_link_for_it(events: list[Event]) -> int:
    host, player = first_roll(events).contributions or ()
    links = (host.model_copy(update={"secret": OTHER}), player)
    from combatlog.rules.engine.dice.dice_notation import parse

    return change(events, Rolled, contributions=links, faces=tuple(shared_faces(parse("1d20").dice, links)))


def a_player_link_of_the_hosts_own(events: list[Event]) -> int:
    return change(events, LinkRevealed, secret=OTHER)


def a_link_that_was_revealed_before(events: list[Event]) -> int:
    first = all_of(events, LinkRevealed)[0]
    at = next(event.seq for event in all_of(events, LinkRevealed)[1:] if event.party == first.party)
    events[at - 1] = events[at - 1].model_copy(update={"secret": first.secret})
    return at


def a_refusal_that_hides_a_link(events: list[Event]) -> int:
    """The host saw the link, and rolls alone. The roll still names the link, or its face does not follow."""
    revealed = all_of(events, LinkRevealed)[0]
    data = revealed.model_dump(exclude={"kind", "secret"})
    events[revealed.seq - 1] = LinkWithheld(**data)
    return first_roll(events).seq


def another_player_asked(events: list[Event]) -> int:
    asked = all_of(events, LinkAsked)[0]
    return change(events, LinkAsked, party="mira" if asked.party == "rurik" else "rurik")


def another_link_fixed(events: list[Event]) -> int:
    return change(events, LinkAsked, binding=OTHER)


def dice_of_its_own(events: list[Event]) -> int:
    return change(events, Rolled, dice_source=FaceOrigin.RNG, contributions=None, drawn=None)


def no_links_at_all(events: list[Event]) -> int:
    return change(events, Rolled, contributions=None, drawn=None)


def no_link_of_the_player(events: list[Event]) -> int:
    return change(events, Rolled, contributions=(first_roll(events).contributions or ())[:1])


def a_roll_with_the_links_of_another(events: list[Event]) -> int:
    first, *others = [roll for roll in all_of(events, Rolled) if roll.contributions]
    second = next((roll for roll in others if roll.purpose == first.purpose), others[-1])
    links = {"drawn": first.drawn, "contributions": first.contributions, "faces": first.faces}
    events[second.seq - 1] = second.model_copy(update=links)
    return second.seq


def another_anchor(events: list[Event]) -> int:
    change(events, LinksCommitted, anchor=Chain.new(8).anchor)
    return next(event.seq for event in all_of(events, LinkRevealed) if event.party == "rurik")


def another_seed(events: list[Event]) -> int:
    return change(events, EncounterClosed, seed=OTHER)


def a_seed_and_a_commitment_that_suit(events: list[Event]) -> int:
    """The links do not follow from it: they were chosen as it suited."""
    change(events, EncounterClosed, seed=OTHER)
    change(events, EncounterOpened, commitment=sha256(bytes.fromhex(OTHER)).hexdigest())
    return all_of(events, LinkAsked)[0].seq


def no_commitment(events: list[Event]) -> int:
    return change(events, EncounterOpened, commitment=None)


ATTACKS = (
    another_face,
    another_face_and_the_host_link_for_it,
    a_player_link_of_the_hosts_own,
    a_link_that_was_revealed_before,
    a_refusal_that_hides_a_link,
    another_player_asked,
    another_link_fixed,
    dice_of_its_own,
    no_links_at_all,
    no_link_of_the_player,
    a_roll_with_the_links_of_another,
    another_anchor,
    another_seed,
    a_seed_and_a_commitment_that_suit,
    no_commitment,
)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_every_attack_is_named(events: list[Event], attack: Callable[[list[Event]], int]) -> None:
    assert attack(events) in [seq for seq, _ in unfair(events)]


def test_any_flipped_digit_of_a_link_is_found(events: list[Event]) -> None:
    """Whoever's link it is, in whichever event."""
    for at, event in enumerate(events):
        for name in ("secret", "binding"):
            value = getattr(event, name, None)
            if isinstance(value, str):
                flipped = value[:-1] + ("0" if value[-1] != "0" else "1")
                changed = [*events[:at], event.model_copy(update={name: flipped}), *events[at + 1 :]]
                assert list(unfair(changed)), (event.seq, name)


def test_rolling_again_until_it_suits_is_listed(tmp_path: Path) -> None:
    keeper, drill = Keeper(tmp_path), Drill(dice="shared")
    drill.join("fighter", "Rurik", (3, 2))
    keeper.sit(drill, "rurik")
    for _ in range(3):
        drill.roll("1d20", purpose="luck", who="rurik")
        keeper.answer(drill)
        drill.apply(drill.plan(Undo()))
    listed = retracted_rolls(drill.history(), drill.battle.id)
    assert [(taken.shared, taken.times) for taken in listed] == [(True, 1)] * 3
    assert list(unfair(drill.history())) == []
