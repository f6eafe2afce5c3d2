"""The command `combatlog`: every command with the function that carries it out, which is imported when it is used."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from inspect import getdoc
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple

import typer
from typer.core import TyperGroup
from typer.main import get_command_from_info
from typer.models import CommandInfo

from cli.command import CliCommand
from cli.context import CommandSettings
from cli.options import flag, option, with_names
from cli.service_login import chosen, notice_when_completing
from ledger.errors import Problem
from ledger.garbage_collection import collect_less_often

Commands = dict[str, tuple[str, str]]
"""By name: the function, as `module.function` below `cli`, and the first line of the help. A group has no function."""

SECTIONS: dict[str, Commands] = {
    "At the table": {
        "play": ("fights.play", "Play a fight in a shell that knows whose turn it is."),
        "use": ("fights.use", "Choose the fight that commands use when they name none."),
        "hit": ("declare.hit", "Make the obvious attack for the combatant whose turn it is."),
        "cast": ("declare.cast", "Cast a spell for the combatant whose turn it is."),
        "move": ("declare.move", "Move the combatant whose turn it is."),
        "hurt": ("gm.hurt", "Deal damage as the GM, by the rules."),
        "heal": ("gm.heal", "Heal as the GM, by the rules."),
    },
    "Play": {
        "new": ("declare.new", "Open an encounter."),
        "join": ("declare.join", "Add a combatant, or several of a kind."),
        "start": ("declare.start", "Start the fight: initiative, the first round, the first turn."),
        "do": ("declare.do", "Declare an action."),
        "react": ("declare.react", "Use an offered reaction, or pass; the fight goes on."),
        "time-up": ("declare.time_up", "Go on when a reaction was not answered in time."),
        "end-turn": ("declare.end_turn", "End a combatant's turn; the next one begins."),
        "rule": ("gm.rule", "Overrule the rules: change a combatant or the map."),
        "initiative": ("gm.initiative", "Set or correct the initiative of combatants."),
        "reactions": ("gm.reactions", "Change when a combatant uses its reactions."),
        "roll": ("gm.roll", "Roll dice for something that the rules do not ask for."),
        "note": ("gm.note", "Add a note to the log, for everyone or for the GM alone."),
        "reveal": ("gm.reveal", "Let the players see combatants that joined with --hidden."),
        "conceal": ("gm.conceal", "Hide combatants, and what they do, from the players."),
        "leave": ("declare.leave", "Take a combatant out of the fight."),
        "conclude": ("declare.conclude", "Conclude an encounter; nothing more can be declared in it."),
        "rest": ("", "Rest between fights: hit points, slots and uses come back."),
        "label": ("gm.label", "Label a fight, even one that is closed."),
    },
    "Look": {
        "status": ("fights.status", "Show the state of a fight, now or after any event."),
        "actions": ("inspect.actions", "Show what a combatant can do now, and why not the rest."),
        "aim": ("inspect.aim", "Show on the map which combatants an area would affect."),
        "reference": ("content.reference", "Look up what an action, spell, reaction or message takes."),
        "advise": ("inspect.advise", "Recommend what a combatant should do now, and why."),
        "log": ("history.log", "Show what happened: one line per declaration, or every event."),
        "explain": ("history.explain", "Explain an event, with every modifier and every die."),
        "replay": ("history.replay", "Step through a fight, forwards and backwards."),
        "watch": ("history.watch", "Follow a fight live on a second screen."),
        "economy": ("inspect.economy", "Show every change of a combatant's resources, and why."),
        "difficulty": ("analyse.difficulty", "Rate how hard a fight is for the characters."),
        "list": ("fights.list_encounters", "List the encounters in the ledger, newest first."),
        "roster": ("analyse.roster", "Show the characters of a campaign after their last fights."),
        "creatures": ("", "Browse creatures and show their stat blocks."),
        "schema": ("content.schema", "Describe what commands print with --json, as JSON Schema."),
    },
    "Correct": {
        "undo": ("correct.undo", "Take back a declaration, showing the plan first."),
        "redo": ("correct.redo", "Take back the last correction."),
        "amend": ("correct.amend", "Correct a target, a forgotten modifier or a misread die."),
        "insert": ("correct.insert", "Insert a forgotten declaration at an earlier point."),
        "proposal": ("correct.proposal", "Show the correction that is proposed, and who has to agree."),
        "agree": ("correct.agree", "Agree to the correction that is proposed, for a combatant."),
        "overrule": ("correct.overrule", "Make the proposed correction as the GM, without consent."),
        "corrections": ("correct.corrections", "List corrections: who made them, when, why, and what changed."),
        "fork": ("correct.fork", "Open a new encounter that shares the past of another."),
        "diff": ("correct.diff", "Compare two encounters, or two moments of one."),
    },
    "Play automatically": {
        "auto": ("autoplay.auto", "Play a side automatically, with the reason for each choice."),
        "simulate": ("autoplay.simulate", "Play a fight many times and sum up who wins."),
        "run": ("autoplay.run", "Play a scenario file and check what it expects."),
        "demo": ("autoplay.demo", "Play a short scripted fight, and say what to type next."),
    },
    "Analyse": {
        "report": ("analyse.report", "Report on a fight or a campaign on one page."),
        "stats": ("analyse.stats", "Compute statistics of a fight, a campaign or all fights."),
        "sql": ("analyse.sql", "Query the read models in SQL, with a role that can only read."),
        "projections": ("", "Manage the read models behind the statistics."),
        "lake": ("", "Write and read a lake: events and facts as Parquet files."),
        "export": ("exchange.export", "Write fights to files for ledgers, analysis or people."),
        "import": ("exchange.import_file", "Import fights from another ledger, all or nothing."),
        "import-log": ("exchange.import_log", "Import fights that another tool recorded."),
    },
    "Share the table": {
        "serve": ("sharing.serve", "Let people, bots and tools take part over HTTP."),
        "seat": ("sharing.seat", "Give someone a seat, list the seats, or revoke one."),
        "dice": ("", "Dice that host and players decide together: --dice shared."),
        "webhook": ("sharing.webhook", "Send what happens in a fight to an address."),
        "login": ("service_login.login", "Save the token of your seat at a service, for --server."),
        "logout": ("service_login.logout", "Delete the saved token of your seat at a service."),
    },
    "Guard the record": {
        "verify": ("verify.verify", "Check that fights are as they were recorded."),
        "seal": ("verify.seal", "Sign an encounter as it is now."),
        "db": ("", "Manage the database: status, start and stop, backup, upgrade."),
    },
    "Add content": {
        "pack": ("", "Check packs of your own, and import creatures of others."),
        "abilities": ("", "Look up abilities of the skirmish library."),
    },
}
"""As `combatlog --help` lists them."""

GROUPS: dict[str, Commands] = {
    "projections": {
        "status": ("read_models_and_lakes.show_read_models", "Show how far the read models are, and what is in them."),
        "run": ("read_models_and_lakes.follow", "Keep the read models current until stopped with Ctrl-C."),
        "rebuild": ("read_models_and_lakes.rebuild", "Rebuild the read models from the ledger."),
    },
    "lake": {
        "write": ("read_models_and_lakes.write_lake", "Write what is new in the ledger to a lake."),
        "compact": ("read_models_and_lakes.compact_lake", "Merge the small files of a lake."),
        "verify": ("read_models_and_lakes.verify_lake", "Check that the fights in a lake are as they were recorded."),
        "status": ("read_models_and_lakes.show_lake", "Show how far a lake is, and what is in it."),
    },
    "dice": {
        "sit": ("sharing.sit", "Join the shared dice as a player, with a new chain of secrets."),
        "link": ("sharing.link", "Reveal the link that a roll waits for."),
        "show": ("sharing.show", "Show who has joined the shared dice, and which roll waits for a link."),
        "chain": ("sharing.chain", "Make a chain for playing over HTTP."),
    },
    "db": {
        "status": ("database.status", "Show which database is used, and what is in it."),
        "start": ("database.start", "Start the embedded database."),
        "stop": ("database.stop", "Stop the embedded database; nothing recorded is lost."),
        "path": ("database.path", "Print the folder of the embedded database."),
        "roles": ("database.print_roles", "Print or run the SQL for roles with limited rights."),
        "upgrade": ("database.upgrade", "Upgrade the tables of an older ledger, all or nothing."),
        "distribute": ("database.distribute", "Spread a ledger over the nodes of a Citus cluster."),
        "backup": ("database.backup", "Write every event, verified, to a file that only you can read."),
        "restore": ("database.restore", "Restore a backup into an empty ledger."),
    },
    "abilities": {
        "list": ("content.list_abilities", "List abilities, and how much of each the engine carries out."),
        "show": ("content.show_ability", "Show an ability, and what the engine does with each of its parts."),
        "check": ("content.check_library", "Check a library file."),
    },
    "pack": {
        "check": ("content.check_pack", "Check packs, and list everything wrong with them."),
        "import": ("content.import_", "Convert creatures and heroes of other tools into a pack."),
        "archetypes": ("content.archetypes", "Show what the entries of a pack can be, and their options."),
    },
    "creatures": {
        "list": ("content.list_creatures", "List creatures by challenge rating; `list` can be left out."),
        "show": ("content.show_creature", "Show a creature's stat block."),
    },
    "rest": {
        "short": ("gm.short", "Take a short rest, in a fight that is over or has not started."),
        "long": ("gm.long", "Take a long rest, in a fight that is over or has not started."),
    },
}
"""The commands of each group."""

OLD_COMMANDS = {"close": "conclude"}
"""Names from before release 0.2, understood until 0.3."""


class LoadedOnDemand(Mapping[str, Any]):
    """The commands of a group. Looking one up imports the module of its function."""

    def __init__(self, known: Commands) -> None:
        self._known = known
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            function, summary = self._known[name]
            self._loaded[name] = _command(name, function, summary) if function else _group(name, summary)
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def _command(name: str, function: str, summary: str) -> Any:
    module, _, attribute = function.rpartition(".")
    callback = with_names(getattr(import_module(f"cli.{module}"), attribute))
    info = CommandInfo(name, cls=CliCommand, callback=callback, help=f"{summary}\n\n{getdoc(callback)}")
    return get_command_from_info(info, pretty_exceptions_short=False, rich_markup_mode=None)


def _group(name: str, summary: str) -> Any:
    kind = ListByDefault if name == "creatures" else CliGroup
    return kind(name=name, help=summary, no_args_is_help=True, rich_markup_mode=None)


class Offered(NamedTuple):
    """A completion of a command's name, with the attributes of click's CompletionItem."""

    value: str
    help: str
    type: str = "plain"


class CliGroup(TyperGroup):
    """A group of commands. The table says what each does, so that the help and completion import none of them."""

    def __init__(self, *, name: str, **how: Any) -> None:
        self.sections = {"Commands": GROUPS[name]} if name in GROUPS else SECTIONS
        self.summaries = {name: about for known in self.sections.values() for name, (_, about) in known.items()}
        table = {name: entry for known in self.sections.values() for name, entry in known.items()}
        super().__init__(name=name, **how)
        self.commands = LoadedOnDemand(table)  # type: ignore[assignment]

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.summaries)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        now = OLD_COMMANDS.get(args[0]) if args else None
        if now in self.summaries and args[0] not in self.summaries:
            typer.echo(f"`{args[0]}` is now called `{now}`.", err=True)
            args = [now, *args[1:]]
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        CliCommand.format_options(self, ctx, formatter)  # type: ignore[arg-type]
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        widest = max(map(len, self.summaries))
        for title, known in self.sections.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(widest), about) for name, (_, about) in known.items()])

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        begun = [Offered(name, about) for name, about in self.summaries.items() if name.startswith(incomplete)]
        return [*begun, *super(TyperGroup, self).shell_complete(ctx, incomplete)]


class ListByDefault(CliGroup):
    """`creatures dragon` is short for `creatures list dragon`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        is_named = bool(args) and (args[0] in self.summaries or args[0] == "--help")
        return super().parse_args(ctx, args if is_named else ["list", *args])


