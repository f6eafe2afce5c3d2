"""Planning corrections. A plan shows what would become of every declaration; `apply` carries it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from combatlog.base import Kept, listed_replies

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from combatlog.base import Replies
    from ledger.events import Data, Face, Position
    from rules.engine.corrections.forgotten import Forgotten
    from rules.engine.corrections.plan import Plan
    from rules.engine.corrections.rebase import Remedies
    from rules.engine.fight import Fight as FightInMemory

GM = "gm"


class Corrections(Kept):
    """Later declarations are resolved again with the dice they had. What the corrected fight needs beyond that can be
    decided beforehand: `dice` for faces that were never rolled, answers to windows that were not there before, and with
    `impossible` what to do with declarations that are no longer legal (`drop`, `keep` as a ruling, or `stop`). With
    `stop`, a plan that has any is `undecided`: it shows them, and cannot be applied.

    A plan that needs committed dice which were never rolled says so in `needs`, and shows what happens before them.
    `apply` rolls them; `plan.complete()` then shows the rest."""

    def plan_undo(
        self,
        seq: int | None = None,
        *,
        turn: bool = False,
        round: bool = False,
        back_to: int | None = None,
        reason: str = "taken back",
        impossible: str = "stop",
        replies: Mapping[int, Replies] | None = None,
        dice: Sequence[Face] | None = None,
        by: str = GM,
        command_id: UUID | None = None,
    ) -> Plan:
        """Plan to take back the declaration that event `seq` belongs to, everything in this `turn` or this `round`, or
        everything after the event `back_to`; otherwise the last declaration.

        `replies` are by the seq of the declaration that the window opens in.
        """
        from rules.engine.corrections import undo

        remedies = _remedies(impossible, replies, dice)

        def make(fight: FightInMemory) -> Plan:
            what = _undone(fight, seq, back_to, turn=turn, round=round)
            return undo.plan_undo(fight, what, by=by, reason=reason, remedies=remedies, command=command_id)

        return self._plan(make, command_id)

    def plan_redo(
        self, *, reason: str = "it was right after all", by: str = GM, command_id: UUID | None = None
    ) -> Plan:
        """Plan to take back the last correction, as long as nothing new was declared after it."""
        from rules.engine.corrections.undo import plan_redo

        return self._plan(lambda fight: plan_redo(fight, by=by, reason=reason, command=command_id), command_id)

    def plan_amend(
        self,
        seq: int,
        *,
        target: str | Sequence[str] | None = None,
        to: Position | None = None,
        weapon: str | None = None,
        options: Data | None = None,
        add: Sequence[Forgotten] = (),
        drop: Sequence[str] = (),
        resist: Sequence[str] = (),
        vulnerable: Sequence[str] = (),
        immune: Sequence[str] = (),
        whose: str | None = None,
        faces: Mapping[int, Sequence[Face]] | None = None,
        replies: Replies = (),
        reason: str = "amended",
        impossible: str = "stop",
        later_replies: Mapping[int, Replies] | None = None,
        dice: Sequence[Face] | None = None,
        by: str = GM,
        command_id: UUID | None = None,
    ) -> Plan:
        """Plan to correct the declaration that event `seq` belongs to. What is not given stays as it was.

        `add` are modifiers that were forgotten, `drop` the sources of modifiers that must not count, `faces` the right
        faces by the seq of the roll, and `replies` what should have been answered. `resist`, `vulnerable` and `immune`
        are types of damage, or `all`, that should have hurt less or more: the only target, or `whose` defence it is.
        """
        from rules.engine.corrections.amend import Amendment, plan_amend
        from rules.engine.corrections.forgotten import ForgottenDefence
        from rules.engine.defences import Defence

        kinds = {Defence.RESISTANCE: resist, Defence.VULNERABILITY: vulnerable, Defence.IMMUNITY: immune}
        defences = [
            ForgottenDefence(defence=kind, against=against, owner=whose)
            for kind, types in kinds.items()
            for against in types
        ]

        amendment = Amendment(
            targets=(target,) if isinstance(target, str) else tuple(target) if target else None,
            destination=to,
            weapon=weapon,
            options=options or {},
            add=tuple(add),
            drop=tuple(drop),
            defences=tuple(defences),
            faces={roll: tuple(right) for roll, right in (faces or {}).items()},
            replies=tuple(listed_replies(replies)),
        )
        remedies = _remedies(impossible, later_replies, dice)

        def make(fight: FightInMemory) -> Plan:
            return plan_amend(fight, seq, amendment, by=by, reason=reason, remedies=remedies, command=command_id)

        return self._plan(make, command_id)

    def plan_insert(
        self,
        actor: str,
        action: str,
        *,
        before: int | None = None,
        after: int | None = None,
        target: str | Sequence[str] = (),
        to: Position | None = None,
        weapon: str | None = None,
        options: Data | None = None,
        replies: Replies = (),
        reason: str = "forgotten",
        impossible: str = "stop",
        later_replies: Mapping[int, Replies] | None = None,
        dice: Sequence[Face] | None = None,
        by: str = GM,
        command_id: UUID | None = None,
    ) -> Plan:
        """Plan to declare what was forgotten, before or after the declaration that an event belongs to.

        What is declared is said as in `do`. `dice` are for it first, and then for later rolls that need more faces.
        """
        from rules.engine.commands import Declaration
        from rules.engine.core_actions import core_ref
        from rules.engine.corrections.insert import plan_insert

        said = Declaration(
            actor=actor,
            action=core_ref(action),
            targets=(target,) if isinstance(target, str) else tuple(target),
            destination=to,
            weapon=weapon,
            options=options or {},
        )
        remedies = _remedies(impossible, later_replies, dice)
        given = listed_replies(replies)

        def make(fight: FightInMemory) -> Plan:
            first = _point(fight, before, after)
            return plan_insert(
                fight, first, said, by=by, reason=reason, replies=given, remedies=remedies, command=command_id
            )

        return self._plan(make, command_id)


def _point(fight: FightInMemory, before: int | None, after: int | None) -> int | None:
    from rules.engine.corrections import insert
    from rules.engine.refusal import Refusal

    if (before is None) == (after is None):
        raise Refusal("insert/where", "Say either before or after which event it belongs.")
    return insert.before(fight, before) if before is not None else insert.after(fight, after or 0)


def _undone(fight: FightInMemory, seq: int | None, back_to: int | None, *, turn: bool, round: bool) -> set[int]:
    from rules.engine.corrections import undo
    from rules.engine.refusal import Refusal

    if sum((seq is not None, back_to is not None, turn, round)) > 1:
        raise Refusal("undo/ambiguous", "Name one thing to take back: a declaration, a turn, a round, or a moment.")
    if seq is not None:
        return undo.one(fight, seq)
    if back_to is not None:
        return undo.back_to(fight, back_to)
    return (undo.turn if turn else undo.round_ if round else undo.last)(fight)


def _remedies(impossible: str, replies: Mapping[int, Replies] | None, dice: Sequence[Face] | None) -> Remedies:
    from rules.engine.corrections.rebase import Impossible, Remedies

    known = {declaration: listed_replies(given) for declaration, given in (replies or {}).items()}
    return Remedies(Impossible(impossible), dice, known)
