"""What the ruleset is made of. Each ability, action, feature, spell and condition is one small piece.

To add one: a class with the `@piece` decorator in the folder of its type, or, where it is nothing but an archetype with
options, an entry in the file of its type below `data`. Nothing else has to know of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from ledger.events import Data, Declared, Position
from projections.battle import Battle
from projections.combatant import Combatant
from rules.dnd5e.economy import REACTION, pay, require
from rules.dnd5e.sheet import Sheet, sheet_of
from rules.engine.chain import Chain, Modifier
from rules.engine.pieces import Piece, Pieces
from rules.engine.refusal import Refusal
from rules.engine.table import Table

if TYPE_CHECKING:
    from rules.dnd5e.contexts import Attack, Check, Harm, Save, Step


class Dnd5ePiece(Piece):
    """What all pieces have in common. Its ref is `dnd5e:type:name`."""

    ruleset = "dnd5e"

    @property
    def title(self) -> str:
        """The name as people write it."""
        return self.name.replace("_", " ")

    @property
    def key(self) -> str:
        """The name as rolls and attacks on record have it. Unlike the title it is never reworded."""
        return self.name.replace("_", " ")

    def is_held(self, combatant: Combatant) -> bool:
        """Whether this combatant has it."""
        return True


class Activity(Dnd5ePiece):
    """Something that is declared: it costs something and does something."""

    cost: ClassVar[dict[str, int]] = {}
    tags: tuple[str, ...] = ()

    def price(self, actor: Combatant, options: Data) -> dict[str, int]:
        """What it costs, if that depends on who does it and how."""
        return self.cost

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        """Refuse what the actor's own state forbids, whomever it would aim at."""

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        """Refuse wrong targets and places. What it costs can be paid."""

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        raise NotImplementedError(f"{self.ref} does nothing")

    def permit(self, battle: Battle, actor: Combatant, options: Data) -> None:
        """Refuse what the actor cannot do now, whomever it would aim at. Declarations and the menu both ask this."""
        if not self.is_held(actor):
            raise Refusal(
                f"{self.type}/not-held",
                f"{actor.id} does not have {self.title}; `combatlog actions` shows what it has.",
            )
        self.check_state(battle, actor)
        require(actor, self.price(actor, options))

    def declare(self, table: Table, actor: Combatant, declared: Declared) -> None:
        self.permit(table.battle, actor, declared.options)
        self.check(table, actor, declared)
        pay(table, actor, self.price(actor, declared.options), self.name, self.ref)
        self.perform(table, actor, declared)


class Ability(Activity):
    """Everybody has it: it spends the economy and grants capacity, actions or conditions."""

    type = "ability"


class Action(Activity):
    """The doing: it spends capacity."""

    type = "action"


class GrantedAction(Action):
    """An action that exists only while it is granted, and is gone once used."""

    how_to_get_it: ClassVar[str]

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if not actor.granted_actions(self.ref):
            raise Refusal(f"{self.name.replace('_', '-')}/not-granted", f"{actor.id} gets one by {self.how_to_get_it}.")

    def use_up(self, table: Table, actor: Combatant) -> str | None:
        """Take the oldest grant away; the weapon it was granted for."""
        grant = actor.granted_actions(self.ref)[0]
        table.ungrant(grant, "used")
        return grant.weapon


