"""What somebody says at the table: declarations, answers, turns, and everything a GM does. Each is one command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

import combatlog
from combatlog.documents.fights import auto_data
from rules.autoplay.auto import Played, command_of_step
from rules.engine import commands as engine
from rules.engine.core_actions import core_ref
from rules.engine.outcome import Outcome
from rules.engine.policies import POLICIES
from rules.engine.short_forms import way_to_cast, way_to_move
from rules.engine.turns import END_TURN
from service import bodies
from service.answers import command_of, expected_seq, json_answer, of_command, tag
from service.command_route import CommandRoute
from service.documented import answers
from service.documented_headers import ETAG, IF_MATCH, KEY
from service.problems import Refused
from service.recording import carry_out, unchanged
from service.results import RecordedData, Steps
from service.rights import Right
from service.routes.reading import Encounter
from service.seating import Place, sitting
from service.unseen_obstacles import as_far_as_seen

router = APIRouter(tags=["playing"], route_class=CommandRoute)
_FOR_PLAYERS = (END_TURN, POLICIES, "core:time:leave")
"""What players may declare of that which every ruleset has; the rest is the GM's."""
_DONE = answers(RecordedData, about="It was recorded.")


def by_of(place: Place, said: bodies.Said) -> str | None:
    """Who says it: a GM may speak for others."""
    return (said.by if place.sees_all else None) or place.held.by


def names(place: Place, given: Sequence[str]) -> list[str]:
    """Whom a seat names, among those whom it sees. The rules look up what a GM says."""
    return list(given) if place.sees_all else [place.who(name) for name in given]


def actor_of(place: Place, name: str) -> str:
    return name if place.sees_all else place.own(name)


def replies_of(place: Place, given: Sequence[bodies.Reply]) -> list[engine.Reply]:
    return [
        engine.Reply(
            reactor=actor_of(place, one.reactor),
            reaction=one.reaction,
            options=one.options,
            as_seen=None if place.sees_all or one.reaction is None else True,
        )
        for one in given
    ]


@router.post("/encounters/{encounter}/declarations", **_DONE)
def declare(request: Request, encounter: Encounter, body: bodies.Declaration) -> Response:
    """Declare an action. If somebody has to be asked on the way, `window` says whom the fight waits for."""

    def do(place: Place, command: UUID | None) -> Outcome:
        action = core_ref(body.action)
        if not place.sees_all and action.startswith("core:") and action not in _FOR_PLAYERS:
            raise Refused("seat/not-allowed", "Only a GM can declare this.", what=body.action)
        said = engine.Declaration(
            actor=actor_of(place, body.actor),
            action=action,
            targets=tuple(names(place, body.targets)),
            destination=body.to,
            weapon=body.weapon,
            options=body.options,
            by=by_of(place, body),
            round=body.round,
            as_seen=True if body.to is not None and not place.sees_all else None,
        )
        with as_far_as_seen(place, lambda fight: said):
            return place.fight.declare(
                said, dice=body.dice, replies=replies_of(place, body.replies), command_id=command
            )

    return carry_out(request, encounter, Right.ACT, do)


@dataclass(frozen=True, slots=True)
class Command:
    """A command under its own address: what it takes, and what is done."""

    path: str
    body: type[bodies.Said]
    about: str
    do: Callable[[Place, combatlog.RecordedFight, Any, dict[str, Any]], Outcome | None]
    """Given the seat, the fight, the body, and what every command takes: who says it, and the command's id."""
    right: Right = Right.DIRECT


def _move(place: Place, fight: combatlog.RecordedFight, body: bodies.Move, say: dict[str, Any]) -> Outcome:
    actor, replies = actor_of(place, body.actor), replies_of(place, body.replies)
    with as_far_as_seen(place, lambda seen: way_to_move(seen, body.to, via=body.via, actor=actor)):
        as_seen = not place.sees_all
        return fight.move(body.to, via=body.via, actor=actor, as_seen=as_seen, dice=body.dice, replies=replies, **say)


