"""The table: what a ruleset resolves a declaration against.

The ruleset reads the folded battle and records events through the table's verbs. Two verbs bring in input from outside:
`roll` (chance) and `window` (people's choices). Both use the tape first, and ask the dice source or a person only past
its end. So the same code resolves a declaration live, continues it after a pause, and verifies it later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Never, TypeVar, cast
from uuid import UUID

from combatlog.rules.engine.commands import Reply
from combatlog.rules.engine.dice.dice_notation import DiceFormula, Die, parse
from combatlog.rules.engine.dice.dice_sources import DiceSource
from combatlog.rules.engine.dice.shared_dice import SharedDiceSource, SharedRoll, question
from combatlog.rules.engine.naming import unknown_combatant
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.chain import chain_of
from combatlog.rules.engine.resolution.event_verbs import OutcomeRecorder
from combatlog.rules.engine.resolution.tape import Answered, Tape
from ledger.events import (
    Adjustment,
    Contribution,
    Controller,
    DecidedBy,
    Event,
    Face,
    FaceOrigin,
    LinkAsked,
    LinkRevealed,
    LinkWithheld,
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
from ledger.registry import sharing_fields
from projections.battle.combatant import Combatant
from projections.battle.dice import offer_of
from projections.battle.fold import Battle

E = TypeVar("E", bound=Event)


IMPOSSIBLE = "reaction/impossible"
"""The code of the refusal of a reaction that was offered but can no longer be used."""


class Paused(Exception):
    """The resolution waits for a person. The events so far are appended as they are."""


class DryRunFinished(Exception):
    """A dry run has come to its end. Its changes are rolled back."""

    def __init__(self, events: Sequence[Event]) -> None:
        super().__init__()
        self.events = events
        """The events of the declaration, including those that are already recorded."""


class Diverged(Exception):
    """A resolution that ran again over its tape led to a different event than the recorded one."""

    def __init__(self, recorded: Event, now: Event) -> None:
        super().__init__(f"event {recorded.seq} was {recorded!r} and would now be {now!r}")
        self.recorded = recorded
        self.now = now


@dataclass(slots=True)
class Circumstances:
    """What a resolution gets from outside: dice, time, replies, and the events that are already recorded."""

    dice: DiceSource
    now: datetime
    replies: Sequence[Reply] = ()
    """People's answers, with reactions given by ref."""
    command: UUID | None = None
    """The command that the replies came with."""
    recorded: Sequence[Event] = ()
    """The events from the declaration on, if it was resolved before. Events of other declarations in between are folded
    where they happened."""
    tape: Tape = field(default_factory=Tape)
    seed: bytes | None = None
    """The secret seed of the dice, which is published when the encounter closes."""
    time_is_up: bool = False
    """Whether the replies were chosen by the program because a player did not answer in time."""
    nobody_to_ask: bool = False
    """Whether reactions without a reply given in advance are declined instead of asked about."""
    only_imagined: bool = False
    """Whether this is a dry run, at whose end `DryRunFinished` is raised with the events."""


class _Causes(list[int | None]):
    """The last of these events is the cause of what is recorded. Leaving a block of `because_of` removes it."""

    def __enter__(self) -> None: ...

    def __exit__(self, *problem: object) -> None:
        self.pop()


