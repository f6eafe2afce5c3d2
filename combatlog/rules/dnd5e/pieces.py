"""The base classes of the ruleset's pieces, and their registry.

Each ability, action, feature, spell and condition is one small piece.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from combatlog.rules.dnd5e.battlemap.space import RIDDEN
from combatlog.rules.dnd5e.conditions.instances import Instance
from combatlog.rules.dnd5e.creatures.sheet import Sheet, sheet_of
from combatlog.rules.dnd5e.economy import ACTION, BONUS_ACTION, REACTION, pay, require
from combatlog.rules.engine.options_and_validation import DeclaredParts, Options, Part, Signature
from combatlog.rules.engine.pieces import Piece, Pieces
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.chain import Modifier, ModifierChain
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.ruleset_types import RestKind
from ledger.events import Data, Declared, Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

if TYPE_CHECKING:
    from combatlog.rules.dnd5e.contexts import Attack, Check, Harm, MovementStep, Save


class Dnd5ePiece(Piece):
    """The base of all pieces. A piece's ref is `dnd5e:type:name`."""

    ruleset = "dnd5e"

    @property
    def title(self) -> str:
        """The name as shown to people."""
        return self.name.replace("_", " ")

    @cached_property
    def about(self) -> str:
        """A one-sentence description: the first line of its class docstring."""
        return (inspect.getdoc(type(self)) or "").partition("\n")[0]

    @property
    def key(self) -> str:
        """The name in recorded rolls and attacks. Unlike the title, it never changes."""
        return self.name.replace("_", " ")

    def is_held(self, combatant: Combatant) -> bool:
        """Whether this combatant has it."""
        return True


class Activity(Dnd5ePiece):
    """Something that a player declares, with a cost and an effect."""

    cost: ClassVar[dict[str, int]] = {}
    tags: tuple[str, ...] = ()
    options: ClassVar[type[Options]] = Options
    """The options that its declaration takes; none if the model has no fields."""
    parts: ClassVar[frozenset[Part]] = frozenset()
    """What its declaration can contain besides options."""
    while_incapacitated: ClassVar[bool] = False
    """Whether it needs no action, so that an incapacitated combatant can do it if it can move."""

    @cached_property
    def signature(self) -> Signature:
        """What its declaration can contain."""
        return Signature(self.options, self.parts, self.about, self.check_said)

    def check_said(self, said: DeclaredParts) -> None:
        """Refuse a declaration that its signature allows but that has no effect, such as a weapon with a readied move.
        Anything that the rules forbid belongs in `check`. Recorded declarations do not go through this again.
        """

    def price(self, actor: Combatant, options: Data) -> dict[str, int]:
        """Its cost. Override this if the cost depends on the actor or the options."""
        return self.cost

    def spent_for(self, actor: Combatant, declared: Declared) -> str:
        """The ref recorded for its cost: its own, unless the cost depends on what it is used with."""
        return self.ref

    def is_offered(self, battle: Battle) -> bool:
        """Whether the optional rules of this fight include it."""
        return True

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        """Refuse it if the actor's own state forbids it, whatever the target."""

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        """Refuse wrong targets and places. The actor's ability to pay has been checked already."""

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        raise NotImplementedError(f"{self.ref} does nothing")

    def permit(self, battle: Battle, actor: Combatant, options: Data) -> None:
        """Refuse it if the actor cannot do it now, whatever the target. Declarations and the menu both call this."""
        if not self.is_held(actor):
            raise Refusal(
                f"{self.type}/not-held",
                f"{actor.name} does not have {self.title}; choose something it has.",
                who=actor.id,
                what=self.name,
            )
        if RIDDEN in actor.conditions:
            _check_controlled(self, actor)
        self.check_state(battle, actor)
        require(actor, self.price(actor, options))

    def declare(self, table: Table, actor: Combatant, declared: Declared) -> None:
        self.permit(table.battle, actor, declared.options)
        self.check(table, actor, declared)
        price = self.price(actor, declared.options)
        pay(table, actor, price, self.name, self.spent_for(actor, declared))
        if actor.conditions:
            _forgo(table, actor, price)
        self.perform(table, actor, declared)


