"""Features of the rogue: Cunning Action and similar ones, Uncanny Dodge, Evasion. Sneak Attack has its own module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum

from pydantic import Field

from combatlog.rules.dnd5e.actions.dash_disengage_dodge_hide import check_unseen, disengage, hide
from combatlog.rules.dnd5e.attack.damage import HIT
from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import can_see
from combatlog.rules.dnd5e.battlemap.speed_and_terrain import dash
from combatlog.rules.dnd5e.combatant_state import can_act
from combatlog.rules.dnd5e.contexts import Attack, Harm
from combatlog.rules.dnd5e.economy import BONUS_ACTION
from combatlog.rules.dnd5e.enums import AbilityScore
from combatlog.rules.dnd5e.modifiers import halved, multiplied
from combatlog.rules.dnd5e.pieces import ActiveFeature, Feature, Reaction, piece
from combatlog.rules.engine.options_and_validation import Options
from combatlog.rules.engine.resolution.chain import Consumption, Modifier
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Declared
from projections.battle.combatant import Combatant

_DOING: dict[str, Callable[[Table, Combatant, str], None]] = {
    "dash": lambda table, actor, source: dash(table, actor),
    "disengage": disengage,
    "hide": hide,
}


class BonusActionFeature(ActiveFeature):
    """A bonus action for another action; the option `as` of the subclass says which one."""

    cost = {BONUS_ACTION: 1}
    tags: tuple[str, ...] = ("movement", "defense")

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if self._manner(declared) == "hide":
            check_unseen(table.battle, actor)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        _DOING[self._manner(declared)](table, actor, self.ref)

    def _manner(self, declared: Declared) -> str:
        manner: StrEnum = self.options.read(declared.options).manner  # type: ignore[attr-defined]
        return manner.value


class CunningActionChoice(StrEnum):
    """The action to take with Cunning Action."""

    DASH = "dash"
    DISENGAGE = "disengage"
    HIDE = "hide"


class CunningActionOptions(Options):
    manner: CunningActionChoice = Field(
        default=CunningActionChoice.DASH, alias="as", description="which of the three to take"
    )


@piece
class CunningAction(BonusActionFeature):
    """Spend the bonus action to Dash, Disengage or Hide."""

    name = "cunning_action"
    options = CunningActionOptions


class DeathlessAgilityChoice(StrEnum):
    """The action to take with Deathless Agility."""

    DASH = "dash"
    DISENGAGE = "disengage"


class DeathlessAgilityOptions(Options):
    manner: DeathlessAgilityChoice = Field(
        default=DeathlessAgilityChoice.DASH, alias="as", description="which of the two to take"
    )


@piece
class DeathlessAgility(BonusActionFeature):
    """Spend the bonus action to Dash or Disengage."""

    name = "deathless_agility"
    options = DeathlessAgilityOptions


class NimbleEscapeChoice(StrEnum):
    """The action to take with Nimble Escape."""

    DISENGAGE = "disengage"
    HIDE = "hide"


class NimbleEscapeOptions(Options):
    manner: NimbleEscapeChoice = Field(
        default=NimbleEscapeChoice.DISENGAGE, alias="as", description="which of the two to take"
    )


@piece
class NimbleEscape(BonusActionFeature):
    """Spend the bonus action to Disengage or Hide."""

    name = "nimble_escape"
    options = NimbleEscapeOptions


@piece
class UncannyDodge(Feature, Reaction[Attack]):
    """Halve the damage of an attack that hits, if you can see the attacker."""

    name = "uncanny_dodge"
    moments = (HIT,)
    in_chain = True

    def obstacle(self, context: Attack, reactor: Combatant) -> str | None:
        if context.target is not reactor:
            return f"{reactor.name} is not the target"
        if not can_see(context.battle, reactor, context.attacker):
            return f"{reactor.name} cannot see {context.attacker.name}"
        return None

    def on_harm(self, harm: Harm, owner: Combatant) -> Iterator[Modifier]:
        if harm.attack is not None and harm.attack.chosen.get(owner.id) == self.ref:
            spent = Consumption(owner.id, self.ref, "halved the damage")
            yield halved("halving", self.ref, owner.id, "Uncanny Dodge", consumes=spent)


@piece
class Evasion(Feature):
    """If a Dexterity save halves damage, take none on a success and half on a failure."""

    name = "evasion"

    def on_harm(self, harm: Harm, owner: Combatant) -> Iterator[Modifier]:
        if harm.target is not owner or harm.halved_by is not AbilityScore.DEX or not can_act(owner):
            return
        if harm.saved:
            yield multiplied("immunity", self.ref, owner.id, "Evasion", 0)
        else:
            yield halved("halving", self.ref, owner.id, "Evasion")
