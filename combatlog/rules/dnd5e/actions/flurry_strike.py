from __future__ import annotations

from pydantic import Field

from combatlog.rules.dnd5e.attack import make_attack, resolve_attack
from combatlog.rules.dnd5e.features.open_hand import Technique, use_technique
from combatlog.rules.dnd5e.granted_strikes import GrantedStrike
from combatlog.rules.dnd5e.pieces import piece
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.targeting import one_target, weapon_named
from combatlog.rules.engine.options import Options
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant

OPEN_HAND = "dnd5e:feature:open_hand"


class FlurryStrikeOptions(Options):
    technique: Technique = Field(
        default=Technique.PRONE, description="with Open Hand, what a hit does: prone, push, stagger or none"
    )


@piece
class FlurryStrike(GrantedStrike):
    """Make one of the unarmed strikes that Flurry of Blows grants."""

    name = "flurry_strike"
    tags = ("attack", "melee")
    granted_by = "Flurry of Blows"
    options = FlurryStrikeOptions

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        weapon, target = weapon_named(actor, self.use_up(table, actor)), one_target(table, actor, declared.targets)
        resolved = resolve_attack(table, make_attack(table.battle, actor, target, weapon))
        if resolved is not None and resolved.hit and "open_hand" in sheet_of(actor).features:
            technique = FlurryStrikeOptions.read(declared.options).technique
            use_technique(table, actor, target, technique, OPEN_HAND)
