"""Checks that refuse a command before it is resolved: names, sizes, and whether the fight accepts it now."""

from __future__ import annotations

from uuid import UUID

from combatlog.rules.content.limits import check_data, check_texts
from combatlog.rules.engine.commands import Declaration, Reply
from combatlog.rules.engine.declarations.core_actions import REST
from combatlog.rules.engine.declarations.joining import POLICIES
from combatlog.rules.engine.declarations.notes_and_rolls import LABEL, NOTE
from combatlog.rules.engine.refusal import Refusal, choices, unknown
from ledger.events import Offer
from projections.battle.consent import ABOUT_CONSENT
from projections.battle.dice import SIT
from projections.battle.fold import Battle

_WHILE_WAITING = {"core:ruling:rule", POLICIES, LABEL, NOTE, SIT, *ABOUT_CONSENT}
"""Actions that may be declared while a window waits for an answer."""
_AFTERWARDS = {LABEL, REST, NOTE, *ABOUT_CONSENT}
"""Actions that may be declared when the fight is over."""

_NAMED = 200
"""How many targets are checked as names; if there are more, all are checked as data."""


def check_size(declaration: Declaration) -> None:
    named = declaration.targets[:_NAMED]
    check_texts(declaration.actor, declaration.action, declaration.weapon, declaration.by, *named)
    if declaration.options or declaration.destination is not None or len(named) < len(declaration.targets):
        check_data([declaration.options, declaration.destination, declaration.targets])


def check_name(name: str) -> str:
    stripped = name.strip()
    if not 1 <= len(stripped) <= 100 or not stripped.isprintable() or _is_uuid(stripped):
        raise Refusal(
            "encounter/name",
            "An encounter's name has 1 to 100 printable characters and does not look like an id.",
            name=stripped,
        )
    return stripped


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def closed(battle: Battle) -> Refusal:
    return Refusal("encounter/closed", "This fight is over; nothing more can be declared.", encounter=battle.name)


def check_open(battle: Battle, action: str) -> None:
    if battle.clock.closed and action not in _AFTERWARDS:
        raise closed(battle)
    window = battle.window
    if window is not None and window.waiting is not None and action not in _WHILE_WAITING:
        waiting = window.waiting
        raise Refusal(
            "window/waiting",
            f"{waiting.reactor} has to answer first: {choices([*_names(waiting), 'pass'])}.",
            asked=waiting.reactor,
            available=_names(waiting),
        )


def check_reply(battle: Battle, reply: Reply) -> None:
    waiting = battle.window.waiting if battle.window else None
    if waiting is None:
        raise Refusal("reaction/no-window", "No reaction is being offered.", who=reply.reactor)
    if reply.reactor != waiting.reactor:
        raise Refusal(
            "reaction/not-asked",
            f"{waiting.reactor} is asked now, not {reply.reactor}.",
            who=reply.reactor,
            asked=waiting.reactor,
            available=_names(waiting),
        )
    if reply.reaction is not None and reply.reaction not in waiting.reactions:
        name = reply.reaction.rsplit(":", 1)[1]
        raise unknown(
            "reaction/not-offered",
            f"{reply.reactor} cannot react with {name} here; the choices are {choices([*_names(waiting), 'pass'])}.",
            name,
            _names(waiting),
            who=reply.reactor,
        )


def _names(offer: Offer) -> list[str]:
    return [ref.rsplit(":", 1)[1] for ref in offer.reactions]