COMPLETING = "_COMBATLOG_COMPLETE"
"""Set by the shell when it asks for completions."""

app = typer.Typer(
    name="combatlog",
    cls=CliGroup,
    help="Combat Ledger records every declaration, modifier, die and reaction of a fight.",
    epilog="New here? `combatlog demo` plays a short fight and shows what to type next.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"combatlog {version('combatlog')}")
        raise typer.Exit


@app.callback()
@with_names
def settings(
    database_url: str | None = option(
        "URL of a PostgreSQL server; default: COMBATLOG_DATABASE_URL, or the embedded server.", "--database"
    ),
    server: str | None = option(
        "URL of a service, or the link of an invitation; default: COMBATLOG_SERVER, or no service."
    ),
    token: str | None = option(
        "Token of a seat there; default: COMBATLOG_TOKEN, or what `combatlog login` keeps. "
        "Others on this machine can read what you type here."
    ),
    token_file: Path | None = option("File that holds the token and nothing else."),
    version: bool = flag("Print the version.", callback=_version, is_eager=True),
) -> None:
    CommandSettings.database = database_url
    CommandSettings.replica = None
    CommandSettings.server = chosen(server, token, token_file, database_url)


@cache
def commands() -> Any:
    """The root group. Building it takes typer a while, so a process does it once."""
    return typer.main.get_command(app)


def _check_arguments(arguments: list[str]) -> None:
    """Refuse bytes that are not text, which would otherwise fail in the database driver."""
    for argument in arguments:
        try:
            argument.encode("utf-8")
        except UnicodeEncodeError as error:
            raise Problem("input/not-text", "An argument is not UTF-8 text; check the terminal's encoding.") from error


def _never_fail_to_write() -> None:
    """Print the number of a character that the terminal cannot show."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def main() -> None:
    """Exit status: 0 done, 1 refused, 2 usage."""
    collect_less_often()
    _never_fail_to_write()
    try:
        _check_arguments(sys.argv)
        if COMPLETING in os.environ:
            notice_when_completing()
        if os.environ.get(COMPLETING) == "complete_bash":
            from cli.completion import complete_in_bash

            complete_in_bash(commands())
        else:
            commands()()
    except Problem as problem:
        from cli.render.problem_hints import REFUSED, report

        report(problem, {})
        sys.exit(REFUSED)
    except BrokenPipeError:
        # The reader of our output has exited, as `head` does; nothing is wrong.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


if __name__ == "__main__":
    main()
