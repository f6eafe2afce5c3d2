"""Turns: whose turn it is, initiative, delayed turns, and the answer for a player whose time has run out."""

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
    """The id of the combatant whose turn it is, or a refusal. `called` is what the ruleset calls a turn."""
    turn = battle.clock.turn
    if turn is not None:
        return turn
    if not battle.clock.started:
        raise Refusal("turn/not-started", "The fight has not started yet.", encounter=battle.name)
    raise Refusal("turn/none", f"No {called} is in progress.")


def require_turn(battle: Battle, who: str, called: str = "turn") -> None:
    """Refuse whoever acts outside their own turn."""
    turn = turn_in_progress(battle, called)
    if turn != who:
        sentence = f"It is {_name(battle, turn)}'s {called}, not {_name(battle, who)}'s."
        raise Refusal("turn/other", sentence, who=who, turn=turn)


def require_round(battle: Battle, round: int | None) -> None:
    """Refuse what was meant for another round, such as ending a turn that somebody else has ended meanwhile."""
    now = battle.clock.round
    if round is not None and round != now:
        over = f"Round {round} is over" if round < now else f"Round {round} has not begun"
        raise Refusal("turn/other-round", f"{over}; it is round {now}.", round=round, found=now)


def require_a_name(battle: Battle, who: str) -> None:
    """Refuse to end just any turn: of two people who end the same one, the second would end the next one as well."""
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
    """The ids of those who are named."""
    values = {known_id(battle, name): value for name, value in InitiativeOptions.read(said.options).values.items()}
    return said.model_copy(update={"options": {**said.options, "values": values}})


def set_initiative(table: Table, rules: Ruleset, declared: Declared) -> None:
    """Those who are named get a new place by their value. The turn in progress goes on."""
    if not table.battle.clock.started:
        raise Refusal("turn/not-started", "The fight has not started yet.", encounter=table.battle.name)
    values = InitiativeOptions.read(declared.options).values
    named = [InitiativeEntry(combatant=table.combatant(name).id, value=value) for name, value in values.items()]
    take_places(table, rules, named)


def take_places(table: Table, rules: Ruleset, named: Iterable[InitiativeEntry]) -> None:
    """Put these into the order by their initiative, behind those who are as good. The others stay as they are."""
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
        raise Refusal("delay/last", f"Nobody acts after {actor.name} in this round; it cannot wait.", who=actor.id)


def waits_for(actor: Combatant, later: Sequence[Combatant], declared: Declared) -> str:
    """Whose turn comes before the delayed one: that of the target, or else of the last combatant."""
    names = [other.id for other in later]
    if not declared.targets:
        return names[-1]
    if len(declared.targets) == 1 and declared.targets[0] in names:
        return declared.targets[0]
    raise Refusal(
        "delay/not-later",
        f"{actor.name} can wait for one combatant that acts later in this round: {choices(names)}.",
        who=actor.id,
        found=list(declared.targets),
        available=names,
    )


def act_after(table: Table, actor: Combatant, other: str) -> None:
    """Put somebody right behind somebody else in the order of turns."""
    entries = {entry.combatant: entry for entry in table.battle.clock.order}
    order = [name for name in entries if name != actor.id]
    order.insert(order.index(other) + 1, actor.id)
    table.record(InitiativeSet, order=tuple(entries[name] for name in order))


def overdue_offer(battle: Battle, now: datetime) -> Offer:
    """The offer that nobody has answered in time; refused if there is none."""
    waiting = battle.window.waiting if battle.window is not None else None
    if waiting is None:
        raise Refusal("reaction/no-window", "Nobody is being asked to react.")
    until = answer_until(battle)
    if until is None:
        raise Refusal(
            "reaction/no-limit", f"{waiting.reactor} may take any time to answer in this fight.", asked=waiting.reactor
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
    """What is answered for a combatant that did not answer."""
    return Reply(reactor=offer.reactor, reaction=_chosen(battle, offer), by=by or "system")


def _chosen(battle: Battle, offer: Offer) -> str | None:
    if battle.encounter.options.get(TIME_UP) != ReactionTimeUp.WHEN_USEFUL:
        return None
    reactor = battle.combatants[offer.reactor]
    useful = [reaction for reaction in offer.reactions if reaction in offer.useful]
    return next((reaction for reaction in useful if policy_of(reactor, reaction) is not Policy.NEVER), None)
