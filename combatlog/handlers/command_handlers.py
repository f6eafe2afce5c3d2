"""Carry out commands: one function for each message, and the table that finds it. `carry_out` is the entry point."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from combatlog.fight import Fight, played
from combatlog.handlers import consent
from combatlog.handlers.sender import Sender
from combatlog.messages import commands as said
from combatlog.messages.corrections import Correcting
from combatlog.messages.message import Message
from combatlog.messages.requests import Auto, Consent, Fork, Overrule, Propose
from combatlog.messages.rights import Unseen
from combatlog.plugins import installed
from combatlog.recorded import RecordedFight
from combatlog.rules.autoplay.player import PlayLimits
from combatlog.rules.content.packs import Pack, enlist, packs_of
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import GM, Declaration, Reply
from combatlog.rules.engine.corrections.consent import require_consent
from combatlog.rules.engine.declarations.core_actions import REST, core_ref
from combatlog.rules.engine.declarations.joining import POLICIES
from combatlog.rules.engine.menu import acting, last_target, way_to_cast, way_to_move, ways_to_hit
from combatlog.rules.engine.naming import known_id
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.turns import END_TURN
from ledger.errors import Problem
from ledger.events import Controller
from projections.battle.consent import Proposals

if TYPE_CHECKING:
    from pathlib import Path

    from combatlog.rules.autoplay.player import AutoPlayed
    from combatlog.rules.engine.resolution.dry_run import Foreseen
    from combatlog.rules.engine.resolution.referee import Outcome
    from ledger.events import Data, Face
    from projections.battle.fold import Battle

    Result = Outcome | Foreseen

_FOR_PLAYERS = (END_TURN, POLICIES, core_ref("leave"))
"""Those declarations of every ruleset that players may make; the others are the GM's."""
Handler = Callable[[Any, Sender], Any]


def carry_out(message: Message, sender: Sender) -> Any:
    """Carry out a message. A refusal tells only what the seat may know."""
    if sender.dry_run and not message.can_be_tried:
        raise Unseen("message/no-dry-run", "This cannot be tried without doing it.")
    try:
        return handler_of(type(message))(message, sender)
    except Problem as problem:
        seen = sender.as_seen(problem)
        if seen is problem:
            raise
        raise seen from problem


def handler_of(kind: type[Message]) -> Handler:
    if kind in HANDLERS:
        return HANDLERS[kind]
    if issubclass(kind, Correcting):
        return _correct
    return installed()[kind]


# Players and GMs


def _declare(message: said.Declare, sender: Sender) -> Result:
    action = core_ref(message.action)
    if not sender.sees_all and action.startswith("core:") and action not in _FOR_PLAYERS:
        raise Unseen("seat/not-allowed", "Only a GM can declare this.", what=message.action)
    declaration = Declaration(
        actor=sender.own(message.who),
        action=action,
        targets=sender.names(message.targets),
        destination=message.to,
        weapon=message.weapon,
        options=message.options,
        round=message.round,
        as_seen=True if message.to is not None and not sender.sees_all else None,
    )
    replies = sender.replies(message.replies)
    with sender.as_far_as_seen(lambda seen: declaration):
        return sender.declare(declaration, message.dice, replies)


def _react(message: said.React, sender: Sender) -> Result:
    reply = Reply(
        reactor=sender.own(message.who),
        reaction=message.reaction,
        options=message.options,
        as_seen=None if sender.sees_all else True,
    )
    return sender.answer(reply, message.dice)


def _hit(message: said.Hit, sender: Sender) -> Result:
    who, replies = sender.acting(message.who), sender.replies(message.replies)
    target = sender.who(message.target) if message.target is not None else None
    sees = sender.seen.viewer.sees if not sender.sees_all else None

    def way() -> Declaration:
        fight = sender.backend.in_memory()
        whom = target or last_target(fight, acting(fight.battle, who), sees)
        return ways_to_hit(fight, whom, actor=who, weapon=message.weapon)[0]

    return _found(way, sender, message.dice, replies)


def _cast(message: said.Cast, sender: Sender) -> Result:
    who, targets = sender.acting(message.who), sender.names(message.targets)
    replies = sender.replies(message.replies)

    def way(fight: Any) -> Declaration:
        how: Data = {"to": message.to, "options": message.options, "actor": who}
        return way_to_cast(fight, message.spell, targets=targets, **how)

    with sender.as_far_as_seen(way):
        return _found(lambda: way(sender.backend.in_memory()), sender, message.dice, replies)


