"""Commitments for shared dice: a player commits to a chain of secrets and later reveals its links."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from combatlog.rules.engine.commands import Declaration, Reply
from combatlog.rules.engine.dice.dice_settings import is_shared
from combatlog.rules.engine.dice.dice_sources import DiceSource, TableDice
from combatlog.rules.engine.naming import known_id
from combatlog.rules.engine.options_and_validation import Options, check_options
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.ruleset import Ruleset
from ledger.events import Controller, Declared, LinksCommitted
from projections.battle.dice import LINK, Links
from projections.battle.fold import Battle

Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class CommitDiceOptions(Options):
    anchor: Hex = Field(description="SHA-256 of the first link of the chain, in hexadecimal")


class RevealLinkOptions(Options):
    secret: Hex = Field(description="the next link of the chain, in hexadecimal")


def settle_dice_commitment(battle: Battle, rules: Ruleset, said: Declaration, among: Battle) -> Declaration:
    """Refuse a chain for combatants that no player controls, or one already used: its links may have been revealed."""
    if not is_shared(battle.encounter.dice):
        raise Refusal(
            "dice/not-shared",
            "This fight does not use shared dice; that is chosen when the fight is opened.",
            encounter=battle.name,
        )
    for name in (said.actor, *said.targets):
        if battle.combatants[known_id(battle, name)].controller is not Controller.PLAYER:
            raise Refusal(
                "dice/not-a-player",
                f"The GM controls {name}; only players commit to a chain, so that the GM's dice depend on one of them.",
                who=name,
            )
    if any(party.anchor == said.options.get("anchor") for party in battle.links.parties.values()):
        raise Refusal("dice/anchor-used", "This chain was already used in this fight; make a new one.")
    return said


def commit_dice(table: Table, rules: Ruleset, declared: Declared) -> None:
    combatants = tuple(dict.fromkeys((declared.actor, *declared.targets)))
    anchor = CommitDiceOptions.read(declared.options).anchor
    table.record(LinksCommitted, party=declared.actor, combatants=combatants, anchor=anchor, by=declared.by)


def with_link(reply: Reply) -> Reply:
    """The reply with the ref of the link reaction, checked, if it answers a roll that waits for a link."""
    if reply.reaction not in (LINK, LINK.rsplit(":", 1)[1]):
        return reply
    check_options(RevealLinkOptions, "link", reply.options)
    return reply.model_copy(update={"reaction": LINK})


def check_link(links: Links, reply: Reply, dice: DiceSource) -> None:
    """Refuse a secret that is not a link of the player's chain, or that was already revealed."""
    if isinstance(dice, TableDice):
        raise Refusal("dice/link-and-faces", "Give a link or the faces of real dice, not both.", who=reply.reactor)
    if reply.reactor not in links.parties:
        raise Refusal(
            "dice/not-seated",
            f"{reply.reactor}'s player has not committed to a chain in this fight.",
            who=reply.reactor,
        )
    if links.skipped(reply.reactor, reply.options["secret"]) is None:
        raise Refusal(
            "dice/not-the-next-link",
            f"This is not a later link of the chain that {reply.reactor}'s player committed to.",
            who=reply.reactor,
        )
