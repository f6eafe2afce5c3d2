"""Every command: which function carries it out, and what it does in one line.

The modules named here are imported when their command is used; so `combatlog --help` and every command start fast.
"""

from __future__ import annotations

Commands = dict[str, tuple[str, str]]
"""By name: the function, as `module.function` below `cli`, and the first line of the help. A group has no function."""

SECTIONS: dict[str, Commands] = {
    "At the table": {
        "play": ("declare.play", "Play a fight in a shell that knows whose turn it is."),
        "use": ("fights.use", "Choose the fight that commands are about when they name none."),
        "hit": ("declare.hit", "Make the obvious attack, for whoever has the turn."),
        "cast": ("declare.cast", "Cast a spell, for whoever has the turn."),
        "move": ("declare.move", "Move to a square, for whoever has the turn."),
        "hurt": ("gm.hurt", "Deal damage as the GM, by the rules."),
        "heal": ("gm.heal", "Heal as the GM, by the rules."),
    },
    "Play": {
        "new": ("declare.new", "Open an encounter."),
        "join": ("declare.join", "Add a combatant, or several of a kind."),
        "start": ("declare.start", "Start the fight: initiative, the first round, the first turn."),
        "do": ("declare.do", "Declare an action."),
        "react": ("declare.react", "Use an offered reaction, or pass; the fight goes on."),
        "time-up": ("declare.time_up", "Go on without whoever did not answer in time."),
        "end-turn": ("declare.end_turn", "End a combatant's turn; the next one begins."),
        "rule": ("gm.rule", "Overrule the rules: change a combatant or the map."),
        "initiative": ("gm.initiative", "Set or correct the initiative of combatants."),
        "reactions": ("gm.reactions", "Change when a combatant uses its reactions."),
        "roll": ("gm.roll", "Roll dice for something that the rules do not ask for."),
        "note": ("gm.note", "Note something in the log, for everybody or for the GM alone."),
        "reveal": ("gm.reveal", "Let the players see combatants that joined with --hidden."),
        "conceal": ("gm.conceal", "Keep combatants from the players' eyes, with all they do."),
        "leave": ("declare.leave", "Take a combatant out of the fight."),
        "conclude": ("declare.conclude", "Conclude an encounter; nothing more can be declared in it."),
        "rest": ("", "Rest between fights: hit points, slots and uses come back."),
        "label": ("gm.label", "Label a fight, even one that is closed."),
    },
    "Look": {
        "status": ("fights.status", "Show the state of a fight, now or after any event."),
        "actions": ("inspect.actions", "Show what a combatant can do now, and why not the rest."),
        "aim": ("inspect.aim", "Show whom an area would catch, on the map."),
        "reference": ("content.reference", "Look up what an action, spell, reaction or message takes."),
        "advise": ("inspect.advise", "Recommend what a combatant should do now, and why."),
        "log": ("history.log", "Tell what happened: one line per declaration, or every event."),
        "explain": ("inspect.explain", "Explain an event, with every modifier and every die."),
        "replay": ("history.replay", "Step through a fight, forwards and backwards."),
        "watch": ("history.watch", "Follow a fight live on a second screen."),
        "economy": ("inspect.economy", "Show every change of a combatant's resources, and why."),
        "difficulty": ("analyse.difficulty", "Say how hard a fight is for the characters."),
        "list": ("fights.list_encounters", "List the encounters in the ledger, newest first."),
        "roster": ("analyse.roster", "Show the characters of a campaign after their last fights."),
        "creatures": ("", "Browse creatures and show their stat blocks."),
        "schema": ("content.schema", "Describe what commands print with --json, as JSON Schema."),
    },
    "Correct": {
        "undo": ("correct.undo", "Take back a declaration, showing the plan first."),
        "redo": ("correct.redo", "Take back the last correction."),
        "amend": ("correct.amend", "Correct a target, a forgotten modifier or a misread die."),
        "insert": ("correct.insert", "Declare at an earlier point what was forgotten."),
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
        "seat": ("sharing.seat", "Give somebody a seat, list the seats, or revoke one."),
        "dice": ("", "Dice that host and players decide together: --dice shared."),
        "webhook": ("sharing.webhook", "Send what happens in a fight to an address."),
        "login": ("service_login.login", "Keep the token of your seat at a service, for --server."),
        "logout": ("service_login.logout", "Forget the token of your seat at a service."),
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
        "status": ("readmodels.status", "Show how far the read models are, and what is in them."),
        "run": ("readmodels.run", "Keep the read models current until stopped with Ctrl-C."),
        "rebuild": ("readmodels.rebuild", "Rebuild the read models from the ledger."),
    },
    "lake": {
        "write": ("lake.write", "Write what is new in the ledger to a lake."),
        "compact": ("lake.compact", "Put the small files of a lake together."),
        "verify": ("lake.verify", "Check that the fights in a lake are as they were recorded."),
        "status": ("lake.status", "Show how far a lake is, and what is in it."),
    },
    "dice": {
        "sit": ("sharing.sit", "Sit down as a player, with a new chain of secrets."),
        "link": ("sharing.link", "Reveal the link that a roll waits for."),
        "show": ("sharing.show", "Show who has sat down, and which roll waits for a link."),
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
