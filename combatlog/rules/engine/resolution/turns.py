"""Turns: the current turn, initiative, delayed turns, and the answer for a player whose time is up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from pydantic import Field

from combatlog.rules.engine.commands import GM, Declaration, Reply
from combatlog.rules.engine.naming import known_id
from combatlog.rules.engine.options_and_validation import Options
from combatlog.rules.engine.refusal import Refusal, choices
from combatlog.rules.engine.resolution.table import Table, policy_of
from ledger.events import Declared, InitiativeEntry, InitiativeSet, Offer, Policy
from projections.battle.combatant import Combatant
from projections.battle.consent import TIME_UP, ReactionTimeUp, answer_until
from projections.battle.fold import Battle

if TYPE_CHECKING:
    from combatlog.rules.engine.ruleset import Ruleset


END_TURN = "core:time:end-turn"


def turn_in_progress(battle: Battle, called: str = "turn") -> str:
    """The id of the combatant whose turn it is; refused if there is none. `called` is the ruleset's word for a turn."""
    turn = battle.clock.turn
    if turn is not None:
        return turn
    if not battle.clock.started:
        raise Refusal("turn/not-started", "The fight has not started yet.", encounter=battle.name)
    raise Refusal("turn/none", f"No {called} is in progress.")


def require_turn(battle: Battle, who: str, called: str = "turn") -> None:
    """Refuse a combatant that acts outside its own turn."""
    turn = turn_in_progress(battle, called)
    if turn != who:
        sentence = f"It is {_name(battle, turn)}'s {called}, not {_name(battle, who)}'s."
        raise Refusal("turn/other", sentence, who=who, turn=turn)


def require_round(battle: Battle, round: int | None) -> None:
    """Refuse a command for another round, such as the end of a turn that someone else has already ended."""
    now = battle.clock.round
    if round is not None and round != now:
        over = f"Round {round} is over" if round < now else f"Round {round} has not begun"
        raise Refusal("turn/other-round", f"{over}; it is round {now}.", round=round, found=now)


def require_a_name(battle: Battle, who: str) -> None:
    """Refuse to end a turn without naming the combatant: if two people do so at once, the second ends the next turn."""
    if who == GM:
        turn = turn_in_progress(battle)
        raise Refusal("turn/whose", f"Say whose turn ends: it is {_name(battle, turn)}'s turn.", turn=turn)


def _name(battle: Battle, who: str) -> str:
    known = battle.combatants.get(who)
    return known.name if known is not None else who


INITIATIVE = "core:time:initiative"


class InitiativeOptions(Options):
    values: dict[str, int] = Field(min_length=1, description="the initiative of each combatant, by name")
    reason: str = Field(default="", max_length=2000, description="why")


def settle_initiative(battle: Battle, rules: Ruleset, said: Declaration, among: Battle) -> Declaration:
    """Replace the names of combatants by their ids."""
    values = {known_id(battle, name): value for name, value in InitiativeOptions.read(said.options).values.items()}
    return said.model_copy(update={"options": {**said.options, "values": values}})


def set_initiative(table: Table, rules: Ruleset, declared: Declared) -> None:
    """Move the named combatants to the places that fit their new initiative. The current turn continues."""
    if not table.battle.clock.started:
        raise Refusal("turn/not-started", "The fight has not started yet.", encounter=table.battle.name)
    values = InitiativeOptions.read(declared.options).values
    named = [InitiativeEntry(combatant=table.combatant(name).id, value=value) for name, value in values.items()]
    take_places(table, rules, named)


def take_places(table: Table, rules: Ruleset, named: Iterable[InitiativeEntry]) -> None:
    """Insert entries into the turn order by their initiative, after equal ones. The others keep their order."""
    battle = table.battle
    placing = {entry.combatant: entry for entry in named}
    order = [entry for entry in battle.clock.order if entry.combatant not in placing]
    for entry in sorted(placing.values(), key=lambda entry: rules.initiative_rank(battle, entry)):
        rank = rules.initiative_rank(battle, entry)
        worse = (at for at, other in enumerate(order) if rules.initiative_rank(battle, other) > rank)
        order.insert(next(worse, len(order)), entry)
    table.record(InitiativeSet, order=tuple(order))


def require_later(actor: Combatant, later: Sequence[Combatant]) -> None:
    if not later:
        raise Refusal(
            "delay/last", f"{actor.name} is the last to act in this round, so it cannot delay its turn.", who=actor.id
        )


def waits_for(actor: Combatant, later: Sequence[Combatant], declared: Declared) -> str:
    """The combatant whose turn comes before the delayed one: the target or, without one, the last combatant."""
    names = [other.id for other in later]
    if not declared.targets:
        return names[-1]
    if len(declared.targets) == 1 and declared.targets[0] in names:
        return declared.targets[0]
    raise Refusal(
        "delay/not-later",
        f"{actor.name} can only wait for one combatant that acts later in this round: {choices(names)}.",
        who=actor.id,
        found=list(declared.targets),
        available=names,
    )


def act_after(table: Table, actor: Combatant, other: str) -> None:
    """Put a combatant right after another one in the turn order.

    Latecomers without a place act last, in the order in which they joined. They get one if the order has to name them.
    """
    battle = table.battle
    entries = {entry.combatant: entry for entry in battle.clock.order}
    if other not in entries:
        lowest = min((entry.value for entry in entries.values()), default=0)
        latecomers = [one.id for one in battle.by_initiative(battle.present()) if one.id not in entries]
        up_to_other = latecomers[: latecomers.index(other) + 1]
        entries |= {name: InitiativeEntry(combatant=name, value=lowest) for name in up_to_other}
    order = [name for name in entries if name != actor.id]
    order.insert(order.index(other) + 1, actor.id)
    table.record(InitiativeSet, order=tuple(entries[name] for name in order))


def overdue_offer(battle: Battle, now: datetime) -> Offer:
    """The offer whose time to answer is up; refused if there is none."""
    waiting = battle.window.waiting if battle.window is not None else None
    if waiting is None:
        raise Refusal("reaction/no-window", "No reaction is being offered.")
    until = answer_until(battle)
    if until is None:
        raise Refusal(
            "reaction/no-limit",
            f"In this fight, there is no time limit for {waiting.reactor} to answer.",
            asked=waiting.reactor,
        )
    if now < until:
        left = max(1, round((until - now).total_seconds()))
        raise Refusal(
            "reaction/time-left",
            f"{waiting.reactor} still has {left} second{'s' if left != 1 else ''} to answer.",
            asked=waiting.reactor,
            needed=left,
        )
    return waiting


def answer_for(battle: Battle, offer: Offer, by: str | None = None) -> Reply:
    """The answer for a combatant whose player did not answer."""
    return Reply(reactor=offer.reactor, reaction=_chosen(battle, offer), by=by or "system")


def _chosen(battle: Battle, offer: Offer) -> str | None:
    if battle.encounter.options.get(TIME_UP) != ReactionTimeUp.WHEN_USEFUL:
        return None
    reactor = battle.combatants[offer.reactor]
    useful = [reaction for reaction in offer.reactions if reaction in offer.useful]
    return next((reaction for reaction in useful if policy_of(reactor, reaction) is not Policy.NEVER), None)
