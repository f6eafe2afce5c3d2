"""What every command does beside its work: it shows readable help, and reports what is refused."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from cli.context import CommandSettings, say_implied, with_implied_fight
from cli.service_login import check_possible
from ledger.errors import Problem

_AS_IT_IS = "\b\n"
"""A paragraph that begins so is not filled up to lines of the same length."""

_METAVARS = {
    "actor": "COMBATANT",
    "reactor": "COMBATANT",
    "subject": "COMBATANT",
    "target": "COMBATANT",
    "owner": "COMBATANT",
    "to": "COLUMN,ROW",
    "at": "COLUMN,ROW",
    "weapon": "WEAPON",
    "dice": "FACES",
    "option": "NAME=VALUE",
    "overrides": "NAME=VALUE",
    "values": "NAME=NUMBER",
    "face": "SEQ=FACES",
    "reply": "ANSWER",
    "remove": "CONDITION",
    "labels": "LABEL",
    "pack": "FOLDER",
    "folder": "FOLDER",
    "database_url": "URL",
    "server": "URL",
    "url": "URL",
    "command_id": "UUID",
    "since": "YYYY-MM-DD",
    "until": "YYYY-MM-DD",
}
"""What stands for a value in help texts, by parameter; for others it goes by their type."""

_NUMBERS = ("int", "float")
_LABEL = re.compile(r"((?:--?[\w-]+(?:, | / )?)+)(?: <?(.*?)>?)?")
"""An option as typer shows it: its names, and the Python type of its value."""
_BOUNDS = re.compile(r"([\d.]+)<=x<=([\d.]+)")
_LOWER_BOUND = re.compile(r"; x>=[\d.]+|\s*\[x>=[\d.]+\]|x>=[\d.]+; ")


class CliCommand(TyperCommand):
    """A command whose help shows values as people write them, where typer would show Python's types."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return ["[OPTIONS]", *(_in_usage(param) for param in self.params if _is_argument(param))]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        _show_defaults_of_message(self)
        for title, wanted in (("Arguments", True), ("Options", False)):
            shown = [param for param in self.get_params(ctx) if _is_argument(param) is wanted]
            records = [(param, param.get_help_record(ctx)) for param in shown]
            rows = [(_label(param, record[0]), _about(record[1])) for param, record in records if record]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Show examples one below the other, unbroken, so that they can be copied."""
        about, title, examples = re.split(r"(Examples?:\s)", (self.help or "") + "Example: ", maxsplit=1)[:3]
        lines = [line.strip() for line in examples.removesuffix("Example: ").splitlines() if line.strip()]
        if lines and not about.endswith(_AS_IT_IS):  # as it does once they have been shown
            self.help = about + _AS_IT_IS + title.strip() + "\n" + "".join(f"  {line}\n" for line in lines)
        super().format_help_text(ctx, formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Say what somebody may have meant by a value that is not among the choices."""
        try:
            return super().parse_args(ctx, with_implied_fight(self, ctx, _renamed(self, args)))
        except typer.BadParameter as wrong:
            wrong.message = wrong.message.removeprefix("Value error, ")
            if meant := _meant(wrong, args):
                wrong.message += f" Did you mean {' or '.join(meant)}?"
            raise

    def invoke(self, ctx: Any) -> Any:
        """Report a problem where it is known what the command line said."""
        say_implied(ctx)
        try:
            check_possible(ctx)
            return super().invoke(ctx)
        except Exception as error:
            problem = problem_behind(error)
            if problem is None or CommandSettings.raises:
                raise
            from cli.render.problem_hints import REFUSED, report

            report(problem, ctx.params)
            raise typer.Exit(REFUSED) from problem


def _show_defaults_of_message(command: Any) -> None:
    """A default that a message has is written there, and nowhere else."""
    said = getattr(getattr(command, "callback", None), "message", None)
    if said is None:
        return
    from cli.send_message import kind_called

    kind, parameters = said
    fields = kind_called(kind).model_fields
    defaults = {parameters[name]: field.default for name, field in fields.items() if name in parameters}
    for param in command.params:
        if param.default is None and isinstance(default := defaults.get(param.name), str) and default:
            param.default = default


OLD_COMMANDS = {"close": "conclude"}
OLD_OPTIONS = {"--why": "--reason"}
"""What was called otherwise before release 0.2; still understood until 0.3."""


def _renamed(command: CliCommand, args: list[str]) -> list[str]:
    """The arguments with the options as they are called now."""
    known = {name for param in command.params for name in param.opts}
    renamed = []
    for arg in args:
        name, equals, value = arg.partition("=")
        new = OLD_OPTIONS.get(name) if name not in known else None
        if new in known:
            typer.echo(f"{name} is now called {new}.", err=True)
        renamed.append(f"{new}{equals}{value}" if new in known else arg)
    return renamed


