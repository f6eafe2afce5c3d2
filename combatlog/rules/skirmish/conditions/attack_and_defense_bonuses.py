"""What cards add to the next attacks, to a round's attacks and to the defense, and what protects a figure."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.skirmish.attack_state import ATTACK_POOL, AttackFlag, SkirmishAttack
from combatlog.rules.skirmish.board import is_large, read_space, spaces_of
from combatlog.rules.skirmish.library import name_of
from combatlog.rules.skirmish.pieces import UNTIL_ROUND_ENDS, SkirmishCondition, add_entry, entries, piece
from combatlog.rules.skirmish.sheet import is_in_play, player_of
from combatlog.rules.skirmish.targeting import spaces_between
from combatlog.rules.skirmish.vitality import recover, suffer_strain
from combatlog.rules.skirmish.vocabulary import VICTORY_POINTS, AttackColour, Symbol
from ledger.events import Data, Until, UntilMoment
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.story.phrases import counted

NEXT_ATTACKS = "skirmish:condition:next_attacks"


@piece
class NextAttacks(SkirmishCondition):
    """Held by a player: bonuses, each for a number of attacks."""

    name = "next_attacks"

    def on_pools(self, attack: SkirmishAttack, owner: Combatant) -> None:
        for bonus in self._applying(attack, owner):
            if most := bonus.get("yellow_until"):
                missing = max(0, most - len(attack.attack_pool))
                reason = name_of(attack.battle, bonus["source"])
                if missing:
                    attack.add_dice(
                        "cards", ATTACK_POOL, AttackColour.YELLOW, missing, bonus["source"], owner.id, reason
                    )

    def _applying(self, attack: SkirmishAttack, owner: Combatant) -> list[Data]:
        is_own = attack.attacker.side == owner.side
        bonuses = owner.conditions[self.ref].data.get("bonuses", ()) if is_own else ()
        return [bonus for bonus in bonuses if not (bonus.get("only_small") and is_large(attack.defender))]

    def on_results(self, attack: SkirmishAttack, owner: Combatant) -> None:
        for bonus in self._applying(attack, owner):
            source = bonus["source"]
            if bonus.get("stun_instead"):
                attack.mark(AttackFlag.STUN_INSTEAD, source, owner.id, name_of(attack.battle, source))
            if hits := bonus.get("hits"):
                attack.modify("cards", source, owner.id, name_of(attack.battle, source), Symbol.DAMAGE, hits)
            attack.conditions += [(condition, source) for condition in bonus.get("conditions", ())]
            attack.surges += [key for key in bonus.get("surges", ()) if key not in attack.surges]

    def after_attack(self, table: Table, attack: SkirmishAttack, owner: Combatant) -> None:
        if attack.attacker.side != owner.side:
            return
        for bonus in self._applying(attack, owner):
            if bonus.get("strain_per_die") and is_in_play(attack.attacker):
                added = [c.change.amount or 0 for c in attack.pool_changes if c.source == bonus["source"]]
                suffer_strain(table, attack.attacker, sum(added), bonus["source"])
        counted = [{**bonus, "left": bonus["left"] - 1} for bonus in owner.conditions[self.ref].data.get("bonuses", ())]
        left = [bonus for bonus in counted if bonus["left"] > 0]
        if left:
            _hold(table, owner, left)
        else:
            table.remove_condition(owner, self.ref, "used for the attack")


def add_attack_bonus(table: Table, player: Combatant, source: str, attacks: int, **gains: object) -> None:
    """Give the player's next attacks a bonus, for this many attacks."""
    held = player.conditions.get(NEXT_ATTACKS)
    bonus = {"source": source, "left": attacks, **gains}
    _hold(table, player, [*(held.data.get("bonuses", ()) if held else ()), bonus])


def _hold(table: Table, player: Combatant, bonuses: list[Data]) -> None:
    table.apply_condition(
        player, NEXT_ATTACKS, source=bonuses[-1]["source"], owner=player.id, data={"bonuses": bonuses}
    )


ROUND_ATTACK = "skirmish:condition:round_attack"


@piece
class RoundAttack(SkirmishCondition):
    """Held by a figure for itself, or by a player for all of its figures."""

    name = "round_attack"

    def when_declared(self, table: Table, attack: SkirmishAttack, owner: Combatant) -> None:
        for entry in _applying(attack, owner):
            if dice := entry.get("rerolls"):
                attack.rerolls[ATTACK_POOL] = attack.rerolls.get(ATTACK_POOL, 0) + dice

    def on_results(self, attack: SkirmishAttack, owner: Combatant) -> None:
        for entry in _applying(attack, owner):
            attack.surges += [key for key in entry.get("surges", ()) if key not in attack.surges]
            if "symbol" in entry:
                reason = name_of(attack.battle, entry["source"])
                attack.modify("cards", entry["source"], owner.id, reason, Symbol(entry["symbol"]), entry["amount"])


def _applying(attack: SkirmishAttack, owner: Combatant) -> list[Data]:
    is_own = owner is not attack.defender and attack.attacker.side == owner.side
    return entries(owner, ROUND_ATTACK) if is_own else []


def add_attack_symbols(table: Table, owner: Combatant, source: str, symbol: Symbol, amount: int) -> None:
    entry = {"source": source, "symbol": symbol.value, "amount": amount}
    add_entry(table, owner, ROUND_ATTACK, entry, UNTIL_ROUND_ENDS)