class Table(OutcomeRecorder):
    def __init__(self, battle: Battle, circumstances: Circumstances) -> None:
        self.battle = battle
        self.new: list[Event] = []
        self.action: Ref | None = None
        self._given = circumstances
        self._unused_replies = list(circumstances.replies)
        self._recorded = circumstances.recorded
        self._passed = 0
        self._declaration = self.next_seq
        self._causes = _Causes([None])
        self._is_bound = False
        """Whether committed dice were rolled. They cannot be unseen, so no face may lead to a refusal any more."""
        self.adjustments: list[Adjustment] = []
        """Adjustments to the declaration's chains that have not been applied yet."""

    # Recording

    def record(self, cls: type[E], *, by: str = "system", **payload: Any) -> E:
        """Record an event and fold it, so that later steps see its effect."""
        battle, clock = self.battle, self.battle.clock
        recorded = self.unmatched if self._recorded else None
        # Validated directly instead of by calling the class, for speed: a resolution does little else.
        if recorded is not None:  # in a fork, also what was recorded before it, or what a correction has put there
            payload["encounter"], payload["seq"] = recorded.encounter, recorded.seq
            payload["recorded_at"] = recorded.recorded_at
        else:
            if battle.opened is not None:  # the opening event itself says which encounter it opens
                payload["encounter"] = battle.opened.encounter if battle.fork is None else battle.fork.encounter
            payload["seq"], payload["recorded_at"] = battle.seq + 1, self._given.now
        payload.setdefault("cause", self._causes[-1])
        payload["declaration"], payload["round"], payload["turn"] = self._declaration, clock.round, clock.turn
        payload["by"] = by
        event = sharing_fields(cast(E, cls.__pydantic_validator__.validate_python(payload)))
        if recorded is not None:
            return self._pass(event, recorded)
        self.new.append(event)
        battle.apply(event)
        return event

    def _pass(self, event: E, recorded: Event) -> E:
        """Match an event with the recorded one, which must mean the same, and fold that.

        The recorded event counts, with its own wording. Events of other declarations after it are folded too.
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
    def next_seq(self) -> int:
        """The number of the event that is recorded next."""
        recorded = self.unmatched
        return recorded.seq if recorded is not None else self.battle.seq + 1

    @property
    def is_on_record(self) -> bool:
        """Whether the declaration was resolved before, so that this runs over its recorded events."""
        return bool(self._recorded)

    @property
    def recorded_events(self) -> int:
        """How many events this resolution has led to so far. Seqs would not tell: corrections leave gaps."""
        return self._passed + len(self.new)

    @property
    def unmatched(self) -> Event | None:
        """The first recorded event that this resolution has not reached yet."""
        return self._recorded[self._passed] if self._passed < len(self._recorded) else None

    def because_of(self, event: Event) -> _Causes:
        """Make an event the cause of those recorded in the block: `with table.because_of(event):`."""
        self._causes.append(event.seq)
        return self._causes

    def adjusts(self, chain: str) -> bool:
        """Whether an amendment still has adjustments for a chain."""
        return any(adjustment.chain == chain for adjustment in self.adjustments)

    def take_adjustments(self, chain: str, whom: str | None = None) -> list[Adjustment]:
        """Remove and return the pending adjustments for a chain: by its name alone, or of this combatant."""
        if not self.adjustments:
            return []
        names = (chain, chain_of(chain, whom))
        taken = [adjustment for adjustment in self.adjustments if adjustment.chain in names]
        self.adjustments = [adjustment for adjustment in self.adjustments if adjustment.chain not in names]
        return taken

    # Reading

    def combatant(self, name: str) -> Combatant:
        found = self.battle.combatants.get(name)
        if found is None or not found.present:
            raise unknown_combatant(self.battle, name)
        return found

    # Chance

    def roll(
        self,
        purpose: str,
        roller: str,
        notation: DiceFormula | str,
        *,
        mode: RollMode = RollMode.NORMAL,
        modifiers: Iterable[RollModifier] = (),
        chain: str | None = None,
    ) -> Rolled:
        """Roll dice. Faces on the tape are used first; only missing ones are rolled.

        The tape finds a roll by its purpose and roller, so a purpose must never be reworded. `chain` names the chain
        that the roll belongs to, if there is one.
        """
        wanted = parse(notation) if isinstance(notation, str) else notation
        taped = self._given.tape.next_roll(purpose, roller)
        own = self._asking(self._given.dice.of(roller), purpose, roller, wanted)
        faces, drawn = self._faces(own, wanted, taped, purpose)
        source = self._origin(own, taped, faces)
        kept, added = wanted.kept(faces), tuple(modifiers)
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
            total=_sum(kept) + wanted.constant + sum([modifier.amount for modifier in added]),
            dice_source=source,
            drawn=drawn,
            contributions=_contributions(own, taped),
        )

    # Shared dice

    def _asking(self, source: DiceSource, purpose: str, roller: str, wanted: DiceFormula) -> DiceSource:
        """The same source or, with shared dice, one for this roll. A recorded question is repeated first."""
        asked = self._given.tape.next_question(purpose, roller)
        answer = self._ask_again(asked) if asked is not None else None
        if type(source) is not SharedDiceSource:  # isinstance takes long with protocols
            return source

        def ask() -> Never:
            self.record(LinkAsked, **question(self.battle, source, self.next_seq, purpose, roller, wanted))
            raise Paused

        return SharedRoll(source, purpose, ask, asked, answer)

    def _ask_again(self, asked: LinkAsked) -> LinkRevealed | LinkWithheld:
        first = asked.first if self.next_seq == asked.seq else asked.number
        said = {name: getattr(asked, name) for name in ("purpose", "roller", "notation", "party", "binding")}
        with self.because_of(self.record(LinkAsked, first=first, **said)):
            answer = self._given.tape.link(asked.number)
            if answer is not None:
                return self._with_link(asked, getattr(answer, "secret", None), answer.command, answer.by)
            reply = self._given_reply(offer_of(asked))
            if reply is None:
                raise Paused
            return self._with_link(asked, reply.options.get("secret"), self._given.command, reply.by or reply.reactor)

    def _with_link(
        self, asked: LinkAsked, secret: str | None, command: UUID | None, by: str
    ) -> LinkRevealed | LinkWithheld:
        said: dict[str, Any] = {"asked": asked.number, "party": asked.party, "command": command, "by": by}
        if secret is None:
            return self.record(LinkWithheld, **said)
        return self.record(LinkRevealed, secret=secret, **said)

    def _origin(self, source: DiceSource, taped: Rolled | None, faces: Sequence[Face]) -> FaceOrigin:
        """Where the faces came from. If people rolled even one of them, the whole roll counts as theirs."""
        given = source.origin
        if taped is None:
            return given
        is_whole = tuple(faces) == taped.faces[: len(faces)]
        return given if given is FaceOrigin.TABLE and not is_whole else taped.dice_source

    @property
    def revealed_seed(self) -> str | None:
        seed = self._given.seed
        return seed.hex() if seed is not None else None

    def _faces(
        self, source: DiceSource, wanted: DiceFormula, roll: Rolled | None, purpose: str
    ) -> tuple[list[Face], int | None]:
        """Every face of a roll, and its number if its dice are committed.

        A face on the tape that the die does not have was rolled with another die and is not used.
        """
        taped = roll.faces if roll is not None else ()
        number = roll.drawn if roll is not None and roll.encounter == self.battle.id else None
        faces: list[Face] = []
        while needed := wanted.needed(faces):
            if taped:
                faces += (known := _fitting(needed, taped[len(faces) :]))
                needed = needed[len(known) :]
            if needed:
                number = source.number(number)
                faces += self._new_faces(source, needed, purpose, len(faces), number)
        return faces, number

    def _new_faces(
        self, source: DiceSource, dice: Sequence[Die], purpose: str, after: int, number: int | None
    ) -> list[Face]:
        if source.origin is FaceOrigin.COMMITTED:
            self._check_decided(purpose)
            self._is_bound = True
        return source.faces(dice, self.next_seq, purpose, after, number)

    def _check_decided(self, purpose: str) -> None:
        """Refuse to roll new dice while adjustments are pending: a later refusal would reveal the faces."""
        if self.adjustments:
            chain = self.adjustments[0].chain
            raise Refusal(
                "amend/undecided-chain",
                f"Whether there is a {chain} chain to correct depends on the {purpose} roll, which needs new dice; "
                "correct the roll first, and the chain in a second correction.",
                name=chain,
                purpose=purpose,
            )

    # People

    def window(
        self,
        moment: str,
        subject: str,
        offers: Sequence[Offer],
        obstacle: Callable[[str, Ref], str | None] | None = None,
    ) -> list[ReactionChosen]:
        """Let others react. Each is asked once, in initiative order. Returns the chosen reactions.

        `obstacle` says why a reactor can no longer use a reaction: a ruling may have made it impossible since it was
        offered. Choosing such a reaction is refused, and the reactor can choose again.
        """
        if not offers:
            return []
        in_order = sorted(offers, key=lambda offer: self.battle.clock.rank(offer.reactor))
        opened = self.record(ReactionWindowOpened, moment=moment, subject=subject, offers=tuple(in_order))
        with self.because_of(opened):
            answered = [self._ask(opened, offer, obstacle) for offer in in_order]
        return [answer for answer in answered if isinstance(answer, ReactionChosen)]

    def _ask(
        self, window: ReactionWindowOpened, offer: Offer, obstacle: Callable[[str, Ref], str | None] | None
    ) -> Answered:
        taped = self._taped_answer(window.moment, offer)
        if taped is not None:
            return self._answered(window, _as_reply(taped), taped.decided_by, taped.command)
        given = self._given_reply(offer)
        if given is not None:
            if obstacle is not None and given.reaction is not None:
                self._check_possible(given, obstacle(given.reactor, given.reaction))
            how = DecidedBy.TIME if self._given.time_is_up else DecidedBy.PERSON
            return self._answered(window, given, how, self._given.command)
        usual = Reply(reactor=offer.reactor, reaction=self._by_policy(offer), by="system")
        return self._answered(window, usual, DecidedBy.POLICY)

    def _check_possible(self, reply: Reply, why: str | None) -> None:
        if why is not None:
            raise Refusal(
                IMPOSSIBLE,
                f"{reply.reactor} can no longer use {_said(reply)}: {why}.",
                who=reply.reactor,
                name=reply.reaction,
            )

    def _taped_answer(self, moment: str, offer: Offer) -> Answered | None:
        """The next answer on the tape. One that is no longer offered, such as a card never drawn, is skipped."""
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
        """The first reaction that the combatant's policies choose; raises `Paused` if a person has to be asked."""
        combatant = self.battle.combatants[offer.reactor]
        settings = {reaction: policy_of(combatant, reaction) for reaction in offer.reactions}
        for reaction, policy in settings.items():
            if policy is Policy.ALWAYS or (policy is Policy.WHEN_USEFUL and reaction in offer.useful):
                return reaction
        if Policy.ASK in settings.values() and not self._given.nobody_to_ask:
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
        return self.record(
            ReactionChosen, reaction=reply.reaction, options=reply.options, as_seen=reply.as_seen, **common
        )

    def finish(self) -> None:
        """Refuse unneeded answers and faces. Called when the resolution ends or pauses."""
        if self._unused_replies and not self._is_bound:
            reply = self._unused_replies[0]
            raise Refusal(
                "reaction/not-offered",
                f"{reply.reactor} is not offered {_said(reply)} here.",
                who=reply.reactor,
                name=reply.reaction,
            )
        if self.adjustments:
            chain, _, whom = self.adjustments[0].chain.partition(":")
            of = f" of {whom}" if whom else ""
            raise Refusal(
                "amend/no-chain", f"This declaration has no {chain} chain{of} to correct.", name=chain, who=whom or None
            )
        self._given.dice.finish()
        if self._given.only_imagined:
            raise DryRunFinished([*self._recorded, *self.new])


