"""Verification: checks the numbers and hashes of a fight, and resolves every declaration again over its tape.

A difference means tampering, a changed rule or a bug. The hashes are checked first, to identify tampering. Several
processes can share many fights.
"""

from __future__ import annotations

import json
from bisect import bisect
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from itertools import chain
from typing import Protocol, TypeVar
from uuid import UUID

from pydantic import BaseModel

from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.dice.dice_settings import is_shared
from combatlog.rules.engine.resolution.dry_run import of_first_declaration, over_its_tape
from combatlog.rules.engine.resolution.fight_engine import resolve_again, revealed_seed
from combatlog.rules.engine.resolution.table import Diverged, Table
from combatlog.rules.exchange.import_renaming import CopiedFight, as_rolled, copied_from, sealed_here, vouches_for
from combatlog.rules.verification.dice_fairness import SharedDiceReport, committed_rolls, shared_report, unfair
from combatlog.rules.verification.retracted_rolls import RetractedRoll, retracted_rolls
from ledger.errors import Problem
from ledger.events import Declared, EncounterOpened, Event, differing_fields, meaning
from ledger.exchange.seal import Seal
from ledger.json_shapes import Documented
from ledger.registry import GENESIS, chained_hash, decode
from ledger.store.ledger import LedgerStore, Stored, encounter_id
from ledger.store.recorder import StoredRow
from projections.battle.event_history import EventHistory
from projections.battle.fold import fold
from projections.battle.timeline import is_correction
from projections.processes import in_processes


class Records(Protocol):
    """A store of encounters: a ledger or a lake."""

    def history(self, encounter: UUID) -> list[Stored]: ...

    def own_rows(self, encounter: UUID) -> list[Stored]: ...

    def unknown(self, reference: str) -> Problem: ...


class FindingKind(StrEnum):
    """The meaning of a finding for the record."""

    TAMPERED = "tampered"
    """The record was changed or is incomplete, or its dice break its commitments."""
    UNREADABLE = "unreadable"
    """An event or its position is unreadable, so nothing after it was checked."""
    RULES_CHANGED = "rules changed"
    """The record is unchanged. The fight has another version of the rules than this installation."""
    CONTRADICTION = "contradiction"
    """The record is unchanged. The log that it was imported from contradicts itself there."""
    UNEXPLAINED = "unexplained"
    """All hashes are right, but the same version of the rules has another result."""


class VerificationFinding(BaseModel):
    """A difference from the record."""

    seq: int
    problem: str
    kind: FindingKind = FindingKind.TAMPERED
    recorded: str | None = None
    now: str | None = None


class VerificationReport(Documented, BaseModel):
    name: str
    events: int
    declarations: int
    seals: int = 0
    """The number of seals that it was checked against."""
    shown: int = 0
    """The number of events shown to a seat that it was checked against."""
    seat: str | None = None
    """The seat that checked what it was shown, if it does not see everything; None if everything was checked."""
    committed: int = 0
    """The number of rolls that were checked against the seed that the encounter committed to."""
    taken_back: list[RetractedRoll] = []
    """Committed and shared rolls that were seen and retracted. They are not findings: open retractions are allowed."""
    shared: SharedDiceReport | None = None
    """The report on shared dice; None if the encounter has none."""
    findings: list[VerificationFinding]
    remark: str | None = None
    """The meaning of the findings if all hashes are right."""

    @property
    def stands(self) -> bool:
        """Whether the record can be trusted. Neither changed rules nor contradictions in an imported log count against
        it."""
        return all(finding.kind in _HARMLESS for finding in self.findings)

    @property
    def has_remarks(self) -> bool:
        """Whether players should know something about the dice that is not a finding."""
        return self.shared is not None and bool(self.shared.alone or self.shared.skipped or self.shared.again)

    @property
    def contradictions(self) -> int:
        return sum(finding.kind is FindingKind.CONTRADICTION for finding in self.findings)


_HARMLESS = {FindingKind.RULES_CHANGED, FindingKind.CONTRADICTION}