def _move(message: said.Move, sender: Sender) -> Result:
    who, replies = sender.acting(message.who), sender.replies(message.replies)

    def way(fight: Any, as_seen: bool = False) -> Declaration:
        return way_to_move(fight, message.to, via=message.via, actor=who, as_seen=as_seen)

    with sender.as_far_as_seen(way):
        return _found(lambda: way(sender.backend.in_memory(), not sender.sees_all), sender, message.dice, replies)


def _found(
    way: Callable[[], Declaration], sender: Sender, dice: Sequence[Face] | None, replies: Sequence[Reply]
) -> Result:
    """Declare what was found. If nothing is found, a repeated command may have used it up the first time."""
    try:
        declaration = way()
    except Refusal:
        if (repeated := sender.backend.repeated(sender.command)) is not None:
            return repeated
        raise
    return sender.declare(declaration, dice, replies)


def _end_turn(message: said.EndTurn, sender: Sender) -> Result:
    ending = Declaration(actor=sender.own(message.who), action=END_TURN, round=message.round)
    return sender.declare(ending, message.dice)


def _set_reactions(message: said.SetReactions, sender: Sender) -> Result:
    return _of(sender, sender.own(message.who), "policies", {"policies": message.policies})


def _leave(message: said.Leave, sender: Sender) -> Result:
    """If the combatant is being asked something, it passes, and the dice are for what follows."""
    who, dice = sender.own(message.who), message.dice
    battle = sender.backend.battle
    waiting = battle.window.waiting if battle.window is not None else None
    if waiting is not None and waiting.reactor == known_id(battle, who):
        passing = Sender(sender.backend, sender.seat, sender.by, dry_run=sender.dry_run)
        passing.answer(Reply(reactor=who), dice)
        dice = None
    return _of(sender, who, "leave", {"why": message.reason}, dice=dice)


def _time_up(message: said.TimeUp, sender: Sender) -> Outcome:
    said_by = message.model_copy(update={"by": sender.by})
    return sender.backend.record(said_by, dice=message.dice, command_id=sender.command)


def _sit(message: said.Sit, sender: Sender) -> Result:
    first, *others = (sender.own(name) for name in message.combatants)
    return _of(sender, first, "sit", {"anchor": message.anchor}, targets=others)


def _give_link(message: said.GiveLink, sender: Sender) -> Result:
    """A withheld link is recorded; then the roll uses the given faces, or the host's link alone."""
    if message.secret is None:
        return sender.answer(Reply(reactor=sender.own(message.who)), message.dice)
    reply = Reply(reactor=sender.own(message.who), reaction="link", options={"secret": message.secret})
    return sender.answer(reply)


# GMs


def _join(message: said.Join, sender: Sender) -> Result:
    options = enlisted(message, sender.backend.battle, message.sheet)
    return _of(sender, GM, "join", options, dice=message.dice)


def enlisted(message: said.Join, battle: Battle, sheet: str | Path | Data, packs: Iterable[Pack] = ()) -> Data:
    """The options of the declaration, with the whole sheet from the ruleset, the fight's packs or these packs."""
    options = enlist(
        rulesets.find(battle.encounter.ruleset),
        sheet,
        [*packs_of(battle), *packs],
        name=message.name,
        side=message.side,
        position=message.at,
        controller=message.controller,
        overrides=message.overrides,
        policies=message.reactions,
        hidden=message.hidden,
    )
    if message.count != 1:
        options["count"] = message.count
    if message.initiative is not None:
        options["initiative"] = message.initiative
    return options


def _rest(message: said.Rest, sender: Sender) -> Result:
    """Without names, every player's combatant rests, except the dead."""
    resting = message.who or _party(sender.backend.battle)
    dice = message.hit_dice
    spent = dict.fromkeys(resting, dice) if isinstance(dice, int) and dice else dice or {}
    options = {"kind": message.kind, "hit_dice": spent} if spent else {"kind": message.kind}
    return sender.declare(Declaration(actor=GM, action=REST, targets=resting, options=options), message.dice)


def _party(battle: Battle) -> tuple[str, ...]:
    """The players' combatants that are alive."""
    rules = rulesets.find(battle.encounter.ruleset)
    present = (one for one in battle.present() if one.controller is Controller.PLAYER)
    return tuple(one.id for one in present if not rules.is_dead(one))


def _propose(message: Propose, sender: Sender) -> Any:
    meant = message.message.model_copy(update={"by": sender.by})
    if sender.dry_run:
        return consent.plan_of(sender.backend, meant, sender.command)
    return consent.put_to_table(sender.backend, meant, sender.command)


