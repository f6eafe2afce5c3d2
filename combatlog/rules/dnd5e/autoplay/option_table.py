"""Which pieces the automatic player can use, and as what kind of option: see the tables at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from combatlog.rules.dnd5e.abilities.ready import Ready
from combatlog.rules.dnd5e.actions.move import Move
from combatlog.rules.dnd5e.actions.strike import Strike, WeaponAction
from combatlog.rules.dnd5e.archetypes import (
    afflictions,
    areas,
    blasts,
    bolts,
    boons,
    healing,
    hits,
    power_words,
    strides,
    teleporting,
    temporary,
    zones,
)
from combatlog.rules.dnd5e.autoplay.arms import weapons_of
from combatlog.rules.dnd5e.autoplay.blasting import Blast
from combatlog.rules.dnd5e.autoplay.consequences import MadeStance
from combatlog.rules.dnd5e.autoplay.going_up import Mounting, Soaring
from combatlog.rules.dnd5e.autoplay.handling import DroppingShield, OpeningDoor, PickingUp
from combatlog.rules.dnd5e.autoplay.harming import (
    Area,
    Darts,
    Frenzying,
    SpecialStrike,
    SpellAttack,
    WeaponAttack,
    Zone,
)
from combatlog.rules.dnd5e.autoplay.helping_out import ForcingDoor, LightingUp, PuttingOut, Waking
from combatlog.rules.dnd5e.autoplay.hypothetical import read_sheets
from combatlog.rules.dnd5e.autoplay.moving import Charging, Run, Slip, StepOfTheWind, Striding, Teleport, Walk
from combatlog.rules.dnd5e.autoplay.options import Dnd5eOption
from combatlog.rules.dnd5e.autoplay.outlook import Outlook
from combatlog.rules.dnd5e.autoplay.power_words import SpeakingPowerWord
from combatlog.rules.dnd5e.autoplay.readying import Readying
from combatlog.rules.dnd5e.autoplay.stealth import CunningAction, Hiding, NimbleEscape
from combatlog.rules.dnd5e.autoplay.supporting import (
    Blessing,
    Bolstering,
    Curse,
    Flurry,
    Healing,
    Helping,
    Inspiring,
    LayingOnHands,
    Recklessness,
    Searching,
    Stance,
    StandingUp,
    Surge,
)
from combatlog.rules.dnd5e.features.frenzy import Frenzy
from combatlog.rules.dnd5e.granted_strikes import GrantedStrike
from combatlog.rules.dnd5e.loadout import activities_of
from combatlog.rules.dnd5e.pieces import Activity, GrantedAction
from combatlog.rules.dnd5e.speed import Gait, has_gait
from projections.battle import Battle
from projections.combatant import Combatant

Make = Callable[[Outlook, Activity], Iterator[Dnd5eOption]]


def options_of(battle: Battle, actor: Combatant) -> list[Dnd5eOption]:
    """Everything a combatant has whose outcome can be foreseen, whether or not it can be done now."""
    read_sheets(battle)
    outlook = Outlook(battle, actor)
    held = [piece for piece in activities_of(actor) if piece.is_held(actor)]
    there = [piece for piece in held if not isinstance(piece, GrantedAction) or actor.granted_actions(piece.ref)]
    return [option for piece in there for option in _make(outlook, piece)]


def _make(outlook: Outlook, piece: Activity) -> Iterator[Dnd5eOption]:
    make = _maker(piece.name, type(piece))
    if make is not None:
        yield from make(outlook, piece)
    if isinstance(piece, Move) and has_gait(outlook.actor, Gait.FLY):
        yield Soaring(outlook, piece)


def _maker(name: str, kind: type[Activity]) -> Make | None:
    if name in BY_NAME:
        return _as(BY_NAME[name])
    if kind not in _MAKERS:
        _MAKERS[kind] = next((make for known, make in BY_KIND.items() if issubclass(kind, known)), None)
    return _MAKERS[kind]


_MAKERS: dict[type[Activity], Make | None] = {}
"""Found once for each kind: there are many pieces of each, and every decision asks for all of them."""


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
    Strike: _with_each_weapon(WeaponAttack),
    WeaponAction: _with_each_weapon(WeaponAttack),
    Ready: _with_each_weapon(Readying),
    Frenzy: _with_each_weapon(Frenzying),
    GrantedStrike: _as(WeaponAttack),
    areas.Area: _as(Area),
    zones.ZoneSpell: _as(Zone),
    blasts.Blast: _as(Blast),
    bolts.Bolt: _as(SpellAttack),
    bolts.Darts: _as(Darts),
    healing.Healing: _as(Healing),
    temporary.Temporary: _as(Bolstering),
    afflictions.Affliction: _as(Curse),
    power_words.PowerWord: _as(SpeakingPowerWord),
    boons.Boon: _as(Blessing),
    boons.Stance: _as(MadeStance),
    hits.SpecialStrike: _as(SpecialStrike),
    teleporting.Teleport: _as(Teleport),
    strides.SpecialStride: _as(Striding),
}

BY_NAME: dict[str, type[Dnd5eOption]] = {
    "move": Walk,
    "dash": Run,
    "step_of_the_wind": StepOfTheWind,
    "stand_up": StandingUp,
    "disengage": Slip,
    "hide": Hiding,
    "nimble_escape": NimbleEscape,
    "aggressive": Charging,
    "dodge": Stance,
    "patient_defense": Stance,
    "rage": Stance,
    "reckless_attack": Recklessness,
    "help": Helping,
    "action_surge": Surge,
    "flurry_of_blows": Flurry,
    "cunning_action": CunningAction,
    "lay_on_hands": LayingOnHands,
    "bardic_inspiration": Inspiring,
    "search": Searching,
    "drop_shield": DroppingShield,
    "open_door": OpeningDoor,
    "pick_up": PickingUp,
    "torch": LightingUp,
    "wake": Waking,
    "put_out": PuttingOut,
    "force": ForcingDoor,
    "mount": Mounting,
}
