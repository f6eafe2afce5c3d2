"""The command that shows who takes part in a campaign."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from cli.context import open_ledger
from cli.options import JSON, argument
from cli.render.text import print_json, say
from projections.text import clean

if TYPE_CHECKING:
    from combatlog import Member
    from ledger.events import Gauge

app = typer.Typer()


@app.command()
def roster(
    campaign: str = argument("campaign", "Campaign, as given to `new --option campaign=NAME`."), as_json: bool = JSON
) -> None:
    """Show the characters of a campaign after their last fights.

    Forks and fights that are labelled practice or archived are left out. `combatlog join --from` brings a character to
    the next fight just as it is shown here.

    Examples:
    combatlog roster Riverlands
    combatlog roster Riverlands --json
    """
    with open_ledger() as ledger:
        members = ledger.roster(campaign)
    if as_json:
        print_json([member.model_dump(mode="json") for member in members])
        return
    for member in members:
        say(_line(member))
    if not members:
        say("No character has taken part yet.")


def _line(member: Member) -> str:
    pools = [_pool(name, pool) for name, pool in (*member.vitals.items(), *member.resources.items()) if _is_shown(pool)]
    lasting = [ref.rsplit(":", 1)[1].replace("_", " ") for ref in member.conditions]
    state = ", ".join([*(["dead"] if member.dead else []), *pools, *lasting])
    return clean(f"{member.name}: {state}; last in {member.fight}")


def _is_shown(pool: Gauge) -> bool:
    """An empty pool without a limit, such as temporary hit points that nobody gave, says nothing."""
    return bool(pool.current or pool.maximum)


def _pool(name: str, pool: Gauge) -> str:
    return f"{name.replace('_', ' ')} {pool.current}" + (f"/{pool.maximum}" if pool.maximum is not None else "")
