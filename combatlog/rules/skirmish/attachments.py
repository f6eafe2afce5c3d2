"""Attachments: Command cards that stay in play on a deployment card, or in front of their player.

A condition of their player records which cards are attached, to which figures, and which are exhausted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.skirmish.attack_state import SkirmishAttack
from combatlog.rules.skirmish.library import LibraryAbility, library_of
from combatlog.rules.skirmish.pieces import SkirmishCondition, entries, hold, piece
from combatlog.rules.skirmish.play import Play, Situation, carry_out
from combatlog.rules.skirmish.sheet import group_of, is_grouped, players
from combatlog.rules.skirmish.vocabulary import ATTACHED, DEPLETED, DISCARD, Timing, name_in, ref
from ledger.events import Data
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

ATTACHMENTS = "skirmish:condition:attachments"
WHILE_ATTACHED = "whileAttached"
USES = {"exhaust": "exhaustTo", "deplete": "depleteTo"}
"""The ways to use an attachment, each with the property that says what it does."""


class Detach(StrEnum):
    """When an attachment is discarded automatically."""

    END_OF_ACTIVATION = "endOfActivation"
    END_OF_ROUND = "endOfRound"
    AFTER_ATTACK = "afterAttack"


@dataclass(frozen=True, slots=True)
class Attached:
    """An attached card, with the library entry that describes it."""

    player: Combatant
    ability: LibraryAbility
    bearer: str | None
    """The figure whose deployment card it is on; None if it is in front of its player."""
    exhausted: bool

    @property
    def card(self) -> str:
        return self.ability.id

    @property
    def in_words(self) -> str:
        return f"{self.card} attached{', exhausted' if self.exhausted else ''}"

    def is_on(self, battle: Battle, figure: Combatant) -> bool:
        """Whether it is on the figure's deployment card, or counts for all figures of its player."""
        if self.bearer is None:
            return figure.side == self.player.side
        return is_grouped(battle.combatants[self.bearer], figure)

    @property
    def data(self) -> Data:
        return {
            "source": self.ability.ref,
            "card": self.card,
            "bearer": self.bearer,
            "exhausted": self.exhausted,
        }


@piece
class Attachments(SkirmishCondition):
    """Held by a player: the cards that the player has attached, each with its bearer."""

    name = "attachments"

    def when_declared(self, table: Table, attack: SkirmishAttack, owner: Combatant) -> None:
        """Apply attachments to their player's figure in attacks that their bearer takes part in."""
        figure = attack.attacker if attack.attacker.side == owner.side else attack.defender
        for attached in of_player(table.battle, owner):
            if any(attached.is_on(table.battle, one) for one in (attack.attacker, attack.defender)):
                for inner in attached.ability.inner(WHILE_ATTACHED):
                    carry_out(Play(table, owner, inner, figure, attack))

    def after_attack(self, table: Table, attack: SkirmishAttack, owner: Combatant) -> None:
        detach_at(table, Detach.AFTER_ATTACK, attack.attacker)

    def on_defeat(self, table: Table, owner: Combatant, defeated: Combatant) -> None:
        """Discard the cards on a deployment card when its last figure is defeated."""
        if not group_of(table.battle, defeated):
            for attached in of_player(table.battle, owner):
                if attached.bearer is not None and attached.is_on(table.battle, defeated):
                    _remove(table, attached, DISCARD, "its group is defeated")


# Reading


def of_player(battle: Battle, player: Combatant) -> list[Attached]:
    library = library_of(battle)
    return [
        Attached(player, library.card(entry["card"]), entry["bearer"], entry["exhausted"])
        for entry in entries(player, ATTACHMENTS)
    ]


def attached_to(battle: Battle, figure: Combatant) -> list[Attached]:
    """Every card on the figure's deployment card or in front of its player."""
    everything = [attached for player in players(battle) for attached in of_player(battle, player)]
    return [attached for attached in everything if attached.is_on(battle, figure)]


def is_use(reaction: str) -> bool:
    return reaction.split(":")[1] in USES


def usable_in(
    attack: SkirmishAttack, player: Combatant, figure: Combatant, timings: tuple[Timing, ...], is_rolled: bool
) -> dict[str, Situation]:
    """The cards that a player can exhaust or deplete for a figure in an attack, by ref."""
    return {
        ref(how, attached.card): Situation(attack.battle, player, inner, figure, attack)
        for attached in of_player(attack.battle, player)
        if attached.is_on(attack.battle, figure)
        for how, inner in _uses(attached)
        if inner.when in timings and not (is_rolled and inner.is_before_roll)
        if Situation(attack.battle, player, inner, figure, attack).applies
    }


def _uses(attached: Attached) -> Iterator[tuple[str, LibraryAbility]]:
    for how, part in USES.items():
        if not (how == "exhaust" and attached.exhausted):
            yield from ((how, inner) for inner in attached.ability.inner(part))


# Changing


def attach(table: Table, player: Combatant, ability: LibraryAbility, bearer: Combatant | None) -> None:
    table.move_cards(player, [ability.id], DISCARD, ATTACHED, "attached")
    new = Attached(player, ability, bearer.id if bearer is not None else None, exhausted=False)
    _keep(table, player, [*of_player(table.battle, player), new])


def use(table: Table, player: Combatant, reaction: str, figure: Combatant, attack: SkirmishAttack) -> None:
    """Use an attachment in an attack, as the player chose in a window."""
    how = reaction.split(":")[1]
    held = of_player(table.battle, player)
    attached = next(one for one in held if ref(how, name_in(reaction)) == ref(how, one.card))
    spend(table, attached, how)
    for inner in attached.ability.inner(USES[how]):
        carry_out(Play(table, player, inner, figure, attack))


def spend(table: Table, attached: Attached, how: str) -> None:
    """Exhaust or deplete an attachment."""
    if how == "deplete":
        _remove(table, attached, DEPLETED, "depleted")
        return
    kept = [
        Attached(one.player, one.ability, one.bearer, exhausted=one.exhausted or one == attached)
        for one in of_player(table.battle, attached.player)
    ]
    _keep(table, attached.player, kept)


def ready_attachments(table: Table) -> None:
    """Ready exhausted attachments at the end of a round, and discard those that last for one round."""
    for player in players(table.battle):
        for attached in of_player(table.battle, player):
            if Detach.END_OF_ROUND in _detaching(attached):
                _remove(table, attached, DISCARD, "the round ends")
        held = of_player(table.battle, player)
        if any(attached.exhausted for attached in held):
            _keep(table, player, [Attached(one.player, one.ability, one.bearer, exhausted=False) for one in held])


def detach_at(table: Table, moment: Detach, figure: Combatant) -> None:
    """Discard the figure's attachments that last until this moment."""
    for attached in attached_to(table.battle, figure):
        if attached.bearer is not None and moment in _detaching(attached):
            _remove(table, attached, DISCARD, "it lasts no longer")


def _detaching(attached: Attached) -> list[str]:
    return list(attached.ability.properties.get("detachAt", ()))


def _remove(table: Table, attached: Attached, to: str, why: str) -> None:
    player = attached.player
    table.move_cards(player, [attached.card], ATTACHED, to, why)
    left = of_player(table.battle, player)
    left.remove(attached)
    if left:
        _keep(table, player, left)
    else:
        table.remove_condition(player, ATTACHMENTS, why)


def _keep(table: Table, player: Combatant, attached: list[Attached]) -> None:
    hold(table, player, ATTACHMENTS, [one.data for one in attached])
