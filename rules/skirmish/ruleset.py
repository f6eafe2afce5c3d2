"""The skirmish ruleset: what the engine asks of it, answered by its pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ledger.events import Controller, Data, Declared
from projections.battle import Battle
from projections.combatant import Combatant
from rules.engine.refusal import Refusal
from rules.engine.ruleset import Enlistment, PackSection, Recruit, Ruleset, Section
from rules.engine.table import Table
from rules.skirmish import absence, menu, options, turns
from rules.skirmish.activity import Activity
from rules.skirmish.checking import check_card, check_entry
from rules.skirmish.dice import DICE
from rules.skirmish.library import library_from, library_of, shipped_library
from rules.skirmish.listing import SkirmishLibrary
from rules.skirmish.pieces import PIECES, Condition
from rules.skirmish.registry import load_effects
from rules.skirmish.sheet import figure_sheet, is_in_play, is_player, read_sheet, shipped_sheets
from rules.skirmish.tokens import FOR_ATTACKER, FOR_DEFENDER, TokenKind
from rules.skirmish.vitality import DISCARD_TOP, close_if_won, condition_called
from rules.skirmish.words import CONDITION_WORDS, name_in, ref, slug


class Skirmish(Ruleset):
    name = "skirmish"
    version = "1"

    def settle(self, options_given: Data) -> Data:
        return options.settle(options_given)

    def equip(self, options_given: Data, packs: Sequence[Mapping[str, Data]]) -> Data:
        return options.with_packs(options_given, packs)

    def pack_sections(self) -> Sequence[PackSection]:
        """They belong to the library, which is settled when an encounter opens; sheets name them by id."""
        return (
            PackSection("abilities", "entries of the library (`combatlog abilities list`)", check_entry, {}, True),
            PackSection("cards", "entries of the library that are Command cards", check_card, {}, True),
        )

    @property
    def library(self) -> SkirmishLibrary:
        return SkirmishLibrary()

    def sheets(self) -> dict[str, Data]:
        return shipped_sheets()

    def recruit(self, enlistment: Enlistment) -> Recruit:
        sheet = read_sheet({**enlistment.sheet, **enlistment.overrides})
        return Recruit(
            name=sheet.name,
            controller=Controller.PLAYER,
            sheet=sheet.model_dump(mode="json", exclude_defaults=True),
            vitals=sheet.vitals(),
            resources=sheet.resources(),
        )

    def action_refs(self, actor: Combatant | None = None) -> dict[str, str]:
        return PIECES.refs(Activity)

    def reaction_refs(self) -> dict[str, str]:
        """What the shipped library offers; in a battle there is more to choose from."""
        return {name_in(reference): reference for reference in reversed(list(_library_refs(None)))}

    def reaction_ref(self, name: str, battle: Battle | None = None) -> str:
        """By ref, by `type:name`, or by name: what is offered now comes first, then cards, then the rest."""
        if ":" in name:
            kind, _, rest = name.removeprefix("skirmish:").partition(":")
            return ref(slug(kind), rest)
        wanted = slug(name)
        offered = battle.window.waiting if battle is not None and battle.window is not None else None
        for reference in [*(offered.reactions if offered else ()), *_choices(battle)]:
            if wanted == name_in(reference):
                return reference
        raise Refusal(
            "declaration/unknown-reaction",
            f"There is no {name!r} to choose here; name a card, a surge ability, a token or a figure.",
        )

    def condition_ref(self, name: str) -> str:
        return PIECES.find(Condition, name_in(condition_called(name)), "rule/unknown-condition").ref

    def condition_names(self) -> list[str]:
        return sorted(PIECES.of(Condition))

    def obstacles(self, before: Battle, declared: Declared, name: str) -> list[str]:
        return absence.obstacles(before, declared, name)

    def menu(self, battle: Battle, actor: Combatant) -> list[Section]:
        return menu.menu(battle, actor)

    def start(self, table: Table) -> None:
        turns.start(table)

    def end_turn(self, table: Table, combatant: Combatant) -> None:
        turns.end_turn(table, combatant)

    def resolve(self, table: Table, declared: Declared) -> None:
        actor = table.combatant(declared.actor)
        activity = PIECES[declared.action]
        assert isinstance(activity, Activity)
        activity.declare(table, actor, declared)
        if not close_if_won(table):
            self._go_on_without_the_defeated(table)

    def _go_on_without_the_defeated(self, table: Table) -> None:
        """A figure that is defeated has nothing left to do in its activation, or in the round."""
        turn = table.battle.clock.turn
        if turn is not None and not is_in_play(table.battle.combatants[turn]):
            turns.end_turn(table, table.battle.combatants[turn])
        elif turns.is_round_over(table.battle):
            turns.end_round(table)


def _library_refs(battle: Battle | None) -> Iterator[str]:
    library = library_of(battle) if battle is not None else library_from(shipped_library())
    abilities = sorted(library.abilities.values(), key=lambda ability: ability.type != "ccEffect")
    yield from (ability.ref for ability in abilities)


def _choices(battle: Battle | None) -> Iterator[str]:
    """Everything that somebody may be asked to choose."""
    yield from _library_refs(battle)
    if battle is not None:
        yield from _in_battle(battle)
    yield DISCARD_TOP
    yield from (ref("token", kind) for kind in TokenKind)
    yield from (ref("token", f"wild_as_{kind}") for kind in FOR_ATTACKER + FOR_DEFENDER)
    yield from CONDITION_WORDS.values()
    yield from (ref("die", colour) for colour in DICE)


def _in_battle(battle: Battle) -> Iterator[str]:
    for combatant in battle.combatants.values():
        if not is_player(combatant):
            yield ref("figure", combatant.id)
            sheet = figure_sheet(combatant)
            yield from (ref("surge", key) for key in sheet.surges)
            dice = (("attack", sheet.attack), ("defense", sheet.defense))
            yield from (ref("die", f"{p}_{n}_{c}") for p, pool in dice for n, c in enumerate(pool, start=1))


PIECES.load()
load_effects()
RULESET = Skirmish()
