"""Damage, defeat, strain, recovery, conditions, victory, and the aftermath of an attack: blast, cleave, conditions."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.skirmish.attack_state import AttackFlag, SkirmishAttack
from combatlog.rules.skirmish.cards import discard, open_moment, own_figures
from combatlog.rules.skirmish.library import name_of
from combatlog.rules.skirmish.pieces import PIECES, SkirmishCondition, holders
from combatlog.rules.skirmish.sheet import (
    ask,
    choose,
    figure_sheet,
    figures_in_play,
    is_in_play,
    opponent_of,
    player_of,
    players,
)
from combatlog.rules.skirmish.targeting import targets_of, touches
from combatlog.rules.skirmish.vocabulary import (
    CONDITION_WORDS,
    DECK,
    DEFEATED,
    HARMFUL,
    HEALTH,
    MOVEMENT,
    STUNNED,
    UNDENIABLE,
    VANISHED,
    VICTORY_POINTS,
    WORTH,
    Symbol,
    Timing,
    name_in,
    ref,
)
from ledger.events import CombatantLeft, Damaged, DamagePart, EncounterClosed
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

DEFEAT = ref("rule", "defeat")
STRAIN = "strain"
DISCARD_TOP = ref("choice", "discard_top_card")


def suffer(table: Table, figure: Combatant, parts: Sequence[DamagePart], source: str) -> Damaged:
    """Take damage. A figure with no health left is defeated."""
    parts = [*parts, *_averted(figure, sum(part.amount for part in parts))]
    damaged = table.damage(figure, HEALTH, sum(part.amount for part in parts), parts, source)
    if damaged.left == 0:
        with table.because_of(damaged):
            _defeat(table, figure, source)
    return damaged


def _averted(figure: Combatant, amount: int) -> list[DamagePart]:
    """The damage that does not affect a figure that cannot suffer damage or cannot be defeated."""
    if amount and figure.has(VANISHED):
        return [DamagePart(source=VANISHED, amount=-amount)]
    too_much = amount - (figure.vitals[HEALTH].current - 1)
    return [DamagePart(source=UNDENIABLE, amount=-too_much)] if too_much > 0 and figure.has(UNDENIABLE) else []


def _defeat(table: Table, figure: Combatant, source: str) -> None:
    """Remove the figure from the map and give the other player its cost in victory points."""
    battle = table.battle
    table.apply_condition(figure, DEFEATED, source=DEFEAT, owner=source)
    table.record(CombatantLeft, combatant=figure.id, why="defeated")
    loser = player_of(battle, figure)
    winner = opponent_of(battle, loser)
    open_moment(table, loser, Timing.FRIEND_DEFEATED, own_figures(battle, loser), figure)
    if cost := max(0, figure_sheet(figure).cost + _adjusted(figure)):
        table.gain(winner, VICTORY_POINTS, cost, f"{figure.id} defeated", DEFEAT)
    for piece, owner in _witnesses(battle):
        piece.on_defeat(table, owner, figure)
    open_moment(table, winner, Timing.HOSTILE_DEFEATED, own_figures(battle, winner), figure)


def _adjusted(figure: Combatant) -> int:
    """The change that cards make to the victory points for a figure."""
    held = figure.conditions.get(WORTH)
    return int(held.data.get("by", 0)) if held is not None else 0


def _witnesses(battle: Battle) -> list[tuple[SkirmishCondition, Combatant]]:
    """All conditions that may react to a defeat, including the defeated figure's own."""
    held = [(PIECES.get(name), owner) for owner in battle.combatants.values() for name in list(owner.conditions)]
    return [(piece, owner) for piece, owner in held if isinstance(piece, SkirmishCondition)]


def is_defeated(combatant: Combatant) -> bool:
    return combatant.has(DEFEATED)


def suffer_strain(table: Table, figure: Combatant, amount: int, source: str) -> None:
    """Suffer 1 damage per point, unless the player discards the top Command card instead."""
    for _ in range(amount):
        if is_in_play(figure) and not _discards_instead(table, figure):
            suffer(table, figure, [DamagePart(source=source, amount=1, damage_type=STRAIN)], figure.id)


def _discards_instead(table: Table, figure: Combatant) -> bool:
    player = player_of(table.battle, figure)
    deck = player.pile(DECK)
    if not deck:
        return False
    useful = [DISCARD_TOP] if figure.vitals[HEALTH].current == 1 else []
    chosen = ask(table, "strain", player, figure.id, [DISCARD_TOP], useful)
    if chosen is not None:
        with table.because_of(chosen):
            discard(table, player, deck[0], "instead of 1 strain", origin=DECK)
    return chosen is not None


def recover(table: Table, figure: Combatant, amount: int, why: str, source: str) -> None:
    """Regain health, up to the maximum."""
    health = figure.vitals[HEALTH]
    healed = min(amount, (health.maximum or 0) - health.current)
    if healed > 0:
        table.heal(figure, HEALTH, healed, why, source)


