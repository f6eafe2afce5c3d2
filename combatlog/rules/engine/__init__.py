"""The engine: resolves declarations over a tape, corrects and verifies them. Knows no ruleset."""
