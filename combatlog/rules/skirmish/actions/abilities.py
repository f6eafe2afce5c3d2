"""Playing Command cards in an activation, special actions, and exhausting or depleting attachments."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from pydantic import Field

from combatlog.rules.engine.options_and_validation import DeclaredParts, Options, Part
from combatlog.rules.engine.refusal import Refusal, choices, suggest
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.skirmish.actions.activate import Cost, SkirmishActivity, require
from combatlog.rules.skirmish.actions.attack_and_move import check_can_attack, target_in
from combatlog.rules.skirmish.attachments import USES, Attached, attached_to, spend
from combatlog.rules.skirmish.attack import resolve_attack
from combatlog.rules.skirmish.cards import check_activation_card, play_card
from combatlog.rules.skirmish.conditions.activations import SPECIALS_TWICE, note_use, used_by
from combatlog.rules.skirmish.library import AbilityType, LibraryAbility, library_of
from combatlog.rules.skirmish.pieces import piece
from combatlog.rules.skirmish.play import Play, carry_out
from combatlog.rules.skirmish.sheet import figure_sheet, player_of
from combatlog.rules.skirmish.vocabulary import ACTION_COST, ACTION_TIMINGS, ACTIONS, ATTACKS, DISABLED, slug
from ledger.events import Declared
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle


class UseAbility(SkirmishActivity):
    """Carry out an ability of the library. If it includes an attack, the attack is against the declared target."""

    takes = frozenset({Part.TARGET})

    @abstractmethod
    def ability_in(self, battle: Battle, actor: Combatant, said: DeclaredParts) -> LibraryAbility: ...

    @abstractmethod
    def check_ability(self, battle: Battle, actor: Combatant, ability: LibraryAbility) -> None:
        """Refuse an ability that cannot be used now."""

    @abstractmethod
    def use(self, table: Table, actor: Combatant, ability: LibraryAbility) -> Play: ...

    def check_said(self, battle: Battle, actor: Combatant, said: DeclaredParts) -> None:
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


def cost_of(ability: LibraryAbility) -> Cost:
    cost = {ACTIONS: ACTION_COST.get(ability.when, 0), ATTACKS: int(ability.is_attack), **ability.price}
    return {resource: amount for resource, amount in cost.items() if amount}


def check_payable(battle: Battle, actor: Combatant, ability: LibraryAbility) -> None:
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

    def ability_in(self, battle: Battle, actor: Combatant, said: DeclaredParts) -> LibraryAbility:
        return library_of(battle).card(Playing.read(said.options).card)

    def check_ability(self, battle: Battle, actor: Combatant, ability: LibraryAbility) -> None:
        check_activation_card(player_of(battle, actor), actor, ability)
        check_payable(battle, actor, ability)

    def use(self, table: Table, actor: Combatant, ability: LibraryAbility) -> Play:
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

    def ability_in(self, battle: Battle, actor: Combatant, said: DeclaredParts) -> LibraryAbility:
        known = {slug(ability.id): ability for ability in specials_of(battle, actor)}
        wanted = UsingSpecial.read(said.options).ability
        if wanted is None and len(known) == 1:
            return next(iter(known.values()))
        if wanted is None or slug(wanted) not in known:
            raise _which(actor, wanted, [ability.id for ability in known.values()])
        return known[slug(wanted)]

    def check_ability(self, battle: Battle, actor: Combatant, ability: LibraryAbility) -> None:
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

    def use(self, table: Table, actor: Combatant, ability: LibraryAbility) -> Play:
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


def specials_of(battle: Battle, actor: Combatant) -> list[LibraryAbility]:
    library = library_of(battle)
    owned = map(library.special, figure_sheet(actor).abilities)
    return [ability for ability in owned if ability.type in (AbilityType.SPECIAL_ACTION, None)]


class UsingAttachment(Options):
    card: str | None = Field(default=None, description="the attached card to use; needed if there are several")


class UseAttachment(UseAbility):
    """Use a card that is attached to the active figure's deployment card."""

    options = UsingAttachment
    part: ClassVar[str]

    def attached(self, battle: Battle, actor: Combatant) -> list[Attached]:
        own = [one for one in attached_to(battle, actor) if one.player.side == actor.side]
        return [one for one in own if one.ability.inner(self.part)]

    def check(self, battle: Battle, actor: Combatant) -> None:
        if not self.attached(battle, actor):
            raise Refusal("attachment/none", f"{actor.name} has no attachment to {self.name}.", who=actor.id)

    def _named(self, battle: Battle, actor: Combatant, said: DeclaredParts) -> Attached:
        known = {slug(one.card): one for one in self.attached(battle, actor)}
        wanted = UsingAttachment.read(said.options).card
        if wanted is None and len(known) == 1:
            return next(iter(known.values()))
        if wanted is None or slug(wanted) not in known:
            raise _which_attachment(actor, wanted, [one.card for one in known.values()])
        return known[slug(wanted)]

    def ability_in(self, battle: Battle, actor: Combatant, said: DeclaredParts) -> LibraryAbility:
        attached = self._named(battle, actor, said)
        self._check_ready(actor, attached)
        return attached.ability.inner(self.part)[0]

    def _check_ready(self, actor: Combatant, attached: Attached) -> None:
        if self.part == USES["exhaust"] and attached.exhausted:
            raise Refusal(
                "attachment/exhausted",
                f"{attached.card} is exhausted until the round ends.",
                who=actor.id,
                card=attached.card,
            )

    def check_ability(self, battle: Battle, actor: Combatant, ability: LibraryAbility) -> None:
        if ability.when not in ACTION_TIMINGS:
            raise Refusal(
                "attachment/timing",
                f"{ability.id} can only be used during an attack, in a window.",
                who=actor.id,
                card=ability.id,
                needed=ability.when.value,
            )
        check_payable(battle, actor, ability)

    def check_attached(self, battle: Battle, actor: Combatant, attached: Attached) -> None:
        """Make every check that does not depend on the target, for the menu."""
        self.check_all(battle, actor)
        self._check_ready(actor, attached)
        self.check_ability(battle, actor, attached.ability.inner(self.part)[0])

    def use(self, table: Table, actor: Combatant, ability: LibraryAbility) -> Play:
        attached = next(one for one in self.attached(table.battle, actor) if one.ability.ref == ability.ref)
        spend(table, attached, self.name)
        play = Play(table, player_of(table.battle, actor), ability, actor)
        carry_out(play)
        return play


@piece
class Exhaust(UseAttachment):
    """Exhaust an attachment to use it; it becomes ready again at the end of the round."""

    name = "exhaust"
    part = USES["exhaust"]


@piece
class Deplete(UseAttachment):
    """Deplete an attachment to use it once; it is out of the game afterwards."""

    name = "deplete"
    part = USES["deplete"]


def _which_attachment(actor: Combatant, wanted: str | None, known: list[str]) -> Refusal:
    found = "several attachments" if wanted is None else f"no attachment {wanted!r}"
    return Refusal(
        "attachment/which",
        f"{actor.name} has {found}; name the card to use: {choices(known)}.",
        who=actor.id,
        card=wanted,
        available=known,
        suggestions=suggest(wanted or "", known),
    )
