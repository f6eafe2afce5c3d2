"""What somebody says at the table: declarations, answers, turns, and everything a GM does. Each is one command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

import combatlog
from combatlog.documents.fights import auto_data
from combatlog.messages.commands import (
    COMMANDS,
    Cast,
    Command,
    Conceal,
    Declare,
    EndTurn,
    GiveLink,
    Hit,
    Label,
    Leave,
    Move,
    React,
    Rest,
    Reveal,
    SetReactions,
    Sit,
    TimeUp,
)
from combatlog.messages.message import Reply, Said
from combatlog.messages.requests import Auto
from combatlog.messages.rights import Right
from rules.autoplay.auto import Played, command_of_step
from rules.engine import commands as engine
from rules.engine.core_actions import core_ref
from rules.engine.outcome import Outcome
from rules.engine.policies import POLICIES
from rules.engine.short_forms import way_to_cast, way_to_move
from rules.engine.turns import END_TURN
from service.answers import command_of, expected_seq, json_answer, of_command, tag
from service.command_route import CommandRoute
from service.documented import answers
from service.documented_headers import ETAG, IF_MATCH, KEY
from service.problems import Refused
from service.recording import carry_out, unchanged
from service.results import RecordedData, Steps
from service.routes.reading import Encounter
from service.seating import Place, sitting
from service.unseen_obstacles import as_far_as_seen

router = APIRouter(tags=["playing"], route_class=CommandRoute)
_FOR_PLAYERS = (END_TURN, POLICIES, "core:time:leave")
"""What players may declare of that which every ruleset has; the rest is the GM's."""
_DONE = answers(RecordedData, about="It was recorded.")


def by_of(place: Place, said: Said) -> str | None:
    """Who says it: a GM may speak for others."""
    return (said.by if place.sees_all else None) or place.held.by


def names(place: Place, given: Sequence[str]) -> list[str]:
    """Whom a seat names, among those whom it sees. The rules look up what a GM says."""
    return list(given) if place.sees_all else [place.who(name) for name in given]


def actor_of(place: Place, name: str) -> str:
    return name if place.sees_all else place.own(name)


def replies_of(place: Place, given: Sequence[Reply]) -> list[engine.Reply]:
    return [
        engine.Reply(
            reactor=actor_of(place, one.reactor),
            reaction=one.reaction,
            options=one.options,
            as_seen=None if place.sees_all or one.reaction is None else True,
        )
        for one in given
    ]


Handler = Callable[[Place, combatlog.RecordedFight, Any, dict[str, Any]], Outcome | None]
"""Given the seat, the fight, the message, and what every command takes: who says it, and the command's id."""


def _by_its_method(place: Place, fight: combatlog.RecordedFight, said: Command, say: dict[str, Any]) -> Outcome | None:
    fields = {name: getattr(said, name) for name in type(said).model_fields if name != "by"}
    outcome: Outcome | None = getattr(fight, said.method)(**fields, **say)
    return outcome


def _declare(place: Place, fight: combatlog.RecordedFight, said: Declare, say: dict[str, Any]) -> Outcome:
    action = core_ref(said.action)
    if not place.sees_all and action.startswith("core:") and action not in _FOR_PLAYERS:
        raise Refused("seat/not-allowed", "Only a GM can declare this.", what=said.action)
    declaration = engine.Declaration(
        actor=actor_of(place, said.actor),
        action=action,
        targets=tuple(names(place, said.targets)),
        destination=said.to,
        weapon=said.weapon,
        options=said.options,
        by=say["by"],
        round=said.round,
        as_seen=True if said.to is not None and not place.sees_all else None,
    )
    replies = replies_of(place, said.replies)
    with as_far_as_seen(place, lambda seen: declaration):
        return fight.declare(declaration, dice=said.dice, replies=replies, command_id=say["command_id"])


def _move(place: Place, fight: combatlog.RecordedFight, body: Move, say: dict[str, Any]) -> Outcome:
    actor, replies = actor_of(place, body.actor), replies_of(place, body.replies)
    with as_far_as_seen(place, lambda seen: way_to_move(seen, body.to, via=body.via, actor=actor)):
        as_seen = not place.sees_all
        return fight.move(body.to, via=body.via, actor=actor, as_seen=as_seen, dice=body.dice, replies=replies, **say)


def _hit(place: Place, fight: combatlog.RecordedFight, body: Hit, say: dict[str, Any]) -> Outcome:
    actor, replies = actor_of(place, body.actor), replies_of(place, body.replies)
    target = names(place, [body.target])[0] if body.target else None
    sees = place.viewer.sees if not place.sees_all else None
    return fight.hit(target, actor=actor, weapon=body.weapon, sees=sees, dice=body.dice, replies=replies, **say)


