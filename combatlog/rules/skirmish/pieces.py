"""Two registries: conditions and actions (pieces), and the properties of library entries (effects).

To add a condition or an action, write a class with the `@piece` decorator in the folder of its type. To add a
property, put a function with one of the decorators below into `effects/`. Nothing else needs to change.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, StrictBool, StrictInt, StrictStr, TypeAdapter
from typing_extensions import is_typeddict

from combatlog.rules.engine.pieces import Piece, Pieces
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.skirmish.sheet import player_of
from combatlog.rules.skirmish.vocabulary import Need, Timing
from ledger.events import Data, Until, UntilMoment
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

if TYPE_CHECKING:
    from combatlog.rules.skirmish.attack_state import SkirmishAttack
    from combatlog.rules.skirmish.play import Play, Situation


Amount = Annotated[StrictInt, Field(ge=0, le=99)]
Flag = StrictBool
Nested = dict[StrictStr, Any]
"""Properties with their values, checked like those of an entry."""
Trait = Annotated[StrictStr, Field(min_length=1, max_length=60)]


@dataclass(frozen=True, slots=True)
class Property:
    """A property of a library entry: its name and the values it can have."""

    name: str
    value: TypeAdapter[Any]
    does: str
    """What the property does, for people who read or check a library."""
    fields: frozenset[str] | None
    """The fields of the value if it is an object; None for other values."""
    nested: bool = field(default=False, kw_only=True)
    """Whether the value is an object with properties of its own, or a list of such objects."""


def _always(situation: Situation, value: Any) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class EffectProperty(Property):
    """A property that does something."""

    needs: Need
    timing: Timing
    """When a card with the effect is played, unless the entry says otherwise."""
    apply: Callable[[Play, Any], None]
    before_roll: bool = False
    """Whether the effect changes the dice pools, so that it cannot be played after the roll."""
    after_roll: bool = False
    """Whether the effect changes rolled dice, so that it cannot be played before the roll."""
    last: bool = False
    """Whether the effect builds on the entry's other effects and so comes after them."""
    with_attack: bool = False
    """Whether an action with the effect includes an attack, to which the effect applies."""
    counts_zero: bool = False
    """Whether an amount of 0 has an effect, too."""
    in_surge_step: bool = False
    """Whether the effect can still be played while surges are spent."""
    changes: Callable[[Situation, Any], bool] = _always
    """Whether the effect would make a difference for its player."""
    possible: Callable[[Situation, Any], bool] = _always
    """Whether the effect is possible here; impossible effects are not offered."""


@dataclass(frozen=True, slots=True)
class RefinementProperty(Property):
    """A property that changes the value of another or is read by it. Returning None cancels the effect."""

    of: tuple[str, ...]
    """The effects that it refines; empty for all effects of the entry."""
    refine: Callable[[Situation, Any, Any], Any]


@dataclass(frozen=True, slots=True)
class PriceProperty(Property):
    """What the figure pays for using the entry."""

    resource: str


@dataclass(frozen=True, slots=True)
class ManualProperty(Property):
    """A property that is left to people."""

    question: Callable[[Any, str], str]
    """What people are asked to do, given the property's value and the entry's label."""


PROPERTIES: dict[str, Property] = {}
"""Every property, by its name in the library."""


def _register(entry: Property) -> None:
    if entry.name in PROPERTIES:
        raise ValueError(f"the property {entry.name} is registered twice")
    PROPERTIES[entry.name] = entry


def _words(piece: Callable[..., Any]) -> str:
    """The docstring of a piece, which says what it does."""
    return " ".join((piece.__doc__ or "").split())


def _fields(value: Any) -> frozenset[str] | None:
    return frozenset(value.__annotations__) if is_typeddict(value) else None


def effect(
    name: str, value: Any, *, needs: Need, timing: Timing, **more: Any
) -> Callable[[Callable[[Play, Any], None]], Callable[[Play, Any], None]]:
    def register(apply: Callable[[Play, Any], None]) -> Callable[[Play, Any], None]:
        words = _words(apply)
        _register(EffectProperty(name, TypeAdapter(value), words, _fields(value), needs, timing, apply, **more))
        return apply

    return register


def refinement(
    name: str, value: Any, *, of: tuple[str, ...]
) -> Callable[[Callable[[Situation, Any, Any], Any]], Callable[[Situation, Any, Any], Any]]:
    def register(refine: Callable[[Situation, Any, Any], Any]) -> Callable[[Situation, Any, Any], Any]:
        words = _words(refine)
        _register(RefinementProperty(name, TypeAdapter(value), words, _fields(value), of, refine))
        return refine

    return register


