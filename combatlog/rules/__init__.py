"""The rulesets, the engine that applies them, and the code that they share."""
