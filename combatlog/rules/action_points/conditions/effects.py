"""Conditions that spells and items apply for some rounds."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.action_points.checks import Attempt, bonus
from combatlog.rules.action_points.pieces import Condition, piece
from combatlog.rules.action_points.vitality import FAT, PENDING_DAMAGE
from combatlog.rules.engine.chain import Modifier
from combatlog.rules.engine.table import Table
from projections import combatant as state
from projections.combatant import Combatant


@piece
class Blessed(Condition):
    """A bonus to every skill, as high as its level."""

    name = "blessed"

    def on_skill(self, attempt: Attempt, held: state.Condition) -> Iterator[Modifier]:
        yield bonus("effects", "condition:blessed", attempt.user, self.name, held.level or 1)


@piece
class Hampered(Condition):
    """A penalty to every skill, as high as its level."""

    name = "hampered"

    def on_skill(self, attempt: Attempt, held: state.Condition) -> Iterator[Modifier]:
        yield bonus("effects", "condition:hampered", attempt.user, self.name, -(held.level or 1))


@piece
class OffBalance(Condition):
    """A penalty to attacks, as high as its level: a blow was struck with too little strength."""

    name = "off_balance"

    def on_skill(self, attempt: Attempt, held: state.Condition) -> Iterator[Modifier]:
        if attempt.purpose == "attack":
            yield bonus("effects", "condition:off_balance", attempt.user, "off balance", -(held.level or 1))


@piece
class Poisoned(Condition):
    """Adds its level to the pending FAT damage at the end of each round."""

    name = "poisoned"
    lasts = True

    def at_round_end(self, table: Table, owner: Combatant, held: state.Condition) -> None:
        table.gain(owner, PENDING_DAMAGE[FAT], held.level or 1, self.name, self.ref)
