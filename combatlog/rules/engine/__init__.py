"""The engine: it resolves declarations over a tape of dice and answers, and depends on no particular ruleset."""
