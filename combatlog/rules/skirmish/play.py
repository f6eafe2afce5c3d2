"""Carrying out an ability: its effects one by one, then a request to people for the parts without implementation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.skirmish.attack_state import SkirmishAttack
from combatlog.rules.skirmish.library import LibraryAbility
from combatlog.rules.skirmish.pieces import EffectProperty
from combatlog.rules.skirmish.sheet import opponent_of
from combatlog.rules.skirmish.vocabulary import HEALTH, Need
from ledger.events import ManualResolutionNeeded
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle


@dataclass(slots=True)
class Situation:
    """Where an ability is used: by which player, for which figure, in which attack. Nothing has happened yet."""

    battle: Battle
    player: Combatant
    ability: LibraryAbility
    figure_if_any: Combatant | None = None
    attack_if_any: SkirmishAttack | None = None
    other_if_any: Combatant | None = None
    """The figure that the moment is about: it attacks, is attacked, is activated, comes near or is defeated."""
    played_if_any: Play | None = None
    """The card to which this one responds."""

    @property
    def source(self) -> str:
        return self.ability.ref

    @property
    def reason(self) -> str:
        return self.ability.id

    @property
    def figure(self) -> Combatant:
        """The figure that the ability is used for; it is active, attacks or defends."""
        assert self.figure_if_any is not None
        return self.figure_if_any

    @property
    def attack(self) -> SkirmishAttack:
        assert self.attack_if_any is not None
        return self.attack_if_any

    @property
    def other(self) -> Combatant | None:
        attack = self.attack_if_any
        if attack is None or self.other_if_any is not None:
            return self.other_if_any
        return attack.defender if self.figure_if_any is attack.attacker else attack.attacker

    @property
    def opponent(self) -> Combatant:
        return opponent_of(self.battle, self.player)

    def provides(self, need: Need) -> bool:
        attack = self.attack_if_any
        return {
            Need.PLAYER: True,
            Need.FIGURE: self.figure_if_any is not None,
            Need.MOVER: self.figure_if_any is not None and self.battle.clock.turn is not None,
            Need.ATTACKER: attack is not None and not attack.is_resolved and attack.attacker is self.figure_if_any,
            Need.DEFENDER: attack is not None and not attack.is_resolved and attack.defender is self.figure_if_any,
            Need.ROLLED_DICE: attack is not None and attack.is_open_to(self.figure_if_any) and attack.is_rolled,
            Need.REROLLED_DIE: attack is not None and not attack.is_resolved and bool(attack.rerolled),
            Need.RESOLVED_ATTACK: attack is not None and attack.is_resolved,
            Need.DEFEAT: self.other_if_any is not None and self.other_if_any.vitals[HEALTH].current == 0,
            Need.PLAYED_CARD: self.played_if_any is not None,
        }[need]

    def value_of(self, effect: EffectProperty) -> Any:
        """The value of an effect with its refinements; None if the effect does not apply here."""
        value = self.ability.properties[effect.name] if self.provides(effect.needs) else None
        for refinement in self.ability.refinements(effect):
            if value is not None:
                value = refinement.refine(self, value, self.ability.properties[refinement.name])
        does_nothing = value is None or value is False or (value == 0 and not effect.counts_zero)
        return None if does_nothing or not effect.possible(self, value) else value

    def within(self, inner: LibraryAbility) -> Situation:
        """The same situation, for an entry nested in this one."""
        return Situation(
            self.battle,
            self.player,
            inner,
            self.figure_if_any,
            self.attack_if_any,
            self.other_if_any,
            self.played_if_any,
        )

    @property
    def applies(self) -> bool:
        """Whether there would be anything to do, for the engine or for people."""
        return any(self.value_of(effect) is not None for effect in self.ability.effects()) or any(
            self.ability.questions()
        )

    @property
    def changes_something(self) -> bool:
        """Whether one of its effects would make a difference for its player."""
        return any(
            (value := self.value_of(effect)) is not None and effect.changes(self, value)
            for effect in self.ability.effects()
        )


class Play(Situation):
    """An ability being carried out."""

    def __init__(
        self,
        table: Table,
        player: Combatant,
        ability: LibraryAbility,
        figure: Combatant | None = None,
        attack: SkirmishAttack | None = None,
        other: Combatant | None = None,
        played: Play | None = None,
    ) -> None:
        super().__init__(table.battle, player, ability, figure, attack, other, played)
        self.table = table
        self.is_cancelled = False
        """Whether another card cancelled its effects."""
        self.movement_after_attack = 0
        self.drawn: list[str] = []

    def ask_people(self, question: str) -> None:
        self.table.record(
            ManualResolutionNeeded,
            subject=self.figure_if_any.id if self.figure_if_any else self.player.id,
            effect=question,
            source=self.source,
        )

    def playing(self, inner: LibraryAbility) -> Play:
        """The same play, for an entry nested in this one."""
        return Play(
            self.table,
            self.player,
            inner,
            self.figure_if_any,
            self.attack_if_any,
            self.other_if_any,
            self.played_if_any,
        )


def carry_out(play: Play) -> None:
    """Carry out what the engine can, then ask people for the rest."""
    for effect in play.ability.effects():
        value = play.value_of(effect)
        if value is not None:
            effect.apply(play, value)
    for question in play.ability.questions():
        play.ask_people(question)
