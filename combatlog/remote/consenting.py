"""Consent to corrections through a service, which makes one when the last of those who are asked has agreed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from combatlog.consent import Consenting
from combatlog.remote.correcting import RemoteCorrections

if TYPE_CHECKING:
    from combatlog.remote.wire import Wire


class RemoteConsent(RemoteCorrections, Consenting):
    wire: Wire
    _path: str

    def proposals_told(self) -> list[dict[str, Any]]:
        """What was proposed, as the seat sees it, oldest first."""
        return list(self.wire.get(f"{self._path}/proposals"))

    def meant(self, proposal: int | None) -> int:
        from rules.engine.corrections.consent import require_open

        told = self.proposals_told() if proposal is None else []
        if proposal is None and not told:
            require_open(None)
        return proposal if proposal is not None else int(told[-1]["proposal"])
