"""Consent to corrections through a service, which makes one when the last of those who are asked has agreed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from combatlog.consent import GM, Consenting
from combatlog.remote.correcting import RemoteCorrections

if TYPE_CHECKING:
    from uuid import UUID

    from combatlog.messages.corrections import Correction
    from combatlog.remote.wire import Wire
    from rules.engine.outcome import Outcome


class RemoteConsent(RemoteCorrections, Consenting):
    wire: Wire
    _path: str

    def propose(self, correction: Correction, *, command_id: UUID | None = None) -> Outcome:
        from combatlog.messages.corrections import as_json

        return self._record("proposals", as_json(correction), command_id)

    def consent(
        self,
        who: str,
        agree: bool = True,
        *,
        reason: str = "",
        proposal: int | None = None,
        by: str | None = None,
        command_id: UUID | None = None,
    ) -> Outcome:
        from combatlog.messages.message import message
        from combatlog.messages.requests import Consent

        said = message(Consent, who=who, agree=agree, reason=reason)
        return self._record(f"proposals/{self._meant(proposal)}/answers", said.model_dump(), command_id)

    def overrule(
        self, reason: str, *, proposal: int | None = None, by: str = GM, command_id: UUID | None = None
    ) -> Outcome:
        from combatlog.messages.message import message
        from combatlog.messages.requests import Overruling

        said = message(Overruling, reason=reason, by=by)
        return self._record(f"proposals/{self._meant(proposal)}/overruling", said.model_dump(), command_id)

    def proposals_told(self) -> list[dict[str, Any]]:
        """What was proposed, as the seat sees it, oldest first."""
        return list(self.wire.get(f"{self._path}/proposals"))

    def _meant(self, proposal: int | None) -> int:
        from rules.engine.corrections.consent import require_open

        told = self.proposals_told() if proposal is None else []
        if proposal is None and not told:
            require_open(None)
        return proposal if proposal is not None else int(told[-1]["proposal"])
