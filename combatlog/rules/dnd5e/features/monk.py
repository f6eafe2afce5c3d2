"""What a monk spends ki on: Flurry of Blows, Patient Defense, Step of the Wind."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from combatlog.rules.dnd5e.abilities.dodge import dodge
from combatlog.rules.dnd5e.durations import until_end_of_turn
from combatlog.rules.dnd5e.economy import BONUS_ACTION, took_attack_action
from combatlog.rules.dnd5e.features.manoeuvres import Manoeuvre
from combatlog.rules.dnd5e.pieces import ActiveFeature, piece
from combatlog.rules.dnd5e.sheet import Sheet
from combatlog.rules.dnd5e.weapons import UNARMED
from combatlog.rules.engine.options import Options
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.ruleset import RestKind
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant

KI = "ki"
FLURRY_STRIKE = "dnd5e:action:flurry_strike"


class KiFeature(ActiveFeature):
    """A feature that costs a bonus action and 1 ki."""

    cost = {BONUS_ACTION: 1, KI: 1}

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {KI: sheet.level}

    def rest_needed(self, sheet: Sheet) -> RestKind | None:
        return RestKind.SHORT


@piece
class FlurryOfBlows(KiFeature):
    """Spend the bonus action and 1 ki after the Attack action to gain two unarmed strikes."""

    name = "flurry_of_blows"
    tags = ("attack", "melee")

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if not took_attack_action(battle, actor):
            raise Refusal(
                "flurry-of-blows/no-attack",
                f"{actor.name} has to take the Attack action before Flurry of Blows.",
                who=actor.id,
                needed="attack",
            )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        for _ in range(2):
            table.grant(actor, FLURRY_STRIKE, source=self.ref, until=until_end_of_turn(actor), weapon=UNARMED)


@piece
class PatientDefense(KiFeature):
    """Spend the bonus action and 1 ki to Dodge."""

    name = "patient_defense"
    tags = ("defense",)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        dodge(table, actor, self.ref)


class Manner(StrEnum):
    """The action that Step of the Wind stands for."""

    DASH = "dash"
    DISENGAGE = "disengage"


class StepOfTheWindOptions(Options):
    manner: Manner = Field(default=Manner.DASH, alias="as", description="which of the two to take")


@piece
class StepOfTheWind(KiFeature, Manoeuvre):
    """Spend the bonus action and 1 ki to Dash or Disengage."""

    name = "step_of_the_wind"
    tags = ("movement",)
    options = StepOfTheWindOptions
