"""Reactions, and what each was worth as far as the record tells.

Damage and healing count if they followed from the reaction. Damage counts as prevented if the reaction is on record as
taking it away. A hit counts as prevented if the attack would have hit without what the reaction did to the roll, or to
the number that the roll had to reach.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from ledger.events import (
    AttackResolved,
    ChainModified,
    ChangeOp,
    Damaged,
    Event,
    Healed,
    ReactionChosen,
    ReactionDeclined,
    ReactionWindowOpened,
)
from projections.readmodels.attacks import attack_facts
from projections.report.followed import Followed
from projections.report.models import Worth
from projections.statistics.worth import NATURALS


class Use(NamedTuple):
    who: str
    reaction: str


class Reactions:
    def __init__(self) -> None:
        self._counts: defaultdict[Use, Counter[str]] = defaultdict(Counter)
        self._chosen: defaultdict[int, list[Use]] = defaultdict(list)
        """What was chosen in each declaration."""

    def take(self, event: Event, fight: Followed) -> None:
        if isinstance(event, ReactionChosen):
            use = Use(event.reactor, event.reaction)
            self._counts[use]["used"] += 1
            self._chosen[event.declaration].append(use)
        elif isinstance(event, ReactionDeclined):
            self._decline(event, fight)
        elif isinstance(event, Damaged | Healed):
            self._harm_or_heal(event, fight)
        elif isinstance(event, AttackResolved) and not event.hit:
            for use in self._preventing(event, fight):
                self._counts[use]["hits_prevented"] += 1

    def _decline(self, event: ReactionDeclined, fight: Followed) -> None:
        window = fight.events[event.window - 1]
        offers = window.offers if isinstance(window, ReactionWindowOpened) else ()
        for offer in offers:
            if offer.reactor == event.reactor:
                for reaction in offer.reactions:
                    what = "missed" if reaction in offer.useful else "declined"
                    self._counts[Use(event.reactor, reaction)][what] += 1

    def _harm_or_heal(self, event: Damaged | Healed, fight: Followed) -> None:
        behind = fight.reaction_behind(event)
        if behind is not None:
            what = "damage" if isinstance(event, Damaged) else "healing"
            self._counts[Use(behind.reactor, behind.reaction)][what] += event.amount
        if isinstance(event, Damaged):
            for use in set(self._chosen[event.declaration]):
                taken = sum(-part.amount for part in event.parts if part.source == use.reaction and part.amount < 0)
                self._counts[use]["prevented"] += taken

    def _preventing(self, attack: AttackResolved, fight: Followed) -> Iterator[Use]:
        """The reactions without which the attack would have hit."""
        group = fight.group(attack)
        rows = [values for table, values in attack_facts(attack, group) if table == "attack_sources"]
        always, never = NATURALS.get(fight.battle.encounter.ruleset, (None, None))
        for use in set(self._chosen[attack.declaration]):
            without = [(row[-2], row[-1], attack.against) for row in rows if row[-3] == use.reaction]
            raised = _raised_by(use.reaction, attack, group)
            without += [(attack.roll, attack.total, attack.against - raised)] if raised else []
            if any(die == always or (die != never and total >= against) for die, total, against in without):
                yield use

    def rows(self, fight: Followed) -> list[Worth]:
        return [
            Worth(who=use.who, name=fight.name(use.who), reaction=use.reaction, **counts)
            for use, counts in sorted(self._counts.items())
        ]


def _raised_by(reaction: str, attack: AttackResolved, group: list[Event]) -> int:
    """What a reaction of the target added to the number that the attack had to reach."""
    return sum(
        event.change.amount or 0
        for event in group
        if isinstance(event, ChainModified)
        and event.source == reaction
        and event.owner == attack.target
        and event.change.op is ChangeOp.BONUS
        and event.chain not in ("attack", "damage")
    )