def _cast(place: Place, fight: combatlog.RecordedFight, body: Cast, say: dict[str, Any]) -> Outcome:
    actor, targets = actor_of(place, body.actor), names(place, body.targets)
    what: dict[str, Any] = {"to": body.to, "options": body.options, "actor": actor}
    with as_far_as_seen(place, lambda seen: way_to_cast(seen, body.spell, targets=targets, **what)):
        return fight.cast(body.spell, targets, **what, dice=body.dice, replies=replies_of(place, body.replies), **say)


def _link(fight: combatlog.RecordedFight, party: str, body: GiveLink, say: dict[str, Any]) -> Outcome:
    if body.secret is None:
        return fight.withhold_link(party, dice=body.dice, **say)
    return fight.reveal_link(party, body.secret, **say)


HANDLERS: dict[type[Command], Handler] = {
    Declare: _declare,
    React: lambda place, fight, said, say: fight.react(
        actor_of(place, said.reactor),
        said.reaction,
        options=said.options,
        as_seen=not place.sees_all,
        dice=said.dice,
        **say,
    ),
    Sit: lambda place, fight, said, say: fight.sit(
        *(actor_of(place, name) for name in said.combatants), anchor=said.anchor, **say
    ),
    GiveLink: lambda place, fight, said, say: _link(fight, actor_of(place, said.party), said, say),
    EndTurn: lambda place, fight, said, say: fight.end_turn(
        actor_of(place, said.who), round=said.round, dice=said.dice, **say
    ),
    Hit: _hit,
    Cast: _cast,
    Move: _move,
    SetReactions: lambda place, fight, said, say: fight.set_reactions(actor_of(place, said.who), said.policies, **say),
    Leave: lambda place, fight, said, say: fight.leave(actor_of(place, said.who), why=said.why, dice=said.dice, **say),
    TimeUp: lambda place, fight, said, say: fight.time_up(dice=said.dice, command_id=say["command_id"]),
    Reveal: lambda place, fight, said, say: fight.reveal(*said.who, **say),
    Conceal: lambda place, fight, said, say: fight.conceal(*said.who, **say),
    Label: lambda place, fight, said, say: fight.label(*said.add, remove=said.remove, why=said.why, **say),
    Rest: lambda place, fight, said, say: fight.rest(
        said.kind, *said.who, hit_dice=said.hit_dice, dice=said.dice, **say
    ),
}
"""Commands that depend on what the seat plays and sees, or whose method takes its fields in another way."""


def _route(kind: type[Command]) -> Callable[..., Response]:
    handler: Handler = HANDLERS.get(kind, _by_its_method)

    def handle(request: Request, encounter: str, body: Any) -> Response:
        def do(place: Place, command: UUID | None) -> Outcome | None:
            return handler(place, place.fight, body, {"by": by_of(place, body), "command_id": command})

        return carry_out(request, encounter, kind.right, do)

    handle.__annotations__ = {"request": Request, "encounter": Encounter, "body": kind, "return": Response}
    handle.__name__, handle.__doc__ = kind.path, kind.__doc__
    return handle


for _kind in COMMANDS:
    about, _, _more = (_kind.__doc__ or "").partition("\n")
    router.add_api_route(
        f"/encounters/{{encounter}}/{_kind.path}", _route(_kind), methods=["POST"], summary=about, **_DONE
    )


@router.post(
    "/encounters/{encounter}/auto",
    **answers(Steps, about="What was played, and why.", has=(ETAG,), takes=(KEY, IF_MATCH)),
)
def auto(request: Request, encounter: Encounter, body: Auto) -> Response:
    """Let sides play themselves for some turns or rounds; by default, for one turn.

    If it is repeated, nothing is played, and there are no steps.
    """
    expected = expected_seq(request)
    with sitting(request, encounter, Right.DIRECT) as place, place.desk.ledger.store.recorder.hold():
        command = command_of(request, place.held.id)
        repeated = command is not None and bool(of_command(place.table.events, command_of_step(command, 1)))
        steps = [] if repeated else _played(place, body, command, expected)
        place.catch_up()
        return json_answer(
            {"steps": [auto_data(step) for step in steps], "seq": place.watch.last, "repeated": repeated},
            headers={"ETag": tag(place.watch.last)},
        )


def _played(place: Place, body: Auto, command: UUID | None, expected: int | None) -> list[Played]:
    turns = 1 if body.turns is None and body.rounds is None else body.turns
    with unchanged(place, expected):
        return list(place.fight.auto(body.sides, turns=turns, rounds=body.rounds, command_id=command))
