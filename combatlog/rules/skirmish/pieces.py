"""Conditions and actions: each is one small class in the folder of its type, found by its name.

To add one, write a class with the `@piece` decorator. Nothing else needs to change.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from combatlog.rules.engine.pieces import Piece, Pieces
from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.sheet import player_of
from projections.battle import Battle
from projections.combatant import Combatant

if TYPE_CHECKING:
    from combatlog.rules.skirmish.attack_state import Attack
    from combatlog.rules.skirmish.play import Play


PIECES = Pieces("combatlog.rules.skirmish", "actions", "conditions")
piece = PIECES.add


class SkirmishPiece(Piece):
    ruleset = "skirmish"


class Condition(SkirmishPiece):
    """A state that a figure or a player is in for a while, and what it contributes to attacks."""

    type = "condition"

    def when_declared(self, table: Table, attack: Attack, owner: Combatant) -> None:
        """Do what needs somebody's choice when an attack that the owner is part of is declared."""

    def protects(self, battle: Battle, owner: Combatant, attacker: Combatant) -> str | None:
        """Why the owner cannot be the target of an attack by a figure, in words; None if it can."""
        return None

    def holds(self, battle: Battle, owner: Combatant, figure: Combatant) -> bool:
        """Whether it keeps a figure, the owner or another one, from leaving its space."""
        return False

    def on_defeat(self, table: Table, owner: Combatant, defeated: Combatant) -> None:
        """Do what follows when a figure is defeated."""

    def on_card(self, play: Play, owner: Combatant) -> None:
        """Answer a Command card that somebody plays; held by a player."""

    def on_discard(self, table: Table, owner: Combatant, card: str) -> None:
        """Do what follows when a card of the player who holds this is discarded without being played."""

    def on_activation(self, table: Table, owner: Combatant, figure: Combatant) -> None:
        """Do what the player who holds this may do when one of its figures is activated."""

    def on_pools(self, attack: Attack, owner: Combatant) -> None:
        """Change the dice pools of an attack that the owner is part of."""

    def on_results(self, attack: Attack, owner: Combatant) -> None:
        """Contribute to the results of an attack that the owner is part of."""

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        """Update or end the condition once the attack is resolved."""


def conditions_of(owner: Combatant) -> list[Condition]:
    """The conditions that somebody holds, as pieces."""
    held = [PIECES.get(name) for name in owner.conditions]
    return [piece for piece in held if isinstance(piece, Condition)]


def holders(attack: Attack) -> Iterator[tuple[Condition, Combatant]]:
    """The conditions of everybody who is part of an attack: the two figures and their players."""
    figures = (attack.attacker, attack.defender)
    for owner in (*figures, *(player_of(attack.battle, figure) for figure in figures)):
        yield from ((found, owner) for found in conditions_of(owner))
