"""The pieces that the automatic player can use, and the kind of option for each: see the tables at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from combatlog.rules.dnd5e.actions.attack_and_multiattack import Strike, WeaponAction
from combatlog.rules.dnd5e.actions.move_and_mount import MoveAlongPath
from combatlog.rules.dnd5e.actions.opportunity_attack_and_bonus_strikes import GrantedStrike
from combatlog.rules.dnd5e.actions.ready import Ready
from combatlog.rules.dnd5e.archetypes import (
    afflictions_and_power_words,
    areas_and_blasts,
    bolts_and_beams,
    boons_and_healing,
    extra_movement,
    on_hit_and_gm_rulings,
    zone_spells_and_teleport,
)
from combatlog.rules.dnd5e.autoplay.attack_options import (
    AreaOption,
    BlastOption,
    DartsOption,
    FrenzyOption,
    SpecialStrikeOption,
    SpellAttackOption,
    WeaponAttackOption,
    ZoneOption,
)
from combatlog.rules.dnd5e.autoplay.attacks_and_reach import weapons_of
from combatlog.rules.dnd5e.autoplay.hypothetical_battles import read_sheets
from combatlog.rules.dnd5e.autoplay.movement_options import (
    AggressiveOption,
    CunningActionOption,
    DashOption,
    DisengageOption,
    ExtraMovementOption,
    HideOption,
    NimbleEscapeOption,
    StepOfTheWindOption,
    TeleportOption,
    WalkOption,
)
from combatlog.rules.dnd5e.autoplay.option_base import ArchetypeStanceOption, Dnd5eOption
from combatlog.rules.dnd5e.autoplay.outlook import Outlook
from combatlog.rules.dnd5e.autoplay.support_options import (
    ActionSurgeOption,
    BardicInspirationOption,
    BlessingOption,
    CurseOption,
    FlurryOption,
    HealingOption,
    HelpOption,
    LayOnHandsOption,
    PowerWordOption,
    RecklessAttackOption,
    SearchOption,
    StanceOption,
    StandUpOption,
    TemporaryHitPointsOption,
)
from combatlog.rules.dnd5e.autoplay.utility_options import (
    ChangeAltitudeOption,
    DropShieldOption,
    ForceDoorOption,
    LightTorchOption,
    MountOption,
    OpenDoorOption,
    PickUpOption,
    PutOutOption,
    ReadyOption,
    WakeOption,
)
from combatlog.rules.dnd5e.battlemap.speed_and_terrain import Gait, has_gait
from combatlog.rules.dnd5e.creatures.loadout import activities_of
from combatlog.rules.dnd5e.features.barbarian import Frenzy
from combatlog.rules.dnd5e.pieces import Activity, GrantedAction
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

Make = Callable[[Outlook, Activity], Iterator[Dnd5eOption]]


def options_of(battle: Battle, actor: Combatant) -> list[Dnd5eOption]:
    """All of a combatant's activities whose outcome can be foreseen, whether or not it can do them now."""
    read_sheets(battle)
    outlook = Outlook(battle, actor)
    held = [piece for piece in activities_of(actor) if piece.is_held(actor)]
    there = [piece for piece in held if not isinstance(piece, GrantedAction) or actor.granted_actions(piece.ref)]
    return [option for piece in there for option in _make(outlook, piece)]


def _make(outlook: Outlook, piece: Activity) -> Iterator[Dnd5eOption]:
    make = _maker(piece.name, type(piece))
    if make is not None:
        yield from make(outlook, piece)
    if isinstance(piece, MoveAlongPath) and has_gait(outlook.actor, Gait.FLY):
        yield ChangeAltitudeOption(outlook, piece)


def _maker(name: str, kind: type[Activity]) -> Make | None:
    if name in BY_NAME:
        return _as(BY_NAME[name])
    if kind not in _MAKERS:
        _MAKERS[kind] = next((make for known, make in BY_KIND.items() if issubclass(kind, known)), None)
    return _MAKERS[kind]


_MAKERS: dict[type[Activity], Make | None] = {}
"""A cache by kind of piece, because every decision goes through all pieces."""


def _with_each_weapon(kind: type[Dnd5eOption]) -> Make:
    def make(outlook: Outlook, piece: Activity) -> Iterator[Dnd5eOption]:
        for weapon in weapons_of(outlook.actor):
            if not isinstance(piece, WeaponAction) or piece.suits(weapon):
                yield kind(outlook, piece, weapon.name)

    return make


def _as(kind: type[Dnd5eOption]) -> Make:
    def make(outlook: Outlook, piece: Activity) -> Iterator[Dnd5eOption]:
        yield kind(outlook, piece)

    return make


BY_KIND: dict[type[Activity], Make] = {
    Strike: _with_each_weapon(WeaponAttackOption),
    WeaponAction: _with_each_weapon(WeaponAttackOption),
    Ready: _with_each_weapon(ReadyOption),
    Frenzy: _with_each_weapon(FrenzyOption),
    GrantedStrike: _as(WeaponAttackOption),
    areas_and_blasts.AreaPower: _as(AreaOption),
    zone_spells_and_teleport.ZoneSpell: _as(ZoneOption),
    areas_and_blasts.BlastPower: _as(BlastOption),
    bolts_and_beams.Bolt: _as(SpellAttackOption),
    bolts_and_beams.Darts: _as(DartsOption),
    boons_and_healing.HealingPower: _as(HealingOption),
    boons_and_healing.TemporaryHitPointsPower: _as(TemporaryHitPointsOption),
    afflictions_and_power_words.AfflictionPower: _as(CurseOption),
    afflictions_and_power_words.PowerWord: _as(PowerWordOption),
    boons_and_healing.Boon: _as(BlessingOption),
    boons_and_healing.Stance: _as(ArchetypeStanceOption),
    on_hit_and_gm_rulings.SpecialStrike: _as(SpecialStrikeOption),
    zone_spells_and_teleport.TeleportPower: _as(TeleportOption),
    extra_movement.SpecialExtraMovement: _as(ExtraMovementOption),
}

BY_NAME: dict[str, type[Dnd5eOption]] = {
    "move": WalkOption,
    "dash": DashOption,
    "step_of_the_wind": StepOfTheWindOption,
    "stand_up": StandUpOption,
    "disengage": DisengageOption,
    "hide": HideOption,
    "nimble_escape": NimbleEscapeOption,
    "aggressive": AggressiveOption,
    "dodge": StanceOption,
    "patient_defense": StanceOption,
    "rage": StanceOption,
    "reckless_attack": RecklessAttackOption,
    "help": HelpOption,
    "action_surge": ActionSurgeOption,
    "flurry_of_blows": FlurryOption,
    "cunning_action": CunningActionOption,
    "lay_on_hands": LayOnHandsOption,
    "bardic_inspiration": BardicInspirationOption,
    "search": SearchOption,
    "drop_shield": DropShieldOption,
    "open_door": OpenDoorOption,
    "pick_up": PickUpOption,
    "torch": LightTorchOption,
    "wake": WakeOption,
    "put_out": PutOutOption,
    "force": ForceDoorOption,
    "mount": MountOption,
}
