"""What each combatant dealt, took, restored and regained, and how often it hit."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ledger.events import AttackResolved, Damaged, Event, Healed, ResourceChanged
from projections.combatant import Combatant
from projections.report.followed import Followed
from projections.report.models import Pool, Share


@dataclass(slots=True)
class Shares:
    dealt: Counter[str] = field(default_factory=Counter)
    taken: Counter[str] = field(default_factory=Counter)
    healed: Counter[str] = field(default_factory=Counter)
    recovered: Counter[str] = field(default_factory=Counter)
    attacks: Counter[str] = field(default_factory=Counter)
    hits: Counter[str] = field(default_factory=Counter)

    def take(self, event: Event, fight: Followed) -> None:
        if isinstance(event, Damaged) and not fight.is_ruled(event):
            self.taken[event.target] += event.amount
            if event.source is not None and event.source != event.target:
                self.dealt[event.source] += event.amount
        elif isinstance(event, Healed) and not fight.is_ruled(event):
            self.recovered[event.target] += event.amount
            if healer := _healer(event, fight):
                self.healed[healer] += event.amount
        elif isinstance(event, AttackResolved):
            self.attacks[event.attacker] += 1
            self.hits[event.attacker] += event.hit
        elif delayed := fight.delayed(event):
            self._take_delayed(event, fight, delayed)

    def _take_delayed(self, event: Event, fight: Followed, amount: int) -> None:
        """It is dealt now; once it takes effect, it comes from nobody in particular."""
        doer = fight.doer(event)
        if doer is not None and isinstance(event, ResourceChanged) and doer != event.owner:
            self.dealt[doer] += amount

    def rows(self, fight: Followed, falls: Counter[str]) -> list[Share]:
        """One for each combatant that has a pool to lose or did something."""
        acted = {*self.dealt, *self.healed, *self.attacks}
        shown = [c for c in fight.battle.combatants.values() if c.vitals or c.id in acted]
        return [self._row(combatant, combatant.id in fight.fighting, falls[combatant.id]) for combatant in shown]

    def _row(self, combatant: Combatant, in_the_fight: bool, falls: int) -> Share:
        return Share(
            id=combatant.id,
            name=combatant.name,
            side=combatant.side,
            dealt=self.dealt[combatant.id],
            taken=self.taken[combatant.id],
            healed=self.healed[combatant.id],
            recovered=self.recovered[combatant.id],
            attacks=self.attacks[combatant.id],
            hits=self.hits[combatant.id],
            falls=falls,
            pools={
                name: Pool(current=vital.current, maximum=vital.maximum) for name, vital in combatant.pools().items()
            },
            in_the_fight=in_the_fight,
        )


def _healer(event: Healed, fight: Followed) -> str | None:
    """A combatant, if it is named; otherwise whoever brought it about: the source may be a spell."""
    return event.source if event.source in fight.battle.combatants else fight.doer(event)
