"""The engine resolves declarations over a tape of dice and answers. It knows no ruleset."""
