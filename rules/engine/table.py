"""The table: what a ruleset resolves a declaration against.

It reads the folded battle and records events through verbs. Two verbs bring in what the code cannot know: `roll`
(chance) and `window` (people's choices). Both look on the tape first, and only past its end ask the dice source
or the person. So the same code resolves a declaration live, goes on after a pause, and verifies it years later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar, cast
from uuid import UUID

from ledger.events import (
    Adjustment,
    Controller,
    DecidedBy,
    Event,
    Face,
    FaceOrigin,
    Offer,
    Policy,
    ReactionChosen,
    ReactionDeclined,
    ReactionWindowOpened,
    Ref,
    Rolled,
    RollMode,
    RollModifier,
    same_meaning,
)
from projections.battle import Battle
from projections.combatant import Combatant
from rules.engine.commands import Reply
from rules.engine.dice import DiceSource, Notation, parse
from rules.engine.outcomes import OutcomeRecorder
from rules.engine.refusal import Refusal, choices
from rules.engine.tape import Answered, Tape

E = TypeVar("E", bound=Event)


class Paused(Exception):
    """The resolution waits for a person. What was recorded so far is appended as it is."""


class Diverged(Exception):
    """A resolution that ran again over its tape came to another event than the one on record."""

    def __init__(self, recorded: Event, now: Event) -> None:
        super().__init__(f"event {recorded.seq} was {recorded!r} and would now be {now!r}")
        self.recorded = recorded
        self.now = now


@dataclass(slots=True)
class Circumstances:
    """What a resolution gets from outside: chance, time, people, and what is on record already."""

    dice: DiceSource
    now: datetime
    replies: Sequence[Reply] = ()
    """What people answer, their reactions given by ref."""
    command: UUID | None = None
    """The command that the replies came with."""
    recorded: Sequence[Event] = ()
    """The events from the declaration on, if it has been resolved before. Others' events among them are folded in
    where they happened."""
    tape: Tape = field(default_factory=Tape)
    seed: bytes | None = None
    """The secret of committed dice, which closing reveals."""


class Table(OutcomeRecorder):
    def __init__(self, battle: Battle, circumstances: Circumstances) -> None:
        self.battle = battle
        self.new: list[Event] = []
        self.action: Ref | None = None
        self._given = circumstances
        self._unused_replies = list(circumstances.replies)
        self._passed = 0
        self._declaration = battle.seq + 1
        self._causes: list[int | None] = [None]
        self.adjustments: list[Adjustment] = []
        """Corrections of the declaration's chains that have not been made yet."""

    # Recording

    def record(self, cls: type[E], *, by: str = "system", **payload: Any) -> E:
        """Put an event on record and fold it, so that what follows sees its effect."""
        battle, recorded = self.battle, self.unmatched
        # Validated directly, not by calling the class: this is what a resolution does most.
        event: E = cls.__pydantic_validator__.validate_python(
            {
                "encounter": payload.pop("encounter", None) or battle.id,
                "seq": battle.seq + 1,
                "recorded_at": recorded.recorded_at if recorded is not None else self._given.now,
                "declaration": self._declaration,
                "cause": payload.pop("cause", self._causes[-1]),
                "round": battle.clock.round,
                "turn": battle.clock.turn,
                "by": by,
                **payload,
            }
        )
        if recorded is not None:
            return self._pass(event, recorded)
        self.new.append(event)
        battle.apply(event)
        return event

    def _pass(self, event: E, recorded: Event) -> E:
        """The event is on record already: it must mean the same, and others' events after it happen now.

        What was recorded counts, in the words of then: history stays as it was written.
        """
        if not same_meaning(recorded, event):
            raise Diverged(recorded, event)
        self.battle.apply(recorded)
        self._passed += 1
        while (other := self.unmatched) is not None and other.declaration != self._declaration:
            self.battle.apply(other)
            self._passed += 1
        return cast(E, recorded)

    @property
    def unmatched(self) -> Event | None:
        """The first event on record that this resolution has not come to."""
        recorded = self._given.recorded
        return recorded[self._passed] if self._passed < len(recorded) else None

    @contextmanager
    def because_of(self, event: Event) -> Iterator[None]:
        """Events recorded inside are caused by this one."""
        self._causes.append(event.seq)
        try:
            yield
        finally:
            self._causes.pop()

    def take_adjustments(self, chain: str) -> list[Adjustment]:
        taken = [adjustment for adjustment in self.adjustments if adjustment.chain == chain]
        self.adjustments = [adjustment for adjustment in self.adjustments if adjustment.chain != chain]
        return taken

    # Reading

    def combatant(self, name: str) -> Combatant:
        found = self.battle.combatants.get(name)
        if found is None or not found.present:
            raise Refusal(
                "declaration/unknown-combatant",
                f"There is no {name!r} in this fight; there {'is' if len(self.battle.present()) == 1 else 'are'} "
                f"{choices(c.id for c in self.battle.present())}.",
            )
        return found

    # Chance

    def roll(
        self,
        purpose: str,
        roller: str,
        notation: Notation | str,
        *,
        mode: RollMode = RollMode.NORMAL,
        modifiers: Iterable[RollModifier] = (),
        chain: str | None = None,
    ) -> Rolled:
        """Roll dice for someone. Faces on the tape are used first; only those that are missing are rolled.

        The purpose finds the roll on the tape, so it must never be reworded. `chain` names the chain that the roll
        belongs to, if there is one.
        """
        wanted = parse(notation) if isinstance(notation, str) else notation
        taped = self._given.tape.next_roll(purpose, roller)
        faces = self._faces(wanted, taped.faces if taped else (), purpose)
        source = self._origin(taped, faces)
        kept = wanted.kept(faces)
        added = tuple(modifiers)
        return self.record(
            Rolled,
            purpose=purpose,
            chain=chain,
            roller=roller,
            notation=wanted.text,
            mode=mode,
            faces=tuple(faces),
            kept=kept,
            modifiers=added,
            total=_sum(kept) + wanted.constant + sum(modifier.amount for modifier in added),
            dice_source=source,
        )

    def _origin(self, taped: Rolled | None, faces: Sequence[Face]) -> FaceOrigin:
        """Where the faces came from. As soon as people have rolled one of them, no one else vouches for the roll."""
        given = self._given.dice.origin
        if taped is None:
            return given
        is_whole = tuple(faces) == taped.faces[: len(faces)]
        return given if given is FaceOrigin.TABLE and not is_whole else taped.dice_source

    @property
    def revealed_seed(self) -> str | None:
        seed = self._given.seed
        return seed.hex() if seed is not None else None

    def _faces(self, wanted: Notation, taped: Sequence[Face], purpose: str) -> list[Face]:
        """Every face of a roll. One on the tape that its die does not have belongs to another die and is not used."""
        faces: list[Face] = []
        while needed := wanted.needed(faces):
            fits = [face in die.faces for die, face in zip(needed, taped[len(faces) :], strict=False)]
            known = fits.index(False) if False in fits else len(fits)
            faces += taped[len(faces) : len(faces) + known]
            if rest := needed[known:]:
                faces += self._given.dice.faces(rest, self.battle.seq + 1, purpose, after=len(faces))
        return faces

    # People

    def window(self, moment: str, subject: str, offers: Sequence[Offer]) -> list[ReactionChosen]:
        """Let others react. Each is asked once, in initiative order; those who take a reaction are returned."""
        if not offers:
            return []
        in_order = sorted(offers, key=lambda offer: self.battle.clock.rank(offer.reactor))
        opened = self.record(ReactionWindowOpened, moment=moment, subject=subject, offers=tuple(in_order))
        with self.because_of(opened):
            answered = [self._ask(opened, offer) for offer in in_order]
        return [answer for answer in answered if isinstance(answer, ReactionChosen)]

    def _ask(self, window: ReactionWindowOpened, offer: Offer) -> Answered:
        taped = self._taped_answer(window.moment, offer)
        if taped is not None:
            return self._answered(window, _as_reply(taped), taped.decided_by, taped.command)
        given = self._given_reply(offer)
        if given is not None:
            return self._answered(window, given, DecidedBy.PERSON, self._given.command)
        usual = Reply(reactor=offer.reactor, reaction=self._by_policy(offer), by="system")
        return self._answered(window, usual, DecidedBy.POLICY)

    def _taped_answer(self, moment: str, offer: Offer) -> Answered | None:
        """The next answer on the tape. One that is no longer offered, such as a card never drawn, is passed over."""
        while (taped := self._given.tape.next_answer(moment, offer.reactor)) is not None:
            if _is_open(taped, offer):
                return taped
        return None

    def _given_reply(self, offer: Offer) -> Reply | None:
        for reply in self._unused_replies:
            if reply.reactor == offer.reactor and reply.reaction in (None, *offer.reactions):
                self._unused_replies.remove(reply)
                return reply
        return None

    def _by_policy(self, offer: Offer) -> str | None:
        """The first reaction that the combatant's settings take; Paused where a person has to be asked."""
        combatant = self.battle.combatants[offer.reactor]
        settings = {reaction: _policy(combatant, reaction) for reaction in offer.reactions}
        for reaction, policy in settings.items():
            if policy is Policy.ALWAYS or (policy is Policy.WHEN_USEFUL and reaction in offer.useful):
                return reaction
        if Policy.ASK in settings.values():
            raise Paused
        return None

    def _answered(
        self, window: ReactionWindowOpened, reply: Reply, decided_by: DecidedBy, command: UUID | None = None
    ) -> Answered:
        common: dict[str, Any] = {
            "window": window.seq,
            "reactor": reply.reactor,
            "decided_by": decided_by,
            "command": command,
            "by": reply.by or reply.reactor,
        }
        if reply.reaction is None:
            return self.record(ReactionDeclined, **common)
        return self.record(ReactionChosen, reaction=reply.reaction, options=reply.options, **common)

    def finish(self) -> None:
        """Refuse answers and faces that nobody asked for. Called when the resolution ends or pauses."""
        if self._unused_replies:
            reply = self._unused_replies[0]
            raise Refusal(
                "reaction/not-offered",
                f"{reply.reactor} is not offered {_said(reply)} here; leave that answer out.",
            )
        if self.adjustments:
            raise Refusal(
                "amend/no-chain", f"There is no {self.adjustments[0].chain} chain in this declaration to correct."
            )
        self._given.dice.finish()


def _is_open(taped: Answered, offer: Offer) -> bool:
    """Whether a recorded answer can still be given: a correction may have taken its reaction away."""
    return isinstance(taped, ReactionDeclined) or taped.reaction in offer.reactions


def _as_reply(taped: Answered) -> Reply:
    if isinstance(taped, ReactionDeclined):
        return Reply(reactor=taped.reactor, by=taped.by)
    return Reply(reactor=taped.reactor, reaction=taped.reaction, options=taped.options, by=taped.by)


def _said(reply: Reply) -> str:
    return reply.reaction.rsplit(":", 1)[1] if reply.reaction else "anything"


def _sum(faces: Iterable[object]) -> int:
    return sum(face for face in faces if isinstance(face, int))


def _policy(combatant: Combatant, reaction: str) -> Policy:
    """The combatant's setting for a reaction: by its name, for all, or what its controller usually wants."""
    settings = combatant.policies
    usual = Policy.ASK if combatant.controller is Controller.PLAYER else Policy.WHEN_USEFUL
    return settings.get(reaction.rsplit(":", 1)[1], settings.get("*", usual))