def verify(ledger: Records, reference: str, seals: Sequence[Seal] = ()) -> VerificationReport:
    encounter = encounter_id(reference)
    rows, finding = _history(ledger, encounter)
    if not rows and not seals:
        raise ledger.unknown(reference)
    finding = finding or check_rows(rows)
    copied = [] if finding else list(copied_from(rows))
    finding = finding or check_copies(copied) or check_seals(rows, _without_copied(seals, copied))
    events = [] if finding else [decode(row.name, row.state) for _, row in rows]
    if finding := finding or check_fold(events):
        events = []
    name = fold(events).name if events else reference
    declarations = [event for event in events if isinstance(event, Declared)]
    findings = [finding] if finding else list(_about_the_fight(events, copied))
    return VerificationReport(
        name=name,
        events=len(rows),
        declarations=len(declarations),
        seals=len(seals),
        committed=_committed(events),
        taken_back=retracted_rolls(events, events[-1].encounter) if events else [],
        shared=_shared(events),
        findings=findings,
        remark=_remark(events[0]) if events and _are_about_rules(findings) else None,
    )


def _about_the_fight(events: Sequence[Event], copied: Sequence[CopiedFight]) -> Iterator[VerificationFinding]:
    """Findings about events with the right hashes."""
    yield from _by_rules(events)
    yield from check_dice(as_rolled(events, copied))
    yield from check_source(events)


def _by_rules(events: Sequence[Event]) -> Iterator[VerificationFinding]:
    """Differences under the installed rules, with a kind that depends on whether their version has changed."""
    if not events:
        return
    opened = events[0]
    assert isinstance(opened, EncounterOpened)
    same = _version_here(opened.ruleset) == f"{opened.ruleset} {opened.ruleset_version}"
    kind = FindingKind.UNEXPLAINED if same else FindingKind.RULES_CHANGED
    for finding in check_declarations(events):
        yield finding.model_copy(update={"kind": kind})


def _are_about_rules(findings: Sequence[VerificationFinding]) -> bool:
    return any(finding.kind is not FindingKind.CONTRADICTION for finding in findings)


def _remark(opened: Event) -> str:
    """Explain findings about rules: the record itself is unchanged."""
    assert isinstance(opened, EncounterOpened)
    untouched = "All hashes are right, so the record is unchanged"
    then = f"{opened.ruleset} {opened.ruleset_version}"
    now = _version_here(opened.ruleset)
    if now != then:
        return f"{untouched}: it was recorded with {then}, and this installation has {now}. The record stands."
    return (
        f"{untouched}, and the version of the rules is the same ({then}). Either the rules changed without a new "
        "version, or another program wrote these events; a seal from that time tells which."
    )


def _version_here(ruleset: str) -> str:
    try:
        return f"{ruleset} {rulesets.find(ruleset).version}"
    except Problem:
        return f"no {ruleset}"


def check_source(events: Sequence[Event]) -> Iterator[VerificationFinding]:
    """Findings where the log that a fight was imported from contradicts itself."""
    opened = events[0] if events else None
    rules = _ruleset_of(opened) if isinstance(opened, EncounterOpened) else None
    for seq, problem in rules.contradictions(events) if rules is not None else ():
        yield VerificationFinding(seq=seq, problem=problem, kind=FindingKind.CONTRADICTION)


def _ruleset_of(opened: EncounterOpened) -> rulesets.Ruleset | None:
    try:
        return rulesets.find(opened.ruleset)
    except Problem:
        return None


def check_dice(events: Sequence[Event]) -> Iterator[VerificationFinding]:
    """Check the numbers of committed rolls, the links of shared rolls and, once the seed is public, every face."""
    for seq, problem in unfair(events):
        yield VerificationFinding(seq=seq, problem=problem)


def _committed(events: Sequence[Event]) -> int:
    encounter = events[-1].encounter if events else None
    return len(committed_rolls(events, encounter)) if encounter and revealed_seed(events, encounter) else 0


def _shared(events: Sequence[Event]) -> SharedDiceReport | None:
    opened = events[0] if events else None
    has_them = isinstance(opened, EncounterOpened) and is_shared(opened.dice)
    return shared_report(events, events[-1].encounter) if has_them else None


def _history(ledger: Records, encounter: UUID) -> tuple[Sequence[tuple[UUID, StoredRow]], VerificationFinding | None]:
    """All rows, or a fork's own rows and a finding if its first event, which names its parent, is unreadable."""
    try:
        return ledger.history(encounter), None
    except Problem as problem:
        own = ledger.own_rows(encounter)
        return own, VerificationFinding(seq=own[0][1].seq, problem=problem.sentence, kind=FindingKind.UNREADABLE)


