"""Asking a player to choose. Every choice goes through a window, so that it is on the tape."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.engine.table import Table
from ledger.events import Offer, ReactionChosen
from projections.combatant import Combatant


def ask(
    table: Table, moment: str, player: Combatant, subject: str, refs: Sequence[str], useful: Sequence[str] = ()
) -> ReactionChosen | None:
    """Ask for one of these, or none."""
    if not refs:
        return None
    offer = Offer(reactor=player.id, reactions=tuple(dict.fromkeys(refs)), useful=tuple(useful))
    chosen = table.window(moment, subject, [offer])
    return chosen[0] if chosen else None


def choose(table: Table, moment: str, player: Combatant, subject: str, refs: Sequence[str], default: str) -> str:
    """Choose one of these. Nobody is asked if there is only one; passing takes the default."""
    if len(set(refs)) == 1:
        return refs[0]
    chosen = ask(table, moment, player, subject, refs, useful=[default])
    return chosen.reaction if chosen else default


def choose_up_to(
    table: Table, moment: str, player: Combatant, subject: str, refs: Sequence[str], limit: int
) -> list[str]:
    """Choose up to the limit: all of them if they are few enough, otherwise one by one until the player passes."""
    if len(refs) <= limit:
        return list(refs)
    chosen: list[str] = []
    while len(chosen) < limit:
        left = [ref for ref in refs if ref not in chosen]
        answer = ask(table, moment, player, subject, left, useful=left)
        if answer is None:
            break
        chosen.append(answer.reaction)
    return chosen
