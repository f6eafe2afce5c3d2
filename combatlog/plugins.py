"""Plug-ins: packages that add commands and questions.

A package names a `Plugin` under the entry point group `combatlog.messages`. Its message then works everywhere: in
Python (`fight.send`), over HTTP with its place in the OpenAPI document, in the remote client, as a proposal to the
table, as a form of the page, and in the reference.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from combatlog.messages.commands import COMMANDS, Command
from combatlog.messages.fight_questions import QUESTIONS, FightQuestion
from combatlog.messages.message import Message
from combatlog.rules.engine import pieces

GROUP = "combatlog.messages"


class Plugin(NamedTuple):
    """A command or a question about a fight, with its handler.

    The handler of a command gets the message and its `combatlog.handlers.sender.Sender`, and declares or answers
    something. The handler of a question gets the `combatlog.view.View` and the question, and returns the answer.
    """

    command: type[Command | FightQuestion]
    handler: Callable[[Any, Any], Any]


@cache
def installed() -> dict[type[Message], Callable[[Any, Any], Any]]:
    found: list[Plugin] = [pieces.load_plugin(GROUP, name) for name in pieces.plugin_names(GROUP)]
    return {plugin.command: plugin.handler for plugin in found}


def questions() -> tuple[type[FightQuestion], ...]:
    """Every question about a fight that can be asked here."""
    return (*QUESTIONS, *(kind for kind in installed() if issubclass(kind, FightQuestion)))


def commands() -> tuple[type[Command], ...]:
    """Every command that can be sent here."""
    return (*COMMANDS, *(kind for kind in installed() if issubclass(kind, Command)))
