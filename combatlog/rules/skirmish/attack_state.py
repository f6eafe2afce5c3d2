"""An attack under way, as cards, conditions and tokens see it: dice pools, modifiers and totals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from combatlog.rules.engine.resolution.chain import Modifier
from combatlog.rules.skirmish.board import place_of
from combatlog.rules.skirmish.sheet import figure_sheet, is_ranged
from combatlog.rules.skirmish.vocabulary import DICE, Symbol, ref, symbols
from ledger.events import Change, ChangeOp, DamagePart, Face, Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

if TYPE_CHECKING:
    from combatlog.rules.skirmish.library import LibraryAbility

ATTACK_POOL = "attack"
DEFENSE_POOL = "defense"

STAGES = ("conditions", "innate", "cards", "tokens", "evade", "surges")
"""Conditions come first. A total is never below 0 after a stage, so no card is wasted on a negative one."""


class AttackFlag(StrEnum):
    """A rule that applies to one attack. Flags are recorded in the attack's chains like all modifiers."""

    NO_PIERCE = "no_pierce"
    ONLY_DICE_DEFEND = "only_dice_defend"
    MOST_DAMAGE = "most_damage"
    STUN_INSTEAD = "stun_instead"
    FEWER_DODGES = "fewer_dodges"
    DIE_REMOVED = "die_removed"
    DIE_TURNED = "die_turned"


