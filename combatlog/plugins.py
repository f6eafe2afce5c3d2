"""What plug-ins add to the messages: commands of their own.

A package names a `Plugin` under the entry point group `combatlog.messages`. Its command then exists wherever the others
do: in Python (`fight.send`), over HTTP with its place in the OpenAPI document, in the remote client, as a proposal to
the table, as a form of the page, and in the reference.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from combatlog.messages.commands import COMMANDS, Command
from combatlog.messages.message import Message
from rules.engine import plugins

GROUP = "combatlog.messages"


class Plugin(NamedTuple):
    """A command, and what it does: given the message and its `combatlog.sender.Sender`, declare or answer something."""

    command: type[Command]
    handler: Callable[[Any, Any], Any]


@cache
def installed() -> dict[type[Message], Callable[[Any, Any], Any]]:
    found: list[Plugin] = [plugins.load(GROUP, name) for name in plugins.names(GROUP)]
    return {plugin.command: plugin.handler for plugin in found}


def commands() -> tuple[type[Command], ...]:
    """Every command that can be sent here."""
    return (*COMMANDS, *(kind for kind in installed() if issubclass(kind, Command)))
