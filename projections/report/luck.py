"""Luck: hits beside the span that fair dice give for the same attacks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from fractions import Fraction

from ledger.events import AttackResolved, Event, Rolled
from projections.readmodels.attacks import attack_facts
from projections.report.followed import Followed
from projections.report.models import Luck, Verdict
from projections.statistics.chance import chance_to_hit
from projections.statistics.fairness import interval
from projections.statistics.worth import NATURALS


class Chances:
    """The chance of every attack, and whether it hit."""

    def __init__(self) -> None:
        self._chances: defaultdict[str, Counter[Fraction]] = defaultdict(Counter)
        self._hits: Counter[str] = Counter()
        self.without_odds = 0

    def take(self, event: Event, fight: Followed) -> None:
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

    def rows(self, fight: Followed) -> list[Luck]:
        return [
            luck_of(who, fight.name(who), self._hits[who], {str(chance): number for chance, number in chances.items()})
            for who, chances in sorted(self._chances.items())
        ]


def luck_of(who: str, name: str, hits: int, chances: Mapping[str, int]) -> Luck:
    likely = interval([(Fraction(chance), number) for chance, number in chances.items()])
    verdict = Verdict.UNLUCKY if hits < likely.low else Verdict.LUCKY if hits > likely.high else Verdict.CHANCE
    return Luck(
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


def _was_stopped(attack: AttackResolved, fight: Followed) -> bool:
    """By something other than the dice: it reached its number and missed all the same."""
    never = NATURALS.get(fight.battle.encounter.ruleset, (None, None))[1]
    return not attack.hit and attack.total >= attack.against and attack.roll != never


def _roll_of(attack: AttackResolved, fight: Followed) -> Rolled | None:
    """The roll that the read models know the attack by."""
    row = next(values for table, values in attack_facts(attack, fight.group(attack)) if table == "attacks")
    found = fight.events[row[-1] - 1] if row[-1] is not None else None
    return found if isinstance(found, Rolled) else None
