"""Shared dice as a document: who has sat down, and which roll waits."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from projections.battle import Battle


class SeatedParty(TypedDict):
    combatants: Annotated[list[str], Field(description="the combatants whose rolls the player has a part in")]
    anchor: Annotated[str, Field(description="what the player committed to")]
    last: Annotated[str, Field(description="the link that was revealed last, or the anchor")]


class WaitingRoll(TypedDict):
    party: Annotated[str, Field(description="whose player has to reveal a link")]
    roller: Annotated[str, Field(description="whose roll it is; `gm` if that is not seen")]
    binding: Annotated[str, Field(description="SHA-256 of the host's link, by which the roll is known")]


class SharedDiceData(TypedDict):
    encounter: Annotated[str, Field(description="the encounter's id")]
    dice: Annotated[str, Field(description="where the dice of the fight come from")]
    commitment: Annotated[str | None, Field(description="SHA-256 of the seed that the host's links follow from")]
    parties: Annotated[dict[str, SeatedParty], Field(description="by the combatant that each is known by")]
    waiting: Annotated[WaitingRoll | None, Field(description="the roll that waits for a link")]


def shared_dice_data(battle: Battle) -> SharedDiceData:
    return {
        "encounter": str(battle.id),
        "dice": battle.encounter.dice,
        "commitment": battle.commitment,
        "parties": {
            name: {"combatants": list(party.combatants), "anchor": party.anchor, "last": party.last}
            for name, party in battle.links.parties.items()
        },
        "waiting": _waiting(battle),
    }


def _waiting(battle: Battle) -> WaitingRoll | None:
    window = battle.window
    if window is None or window.waiting is None or window.binding is None:
        return None
    return {"party": window.waiting.reactor, "roller": window.subject, "binding": window.binding}
