"""Commands for corrections that the table has to agree to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli.context import ActorArg, ByOpt, CommandOpt, EncounterArg, JsonOpt, SeatOpt, open_fight
from cli.declare import show

if TYPE_CHECKING:
    from combatlog.fight import Fight

app = typer.Typer()


@app.command()
def proposal(encounter: EncounterArg, seat: SeatOpt = "gm", as_json: JsonOpt = False) -> None:
    """Show the correction that is proposed, and who has to agree.

    Only in fights that were opened with --option consent=table. There, `undo`, `redo`, `amend` and `insert` propose
    a change instead of making it.

    Examples:
    combatlog proposal "Bridge ambush"
    combatlog proposal "Bridge ambush" --as rurik
    """
    from cli.render.corrections import print_plan, print_proposal
    from cli.render.text import print_json, say
    from combatlog.documents.corrections import proposal_data

    with open_fight(encounter) as fight:
        view = fight.seen_by(seat)
        found = view.proposal()
        if as_json:
            print_json(proposal_data(view, found))
            return
        if found is not None and not view.sees_all and view.numbers.of(found.seq) is None:
            found = None
        if found is None or found.applied:
            say("No correction is proposed.", "dim")
            return
        print_plan(view.seen_plan(view.proposed_plan()))
        print_proposal(found)


@app.command()
def agree(
    encounter: EncounterArg,
    actor: ActorArg,
    no: Annotated[bool, typer.Option("--no", help="Do not agree; then nothing is changed.")] = False,
    reason: Annotated[str, typer.Option(help="Why; recorded with the answer.")] = "",
    by: ByOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Agree to the correction that is proposed, for a combatant.

    It is made once everyone who was asked agrees. If the fight has moved on and it would now change something else, it
    is proposed again.

    Examples:
    combatlog agree "Bridge ambush" rurik
    combatlog agree "Bridge ambush" mira --no --reason "it was a fair hit"
    """
    from combatlog.messages.message import message
    from combatlog.messages.requests import Consent

    with open_fight(encounter) as fight:
        said = message(Consent, who=actor, agree=not no, reason=reason, by=by)
        show(fight.send(said, command_id=command_id), as_json)
        _require_made(fight)


@app.command()
def overrule(
    encounter: EncounterArg,
    reason: Annotated[str, typer.Option("--reason", help="Why; recorded.")],
    by: Annotated[str, typer.Option("--by", help="Who overrules.")] = "gm",
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Make the proposed correction as the GM, without consent.

    Example: combatlog overrule "Bridge ambush" --reason "the rules are clear"
    """
    from combatlog.messages.message import message
    from combatlog.messages.requests import Overrule

    with open_fight(encounter) as fight:
        show(fight.send(message(Overrule, reason=reason, by=by), command_id=command_id), as_json)
        _require_made(fight)


def _require_made(fight: Fight) -> None:
    """Say why a correction that nobody stands in the way of could not be made."""
    from combatlog.consent import carry_out

    proposal = fight.seen_by().proposal()
    if proposal is not None and proposal.is_open and proposal.agreed:
        carry_out(fight.backend)
