"""Commands that look at fights and change nothing."""

from __future__ import annotations

from collections.abc import Sequence

from cli.command import shows
from cli.context import open_fight
from cli.options import ACTOR, ENCOUNTER, JSON, SEAT, argument, flag, options, read_position
from cli.render.content import print_entries
from cli.render.menu import narrowed, print_advice, print_economy, print_menu
from cli.render.terminal import present, print_json
from cli.render.text_map import print_aim
from combatlog.rules.content.reference import ReferenceEntryKind, entries_called
from combatlog.rules.engine.ruleset_types import Advice
from combatlog.view import View
from ledger.events import ResourceChanged


def actions(
    encounter: str = ENCOUNTER,
    actor: str = ACTOR,
    action: str | None = argument("Show only this action, with its options.", None),
    options: bool = flag("Show the options of each action."),
    seat: str = SEAT,
    as_json: bool = JSON,
) -> None:
    """Examples:
    combatlog actions "Bridge ambush" rurik
    combatlog actions "Bridge ambush" rurik --options
    combatlog actions "Bridge ambush" rurik strike
    """
    with open_fight(encounter) as fight:
        sections = fight.seen_by(seat).actions(actor)
        known = fight.seen_by(seat).reference(actor)
    entries = [entry for entry in known if entry.kind in (ReferenceEntryKind.ACTION, ReferenceEntryKind.REACTION)]
    if action is not None:
        entries = entries_called(entries, action)
        sections = narrowed(sections, entries[0].name)
    by_name = {entry.name: entry for entry in reversed(entries)}
    if as_json:
        print_json([section.to_json() for section in sections])
    elif action is not None and not sections:
        print_entries(entries)
    else:
        print_menu(sections, by_name, in_full=options or action is not None)


@shows(print_advice)
def advise(view: View, actor: str = ACTOR) -> Sequence[Advice]:
    """From a player's seat, the advice assumes ordinary opponents, so that it reveals nothing about them.

    Examples:
    combatlog advise "Duel at dawn" mira
    combatlog advise "Bridge ambush" rurik --as rurik
    """
    return view.advise(actor)


@shows(print_economy)
def economy(
    view: View, actor: str = ACTOR, resource: list[str] | None = options("Only this resource; repeatable.")
) -> Sequence[ResourceChanged]:
    """Example: combatlog economy "Bridge ambush" rurik --resource reaction"""
    return view.economy(actor, resource or ())


def aim(
    encounter: str = ENCOUNTER,
    actor: str = ACTOR,
    action: str = argument("Spell or other area."),
    at: str = argument("Square to aim at.", metavar="COLUMN,ROW"),
    seat: str = SEAT,
    as_json: bool = JSON,
) -> None:
    """Nothing is declared. Squares of the area are marked, and friends in it are listed first.

    Example: combatlog aim "Bridge ambush" mira fireball 7,4
    """
    place = read_position(at, "COLUMN,ROW")
    with open_fight(encounter) as fight:
        view = fight.seen_by(seat)
        found = view.aim(actor, action, place)
        present(as_json, found.to_json, lambda: print_aim(view.battle, found))