def _meant(wrong: typer.BadParameter, args: list[str]) -> list[str]:
    from ledger.errors import suggest

    choices = _choices(wrong.param)
    typed = (arg.rpartition("=")[2] for arg in args if arg not in choices)
    return next((found for word in typed if (found := suggest(word, choices))), [])


def _choices(param: Any) -> list[str]:
    """The values of a parameter that is an enumeration."""
    runtime = getattr(param, "get_runtime_param", None)
    kind = runtime().annotation if runtime is not None else None
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return [choice.value for choice in kind]
    return []


def problem_behind(error: Exception) -> Problem | None:
    """Databases can be lost anywhere, also where nobody expects it; that is never a traceback."""
    if isinstance(error, Problem):
        return error
    if type(error).__module__.partition(".")[0] not in _OF_THE_DATABASE:
        return None
    from ledger.store.connections import explain

    return explain(error)


_OF_THE_DATABASE = {"psycopg", "psycopg_pool", "eventsourcing"}
"""What errors of the database come from; a name is enough, since to import them takes long."""


def _is_argument(param: Any) -> bool:
    return bool(param.param_type_name == "argument")


def _in_usage(param: Any) -> str:
    name = _label(param, "") + ("..." if param.nargs == -1 else "")
    return name if param.required else f"[{name}]"


def _label(param: Any, as_typer_has_it: str) -> str:
    """`-t, --target COMBATANT` for typer's `-t, --target <list[str]>`; `[a|b]` for its choices."""
    if _is_argument(param):
        return str(param.metavar or _METAVARS.get(param.name) or param.name.upper()).strip("[]")
    found = _LABEL.fullmatch(as_typer_has_it)
    if found is None or not found[2]:
        return as_typer_has_it
    return f"{found[1]} {param.metavar or _value(param.name, found[2].strip('[]'))}"


def _value(name: str, python_type: str) -> str:
    if "|" in python_type:
        return f"[{python_type}]"
    if python_type.lower().startswith(_NUMBERS):
        return "NUMBER"
    return _METAVARS.get(name) or ("FILE" if "path" in python_type.lower() else "TEXT")


def _about(help_text: str) -> str:
    """The help without conditions in Python: a lower bound says nothing new, two bounds are a range."""
    return _BOUNDS.sub(r"\1 to \2", _LOWER_BOUND.sub("", help_text))


SECTIONS = {
    "At the table": ("play", "use", "hit", "cast", "move", "hurt", "heal"),
    "Play": (
        *("new", "join", "start", "do", "react", "time-up", "end-turn", "rule", "initiative", "reactions"),
        *("roll", "note", "reveal", "conceal", "leave", "conclude", "rest", "label"),
    ),
    "Look": (
        *("status", "actions", "aim", "reference", "advise", "log", "explain", "replay", "watch"),
        *("economy", "difficulty", "list", "roster", "creatures", "schema"),
    ),
    "Correct": (
        *("undo", "redo", "amend", "insert", "proposal", "agree", "overrule"),
        *("corrections", "fork", "diff"),
    ),
    "Play automatically": ("auto", "simulate", "run", "demo"),
    "Analyse": ("report", "stats", "sql", "projections", "lake", "export", "import", "import-log"),
    "Share the table": ("serve", "seat", "dice", "webhook", "login", "logout"),
    "Guard the record": ("verify", "seal", "db"),
    "Add content": ("pack", "abilities"),
}
"""The commands as `combatlog --help` lists them."""


class CliCommandGroup(TyperGroup):
    """The list of all commands, by what they are for."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in self.commands and args[0] in OLD_COMMANDS:
            typer.echo(f"`{args[0]}` is now called `{OLD_COMMANDS[args[0]]}`.", err=True)
            args = [OLD_COMMANDS[args[0]], *args[1:]]
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        CliCommand.format_options(self, ctx, formatter)  # type: ignore[arg-type]
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        widest = max(map(len, self.commands))
        room = formatter.width - 6 - widest
        for title, names in SECTIONS.items():
            with formatter.section(title):
                rows = [(name.ljust(widest), self.commands[name].get_short_help_str(room)) for name in names]
                formatter.write_dl(rows)


def use_in(app: typer.Typer) -> None:
    """Have every command of an app, and of those that are part of it, behave so."""
    for command in app.registered_commands:
        command.cls = CliCommand
    for group in app.registered_groups:
        if group.typer_instance is not None:
            use_in(group.typer_instance)
