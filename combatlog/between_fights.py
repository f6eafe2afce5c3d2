"""From fight to fight: who comes along, and in which state."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid5

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from uuid import UUID

    from combatlog.fight import Fight
    from combatlog.rules.engine.commands import Declaration
    from combatlog.rules.engine.outcome import Outcome
    from ledger.events import Data, Face, Position
    from projections.battle import Battle


def carry_over(
    earlier: Fight,
    fight: Fight,
    *who: str,
    at: Position | None = None,
    side: str | None = None,
    hidden: bool = False,
    initiative: int | None = None,
    dice: Sequence[Face] | None = None,
    by: str | None = None,
    command_id: UUID | None = None,
) -> Outcome:
    """Add combatants of an earlier fight as they stand there: hit points, slots and uses, and what lasts.

    They keep their sheets, names, reactions and, unless another is given, their side. Each joins with a
    declaration of its own, which records what it brings along. The earlier fight is not changed. The first stands
    on `at`, the others around it.
    """
    from combatlog.rules.engine.outcome import Outcome

    said = {"hidden": hidden or None, "initiative": initiative}
    given = {name: value for name, value in said.items() if value is not None}
    joining = [{**enlistment, **given} for enlistment in _enlistments(fight.battle, earlier.battle, who, side)]
    commands = [uuid5(command_id, one["name"]) if command_id is not None else None for one in joining]
    shares = _shares(fight, [_joining(fight.battle, one, at, by) for one in joining], dice, commands[0])
    outcomes = [
        fight.declare(_joining(fight.battle, one, at, by), dice=share, command_id=command)
        for one, share, command in zip(joining, shares, commands, strict=True)
    ]
    events = [event for outcome in outcomes for event in outcome.events]
    repeated = all(outcome.repeated for outcome in outcomes)
    fight.outcome = Outcome.ending_in(outcomes[-1].state, events, repeated=repeated)
    return fight.outcome


def _joining(battle: Battle, enlistment: Data, at: Position | None, by: str | None) -> Declaration:
    """With the square that is free when it is declared."""
    from combatlog.rules.engine import ruleset as rulesets
    from combatlog.rules.engine.commands import GM, Declaration
    from combatlog.rules.engine.core_actions import core_ref
    from combatlog.rules.engine.joining import nearest_free
    from combatlog.rules.engine.ruleset import Enlistment

    options = dict(enlistment)
    if at is not None:
        rules = rulesets.find(battle.encounter.ruleset)
        recruit = rules.recruit(Enlistment.read(enlistment))
        options["position"] = nearest_free(battle, rules, at, recruit)
    return Declaration(actor=GM, action=core_ref("join"), options=options, by=by)


def _shares(
    fight: Fight, joining: Sequence[Declaration], dice: Sequence[Face] | None, command: UUID | None
) -> list[Sequence[Face] | None]:
    """The faces that are for each, found out beforehand, so that either all of them join or none."""
    from combatlog.rules.engine.foresight import shares_of

    there = fight.backend.in_memory()
    repeated = command is not None and command in there.course.commands
    return [None] * len(joining) if repeated else shares_of(there, joining, dice)


def _enlistments(battle: Battle, before: Battle, who: Sequence[str], side: str | None) -> Iterator[Data]:
    """Everybody who is named, before anybody joins, so that one who cannot come along keeps no others waiting."""
    from combatlog.rules.engine import ruleset as rulesets
    from combatlog.rules.engine.carrying import check_same_rules, comrade, enlistment_of
    from combatlog.rules.engine.refusal import Refusal

    rules = rulesets.find(battle.encounter.ruleset)
    check_same_rules(before, rules)
    if not who:
        raise Refusal("target/nobody", "Name whom it is about.")
    for combatant in {found.id: found for found in (comrade(before, rules, name) for name in who)}.values():
        yield enlistment_of(before, rules, combatant, side)