def _forgo(table: Table, actor: Combatant, price: dict[str, int]) -> None:
    """Take away the bonus action with the action, or vice versa, from a combatant who gets only one of them."""
    held = (PIECES.get(ref) for ref in actor.conditions)
    if not any(isinstance(piece, Dnd5eCondition) and piece.either_action for piece in held):
        return
    for used, other in ((ACTION, BONUS_ACTION), (BONUS_ACTION, ACTION)):
        if used in price and actor.economy.left(other) > 0:
            table.spend(actor, other, 1, "either an action or a bonus action")


WHILE_CONTROLLED = ("move", "dash", "disengage", "dodge", "stand_up", "drop_prone")
"""The only things that a controlled mount can do."""


def _check_controlled(activity: Activity, mount: Combatant) -> None:
    if activity.name not in WHILE_CONTROLLED and not mount.conditions[RIDDEN].data.get("independent"):
        raise Refusal(
            "mount/controlled",
            f"{mount.name} is a controlled mount; it can only move, dash, disengage and dodge.",
            who=mount.id,
            what=activity.name,
        )


class Ability(Activity):
    """Something that every combatant can do: it spends the economy and grants capacity, actions or conditions."""

    type = "ability"


class Action(Activity):
    """Something that spends capacity, such as a strike or a move."""

    type = "action"


class GrantedAction(Action):
    """An action that has to be granted first. Using it removes the grant."""

    granted_by: ClassVar[str]
    """What grants it, in words."""

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if not actor.granted_actions(self.ref):
            raise Refusal(
                f"{self.name.replace('_', '-')}/not-granted",
                f"{actor.name} has no {self.title} to make; {self.granted_by} grants one.",
                who=actor.id,
                what=self.name,
            )

    def use_up(self, table: Table, actor: Combatant) -> str | None:
        """Remove the oldest grant. Returns the weapon it was granted for."""
        grant = actor.granted_actions(self.ref)[0]
        table.ungrant(grant, "used")
        return grant.weapon


Hook = Callable[..., Any]
"""A method of `Contributor`, such as `Contributor.on_attack`."""


class Contributor(Dnd5ePiece):
    """Something a combatant has that modifies chains and responds to events."""

    def implements(self, hook: Hook) -> bool:
        """Whether it overrides this method."""
        return getattr(type(self), hook.__name__) is not hook

    # Contributions to chains. These are pure: they record nothing.

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterable[Modifier]:
        """Contributions to the attack chain of any attack, including those of other combatants."""
        return ()

    def on_attack_collected(self, attack: Attack, chain: ModifierChain, owner: Combatant) -> Iterable[Modifier]:
        """Contributions to the attack chain that depend on all the others."""
        return ()

    def on_armor_class(self, attack: Attack, owner: Combatant) -> Iterable[Modifier]:
        """Contributions to the owner's armour class against this attack."""
        return ()

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterable[Modifier]:
        """Contributions to the damage chain of any attack that hit."""
        return ()

    def on_critical(self, attack: Attack, owner: Combatant) -> Iterable[Modifier]:
        """Contributions to the damage chain of a critical hit, which are not doubled."""
        return ()

    def on_harm(self, harm: Harm, owner: Combatant) -> Iterable[Modifier]:
        """Reductions and increases of the damage that the owner takes."""
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
        """The extra cost of each of the owner's steps, on top of the terrain."""
        return ()

    def on_attack_count(self, owner: Combatant) -> Iterable[Modifier]:
        """Contributions to the number of attacks that the owner's Attack action buys."""
        return ()

    def on_maximum_hp(self, owner: Combatant) -> Iterable[Modifier]:
        """Contributions to the owner's hit point maximum."""
        return ()

    # Restrictions on the owner. Each returns the reason in words, or None.

    def forbids_target(self, owner: Combatant, target: Combatant) -> str | None:
        return None

    def forbids_step(self, battle: Battle, owner: Combatant, origin: Position, to: Position) -> str | None:
        return None

    # Protections of the owner.

    def turns_aside(self, table: Table, attacker: Combatant, owner: Combatant, attack: Attack | None) -> bool:
        """Whether an attack on the owner is lost before it is rolled. If `attack` is None, it is a spell."""
        return False

    def wards_off(self, owner: Combatant, condition: str, cause: Combatant | None) -> bool:
        """Whether the owner is protected from a condition, given by name, that `cause` would impose."""
        return False

    # Leaving an enemy's reach.

    def slips_away(self, owner: Combatant) -> bool:
        """Whether the owner can leave an enemy's reach without provoking an opportunity attack."""
        return False

    def holds_fast(self, owner: Combatant) -> bool:
        """Whether the owner gets opportunity attacks even against enemies who slip away."""
        return False

    # Responses to what happens.

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        """Any combatant's attack has been resolved, hit or miss."""

    def after_harm(self, table: Table, harm: Harm, owner: Combatant) -> None:
        """The owner has taken damage."""

    def after_felling(self, table: Table, harm: Harm, owner: Combatant) -> None:
        """Damage that the owner dealt has brought a combatant to 0 hit points."""

    def after_step(self, table: Table, step: MovementStep, owner: Combatant) -> None:
        """Any combatant has moved one step."""

    def after_affliction(self, table: Table, owner: Combatant) -> None:
        """One of the owner's conditions has begun."""

    def keeps_standing(self, table: Table, harm: Harm, owner: Combatant) -> bool:
        """Whether it keeps the owner up at 0 hit points."""
        return False

    def at_any_turn_start(self, table: Table, owner: Combatant) -> None:
        """Any combatant's turn begins."""

    def at_turn_start(self, table: Table, owner: Combatant) -> None:
        """The owner's turn begins."""

    def at_turn_end(self, table: Table, owner: Combatant) -> None:
        """The owner's turn ends."""


