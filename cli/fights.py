"""Commands that list fights, choose one, show its state, and play it in a shell."""

from __future__ import annotations

from cli.context import CommandSettings, implied_fight, open_fight, open_ledger, remember
from cli.options import ENCOUNTER, JSON, OPTIONAL_ENCOUNTER, SEAT, flag, option, options
from cli.render.terminal import present, print_json, say
from cli.render.text_tables import print_page
from projections.battle.encounter_list import with_progress


def list_encounters(
    limit: int = option("Number of encounters to show.", default=50, min=1, max=10_000),
    after: str | None = option("Continue after this encounter, by name or id.", complete="encounters"),
    everything: bool = flag("Show all of them.", "--all"),
    archived: bool = flag("Also show archived ones."),
    ids: bool = flag("Show ids even on a narrow terminal."),
    as_json: bool = JSON,
) -> None:
    """Examples:
    combatlog list
    combatlog list --after "Bridge ambush" --limit 200
    """
    with open_ledger() as ledger:
        page = ledger.list(None if everything else limit, after, archived=archived)
        progress = ledger.progress(page)
    if as_json:
        print_json(with_progress(page, progress).to_json())
    elif not page.total:
        say("The ledger is empty. `combatlog demo` plays a short fight; `combatlog new NAME` opens one.")
    else:
        print_page(page, progress, ids=ids)


def use(encounter: str | None = OPTIONAL_ENCOUNTER, clear: bool = flag("Forget it again.")) -> None:
    """The variable COMBATLOG_FIGHT overrides it for one terminal, and a fight named in a command overrides both.
    `conclude` and `label` always need the name.

    Examples:
    combatlog use "Bridge ambush"
    combatlog use --clear
    """
    if clear:
        remember(CommandSettings.where(), None)
        say("No fight is in use.")
    elif encounter is not None:
        with open_fight(encounter) as fight:
            name = fight.state().name
        remember(CommandSettings.where(), name)
        say(f"Commands that name no fight now use {name}.")
    elif (implied := implied_fight(CommandSettings.where())) is not None:
        say(f"{implied.name} ({implied.why})")
    else:
        say("No fight is in use.")


def status(
    encounter: str = ENCOUNTER,
    at: int | None = option("Show the state after this event; default: now.", min=1),
    seat: str = SEAT,
    as_json: bool = JSON,
) -> None:
    """Examples:
    combatlog status "Bridge ambush" --at 40
    combatlog status "Bridge ambush" --as players
    """
    from cli.render.fight_state import print_state
    from combatlog.rules.engine.status import status_of

    with open_fight(encounter) as fight:
        battle = fight.seen_by(seat, at).battle
    present(as_json, lambda: status_of(battle), lambda: print_state(battle))


def play(
    encounter: str = ENCOUNTER,
    own: list[str] | None = options(
        "Play only this combatant here; repeatable. Default: all of them.", "--as", metavar="COMBATANT"
    ),
) -> None:
    """Type `hit snig 15 6`, `cast bless osric mira`, `move 4,2` or any action; Enter ends the turn. `?` lists
    everything else. The shell asks for dice by name. Several people can play the same fight, each in their own shell.

    Examples:
    combatlog play "Bridge ambush"
    combatlog play "Bridge ambush" --as mira
    """
    with open_ledger() as ledger:
        from cli.play.shell import play

        play(ledger, encounter, own or ())
