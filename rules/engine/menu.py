"""What a combatant can do now, and what it did with what it had."""

from __future__ import annotations

from collections.abc import Callable, Collection

from ledger.events import ResourceChanged
from projections.battle import Battle
from projections.combatant import Combatant
from rules.engine.fight import Fight
from rules.engine.refusal import Refusal, choices
from rules.engine.ruleset import Advice, Section


def menu_of(fight: Fight, actor: str) -> list[Section]:
    return fight.ruleset.menu(fight.battle, combatant_of(fight.battle, actor))


def obstacle(*checks: Callable[[], None]) -> str | None:
    """The sentence with which the first of these checks refuses; None if none does."""
    try:
        for check in checks:
            check()
    except Refusal as refusal:
        return refusal.sentence
    return None


def advice_for(fight: Fight, actor: str) -> list[Advice]:
    """Which choices fit a combatant's situation."""
    advice = fight.ruleset.advise(fight.battle, combatant_of(fight.battle, actor))
    if not advice:
        raise Refusal(
            "advise/none", f"{fight.ruleset.name} has no advice to give; `combatlog actions` shows what can be done."
        )
    return advice


def history_of(fight: Fight, actor: str, resources: Collection[str] = ()) -> list[ResourceChanged]:
    """Every change of a combatant's resources, in the order it happened."""
    combatant = combatant_of(fight.battle, actor)
    histories = {name: pool.history for name, pool in combatant.economy.items()}
    histories |= {name: vital.payments for name, vital in combatant.vitals.items() if vital.payments}
    for name in resources:
        if name not in histories:
            raise Refusal("economy/unknown", f"{actor} has no {name!r}; it has {choices(sorted(histories))}.")
    wanted = [changes for name, changes in histories.items() if not resources or name in resources]
    return sorted((change for changes in wanted for change in changes), key=lambda change: change.seq)


def combatant_of(battle: Battle, name: str) -> Combatant:
    found = battle.combatants.get(name)
    if found is None:
        raise Refusal(
            "declaration/unknown-combatant",
            f"There is no {name!r} in this fight; there is {choices(battle.combatants)}.",
        )
    return found