def _consent(message: Consent, sender: Sender) -> Outcome:
    who, proposal = sender.own(message.who), _meant(message.proposal, sender)
    try:
        return consent.take_answer(
            sender.backend, who, message.agree, message.reason, proposal, sender.by, sender.command
        )
    except Refusal as refusal:
        if sender.sees_all or refusal.code.startswith(("consent/", "combatant/")):
            raise
        # It may have become impossible, for a reason that a player may not know.
        raise Refusal(refusal.code, "What was proposed cannot be done now.") from refusal


def _overrule(message: Overrule, sender: Sender) -> Outcome:
    proposal = _meant(message.proposal, sender)
    return consent.make_without_consent(sender.backend, message.reason, proposal, sender.by, sender.command)


def _fork(message: Fork, sender: Sender) -> RecordedFight:
    record = sender.backend.view().record
    referee, by = record.ledger.referee, sender.by or GM
    outcome = referee.fork(str(record.id), message.at, message.name, by=by, command=sender.command)
    return RecordedFight(record.ledger, outcome.state.id, outcome)


def _auto(message: Auto, sender: Sender) -> list[AutoPlayed]:
    limits = PlayLimits(message.turns or (None if message.rounds else 1), message.rounds)
    return list(played(Fight(sender.backend), limits, message.sides, sender.command))


def _meant(number: int | None, sender: Sender) -> int | None:
    """The seq in the ledger of a proposal, given as the seat counts."""
    if number is None:
        return None
    seq = number
    if not sender.sees_all:
        seq = sender.seen.recorded(number) if number <= sender.seen.last else 0
    if seq not in [one.seq for one in Proposals(sender.backend.history()).all]:
        raise Unseen("consent/no-proposal", "There is no such proposal.", found=number)
    return seq


def _correct(message: Any, sender: Sender) -> Any:
    plan = sender.backend.plan(message.model_copy(update={"by": sender.by}), sender.command)
    if sender.dry_run:
        return plan
    require_consent(plan)
    return sender.backend.apply(plan)


def _of(
    sender: Sender,
    who: str,
    action: str,
    options: Mapping[str, Any],
    *,
    targets: Sequence[str] = (),
    dice: Sequence[Face] | None = None,
    replies: Sequence[Reply] = (),
) -> Result:
    """Declare something that every ruleset has."""
    declaration = Declaration(actor=who, action=core_ref(action), targets=tuple(targets), options=dict(options))
    return sender.declare(declaration, dice, replies)


def _core(
    action: str,
    aimed_by: str = "",
    renamed: Mapping[str, str] = MappingProxyType({}),
    always: Collection[str] = (),
) -> Handler:
    """Declare something that every ruleset has, as the GM. The fields that were given are its options.

    `aimed_by` is the field with the targets; some options have another name than their field.
    """

    def declare(message: Any, sender: Sender) -> Result:
        said = message.model_dump(exclude={"by", "dice", "replies", aimed_by})
        options = {
            renamed.get(name, name): list(value) if isinstance(value, tuple) and name != "to" else value
            for name, value in said.items()
            if value or name in always
        }
        aimed = getattr(message, aimed_by, None) or ()
        targets = (aimed,) if isinstance(aimed, str) else aimed
        dice, replies = getattr(message, "dice", None), sender.replies(getattr(message, "replies", ()))
        return _of(sender, GM, action, options, targets=targets, dice=dice, replies=replies)

    return declare


HANDLERS: dict[type[Message], Handler] = {
    said.Declare: _declare,
    said.React: _react,
    said.Sit: _sit,
    said.GiveLink: _give_link,
    said.EndTurn: _end_turn,
    said.Hit: _hit,
    said.Cast: _cast,
    said.Move: _move,
    said.SetReactions: _set_reactions,
    said.Leave: _leave,
    said.TimeUp: _time_up,
    said.Join: _join,
    said.Start: _core("start"),
    said.Conclude: _core("close", renamed={"reason": "why"}, always={"reason"}),
    said.Rule: _core("rule", "who", always={"reason"}),
    said.Roll: _core("roll", "who", {"notation": "dice"}),
    said.Note: _core("note", "about"),
    said.Hurt: _core("hurt", "who"),
    said.Heal: _core("heal", "who"),
    said.SetInitiative: _core("initiative"),
    said.Reveal: _core("reveal", "who"),
    said.Conceal: _core("conceal", "who"),
    said.Label: _core("label", renamed={"reason": "why"}),
    said.Rest: _rest,
    Propose: _propose,
    Consent: _consent,
    Overrule: _overrule,
    Fork: _fork,
    Auto: _auto,
}
