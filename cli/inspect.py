"""Commands that look at fights and change nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.context import open_fight, open_ledger
from cli.options import ACTOR, ENCOUNTER, JSON, SEAT, argument, flag, option, options, read_position
from cli.render.terminal import present, print_json, say
from cli.send_message import shows
from projections.story.text import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from combatlog.rules.engine.ruleset_types import Advice
    from combatlog.view import View
    from ledger.events import ResourceChanged


AT = option("at", "Show the state after this event; default: now.", min=1)


def status(encounter: str = ENCOUNTER, at: int | None = AT, seat: str = SEAT, as_json: bool = JSON) -> None:
    """Examples:
    combatlog status "Bridge ambush" --at 40
    combatlog status "Bridge ambush" --as players
    """
    from cli.render.fight_state import print_state
    from combatlog.rules.engine.status import status_of

    with open_fight(encounter) as fight:
        battle = fight.seen_by(seat, at).battle
    present(as_json, lambda: status_of(battle), lambda: print_state(battle))


def list_encounters(
    limit: int = option("limit", "How many to show.", default=50, min=1, max=10_000),
    after: str | None = option("after", "Go on after this encounter, by name or id.", complete="encounters"),
    everything: bool = flag("everything", "Show all of them.", "--all"),
    archived: bool = flag("archived", "Show archived ones as well."),
    ids: bool = flag("ids", "Show ids however narrow the terminal is."),
    as_json: bool = JSON,
) -> None:
    """Examples:
    combatlog list
    combatlog list --after "Bridge ambush" --limit 200
    """
    from cli.render.text_tables import print_page
    from projections.battle.encounter_list import with_progress

    with open_ledger() as ledger:
        page = ledger.list(None if everything else limit, after, archived=archived)
        progress = ledger.progress(page)
    if as_json:
        print_json(with_progress(page, progress).to_json())
    elif not page.total:
        say("The ledger is empty. `combatlog demo` plays a short fight; `combatlog new NAME` opens one.")
    else:
        print_page(page, progress, ids=ids)


def actions(
    encounter: str = ENCOUNTER,
    actor: str = ACTOR,
    action: str | None = argument("action", "Show only this action, with its options.", None),
    options: bool = flag("options", "Show the options of each action."),
    seat: str = SEAT,
    as_json: bool = JSON,
) -> None:
    """Examples:
    combatlog actions "Bridge ambush" rurik
    combatlog actions "Bridge ambush" rurik --options
    combatlog actions "Bridge ambush" rurik strike
    """
    from cli.render.content import print_entries
    from cli.render.menu import narrowed, print_menu
    from combatlog.rules.content.reference import ReferenceEntryKind, entries_called

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


@shows("menu.print_advice")
def advise(view: View, actor: str = ACTOR) -> Sequence[Advice]:
    """From the seat of a player, opponents are taken to be ordinary: the advice tells nothing about them.

    Examples:
    combatlog advise "Duel at dawn" mira
    combatlog advise "Bridge ambush" rurik --as rurik
    """
    return view.advise(actor)


@shows("menu.print_economy")
def economy(
    view: View,
    actor: str = ACTOR,
    resource: list[str] | None = options("resource", "Only this resource; repeatable."),
) -> Sequence[ResourceChanged]:
    """Example: combatlog economy "Bridge ambush" rurik --resource reaction"""
    return view.economy(actor, resource or ())


def explain(
    encounter: str = ENCOUNTER,
    seq: int = argument("seq", "Number of the event to explain.", min=1),
    why_not: str | None = option(
        "why_not",
        "Reaction or modifier that did not count: say what kept it out.",
    ),
    seat: str = SEAT,
    as_json: bool = JSON,
) -> None:
    """Examples:
    combatlog explain "Bridge ambush" 45
    combatlog explain "Bridge ambush" 45 --why-not protection
    """
    from cli.render.fight_log import print_explanation

    with open_fight(encounter) as fight:
        if why_not is not None:
            sentences = fight.seen_by(seat).why_not(seq, why_not)
            if as_json:
                print_json(sentences)
            for sentence in [] if as_json else sentences:
                say(clean(sentence))
            return
        explanation = fight.seen_by(seat).explain(seq)
    present(as_json, explanation.to_json, lambda: print_explanation(explanation))


def aim(
    encounter: str = ENCOUNTER,
    actor: str = ACTOR,
    action: str = argument("action", "Spell or other area."),
    at: str = argument("at", "Square to aim at.", metavar="COLUMN,ROW"),
    seat: str = SEAT,
    as_json: bool = JSON,
) -> None:
    """Nothing is declared. Squares of the area are marked; friends in it are named first.

    Example: combatlog aim "Bridge ambush" mira fireball 7,4
    """
    from cli.render.text_map import print_aim

    place = read_position(at, "COLUMN,ROW")
    with open_fight(encounter) as fight:
        view = fight.seen_by(seat)
        found = view.aim(actor, action, place)
        present(as_json, found.to_json, lambda: print_aim(view.battle, found))
