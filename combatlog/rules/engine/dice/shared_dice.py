"""Shared dice: every face follows from a link of the host's chain and one of a player's, and nobody knows both before.

A roll first records what it is for and the hash of the host's link, and waits. Then the player reveals a link, without
knowing the host's; the host's is revealed with the faces. docs/dice.md has the whole protocol.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Never
from uuid import UUID

from combatlog.rules.engine.dice.notation_and_sources import DiceFormula, Die, PlainDice, face_at, usable
from combatlog.rules.engine.refusal import Refusal
from ledger.events import Contribution, Face, FaceOrigin, LinkAsked, LinkRevealed, LinkWithheld
from projections.battle.dice import HOST
from projections.battle.fold import Battle

Answered = LinkRevealed | LinkWithheld


def host_link(seed: bytes, encounter: UUID, number: int) -> bytes:
    """The host's link for the question with this number.

    It is no chain of hashes, as players have: with one of those, the link of a roll that everybody sees would tell the
    links of all rolls before it, also of those behind the screen.
    """
    return hmac.digest(seed, f"{encounter}:link:{number}".encode(), "sha256")


def shared_face(die: Die, links: Sequence[bytes], index: int) -> Face:
    """From the SHA-256 over the links and the die's place in the roll."""
    return face_at(die, sha256(b"".join(links) + index.to_bytes(4, "big")).digest())


def shared_faces(dice: Sequence[Die], contributions: Sequence[Contribution], after: int = 0) -> list[Face]:
    links = [bytes.fromhex(contribution.secret) for contribution in contributions]
    return [shared_face(die, links, after + index) for index, die in enumerate(dice)]


@dataclass(slots=True)
class SharedDiceSource(PlainDice):
    """Where an encounter's shared dice come from. Each roll asks a player first: see `SharedRoll`."""

    seed: bytes | None = None
    encounter: UUID | None = None
    is_revealed: bool = False
    origin: FaceOrigin = FaceOrigin.SHARED

    def faces(
        self, dice: Sequence[Die], seq: int, purpose: str, after: int = 0, number: int | None = None
    ) -> list[Face]:
        """For a correction, which is made at once or not at all."""
        raise Refusal(
            "dice/never-rolled",
            f"The {purpose} roll needs dice that were never rolled, and a correction cannot wait for a player's link; "
            "roll real dice and give the faces.",
            purpose=purpose,
            dice=[die.name for die in dice],
        )

    def link(self, number: int, purpose: str, dice: Sequence[Die]) -> bytes:
        seed = usable(self.seed, self.is_revealed, purpose, dice)
        assert self.encounter is not None
        return host_link(seed, self.encounter, number)


@dataclass(slots=True)
class SharedRoll(PlainDice):
    """The dice of one roll: the question that it asked, and what came of it."""

    source: SharedDiceSource
    purpose: str
    ask: Callable[[], Never]
    """Records the question, and waits."""
    asked: LinkAsked | None
    answer: Answered | None
    contributions: tuple[Contribution, ...] | None = field(default=None, init=False)
    """The links that the faces follow from; None: no face was needed."""
    origin: FaceOrigin = FaceOrigin.SHARED

    def number(self, held: int | None) -> int | None:
        if self.asked is None:
            self.ask()
        return self.asked.number

    def faces(
        self, dice: Sequence[Die], seq: int, purpose: str, after: int = 0, number: int | None = None
    ) -> list[Face]:
        assert number is not None
        host = Contribution(party=HOST, secret=self.source.link(number, purpose, dice).hex())
        self.contributions = (host, *contribution_of(self.answer))
        return shared_faces(dice, self.contributions, after)


def contribution_of(answer: Answered | None) -> tuple[Contribution, ...]:
    """What a player has a part in; nothing if the link was withheld."""
    return (Contribution(party=answer.party, secret=answer.secret),) if isinstance(answer, LinkRevealed) else ()


def question(
    battle: Battle, source: SharedDiceSource, seq: int, purpose: str, roller: str, notation: DiceFormula
) -> dict[str, Any]:
    """What is asked, of whom. The host's link is fixed by its hash before anybody can answer."""
    present = {combatant.id for combatant in battle.present()}
    party = battle.links.party_of(roller, present)
    if party is None:
        raise Refusal(
            "dice/nobody-seated",
            f"The {purpose} roll needs a link of a player, and nobody has sat down with a chain yet; a player has to "
            "sit down first, or roll real dice and give the faces.",
            purpose=purpose,
        )
    binding = sha256(source.link(seq, purpose, notation.dice)).hexdigest()
    return {"purpose": purpose, "roller": roller, "notation": notation.text, "party": party, "binding": binding}
