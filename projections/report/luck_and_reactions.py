"""Luck, as hits compared to the range that fair dice give for the same attacks, and what each reaction was worth.

Damage and healing count if they followed from the reaction. Damage counts as prevented if the record says that the
reaction took it away. A hit counts as prevented if the attack would have hit without the reaction's effect on the roll
or on the number to reach.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
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
    Rolled,
)
from projections.readmodels.facts import attack_facts
from projections.report.fight_totals import FollowedFight
from projections.report.models import AttackLuck, LuckVerdict, ReactionWorth
from projections.ruleset_profile import profile_of
from projections.statistics.luck import chance_to_hit
from projections.statistics.odds import interval


class HitChances:
    """The chance of every attack, and whether it hit."""

    def __init__(self) -> None:
        self._chances: defaultdict[str, Counter[Fraction]] = defaultdict(Counter)
        self._hits: Counter[str] = Counter()
        self.without_odds = 0

    def take(self, event: Event, fight: FollowedFight) -> None:
        if not isinstance(event, AttackResolved) or _was_stopped(event, fight):
            return
        roll = _roll_of(event, fight)
        added = sum(modifier.amount for modifier in roll.modifiers) if roll else 0
        ruleset = fight.battle.encounter.ruleset
        chance = chance_to_hit(ruleset, roll.notation, event.against - added) if roll else None
        if chance is None:
            self.without_odds += 1
            return
        self._chances[event.attacker][chance] += 1
        self._hits[event.attacker] += event.hit

    def rows(self, fight: FollowedFight) -> list[AttackLuck]:
        return [
            luck_of(who, fight.name(who), self._hits[who], {str(chance): number for chance, number in chances.items()})
            for who, chances in sorted(self._chances.items())
        ]


def luck_of(who: str, name: str, hits: int, chances: Mapping[str, int]) -> AttackLuck:
    likely = interval([(Fraction(chance), number) for chance, number in chances.items()])
    verdict = (
        LuckVerdict.UNLUCKY if hits < likely.low else LuckVerdict.LUCKY if hits > likely.high else LuckVerdict.CHANCE
    )
    return AttackLuck(
        who=who,
        name=name,
        attacks=sum(chances.values()),
        hits=hits,
        expected=round(likely.expected, 2),
        low=likely.low,
        high=likely.high,
        verdict=verdict,
        chances=dict(chances),
    )


def _was_stopped(attack: AttackResolved, fight: FollowedFight) -> bool:
    """Whether something other than the dice stopped the attack: it reached its number and still missed."""
    misses = profile_of(fight.battle.encounter.ruleset).naturals.misses
    return not attack.hit and attack.total >= attack.against and attack.roll != misses


def _roll_of(attack: AttackResolved, fight: FollowedFight) -> Rolled | None:
    """The roll that the read models link to the attack."""
    row = next(values for table, values in attack_facts(attack, fight.group(attack)) if table == "attacks")
    found = fight.events[row[-1] - 1] if row[-1] is not None else None
    return found if isinstance(found, Rolled) else None


class ReactionUse(NamedTuple):
    who: str
    reaction: str


class ReactionTotals:
    def __init__(self) -> None:
        self._counts: defaultdict[ReactionUse, Counter[str]] = defaultdict(Counter)
        self._chosen: defaultdict[int, list[ReactionUse]] = defaultdict(list)
        """The reactions chosen in each declaration."""

    def take(self, event: Event, fight: FollowedFight) -> None:
        if isinstance(event, ReactionChosen):
            use = ReactionUse(event.reactor, event.reaction)
            self._counts[use]["used"] += 1
            self._chosen[event.declaration].append(use)
        elif isinstance(event, ReactionDeclined):
            self._decline(event, fight)
        elif isinstance(event, Damaged | Healed):
            self._harm_or_heal(event, fight)
        elif isinstance(event, AttackResolved) and not event.hit:
            for use in self._preventing(event, fight):
                self._counts[use]["hits_prevented"] += 1

    def _decline(self, event: ReactionDeclined, fight: FollowedFight) -> None:
        window = fight.events[event.window - 1]
        offers = window.offers if isinstance(window, ReactionWindowOpened) else ()
        for offer in offers:
            if offer.reactor == event.reactor:
                for reaction in offer.reactions:
                    what = "missed" if reaction in offer.useful else "declined"
                    self._counts[ReactionUse(event.reactor, reaction)][what] += 1

    def _harm_or_heal(self, event: Damaged | Healed, fight: FollowedFight) -> None:
        behind = fight.reaction_behind(event)
        if behind is not None:
            what = "damage" if isinstance(event, Damaged) else "healing"
            self._counts[ReactionUse(behind.reactor, behind.reaction)][what] += event.amount
        if isinstance(event, Damaged):
            for use in set(self._chosen[event.declaration]):
                taken = sum(-part.amount for part in event.parts if part.source == use.reaction and part.amount < 0)
                self._counts[use]["prevented"] += taken

    def _preventing(self, attack: AttackResolved, fight: FollowedFight) -> Iterator[ReactionUse]:
        """The reactions without which the attack would have hit."""
        group = fight.group(attack)
        rows = [values for table, values in attack_facts(attack, group) if table == "attack_sources"]
        naturals = profile_of(fight.battle.encounter.ruleset).naturals
        for use in set(self._chosen[attack.declaration]):
            without = [(row[-2], row[-1], attack.against) for row in rows if row[-3] == use.reaction]
            raised = _raised_by(use.reaction, attack, group)
            without += [(attack.roll, attack.total, attack.against - raised)] if raised else []
            if any(naturals.hit(die, reached=total >= against) for die, total, against in without):
                yield use

    def rows(self, fight: FollowedFight) -> list[ReactionWorth]:
        return [
            ReactionWorth(who=use.who, name=fight.name(use.who), reaction=use.reaction, **counts)
            for use, counts in sorted(self._counts.items())
        ]


def _raised_by(reaction: str, attack: AttackResolved, group: list[Event]) -> int:
    """How much a reaction of the target added to the number that the attack had to reach."""
    return sum(
        event.change.amount or 0
        for event in group
        if isinstance(event, ChainModified)
        and event.source == reaction
        and event.owner == attack.target
        and event.change.op is ChangeOp.BONUS
        and event.chain not in ("attack", "damage")
    )
