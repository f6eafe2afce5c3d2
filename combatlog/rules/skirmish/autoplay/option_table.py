"""Which activities the automatic player can use, and as what kind of option."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.skirmish.actions.abilities import specials_of
from combatlog.rules.skirmish.activity import Activity
from combatlog.rules.skirmish.attachments import USES, attached_to
from combatlog.rules.skirmish.autoplay.options import (
    Activating,
    Attacking,
    Moving,
    ShakingOff,
    SkirmishOption,
    UsingAbility,
)
from combatlog.rules.skirmish.autoplay.outlook import Outlook
from combatlog.rules.skirmish.library import library_of
from combatlog.rules.skirmish.pieces import PIECES
from combatlog.rules.skirmish.sheet import is_in_play, is_player, player_of
from combatlog.rules.skirmish.vocabulary import HAND
from projections.battle import Battle
from projections.combatant import Combatant

BY_NAME: dict[str, type[SkirmishOption]] = {
    "activate": Activating,
    "attack": Attacking,
    "move": Moving,
    "walk": Moving,
    "shake_off": ShakingOff,
}


def options_of(battle: Battle, actor: Combatant) -> list[SkirmishOption]:
    """Everything a figure could do, whether or not it can be done now."""
    if is_player(actor) or not is_in_play(actor):
        return []
    outlook = Outlook(battle, actor)
    activities = PIECES.of(Activity)
    simple = [kind(outlook, activities[name]) for name, kind in BY_NAME.items()]
    return [*simple, *_abilities(outlook, activities)]


def _abilities(outlook: Outlook, activities: dict[str, Activity]) -> Iterator[SkirmishOption]:
    battle, actor = outlook.battle, outlook.actor
    for name in dict.fromkeys(player_of(battle, actor).pile(HAND)):
        yield UsingAbility(outlook, activities["play"], library_of(battle).card(name), "card")
    for ability in specials_of(battle, actor):
        yield UsingAbility(outlook, activities["special"], ability, "ability")
    for attached in attached_to(battle, actor):
        for how, part in USES.items():
            for inner in attached.ability.inner(part):
                yield UsingAbility(outlook, activities[how], inner, "card")
