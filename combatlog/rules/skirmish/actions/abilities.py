"""Playing Command cards during an activation, and the special actions of deployment cards."""

from __future__ import annotations

from abc import abstractmethod

from pydantic import Field

from combatlog.rules.engine.options import Options, Part, Said
from combatlog.rules.engine.refusal import Refusal, choices, suggest
from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.ability import Ability, AbilityType
from combatlog.rules.skirmish.actions.attack import check_can_attack, target_in
from combatlog.rules.skirmish.activity import Activity, Cost, require
from combatlog.rules.skirmish.attack import resolve_attack
from combatlog.rules.skirmish.cards import check_activation_card, play_card
from combatlog.rules.skirmish.conditions.this_activation import SPECIALS_TWICE
from combatlog.rules.skirmish.conditions.used_specials import note_use, used_by
from combatlog.rules.skirmish.library import library_of
from combatlog.rules.skirmish.pieces import piece
from combatlog.rules.skirmish.play import Play, carry_out
from combatlog.rules.skirmish.sheet import figure_sheet, player_of
from combatlog.rules.skirmish.vocabulary import ACTION_COST, ACTIONS, ATTACKS, DISABLED, slug
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant


class UseAbility(Activity):
    """Carry out an ability of the library. If it includes an attack, it is against the declared target."""

    takes = frozenset({Part.TARGET})

    @abstractmethod
    def ability_in(self, battle: Battle, actor: Combatant, said: Said) -> Ability: ...

    @abstractmethod
    def check_ability(self, battle: Battle, actor: Combatant, ability: Ability) -> None:
        """Refuse an ability that cannot be used now."""

    @abstractmethod
    def use(self, table: Table, actor: Combatant, ability: Ability) -> Play: ...

    def check_said(self, battle: Battle, actor: Combatant, said: Said) -> None:
        if not said.targets:
            return
        ability = self.ability_in(battle, actor, said)
        if not ability.is_attack:
            raise Refusal(
                "declaration/takes-no-target",
                f"{ability.id} includes no attack, so it takes no target; omit the target.",
                what=ability.id,
                part=Part.TARGET.value,
                found=said.targets,
            )

    def aim(self, battle: Battle, actor: Combatant, declared: Declared) -> None:
        ability = self.ability_in(battle, actor, declared)
        self.check_ability(battle, actor, ability)
        if ability.is_attack:
            target_in(battle, actor, declared)

    def cost_of(self, battle: Battle, actor: Combatant, declared: Declared) -> Cost:
        return cost_of(self.ability_in(battle, actor, declared))

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        ability = self.ability_in(table.battle, actor, declared)
        play = self.use(table, actor, ability)
        if ability.is_attack and not play.is_cancelled:
            target = target_in(table.battle, actor, declared)
            resolve_attack(table, actor, target, play.movement_after_attack, play.source)


def cost_of(ability: Ability) -> Cost:
    cost = {ACTIONS: ACTION_COST.get(ability.when, 0), ATTACKS: int(ability.is_attack), **ability.price}
    return {resource: amount for resource, amount in cost.items() if amount}


def check_payable(battle: Battle, actor: Combatant, ability: Ability) -> None:
    require(actor, cost_of(ability))
    if ability.is_attack:
        check_can_attack(battle, actor)


class Playing(Options):
    card: str = Field(description="the Command card to play, from the player's hand")


@piece
class PlayCard(UseAbility):
    """Play a Command card from the player's hand for the active figure."""

    name = "play"
    options = Playing

    def ability_in(self, battle: Battle, actor: Combatant, said: Said) -> Ability:
        return library_of(battle).card(Playing.read(said.options).card)

    def check_ability(self, battle: Battle, actor: Combatant, ability: Ability) -> None:
        check_activation_card(player_of(battle, actor), actor, ability)
        check_payable(battle, actor, ability)

    def use(self, table: Table, actor: Combatant, ability: Ability) -> Play:
        return play_card(table, player_of(table.battle, actor), ability, actor)


class UsingSpecial(Options):
    ability: str | None = Field(default=None, description="the special action to use; needed if there are several")


@piece
class Special(UseAbility):
    """Use a special action that the figure's deployment card has."""

    name = "special"
    options = UsingSpecial

    def check(self, battle: Battle, actor: Combatant) -> None:
        if not specials_of(battle, actor):
            raise Refusal("special/none", f"{actor.name} has no special action.", who=actor.id)

    def ability_in(self, battle: Battle, actor: Combatant, said: Said) -> Ability:
        known = {slug(ability.id): ability for ability in specials_of(battle, actor)}
        wanted = UsingSpecial.read(said.options).ability
        if wanted is None and len(known) == 1:
            return next(iter(known.values()))
        if wanted is None or slug(wanted) not in known:
            raise _which(actor, wanted, [ability.id for ability in known.values()])
        return known[slug(wanted)]

    def check_ability(self, battle: Battle, actor: Combatant, ability: Ability) -> None:
        if actor.has(DISABLED):
            raise Refusal(
                "figure/disabled",
                f"{actor.name} cannot use special actions until the round ends.",
                who=actor.id,
                condition=DISABLED,
            )
        if used_by(actor).count(ability.ref) >= (2 if actor.has(SPECIALS_TWICE) else 1):
            raise Refusal(
                "special/used",
                f"{actor.name} has used {ability.id} in this activation; it cannot be used again.",
                who=actor.id,
                ability=ability.id,
            )
        check_payable(battle, actor, ability)

    def use(self, table: Table, actor: Combatant, ability: Ability) -> Play:
        note_use(table, actor, ability.ref)
        play = Play(table, player_of(table.battle, actor), ability, actor)
        carry_out(play)
        return play


def _which(actor: Combatant, wanted: str | None, known: list[str]) -> Refusal:
    found = "several special actions" if wanted is None else f"no special action {wanted!r}"
    return Refusal(
        "special/which",
        f"{actor.name} has {found}; name the ability to use: {choices(known)}.",
        who=actor.id,
        ability=wanted,
        available=known,
        suggestions=suggest(wanted or "", known),
    )


def specials_of(battle: Battle, actor: Combatant) -> list[Ability]:
    library = library_of(battle)
    owned = map(library.special, figure_sheet(actor).abilities)
    return [ability for ability in owned if ability.type in (AbilityType.SPECIAL_ACTION, None)]
