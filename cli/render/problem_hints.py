"""How a problem is shown: the sentence, its code, and what to type next. With `--json`: the same as data.

Both go to standard error, so that standard output holds only results. Only the command line knows hints. A hint is a
template, or a function of the facts if there is something to decide. In a template, a missing fact becomes a
placeholder: `combatlog list ENCOUNTER`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from shlex import quote
from typing import TYPE_CHECKING, Any

from cli.render.terminal import as_json_text, console
from ledger.errors import Problem
from projections.story.phrases import or_list
from projections.story.text import clean

if TYPE_CHECKING:
    from rich.console import Console

    from cli.render.json_types import ProblemData


REFUSED = 1
"""The exit status of a command that was refused."""


def report(problem: Problem, said: Mapping[str, Any]) -> None:
    """Print a problem. `said` has the values of the command line, by parameter."""
    hint = hint_for(problem.code, facts_of(problem.facts, said))
    if said.get("as_json"):
        sys.stderr.write(as_json_text(as_data(problem, hint)) + "\n")
    else:
        print_problem(console(stderr=True), problem, hint)


def as_data(problem: Problem, hint: str | None) -> ProblemData:
    return {"code": problem.code, "sentence": problem.sentence, "facts": problem.facts, "hint": hint}


def print_problem(shown: Console, problem: Problem, hint: str | None, *, soft_wrap: bool | None = None) -> None:
    shown.print(clean(problem.sentence), end=" ", style="bold", soft_wrap=soft_wrap)
    shown.print(f"[{clean(problem.code)}]", style="dim")
    if hint:
        shown.print(clean(hint), style="cyan")


class Facts(dict[str, Any]):
    """What hints are made from: the facts of the problem and, for other names, the values of the command line."""

    def __missing__(self, name: str) -> str:
        return _PLACEHOLDERS.get(name, name.upper())

    def several(self, name: str) -> list[str]:
        """A fact that is a list of names, as they are typed."""
        value = self.get(name)
        return [str(item) for item in value] if isinstance(value, Sequence) and not isinstance(value, str) else []


_PLACEHOLDERS = {"who": "COMBATANT", "asked": "COMBATANT", "actor": "COMBATANT", "what": "ACTION", "turn": ""}

Hint = str | Callable[[Facts], str | None]


def facts_of(problem: Mapping[str, Any], said: Mapping[str, Any]) -> Facts:
    """Facts for hints. Text is quoted for a shell, since people paste it."""
    encounter = {"encounter": said["encounter"]} if said.get("encounter") else {}  # as it was typed
    known = {name: value for name, value in {**said, **problem, **encounter}.items() if value not in (None, "", (), [])}
    facts = Facts({name: quote(value) if isinstance(value, str) else value for name, value in known.items()})
    for name in ("actor", "reactor", "subject"):
        if "who" not in facts and name in facts:
            facts["who"] = facts[name]
    return facts


def hint_for(code: str, facts: Facts) -> str | None:
    """What to do about a problem: `Did you mean ...?` if there are suggestions, and the hint from the table."""
    found = _hint(code, facts)
    meant = facts.several("suggestions")
    if not meant:
        return found
    return f"Did you mean {or_list(meant)}?" + (f" {found}" if found else "")


def _hint(code: str, facts: Facts) -> str | None:
    hint = HINTS.get(code) or next((HINTS[family] for family in HINTS if fnmatchcase(code, family)), None)
    if hint is None:
        return None
    return hint.format_map(facts).rstrip() if isinstance(hint, str) else hint(facts)


# Hints that depend on the facts


def _answer(facts: Facts, who: str = "asked") -> str:
    """The command that answers the open window."""
    names = [quote(name) for name in facts.several("available")] or ["REACTION"]
    if names == ["link"]:
        return f"Their player gives the link with: combatlog dice link {facts['encounter']}"
    return f"Answer with: combatlog react {facts['encounter']} {facts[who]} {' | '.join([*names, 'pass'])}"


def _what_it_takes(facts: Facts) -> str:
    """Where to look up the options of the action, or of the encounter to be opened."""
    if "actor" in facts and "action" in facts and "encounter" in facts:
        return f"See what it takes: combatlog actions {facts['encounter']} {facts['actor']} {facts['action']}"
    if "ruleset" in facts and "encounter" not in facts:
        return f"See what it takes: combatlog reference encounter --ruleset {facts['ruleset']}"
    return f"See what it takes: combatlog reference {facts['what']}"


def _wrong_part(facts: Facts) -> str:
    flag = _FLAGS.get(facts.get("part", ""))
    return f"Omit {flag}. {_what_it_takes(facts)}" if flag else _what_it_takes(facts)


def _by(facts: Facts) -> str:
    known = facts.several("available")
    return f"Choose with --by {' | '.join(known)}." if known else "Choose another with --by."


_FLAGS = {"target": "--target", "destination": "--to", "weapon": "--with"}
_LOG = "See the events: combatlog log {encounter}"
_ACTIONS = "See what it can do: combatlog actions {encounter} {who}"
_OTHER_TARGET = "Name another target with --target COMBATANT."
_WHERE = "Name a square with --to COLUMN,ROW."
_PLACE_IT = "Place it with a ruling: combatlog rule {encounter} {who} --to COLUMN,ROW --reason WHY"
_COME_CLOSER = "Move closer: combatlog do {encounter} {who} move --to COLUMN,ROW"
_END_ITS_TURN = "End its turn: combatlog end-turn {encounter} {who}"
_JOINED = "It has joined already: combatlog status {encounter}"


_HINTS: dict[str, Hint] = {
    # The ledger and its database
    "ledger/unknown-encounter": "`combatlog list` shows the encounters.",
    "ledger/name-taken": "Look at that encounter: combatlog status {name}",
    "ledger/conflict": "Look at it and repeat the command: combatlog log {encounter}",
    "ledger/changed import/gap seal/not-as-recorded": "Find out more: combatlog verify {encounter}",
    "ledger/unreadable-event ledger/not-recorded": "Find out more: combatlog verify --all",
    "ledger/senseless-event": "See the encounter up to there: combatlog log {encounter}",
    "database/unreachable database/unusable database/url": "`combatlog db status` shows which database is used; "
    "--database or COMBATLOG_DATABASE_URL names another.",
    "database/encoding": "Create the database with: CREATE DATABASE NAME TEMPLATE template0 ENCODING 'UTF8'",
    "database/read-only": "Name the server that is written to with --database or COMBATLOG_DATABASE_URL.",
    "database/standby": "Name the primary server with --database or COMBATLOG_DATABASE_URL.",
    "replica/unreachable": "To read from the primary server, omit --replica and unset COMBATLOG_REPLICA_URL.",
    "replica/no-primary": "Try again later. --database or COMBATLOG_DATABASE_URL names the primary server.",
    "replica/primary-not-named": "Name it with --database or COMBATLOG_DATABASE_URL.",
    "replica/no-read-models": "The primary server makes them when a question is asked there, for example: "
    "combatlog --database PRIMARY stats hits",
    "replica/behind": "Try again later, or omit --replica.",
    "replica/no-standby": "Name it with --database instead.",
    "replica/other": "Name its primary server with --database or COMBATLOG_DATABASE_URL.",
    "database/folder": "Name another folder with COMBATLOG_HOME, or a server with --database.",
    "database/no-start": "To use a server instead, name it with --database or COMBATLOG_DATABASE_URL.",
    "database/no-answer": "Look first: combatlog log {encounter}. A command with --command-id can safely be repeated.",
    "citus/missing": "docs/citus.md says when a cluster is worth it and how to start one.",
    "citus/not-coordinator projections/not-coordinator": "Name the coordinator with --database or "
    "COMBATLOG_DATABASE_URL.",
    "database/no-roles": "`combatlog db roles` prints the script for an administrator to run.",
    "database/older-schema": "Make a backup (combatlog db backup FILE), then run: combatlog db upgrade",
    "restore/not-empty": "Name an empty database with --database.",
    "restore/damaged": "To restore them as they are, for evidence, repeat the command with --damaged.",
    "backup/not-as-recorded": "The file was changed after it was written; use another backup.",
    "import/unreadable": "Make the file with: combatlog export --all --output FILE",
    "import/damaged import/senseless": "Make the file again with: combatlog export --all --output FILE",
    "import/differs": lambda facts: (
        "To keep both fights: combatlog import FILE --rename-taken. To leave it out: --skip-existing."
        if facts["why"] == "name_taken"
        else "To import the other fights of the file: combatlog import FILE --skip-existing"
    ),
    "import/copy-differs": "To import the other fights of the file, add --skip-existing.",
    "import/rename-taken": "Choose another name with --rename OLD=NEW, or add --rename-taken to get a free one.",
    "import/rename-unknown": "Names are those in the file.",
    "import-log/format": "The formats are described in docs/importing.md.",
    "import-log/needs-leveldb": "Install it with: pip install 'combatlog[foundry]'",
    "recorded/no-rules": "See what happened: combatlog log {encounter}",
    "recorded/opened-by-import": "Import a log: combatlog import-log FORMAT FILE",
    "seal/unknown-key": "If you trust that key, repeat the command with --trust {public_key}",
    # Statistics
    "file/exists": "Name another file with --out.",
    "sql/no-login": "Statistics work without it: combatlog stats --help",
    "sql/too-slow": "Narrow the query down, or allow more time with --seconds.",
    "sql/refused sql/read-only": "`combatlog sql --schema` shows the tables.",
    "lake/none": "Write one: combatlog lake write {folder}",
    "lake/damaged-file lake/missing-file lake/other-form": "Write the lake again, to another place: combatlog lake "
    "write DIR|URL",
    "lake/not-installed": "Install it: pip install 'combatlog[cloud]'",
    "lake/no-credentials": lambda facts: f"Set {', '.join(facts.several('variables'))}.",
    "lake/credentials": lambda facts: f"Check {', '.join(facts.several('variables'))}.",
    "lake/denied": "They need permission to list, read, write and delete there; readers, to list and read.",
    "lake/no-bucket": "Create it with the tools of your provider, or correct its name.",
    "lake/unreachable": "Check the network, and the address of the server if you have set one; see docs/lake.md.",
    "lake/no-conditions": "Use a store that writes on conditions, as S3 does, or write to a folder.",
    "spark/not-installed": "Install it: pip install 'combatlog[spark]'",
    "spark/no-java": "Install it, on Debian with: apt-get install openjdk-17-jre-headless",
    "spark/failed": "Every worker needs this version of combatlog, and access to the lake; see docs/lake.md.",
    "projections/other-form": "Rebuild them: combatlog projections rebuild",
    "stats/unknown-campaign": "Tag an encounter when you open it: combatlog new NAME --option campaign=TAG",
    "stats/by": _by,
    "plot/no-figure": "Draw another figure of these fights with --figure, or omit --plot.",
    "plot/too-many-maps": "Name one encounter, or narrow them down with --campaign, --since and --until.",
    "plot/one-fight": "Name it after the statistic: combatlog stats {statistic} ENCOUNTER --plot FILE",
    # Seats
    "server/address": "Write it like http://127.0.0.1:8321, or paste the link of an invitation.",
    "server/unreachable": "Check that `combatlog serve` runs there, and that this is its address: {url}",
    "server/no-answer": "Look first, or repeat it safely: give it --command-id {command}",
    "server/no-token": "Keep it once with `combatlog login {url}`, or set COMBATLOG_TOKEN.",
    "server/too-old": "Update the service, or use an older release here.",
    "server/too-new": "Update combatlog here.",
    "server/other-seat": "Omit --as.",
    "login/readable": "Run: chmod 600 {path}",
    "login/none": "Without a kept token, commands take it from COMBATLOG_TOKEN or --token-file.",
    "seat/no-token": "Ask the GM for a new link, and keep its token with `combatlog login`.",
    "serve/address": "Choose another port with --port, or another address with --host.",
    "serve/no-telemetry": "Install it: pip install 'combatlog[otel]', or unset OTEL_EXPORTER_OTLP_ENDPOINT.",
    "serve/not-installed": "Install it: pip install 'combatlog[serve]'",
    "seat/delay": "Give --delay only with --spectator.",
    "seat/unknown": "List the seats: combatlog seat {encounter}",
    # Opening, joining, starting
    "declaration/unknown-combatant": "See who is in the fight: combatlog status {encounter}",
    "sheet/unknown": "`combatlog creatures` lists them; a file works as well: combatlog join {encounter} FILE",
    "pack-import/no-srd": "Install it: pip install 'combatlog[srd]'",
    "pack-import/exists": "Name another folder with --out; --replace writes over a pack that was imported before.",
    "pack-import/unrecognised": "Say which one it is with --format.",
    "pack-import/folder": "Name a file in it.",
    "pack-import/not-public": "Make the character public on the site, and save its JSON again.",
    "difficulty/no-characters": "Choose the side with --side.",
    "consent/nothing": "Propose one with combatlog undo, amend or insert.",
    "consent/refused": "The GM may decide with: combatlog overrule ENCOUNTER --reason WHY",
    "consent/waiting consent/not-asked": "See who is asked: combatlog proposal ENCOUNTER",
    "join/name": "Give it a name with --as NAME.",
    "join/name-taken": lambda facts: (
        _JOINED if "earlier" in facts else "Give it another name with --as NAME."
    ).format_map(facts),
    "rest/fighting": "combatlog conclude {encounter}",
    "rest/no-hit-points": "combatlog heal {encounter} {who} NUMBER, before the fight is closed",
    "join/dead": "Look at how that fight ended: combatlog status {earlier}",
    "join/other-ruleset": "Open a fight with those rules: combatlog new NAME --ruleset {ruleset}",
    "start/nobody": "Add combatants: combatlog join {encounter} SHEET",
    "army/invalid": "Undo a join with combatlog undo {encounter} SEQ, or open the fight without -o army.",
    "start/players": "Add them: combatlog join {encounter} SHEET --side SIDE",
    "start/no-figures": "Add one: combatlog join {encounter} SHEET --side SIDE --at COLUMN,ROW",
    "skirmish/no-player": "Add one: combatlog join {encounter} SHEET --side SIDE",
    "encounter/closed": "To go on with it, take the closing back: combatlog undo {encounter}",
    "place/none move/no-place": _PLACE_IT,
    "place/*": lambda facts: "Name another square with --at COLUMN,ROW." if "sheet" in facts else _WHERE,
    "pack/too-late": "Open an encounter with the pack: combatlog new NAME --pack FOLDER",
    "pack/*": "`combatlog pack check FOLDER` lists everything that is wrong with a pack.",
    "archetype/*": "`combatlog pack archetypes` shows what an entry can be, and its options.",
    "library/invalid": "`combatlog abilities check FILE` lists everything that is wrong with it.",
    "ability/unknown card/unknown": "`combatlog abilities list` shows all of them.",
    "reference/unknown": "`combatlog reference` lists everything; --ruleset names other rules.",
    # Whose turn it is
    "turn/none": "See whose turn it is: combatlog status {encounter}",
    "turn/not-started auto/not-started": "Start the fight: combatlog start {encounter}",
    "turn/other turn/whose turn/cannot-act": "End the turn: combatlog end-turn {encounter} {turn}",
    "turn/other-player turn/group turn/exhausted": "Activate a figure: combatlog do {encounter} FIGURE activate",
    "turn/nobody": "Conclude the fight: combatlog conclude {encounter}",
    "state/*": _END_ITS_TURN,
    "rest/resting move/sprinting leave/own-turn": _END_ITS_TURN,
    # Declarations
    "declaration/unknown-action advise/none auto/cannot": _ACTIONS,
    "declaration/unknown-reaction": "See what is offered: combatlog status {encounter}",
    "declaration/takes-no-*": _wrong_part,
    "declaration/missing-option": lambda facts: (
        f"Give it with --option {facts['option']}=VALUE. {_what_it_takes(facts)}"
    ),
    "declaration/target-twice": "Name each target once with --target.",
    "declaration/*": _what_it_takes,
    "cast/unknown-spell": "Name a spell with --option spell=NAME.",
    "skill/unknown": "Name a skill with --option skill=NAME.",
    "item/not-left": "Name an item with --option item=NAME.",
    "special/which": "Name the ability with --option ability=NAME.",
    "shake-off/which": "Name the condition with --option condition=NAME.",
    "spell/slot": "Choose the slot's level with --option slot=LEVEL.",
    "boost/after-roll": "Boost the action itself with --option boost_ap=NUMBER or boost_fat=NUMBER.",
    "*/not-held": _ACTIONS,
    "economy/unknown": "See all of them: combatlog economy {encounter} {who}",
    "economy/no-*-left": _ACTIONS,
    "auto/unknown-side": "Choose a side with --side.",
    "auto/needs-roll": "Declare that yourself: combatlog do {encounter} ... --dice FACES",
    "dice/whose": "Write SIDE=SOURCE or COMBATANT=SOURCE, for example heroes=table,foes=random.",
    "auto/table-dice": "Declare with `combatlog do ... --dice FACES`, or open a fight with --dice random.",
    "attack/not-allowed": "Declare it as the GM, with --by gm.",
    # Targets, places and weapons
    "target/one strike/one-target attack/one-target mount/one-target": "Name the target with --target COMBATANT.",
    "help/two-targets": "Name the ally and then the enemy, each with --target.",
    "*/targets": "Name each target with --target COMBATANT.",
    "*/self": _OTHER_TARGET,
    "delay/not-allowed": "Open a fight with --option delay=true to allow it.",
    "hurt/dead": "Name another combatant.",
    "heal/dead": "Name another combatant; a ruling can bring the dead back: combatlog rule {encounter} {who} ...",
    "*/dead": _OTHER_TARGET,
    "target/forbidden mount/unfit": _OTHER_TARGET,
    "*/out-of-reach": _COME_CLOSER,
    "*/out-of-range": lambda facts: (
        _COME_CLOSER.format_map(facts) if "target" in facts else "Name a nearer square with --to COLUMN,ROW."
    ),
    "help/too-far": _COME_CLOSER,
    "strike/wrong-weapon strike/no-weapon weapon/not-in-hand": "Name another weapon with --with, or omit --with.",
    "move/no-destination": _WHERE,
    "*/no-place": lambda facts: _PLACE_IT.format_map(facts) if "to" in facts else _WHERE,
    # Dice and reactions
    "dice/too-few dice/revealed dice/no-seed dice/never-rolled": "Roll real dice and give the faces, in order, with "
    "--dice.",
    "dice/too-many": "Give only the faces that are needed now with --dice.",
    "dice/impossible-face": "Check the faces given with --dice.",
    "dice/nobody-seated dice/not-seated": "Their player joins with: combatlog dice sit {encounter} {who}",
    "dice/not-a-player": "Join it with --controller player to give it a player.",
    "dice/not-shared": "Open a fight with: combatlog new NAME --dice shared",
    "dice/not-the-next-link": "See whose chain it is: combatlog dice show {encounter}",
    "dice/no-question reaction/no-window": "See what the fight is waiting for: combatlog status {encounter}",
    "chain/not-here": "Record that it is withheld: combatlog dice link {encounter} --withhold",
    "chain/used-up": "Start a new chain: combatlog dice sit {encounter} {who}",
    "window/waiting reaction/not-asked": _answer,
    "reaction/not-offered": lambda facts: "Omit that --reply." if "reply" in facts else _answer(facts, "who"),
    # Rulings and corrections
    "damage/no-types": "Omit the type.",
    "join/initiative": "Omit --initiative; `combatlog initiative` corrects it once the fight has started.",
    "rule/no-subject": "Name the combatant: combatlog rule {encounter} COMBATANT --reason WHY ...",
    "rule/empty": "Say what is ruled with --set, --add, --remove, --to, --side, --terrain or --note.",
    "rule/occupied": "Move it: combatlog rule {encounter} {who} --to COLUMN,ROW --reason WHY",
    "rule/no-square rule/unknown-terrain": "Name the square and what it becomes: --terrain COLUMN,ROW=LETTER.",
    "door/*": "Name a square next to it with --to COLUMN,ROW.",
    "rule/no-question": "See what is waiting for a ruling: combatlog status {encounter}",
    "insert/where": "Give one of --before SEQ and --after SEQ.",
    "insert/while-waiting": "Choose --before {waiting} or --after {waiting}.",
    "amend/nothing": "Say what was wrong, for example with --target, --add, --resist, --drop, --face or --reply.",
    "correction/impossible": "Choose --impossible drop to leave it out, or --impossible keep to keep it as a ruling.",
    "correction/decide-first": "Choose --impossible drop to leave those out, or --impossible keep for rulings.",
    "correction/needs-answer": "Answer with --reply {declaration}:{who}=REACTION, or --reply {declaration}:{who}=pass.",
    "correction/unconfirmed": "Repeat the command with --yes to apply the plan.",
    "correction/moved-on": "Repeat the command to see the new plan.",
    "undo/not-standing undo/nothing amend/no-roll": _LOG,
    "undo/answered-before": "Also take back everything after it: combatlog undo {encounter} --to SEQ",
    "*/shared-past": "Fork the parent again: combatlog fork PARENT --at SEQ --as NAME",
    "fork/mid-command": "Name another event with --at.",
    "amend/change": "Give it with --add.",
    "amend/whose": "Name the combatant with --owner.",
    "*/no-event": _LOG,
    "redo/too-late": "Take that back first: combatlog undo {encounter}",
    "log/unknown-kind": "docs/events.md describes every kind.",
    "log/range": "Name the first event with --from and the last one with --to.",
    "replay/nothing": "Widen --from, --to, --actor or --kind.",
}
"""By codes or families of codes (`*` matches anything). The hint of a code takes precedence over that of its family."""
HINTS = {code: hint for codes, hint in _HINTS.items() for code in codes.split()}