class Dnd5eCondition(Contributor):
    """A state that a combatant can be in."""

    type = "condition"
    incapacitates: ClassVar[bool] = False
    """Its owner cannot take actions or reactions."""
    idles: ClassVar[bool] = False
    """Its owner cannot take actions or reactions, but can move and does not count as incapacitated."""
    still_does: ClassVar[tuple[str, ...]] = ()
    """The names of the actions that are left to an owner who idles."""
    immobilizes: ClassVar[bool] = False
    """Its owner cannot move at all."""
    holds_up: ClassVar[bool] = False
    """Its owner cannot take actions or reactions or move, but does not count as incapacitated."""
    knocks_out: ClassVar[bool] = False
    """Its owner is unconscious or worse."""
    blinds: ClassVar[bool] = False
    deafens: ClassVar[bool] = False
    conceals: ClassVar[bool] = False
    """Others cannot see its owner."""
    is_invisibility: ClassVar[bool] = False
    """It conceals its owner only from those without a sense for the invisible."""
    ends_when_incapacitated: ClassVar[bool] = False
    ends_when_knocked_out: ClassVar[bool] = False
    levels: ClassVar[int] = 0
    """The highest level; each further cause adds one level. 0 if it has no levels."""
    forbids_spells: ClassVar[bool] = False
    forbids_reactions: ClassVar[bool] = False
    one_attack: ClassVar[bool] = False
    """The Attack action gives its owner only one attack."""
    either_action: ClassVar[bool] = False
    """Its owner can use either an action or a bonus action in a turn, not both."""
    cuts_off: ClassVar[bool] = False
    """Its owner cannot affect others or be affected by them."""
    heals_fully: ClassVar[bool] = False
    """Dice that heal its owner count as their maximum."""
    forbids_healing: ClassVar[bool] = False
    """Its owner cannot regain hit points."""
    makes_magical: ClassVar[bool] = False
    """Its owner's weapon attacks are magical."""
    lasts: ClassVar[bool] = False
    """It carries over to the next fight, unless it has a fixed end."""
    is_single: ClassVar[bool] = False
    """Causing it again only renews it; its causes are not tracked one by one."""
    outlasts_harmless_spells: ClassVar[bool] = False
    """If it ends when its owner casts a spell, only spells that affect an enemy count."""

    def is_held(self, combatant: Combatant) -> bool:
        return combatant.has(self.ref)

    def begins_with(self, target: Combatant) -> Data:
        """Data about the moment when it begins, kept with it."""
        return {}

    def at_begin(self, table: Table, owner: Combatant) -> None:
        """The condition has begun, or begun again."""

    def at_end(self, table: Table, owner: Combatant) -> None:
        """The condition is ending; the owner still has it."""

    def at_failed_save(self, table: Table, owner: Combatant, instance: Instance) -> None:
        """The owner has failed its save to end it at the end of a turn."""