def _hit(place: Place, fight: combatlog.RecordedFight, body: bodies.Hit, say: dict[str, Any]) -> Outcome:
    actor, replies = actor_of(place, body.actor), replies_of(place, body.replies)
    target = names(place, [body.target])[0] if body.target else None
    sees = place.viewer.sees if not place.sees_all else None
    return fight.hit(target, actor=actor, weapon=body.weapon, sees=sees, dice=body.dice, replies=replies, **say)


def _cast(place: Place, fight: combatlog.RecordedFight, body: bodies.Cast, say: dict[str, Any]) -> Outcome:
    actor, targets = actor_of(place, body.actor), names(place, body.targets)
    what: dict[str, Any] = {"to": body.to, "options": body.options, "actor": actor}
    with as_far_as_seen(place, lambda seen: way_to_cast(seen, body.spell, targets=targets, **what)):
        return fight.cast(body.spell, targets, **what, dice=body.dice, replies=replies_of(place, body.replies), **say)


def _link(fight: combatlog.RecordedFight, party: str, body: bodies.Link, say: dict[str, Any]) -> Outcome:
    if body.secret is None:
        return fight.withhold_link(party, dice=body.dice, **say)
    return fight.reveal_link(party, body.secret, **say)


COMMANDS = (
    Command(
        "reactions",
        bodies.Reaction,
        "Answer the open window; a reaction of null lets it pass.",
        lambda place, fight, body, say: fight.react(
            actor_of(place, body.reactor),
            body.reaction,
            options=body.options,
            as_seen=not place.sees_all,
            dice=body.dice,
            **say,
        ),
        Right.ACT,
    ),
    Command(
        "dice/chains",
        bodies.NewChain,
        "Sit down with a chain of secrets, at a fight with shared dice.",
        lambda place, fight, body, say: fight.sit(
            *(actor_of(place, name) for name in body.combatants), anchor=body.anchor, **say
        ),
        Right.ACT,
    ),
    Command(
        "dice/links",
        bodies.Link,
        "Reveal the link that a roll of shared dice waits for; null withholds it, on record.",
        lambda place, fight, body, say: _link(fight, actor_of(place, body.party), body, say),
        Right.ACT,
    ),
    Command(
        "turns",
        bodies.EndOfTurn,
        "End the turn of somebody; the next one begins.",
        lambda place, fight, body, say: fight.end_turn(
            actor_of(place, body.who), round=body.round, dice=body.dice, **say
        ),
        Right.ACT,
    ),
    Command(
        "hit",
        bodies.Hit,
        "Make the obvious attack.",
        _hit,
        Right.ACT,
    ),
    Command(
        "cast",
        bodies.Cast,
        "Cast a spell, by its name or the beginning of it.",
        _cast,
        Right.ACT,
    ),
    Command(
        "move",
        bodies.Move,
        "Move to a square at the lowest price.",
        _move,
        Right.ACT,
    ),
    Command(
        "policies",
        bodies.Policies,
        "Change what a combatant does with reactions that it is offered.",
        lambda place, fight, body, say: fight.set_reactions(actor_of(place, body.who), body.policies, **say),
        Right.ACT,
    ),
    Command(
        "leave",
        bodies.Leave,
        "Take a combatant out of the fight.",
        lambda place, fight, body, say: fight.leave(actor_of(place, body.who), why=body.why, dice=body.dice, **say),
        Right.ACT,
    ),
    Command(
        "combatants",
        bodies.Join,
        "Add a combatant, or several of a kind.",
        lambda place, fight, body, say: fight.join(
            body.sheet,
            body.name,
            body.at,
            count=body.count,
            side=body.side,
            controller=body.controller,
            hidden=body.hidden,
            reactions=body.reactions,
            overrides=body.overrides,
            initiative=body.initiative,
            dice=body.dice,
            **say,
        ),
    ),
    Command(
        "start",
        bodies.Start,
        "Start the fight: initiative, the first round, the first turn.",
        lambda place, fight, body, say: fight.start(dice=body.dice, **say),
    ),
    Command(
        "close",
        bodies.Close,
        "Close the fight; nothing more can be declared in it.",
        lambda place, fight, body, say: fight.close(why=body.why, **say),
    ),
    Command(
        "rulings",
        bodies.Ruling,
        "Make a ruling: set values, conditions, a square or a side, change the map, or settle a question.",
        lambda place, fight, body, say: fight.rule(
            body.subject,
            reason=body.reason,
            set=body.set,
            add=body.add,
            remove=body.remove,
            to=body.to,
            side=body.side,
            terrain=body.terrain,
            note=body.note,
            answers=body.answers,
            secret=body.secret,
            **say,
        ),
    ),
    Command(
        "rolls",
        bodies.Roll,
        "Roll dice that the rules do not ask for.",
        lambda place, fight, body, say: fight.roll(
            body.notation, body.purpose, who=body.who, secret=body.secret, dice=body.dice, **say
        ),
    ),
    Command(
        "notes",
        bodies.Note,
        "Note something for everybody to read, or for GMs alone.",
        lambda place, fight, body, say: fight.note(body.text, about=body.about, secret=body.secret, **say),
    ),
    Command(
        "hurt",
        bodies.Hurt,
        "Deal damage as the GM, by the rules.",
        lambda place, fight, body, say: fight.hurt(
            body.who, body.amount, body.type, reason=body.reason, dice=body.dice, **say
        ),
    ),
    Command(
        "heal",
        bodies.Heal,
        "Heal as the GM, by the rules.",
        lambda place, fight, body, say: fight.heal(body.who, body.amount, body.pool, reason=body.reason, **say),
    ),
    Command(
        "initiative",
        bodies.Initiative,
        "Set or correct the initiative of combatants.",
        lambda place, fight, body, say: fight.set_initiative(body.values, reason=body.reason, **say),
    ),
    Command(
        "reveal",
        bodies.Seen,
        "Let the players see combatants that were unrevealed.",
        lambda place, fight, body, say: fight.reveal(*body.who, **say),
    ),
    Command(
        "conceal",
        bodies.Seen,
        "Keep combatants from the players' eyes.",
        lambda place, fight, body, say: fight.conceal(*body.who, **say),
    ),
    Command(
        "labels",
        bodies.Label,
        "Label the fight: practice, archived, or any tag.",
        lambda place, fight, body, say: fight.label(*body.add, remove=body.remove, why=body.why, **say),
    ),
    Command(
        "rests",
        bodies.Rest,
        "Have combatants take a short or a long rest.",
        lambda place, fight, body, say: fight.rest(body.kind, *body.who, hit_dice=body.hit_dice, dice=body.dice, **say),
    ),
)


