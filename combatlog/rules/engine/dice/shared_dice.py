"""Shared dice: every face is derived from a secret link of the host and one of a player; no one knows both in advance.

A roll first records its purpose and the hash of the host's link, and waits. Then the player reveals a link without
knowing the host's, which is revealed with the faces. docs/dice.md describes the whole protocol.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Never
from uuid import UUID

from combatlog.rules.engine.dice.dice_notation import DiceFormula, Die
from combatlog.rules.engine.dice.dice_sources import PlainDice, face_at, usable
from combatlog.rules.engine.refusal import Refusal
from ledger.events import Contribution, Face, FaceOrigin, LinkAsked, LinkRevealed, LinkWithheld
from projections.battle.dice import HOST
from projections.battle.fold import Battle

Answered = LinkRevealed | LinkWithheld


def host_link(seed: bytes, encounter: UUID, number: int) -> bytes:
    """The host's link for the question with this number.

    Unlike the players' links, the host's are not a hash chain: in a chain, the link of a public roll would reveal the
    links of all earlier rolls, including those behind the GM's screen.
    """
    return hmac.digest(seed, f"{encounter}:link:{number}".encode(), "sha256")


def shared_face(die: Die, links: Sequence[bytes], index: int) -> Face:
    """Derived from the SHA-256 of the links and the die's place in the roll."""
    return face_at(die, sha256(b"".join(links) + index.to_bytes(4, "big")).digest())


def shared_faces(dice: Sequence[Die], contributions: Sequence[Contribution], after: int = 0) -> list[Face]:
    links = [bytes.fromhex(contribution.secret) for contribution in contributions]
    return [shared_face(die, links, after + index) for index, die in enumerate(dice)]


@dataclass(slots=True)
class SharedDiceSource(PlainDice):
    """The source of an encounter's shared dice. Each roll asks a player first: see `SharedRoll`."""

    seed: bytes | None = None
    encounter: UUID | None = None
    is_revealed: bool = False
    origin: FaceOrigin = FaceOrigin.SHARED

    def faces(
        self, dice: Sequence[Die], seq: int, purpose: str, after: int = 0, number: int | None = None
    ) -> list[Face]:
        """Refuse: only corrections get here, and a correction cannot wait for a player."""
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
    """The dice of one roll: the question that it asked, and the answer."""

    source: SharedDiceSource
    purpose: str
    ask: Callable[[], Never]
    """Records the question and waits for the answer."""
    asked: LinkAsked | None
    answer: Answered | None
    contributions: tuple[Contribution, ...] | None = field(default=None, init=False)
    """The links from which the faces are derived; None: no face was needed."""
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
    """The player's contribution; empty if the link was withheld."""
    return (Contribution(party=answer.party, secret=answer.secret),) if isinstance(answer, LinkRevealed) else ()


def question(
    battle: Battle, source: SharedDiceSource, seq: int, purpose: str, roller: str, notation: DiceFormula
) -> dict[str, Any]:
    """The fields of the question to a player. They contain the hash of the host's link, which fixes it in advance."""
    present = {combatant.id for combatant in battle.present()}
    party = battle.links.party_of(roller, present)
    if party is None:
        raise Refusal(
            "dice/nobody-seated",
            f"The {purpose} roll needs a link from a player, and no player has committed to a chain yet; have a player "
            "commit to one first, or roll real dice and give the faces.",
            purpose=purpose,
        )
    binding = sha256(source.link(seq, purpose, notation.dice)).hexdigest()
    return {"purpose": purpose, "roller": roller, "notation": notation.text, "party": party, "binding": binding}
