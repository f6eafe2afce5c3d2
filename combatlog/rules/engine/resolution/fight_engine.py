"""A fight in progress: its events and its state. It takes declarations and adds the events that follow.

It does not depend on a store. The referee keeps fights in the ledger; simulations and tests use the same code in
memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property
from typing import Any, Self
from uuid import UUID, uuid4

from combatlog.rules.content.limits import check_data, check_texts
from combatlog.rules.content.pack_files import settled
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import GM, Declaration, Opening, Reply
from combatlog.rules.engine.declarations.core_actions import CORE, TAKES_NOTHING
from combatlog.rules.engine.declarations.notes_and_rolls import LABEL
from combatlog.rules.engine.dice.dice_commitments import check_link, with_link
from combatlog.rules.engine.dice.dice_settings import (
    DiceSetting,
    MixedDice,
    Rolls,
    check_setting,
    has_secret,
    is_shared,
    read_setting,
)
from combatlog.rules.engine.dice.dice_sources import (
    RECORDED,
    CommittedDice,
    DiceSource,
    TableDice,
    commitment_to,
    new_seed,
    source_of,
)
from combatlog.rules.engine.dice.shared_dice import SharedDiceSource
from combatlog.rules.engine.grid.squares import read_map
from combatlog.rules.engine.naming import id_of, known_id, with_ids
from combatlog.rules.engine.options_and_validation import Signature, check_options, check_said
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.command_checks import check_name, check_open, check_reply, check_size
from combatlog.rules.engine.resolution.table import IMPOSSIBLE, Circumstances, Paused, Table
from combatlog.rules.engine.resolution.tape import Tape, tape_of
from combatlog.rules.engine.resolution.turns import answer_for, overdue_offer, require_round
from ledger.errors import Problem
from ledger.events import Declared, EncounterClosed, EncounterOpened, Event, Face, Ref
from ledger.store.ledger import encounter_id
from projections.battle.combatant import Combatant
from projections.battle.consent import ABOUT_CONSENT
from projections.battle.dice import LINK
from projections.battle.event_history import EventHistory
from projections.battle.fold import Battle
from projections.battle.journal import JournaledBattle
from projections.views.visibility import SALT

Resolution = Callable[[Circumstances], list[Event]]
"""Resolves a declaration or an answer, given the circumstances."""


def utc_now() -> datetime:
    return datetime.now(UTC)


class NewDice(StrEnum):
    """What the plan of a correction does with committed dice that were never rolled."""

    SHOWN = "shown"
    """It rolls them. The caller has the seed anyway."""
    HIDDEN = "hidden"
    """It stops there: no one may see a face and then decide not to apply the correction."""
    ROLLED = "rolled"
    """It rolls them, because it is being applied. No face may stop it any more."""
    ELSEWHERE = "elsewhere"
    """It stops at any dice that were not given: they are rolled where the fight is kept, not here."""


class FightEngine:
    def __init__(
        self,
        events: Iterable[Event] = (),
        *,
        start: JournaledBattle | None = None,
        now: Callable[[], datetime] = utc_now,
        seed: bytes | None = None,
    ) -> None:
        """A fight from its beginning, or from the state `start`: what needs earlier events raises `EarlierEvents`."""
        self.course = EventHistory(events, start=start)
        self.battle = self.course.battle
        """The current state: one object that changes with the fight."""
        self.now = now
        self.seed = seed
        self.new_dice = NewDice.SHOWN

    @classmethod
    def open(
        cls,
        opening: Opening,
        command: UUID | None = None,
        *,
        now: Callable[[], datetime] = utc_now,
        seed: bytes | None = None,
        salt: str | None = None,
    ) -> Self:
        """`salt` is for recorded fights, so that it can be proved later what players were shown."""
        name = check_name(opening.name)
        check_texts(opening.ruleset, opening.dice, opening.by)
        check_data(opening.options)
        rules = rulesets.find(opening.ruleset)
        check_setting(opening.dice)
        fight = cls(now=now, seed=seed or new_seed(has_secret(opening.dice)))
        table = Table(fight.battle, Circumstances(dice=TableDice(()), now=now()))
        table.record(
            EncounterOpened,
            encounter=encounter_id(name),
            name=name,
            ruleset=rules.name,
            ruleset_version=rules.version,
            dice=opening.dice,
            commitment=commitment_to(fight.seed),
            map=read_map(opening.map).rows if opening.map is not None else None,
            options=settled(rules, opening.options)
            | rules.concealing.as_option()
            | ({SALT: salt} if salt is not None else {}),
            command=command or uuid4(),
            by=opening.by,
        )
        fight.course.adopt(table.new)
        if opening.labels:
            labels = {"add": list(opening.labels)}
            fight.declare(Declaration(actor=GM, action=LABEL, options=labels, by=opening.by))
        return fight

    @property
    def events(self) -> list[Event]:
        """Every event, in the order of recording."""
        return self.course.events

    def declare(
        self,
        declaration: Declaration,
        *,
        dice: Sequence[Face] | None = None,
        replies: Sequence[Reply] = (),
        command: UUID | None = None,
    ) -> list[Event]:
        """Resolve a declaration up to its end or the next decision of a person, and return the new events."""
        return self._with_dice(
            lambda circumstances: self.declare_in(declaration, circumstances), dice, replies, command or uuid4()
        )

    def declare_in(self, declaration: Declaration, circumstances: Circumstances) -> list[Event]:
        """Resolve a declaration with the dice, the time and the replies of these circumstances."""
        said, action = self._settled(declaration)
        for reply in circumstances.replies:
            known_id(self.battle, reply.reactor)
        circumstances.replies = [self.with_ref(reply) for reply in circumstances.replies]
        return self._add(
            Table(self.battle, circumstances),
            actor=said.actor,
            action=action,
            targets=said.targets,
            destination=said.destination,
            weapon=said.weapon,
            options=said.options,
            command=circumstances.command,
            by=said.by or said.actor,
            as_seen=said.as_seen,
        )

    def settled(self, said: Declaration, among: Battle | None = None) -> Declaration:
        """A declaration checked and completed for recording: with ids, the action's ref, and names for joining
        combatants. `among` is the state in which those names must be free, if not the current one."""
        settled, action = self._settled(said, among)
        return settled.model_copy(update={"action": action})

    def _settled(self, said: Declaration, among: Battle | None = None) -> tuple[Declaration, Ref]:
        """The same with the action's ref separate, because copying the declaration is slow."""
        battle = self.battle
        check_size(said)
        said = with_ids(battle, said)
        action = self.action_ref(said.action, battle.combatants.get(said.actor))
        self.check_said(action, said)
        check_open(battle, action)
        require_round(battle, said.round)
        core = CORE.get(action)
        if core is not None and core.settle is not None:
            said = core.settle(battle, self.ruleset, said, among or battle)
        return said, action

    def answer(self, reply: Reply, *, dice: Sequence[Face] | None = None, command: UUID | None = None) -> list[Event]:
        """Answer the open window and continue the declaration that waited for it."""
        return self._with_dice(lambda circumstances: self.answer_in(reply, circumstances), dice, (), command or uuid4())

    def answer_in(self, reply: Reply, circumstances: Circumstances) -> list[Event]:
        known = self.with_ref(reply)
        known_id(self.battle, known.reactor)
        check_reply(self.battle, known)
        if known.reaction == LINK:
            check_link(self.battle.links, known, circumstances.dice)
        circumstances.replies = [known]
        return self.go_on(circumstances)

    def time_up(
        self, *, dice: Sequence[Face] | None = None, by: str | None = None, command: UUID | None = None
    ) -> list[Event]:
        """Answer the open window for a player who did not answer in time, as the encounter's options say."""

        def time_up(circumstances: Circumstances) -> list[Event]:
            return self._time_up_in(circumstances, by)

        return self._with_dice(time_up, dice, (), command or uuid4())

    def _time_up_in(self, circumstances: Circumstances, by: str | None) -> list[Event]:
        offer = overdue_offer(self.battle, circumstances.now)
        reply = answer_for(self.battle, offer, by)
        circumstances.replies, circumstances.time_is_up = [reply], True
        try:
            return self.go_on(circumstances)
        except Refusal as refusal:
            if refusal.code != IMPOSSIBLE:
                raise
        circumstances.replies, circumstances.tape = [reply.model_copy(update={"reaction": None})], Tape()
        return self.go_on(circumstances)

    def _with_dice(
        self, resolve: Resolution, dice: Sequence[Face] | None, replies: Sequence[Reply], command: UUID
    ) -> list[Event]:
        """Resolve with the given faces. If some are missing, the refusal lists every roll that needs them. Unneeded
        faces, such as damage for an attack that missed, are ignored."""

        rolled: Rolls = {}

        def attempt(faces: Sequence[Face] | None) -> list[Event]:
            source = self.dice_source(faces, rolled)
            return resolve(Circumstances(source, self.now(), list(replies), command, seed=self.seed))

        try:
            return attempt(dice)
        except Refusal as refusal:
            from combatlog.rules.engine.resolution.dry_run import reconsidered

            return attempt(reconsidered(self, refusal, resolve, dice, replies))

    @property
    def seed(self) -> bytes | None:
        """The secret seed of committed or shared dice, if the fight has one and it is known here."""
        return self._seed

    @seed.setter
    def seed(self, seed: bytes | None) -> None:
        if seed is not None and self.battle.opened and commitment_to(seed) != self.battle.commitment:
            raise Problem(
                "dice/wrong-seed",
                "The seed of the dice is not the one that this encounter committed to.",
                encounter=self.battle.name,
            )
        self._seed = seed

    @cached_property
    def ruleset(self) -> rulesets.Ruleset:
        """The encounter's ruleset. It never changes, and every command needs it several times."""
        return rulesets.find(self.battle.encounter.ruleset)

    def _add(self, table: Table, **said: Any) -> list[Event]:
        """Run a resolution. A refused one leaves no trace."""
        with _AllOrNothing(self.battle):
            _run(table, self.ruleset, **said)
        self.course.adopt(table.new)
        return table.new

    def take_in(self, newer: Iterable[Event]) -> None:
        """Add events that other writers have recorded in the meantime."""
        for event in newer:
            self.course.feed(event)

    def declare_again(self, declared: Declared, circumstances: Circumstances, **differing: Any) -> list[Event]:
        """Resolve a recorded declaration again on the current state."""
        return self._add(Table(self.battle, circumstances), **{**said_in(declared), **differing})

    def go_on(self, circumstances: Circumstances) -> list[Event]:
        """Run the waiting declaration again from its beginning, over its tape and beyond.

        The recorded tape is put before that of the circumstances, which is for what comes next.
        """
        assert self.battle.window is not None
        recorded = self.course.take_from(self.course.place(self.battle.window.declaration))
        declared = recorded[0]
        assert isinstance(declared, Declared)
        circumstances.recorded = recorded
        circumstances.tape = tape_of(recorded).followed_by(circumstances.tape)
        table = Table(self.battle, circumstances)
        try:
            with _AllOrNothing(self.battle):
                _run(table, self.ruleset, **said_in(declared))
        except BaseException:
            self.course.put_back(recorded)
            raise
        self.course.standing += recorded
        self.course.adopt(table.new)
        return table.new

    def action_ref(self, action: str, actor: Combatant | None) -> str:
        """The ref of an action: that of a core action unchanged, or one of this combatant's by name."""
        if action in CORE and (CORE[action].for_people or action in ABOUT_CONSENT):
            return action
        return self.ruleset.action_ref(action, actor)

    def signature(self, action: str, actor: str) -> Signature | None:
        """What a declaration of this action by this combatant may contain; None: anything."""
        if action in CORE:
            return CORE[action].signature
        return self.ruleset.signature(action, self.battle.combatants.get(actor))

    def check_said(self, action: str, said: Declaration) -> None:
        """Refuse parts of a declaration that would be recorded without effect."""
        if (signature := self.signature(action, said.actor)) is not None:
            check_said(signature, action.rsplit(":", 1)[1], said)
        if action not in CORE:
            self.ruleset.check_said(self.battle, action, said)

    def with_ref(self, reply: Reply) -> Reply:
        """The reply with the ref of its reaction instead of the name; refused if it has unknown options."""
        check_texts(reply.reactor, reply.reaction, reply.by)
        check_data(reply.options)
        reply = reply.model_copy(update={"reactor": id_of(self.battle, reply.reactor)})
        if reply.reaction is None:
            check_options(TAKES_NOTHING.options, "pass", reply.options)
            return reply
        if self.battle.window is not None and self.battle.window.is_for_dice:
            return with_link(reply)
        reaction = self.ruleset.reaction_ref(reply.reaction, self.battle)
        if (signature := self.ruleset.reaction_signature(reaction)) is not None:
            check_options(signature.options, reaction.rsplit(":", 1)[1], reply.options)
        return reply.model_copy(update={"reaction": reaction})

    def rolls_by_hand(self, roller: str) -> bool:
        """Whether this roller's faces have to be given, if the dice setting is mixed."""
        setting = read_setting(self.battle.encounter.dice)
        return not setting.is_mixed or self._mixed_dice(setting, ("",)).is_by_hand(roller)

    def dice_source(self, given: Sequence[Face] | None, rolled: Rolls | None = None) -> DiceSource:
        """The source of a command's faces. Given faces take precedence over the encounter's own source.

        With mixed dice, they are only for those who roll at the table; `rolled` are the faces that the others rolled in
        an earlier attempt at the same command.
        """
        dice = self.battle.encounter.dice
        if dice == RECORDED:
            return TableDice(given or ())
        setting = read_setting(dice)
        if setting.is_mixed:
            return self._mixed_dice(setting, given or (), rolled)
        if given is not None:
            return TableDice(given)
        return self._shared_dice() or self._committed_dice() or source_of(setting.usual)

    def _shared_dice(self) -> SharedDiceSource | None:
        if not is_shared(self.battle.encounter.dice):
            return None
        return SharedDiceSource(self.seed, self.battle.id, self.battle.id in self.course.revealed)

    def _mixed_dice(self, setting: DiceSetting, given: Sequence[Face], rolled: Rolls | None = None) -> MixedDice:
        others = rolled if rolled is not None else {}
        return MixedDice(setting, self.battle, TableDice(given), self._committed_dice(), others)

    def _committed_dice(self) -> CommittedDice | None:
        if self.battle.commitment is None:
            return None
        revealed = self.battle.id in self.course.revealed
        # A copy of the numbers: a correction uses only those that are free before it goes back in time.
        return CommittedDice(self.seed, self.battle.id, self.battle.roll_numbers.copy().all_free(), revealed)