def _handler(given: Command) -> Callable[..., Response]:
    def handle(request: Request, encounter: str, body: Any) -> Response:
        def do(place: Place, command: UUID | None) -> Outcome | None:
            return given.do(place, place.fight, body, {"by": by_of(place, body), "command_id": command})

        return carry_out(request, encounter, given.right, do)

    handle.__annotations__ = {"request": Request, "encounter": Encounter, "body": given.body, "return": Response}
    handle.__name__ = given.path
    return handle


for _command in COMMANDS:
    router.add_api_route(
        f"/encounters/{{encounter}}/{_command.path}",
        _handler(_command),
        methods=["POST"],
        summary=_command.about,
        **_DONE,
    )


@router.post("/encounters/{encounter}/time-up", **_DONE)
def time_up(request: Request, encounter: Encounter, body: bodies.TimeUp) -> Response:
    """Let the fight's option decide for whoever did not answer in time. The service does so by itself.

    Only where dice are rolled at the table somebody has to give the faces that it takes.
    """

    def do(place: Place, command: UUID | None) -> Outcome:
        return place.fight.time_up(dice=body.dice, command_id=command)

    return carry_out(request, encounter, Right.ACT, do)


@router.post(
    "/encounters/{encounter}/auto",
    **answers(Steps, about="What was played, and why.", has=(ETAG,), takes=(KEY, IF_MATCH)),
)
def auto(request: Request, encounter: Encounter, body: bodies.Auto) -> Response:
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


def _played(place: Place, body: bodies.Auto, command: UUID | None, expected: int | None) -> list[Played]:
    turns = 1 if body.turns is None and body.rounds is None else body.turns
    with unchanged(place, expected):
        return list(place.fight.auto(body.sides, turns=turns, rounds=body.rounds, command_id=command))
