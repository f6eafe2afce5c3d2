"""Bonus actions that stand for actions which usually take a whole one."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from pydantic import Field

from combatlog.rules.dnd5e.abilities.disengage import disengage
from combatlog.rules.dnd5e.abilities.hide import check_unseen, hide
from combatlog.rules.dnd5e.economy import BONUS_ACTION
from combatlog.rules.dnd5e.pieces import ActiveFeature, piece
from combatlog.rules.dnd5e.speed import dash
from combatlog.rules.engine.options import Options
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant

_DOING: dict[str, Callable[[Table, Combatant, str], None]] = {
    "dash": lambda table, actor, source: dash(table, actor),
    "disengage": disengage,
    "hide": hide,
}


class Manoeuvre(ActiveFeature):
    """The option `as` of a subclass says which action it stands for."""

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


class Cunning(StrEnum):
    """The action that Cunning Action stands for."""

    DASH = "dash"
    DISENGAGE = "disengage"
    HIDE = "hide"


class CunningActionOptions(Options):
    manner: Cunning = Field(default=Cunning.DASH, alias="as", description="which of the three to take")


@piece
class CunningAction(Manoeuvre):
    """Spend the bonus action to Dash, Disengage or Hide."""

    name = "cunning_action"
    options = CunningActionOptions


class Agility(StrEnum):
    """The action that Deathless Agility stands for."""

    DASH = "dash"
    DISENGAGE = "disengage"


class DeathlessAgilityOptions(Options):
    manner: Agility = Field(default=Agility.DASH, alias="as", description="which of the two to take")


@piece
class DeathlessAgility(Manoeuvre):
    """Spend the bonus action to Dash or Disengage."""

    name = "deathless_agility"
    options = DeathlessAgilityOptions


class Escape(StrEnum):
    """The action that Nimble Escape stands for."""

    DISENGAGE = "disengage"
    HIDE = "hide"


class NimbleEscapeOptions(Options):
    manner: Escape = Field(default=Escape.DISENGAGE, alias="as", description="which of the two to take")


@piece
class NimbleEscape(Manoeuvre):
    """Spend the bonus action to Disengage or Hide."""

    name = "nimble_escape"
    options = NimbleEscapeOptions