def check_copies(copied: Iterable[CopiedFight]) -> VerificationFinding | None:
    """A finding for the first renamed import that is not a faithful copy."""
    for copy in copied:
        if not copy.is_whole:
            return VerificationFinding(
                seq=copy.event.seq, problem="the events before it differ from those that it says were imported"
            )
    return None


def _without_copied(seals: Iterable[Seal], copied: Sequence[CopiedFight]) -> list[Seal]:
    """The seals that are not for the original of a copy, which already hold."""
    return [seal for seal in seals if not any(vouches_for(seal, copy.rows) for copy in copied)]


def check_seals(rows: Sequence[tuple[UUID, StoredRow]], seals: Sequence[Seal]) -> VerificationFinding | None:
    """A finding for the first seal that the rows contradict, with the range of events that may differ."""
    good = 0
    for seal in sorted(seals, key=lambda seal: seal.seq):
        since = f"the seal of {seal.sealed_at:%Y-%m-%d %H:%M:%S} UTC vouches for {seal.seq} events"
        if seal.seq > len(rows):
            return VerificationFinding(seq=len(rows) + 1, problem=f"it and all later events are missing: {since}")
        if rows[seal.seq - 1][1].hash.hex() != seal.head:
            problem = (
                f"the history was rewritten at this event or a later one up to {seal.seq}: {since} with other content"
            )
            return VerificationFinding(seq=good + 1, problem=problem)
        good = seal.seq
    return None


def check_rows(rows: Sequence[tuple[UUID, StoredRow]]) -> VerificationFinding | None:
    """A finding for the first event that is missing, unreadable or does not match its hash."""
    head = GENESIS
    for expected, (encounter, row) in enumerate(rows, start=1):
        if row.seq != expected:
            return VerificationFinding(seq=expected, problem=f"it is missing; the next event is {row.seq}")
        head = chained_hash(head, encounter, row.seq, row.name, row.state)
        if head != row.hash:
            return VerificationFinding(
                seq=row.seq, problem="it was changed after it was recorded: its hash does not match its content"
            )
        if problem := _unreadable(encounter, row):
            return VerificationFinding(seq=row.seq, problem=problem, kind=FindingKind.UNREADABLE)
    return None


def _unreadable(encounter: UUID, row: StoredRow) -> str | None:
    try:
        event = decode(row.name, row.state)
    except Problem as problem:
        return problem.sentence
    if (event.encounter, event.seq) != (encounter, row.seq):
        return "its content belongs to another place in the ledger"
    return None


def check_fold(events: Sequence[Event]) -> VerificationFinding | None:
    """A finding for the first event that cannot be applied: its hash is right, but no rules wrote it."""
    try:
        fold(events)
    except Problem as problem:
        return VerificationFinding(seq=problem.facts.get("seq") or 1, problem=problem.sentence)
    except Exception as error:  # folding such events may fail in any way
        return VerificationFinding(seq=1, problem=f"its events cannot be applied ({type(error).__name__})")
    return None


def check_declarations(events: Sequence[Event]) -> Iterator[VerificationFinding]:
    """Resolve every declaration again in its original state, and in every state that a correction left it in."""
    ends = {event.declaration: event.seq for event in events}
    corrections = [event.seq for event in events if is_correction(event)]
    course = CheckedCourse()
    for at, event in enumerate(events):
        following = bisect(corrections, event.declaration)
        corrected = corrections[following] if following < len(corrections) else len(events) + 1
        if isinstance(event, Declared):
            course.check(of_first_declaration(events[at : min(ends[event.seq], corrected - 1)]))
        course.feed(event)
        if corrected < event.seq == ends[event.declaration]:
            course.check_once_answered(event.declaration)
        yield from course.take_findings()


