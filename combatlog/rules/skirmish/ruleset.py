"""The skirmish ruleset: it answers the engine's questions from its pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from combatlog.rules.autoplay.player import ranked_advice
from combatlog.rules.engine.commands import GM, Declaration
from combatlog.rules.engine.options_and_validation import DeclaredParts, Signature
from combatlog.rules.engine.pieces import what_it_does
from combatlog.rules.engine.refusal import Refusal, suggest, unknown
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.ruleset import Enlistment, Recruit, Ruleset, known_pool
from combatlog.rules.engine.ruleset_types import Advice, ChoiceSection, PackSection, Price
from combatlog.rules.engine.summary import CombatantSummary
from combatlog.rules.skirmish import menu_and_summary, turns
from combatlog.rules.skirmish.actions.activate import SkirmishActivity
from combatlog.rules.skirmish.cards import obstacles
from combatlog.rules.skirmish.library_checks import SkirmishLibrary, require_sound, require_sound_card
from combatlog.rules.skirmish.menu_and_summary import ABOUT as ANSWER_TYPES
from combatlog.rules.skirmish.menu_and_summary import about, choosable, landmarks, library_refs, prices_of, summarize
from combatlog.rules.skirmish.pieces import PIECES, SkirmishCondition, load_effects
from combatlog.rules.skirmish.setup import LIBRARY, SkirmishOptions, require_room, settled_library, with_packs
from combatlog.rules.skirmish.sheet import figures_in_play, is_in_play, players, read_sheet, shipped_sheets
from combatlog.rules.skirmish.turns import may_activate
from combatlog.rules.skirmish.vitality import (
    STRAIN,
    close_if_won,
    condition_called,
    has_enough_points,
    is_defeated,
    recover,
    suffer,
    suffer_strain,
    victor_in,
)
from combatlog.rules.skirmish.vocabulary import name_in, ref, slug
from ledger.events import Controller, DamagePart, Data, Declared, Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

if TYPE_CHECKING:
    from combatlog.rules.autoplay.option import Option
    from combatlog.rules.autoplay.scoring import Metrics


class Skirmish(Ruleset):
    name = "skirmish"
    version = "4"
    encounter_options = SkirmishOptions

    def settle(self, options: Data) -> Data:
        rest = {name: value for name, value in options.items() if name != LIBRARY}
        return {**super().settle(rest), LIBRARY: settled_library(options.get(LIBRARY))}

    def equip(self, options: Data, packs: Sequence[Mapping[str, Data]]) -> Data:
        return with_packs(options, packs)

    def pack_sections(self) -> Sequence[PackSection]:
        """Both sections become part of the encounter's library, to which sheets refer by id."""
        return (
            PackSection("abilities", "entries of the ability library", require_sound, {}, True),
            PackSection("cards", "entries of the ability library that are Command cards", require_sound_card, {}, True),
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
        return PIECES.refs(SkirmishActivity)

    def reaction_refs(self) -> dict[str, str]:
        """The refs of the shipped library; in a battle, there are more."""
        return {name_in(reference): reference for reference in reversed(list(library_refs(None)))}

    def reaction_ref(self, name: str, battle: Battle | None = None) -> str:
        """Look up a ref, `type:name` or name. Current offers come first, then cards, then the rest."""
        kind, _, rest = name.removeprefix("skirmish:").partition(":")
        if rest and slug(kind) in ANSWER_TYPES:
            return ref(slug(kind), rest)
        wanted = slug(name)
        offered = battle.window.waiting if battle is not None and battle.window is not None else None
        known: dict[str, str] = {}
        for reference in [*(offered.reactions if offered else ()), *choosable(battle)]:
            known.setdefault(name_in(reference), reference)
        if wanted in known:
            return known[wanted]
        raise Refusal(
            "declaration/unknown-reaction",
            f"{name!r} cannot be chosen here; name a card, a surge ability, a token or a figure.",
            reaction=name,
            available=[name_in(reference) for reference in offered.reactions] if offered else [],
            suggestions=suggest(wanted, known),
        )

    def policy_name(self, reaction: str) -> str:
        """Any name is allowed, because the choices depend on who is in the battle when the policy applies."""
        return reaction

    def signature(self, action: str, actor: Combatant | None = None) -> Signature | None:
        activity = PIECES.get(action)
        return activity.signature if isinstance(activity, SkirmishActivity) else None

    def reaction_signature(self, reaction: str) -> Signature:
        """The signature of a choice in a window, which takes no options."""
        return Signature(about=about(reaction))

    def reaction_prices(self, battle: Battle, reactor: Combatant, reaction: str) -> list[Price]:
        return prices_of(battle, reactor, reaction)

    def check_said(self, battle: Battle, action: str, said: DeclaredParts) -> None:
        actor, activity = battle.combatants.get(said.actor), PIECES[action]
        assert isinstance(activity, SkirmishActivity)
        if actor is not None:
            activity.check_said(battle, actor, said)

    def condition_ref(self, name: str) -> str:
        return PIECES.find(SkirmishCondition, name_in(condition_called(name)), "rule/unknown-condition").ref

    def condition_names(self) -> list[str]:
        return sorted(PIECES.of(SkirmishCondition))

    def condition_about(self, name: str) -> str | None:
        condition = PIECES.of(SkirmishCondition).get(name)
        return what_it_does(condition) if condition is not None else None

    def obstacles(self, before: Battle, declared: Declared, name: str) -> list[str]:
        return obstacles(before, declared, name)

    def to_act(self, battle: Battle) -> list[Combatant]:
        """The active figure; between activations, the figures that can be activated."""
        if not battle.clock.started or battle.clock.closed:
            return []
        return super().to_act(battle) or may_activate(battle)

    def options(self, battle: Battle, actor: Combatant) -> Sequence[Option]:
        from combatlog.rules.skirmish.autoplay.options import options_of

        return options_of(battle, actor)

    def metrics(self) -> Metrics:
        from combatlog.rules.skirmish.autoplay.metrics import METRICS

        return METRICS

    def advise(self, battle: Battle, actor: Combatant) -> list[Advice]:
        return ranked_advice(self, battle, actor)

    def in_the_fight(self, battle: Battle) -> list[Combatant]:
        """The figures on the map; once a player has enough victory points, only that player's."""
        figures = figures_in_play(battle)
        winners = [player.side for player in players(battle) if has_enough_points(battle, player)]
        return [figure for figure in figures if not winners or figure.side in winners]

    def moving(self, battle: Battle, actor: Combatant, to: Position) -> Sequence[Declaration]:
        """Walk with the movement points that are left, or else move with an action."""
        return [Declaration(actor=actor.id, action=action, destination=to) for action in ("walk", "move")]

    def glance(self, battle: Battle, combatant: Combatant) -> CombatantSummary:
        return summarize(battle, combatant)

    def landmarks(self, battle: Battle) -> dict[Position, str]:
        return landmarks(battle)

    def is_dead(self, combatant: Combatant) -> bool:
        return is_defeated(combatant)

    def winner(self, battle: Battle) -> str | None:
        """The side that won, by victory points or by defeating all hostile figures; None before the start."""
        player = victor_in(battle) if battle.clock.started else None
        return player.side if player is not None else None

    def place(self, battle: Battle, position: Position, who: Recruit | Combatant) -> None:
        require_room(battle, position, who)

    def menu(self, battle: Battle, actor: Combatant) -> list[ChoiceSection]:
        return menu_and_summary.menu(battle, actor)

    def start(self, table: Table) -> None:
        turns.start(table)

    def end_turn(self, table: Table, combatant: Combatant) -> None:
        turns.end_turn(table, combatant)

    def resolve(self, table: Table, declared: Declared) -> None:
        actor = table.combatant(declared.actor)
        activity = PIECES[declared.action]
        assert isinstance(activity, SkirmishActivity)
        activity.declare(table, actor, declared)
        if not close_if_won(table):
            self._go_on_without_the_defeated(table)

    def damage_types(self) -> Sequence[str]:
        return (STRAIN,)

    def hurt(self, table: Table, target: Combatant, amount: int, kind: str | None) -> None:
        _check_in_play(target, "hurt")
        if kind == STRAIN:
            suffer_strain(table, target, amount, SURROUNDINGS)
        elif kind is not None:
            raise unknown(
                "damage/unknown-type",
                f"There is no damage type {kind!r}; use {STRAIN}, or omit it.",
                kind,
                [STRAIN],
            )
        else:
            suffer(table, target, [DamagePart(source=SURROUNDINGS, amount=amount)], GM)

    def after_hurting(self, table: Table) -> None:
        if table.battle.clock.started and not close_if_won(table):
            self._go_on_without_the_defeated(table)

    def heal(self, table: Table, target: Combatant, amount: int, pool: str | None, why: str) -> None:
        _check_in_play(target, "heal")
        known_pool(target, pool)
        recover(table, target, amount, why, GM)

    def _go_on_without_the_defeated(self, table: Table) -> None:
        """End the activation of a defeated figure, or a round in which no figure is left to activate."""
        turn = table.battle.clock.turn
        if turn is not None and not is_in_play(table.battle.combatants[turn]):
            turns.end_turn(table, table.battle.combatants[turn])
        elif turns.is_round_over(table.battle):
            turns.end_round(table)


SURROUNDINGS = ref("situation", "surroundings")
"""The source of damage that no figure deals."""


def _check_in_play(target: Combatant, what: str) -> None:
    if not is_in_play(target):
        sentence = f"{target.id} is not a figure in play; name one that is."
        raise Refusal(f"{what}/not-in-play", sentence, who=target.id)


PIECES.load()
load_effects()
RULESET = Skirmish()