def _fitting(dice: Sequence[Die], faces: Sequence[Face]) -> Sequence[Face]:
    """The faces up to the first one that its die does not have."""
    fits = [face in die.faces for die, face in zip(dice, faces, strict=False)]
    return faces[: fits.index(False) if False in fits else len(fits)]


def _contributions(source: DiceSource, taped: Rolled | None) -> tuple[Contribution, ...] | None:
    """The links from which new faces are derived or, if there are none, those of the faces on the tape."""
    new = source.contributions if type(source) is SharedRoll else None
    return new or (taped.contributions if taped is not None else None)


def _is_open(taped: Answered, offer: Offer) -> bool:
    """Whether a recorded answer is still possible: a correction may have taken the reaction away."""
    return isinstance(taped, ReactionDeclined) or taped.reaction in offer.reactions


def _as_reply(taped: Answered) -> Reply:
    if isinstance(taped, ReactionDeclined):
        return Reply(reactor=taped.reactor, by=taped.by)
    return Reply(
        reactor=taped.reactor, reaction=taped.reaction, options=taped.options, by=taped.by, as_seen=taped.as_seen
    )


def _said(reply: Reply) -> str:
    return reply.reaction.rsplit(":", 1)[1] if reply.reaction else "anything"


def _sum(faces: Iterable[object]) -> int:
    return sum([face for face in faces if isinstance(face, int)])


def policy_of(combatant: Combatant, reaction: str) -> Policy:
    """The combatant's policy for a reaction: its own, the one for all others, or the default of its controller."""
    settings = combatant.policies
    usual = Policy.ASK if combatant.controller is Controller.PLAYER else Policy.WHEN_USEFUL
    return settings.get(reaction.rsplit(":", 1)[1], settings.get("*", usual))