class CheckedCourse(EventHistory):
    """Resolves declarations again that a correction kept although it changed something before them."""

    def __init__(self) -> None:
        super().__init__()
        self._findings: list[VerificationFinding] = []

    def take_findings(self) -> list[VerificationFinding]:
        findings, self._findings = self._findings, []
        return findings

    def recount(self, waiting: list[Event]) -> None:
        if isinstance(waiting[-1], Declared):
            self.check(of_first_declaration(waiting[::-1]))
        super().recount(waiting)

    def check_once_answered(self, declaration: int) -> None:
        """Check a declaration that waited during a correction: the events after its answers are still unchecked."""
        if declaration not in self.timeline.fallen:
            taken = self.take_from(self.place(declaration))
            self.check(of_first_declaration(taken))
            self.put_back(taken)

    def check(self, recorded: Sequence[Event]) -> None:
        """Check that a declaration resolves as recorded. The battle is unchanged afterwards.

        Rulings made while a declaration waited are among its recorded events; they are checked by themselves.
        """
        battle = self.battle
        changes, seq = battle.changes, battle.seq
        finding = _difference(over_its_tape(battle, recorded), recorded[0])
        battle.go_back_to(changes)
        battle.seq = seq
        if finding is not None:
            self._findings.append(finding)


def _difference(table: Table, declared: Event) -> VerificationFinding | None:
    assert isinstance(declared, Declared)
    try:
        resolve_again(table, declared)
    except Diverged as difference:
        recorded, now = difference.recorded, difference.now
        fields = differing_fields(recorded, now) if recorded.kind == now.kind else None
        return VerificationFinding(
            seq=recorded.seq,
            problem="resolving it again has a different result",
            recorded=_in_brief(recorded, fields),
            now=_in_brief(now, fields),
        )
    except Problem as problem:
        return VerificationFinding(
            seq=declared.seq,
            problem="resolving it again is refused",
            recorded=_in_brief(declared),
            now=problem.sentence,
        )
    except Exception as error:  # rules may fail in any way on events that no rules wrote
        return VerificationFinding(
            seq=declared.seq,
            problem="it cannot be resolved again after the events before it",
            recorded=_in_brief(declared),
            now=f"{type(error).__name__}: {error}",
        )
    if table.unmatched is not None:
        return VerificationFinding(
            seq=table.unmatched.seq,
            problem="resolving the declaration again does not produce it",
            recorded=_in_brief(table.unmatched),
        )
    if table.new:
        return VerificationFinding(
            seq=table.new[0].seq,
            problem="resolving the declaration again also produces this event",
            now=_in_brief(table.new[0]),
        )
    return None


def _in_brief(event: Event, fields: Container[str] | None = None) -> str:
    """The meaning of an event, or only of these fields. Its wording never matters."""
    said = [
        f"{name}: {json.dumps(value, ensure_ascii=False)}"
        for name, value in meaning(event, "json").items()
        if name not in _ENVELOPE and value is not None and (fields is None or name in fields)
    ]
    return f"{event.kind} ({', '.join(said)})"


_ENVELOPE = {"kind", "encounter", "seq", "recorded_at", "declaration", "command"}


AT_ONCE = 50
"""The number of fights that a process gets at a time."""

FightToVerify = TypeVar("FightToVerify")
Sealed = Sequence[tuple[UUID, Seal]]


def verify_encounters(
    ledger: LedgerStore, references: Iterable[str], seals: Sequence[Seal] = (), jobs: int = 1
) -> Iterator[VerificationReport]:
    """Check encounters of a ledger in order. Each additional process opens its own connection."""
    sealed = [(sealed_here(ledger, seal), seal) for seal in seals]
    if jobs < 2:
        return _verify_each(ledger, sealed, references)
    return verify_shares(partial(_verify_elsewhere, type(ledger), ledger.url, sealed), list(references), jobs)


def verify_shares(
    work: Callable[[Sequence[FightToVerify]], Sequence[VerificationReport]], fights: Sequence[FightToVerify], jobs: int
) -> Iterator[VerificationReport]:
    """The reports for the fights, in order. A single share of the work is done in this process."""
    shares = [fights[first : first + AT_ONCE] for first in range(0, len(fights), AT_ONCE)]
    if jobs < 2 or len(shares) < 2:
        return chain.from_iterable(map(work, shares))
    return chain.from_iterable(in_processes(work, shares, min(jobs, len(shares)), start="spawn"))


def _verify_elsewhere(
    kind: type[LedgerStore], url: str, sealed: Sealed, references: Sequence[str]
) -> list[VerificationReport]:
    with kind.open(url) as ledger:
        return list(_verify_each(ledger, sealed, references))


def _verify_each(ledger: LedgerStore, sealed: Sealed, references: Iterable[str]) -> Iterator[VerificationReport]:
    for reference in references:
        encounter = encounter_id(reference)
        yield verify(ledger, reference, [seal for about, seal in sealed if about == encounter])
