"""Exhausting and depleting attachments in an activation."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from combatlog.rules.engine.options import Options, Said
from combatlog.rules.engine.refusal import Refusal, choices, suggest
from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.ability import Ability
from combatlog.rules.skirmish.actions.abilities import UseAbility, check_payable
from combatlog.rules.skirmish.attachments import USES, Attached, attached_to, spend
from combatlog.rules.skirmish.pieces import piece
from combatlog.rules.skirmish.play import Play, carry_out
from combatlog.rules.skirmish.sheet import player_of
from combatlog.rules.skirmish.vocabulary import ACTION_TIMINGS, slug
from projections.battle import Battle
from projections.combatant import Combatant


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

    def _named(self, battle: Battle, actor: Combatant, said: Said) -> Attached:
        known = {slug(one.card): one for one in self.attached(battle, actor)}
        wanted = UsingAttachment.read(said.options).card
        if wanted is None and len(known) == 1:
            return next(iter(known.values()))
        if wanted is None or slug(wanted) not in known:
            raise _which(actor, wanted, [one.card for one in known.values()])
        return known[slug(wanted)]

    def ability_in(self, battle: Battle, actor: Combatant, said: Said) -> Ability:
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

    def check_ability(self, battle: Battle, actor: Combatant, ability: Ability) -> None:
        if ability.when not in ACTION_TIMINGS:
            raise Refusal(
                "attachment/timing",
                f"{ability.id} is used during an attack, when a window asks.",
                who=actor.id,
                card=ability.id,
                needed=ability.when.value,
            )
        check_payable(battle, actor, ability)

    def check_attached(self, battle: Battle, actor: Combatant, attached: Attached) -> None:
        """Every check that does not depend on the target, for the menu."""
        self.check_all(battle, actor)
        self._check_ready(actor, attached)
        self.check_ability(battle, actor, attached.ability.inner(self.part)[0])

    def use(self, table: Table, actor: Combatant, ability: Ability) -> Play:
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


def _which(actor: Combatant, wanted: str | None, known: list[str]) -> Refusal:
    found = "several attachments" if wanted is None else f"no attachment {wanted!r}"
    return Refusal(
        "attachment/which",
        f"{actor.name} has {found}; name the card to use: {choices(known)}.",
        who=actor.id,
        card=wanted,
        available=known,
        suggestions=suggest(wanted or "", known),
    )