@dataclass(slots=True)
class SkirmishAttack:
    battle: Battle
    attacker: Combatant
    defender: Combatant
    attack_pool: list[str]
    defense_pool: list[str]
    surges: list[str]
    """The surge abilities that the attacker can use, once each."""
    in_own_activation: bool
    space: Position
    """The space of the target that the attack is aimed at; a blast spreads from it."""
    pool_changes: list[Modifier] = field(default_factory=list)
    modifiers: list[Modifier] = field(default_factory=list)
    faces: list[tuple[str, Face]] = field(default_factory=list)
    """The colour and the face of every die that counts."""
    conditions: list[tuple[str, str]] = field(default_factory=list)
    """Conditions to apply if the target suffers damage, each with its source."""
    token_spenders: list[str] = field(default_factory=list)
    spent_tokens: list[Symbol] = field(default_factory=list)
    """The symbols that spent tokens added."""
    used_surges: list[str] = field(default_factory=list)
    rerolls: dict[str, int] = field(default_factory=dict)
    """By pool: how many dice the player who rolled it may still reroll."""
    rerolled: list[int] = field(default_factory=list)
    """The places of the rerolled dice; each die can be rerolled once."""
    cards: list[tuple[str, LibraryAbility]] = field(default_factory=list)
    """The Command cards that were played in the attack, each with its player."""
    hit: bool = False
    suffered: int = 0
    """The damage that the target suffered, once the attack is resolved."""
    is_resolved: bool = False
    afterwards: list[Callable[[], None]] = field(default_factory=list)
    """Card effects that happen after the attack is resolved."""
    card_stage: str = "cards"
    """The stage that cards contribute to: what is played while surges are spent adds to what remains."""
    movement_after: int = 0
    movement_source: str = ""

    @classmethod
    def between(
        cls, battle: Battle, attacker: Combatant, defender: Combatant, space: Position | None = None
    ) -> SkirmishAttack:
        sheet = figure_sheet(attacker)
        return cls(
            battle=battle,
            attacker=attacker,
            defender=defender,
            attack_pool=list(sheet.attack),
            defense_pool=list(figure_sheet(defender).defense),
            surges=list(sheet.surges),
            in_own_activation=battle.clock.turn == attacker.id,
            space=space if space is not None else place_of(defender),
        )

    @property
    def is_rolled(self) -> bool:
        return bool(self.faces)

    def is_open_to(self, figure: Combatant | None) -> bool:
        """Whether a figure takes part in the attack and the attack is not resolved yet."""
        return not self.is_resolved and (figure is self.attacker or figure is self.defender)

    @property
    def unused_surges(self) -> list[str]:
        return [key for key in self.surges if key not in self.used_surges]

    @property
    def is_ranged(self) -> bool:
        return is_ranged(self.attacker)

    def modify(self, stage: str, source: str, owner: str, reason: str, symbol: Symbol, amount: int) -> None:
        self.modifiers.append(modifier(stage, source, owner, reason, symbol, amount))

    def mark(self, mark: AttackFlag, source: str, owner: str, reason: str, amount: int | None = None) -> None:
        change = Change(op=ChangeOp.FLAG, amount=amount, label=mark)
        self.modifiers.append(Modifier(self.card_stage, source, owner, reason, change))

    def marks(self, mark: AttackFlag) -> list[Modifier]:
        return [m for m in self.modifiers if m.change.op is ChangeOp.FLAG and m.change.label == mark]

    def card_players(self, but: LibraryAbility) -> list[str]:
        """The players of the attack's Command cards, except this one."""
        return [player for player, card in self.cards if card is not but]

    def count_for_hit_check(self, source: str, owner: str, reason: str, evades: int) -> None:
        """Reduce a ranged attack's accuracy by a card's evades; the library models -2 Accuracy as evades."""
        if self.is_ranged:
            reason = f"{reason}: its evades count for the hit check"
            self.modify(self.card_stage, source, owner, reason, Symbol.ACCURACY, -evades)

    def add_dice(self, stage: str, pool: str, colour: str, count: int, source: str, owner: str, reason: str) -> None:
        """Add dice of a colour to a pool; a negative count removes them."""
        self._put(pool, colour, count)
        change = Change(op=ChangeOp.DICE, amount=count, dice=colour, label=pool)
        self.pool_changes.append(Modifier(stage, source, owner, reason, change))

    def settle_pools(self, changes: Iterable[Modifier]) -> None:
        """Build the pools from the figures' own dice and the recorded changes, which an amendment may have altered."""
        self.attack_pool = list(figure_sheet(self.attacker).attack)
        self.defense_pool = list(figure_sheet(self.defender).defense)
        for change in (modifier.change for modifier in changes):
            if change.dice in DICE:
                self._put(change.label or ATTACK_POOL, change.dice, change.amount or 1)

    def _put(self, pool: str, colour: str, count: int) -> None:
        dice = self.attack_pool if pool == ATTACK_POOL else self.defense_pool
        for _ in range(abs(count)):
            if count > 0:
                dice.append(colour)
            elif colour in dice:
                dice.remove(colour)

    def rolled(self, symbol: Symbol) -> int:
        return sum(symbols(face).get(symbol, 0) for _, face in self.faces)

    def total(self, symbol: Symbol) -> int:
        """The dice plus the modifiers, stage by stage, never below 0."""
        amount = self.rolled(symbol)
        if symbol in _DEFENSES and self.marks(AttackFlag.ONLY_DICE_DEFEND):
            return amount
        for stage in STAGES:
            amount = max(0, amount + self._added(symbol, stage))
        return amount

    def _added(self, symbol: Symbol, stage: str) -> int:
        return sum(m.change.amount or 0 for m in self.modifiers if m.stage == stage and _adds_to(m) == symbol)

    @property
    def is_dodged(self) -> bool:
        removed = sum(m.change.amount or 0 for m in self.marks(AttackFlag.FEWER_DODGES))
        return self.rolled(Symbol.DODGE) > removed

    @property
    def blocked(self) -> int:
        """The damage that the defense prevents."""
        pierce = 0 if self.marks(AttackFlag.NO_PIERCE) else self.total(Symbol.PIERCE)
        return min(self.total(Symbol.DAMAGE), max(0, self.total(Symbol.BLOCK) - pierce))

    @property
    def unblocked(self) -> int:
        """The damage that the defense lets through, before cards limit it."""
        return self.total(Symbol.DAMAGE) - self.blocked

    @property
    def stuns_instead(self) -> bool:
        """Whether the target becomes Stunned instead of suffering the damage."""
        return bool(self.marks(AttackFlag.STUN_INSTEAD)) and self.unblocked > 0

    def damage_parts(self) -> list[DamagePart]:
        """The sources of the damage, and what prevented the rest."""
        parts = [
            DamagePart(source=ref("die", colour), amount=points)
            for colour, face in self.faces
            if (points := symbols(face).get(Symbol.DAMAGE, 0))
        ]
        parts += [
            DamagePart(source=m.source, amount=m.change.amount or 0)
            for m in self.modifiers
            if _adds_to(m) == Symbol.DAMAGE
        ]
        lifted = self.total(Symbol.DAMAGE) - sum(part.amount for part in parts)
        if lifted:
            parts.append(DamagePart(source=ref("rule", "never_below_zero"), amount=lifted))
        if self.blocked:
            parts.append(DamagePart(source=ref("result", "block"), amount=-self.blocked))
        return [*parts, *self._prevented()]

    def _prevented(self) -> Iterable[DamagePart]:
        """The damage that cards prevent after the defense."""
        left = self.unblocked
        limits = [(m, 0) for m in self.marks(AttackFlag.STUN_INSTEAD)]
        limits += [(m, m.change.amount or 0) for m in self.marks(AttackFlag.MOST_DAMAGE)]
        for limit, most in limits:
            if left > most:
                yield DamagePart(source=limit.source, amount=most - left)
                left = most


_DEFENSES = (Symbol.BLOCK, Symbol.EVADE)


def _adds_to(modifier: Modifier) -> str | None:
    """The symbol that a modifier adds. A bonus without one, which an amendment may add, counts as damage."""
    return modifier.change.label or (Symbol.DAMAGE if modifier.change.op is ChangeOp.BONUS else None)


def modifier(stage: str, source: str, owner: str, reason: str, symbol: Symbol, amount: int) -> Modifier:
    return Modifier(stage, source, owner, reason, Change(op=ChangeOp.BONUS, amount=amount, label=symbol))
