"""The base of all options in dnd5e: what each can be aimed at, and what it would lead to.

Legality is left to the pieces: `check` runs the same checks as a declaration. To let the automatic player use another
piece, add it to the table at the end of `option_table`, with one of the existing kinds of option or a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, ClassVar

from combatlog.rules.autoplay.option import Aim, Option
from combatlog.rules.autoplay.tags import Tags
from combatlog.rules.dnd5e.autoplay.hypothetical import standing_at
from combatlog.rules.dnd5e.autoplay.outcome import Outcome
from combatlog.rules.dnd5e.autoplay.outlook import Outlook
from combatlog.rules.dnd5e.economy import ACTION, can_pay, slot
from combatlog.rules.dnd5e.magic import HIGHEST_SLOT, Spell
from combatlog.rules.dnd5e.pieces import Activity
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.turns import check_turn
from combatlog.rules.engine.imagined import imagined
from combatlog.rules.engine.refusal import Refusal
from ledger.events import Position
from projections.combatant import Combatant


class Dnd5eOption(Option):
    archetype = "plain"
    kinds: ClassVar[tuple[str, ...]] = ()

    def __init__(self, outlook: Outlook, piece: Activity, weapon: str | None = None) -> None:
        self.outlook = outlook
        self.piece = piece
        self.weapon = weapon
        self.name = piece.name
        self.actor = outlook.actor.id
        self._outcomes: dict[tuple[object, ...], Outcome] = {}
        self._last: tuple[Aim | None, Outcome] = (None, Outcome())  # every metric in turn asks for the same

    @property
    def combatant(self) -> Combatant:
        return self.outlook.actor

    @cached_property
    def ways_to_pay(self) -> list[dict[str, Any]]:
        """The options it can be declared with: each slot that is left for a spell, lowest first."""
        spell = self.piece
        if not isinstance(spell, Spell) or spell.level == 0 or spell.name in sheet_of(self.combatant).innate_spells:
            return [{}]
        left = [level for level in range(spell.level, HIGHEST_SLOT + 1) if self.combatant.economy.left(slot(level))]
        return [{} if level == spell.level else {"slot": level} for level in left] or [{}]

    @property
    def how(self) -> dict[str, Any]:
        """The cheapest options it can be declared with: a higher slot if a spell's own are used up."""
        return self.ways_to_pay[0]

    @cached_property
    def cost(self) -> dict[str, int]:
        return self.piece.price(self.combatant, self.how)

    def cost_at(self, aim: Aim) -> dict[str, int]:
        return self.piece.price(self.combatant, aim.options)

    @cached_property
    def tags(self) -> Tags:
        return Tags([*self.piece.tags, *self.kinds, *(resource_tag(resource) for resource in self.cost)])

    def aims(self) -> Sequence[Aim]:
        return [Aim(options=self.how)]

    def aims_at(self, targets: Iterable[Combatant]) -> list[Aim]:
        return [Aim((target.id,), options=self.how) for target in targets]

    def is_open(self) -> bool:
        try:
            if not self.outlook.has_turn or not can_pay(self.combatant, self.cost):
                return False
            self.piece.permit(self.outlook.battle, self.combatant, self.how)
        except Refusal:
            return False
        return True

    def check(self, aim: Aim) -> None:
        battle = self.outlook.battle
        check_turn(battle, self.combatant)
        self.piece.permit(battle, self.combatant, aim.options)
        declared = imagined(
            battle,
            self.actor,
            self.piece.ref,
            targets=aim.targets,
            destination=aim.place,
            weapon=self.weapon,
            options=aim.options,
        )
        self.piece.check(self.outlook.table, self.combatant, declared)

    def affected_positions(self, aim: Aim) -> list[Position]:
        combatants = self.outlook.battle.combatants
        places = [combatants[name].position for name in aim.targets or (self.actor,)]
        return [place for place in places if place is not None]

    def average_damage(self) -> float:
        return 0.0

    def standing_at(self, place: Position) -> Dnd5eOption:
        if place == self.combatant.position:
            return self
        battle = standing_at(self.outlook.battle, self.combatant, place)
        there = Outlook(battle, battle.combatants[self.actor], self.outlook.memory)
        return type(self)(there, self.piece, self.weapon)

    def outcome(self, aim: Aim) -> Outcome:
        if aim is self._last[0]:
            return self._last[1]
        key = (aim, *aim.options.items())
        if key not in self._outcomes:
            self._outcomes[key] = self.foresee(aim)
        self._last = (aim, self._outcomes[key])
        return self._last[1]

    def foresee(self, aim: Aim) -> Outcome:
        """What it would lead to, as far as that can be told."""
        return Outcome()

    @property
    def leads_up(self) -> float:
        """What can still follow something that costs no action: an attack from here."""
        return 0.0 if ACTION in self.cost else self.outlook.prospect(self.combatant.position)


def resource_tag(resource: str) -> str:
    """`slot_1` is `resource.spellslot.1`."""
    if resource.startswith("slot_"):
        return f"resource.spellslot.{resource.removeprefix('slot_')}"
    return f"resource.{resource}"