def requirement(
    name: str, value: Any
) -> Callable[[Callable[[Situation, Any], bool]], Callable[[Situation, Any], bool]]:
    """A refinement of every effect of the entry: without it, none of them applies."""

    def register(holds: Callable[[Situation, Any], bool]) -> Callable[[Situation, Any], bool]:
        def refine(situation: Situation, amount: Any, wanted: Any) -> Any:
            return amount if holds(situation, wanted) else None

        words = _words(holds)
        _register(RefinementProperty(name, TypeAdapter(value), words, _fields(value), (), refine))
        return holds

    return register


def setting(name: str, value: Any, *, of: str, does: str, nested: bool = False) -> None:
    """A refinement that its effect reads itself."""
    unchanged = RefinementProperty(
        name, TypeAdapter(value), does, _fields(value), (of,), lambda play, amount, _: amount, nested=nested
    )
    _register(unchanged)


def price(name: str, value: Any, *, resource: str, does: str) -> None:
    _register(PriceProperty(name, TypeAdapter(value), does, _fields(value), resource))


def manual(name: str, value: Any, *, does: str) -> Callable[[Callable[[Any, str], str]], Callable[[Any, str], str]]:
    def register(question: Callable[[Any, str], str]) -> Callable[[Any, str], str]:
        _register(ManualProperty(name, TypeAdapter(value), does, _fields(value), question))
        return question

    return register


def load_effects() -> None:
    """Import every module of effects, in alphabetical order."""
    package = importlib.import_module("combatlog.rules.skirmish.effects")
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
        importlib.import_module(f"{package.__name__}.{module.name}")


PIECES = Pieces("combatlog.rules.skirmish", "actions", "conditions")
piece = PIECES.add


class SkirmishPiece(Piece):
    ruleset = "skirmish"


class SkirmishCondition(SkirmishPiece):
    """A temporary state of a figure or a player, and what it contributes to attacks."""

    type = "condition"

    def when_declared(self, table: Table, attack: SkirmishAttack, owner: Combatant) -> None:
        """Do what needs a player's choice when an attack with the owner is declared."""

    def protects(self, battle: Battle, owner: Combatant, attacker: Combatant) -> str | None:
        """The reason, in words, why a figure cannot attack the owner; None if it can."""
        return None

    def holds(self, battle: Battle, owner: Combatant, figure: Combatant) -> bool:
        """Whether the condition keeps a figure, the owner or another one, from leaving its space."""
        return False

    def on_defeat(self, table: Table, owner: Combatant, defeated: Combatant) -> None:
        """React to the defeat of a figure."""

    def on_card(self, play: Play, owner: Combatant) -> None:
        """React to a Command card that either player plays; held by a player."""

    def on_discard(self, table: Table, owner: Combatant, card: str) -> None:
        """React when a card of the player who holds this is discarded without being played."""

    def on_activation(self, table: Table, owner: Combatant, figure: Combatant) -> None:
        """React when a figure of the player who holds this is activated."""

    def on_pools(self, attack: SkirmishAttack, owner: Combatant) -> None:
        """Change the dice pools of an attack with the owner."""

    def on_results(self, attack: SkirmishAttack, owner: Combatant) -> None:
        """Contribute to the results of an attack with the owner."""

    def after_attack(self, table: Table, attack: SkirmishAttack, owner: Combatant) -> None:
        """Update or end the condition once the attack is resolved."""


def conditions_of(owner: Combatant) -> list[SkirmishCondition]:
    """The conditions of a combatant, as pieces."""
    held = [PIECES.get(name) for name in owner.conditions]
    return [piece for piece in held if isinstance(piece, SkirmishCondition)]


def holders(attack: SkirmishAttack) -> Iterator[tuple[SkirmishCondition, Combatant]]:
    """The conditions of the two figures in an attack and of their players."""
    figures = (attack.attacker, attack.defender)
    for owner in (*figures, *(player_of(attack.battle, figure) for figure in figures)):
        yield from ((found, owner) for found in conditions_of(owner))


UNTIL_ROUND_ENDS = Until(moment=UntilMoment.ROUND_END)


def entries(owner: Combatant, condition: str) -> list[Data]:
    held = owner.conditions.get(condition)
    return list(held.data.get("entries", ())) if held is not None else []


def hold(table: Table, owner: Combatant, condition: str, kept: list[Data], until: Until | None = None) -> None:
    """Apply a condition that holds these entries, each of which names its source."""
    table.apply_condition(
        owner, condition, source=kept[-1]["source"], owner=owner.id, until=until, data={"entries": kept}
    )


def add_entry(table: Table, owner: Combatant, condition: str, entry: Data, until: Until | None = None) -> None:
    hold(table, owner, condition, [*entries(owner, condition), entry], until)
