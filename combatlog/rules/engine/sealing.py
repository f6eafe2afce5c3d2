"""Sealing an encounter, and reading seals to verify it against."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from uuid import UUID

from combatlog.rules.engine.fight import utc_now
from combatlog.rules.engine.verify import verify
from ledger.database import home_folder
from ledger.errors import Problem
from ledger.seal import Seal, check_seal, make_seal, own_key, public_hex, read_seal
from ledger.store import Ledger, encounter_id
from projections.battle import fold


def seal_encounter(ledger: Ledger, reference: str, *, now: Callable[[], datetime] = utc_now) -> Seal:
    """A seal of an encounter as it is now. One that has been tampered with is not sealed."""
    report = verify(ledger, reference)
    if not report.stands:
        raise Problem(
            "seal/not-as-recorded",
            f"Event {report.findings[0].seq} does not verify, so the encounter cannot be sealed.",
            encounter=reference,
            seq=report.findings[0].seq,
        )
    stream = ledger.find(reference)
    battle = fold(stream.events)
    return make_seal(own_key(home_folder()), battle.id, battle.name, battle.seq, stream.head, now())


def read_seals(paths: Iterable[Path], trust: Iterable[str]) -> list[Seal]:
    """Seals from their files, each signed with this user's key or a trusted one."""
    seals = [read_seal(path) for path in paths]
    if seals:
        trusted = {public_hex(own_key(home_folder())), *(key.strip().lower() for key in trust)}
        for seal in seals:
            check_seal(seal, trusted)
    return seals


def require_about(encounter: str, seals: Iterable[Seal], sealed: Iterable[UUID]) -> None:
    """Refuse seals of other encounters; `sealed` says what each of them is about."""
    for seal, about in zip(seals, sealed, strict=True):
        if about != encounter_id(encounter):
            raise Problem(
                "seal/other-encounter",
                f"That seal is for {seal.name!r}, not for {encounter!r}.",
                found=seal.name,
                needed=encounter,
            )
