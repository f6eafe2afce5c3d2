"""Carrying out an ability: its effects one by one, then a request to people for whatever has no implementation."""

from __future__ import annotations

from dataclasses import dataclass, field

from ledger.events import ManualResolutionNeeded
from projections.battle import Battle
from projections.combatant import Combatant
from rules.engine.table import Table
from rules.skirmish.ability import Ability
from rules.skirmish.attack_state import Attack
from rules.skirmish.registry import Effect
from rules.skirmish.sheet import opponent_of
from rules.skirmish.vocabulary import Need


@dataclass(slots=True)
class Play:
    """An ability being carried out: by which player, for which figure, in which attack."""

    table: Table
    player: Combatant
    ability: Ability
    figure_if_any: Combatant | None = None
    attack_if_any: Attack | None = None
    movement_after_attack: int = 0
    drawn: list[str] = field(default_factory=list)

    @property
    def battle(self) -> Battle:
        return self.table.battle

    @property
    def source(self) -> str:
        return self.ability.ref

    @property
    def reason(self) -> str:
        return self.ability.id

    @property
    def figure(self) -> Combatant:
        """The figure it is played for, which is activated, attacks or defends."""
        assert self.figure_if_any is not None
        return self.figure_if_any

    @property
    def attack(self) -> Attack:
        assert self.attack_if_any is not None
        return self.attack_if_any

    @property
    def opponent(self) -> Combatant:
        return opponent_of(self.battle, self.player)

    def provides(self, need: Need) -> bool:
        attack = self.attack_if_any
        return {
            Need.PLAYER: True,
            Need.FIGURE: self.figure_if_any is not None,
            Need.ATTACKER: attack is not None and attack.attacker is self.figure_if_any,
            Need.DEFENDER: attack is not None and attack.defender is self.figure_if_any,
        }[need]


def carry_out(play: Play) -> None:
    """Do what the engine can do, then ask people for the rest."""
    for effect in play.ability.effects():
        if play.provides(effect.needs):
            _apply(play, effect)
    for question in play.ability.questions():
        play.table.record(
            ManualResolutionNeeded,
            subject=play.figure_if_any.id if play.figure_if_any else play.player.id,
            effect=question,
            source=play.source,
        )


def _apply(play: Play, effect: Effect) -> None:
    value = play.ability.properties[effect.name]
    for refinement in play.ability.refinements(effect):
        if value is not None:
            value = refinement.refine(play, value, play.ability.properties[refinement.name])
    if value or (value == 0 and value is not False and effect.counts_zero):
        effect.apply(play, value)