def suffered(figure: Combatant) -> int:
    """The damage that a figure has suffered and not recovered."""
    health = figure.vitals[HEALTH]
    return (health.maximum or 0) - health.current


def give_condition(table: Table, figure: Combatant, condition: str, source: str, owner: str) -> None:
    """Apply a condition, unless the figure has it already."""
    is_immune = figure.has(VANISHED) or (figure.has(UNDENIABLE) and condition in HARMFUL)
    if is_in_play(figure) and not figure.has(condition) and not is_immune:
        table.apply_condition(figure, condition, source=source, owner=owner)


def end_condition(table: Table, figure: Combatant, condition: str, why: str) -> None:
    if figure.has(condition):
        table.remove_condition(figure, condition, why)


def harmful_on(figure: Combatant) -> list[str]:
    return [condition for condition in HARMFUL if figure.has(condition)]


def condition_called(word: str) -> str:
    """The ref of a condition, given the library's word or its own name: `Stun` or `stunned`."""
    wanted = word.lower()
    known = {name_in(condition): condition for condition in CONDITION_WORDS.values()}
    return CONDITION_WORDS.get(wanted) or known.get(wanted) or ref("condition", wanted)


def has_enough_points(battle: Battle, player: Combatant) -> bool:
    return player.economy.left(VICTORY_POINTS) >= int(battle.encounter.options["victory"])


def victor_in(battle: Battle) -> Combatant | None:
    """The player who has won; None if the skirmish goes on."""
    for player in players(battle):
        if _faces_nobody(battle, player) or has_enough_points(battle, player):
            return player
    return None


def _faces_nobody(battle: Battle, player: Combatant) -> bool:
    return not any(figure.side != player.side for figure in figures_in_play(battle))


def victory_in(battle: Battle) -> str | None:
    """How the skirmish was won, in words; None if it goes on."""
    player = victor_in(battle)
    if player is None:
        return None
    if _faces_nobody(battle, player):
        return f"{player.id} wins: no hostile figures are left"
    return f"{player.id} wins with {player.economy.left(VICTORY_POINTS)} victory points"


def close_if_won(table: Table) -> bool:
    if table.battle.clock.closed:
        return True
    why = victory_in(table.battle)
    if why is not None:
        table.record(EncounterClosed, why=why, seed=table.revealed_seed)
    return why is not None


def resolve_after_attack(table: Table, attack: SkirmishAttack, hit: bool) -> None:
    others = [figure for figure in figures_in_play(table.battle) if figure is not attack.defender]
    near_target = [figure for figure in others if touches(table.battle, attack.space, figure)]
    suffered = suffer(table, attack.defender, attack.damage_parts(), attack.attacker.id).amount if hit else 0
    attack.hit, attack.suffered, attack.is_resolved = hit, suffered, True
    for piece, owner in list(holders(attack)):
        piece.after_attack(table, attack, owner)
    if suffered:
        _blast(table, attack, near_target)
        _cleave(table, attack)
        _apply_conditions(table, attack)
    elif hit and attack.stuns_instead:
        give_condition(
            table, attack.defender, STUNNED, attack.marks(AttackFlag.STUN_INSTEAD)[0].source, attack.attacker.id
        )
    attacker = attack.attacker
    if is_in_play(attacker):
        recover(table, attacker, attack.total(Symbol.RECOVER), "recover", attacker.id)
    if is_in_play(attacker) and attack.movement_after:
        source = attack.movement_source
        table.gain(attacker, MOVEMENT, attack.movement_after, name_of(table.battle, source), source)
    for later in attack.afterwards:
        later()


def _blast(table: Table, attack: SkirmishAttack, near_target: list[Combatant]) -> None:
    """Damage every other figure adjacent to the target's space, on either side."""
    amount = attack.total(Symbol.BLAST)
    for figure in near_target:
        if amount and is_in_play(figure):
            suffer(table, figure, [DamagePart(source=ref("result", "blast"), amount=amount)], attack.attacker.id)


def _cleave(table: Table, attack: SkirmishAttack) -> None:
    """Damage another hostile figure of the player's choice that the attacker could have targeted."""
    amount = attack.total(Symbol.CLEAVE)
    others = [figure for figure in targets_of(table.battle, attack.attacker) if figure is not attack.defender]
    if not amount or not others:
        return
    by_ref = {ref("figure", figure.id): figure for figure in others}
    player = player_of(table.battle, attack.attacker)
    chosen = choose(table, "attack.cleave", player, attack.attacker.id, list(by_ref), default=next(iter(by_ref)))
    suffer(table, by_ref[chosen], [DamagePart(source=ref("result", "cleave"), amount=amount)], attack.attacker.id)


def _apply_conditions(table: Table, attack: SkirmishAttack) -> None:
    """Give harmful conditions to the target and the others to the attacker."""
    for condition, source in attack.conditions:
        figure = attack.defender if condition in HARMFUL else attack.attacker
        give_condition(table, figure, condition, source, attack.attacker.id)