class Feature(Contributor):
    """Something that a class, race or creature has."""

    type = "feature"

    once_a_turn: bool = False
    """Its pool is refilled at the start of every turn."""

    def is_held(self, combatant: Combatant) -> bool:
        return sheet_of(combatant).loadout.has(self)

    def check_sheet(self, sheet: Sheet) -> None:
        """Refuse a sheet that lacks something this needs."""

    def pools(self, sheet: Sheet) -> dict[str, int]:
        """The resources that it brings."""
        return {}

    def pools_needed(self) -> list[str]:
        """The resources that it spends but that something else on the sheet has to bring."""
        return []

    def more_healing(self, level: int) -> int:
        """Extra hit points that its owner's healing spells restore when cast at this level."""
        return 0

    def friends_spared(self, level: int) -> int:
        """The number of friends that its owner's area spells of this level can spare."""
        return 0

    def destroys(self, power: str, owner: Combatant, target: Combatant) -> bool:
        """Whether a target that fails its save against one of its owner's powers is destroyed at once."""
        return False

    def sheds(self) -> tuple[int, int] | None:
        """The radius of its owner's bright light, and how much farther dim light goes, in feet; None for no light."""
        return None

    def rest_needed(self, sheet: Sheet) -> RestKind | None:
        """The shortest rest that restores its resources; None if no rest does."""
        return RestKind.LONG


class ActiveFeature(Feature, Activity):
    """A feature that has to be declared, like an ability."""


O = TypeVar("O")  # noqa: E741 - the context


class Reaction(Dnd5ePiece, Generic[O]):
    """Something that a combatant can do, when asked, in response to what happens."""

    moments: ClassVar[tuple[str, ...]]
    while_incapacitated: ClassVar[bool] = False
    """Whether any living combatant can use it, even one who cannot act."""
    in_chain: ClassVar[bool] = False
    """It contributes to a chain, and is spent once that chain is recorded."""
    reaction_options: ClassVar[type[Options]] = Options
    """The options that it takes; none if the model has no fields."""

    @property
    def reaction_signature(self) -> Signature:
        """The options that it takes, and its description."""
        return Signature(self.reaction_options, about=self.about)

    def reaction_price(self, reactor: Combatant) -> dict[str, int]:
        return {REACTION: 1}

    def price_said(self, reactor: Combatant, said: Data) -> dict[str, int]:
        """Its cost with these options."""
        return self.reaction_price(reactor)

    def prices(self, reactor: Combatant) -> Iterator[tuple[Data, dict[str, int]]]:
        """The ways to pay for it, the usual one first: options and the cost they lead to."""
        yield {}, self.reaction_price(reactor)

    def bar(self, battle: Battle, reactor: Combatant) -> str | None:
        """Why the reactor cannot use it now, whatever happens, in words; None if it can."""
        return None

    def obstacle(self, context: O, reactor: Combatant) -> str | None:
        """Why it is not offered, in words; None if it is. The reactor's ability to pay has been checked already."""
        raise NotImplementedError(f"{self.ref} does not say when it may be used")

    def is_useful(self, context: O, reactor: Combatant) -> bool:
        """Whether it could change the outcome."""
        return True

    def react(self, table: Table, context: O, reactor: Combatant, paid: dict[str, int]) -> None:
        """Carry it out. Its cost has been paid, with these resources."""


PIECES = Pieces("combatlog.rules.dnd5e", "actions", "features", "conditions", "spells")
piece = PIECES.add
pieces_of = PIECES.of


@cache
def reactions_at(moment: str) -> tuple[Reaction[Any], ...]:
    """The reactions that are offered at a moment, sorted by name. Call it only once all pieces are loaded."""
    known = pieces_of(Reaction)
    return tuple(known[name] for name in sorted(known) if moment in known[name].moments)