class Contributor(Dnd5ePiece):
    """Something a combatant has that modifies chains, and that takes notice of what happens."""

    # What it contributes to chains. Pure: nothing is recorded here.

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterable[Modifier]:
        """Contributions to the attack chain of any attack, the owner's or another's."""
        return ()

    def on_attack_collected(self, attack: Attack, chain: Chain, owner: Combatant) -> Iterable[Modifier]:
        """Contributions to the attack chain that depend on what everybody else contributed."""
        return ()

    def on_armor_class(self, attack: Attack, owner: Combatant) -> Iterable[Modifier]:
        """Contributions to the owner's armour class against this attack."""
        return ()

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterable[Modifier]:
        """Contributions to the damage chain of any attack that hit."""
        return ()

    def on_harm(self, harm: Harm, owner: Combatant) -> Iterable[Modifier]:
        """What the owner's own damage is reduced or increased by."""
        return ()

    def on_save(self, save: Save, owner: Combatant) -> Iterable[Modifier]:
        """Contributions to the owner's saving throws."""
        return ()

    def on_check(self, check: Check, owner: Combatant) -> Iterable[Modifier]:
        """Contributions to the owner's ability checks."""
        return ()

    def on_speed(self, owner: Combatant) -> Iterable[Modifier]:
        """Contributions to the owner's speed."""
        return ()

    def on_step_cost(self, owner: Combatant) -> Iterable[Modifier]:
        """What each step costs the owner beyond the ground."""
        return ()

    def on_attack_count(self, owner: Combatant) -> Iterable[Modifier]:
        """Contributions to the number of attacks that the owner's Attack action buys."""
        return ()

    def on_maximum_hp(self, owner: Combatant) -> Iterable[Modifier]:
        """Contributions to the hit points that the owner can have at most."""
        return ()

    # What it forbids its owner, in words; None: nothing.

    def forbids_target(self, owner: Combatant, target: Combatant) -> str | None:
        return None

    def forbids_step(self, battle: Battle, owner: Combatant, origin: Position, to: Position) -> str | None:
        return None

    # How its owner fares in leaving an enemy's reach, and its enemies in leaving the owner's.

    def slips_away(self, owner: Combatant) -> bool:
        """Whether the owner leaves without being struck at."""
        return False

    def holds_fast(self, owner: Combatant) -> bool:
        """Whether the owner strikes even at those who slip away."""
        return False

    # What it takes notice of.

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        """Any attack has been resolved, hit or miss."""

    def after_harm(self, table: Table, harm: Harm, owner: Combatant) -> None:
        """The owner has taken damage."""

    def after_step(self, table: Table, step: Step, owner: Combatant) -> None:
        """Somebody has moved one step."""

    def keeps_standing(self, table: Table, harm: Harm, owner: Combatant) -> bool:
        """Whether the owner, at 0 hit points, is kept from falling."""
        return False

    def at_any_turn_start(self, table: Table, owner: Combatant) -> None:
        """Somebody's turn begins."""

    def at_turn_start(self, table: Table, owner: Combatant) -> None:
        """The owner's turn begins."""

    def at_turn_end(self, table: Table, owner: Combatant) -> None:
        """The owner's turn ends."""


class Condition(Contributor):
    """Something that holds for a combatant for a while."""

    type = "condition"
    incapacitates: ClassVar[bool] = False
    """No actions, no reactions."""
    blinds: ClassVar[bool] = False
    deafens: ClassVar[bool] = False
    conceals: ClassVar[bool] = False
    """Others do not see its owner."""
    ends_when_incapacitated: ClassVar[bool] = False
    forbids_spells: ClassVar[bool] = False

    def is_held(self, combatant: Combatant) -> bool:
        return combatant.has(self.ref)

    def at_end(self, table: Table, owner: Combatant) -> None:
        """It is over, and still among the owner's conditions."""


class Feature(Contributor):
    """Something a class, a race or a creature has."""

    type = "feature"

    once_a_turn: bool = False
    """Its pool comes back with every turn."""

    def is_held(self, combatant: Combatant) -> bool:
        return sheet_of(combatant).loadout.has(self)

    def check_sheet(self, sheet: Sheet) -> None:
        """Refuse a sheet that lacks what this needs."""

    def pools(self, sheet: Sheet) -> dict[str, int]:
        """The resources that come with it."""
        return {}


class ActiveFeature(Feature, Activity):
    """A feature that is declared, like an ability."""


O = TypeVar("O")  # noqa: E741 - the context


class Reaction(Dnd5ePiece, Generic[O]):
    """Something that can be done in a window of somebody else's doing."""

    moments: ClassVar[tuple[str, ...]]
    in_chain: ClassVar[bool] = False
    """The chain that it contributes to consumes it; it is spent after that chain is on record."""

    def reaction_price(self, reactor: Combatant) -> dict[str, int]:
        return {REACTION: 1}

    def obstacle(self, context: O, reactor: Combatant) -> str | None:
        """Why it is not offered, in words; None when it is. That it can be paid for is known."""
        raise NotImplementedError(f"{self.ref} does not say when it may be used")

    def is_useful(self, context: O, reactor: Combatant) -> bool:
        """Whether it could change the outcome."""
        return True

    def react(self, table: Table, context: O, reactor: Combatant, paid: dict[str, int]) -> None:
        """Do it. What it costs has been paid, with these resources."""


PIECES = Pieces("rules.dnd5e", "abilities", "actions", "features", "conditions", "spells")
piece = PIECES.add
pieces_of = PIECES.of


@cache
def reactions_at(moment: str) -> tuple[Reaction[Any], ...]:
    """The reactions that a moment is made for, by name. Asked only once all pieces are known."""
    known = pieces_of(Reaction)
    return tuple(known[name] for name in sorted(known) if moment in known[name].moments)
