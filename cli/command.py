"""What commands have in common: readable help, the report of a refusal, and how an answer becomes output."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, is_dataclass
from enum import StrEnum
from inspect import Parameter, Signature, signature
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand

from cli.context import CommandSettings, open_fight, say_implied, with_implied_fight
from cli.options import ENCOUNTER, JSON, SEAT, with_names
from cli.render.terminal import print_json
from cli.service_login import check_possible
from ledger.errors import Problem, suggest

_AS_IT_IS = "\b\n"
"""Marks a paragraph whose lines are not rewrapped."""

_METAVARS = {
    **dict.fromkeys(("actor", "reactor", "subject", "target", "owner"), "COMBATANT"),
    **dict.fromkeys(("to", "at"), "COLUMN,ROW"),
    **dict.fromkeys(("option", "overrides"), "NAME=VALUE"),
    **dict.fromkeys(("pack", "folder"), "FOLDER"),
    **dict.fromkeys(("database_url", "server", "url"), "URL"),
    **dict.fromkeys(("since", "until"), "YYYY-MM-DD"),
    "command_id": "UUID",
    "dice": "FACES",
    "face": "SEQ=FACES",
    "labels": "LABEL",
    "remove": "CONDITION",
    "reply": "ANSWER",
    "values": "NAME=NUMBER",
    "weapon": "WEAPON",
}
"""Placeholders for values in help texts, by parameter. Other parameters get one for their type."""

_NUMBERS = ("int", "float")
_LABEL = re.compile(r"((?:--?[\w-]+(?:, | / )?)+)(?: <?(.*?)>?)?")
"""An option as typer shows it: its names, and the Python type of its value."""
_BOUNDS = re.compile(r"([\d.]+)<=x<=([\d.]+)")
_LOWER_BOUND = re.compile(r"; x>=[\d.]+|\s*\[x>=[\d.]+\]|x>=[\d.]+; ")


class CliCommand(TyperCommand):
    """A command whose help shows values as users write them, not as Python types."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return ["[OPTIONS]", *(_in_usage(param) for param in self.params if _is_argument(param))]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        for title, wanted in (("Arguments", True), ("Options", False)):
            shown = [param for param in self.get_params(ctx) if _is_argument(param) is wanted]
            records = [(param, param.get_help_record(ctx)) for param in shown]
            rows = [(_label(param, record[0]), _about(record[1])) for param, record in records if record]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Show each example on a line of its own, unwrapped, so that it can be copied."""
        about, title, examples = re.split(r"(Examples?:\s)", (self.help or "") + "Example: ", maxsplit=1)[:3]
        lines = [line.strip() for line in examples.removesuffix("Example: ").splitlines() if line.strip()]
        if lines and not about.endswith(_AS_IT_IS):  # which it does after the examples have been shown once
            self.help = about + _AS_IT_IS + title.strip() + "\n" + "".join(f"  {line}\n" for line in lines)
        super().format_help_text(ctx, formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Suggest what a value may mean that is not one of the choices."""
        try:
            return super().parse_args(ctx, with_implied_fight(self, ctx, _renamed(self, args)))
        except typer.BadParameter as wrong:
            wrong.message = wrong.message.removeprefix("Value error, ")
            if meant := _meant(wrong, args):
                wrong.message += f" Did you mean {' or '.join(meant)}?"
            raise

    def invoke(self, ctx: Any) -> Any:
        """Report a problem here, where the words of the command line are still known."""
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


OLD_OPTIONS = {"--why": "--reason"}
"""Names from before release 0.2, understood until 0.3."""


def _renamed(command: CliCommand, args: list[str]) -> list[str]:
    """The arguments, with old names of options replaced by new ones."""
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
    """The problem to report for an error. A lost connection to the database is one too; it never shows a traceback."""
    if isinstance(error, Problem):
        return error
    if type(error).__module__.partition(".")[0] not in _OF_THE_DATABASE:
        return None
    from ledger.store.connections import explain

    return explain(error)


_OF_THE_DATABASE = {"psycopg", "psycopg_pool", "eventsourcing"}
"""The packages that raise database errors, by name, because importing them is slow."""


def _is_argument(param: Any) -> bool:
    return bool(param.param_type_name == "argument")


def _in_usage(param: Any) -> str:
    name = _label(param, "") + ("..." if param.nargs == -1 else "")
    return name if param.required else f"[{name}]"


def _label(param: Any, as_typer_has_it: str) -> str:
    """`-t, --target COMBATANT` instead of typer's `-t, --target <list[str]>`; `[a|b]` for choices."""
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
    """The help without Python's conditions: two bounds become a range, a lower bound alone is dropped."""
    return _BOUNDS.sub(r"\1 to \2", _LOWER_BOUND.sub("", help_text))


Command = Callable[..., None]
F = TypeVar("F", bound=Callable[..., Any])


def shows(words: Callable[[Any], Any], data: Callable[[Any], Any] | None = None) -> Callable[[F], Command]:
    """Make a command of a function that finds something out: `words` prints it, or `data` makes JSON of it.

    If the function takes a view, the command takes a fight and a seat.
    """

    def declared(function: F) -> Command:
        looks = function.__annotations__.pop("view", None) is not None
        function.__annotations__.pop("return", None)  # the types of views and answers take long to import
        own = dict(signature(function, eval_str=True).parameters)
        own.pop("view", None)
        taken = {name: (one.default, one.annotation) for name, one in own.items()}
        around = {"encounter": (ENCOUNTER, str), **taken, "seat": (SEAT, str)} if looks else taken

        def run(as_json: bool, **given: Any) -> None:
            if looks:
                with open_fight(given.pop("encounter")) as fight:
                    found = function(fight.seen_by(given.pop("seat")), **given)
            else:
                found = function(**given)
            if as_json:
                print_json((data or _data_of)(found))
            else:
                words(found)

        return as_command(run, function, around | {"as_json": (JSON, bool)})

    return declared


def as_command(run: Command, function: F, parameters: dict[str, tuple[Any, Any]]) -> Command:
    """A function that typer reads as a command with these parameters: the default and the type of each."""
    run.__name__, run.__doc__ = function.__name__, function.__doc__
    run.__annotations__ = {}
    run.__signature__ = Signature(  # type: ignore[attr-defined]
        [
            Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
            for name, (default, annotation) in parameters.items()
        ]
    )
    return with_names(run)


def _data_of(found: Any) -> Any:
    """The JSON of what was found, unless the command says otherwise."""
    if isinstance(found, list | tuple):
        return [_data_of(one) for one in found]
    if hasattr(found, "to_json"):
        return found.to_json()
    if hasattr(found, "model_dump"):
        return found.model_dump(mode="json")
    return asdict(found) if is_dataclass(found) and not isinstance(found, type) else found
