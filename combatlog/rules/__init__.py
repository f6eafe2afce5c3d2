"""The rules of games, the engine that carries them out, and what rulesets share."""