class _AllOrNothing:
    """Undo every change to the battle if the block fails. A class, because generators are slow to enter."""

    __slots__ = ("_battle", "_changes", "_seq")

    def __init__(self, battle: JournaledBattle) -> None:
        self._battle = battle
        self._changes, self._seq = battle.changes, battle.seq

    def __enter__(self) -> None: ...

    def __exit__(self, problem: type[BaseException] | None, *details: object) -> None:
        if problem is not None:
            self._battle.go_back_to(self._changes)
            self._battle.seq = self._seq


def revealed_seed(events: Iterable[Event], encounter: UUID) -> bytes | None:
    """The seed that was published when the encounter closed, even if the closing was taken back."""
    for event in events:
        if type(event) is EncounterClosed and event.encounter == encounter and event.seed is not None:
            return bytes.fromhex(event.seed)
    return None


def said_in(declared: Declared) -> dict[str, Any]:
    """The fields of a declaration that are needed to make it again."""
    return {field: getattr(declared, field) for field in _SAID}


_SAID = (
    "actor",
    "action",
    "targets",
    "destination",
    "weapon",
    "options",
    "adjustments",
    "as_seen",
    "command",
    "by",
    "cause",
)


def resolve_again(table: Table, declared: Declared) -> None:
    """Run a recorded declaration over the table's tape."""
    _run(table, rulesets.find(table.battle.encounter.ruleset), **said_in(declared))


def _run(table: Table, rules: rulesets.Ruleset, **said: Any) -> None:
    declared = table.record(Declared, **said)
    table.action = declared.action
    table.adjustments = list(declared.adjustments)
    core = CORE.get(declared.action)
    try:
        with table.because_of(declared):
            if core is not None:
                core.resolve(table, rules, declared)
            else:
                rules.resolve(table, declared)
    except Paused:
        pass  # the open window is recorded, and its answer continues from here
    table.finish()