def add_attack_surges(table: Table, owner: Combatant, source: str, keys: Sequence[str]) -> None:
    add_entry(table, owner, ROUND_ATTACK, {"source": source, "surges": list(keys)}, UNTIL_ROUND_ENDS)


def add_attack_rerolls(table: Table, owner: Combatant, source: str, dice: int) -> None:
    add_entry(table, owner, ROUND_ATTACK, {"source": source, "rerolls": dice}, UNTIL_ROUND_ENDS)


ON_THE_HUNT = "skirmish:condition:on_the_hunt"


@piece
class OnTheHunt(SkirmishCondition):
    """The figure gains a reward when the next hostile figure is defeated in its activation."""

    name = "on_the_hunt"

    def on_defeat(self, table: Table, owner: Combatant, defeated: Combatant) -> None:
        rewards = entries(owner, self.ref)
        if not rewards:  # a ruling promised none
            return
        reward = rewards[0]
        if defeated.side == owner.side or not _is_near(table.battle, owner, defeated, reward.get("within")):
            return
        table.remove_condition(owner, self.ref, f"{defeated.id} is defeated")
        reason = name_of(table.battle, reward["source"])
        if points := reward.get("vp"):
            table.gain(player_of(table.battle, owner), VICTORY_POINTS, points, reason, reward["source"])
        recover(table, owner, reward.get("recover", 0), reason, owner.id)


def _is_near(battle: Battle, owner: Combatant, defeated: Combatant, within: int | None) -> bool:
    return within is None or (defeated.position is not None and spaces_between(battle, owner, defeated) <= within)


ROUND_DEFENSE = "skirmish:condition:round_defense"


@piece
class RoundDefense(SkirmishCondition):
    """Held by a player, for all of its figures."""

    name = "round_defense"

    def on_results(self, attack: SkirmishAttack, owner: Combatant) -> None:
        if attack.defender.side != owner.side:
            return
        for bonus in owner.conditions[self.ref].data.get("bonuses", ()):
            symbol, source = Symbol(bonus["symbol"]), bonus["source"]
            reason = name_of(attack.battle, source)
            attack.modify("cards", source, owner.id, reason, symbol, bonus["amount"])
            if symbol is Symbol.EVADE:
                attack.count_for_hit_check(source, owner.id, reason, bonus["amount"])


def add_defense_bonus(table: Table, player: Combatant, source: str, symbol: Symbol, amount: int) -> None:
    held = player.conditions.get(ROUND_DEFENSE)
    bonus = {"source": source, "symbol": symbol.value, "amount": amount}
    table.apply_condition(
        player,
        ROUND_DEFENSE,
        source=source,
        owner=player.id,
        until=Until(moment=UntilMoment.ROUND_END),
        data={"bonuses": [*(held.data.get("bonuses", ()) if held else ()), bonus]},
    )


BLOCK_PER_EVADE = "skirmish:condition:block_per_evade"


@piece
class BlockPerEvade(SkirmishCondition):
    """When it defends, the figure gains Block for each evade that its dice show, until the round ends."""

    name = "block_per_evade"

    def on_results(self, attack: SkirmishAttack, owner: Combatant) -> None:
        evades = attack.rolled(Symbol.EVADE)
        if owner is attack.defender and evades:
            for entry in entries(owner, self.ref):
                reason = f"{name_of(attack.battle, entry['source'])}: {evades} evades"
                attack.modify("cards", entry["source"], owner.id, reason, Symbol.BLOCK, entry["block"] * evades)


HARSH_ENVIRONMENT = "skirmish:condition:harsh_environment"


@piece
class HarshEnvironment(SkirmishCondition):
    """The player's figures have 1 less Evade on exterior spaces and 1 more Block on all others until the round ends."""

    name = "harsh_environment"

    def on_results(self, attack: SkirmishAttack, owner: Combatant) -> None:
        if attack.defender.side != owner.side:
            return
        source = owner.conditions[self.ref].source
        outside = [read_space(text) for text in attack.battle.encounter.options.get("exterior") or ()]
        is_outside = any(space in outside for space in spaces_of(attack.defender))
        symbol, amount = (Symbol.EVADE, -1) if is_outside else (Symbol.BLOCK, 1)
        attack.modify("cards", source, attack.defender.id, name_of(attack.battle, source), symbol, amount)


OUT_OF_SIGHT = "skirmish:condition:out_of_sight"


@piece
class OutOfSight(SkirmishCondition):
    """The figure can only be attacked from nearby until the round ends."""

    name = "out_of_sight"

    def protects(self, battle: Battle, owner: Combatant, attacker: Combatant) -> str | None:
        from combatlog.rules.skirmish.targeting import spaces_between

        spaces = owner.conditions[self.ref].data.get("spaces")
        if spaces is None or spaces_between(battle, attacker, owner) <= spaces:
            return None
        return f"{owner.id} can only be attacked from within {counted(spaces, 'space')} until the round ends"


RECOVERED = 2


@piece
class Undeniable(SkirmishCondition):
    """The figure keeps at least 1 health and gets no harmful condition until a hostile figure is defeated."""

    name = "undeniable"

    def on_defeat(self, table: Table, owner: Combatant, defeated: Combatant) -> None:
        if defeated.side != owner.side:
            source = owner.conditions[self.ref].source
            table.remove_condition(owner, self.ref, f"{defeated.id} is defeated")
            recover(table, owner, RECOVERED, name_of(table.battle, source), source)
